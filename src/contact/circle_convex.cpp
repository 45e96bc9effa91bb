#include "contact/circle_convex.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

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
  double farthest = 0.0;
  for (const Vec2 vertex : vertices) {
    const Point way = to_point(vertex) - to_point(vertices[0]);
    farthest = std::max(farthest, std::abs(way.x) + std::abs(way.y));
  }
  const double slack = face_slack * std::min(farthest, center.radius);
  NearestOnCore nearest;
  bool is_inside = true;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t end = i + 1 == size ? 0 : i + 1;
    const Point edge = to_point(vertices[end]) - to_point(vertices[i]);
    const double out = cross(center.at - center.axis2 * to_point(vertices[i]), edge);
    if (out > 0.0) {
      NearestOnCore on_edge = find_nearest(vertices[i], vertices[end], center);
      if (is_inside ||
          on_edge.out * on_edge.out * nearest.length2 < nearest.out * nearest.out * on_edge.length2) {
        on_edge.made_by = on_edge.made_by == corner_feature(0)   ? corner_feature(i)
                          : on_edge.made_by == corner_feature(1) ? corner_feature(end)
                                                                 : face_feature(i);
        nearest = on_edge;
      }
      is_inside = false;
    } else if (is_inside) {
      const double length = std::sqrt(dot(edge, edge));
      if (i == 0 || out > (nearest.out / std::sqrt(nearest.length2) + slack) * length) {
        nearest = {{edge.y, -edge.x}, length * length, out, false, farthest, face_feature(i)};
      }
    }
  }
  return nearest;
}

/// The nearest point is on the face that has the center the furthest in front, or at an end of it: then the
/// next face must see it beyond its own end. Where that does not hold the guess was not right.
/// @param asked beyond this distance nobody asks how far the center is (world)
[[gnu::always_inline]] inline NearestOnCore find_nearest(const Polygon& polygon, const CircleCenter& center,
                                                         double asked) {
  const std::span<const Vec2> vertices = polygon.vertices();
  const std::size_t size = vertices.size();
  constexpr double unit_axis = 0x1p-20;
  const auto [face, apart] = FaceGuess::nearest(polygon, center.at);
  if (apart > asked && std::abs(center.axis2 - 1.0) < unit_axis) {
    NearestOnCore nearest;
    nearest.is_corner = true;
    nearest.out = any_distance;
    return nearest;
  }
  const std::size_t after = pick<std::size_t>(face + 1 == size, face + 1, 0);
  const LineSeen line{vertices[face], vertices[after], center};
  const std::size_t corner = pick(line.is_beyond, face, after);
  const std::size_t step = corner + pick<std::size_t>(line.is_beyond, size - 1, 1);
  const std::size_t neighbor = step - pick<std::size_t>(step >= size, 0, size);
  const Point from = line.from();
  const double along_neighbor = dot(to_point(vertices[neighbor]) - to_point(vertices[corner]), from);
  const double out = cross(line.from_first, line.edge);
  const double square = line.square();  // 0 where the center is on the corner, which no way leads to
  const bool is_past_both = (along_neighbor <= 0.0) & (square > 0.0);
  if (!((out > 0.0) & (!line.is_end | is_past_both))) {
    // Copied number by number, as a whole it would be kept in memory for those above as well.
    const NearestOnCore found = find_nearest_of_all(vertices, center);
    return {found.way, found.length2, found.out, found.is_corner, found.extent, found.made_by};
  }
  return {pick(line.is_end, {line.edge.y, -line.edge.x}, from),
          pick(line.is_end, line.edge2, square),
          pick(line.is_end, out, square),
          line.is_end,
          std::abs(line.edge.x) + std::abs(line.edge.y),
          pick(line.is_end, face_feature(face), corner_feature(corner))};
}

