#include "contact/circle/circle_convex.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/optimize_for_size.hpp"
#include "base/select.hpp"
#include "base/to_vec2.hpp"
#include "contact/circle/circle_nearest.hpp"
#include "contact/circle/circle_nearest_polygon.hpp"
#include "contact/circle/circle_pair.hpp"
#include "contact/circle/circle_pair_guard.hpp"
#include "contact/circle/point_distance.hpp"
#include "contact/feature.hpp"
#include "contact/frame.hpp"

namespace broadside::detail {

namespace {

/// The frame of a shape. Its axis has only roughly length 1.
struct CoreFrame {
  Vec2d axis;
  Vec2d center;  ///< relative to the position of the transform (world)
};

template <typename S>
CoreFrame core_frame(const S& /*shape*/, Vec2d rotation) {
  return {rotation, Vec2d{}};
}
CoreFrame core_frame(const Box& box, Vec2d rotation) {
  return {
      rotate(rotation, Vec2d{static_cast<double>(box.rotation.cos), static_cast<double>(box.rotation.sin)}),
      rotated(box.center, rotation)};
}

/// A circle and the nearest point of another shape, in the frame of the other.
template <typename S, bool of_all>
struct Pair {
  /// The nearest point may be wrong, and then all faces have to be tested.
  static constexpr bool is_guessed = std::is_same_v<S, Polygon> && !of_all;

  [[gnu::always_inline]] Pair(const S& other, const Transform& at_other, const Circle& circle,
                              const Transform& at_circle)
      : place_circle(at_circle),
        place_other(at_other),
        frame(core_frame(other, place_other.rotation)),
        circle_center(rotated(circle.center, place_circle.rotation)),
        radius_circle(static_cast<double>(circle.radius)),
        radius(radius_circle + radius_of(other)),
        center{rotate_back(frame.axis,
                           (place_circle.position - place_other.position) + (circle_center - frame.center)),
               both_dot(frame.axis, frame.axis), radius_circle},
        nearest(look(other, at_other, circle, at_circle, center)) {}

  /// Returns whether they are within the radius; does not check that they are valid.
  [[nodiscard]] bool is_near() const { return nearest.is_within(both(radius * radius) * center.axis2); }

  /// Returns 1 / length of `nearest.way` in the world; unspecified if a rotation is not valid.
  [[nodiscard]] double unit() const {
    return 1.0 /
           std::sqrt(larger((nearest.length2 * center.axis2)[0], std::numeric_limits<double>::denorm_min()));
  }

  /// Returns whether the frame does not scale, given that the rotations do not.
  [[nodiscard]] Vec2dMask is_frame_rigid() const {
    return std::is_same_v<S, Box> ? as_mask(absolute(center.axis2 - 1.0) <= 0.001) : ~Vec2dMask{};
  }

  /// Returns the magnitude of all lengths involved.
  [[nodiscard]] double lengths() const {
    return sum_of(sizes() + (absolute(place_circle.position) + absolute(place_other.position))) + radius;
  }
  /// Returns the magnitude of all lengths except the positions.
  [[nodiscard]] double reach() const { return sum_of(sizes()) + radius; }

  /// Returns the distance between the surfaces, negative if they overlap.
  [[nodiscard]] double gap(double unit) const { return nearest.out[0] * unit - radius; }

  /// Returns the unit normal from the other to the circle (world).
  [[nodiscard]] Vec2d normal(double unit) const { return unit * rotate(frame.axis, nearest.way); }
  /// Returns the middle between the two surfaces (world).
  [[nodiscard]] Vec2d middle(double unit, Vec2d normal) const {
    // From the center of the circle: halfway between its surface, one radius away, and that of the other
    // shape.
    const double to_middle = (0.5 * nearest.out[0]) * unit + (radius_circle - 0.5 * radius);
    return (place_circle.position + circle_center) - to_middle * normal;
  }

  Placement place_circle;
  Placement place_other;
  CoreFrame frame;
  Vec2d circle_center;  ///< relative to its transform
  double radius_circle;
  double radius;  ///< sum of both radii
  CircleCenter center;
  NearestOnCore nearest;

