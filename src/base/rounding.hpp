#pragma once

#include <bit>
#include <cstdint>
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
///
/// Without a branch on which way it was rounded: that is as good as random.
inline float round_down(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  const float nearest = to_float(value);
  const bool is_above = (static_cast<double>(nearest) > value) & (value >= -most);
  if (nearest == 0.0F) {
    return is_above ? -std::numeric_limits<float>::denorm_min() : nearest;
  }
  // The bits of floats are in the order of their sizes, so below a negative one is the one with the bits
  // above.
  const auto bits = std::bit_cast<std::uint32_t>(nearest);
  const auto step = static_cast<std::uint32_t>(is_above);
  const std::uint32_t negative = bits >> 31U;
  return std::bit_cast<float>(bits - step + 2U * (step & negative));
}

/// Returns the smallest float that is not below `value`.
inline float round_up(double value) {
  return -round_down(-value);
}

}  // namespace broadside::detail
