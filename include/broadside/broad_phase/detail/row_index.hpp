#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/detail/pair_buffer.hpp"

namespace broadside::detail {

/// One key, one sort, one sweep: the structure behind `HierarchicalGrid` and `find_pairs`.
///
/// A box belongs to a *level* by its size, in it to one *row* by its min y, and in the row it stands by its
/// min x. Level, row and quantised x make one 32-bit key; a radix sort by it puts all boxes into place.
///
///     key = │ level and row │ quantised min x │
///
///      row r+1 │   ┌──┐      ┌───┐           (1) own row: the run to the right of the box, up to its max x
///      ────────┼───┼──┼──────┼───┼──────     (2) the rows above that it reaches: the run from its min x,
///      less the row r   │ ┌─┼┐ └──┐ ┌─┴─┐ │ ┌──┐          widest box of the level, to its max x
///              │ └─┴┘    │ │   │ │ │  │      (3) finer levels: the same, over all rows that the box covers;
///              coarse boxes └─────────┴─┴───┴─┴─┴──┴─         look down, fine ones never up
///
/// Each run is contiguous, so it is read as vectors: compare all sides of 16 (or 8, or 4) boxes at once,
/// squeeze the hits together in a register, store a whole vector, advance by the number of hits. No branch
/// depends on a single box.
///
/// Exactness: rows and quantised coordinates only group. Both are monotone in the coordinate whatever is
/// rounded, and how many rows and columns a box may reach is counted in the same integers, so no pair can be
/// lost. Nothing grows with the size of the world: what lies outside of the measured range counts as being on
/// its border.
///
/// Source: levels by size after C. Ericson, "Real-Time Collision Detection", 2005, section 7.2; sweeping
/// sorted boxes with SIMD after P. Terdiman, "Box pruning revisited", 2017-2018.
class RowIndex {
 public:
  static constexpr std::size_t max_levels = 8;

  /// Puts boxes [n] into place. @param indices what they are called in pairs [n]; empty for their positions
  /// Complexity: O(n) but for the sort of a sample of about 3 sqrt(n) boxes.
  void build(std::span<const Aabb> boxes, std::span<const BoxIndex> indices = {});

  /// Appends each overlapping pair of the boxes held once, a < b; returns the number of tests.
  std::uint64_t find_pairs(PairBuffer& pairs);

  /// Appends each overlapping pair of a box [n] given, named by its position, and one held, named as it was:
  /// in this order, whichever is smaller; returns the number of tests.
  std::uint64_t find_pairs_with(std::span<const Aabb> boxes, PairBuffer& pairs) const;

  /// Appends each overlapping pair of a box of `others` and one held, a < b; returns the number of tests. The
  /// others ask in their own order, row by row, which keeps what they look at in the cache.
  std::uint64_t find_pairs_with(const RowIndex& others, PairBuffer& pairs) const;

  /// Appends the names of all boxes that overlap `area`.
  void find_in(const Aabb& area, std::vector<BoxIndex>& hits) const;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t rows() const { return row_begin_.empty() ? 0 : row_begin_.size() - 1; }
  [[nodiscard]] std::size_t occupied_rows() const;
  /// Appends the squares as high as a row that boxes of its level touch, for drawing.
  void append_cells(std::vector<Cell>& cells) const;
  [[nodiscard]] std::size_t bytes() const;

  /// How coordinates become rows and columns: subtract, scale, clamp, cut off; in float, the same on every
  /// machine. With knots, stretches between them become equally many cells each: a lens for places that are
  /// much denser than others.
  struct Axis {
    float origin = 0.0F;
    float scale = 0.0F;
    float last = 0.0F;                  ///< the highest cell
    std::span<const float> knots = {};  ///< strictly ascending; none for an even axis

    [[nodiscard]] std::uint32_t cell(float position) const {
      float value = knots.empty() ? (position - origin) * scale : through_knots(position);
      value = value > 0.0F ? value : 0.0F;
      return static_cast<std::uint32_t>(value < last ? value : last);
    }

