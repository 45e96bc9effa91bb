#pragma once

#include <array>

#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/detail/row_index.hpp"

namespace broadside {

/// A grid of many cell sizes that picks them by itself. The default.
///
/// Each box belongs to the level whose cells are about its size, and there to one row; nothing has to be
/// told, sizes may differ by any factor, and the world has no bounds. Static boxes have levels of their own
/// that are built once and looked up by the movers.
///
/// Complexity: update O(m log m) for the m boxes of each type of which one changed; pairs O(n levels log n +
/// t), where t stays near the number of hits unless many boxes share one place. `query_area` O(rows covered ·
/// log n + t). Memory: about 100 bytes a box, whatever the size of the world. Source: C. Ericson, "Real-Time
/// Collision Detection", 2005, section 7.2 (hierarchical grids), with rows and a sweep in place of cells and
/// a hash.
class HierarchicalGrid final : public BroadPhase {
 public:
  [[nodiscard]] std::string_view name() const override { return "hierarchical-grid"; }
  [[nodiscard]] std::vector<Cell> cells() const override;

 private:
  void on_added(std::span<const BoxIndex> indices) override;
  void on_moved(std::span<const BoxIndex> indices) override { on_added(indices); }
  void on_removed(BoxIndex index) override { on_added({&index, 1}); }
  void bring_up_to_date() override;
  void collect_pairs(std::vector<Pair>& pairs) override;
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override;
  [[nodiscard]] bool is_stale() const override { return stale_[0] || stale_[1] || stale_[2]; }
  [[nodiscard]] std::size_t structure_bytes() const override;

  // One index for each body type, rebuilt when one of its boxes changed.
  std::array<detail::RowIndex, 3> by_type_;
  std::array<bool, 3> stale_{};
};

}  // namespace broadside
