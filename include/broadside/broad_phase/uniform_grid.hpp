#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/detail/cell_range.hpp"

namespace broadside {

/// Options of a `UniformGrid`. By default it measures the boxes at each rebuild.
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
/// Rebuild O(n + cells); pairs O(cells + t), where t is small for boxes of about the size of a cell and grows
/// towards O(n^2) for much smaller ones (many in a cell) and much larger ones (tested against everything).
/// Memory: 4 bytes per cell, at most 64 entries of 4 bytes per box. At most 2^24 cells: bounds or cell sizes
/// that would need more are refused (`too_large`) before anything is allocated.
/// @par Source
/// A. Petersen, "Broad Phase Collision Detection Using Spatial Partitioning", 2012; pairs are kept unique by
/// the owner rule instead of the article's cache of pairs.
class UniformGrid final : public BroadPhase {
 public:
  static constexpr std::size_t max_cells = std::size_t{1} << 24;

  /// Creates a grid that measures the boxes.
  UniformGrid() = default;
  /// Creates a grid, or returns what is wrong with the options.
  [[nodiscard]] static Result<std::unique_ptr<UniformGrid>> create(const UniformGridOptions& options = {});

  [[nodiscard]] std::string_view name() const override { return "uniform-grid"; }
  [[nodiscard]] std::vector<Cell> cells() const override;

  /// Returns the size of a cell as of the last update (unit: length).
  [[nodiscard]] Vec2 cell_size() const { return cell_size_; }

 private:
  explicit UniformGrid(const UniformGridOptions& options) : options_(options) {}

  void on_added(std::span<const BoxIndex> /*indices*/) override { stale_ = true; }
  void clear_structure() override { stale_ = true; }
  void on_moved(std::span<const BoxIndex> indices) override { stale_ = stale_ || !indices.empty(); }
  void on_removed(BoxIndex /*index*/) override { stale_ = true; }
  void update_structure() override;
  void collect_pairs(detail::PairBuffer& pairs) override;
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override;
  void count_visits(const Aabb& area) const override;
  [[nodiscard]] float typical_cell_size() const override { return (std::max)(cell_size_.x, cell_size_.y); }
  [[nodiscard]] bool is_stale() const override { return stale_; }
  [[nodiscard]] std::size_t structure_bytes() const override;

  void list_boxes();
  void lay_out_cells();
  void fill_cells();
  void collect_pairs_of_large(detail::PairBuffer& pairs);
  [[nodiscard]] detail::CellRange range_of(const Aabb& box) const;
  [[nodiscard]] bool is_large(BoxIndex index) const {
    return ranges_[index].count() > detail::max_cells_per_box;
  }
  [[nodiscard]] std::size_t cell_number(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(x);
  }
  [[nodiscard]] std::span<const BoxIndex> members(int x, int y) const;

  UniformGridOptions options_;
  Aabb bounds_;
  Vec2 cell_size_{1.0F, 1.0F};
  int columns_ = 1;
  int rows_ = 1;
  bool stale_ = true;

  std::vector<BoxIndex> order_;  ///< the boxes held, dynamic ones first
  std::size_t dynamic_count_ = 0;
  std::vector<Aabb> measured_;             ///< scratch: the boxes held, to measure bounds or cell size
  std::vector<detail::CellRange> ranges_;  ///< [slots]
  std::vector<std::uint32_t>
      cell_start_;                 ///< [cells + 1] members of cell c: entries [start[c], start[c + 1])
  std::vector<BoxIndex> entries_;  ///< members by cell; in each cell the dynamic ones first
  std::vector<BoxIndex> large_;    ///< boxes in too many cells: tested against everything
};

}  // namespace broadside
