#pragma once

#include <array>
#include <type_traits>

#include "base/point.hpp"

namespace broadside::inline v0_2::detail {

// Branch-free selection, for unpredictable conditions: a mispredicted branch costs more than all the
// arithmetic around it.

template <typename T>
constexpr T select(bool second, T a, T b) {
  if constexpr (std::is_unsigned_v<T>) {
    return a ^ ((a ^ b) & (T{0} - T{second}));
  } else {
    const std::array<T, 2> both{a, b};
    return both[second ? 1 : 0];
  }
}
/// Each coordinate on its own: loading a point that was just stored as two numbers would stall.
constexpr Point select(bool second, Point a, Point b) {
  return {select(second, a.x, b.x), select(second, a.y, b.y)};
}

/// By value: with references the compiler would make a branch.
constexpr double larger(double a, double b) {
  return a > b ? a : b;
}
// At namespace scope: inside a function it would be initialized at each call.
inline constexpr std::array<double, 2> signs{1.0, -1.0};

/// Returns -1 if `is_negative`, else 1.
constexpr double sign(bool is_negative) {
  return signs[is_negative ? 1 : 0];
}

}  // namespace broadside::inline v0_2::detail
