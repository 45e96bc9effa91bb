#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounding.hpp"
#include "base/to_vec2.hpp"
#include "base/tolerances.hpp"
#include "broadside/contact/collide.hpp"

namespace broadside::inline v0_2::detail {

/// The result of a touch test.
struct Touch {
  bool touching = false;
  double separation = 0.0;  ///< negative if they overlap; unspecified if they are apart (unit: length)
  double reach = 0.0;       ///< if they touch: magnitude of the lengths it was computed from (unit: length)
};

/// Returns roughly how far two transforms are from the origin: near the limit of float, infinity.
inline double reach_of(const Transform& a, const Transform& b) {
  return static_cast<double>((std::fabs(a.position.x) + std::fabs(a.position.y)) +
                             (std::fabs(b.position.x) + std::fabs(b.position.y)));
}

/// Returns whether a reach can be that of a shape of finite floats: those are at most about 1e43, the reach
/// of 16384 pixels of the largest float size.
inline bool is_reach_finite(double reach) {
  return reach < 1e45;
}

/// Returns whether two shapes are too far apart for rounding to make them touch in any of the tests.
/// @param lengths magnitude of the lengths from which the distance was computed
inline bool is_clearly_apart(double distance, double lengths) {
  return distance > clear_of_rounding * lengths && is_reach_finite(distance);  // false for NaN
}

/// Rounds the distance of two shapes that are apart.
inline float to_distance(double apart) {
  return to_number(std::max(apart, static_cast<double>(std::numeric_limits<float>::min())));
}

/// Rounds a time to the nearest float, but never late by more than rounding in double, and never to 0.
inline float to_time(double exact) {
  const float nearest = to_number(exact);
  const bool late = static_cast<double>(nearest) > exact * (1.0 + rounding_of_verdict);
  return std::max(late ? round_down(exact) : nearest, std::numeric_limits<float>::min());
}

/// Rounds the time of a ray to the nearest float; only 0 becomes 0.
inline float to_ray_time(double exact) {
  return exact > 0.0 ? std::max(static_cast<float>(exact), std::numeric_limits<float>::denorm_min()) : 0.0F;
}

/// Returns whether two shapes that touch are so deep that rounding cannot part them.
/// @param separation negative; may be that of a face that is preferred to one less deep by `face_slack`
/// @param lengths magnitude of the lengths from which it was computed
inline bool is_clearly_deep(double separation, double lengths) {
  return separation < -(face_slack + rounding_of_verdict) * lengths &&
         lengths <= std::numeric_limits<float>::max();
}

/// Makes the final decision whether two shapes touch. Within rounding of 0, their bounds must overlap as
/// well: a caller that tests the bounds first must not miss a contact.
inline bool is_confirmed(const Touch& touch, const Shape& a, const Transform& at_a, const Shape& b,
                         const Transform& at_b) {
  return touch.touching && (is_clearly_deep(touch.separation, touch.reach + reach_of(at_a, at_b)) ||
                            overlaps(bounds(a, at_a), bounds(b, at_b)));
}

}  // namespace broadside::inline v0_2::detail