/// A circle and another shape: how they lie to each other, in the frame of the other.
template <typename S>
struct Pair {
  /// @param asked beyond the radii, and this distance, nobody asks how far they are apart
  [[gnu::always_inline]] Pair(const S& other, const Transform& at_other, const Circle& circle,
                              const Transform& at_circle, double asked)
      : frame(frame_of(other, at_other.rotation)),
        place_circle(at_circle),
        place_other(at_other),
        circle_center(turned(circle.center, at_circle.rotation)),
        radius_circle(static_cast<double>(circle.radius)),
        radius(radius_circle + radius_of(other)),
        center{frame.to_frame(to_point(place_circle.position - place_other.position) +
                              (circle_center - frame.center)),
               dot(frame.axis, frame.axis), radius_circle},
        nearest(look(other, center, std::max(asked, radius))) {}

  /// Tells whether nobody asks how far they are apart.
  [[nodiscard]] bool is_far() const {
    if constexpr (std::is_same_v<S, Polygon>) {
      return nearest.out == any_distance;
    }
    return false;
  }
  /// Not yet whether what they are made of is valid.
  [[nodiscard]] bool is_near() const { return nearest.is_within(radius * radius * center.axis2); }

  /// Returns 1 by the length of the way in the world; anything if the rotation is none.
  [[nodiscard]] double unit() const {
    return 1.0 / std::sqrt(larger(nearest.length2 * center.axis2, std::numeric_limits<double>::denorm_min()));
  }

  /// Returns how large the lengths were that all of it is made of.
  [[nodiscard]] double lengths() const {
    const Two positions = absolute(place_circle.position) + absolute(place_other.position);
    return reach() + (positions[0] + positions[1]);
  }

  [[nodiscard]] double reach() const {
    const Point lengths{(std::abs(frame.center.x) + std::abs(circle_center.x)) + std::abs(center.at.x),
                        (std::abs(frame.center.y) + std::abs(circle_center.y)) + std::abs(center.at.y)};
    return (lengths.x + lengths.y) + (nearest.extent + radius);
  }

  /// Returns how far they are apart, negative where they overlap.
  [[nodiscard]] double gap(double unit) const { return nearest.out * unit - radius; }

  /// Returns the unit normal from the other to the circle (world).
  [[nodiscard]] Point normal(double unit) const { return frame.to_world(unit * nearest.way); }

  Frame frame;
  Placement place_circle;
  Placement place_other;
  Point circle_center;  ///< relative to its transform
  double radius_circle;
  double radius;  ///< of both
  CircleCenter center;
  NearestOnCore nearest;