 private:
  [[gnu::always_inline]] static NearestOnCore look(const S& other, const Transform& at_other,
                                                   const Circle& circle, const Transform& at_circle,
                                                   const CircleCenter& center) {
    if constexpr (!std::is_same_v<S, Polygon>) {
      return find_nearest(other, center);
    } else if constexpr (of_all) {
      return find_nearest_of_all(other, center);
    } else {
      return find_nearest(other, center, RoughCenter(at_other, circle, at_circle, center));
    }
  }
  static double sum_of(Vec2d numbers) { return numbers[0] + numbers[1]; }
  [[nodiscard]] Vec2d sizes() const {
    return ((absolute(frame.center) + absolute(circle_center)) + absolute(center.at)) + nearest.extent;
  }
};

/// A circle and a shape S, passed in either order.
template <typename S>
struct Ordered {
  [[gnu::always_inline]] Ordered(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b)
      : circle_is_a(std::holds_alternative<Circle>(a)),
        other(*std::get_if<S>(circle_is_a ? &b : &a)),
        circle(*std::get_if<Circle>(circle_is_a ? &a : &b)),
        at_other(circle_is_a ? at_b : at_a),
        at_circle(circle_is_a ? at_a : at_b) {}

  bool circle_is_a;
  const S& other;
  const Circle& circle;
  const Transform& at_other;
  const Transform& at_circle;
};

// Numbers that are not finite show in `lengths`; these functions check the rest.
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

/// Negates a vector if `is_turned`. Branch-free, as that cannot be predicted.
Vec2d turned_if(bool is_turned, Vec2d v) {
  static constexpr Vec2dBits signs[] = {{0, 0}, {INT64_MIN, INT64_MIN}};
  return reinterpret_cast<Vec2d>(reinterpret_cast<Vec2dBits>(v) ^ signs[is_turned ? 1 : 0]);
}

/// Returns whether both shapes are valid, given the pair made from them.
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
    if (!holds(pair.nearest.is_known)) {
      return touch_circle<S, true>(other, at_other, circle, at_circle);
    }
  }
  const bool touching = are_touching(other, pair);
  return {touching, pair.gap(pair.unit()), pair.reach()};
}

namespace {

template <typename S, bool of_all>
[[gnu::noinline]] Manifold collide_unsure(const Shape& a, const Transform& at_a, const Shape& b,
                                          const Transform& at_b) {
  const Ordered<S> two{a, at_a, b, at_b};
  const Pair<S, of_all> pair{two.other, two.at_other, two.circle, two.at_circle};
  if constexpr (Pair<S, of_all>::is_guessed) {
    if (!holds(pair.nearest.is_known)) {
      return collide_unsure<S, true>(a, at_a, b, at_b);
    }
  }
  Manifold manifold;
  const bool touching = are_touching(two.other, pair);
  const double unit = pair.unit();
  const double gap = pair.gap(unit);
  const Vec2d normal = pair.normal(unit);
  const double lengths = pair.lengths();
  write_contact(touching, turned_if(two.circle_is_a, normal), pair.middle(unit, normal), lesser(gap, 0.0),
                lengths, pair.nearest.feature_bits_of, manifold);
  confirm(is_sure(gap, lengths), a, at_a, b, at_b, manifold);
  return manifold;
}

}  // namespace

template <typename S>
Manifold collide_circle(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  if constexpr (optimize_for_size) {
    return collide_unsure<S, false>(a, at_a, b, at_b);
  }
  const Ordered<S> two{a, at_a, b, at_b};
  const CirclePairGuard guard{two.other, two.at_other, two.circle, two.at_circle};
  const Pair<S, false> pair{two.other, two.at_other, two.circle, two.at_circle};
  const double unit = pair.unit();
  const auto gap = static_cast<float>(pair.gap(unit));
  if (!guard.is_sure(pair.nearest.is_known & pair.is_frame_rigid(), gap)) {
    return collide_unsure<S, false>(a, at_a, b, at_b);
  }
  const Vec2d normal = pair.normal(unit);
  Manifold manifold;
  write_contact(as_mask(FourFloats{gap, gap, gap, gap} < 0.0F), turned_if(two.circle_is_a, normal),
                pair.middle(unit, normal), gap, pair.nearest.feature_bits_of, manifold);
  return manifold;
}

template <typename S, bool of_all>
[[gnu::always_inline]] inline CircleDistance find_distance(const S& other, const Transform& at_other,
                                                           const Circle& circle, const Transform& at_circle) {
  const Pair<S, of_all> pair{other, at_other, circle, at_circle};
  if constexpr (Pair<S, of_all>::is_guessed) {
    if (!holds(pair.nearest.is_known)) {
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
  const Vec2d normal = pair.normal(unit);
  const Vec2d center = pair.place_circle.position + pair.circle_center;
  Vec2d common{};
  if (touching) {
    // Distances from the core at which the shared part begins and ends.
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

template Manifold collide_circle<Box>(const Shape&, const Transform&, const Shape&, const Transform&);
template Manifold collide_circle<Capsule>(const Shape&, const Transform&, const Shape&, const Transform&);
template Manifold collide_circle<Segment>(const Shape&, const Transform&, const Shape&, const Transform&);
template Manifold collide_circle<Polygon>(const Shape&, const Transform&, const Shape&, const Transform&);

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
