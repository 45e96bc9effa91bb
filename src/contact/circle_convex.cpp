#include "contact/circle_convex.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/face_guess.hpp"
#include "contact/circle_nearest.hpp"
#include "contact/circle_pair.hpp"
#include "contact/feature.hpp"
#include "contact/frame.hpp"
#include "contact/order.hpp"
#include "contact/pick.hpp"
#include "contact/point_distance.hpp"
#include "contact/to_vec2.hpp"

namespace broadside::detail {

namespace {

// Polygons.

/// Looks at all faces: what is found is exact where the numbers are.
NearestOnCore find_nearest_of_all(std::span<const Vec2> vertices, CircleCenter center) {
  const std::size_t size = vertices.size();
  Two farthest{};
  double most = 0.0;
  for (const Vec2 vertex : vertices) {
    const Two way = absolute(to_two(vertex) - to_two(vertices[0]));
    farthest = way[0] + way[1] > most ? way : farthest;
    most = farthest[0] + farthest[1];
  }
  const double slack = face_slack * std::min(most, center.radius);
  NearestOnCore nearest;
  bool is_inside = true;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t end = i + 1 == size ? 0 : i + 1;
    const Two edge = to_two(vertices[end]) - to_two(vertices[i]);
    const double out = cross(center.at - center.axis2 * to_two(vertices[i]), edge);
    if (out > 0.0) {
      NearestOnCore on_edge = find_nearest(vertices[i], vertices[end], center);
      if (is_inside || on_edge.out[0] * on_edge.out[0] * nearest.length2[0] <
                           nearest.out[0] * nearest.out[0] * on_edge.length2[0]) {
        on_edge.made_by = on_edge.made_by == corner_feature(0)   ? corner_feature(i)
                          : on_edge.made_by == corner_feature(1) ? corner_feature(end)
                                                                 : face_feature(i);
        nearest = on_edge;
      }
      is_inside = false;
    } else if (is_inside) {
      const double length2 = dot(edge, edge);
      if (i == 0 || out > (nearest.out[0] / std::sqrt(nearest.length2[0]) + slack) * std::sqrt(length2)) {
        nearest = {right_of(edge), both(length2), both(out), TwoMask{}, farthest, face_feature(i)};
      }
    }
  }
  return nearest;
}

/// The nearest point is on the face that has the center the furthest in front, or at an end of it: then the
/// next face must see it beyond its own end. Where that does not hold the guess was not right.
[[gnu::always_inline]] inline NearestOnCore find_nearest(const Polygon& polygon, const CircleCenter& center) {
  const auto [face, apart] = FaceGuess::nearest(polygon, center.at);
  const auto* corners = FaceGuess::corners_around(polygon, face);
  const auto corner = [&](std::size_t number) { return Two{corners[number][0], corners[number][1]}; };
  const LineSeen line{corner(1), corner(2), center};
  const Two neighbor = select(line.is_beyond, corner(3) - line.end, corner(0) - line.start);
  // Its square is 0 where the center is on the corner, which no way leads to.
  const TwoMask is_past_both = as_mask(both_dot(neighbor, line.from) <= 0.0) & as_mask(line.square > 0.0);
  const std::size_t number = face + as_number(line.is_beyond);
  return {select(line.is_between, line.right, line.from),
          select(line.is_between, line.edge2, line.square),
          select(line.is_between, line.out, line.square),
          ~line.is_between,
          both(FaceGuess::largest(polygon)),
          line_feature(line.is_between, pick<std::size_t>(number == polygon.vertices().size(), number, 0)),
          holds(as_mask(line.out > 0.0) & (line.is_between | is_past_both)),
          apart};
}

/// Where the frame of a shape stands. Its axis has a length near 1 only.
struct CoreFrame {
  Two axis;
  Two center;  ///< relative to the position of the transform (world)
};

template <typename S>
CoreFrame core_frame(const S& /*shape*/, Two rotation) {
  return {rotation, Two{}};
}
CoreFrame core_frame(const Box& box, Two rotation) {
  return {rotate(rotation, Two{static_cast<double>(box.rotation.cos), static_cast<double>(box.rotation.sin)}),
          turned(box.center, rotation)};
}

/// A circle and another shape: how they lie to each other, in the frame of the other.
template <typename S, bool of_all>
struct Pair {
  /// Whether what is the nearest is not always known at once.
  static constexpr bool is_guessed = std::is_same_v<S, Polygon> && !of_all;

