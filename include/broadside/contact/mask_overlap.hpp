#pragma once

#include <cstdint>

#include "broadside/base/export.h"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::inline v0_2 {

/// The overlap of a mask and another shape.
struct MaskOverlap {
  bool touching = false;
  std::uint32_t column = 0;  ///< column of the first touching pixel of a; 0 if they do not touch
  std::uint32_t row = 0;     ///< row of that pixel; 0 if they do not touch
  float area = 0.0F;         ///< area that both cover; 0 if they only touch (unit: length squared)

  friend constexpr bool operator==(const MaskOverlap& a, const MaskOverlap& b) = default;
};

/// Finds whether a mask touches a shape, its first touching pixel, and the area that both cover.
///
/// The first pixel is that of the lowest row, then of the lowest column. Pixels are closed squares, as all
/// shapes are: two that share only an edge or a corner do touch, with area 0. For the classic pixel-perfect
/// test, where neighbors do not collide, test `area > 0`.
///
/// The area is exact except for rounding, for all shapes without a radius. Arcs are replaced by chords, 128
/// to the circle: the area is never too large, and too small by at most 0.05 % of the disc's. Does not
/// allocate.
///
/// @par Complexity
/// O(words in the rows that both have), 64 pixels a word, for masks of equal pixel size and rotation;
/// otherwise O(rows) for each of b's points, and for two masks that for each rectangle of one that is near
/// the other. A sprite has few rectangles, but a checkerboard half as many as pixels: two of those, 4096 x
/// 4096 and rotated against each other, take 2 s.
[[nodiscard]] BROADSIDE_API MaskOverlap overlap(const Mask& a, const Transform& at_a, const Shape& b,
                                                const Transform& at_b);

}  // namespace broadside::inline v0_2
