#pragma once

#include <cstdint>

#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside {

/// What a mask shares with another shape.
struct MaskOverlap {
  bool touching = false;
  std::uint32_t column = 0;  ///< of the first touching pixel of a; 0 where they do not touch
  std::uint32_t row = 0;     ///< of the first touching pixel of a; 0 where they do not touch
  float area = 0.0F;         ///< that both cover; 0 where they only touch (unit: length squared)

  friend constexpr bool operator==(const MaskOverlap& a, const MaskOverlap& b) = default;
};

/// Finds whether a mask touches a shape, its first touching pixel (lowest row, then lowest column), and the
/// area that both cover.
///
/// Pixels are closed squares, as all shapes are: two that share only an edge or a corner do touch, with area
/// 0. Who wants the classic pixel-perfect test, where neighbors do not collide, asks for `area > 0`.
///
/// The area is exact, to rounding, for all shapes without a radius. Where there is one, arcs are replaced by
/// chords, 128 to the circle: the area is never too large, and too small by at most 0.05 % of the disc's.
/// Complexity: between masks of equal pixel size and rotation O(words in the rows that both have), 64 pixels
/// a word; else O(rows) for each of b's points, and for two masks that for each rectangle of one that is near
/// the other. Rectangles are few in a sprite, but half the pixels in a checkerboard: two of those, 4096 x
/// 4096 and turned against each other, take 2 s. Does not allocate.
[[nodiscard]] MaskOverlap overlap(const Mask& a, const Transform& at_a, const Shape& b,
                                  const Transform& at_b);

}  // namespace broadside
