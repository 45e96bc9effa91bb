#pragma once

#include "broadside/contact/collide.hpp"
#include "contact/circle/circle_pair.hpp"
#include "contact/to_vec2.hpp"
#include "contact/touch.hpp"

namespace broadside::detail {

/// How far a point is from a shape.
struct PointDistance {
  float distance = 0.0F;  ///< 0 where the shape contains it (unit: length)
  Vec2 on_shape;          ///< the closest point of the shape (world; unit: length)
};

/// Finds how far a point is from a shape: what `distance` tells of a circle without a radius there, the same
/// bits, but not what nobody asks of a point.
///
/// @param at_point has the point as its position and no rotation. One that was made long before: what was
/// just written as numbers would have to be waited for.
[[nodiscard]] PointDistance distance_to_point(const Shape& shape, const Transform& at,
                                              const Transform& at_point);

/// Does it for a shape S: Box, Capsule, Segment or Polygon. Returns false, and leaves it to `distance`, where
/// rounding, or what is not valid, may decide.
template <typename S>
[[nodiscard]] bool find_point_distance(const S& shape, const Transform& at, const Transform& at_point,
                                       PointDistance& found);

/// Takes what a distance to a circle without a radius tells of the point; returns false as above.
[[nodiscard]] inline bool take_point_distance(const CircleDistance& distance, const Transform& at,
                                              const Transform& at_point, PointDistance& found) {
  const double lengths = distance.reach + reach_of(at, at_point);
  if (is_clearly_apart(distance.distance, lengths)) {
    found = {to_distance(distance.distance), to_vec2(distance.on_other)};
    return true;
  }
  if (distance.touching && is_sure(distance.distance, lengths)) {
    found = {0.0F, to_vec2(distance.common)};
    return true;
  }
  return false;
}

}  // namespace broadside::detail
