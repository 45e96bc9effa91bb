#pragma once

#include <cstdint>

#include "body/convex.hpp"
#include "body/mask_strips.hpp"

namespace broadside::inline v0_2::detail {

// An early-out test for a mask and a circle or box. It decides only cases in which rounding cannot matter, so
// it may use fast arithmetic on several rows of pixels at once and still never contradicts the exact test,
// which decides the inconclusive cases.

enum class EarlyOut : std::uint8_t { apart, touching, inconclusive };

/// Tests a mask and any shape; `inconclusive` for all shapes except circles and boxes. Complexity: O(rows
/// that both have).
[[nodiscard]] EarlyOut early_out(const Mask& mask, const Transform& at_mask, const Shape& shape,
                                 const Transform& at_shape);

/// A circle on the pixel grid of a mask: pixel (column, row) covers [column, column + 1] x [row, row + 1].
struct GridCircle {
  Point center;
  double radius = 0.0;
};

/// A box on the pixel grid of a mask.
struct GridBox {
  Point center;
  Point axis;  ///< unit vector
  Point half;  ///< along the axis, and perpendicular to it
};

// For both: touching if the shape touches the mask even when shrunk by `margin` on all sides, apart if it
// does not even when grown by it. @pre no half side and no radius is below the margin; all numbers are finite
[[nodiscard]] EarlyOut early_out_on_grid(const MaskStrips& mask, const PixelRectangle& extent,
                                         const GridCircle& circle, double margin);
[[nodiscard]] EarlyOut early_out_on_grid(const MaskStrips& mask, const PixelRectangle& extent,
                                         const GridBox& box, double margin);

}  // namespace broadside::inline v0_2::detail
