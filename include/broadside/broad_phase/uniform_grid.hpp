#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "broadside/base/export.h"
#include "broadside/broad_phase/broad_phase.hpp"

namespace broadside::inline v0_2 {

/// Options of a `UniformGrid`. By default it measures the boxes at each rebuild, and tests all of them
/// against each other where cells would cost more, as `tuning` says.
struct UniformGridOptions {
  std::optional<Aabb> bounds;     ///< the part of the world that is divided into cells; need not start at 0
  std::optional<Vec2> cell_size;  ///< width and height of a cell (unit: length); needs `bounds`
};

/// A dense array of equal cells over bounds, rebuilt after every change.
///
/// Cells may be rectangular and the bounds may lie anywhere. Boxes outside the bounds count as members of the
/// nearest border cells and are still found. Prefer `HashGrid` if the bounds are not known.
///
/// @par Complexity
/// Rebuild O(entries + cells); pairs O(entries + cells + t). Cells of half the size take at most as many
/// tests t, and more entries, one for each box and cell that it covers. Boxes in more than 64 cells are kept
/// in a list and tested against everything, except, with a given cell size, the first ones that cover at most
/// 2^16 cells together. Memory: 4 bytes per cell, at most 64 entries of 4 bytes per box, and 2^16 more with a
/// given cell size; `tuning` states them. At most 2^24 cells: bounds or cell sizes that would need more are
/// refused (`too_large`) before anything is allocated.
/// @par Source
/// A. Petersen, "Broad Phase Collision Detection Using Spatial Partitioning", 2012; pairs are kept unique by
/// the owner rule instead of the article's cache of pairs.
class BROADSIDE_API UniformGrid final : public BroadPhase {
 public:
  static constexpr std::size_t max_cells = std::size_t{1} << 24;

  /// Creates a grid that measures the boxes.
  UniformGrid();
  /// Creates a grid, or returns what is wrong with the options.
  [[nodiscard]] static Result<std::unique_ptr<UniformGrid>> create(const UniformGridOptions& options = {});
  /// Creates the technique alone, for `BroadPhase::set_technique`.
  [[nodiscard]] static Result<std::unique_ptr<Technique>> technique(const UniformGridOptions& options = {});
};

}  // namespace broadside::inline v0_2
