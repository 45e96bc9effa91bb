#pragma once

#include <span>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"

namespace broadside {

/// Suggests a side for square grid cells: one and a half times the mean larger side of the boxes.
///
/// For boxes without size, each cell of their bounds gets about one of them. This is a rule of thumb like
/// that of the tutorials ("two or three times the size of the player"), so that the grids need no options. If
/// sizes vary much, no cell size is right; prefer `HierarchicalGrid`, which has none.
///
/// @return a positive finite number (unit: length); 1 for no boxes
/// @par Errors
/// `not_finite` or `inverted_box`, naming the first such box.
/// @par Complexity
/// O(n), no allocation.
[[nodiscard]] Result<float> suggest_cell_size(std::span<const Aabb> boxes);

/// Returns the bounding box of all boxes; all zero for no boxes. Errors and complexity as above.
[[nodiscard]] Result<Aabb> bounding_box(std::span<const Aabb> boxes);

}  // namespace broadside
