#pragma once

#include <cstdint>
#include <optional>

#include "broadside/body/mask.hpp"
#include "contact/mask/mask_frame.hpp"

namespace broadside::detail {

// Two masks of the same pixel size and rotation: 64 pixels against 64 by one AND.

/// Where b's pixel (0, 0) lies on the pixels of a: `whole + part` along each axis, in pixels.
///
/// `whole` is the nearest number, to within rounding, so that swapping the masks negates both and changes no
/// bit. A pixel of a then meets those of b at `whole`, and its neighbors on the side of the part: with a part
/// of 0 those on both sides, edge to edge.
struct PixelOffset {
  std::int32_t whole_x = 0;
  std::int32_t whole_y = 0;
  double part_x = 0.0;  ///< from -1/2 to 1/2, to within rounding
  double part_y = 0.0;  ///< from -1/2 to 1/2, to within rounding
};

/// Tells whether the pixels of two masks are parallel and of one size, so that words can be compared.
[[nodiscard]] bool are_parallel(const Mask& a, const Transform& at_a, const Mask& b, const Transform& at_b);

/// Returns the offset of b's pixels on those of a; nothing if they are apart as far as their boxes tell, or
/// if a transform is not valid. @pre they are parallel
[[nodiscard]] std::optional<PixelOffset> offset_of(const Mask& a, const Transform& at_a, const Mask& b,
                                                   const Transform& at_b);

/// Tells whether two masks touch. @pre they are parallel
[[nodiscard]] bool are_touching(const Mask& a, const Transform& at_a, const Mask& b, const Transform& at_b);

/// What two masks share, as far as `overlap` tells.
struct CommonPixels {
  PixelCorner first;  ///< of a that touches: lowest row, then lowest column
  double area = 0.0;  ///< in the frame of a
};

/// Finds what two masks share; nothing if they do not touch. @pre they are parallel
[[nodiscard]] std::optional<CommonPixels> common_pixels(const Mask& a, const Transform& at_a, const Mask& b,
                                                        const Transform& at_b);

// Each: given what `offset_of` returned.

/// Tells whether they touch; cheaper than to ask where.
[[nodiscard]] bool are_touching(const Mask& a, const Mask& b, const PixelOffset& offset);

/// Finds the first touching pixel of a: lowest row, then lowest column.
[[nodiscard]] std::optional<PixelCorner> first_touching(const Mask& a, const Mask& b,
                                                        const PixelOffset& offset);

/// Returns the area that both cover, in the frame of a: bilinear between whole offsets, so made of four
/// counts of pixels that coincide; of one, if no part is left.
[[nodiscard]] double shared_area(const Mask& a, const Mask& b, const PixelOffset& offset);

/// Adds what both share; the push is that which shrinks it fastest.
void add_shared(const Mask& a, const Mask& b, const PixelOffset& offset, SharedRegion& region);

/// Adds how far what they share reaches.
void add_reach(const Mask& a, const Mask& b, const PixelOffset& offset, Reach& reach);

/// Returns a point of both, given a pixel of a that touches b.
[[nodiscard]] Point point_of_both(const Mask& a, const Mask& b, const PixelOffset& offset, PixelCorner pixel);

}  // namespace broadside::detail
