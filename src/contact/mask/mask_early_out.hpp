#pragma once

#include <cstdint>

#include "body/convex.hpp"
#include "body/mask_strips.hpp"

namespace broadside::detail {

// A first look at a mask and a circle or box: whether they touch, wherever no rounding could have a part in
// it. So it may compute as it is quickest, several rows of pixels at once, without ever contradicting those
// who compute exactly; they are asked where this is unsure.

enum class Glance : std::uint8_t { apart, touching, unsure };

/// Looks at a mask and any shape; unsure of all but circles and boxes. Complexity: O(rows that both have).
[[nodiscard]] Glance glance(const Mask& mask, const Transform& at_mask, const Shape& shape,
                            const Transform& at_shape);

/// A circle on the grid of a mask: pixel (column, row) covers [column, column + 1] x [row, row + 1].
struct GridCircle {
  Point center;
  double radius = 0.0;
};

/// A box on the grid of a mask.
struct GridBox {
  Point center;
  Point axis;  ///< unit vector
  Point half;  ///< along the axis, and across
};

// For both: touching if the shape touches the mask though it were smaller by `margin` all around, apart if it
// does not though it were larger. @pre no half side and no radius is below the margin; all numbers are finite
[[nodiscard]] Glance glance(const MaskStrips& mask, const PixelRectangle& extent, const GridCircle& circle,
                            double margin);
[[nodiscard]] Glance glance(const MaskStrips& mask, const PixelRectangle& extent, const GridBox& box,
                            double margin);

}  // namespace broadside::detail
