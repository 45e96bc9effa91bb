#pragma once

#include <cstddef>
#include <vector>

#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside {

/// A point of the world in double, so that small shapes far from the origin keep their form when drawn.
struct DrawPoint {
  double x = 0.0;  ///< (unit: length)
  double y = 0.0;  ///< (unit: length)

  friend constexpr bool operator==(DrawPoint a, DrawPoint b) = default;
};

/// Returns the outlines of a shape in the world: convex, closed lines that do not cross each other.
///
/// One for most shapes; the two ends for a segment; one for each rectangle of a mask. For looking at only:
/// sines are the C library's, so the last bits depend on the machine.
///
/// @param scale pixels to a unit of length, above 0: round corners get as many chords as it takes to look
/// round
/// @param max_single_pixels masks of up to that many pixels get an outline for each
/// @pre validate(shape)
/// Complexity: O(corners, or pixels); allocates.
[[nodiscard]] std::vector<std::vector<DrawPoint>> outlines(const Shape& shape, const Transform& transform,
                                                           double scale, std::size_t max_single_pixels = 0);

}  // namespace broadside
