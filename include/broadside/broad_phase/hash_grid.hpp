#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/detail/cell_range.hpp"
#include "broadside/broad_phase/detail/cell_table.hpp"

namespace broadside {

/// Options of a `HashGrid`.
struct HashGridOptions {
  /// Width and height of a cell (unit: length). Without it the grid measures the boxes (`suggest_cell_size`)
  /// at its first update, and again when their number has doubled or halved.
  std::optional<Vec2> cell_size;
};

/// A sparse grid without bounds (spatial hashing): a hash table holds only the cells that have members.
///
/// A box is re-inserted only when its range of cells changes: updates cost nothing for static boxes, and next
/// to nothing for a box that moves within its cells. Negative and distant coordinates need no special case.
/// The grid stores the cells that a box was inserted into, so removing it leaves no stale entry behind.
///
/// @par Complexity
/// Add, move, remove O(cells of the box), at most 64, in expectation, plus the search of those cells' lists
/// for the latter two; pairs O(cells of the dynamic boxes + t). Boxes in more than 64 cells are kept in a
/// list and tested against everything. `query_area` O(min(cells of the area, n) + t). Memory, for boxes that
/// are added in one call: at most 80 bytes per occupied cell, 16 per entry and 45 per box, with at most 64
/// entries per box; independent of the world's extent.
/// @par Source
/// M. Teschner et al., "Optimized Spatial Hashing for Collision Detection of Deformable Objects", 2003; the
/// owner rule makes pairs unique, and cells are compared by their coordinates, so they do not alias.
class HashGrid final : public BroadPhase {
 public:
  /// Creates a grid that measures the boxes.
  HashGrid() = default;
  /// Creates a grid, or returns what is wrong with the options.
  [[nodiscard]] static Result<std::unique_ptr<HashGrid>> create(const HashGridOptions& options = {});

  [[nodiscard]] std::string_view name() const override { return "hash-grid"; }
  [[nodiscard]] std::vector<Cell> cells() const override;

  /// Returns the size of a cell as of the last update (unit: length).
  [[nodiscard]] Vec2 cell_size() const { return cell_size_; }

 private:
  enum class Place : unsigned char { nowhere, in_cells, in_large };

  explicit HashGrid(const HashGridOptions& options) : options_(options) {}

  void on_added(std::span<const BoxIndex> indices) override;
  void clear_structure() override { built_ = false; }
  void on_moved(std::span<const BoxIndex> indices) override;
  void on_removed(BoxIndex index) override;
  void update_structure() override;
  void collect_pairs(detail::PairBuffer& pairs) override;
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override;
  void count_visits(const Aabb& area) const override;
  [[nodiscard]] float typical_cell_size() const override { return (std::max)(cell_size_.x, cell_size_.y); }
  [[nodiscard]] bool is_stale() const override { return !built_; }
  [[nodiscard]] std::size_t structure_bytes() const override;

  void rebuild();
  void enter(BoxIndex index);
  void leave(BoxIndex index);
  void collect_pairs_around(BoxIndex index, detail::PairBuffer& pairs);
  void collect_pairs_of_large(detail::PairBuffer& pairs);
  [[nodiscard]] detail::CellRange range_of(const Aabb& box) const;
  /// Returns whether a query tests all boxes, as they are fewer than the cells of its range.
  [[nodiscard]] bool tests_all(const detail::CellRange& range) const {
    return range.count() > static_cast<double>(size());
  }
  [[nodiscard]] bool is_dynamic(BoxIndex index) const { return type_at(index) == BodyType::dynamic; }

  HashGridOptions options_;
  Vec2 cell_size_{1.0F, 1.0F};
  bool built_ = false;
  std::size_t measured_at_ = 0;  ///< number of boxes when the cell size was measured

  detail::CellTable table_;
  std::vector<detail::CellRange> ranges_;  ///< [slots] the cells that the box was inserted into
  std::vector<Place> places_;              ///< [slots]
  std::vector<BoxIndex> large_;            ///< ascending
};

}  // namespace broadside