  [[gnu::always_inline]] Pair(const S& other, const Transform& at_other, const Circle& circle,
                              const Transform& at_circle)
      : place_circle(at_circle),
        place_other(at_other),
        frame(core_frame(other, place_other.rotation)),
        circle_center(turned(circle.center, place_circle.rotation)),
        radius_circle(static_cast<double>(circle.radius)),
        radius(radius_circle + radius_of(other)),
        center{rotate_back(frame.axis,
                           (place_circle.position - place_other.position) + (circle_center - frame.center)),
               both_dot(frame.axis, frame.axis), radius_circle},
        nearest(look(other, center)) {}

  [[nodiscard]] bool is_far() const {
    constexpr double unit_axis = 0x1p-20;
    return nearest.apart > larger(radius, 0.0) && std::fabs(center.axis2[0] - 1.0) < unit_axis;
  }

  /// Not yet whether what they are made of is valid.
  [[nodiscard]] bool is_near() const { return nearest.is_within(both(radius * radius) * center.axis2); }

  /// Returns 1 by the length of the way in the world; anything if the rotation is none.
  [[nodiscard]] double unit() const {
    return 1.0 /
           std::sqrt(larger((nearest.length2 * center.axis2)[0], std::numeric_limits<double>::denorm_min()));
  }

  /// Returns how large the lengths were that all of it is made of.
  [[nodiscard]] double lengths() const {
    return sum_of(sizes() + (absolute(place_circle.position) + absolute(place_other.position))) + radius;
  }
  /// Leaves out where the two stand.
  [[nodiscard]] double reach() const { return sum_of(sizes()) + radius; }

  /// Returns how far they are apart, negative where they overlap.
  [[nodiscard]] double gap(double unit) const { return nearest.out[0] * unit - radius; }

  /// Returns the unit normal from the other to the circle (world).
  [[nodiscard]] Two normal(double unit) const { return unit * rotate(frame.axis, nearest.way); }

  Placement place_circle;
  Placement place_other;
  CoreFrame frame;
  Two circle_center;  ///< relative to its transform
  double radius_circle;
  double radius;  ///< of both
  CircleCenter center;
  NearestOnCore nearest;

 private:
  [[gnu::always_inline]] static NearestOnCore look(const S& other, const CircleCenter& center) {
    if constexpr (of_all && std::is_same_v<S, Polygon>) {
      return find_nearest_of_all(other.vertices(), center);
    } else {
      return find_nearest(other, center);
    }
  }
  static double sum_of(Two numbers) { return numbers[0] + numbers[1]; }
  [[nodiscard]] Two sizes() const {
    return ((absolute(frame.center) + absolute(circle_center)) + absolute(center.at)) + nearest.extent;
  }
};

// What is not finite shows in the reach: here is what does not.
bool are_sizes_valid(const Box& box) {
  return box.half_size.x >= 0.0F && box.half_size.y >= 0.0F && is_unit(box.rotation);
}
bool are_sizes_valid(const Capsule& capsule) {
  return capsule.radius >= 0.0F;
}
bool are_sizes_valid(const Segment& /*segment*/) {
  return true;
}
bool are_sizes_valid(const Polygon& /*polygon*/) {
  return true;
}

/// Tells whether both are valid, given what was made of them.
template <typename S, bool of_all>
[[gnu::always_inline]] inline bool are_valid(const S& other, const Pair<S, of_all>& pair) {
  constexpr double beyond_floats = 1e42;
  return pair.lengths() < beyond_floats && pair.radius_circle >= 0.0 && is_unit(pair.place_other.rotation) &&
         is_unit(pair.place_circle.rotation) && are_sizes_valid(other);
}

template <typename S, bool of_all>
[[gnu::always_inline]] inline bool are_touching(const S& other, const Pair<S, of_all>& pair) {
  const bool are_both_valid = are_valid(other, pair);
  return are_both_valid & pair.is_near();
}

}  // namespace

template <typename S, bool of_all>
Touch touch_circle(const S& other, const Transform& at_other, const Circle& circle,
                   const Transform& at_circle) {
  const Pair<S, of_all> pair{other, at_other, circle, at_circle};
  if constexpr (Pair<S, of_all>::is_guessed) {
    if (!pair.nearest.is_known) {
      return touch_circle<S, true>(other, at_other, circle, at_circle);
    }
  }
  const bool touching = are_touching(other, pair);
  return {touching, pair.gap(pair.unit()), pair.reach()};
}

