#pragma once

#include <span>

#include "broadside/base/aabb.hpp"
#include "broadside/base/export.h"
#include "broadside/base/result.hpp"

namespace broadside::inline v0_2 {

/// Suggests a side for square grid cells: 2.5 times the mean of the larger sides of the boxes.
///
/// If all boxes are points, the side is such that a cell of their bounding box holds about one of them. This
/// is the rule of thumb of the tutorials ("two or three times the size of the player"), so that the grids
/// need no options. If sizes vary much, no cell size is right: prefer `HierarchicalGrid`, which needs none.
///
/// @return a positive finite number (unit: length); 1 if there are no boxes, or if all are the same point
/// @par Errors
/// `not_finite` or `inverted_box`, naming the first such box.
/// @par Complexity
/// O(n), no allocation.
[[nodiscard]] BROADSIDE_API Result<float> suggest_cell_size(std::span<const Aabb> boxes);

/// Returns the bounding box of all boxes, or {{0, 0}, {0, 0}} if there are none. Errors and complexity are
/// those of `suggest_cell_size`.
[[nodiscard]] BROADSIDE_API Result<Aabb> bounding_box(std::span<const Aabb> boxes);

}  // namespace broadside::inline v0_2