   private:
    [[nodiscard]] float through_knots(float position) const;
  };
  struct Level {
    Axis rows;
    std::uint32_t first_row = 0;  ///< of all rows
    std::uint32_t most_rows = 0;  ///< rows that a box of this level reaches beyond its own
    std::uint32_t most_columns = 0;
    std::uint32_t begin = 0;  ///< boxes [begin, end)
    std::uint32_t end = 0;
  };
  /// The boxes in order, each side an array of its own, as the kernels read them.
  struct View {
    const std::uint32_t* keys;
    const float* min_x;
    const float* max_x;
    const float* min_y;
    const float* max_y;
    const BoxIndex* names;
  };

 private:
  struct Cursor {
    std::uint32_t for_row = 0;  ///< of a coarser level; row 0 is never one
    std::uint32_t position = 0;
  };
  struct Layout {
    bool knotted;
    double more_rows;  ///< a factor, for what is denser than expected
  };

  void build_with(std::span<const Aabb> boxes, std::span<const BoxIndex> indices, Layout layout);
  void measure(std::span<const Aabb> boxes, Layout layout);
  [[nodiscard]] double mean_waste() const;
  [[nodiscard]] Aabb box_at(std::size_t i) const { return {{min_x_[i], min_y_[i]}, {max_x_[i], max_y_[i]}}; }
  void make_keys(std::span<const Aabb> boxes);
  void place(std::span<const Aabb> boxes, std::span<const BoxIndex> indices);
  void find_rows();
  void find_reaches();
  /// Finds the pairs of boxes of one level that stand in different rows.
  std::uint64_t reach_up(std::size_t number, PairBuffer& pairs) const;
  /// Finds the pairs of the boxes of one level with those of all finer ones.
  std::uint64_t look_down(std::size_t coarse, PairBuffer& pairs);
  /// Returns the first position of a row whose key is not below `key`.
  [[nodiscard]] std::uint32_t lower_bound_in_row(std::uint32_t row, std::uint32_t key) const;
  [[nodiscard]] std::size_t level_of(const Aabb& box) const;
  [[nodiscard]] View view() const {
    return {keys_.data(), min_x_.data(), max_x_.data(), min_y_.data(), max_y_.data(), names_.data()};
  }
  /// Calls `visit(first position, lowest key, highest key)` for each run of the finest `levels` levels that
  /// may hold what overlaps `box`. Runs begin at the first position whose key is not below the lowest.
  template <typename Visitor>
  void for_each_run(const Aabb& box, std::size_t levels, Visitor visit) const;

  std::size_t size_ = 0;
  Axis columns_;
  unsigned column_bits_ = 1;
  int finest_exponent_ = 0;
  std::array<Level, max_levels> levels_{};

  std::vector<std::uint32_t> keys_;          ///< [n + padding] ascending
  std::vector<std::uint32_t> highest_keys_;  ///< [n + padding] where the run of a box in its own row ends
  std::vector<float> min_x_;
  std::vector<float> max_x_;
  std::vector<float> min_y_;
  std::vector<float> max_y_;
  std::vector<BoxIndex> names_;
  std::vector<std::uint32_t> row_begin_;  ///< [rows + 1]
  std::vector<Cursor> cursors_;           ///< [rows + 1] scratch of `look_down`
  std::vector<std::uint32_t>
      order_;  ///< [n + padding] boxes that reach into rows above their own, level by level
  std::array<std::uint32_t, max_levels + 1> crossing_begin_{};  ///< of each level in `order_`
  // Scratch of build:
  std::vector<std::uint32_t> spare_keys_;
  std::vector<std::uint32_t> spare_order_;
  std::vector<Aabb> sample_;
  std::vector<float> values_;
  std::vector<float> knots_x_;
  std::vector<float> knots_y_;
};

}  // namespace broadside::detail
