#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounding.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/to_vec2.hpp"

namespace broadside::detail {

/// Whether two shapes touch, and by how much.
struct Touch {
  bool touching = false;
  double separation = 0.0;  ///< negative where they overlap; where they are apart, anything (unit: length)
  double reach = 0.0;  ///< where they touch: how large the lengths were that it was made of (unit: length)
};

/// Returns about how far out two transforms are: infinity, too, near the limit of float.
inline double reach_of(const Transform& a, const Transform& b) {
  return static_cast<double>((std::fabs(a.position.x) + std::fabs(a.position.y)) +
                             (std::fabs(b.position.x) + std::fabs(b.position.y)));
}

/// Tells whether two shapes are clear of the edge between touching and not by more than rounding. On both
/// sides of it, so that nobody has to branch on touching first, as good as random.
/// @param lengths how large the lengths were that the separation was made of; near the limit of float it is
/// not sure
inline bool is_sure(double separation, double lengths) {
  constexpr double relative_rounding = 1e-12;
  return std::fabs(separation) > relative_rounding * lengths && lengths <= std::numeric_limits<float>::max();
}

/// Tells whether a shape has the reach of one made of finite floats: at most some 1e43, that of 16384 pixels
/// as large as a float can be.
inline bool is_reach_finite(double reach) {
  return reach < 1e45;
}

/// Tells whether two shapes are so far apart that no rounding could make them touch, in whatever way they are
/// compared.
/// @param lengths that the distance was made of
inline bool is_clearly_apart(double distance, double lengths) {
  constexpr double relative_rounding = 1e-9;
  return distance > relative_rounding * lengths && is_reach_finite(distance);  // false for NaN
}

/// Rounds the distance of two shapes that are apart.
inline float to_distance(double apart) {
  return to_number(std::max(apart, static_cast<double>(std::numeric_limits<float>::min())));
}

/// Rounds a time to the nearest, but never late by more than a double's rounding, and never to 0.
inline float to_time(double exact) {
  constexpr double rounding = 1e-12;
  const float nearest = to_number(exact);
  const bool late = static_cast<double>(nearest) > exact * (1.0 + rounding);
  return std::max(late ? round_down(exact) : nearest, std::numeric_limits<float>::min());
}

/// Rounds the time of a ray to the nearest; to 0 only what is 0.
inline float to_ray_time(double exact) {
  return exact > 0.0 ? std::max(static_cast<float>(exact), std::numeric_limits<float>::denorm_min()) : 0.0F;
}

inline bool boxes_touch(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  return overlaps(bounds(a, at_a), bounds(b, at_b));
}

/// Has the last word on whether two shapes touch. Within rounding of the edge their boxes decide: who tests
/// the boxes first must lose nothing by it.
inline bool is_confirmed(const Touch& touch, const Shape& a, const Transform& at_a, const Shape& b,
                         const Transform& at_b) {
  return is_sure(touch.separation, touch.reach + reach_of(at_a, at_b))
             ? touch.touching
             : touch.touching && boxes_touch(a, at_a, b, at_b);
}

/// Has it on a manifold: leaves it without points where the boxes are apart.
inline void confirm(bool is_sure, const Shape& a, const Transform& at_a, const Shape& b,
                    const Transform& at_b, Manifold& manifold) {
  if (!is_sure && manifold.touching() && !boxes_touch(a, at_a, b, at_b)) {
    manifold = {};
  }
}

}  // namespace broadside::detail
