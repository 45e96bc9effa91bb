#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/point.hpp"

namespace broadside::inline v0_2::detail {

/// Rounds a number that is not NaN to the nearest float, clamped to the largest float. -0 becomes 0, unlike
/// with `to_float`, so that negating a result twice gives the same bits.
inline float to_number(double value) {
  constexpr double max_float = std::numeric_limits<float>::max();
  if (std::fabs(value) <= max_float) {
    return static_cast<float>(value) + 0.0F;
  }
  return static_cast<float>(std::min(std::max(value, -max_float), max_float));
}

/// Returns whether both coordinates are numbers within the range of float.
inline bool is_in_range(Point p) {
  constexpr double max_float = std::numeric_limits<float>::max();
  return std::fabs(p.x) <= max_float && std::fabs(p.y) <= max_float;
}

inline Vec2 to_vec2(Point p) {
  return {to_number(p.x), to_number(p.y)};
}

/// Rounds a unit vector.
inline Vec2 to_direction(Point p) {
  return {static_cast<float>(p.x) + 0.0F, static_cast<float>(p.y) + 0.0F};
}

}  // namespace broadside::inline v0_2::detail
