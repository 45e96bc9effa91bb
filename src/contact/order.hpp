#pragma once

#include "base/select.hpp"
#include "base/vec2d.hpp"
#include "body/convex.hpp"

namespace broadside::detail {

// Answers do not depend on which shape is called a: the two are put into an order of their own first.

/// A face is left for another only for a gain above this share of the smaller shape's size, so that small
/// motion does not change it to and fro.
inline constexpr double face_slack = 1e-6;

/// Tells the order of two shapes by the way from one to the other: above 0 the one is the first, below 0 it
/// is the second; 0 if there is no way. The line where it turns is a direction that stacks, rows and tiles do
/// not have.
constexpr double order(Point way) {
  constexpr Point slanted{0.9, 0.4};
  const double key = dot(way, slanted);
  return key != 0.0 ? key : way.x;
}

/// Tells the order of two shapes: by kind first, as then it can be guessed which branches are taken; 0 if
/// neither kind nor way tells.
inline double order_of(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  const auto by_kind = static_cast<int>(b.index()) - static_cast<int>(a.index());
  return by_kind != 0 ? static_cast<double>(by_kind)
                      : order(to_point(at_b.position) - to_point(at_a.position));
}

/// Returns the lesser of two positions, for both shapes to be placed around.
inline Vec2d anchor_of(Vec2d p, Vec2d q) {
  const Vec2dMask less_x = as_mask(both_first(p) < both_first(q));
  const Vec2dMask same_x = as_mask(both_first(p) == both_first(q));
  const Vec2dMask less_y = as_mask(both_second(p) < both_second(q));
  return select(less_x | (same_x & less_y), p, q);
}

/// Tells whether the first of two lists of numbers is less than the other at the first place where they
/// differ.
template <std::size_t n>
constexpr bool is_less(const std::array<double, n>& a, const std::array<double, n>& b) {
  for (std::size_t i = 0; i < n; ++i) {
    if (a[i] != b[i]) {
      return a[i] < b[i];
    }
  }
  return false;
}

}  // namespace broadside::detail
