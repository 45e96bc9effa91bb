#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/detail/row_index.hpp"

namespace broadside {

/// A grid of many cell sizes that picks them by itself. The default.
///
/// Each box belongs to a level by its size, and there to one row; nothing has to be told, sizes may differ by
/// any factor, and the world has no bounds. How it works is drawn at `detail::RowIndex`. Static boxes have
/// rows of their own that are built once and looked up by the movers.
///
/// Complexity: update O(m) for the m boxes of each type of which one changed; pairs O(n + t) expected, where
/// t stays near the number of hits unless many boxes share one place. `query_area` O(rows covered · log n +
/// t). Memory: about 60 bytes a box, whatever the size of the world. Order: the same on every machine and
/// with every instruction set.
class HierarchicalGrid final : public BroadPhase {
 public:
  [[nodiscard]] std::string_view name() const override { return "hierarchical-grid"; }
  [[nodiscard]] std::vector<Cell> cells() const override;

 private:
  void on_added(std::span<const BoxIndex> indices) override;
  void on_moved(std::span<const BoxIndex> indices) override;
  void on_removed(BoxIndex index) override;
  void bring_up_to_date() override;
  void collect_pairs(detail::PairBuffer& pairs) override;
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override;
  [[nodiscard]] bool is_stale() const override {
    return by_type_[0].stale || by_type_[1].stale || by_type_[2].stale;
  }
  [[nodiscard]] std::size_t structure_bytes() const override;

  // Boxes of one body type, without gaps; their rows are built again when one of them changed.
  struct Rows {
    detail::RowIndex index;
    std::vector<Aabb> boxes;        ///< [m]
    std::vector<BoxIndex> indices;  ///< [m]
    std::size_t occupied = 0;
    bool stale = false;
  };
  [[nodiscard]] Rows& rows_of(BoxIndex index) { return by_type_[static_cast<std::size_t>(type_at(index))]; }
  [[nodiscard]] const Rows& rows_of(BodyType type) const { return by_type_[static_cast<std::size_t>(type)]; }

  std::array<Rows, 3> by_type_;
  std::vector<std::uint32_t> places_;  ///< [slots] where a box stands in the rows of its type
};

}  // namespace broadside
