#pragma once

#include <cstddef>
#include <vector>

#include "broadside/base/export.h"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::inline v0_2 {

/// A point of the world in double, so that small shapes far from the origin keep their form when drawn.
struct DrawPoint {
  double x = 0.0;  ///< (unit: length)
  double y = 0.0;  ///< (unit: length)

  friend constexpr bool operator==(DrawPoint a, DrawPoint b) = default;
};

/// Returns the outlines of a shape in the world: convex, closed polylines that do not cross each other.
///
/// One outline for most shapes; that of a segment has two points, its ends. A mask has one outline per
/// rectangle of set pixels. For drawing only: it uses the sine and cosine of the C library, so the last bits
/// depend on the machine.
///
/// @param scale pixels per unit of length, above 0; decides how many chords a round corner gets
/// @param max_single_pixels masks with up to that many set pixels get one outline per pixel
/// @return points of each outline (world; unit: length); a line from the last one to the first closes it
/// @pre `validate` accepts the shape
/// @par Complexity
/// Linear in the number of points returned; allocates.
[[nodiscard]] BROADSIDE_API std::vector<std::vector<DrawPoint>> outlines(const Shape& shape,
                                                                         const Transform& transform,
                                                                         double scale,
                                                                         std::size_t max_single_pixels = 0);

}  // namespace broadside::inline v0_2
