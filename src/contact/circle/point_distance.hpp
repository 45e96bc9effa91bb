#pragma once

#include "base/to_vec2.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/circle/circle_pair.hpp"
#include "contact/touch.hpp"

namespace broadside::detail {

/// The distance of a point from a shape.
struct PointDistance {
  float distance = 0.0F;  ///< 0 if the shape contains it (unit: length)
  Vec2 on_shape;          ///< closest point of the shape (world; unit: length)
};

/// Computes the distance of a point from a shape: bit for bit that of `distance` for a circle of radius 0,
/// without the results that a point does not need.
///
/// @param at_point has the point as its position and no rotation. For speed, it should not have just been
/// written: wide loads of it would stall on store forwarding.
[[nodiscard]] PointDistance distance_to_point(const Shape& shape, const Transform& at,
                                              const Transform& at_point);

/// Does it for a shape S: Box, Capsule, Segment or Polygon. Returns false if rounding or invalid numbers
/// could decide: the caller then uses `distance`.
template <typename S>
[[nodiscard]] bool find_point_distance(const S& shape, const Transform& at, const Transform& at_point,
                                       PointDistance& found);

/// Converts the distance of a circle of radius 0 into that of a point; returns false in the same cases.
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
