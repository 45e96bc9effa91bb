#pragma once

#include <cstdint>

#include "broadside/base/bit_cast.hpp"
#include "broadside/base/vec2.hpp"

namespace broadside::inline v0_2 {

/// A closed axis-aligned box: its edges belong to it, so boxes that merely touch overlap.
///
/// Zero width or height is legal (a segment or a point). A box is *valid* if all four numbers are finite
/// and `min <= max` on both axes; where broadside takes boxes, it refuses invalid ones with an `Error`.
struct Aabb {
  Vec2 min;  ///< corner with the smaller coordinates (unit: length)
  Vec2 max;  ///< corner with the larger coordinates (unit: length)

  friend constexpr bool operator==(const Aabb& a, const Aabb& b) = default;
};

/// Tests whether two valid boxes share a point; touching edges and corners count.
///
/// Evaluates all four comparisons, without a branch: which one fails first is unpredictable.
constexpr bool overlaps(const Aabb& a, const Aabb& b) {
  const bool on_x = (a.min.x <= b.max.x) & (b.min.x <= a.max.x);
  const bool on_y = (a.min.y <= b.max.y) & (b.min.y <= a.max.y);
  return on_x & on_y;
}

/// Tests whether `point` lies in the closed box; false for a NaN.
constexpr bool contains(const Aabb& box, Vec2 point) {
  return overlaps(box, Aabb{point, point});
}

/// Tests whether a box contains all of another valid box; their sides may touch. False for a NaN.
constexpr bool encloses(const Aabb& outer, const Aabb& inner) {
  const bool above = (outer.min.x <= inner.min.x) & (outer.min.y <= inner.min.y);
  return above & (inner.max.x <= outer.max.x) & (inner.max.y <= outer.max.y);
}

/// Returns the smallest box that contains two valid boxes.
constexpr Aabb merge(const Aabb& a, const Aabb& b) {
  return {{a.min.x < b.min.x ? a.min.x : b.min.x, a.min.y < b.min.y ? a.min.y : b.min.y},
          {a.max.x > b.max.x ? a.max.x : b.max.x, a.max.y > b.max.y ? a.max.y : b.max.y}};
}

/// Tells whether `value` is neither NaN nor infinite. Tests its bits, so it also works with `-ffast-math`.
constexpr bool is_finite(float value) {
  return (detail::bit_cast<std::uint32_t>(value) & 0x7F800000U) != 0x7F800000U;
}

/// Tells whether both coordinates are finite.
constexpr bool is_finite(Vec2 v) {
  return is_finite(v.x) && is_finite(v.y);
}

/// Tells whether all four numbers of the box are finite.
constexpr bool is_finite(const Aabb& box) {
  return is_finite(box.min) && is_finite(box.max);
}

/// Tells whether the box is finite and not inverted.
constexpr bool is_valid(const Aabb& box) {
  return is_finite(box) && box.min.x <= box.max.x && box.min.y <= box.max.y;
}

}  // namespace broadside::inline v0_2
