#pragma once

#include <memory>
#include <optional>

#include "broadside/base/export.h"
#include "broadside/broad_phase/broad_phase.hpp"

namespace broadside::inline v0_2 {

/// Options of a `HashGrid`.
struct HashGridOptions {
  /// Width and height of a cell (unit: length). Without it the grid measures the boxes (`suggest_cell_size`)
  /// at its first update, and again when their number has doubled or halved; and it tests all boxes against
  /// each other where cells would cost more, as `tuning` says.
  std::optional<Vec2> cell_size;
};

/// A sparse grid without bounds (spatial hashing): a hash table holds only the cells that have members.
///
/// A box is re-inserted only when its range of cells changes: updates cost nothing for static boxes, and next
/// to nothing for a box that moves within its cells. Negative and distant coordinates need no special case.
/// The grid stores the cells that a box was inserted into, so removing it leaves no stale entry behind.
///
/// @par Complexity
/// Add, move, remove O(cells of the box) in expectation, plus the search of those cells' lists for the latter
/// two; pairs O(cells of the dynamic boxes + t). Boxes in more than 64 cells are kept in a list and tested
/// against everything, except, with a given cell size, the first ones that cover at most 2^16 cells together.
/// `query_area` O(min(cells of the area, n) + t). Memory, for boxes that are added in one call: at most 96
/// bytes per occupied cell, 16 per entry and 46 per box, with at most 64 entries per box, and 2^16 more with
/// a given cell size; independent of the world's extent. `tuning` states the entries.
/// @par Source
/// M. Teschner et al., "Optimized Spatial Hashing for Collision Detection of Deformable Objects", 2003; the
/// owner rule makes pairs unique, and cells are compared by their coordinates, so they do not alias.
class BROADSIDE_API HashGrid final : public BroadPhase {
 public:
  /// Creates a grid that measures the boxes.
  HashGrid();
  /// Creates a grid, or returns what is wrong with the options.
  [[nodiscard]] static Result<std::unique_ptr<HashGrid>> create(const HashGridOptions& options = {});
  /// Creates the technique alone, for `BroadPhase::set_technique`.
  [[nodiscard]] static Result<std::unique_ptr<Technique>> technique(const HashGridOptions& options = {});
};

}  // namespace broadside::inline v0_2