template <typename S, bool of_all>
Manifold collide_circle(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  const bool circle_is_a = std::holds_alternative<Circle>(a);
  const S& other = *std::get_if<S>(circle_is_a ? &b : &a);
  const Circle& circle = *std::get_if<Circle>(circle_is_a ? &a : &b);
  const Transform& at_other = circle_is_a ? at_b : at_a;
  const Transform& at_circle = circle_is_a ? at_a : at_b;
  const Pair<S, of_all> pair{other, at_other, circle, at_circle};
  if constexpr (Pair<S, of_all>::is_guessed) {
    if (pair.is_far()) {
      return {};
    }
    if (!pair.nearest.is_known) {
      return collide_circle<S, true>(a, at_a, b, at_b);
    }
  }
  Manifold manifold;
  const bool touching = are_touching(other, pair);
  const double unit = pair.unit();
  const double gap = pair.gap(unit);
  const Two normal = pair.normal(unit);
  // From the center of the circle: halfway between its surface, a radius off, and that of the other.
  const double to_middle = 0.5 * (pair.nearest.out[0] * unit) + (pair.radius_circle - 0.5 * pair.radius);
  const Two middle = (pair.place_circle.position + pair.circle_center) - to_middle * normal;
  const double lengths = pair.lengths();
  write_contact(touching, sign(circle_is_a) * normal, middle, lesser(gap, 0.0), lengths, pair.nearest.made_by,
                manifold);
  confirm(is_sure(gap, lengths), a, at_a, b, at_b, manifold);
  return manifold;
}

template <typename S, bool of_all>
[[gnu::always_inline]] inline CircleDistance find_distance(const S& other, const Transform& at_other,
                                                           const Circle& circle, const Transform& at_circle) {
  const Pair<S, of_all> pair{other, at_other, circle, at_circle};
  if constexpr (Pair<S, of_all>::is_guessed) {
    if (!pair.nearest.is_known) {
      return distance_to_circle<S, true>(other, at_other, circle, at_circle);
    }
  }
  if (!are_valid(other, pair)) {
    return CircleDistance::of_invalid();
  }
  const bool touching = pair.is_near();
  const double unit = pair.unit();
  const double out = pair.nearest.out[0] * unit;
  const double radius_other = pair.radius - pair.radius_circle;
  const Two normal = pair.normal(unit);
  const Two center = pair.place_circle.position + pair.circle_center;
  Two common{};
  if (touching) {
    // How far from the core the other begins to be in the circle, and where it ends.
    const double least = std::max(out - pair.radius_circle, 0.0);
    const double most = std::min(out, radius_other);
    common = center - (out - (out > 0.0 ? 0.5 * (least + most) : out)) * normal;
  }
  return {.touching = touching,
          .distance = out - pair.radius,
          .reach = pair.reach(),
          .normal = to_point(normal),
          .on_other = to_point(center - (out - radius_other) * normal),
          .on_circle = to_point(center - pair.radius_circle * normal),
          .common = to_point(common)};
}

template <typename S, bool of_all>
CircleDistance distance_to_circle(const S& other, const Transform& at_other, const Circle& circle,
                                  const Transform& at_circle) {
  return find_distance<S, of_all>(other, at_other, circle, at_circle);
}

template <typename S>
bool find_point_distance(const S& shape, const Transform& at, const Transform& at_point,
                         PointDistance& found) {
  return take_point_distance(find_distance<S, false>(shape, at, Circle{}, at_point), at, at_point, found);
}

template Touch touch_circle<Box, false>(const Box&, const Transform&, const Circle&, const Transform&);
template Touch touch_circle<Capsule, false>(const Capsule&, const Transform&, const Circle&,
                                            const Transform&);
template Touch touch_circle<Segment, false>(const Segment&, const Transform&, const Circle&,
                                            const Transform&);
template Touch touch_circle<Polygon, false>(const Polygon&, const Transform&, const Circle&,
                                            const Transform&);

template Manifold collide_circle<Box, false>(const Shape&, const Transform&, const Shape&, const Transform&);
template Manifold collide_circle<Capsule, false>(const Shape&, const Transform&, const Shape&,
                                                 const Transform&);
template Manifold collide_circle<Segment, false>(const Shape&, const Transform&, const Shape&,
                                                 const Transform&);
template Manifold collide_circle<Polygon, false>(const Shape&, const Transform&, const Shape&,
                                                 const Transform&);

template CircleDistance distance_to_circle<Box, false>(const Box&, const Transform&, const Circle&,
                                                       const Transform&);
template CircleDistance distance_to_circle<Capsule, false>(const Capsule&, const Transform&, const Circle&,
                                                           const Transform&);
template CircleDistance distance_to_circle<Segment, false>(const Segment&, const Transform&, const Circle&,
                                                           const Transform&);
template CircleDistance distance_to_circle<Polygon, false>(const Polygon&, const Transform&, const Circle&,
                                                           const Transform&);

template bool find_point_distance(const Box&, const Transform&, const Transform&, PointDistance&);
template bool find_point_distance(const Capsule&, const Transform&, const Transform&, PointDistance&);
template bool find_point_distance(const Segment&, const Transform&, const Transform&, PointDistance&);
template bool find_point_distance(const Polygon&, const Transform&, const Transform&, PointDistance&);

}  // namespace broadside::detail
