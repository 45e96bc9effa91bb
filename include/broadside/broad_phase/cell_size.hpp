#pragma once

#include <span>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"

namespace broadside {

/// Suggests the side of a square grid cell for these boxes: one and a half times their mean larger side, or,
/// for boxes without size, what puts about one of them into each cell of their bounds.
///
/// It is a rule of thumb in the spirit of the tutorials ("two or three times the size of the player"), here
/// so that the grids work without being told. Where sizes vary much no cell size is right; prefer
/// `HierarchicalGrid`, which has none.
///
/// @return a positive finite number (unit: length); 1 for no boxes
/// Errors: `not_finite` or `inverted_box`, naming the first such box.
/// Complexity: O(n), no allocation.
[[nodiscard]] Result<float> suggest_cell_size(std::span<const Aabb> boxes);

/// Returns the smallest box around all; all zero for no boxes. Errors and complexity as above.
[[nodiscard]] Result<Aabb> bounding_box(std::span<const Aabb> boxes);

}  // namespace broadside
