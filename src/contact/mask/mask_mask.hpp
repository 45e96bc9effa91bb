#pragma once

#include <cstdint>
#include <optional>

#include "broadside/body/mask.hpp"
#include "contact/mask/mask_frame.hpp"

namespace broadside::inline v0_2::detail {

// Two masks with the same pixel size and rotation: one AND compares 64 pixels with 64.

/// The position of b's pixel (0, 0) on the pixel grid of a: `whole + part` along each axis (unit: pixel).
///
/// `whole` is the nearest integer, to within rounding, so swapping the masks negates both and changes no bit.
/// A pixel of a then meets the pixels of b at `whole` and their neighbors on the side of the sign of `part`;
/// if `part` is 0, the neighbors on both sides, edge to edge.
struct PixelOffset {
  std::int32_t whole_x = 0;
  std::int32_t whole_y = 0;
  double part_x = 0.0;  ///< from -1/2 to 1/2, to within rounding
  double part_y = 0.0;  ///< from -1/2 to 1/2, to within rounding
};

/// Returns whether the pixels of two masks are parallel and of one size, so that words can be compared.
[[nodiscard]] bool are_parallel(const Mask& a, const Transform& at_a, const Mask& b, const Transform& at_b);

/// Returns the offset of b's pixels on those of a; nothing if their boxes are apart or a transform is
/// invalid.
/// @pre the masks are parallel
[[nodiscard]] std::optional<PixelOffset> offset_of(const Mask& a, const Transform& at_a, const Mask& b,
                                                   const Transform& at_b);

// All with the result of `offset_of`.

/// Returns the first pixel of a that touches b: lowest row, then lowest column.
[[nodiscard]] std::optional<PixelCorner> first_touching(const Mask& a, const Mask& b,
                                                        const PixelOffset& offset);

/// Returns the area that both cover, in the frame of a. It is bilinear between whole offsets: a weighted sum
/// of four counts of coincident pixels, or one count if both parts are 0.
[[nodiscard]] double shared_area(const Mask& a, const Mask& b, const PixelOffset& offset);

/// Adds the common area; the push is the direction that shrinks it fastest.
void add_shared(const Mask& a, const Mask& b, const PixelOffset& offset, SharedRegion& region);

/// Adds the extent of the common area along `reach.normal`.
void add_reach(const Mask& a, const Mask& b, const PixelOffset& offset, Reach& reach);

/// Returns a point of both masks, given a pixel of a that touches b.
[[nodiscard]] Point point_of_both(const Mask& a, const Mask& b, const PixelOffset& offset, PixelCorner pixel);

}  // namespace broadside::inline v0_2::detail
