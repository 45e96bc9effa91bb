#pragma once

#include <optional>

#include "broadside/body/mask.hpp"
#include "contact/mask/mask_frame.hpp"

namespace broadside::inline v0_2::detail {

// A mask and a convex shape in the frame of the mask. Each row of pixels is intersected with the shape; the
// result is a range of columns, whose bits are tested 64 at a time.
//
// Complexity: O(rows * points), and for areas and sides O(runs and exposed pixels in the covered ranges).

/// Returns the first touching pixel: lowest row, then lowest column.
[[nodiscard]] std::optional<PixelCorner> first_touching(const Mask& mask, const Convex& shape);

/// Returns the area that both cover, in the frame of the mask; mask_overlap.hpp states its accuracy.
[[nodiscard]] double shared_area(const Mask& mask, const Convex& shape);

/// Adds the common area, and the sides of the mask that are inside the shape.
void add_shared(const Mask& mask, const Convex& shape, SharedRegion& region);

/// Adds the extent of the common area along `reach.normal`.
void add_reach(const Mask& mask, const Convex& shape, Reach& reach);

/// Returns a point of both, given a pixel that touches the shape.
[[nodiscard]] Point point_of_both(const Mask& mask, const Convex& shape, PixelCorner pixel);

}  // namespace broadside::inline v0_2::detail
