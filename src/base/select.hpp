#pragma once

#include <array>
#include <cmath>
#include <type_traits>

#include "base/point.hpp"

namespace broadside::detail {

// One of two without a branch, where which one is as good as random: a branch that is guessed wrong costs
// more than all the arithmetic around it.

template <typename T>
constexpr T select(bool second, T a, T b) {
  if constexpr (std::is_unsigned_v<T>) {
    return a ^ ((a ^ b) & (T{0} - T{second}));
  } else {
    const std::array<T, 2> both{a, b};
    return both[second ? 1 : 0];
  }
}
/// Number by number: a point that was just written as two numbers would have to be waited for.
constexpr Point select(bool second, Point a, Point b) {
  return {select(second, a.x, b.x), select(second, a.y, b.y)};
}

/// By value: of two references it would be a branch.
constexpr double larger(double a, double b) {
  return a > b ? a : b;
}
/// To within rounding; exactly if b is 0. Compared, it would be a branch after all.
inline double lesser(double a, double b) {
  return 0.5 * ((a + b) - std::fabs(a - b));
}

// Out here, as within a function it would be made at each call.
inline constexpr std::array<double, 2> signs{1.0, -1.0};

/// Returns 1 or -1.
constexpr double sign(bool is_negative) {
  return signs[is_negative ? 1 : 0];
}

}  // namespace broadside::detail