 private:
  [[gnu::always_inline]] static NearestOnCore look(const S& other, const CircleCenter& center, double asked) {
    if constexpr (std::is_same_v<S, Polygon>) {
      return find_nearest(other, center, asked);
    } else {
      return find_nearest(other, center);
    }
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
template <typename S>
[[gnu::always_inline]] inline bool are_valid(const S& other, const Pair<S>& pair) {
  constexpr double beyond_floats = 1e42;
  return pair.lengths() < beyond_floats && pair.radius_circle >= 0.0 && is_unit(pair.place_other.rotation) &&
         is_unit(pair.place_circle.rotation) && are_sizes_valid(other);
}

template <typename S>
[[gnu::always_inline]] inline bool are_touching(const S& other, const Pair<S>& pair) {
  const bool are_both_valid = are_valid(other, pair);
  return are_both_valid & pair.is_near();
}

template <typename S>
[[gnu::always_inline]] inline CircleDistance find_distance(const S& other, const Transform& at_other,
                                                           const Circle& circle, const Transform& at_circle) {
  const Pair<S> pair{other, at_other, circle, at_circle, any_distance};
  if (!are_valid(other, pair)) {
    return CircleDistance::of_invalid();
  }
  const bool touching = pair.is_near();
  const double unit = pair.unit();
  const double out = pair.nearest.out * unit;
  const double radius_other = pair.radius - pair.radius_circle;
  const Point normal = pair.normal(unit);
  const Point center = to_point(at_circle.position) + pair.circle_center;
  Point common;
  if (touching) {
    // How far from the core the other begins to be in the circle, and where it ends.
    const double least = std::max(out - pair.radius_circle, 0.0);
    const double most = std::min(out, radius_other);
    common = center - (out - (out > 0.0 ? 0.5 * (least + most) : out)) * normal;
  }
  return {.touching = touching,
          .distance = out - pair.radius,
          .reach = pair.reach(),
          .normal = normal,
          .on_other = center - (out - radius_other) * normal,
          .on_circle = center - pair.radius_circle * normal,
          .common = common};
}

}  // namespace

template <typename S>
Touch touch_circle(const S& other, const Transform& at_other, const Circle& circle,
                   const Transform& at_circle) {
  const Pair<S> pair{other, at_other, circle, at_circle, 0.0};
  if (pair.is_far()) {
    return {};
  }
  const bool touching = are_touching(other, pair);
  return {touching, pair.gap(pair.unit()), pair.reach()};
}

template <typename S>
Manifold collide_circle(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  const bool circle_is_a = std::holds_alternative<Circle>(a);
  const S& other = *std::get_if<S>(circle_is_a ? &b : &a);
  const Circle& circle = *std::get_if<Circle>(circle_is_a ? &a : &b);
  const Transform& at_other = circle_is_a ? at_b : at_a;
  const Transform& at_circle = circle_is_a ? at_a : at_b;
  const Pair<S> pair{other, at_other, circle, at_circle, 0.0};
  Manifold manifold;
  if (pair.is_far()) {
    return manifold;
  }
  const bool touching = are_touching(other, pair);
  const double unit = pair.unit();
  const double gap = pair.gap(unit);
  const double separation = lesser(gap, 0.0);
  const Point normal = pair.normal(unit);
  // From the center of the circle: its surface is a radius off, that of the other half of the depth before.
  const Two middle = (pair.place_circle.position + to_two(pair.circle_center)) -
                     (pair.radius_circle + 0.5 * separation) * to_two(normal);
  const double lengths = pair.lengths();
  write_contact(touching, sign(circle_is_a) * to_two(normal), middle, separation, lengths,
                pair.nearest.made_by, manifold);
  confirm(is_sure(gap, lengths), a, at_a, b, at_b, manifold);
  return manifold;
}

template <typename S>
CircleDistance distance_to_circle(const S& other, const Transform& at_other, const Circle& circle,
                                  const Transform& at_circle) {
  return find_distance(other, at_other, circle, at_circle);
}

template <typename S>
bool find_point_distance(const S& shape, const Transform& at, const Transform& at_point,
                         PointDistance& found) {
  return take_point_distance(find_distance(shape, at, Circle{}, at_point), at, at_point, found);
}

template Touch touch_circle(const Box&, const Transform&, const Circle&, const Transform&);
template Touch touch_circle(const Capsule&, const Transform&, const Circle&, const Transform&);
template Touch touch_circle(const Segment&, const Transform&, const Circle&, const Transform&);
template Touch touch_circle(const Polygon&, const Transform&, const Circle&, const Transform&);

template Manifold collide_circle<Box>(const Shape&, const Transform&, const Shape&, const Transform&);
template Manifold collide_circle<Capsule>(const Shape&, const Transform&, const Shape&, const Transform&);
template Manifold collide_circle<Segment>(const Shape&, const Transform&, const Shape&, const Transform&);
template Manifold collide_circle<Polygon>(const Shape&, const Transform&, const Shape&, const Transform&);

template CircleDistance distance_to_circle(const Box&, const Transform&, const Circle&, const Transform&);
template CircleDistance distance_to_circle(const Capsule&, const Transform&, const Circle&, const Transform&);
template CircleDistance distance_to_circle(const Segment&, const Transform&, const Circle&, const Transform&);
template CircleDistance distance_to_circle(const Polygon&, const Transform&, const Circle&, const Transform&);

template bool find_point_distance(const Box&, const Transform&, const Transform&, PointDistance&);
template bool find_point_distance(const Capsule&, const Transform&, const Transform&, PointDistance&);
template bool find_point_distance(const Segment&, const Transform&, const Transform&, PointDistance&);
template bool find_point_distance(const Polygon&, const Transform&, const Transform&, PointDistance&);

}  // namespace broadside::detail
