#pragma once

#include <cstdint>
#include <limits>

#include "broadside/base/bit_cast.hpp"

namespace broadside::inline v0_2::detail {

// Conversion from double to float with a chosen direction. Beyond the largest float the result is that float.
// NaN becomes 0 or -0.

/// Returns the nearest float.
inline float to_float(double value) {
  constexpr double max_float = std::numeric_limits<float>::max();
  if (value != value) {
    return 0.0F;
  }
  return static_cast<float>(value > max_float ? max_float : (value < -max_float ? -max_float : value));
}

/// Returns the largest float that is not above `value`.
///
/// Without a branch on the direction in which the conversion rounds, as it is unpredictable.
inline float round_down(double value) {
  constexpr double max_float = std::numeric_limits<float>::max();
  const float nearest = to_float(value);
  const bool is_above = (static_cast<double>(nearest) > value) & (value >= -max_float);
  // Floats of one sign are ordered by magnitude like their bits: the next lower float has bits - 1, but
  // bits + 1 if it is negative. A 0 above `value` is -0.
  const auto bits = detail::bit_cast<std::uint32_t>(nearest);
  const auto step = static_cast<std::uint32_t>(is_above);
  const std::uint32_t negative = bits >> 31U;
  return detail::bit_cast<float>(bits - step + 2U * (step & negative));
}

/// Returns the smallest float that is not below `value`.
inline float round_up(double value) {
  return -round_down(-value);
}

/// Returns what rounding took from a sum: a + b - sum, exactly. @pre `sum` is a + b, rounded
/// @par Source
/// D. E. Knuth, The Art of Computer Programming 2, 1969, section 4.2.2 (TwoSum).
template <typename T>
constexpr T lost_in_sum(T a, T b, T sum) {
  const T of_b = sum - a;
  return (a - (sum - of_b)) + (b - of_b);
}

}  // namespace broadside::inline v0_2::detail
