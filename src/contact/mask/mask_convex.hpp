#pragma once

#include <optional>

#include "broadside/body/mask.hpp"
#include "contact/mask/mask_frame.hpp"

namespace broadside::detail {

// A mask and a convex shape that is given in the frame of the mask. Row by row: what the shape covers of the
// row, then the bits of that range, 64 at once.
//
// Complexity: O(rows * points) and, for areas and sides, the runs and the exposed pixels in what is covered.

/// Finds the first touching pixel: lowest row, then lowest column.
[[nodiscard]] std::optional<PixelCorner> first_touching(const Mask& mask, const Convex& shape);

/// Returns the area that both cover, in the frame of the mask; see mask_overlap.hpp for how exact.
[[nodiscard]] double shared_area(const Mask& mask, const Convex& shape);

/// Adds what both share, and the sides of the mask that lie inside the shape.
void add_shared(const Mask& mask, const Convex& shape, SharedRegion& region);

/// Adds how far what they share reaches.
void add_reach(const Mask& mask, const Convex& shape, Reach& reach);

/// Returns a point of both, given a pixel that touches the shape.
[[nodiscard]] Point point_of_both(const Mask& mask, const Convex& shape, PixelCorner pixel);

}  // namespace broadside::detail
