#pragma once

#include <cmath>
#include <limits>

namespace broadside::detail {

// From double to float, where the direction matters. Beyond the largest float is that float.

/// Returns the nearest float; 0 for NaN.
inline float to_float(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  if (value != value) {
    return 0.0F;
  }
  return static_cast<float>(value > most ? most : (value < -most ? -most : value));
}

/// Returns the largest float that is not above `value`.
inline float round_down(double value) {
  const float nearest = to_float(value);
  const bool above = static_cast<double>(nearest) > value && nearest > -std::numeric_limits<float>::max();
  return above ? std::nextafter(nearest, -std::numeric_limits<float>::max()) : nearest;
}

/// Returns the smallest float that is not below `value`.
inline float round_up(double value) {
  return -round_down(-value);
}

}  // namespace broadside::detail
