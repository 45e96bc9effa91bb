#pragma once

#include <memory>
#include <optional>

#include "broadside/base/export.h"
#include "broadside/broad_phase/broad_phase.hpp"

namespace broadside::inline v0_2 {

/// Options of a `HierarchicalGrid`. By default it measures the boxes.
struct HierarchicalGridOptions {
  std::optional<float> row_height = {};  ///< of the finest rows; positive, finite (unit: length)
  bool neighbor_lists = true;  ///< false: all frames cost the same; true: most frames cost much less
};

/// A grid of several cell sizes, which it chooses by itself. The default.
///
/// The size of a box selects its level, and its min y one row of that level. Nothing needs tuning, sizes may
/// differ by any factor, and the world has no bounds. docs/how-it-is-fast.md explains the rows.
///
/// Boxes that rest or move evenly keep neighbor lists instead, for as many frames as they stay in their grown
/// boxes; the others are re-inserted every frame. Static boxes have rows of their
/// own, which are sorted again only when an eighth of them has changed. The grid decides by counts, never by
/// a clock, which method is cheaper.
///
/// @par Complexity
/// Update and pairs O(n + t) expected for n moving boxes, where t stays near the number of hits unless many
/// boxes share one place; unchanged static boxes cost nothing. A box that stays in its grown box costs about
/// a tenth of one that is re-inserted. `query_area` O(rows covered · log n + t), and O(log n + t) after many
/// queries, which build a tree; it follows moves and removals of some boxes, so that queries in turn with
/// these stay as fast. Memory per box, its own 16 bytes included, for boxes that are added in one call: at
/// most 50 bytes if it is static and 60 if it moves; 20 more unless neighbor lists are switched off, 8 more
/// once boxes left theirs, and 16 more if all boxes scrolled meanwhile; 58 more for the tree, if there ever
/// was one, or 63 with filters; 8 more with filters, 4 more with groups; 30 more in a world so sparse that
/// most rows are empty. That of the rows and lists of many moving boxes is allocated when these are added, so
/// that the first frames need not wait for it.
/// @par Order
/// The same on every machine, with every instruction set and any number of threads.
class BROADSIDE_API HierarchicalGrid final : public BroadPhase {
 public:
  /// Creates a grid that measures the boxes.
  HierarchicalGrid();
  /// Creates a grid, or returns what is wrong with the options.
  [[nodiscard]] static Result<std::unique_ptr<HierarchicalGrid>> create(
      const HierarchicalGridOptions& options = {});
  /// Creates the technique alone, for `BroadPhase::set_technique`.
  [[nodiscard]] static Result<std::unique_ptr<Technique>> technique(
      const HierarchicalGridOptions& options = {});
};

}  // namespace broadside::inline v0_2
