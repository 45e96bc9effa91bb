#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/workers.hpp"
#include "box_set.hpp"
#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/broad_phase/cell.hpp"
#include "broadside/broad_phase/pair_buffer.hpp"
#include "pair_workers.hpp"
#include "row_layout.hpp"
#include "row_planner.hpp"
#include "swept_box.hpp"

namespace broadside::inline v0_2::detail {

/// A box that is tested against the boxes of an index.
struct QueryBox {
  Aabb box;
  BoxIndex name;
  std::uint32_t accepts;  ///< bits of `FilterBits`; not read if the index has no filters
};

/// Boxes sorted into rows by size and position: the structure behind `HierarchicalGrid` and `find_pairs`.
///
/// The size of a box selects its *level*, its min y one *row* of that level, and its min x its position in
/// the row. Level, row and quantized x make one 32-bit key; a radix sort by this key orders all boxes.
///
///     key = │ level and row │ quantized min x │
///
///      row r+1 │   ┌──┐      ┌───┐           (1) own row: the run to the right of the box, up to its max x
///      ────────┼───┼──┼──────┼───┼──────     (2) rows above that the box reaches: the run from its min x,
///      row r   │ ┌─┼┐ └──┐ ┌─┴─┐ │ ┌──┐          less the max_separation box of the level, up to its max x
///              │ └─┴┘    │ │   │ │ │  │      (3) finer levels: the same in all rows that the box covers;
///              └─────────┴─┴───┴─┴─┴──┴─         coarse boxes search finer levels, never the reverse
///
/// Where rows along y suit the boxes better, x and y change places: the index is *transposed*.
///
/// Each run is contiguous, so it is read as SIMD vectors: compare all sides of 16 (or 8, or 4) boxes at once,
/// compress the hits in a register, store a whole vector, advance by the number of hits. No branch depends on
/// a single box.
///
/// Exactness: rows and quantized coordinates only select what is tested. Both are monotone in the coordinate
/// despite rounding, and the number of rows and columns that a box reaches is counted in the same integers,
/// so no pair is lost. Nothing grows with the size of the world: coordinates outside of the measured range
/// are clamped to its border.
///
/// @par Source
/// Levels by size after C. Ericson, "Real-Time Collision Detection", 2005, section 7.2; sweeping sorted boxes
/// with SIMD after P. Terdiman, "Box pruning revisited", 2017-2018.
class RowIndex {
 public:
  static constexpr std::size_t max_levels = RowLayout::max_levels;

  /// @param row_height height of the finest rows; each coarser level has rows four times as high. Without a
  /// value, the height is measured.
  explicit RowIndex(std::optional<float> row_height = {}) : row_height_(row_height) {}

  /// Sets the current filters, by kind.
  /// @pre no kind of a box in the index has changed its `is` bit since the build, which copied them
  void use_filters(std::span<const FilterBits> filters) { filters_ = filters; }

  /// Removes all boxes. Allowed also after a build that ran out of memory.
  void clear() {
    size_ = 0;
    levels_.clear();
    level_count_ = 0;
    crossing_begin_ = {};
    row_begin_.clear();
    occupied_rows_ = 0;
    measured_.builds = 0;
  }

  /// Provides the memory for this many boxes without filters.
  void reserve(std::size_t boxes);

  /// Makes the next build measure the rows, even if they seem to fit.
  void force_measure() { measured_.builds = 0; }

  /// Frees the memory that only `find_pairs` needs. Do not call `find_pairs` until the next build.
  void release_sweep() {
    highest_keys_ = std::vector<std::uint32_t>();  // `= {}` would keep the memory
    crossing_ = std::vector<std::uint32_t>();
  }

  /// Sorts the boxes into rows. Measures rows at first, and again when they no longer fit.
  /// @par Complexity
  /// O(n), plus the sort of a sample of about 3 sqrt(n) boxes if it measures.
  void build(const BoxSet& set, Workers& workers);

  /// Appends each overlapping pair of boxes in the index once, a < b; returns the work done.
  Work find_pairs(PairBuffer& pairs, PairWorkers& workers);

  /// Appends each overlapping pair of a box of `queries` and a box in this index, in this order, whatever
  /// their filters; returns the work done. The pairs of a query box follow one another.
  Work find_pairs_with(const RowIndex& queries, PairBuffer& pairs, PairWorkers& workers);

  /// Appends each overlapping pair of a box of `a` and one of `b`, the lower name first; returns the work
  /// done. The boxes of the smaller index search the larger one in sorted order, row by row, which keeps the
  /// rows that they visit in the cache.
  friend Work find_pairs_between(RowIndex& a, RowIndex& b, PairBuffer& pairs, PairWorkers& workers);

  /// Appends the names of all boxes that overlap `area`.
  void find_in(const Aabb& area, std::vector<BoxIndex>& hits) const;

  /// Appends the names of all boxes that a swept box touches between two times, and of some that are near it:
  /// in each row, the boxes that overlap the bounds of that part of the path that is at the row's height.
  void find_along(const SweptBox& path, double from, double to, std::vector<BoxIndex>& hits) const;

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Returns the names in sorted order.
  [[nodiscard]] std::span<const BoxIndex> names() const { return {names_.data(), size_}; }
  /// Returns the box of `names()[i]`, as it was at the build.
  [[nodiscard]] Aabb box_at(std::size_t i) const {
    const Aabb box{{min_x_[i], min_y_[i]}, {max_x_[i], max_y_[i]}};
    return transposed_ ? transposed(box) : box;
  }
  /// Returns the number of levels that hold boxes.
  [[nodiscard]] std::size_t levels() const;
  /// Returns the height of the finest rows that hold boxes; 0 if all are in one row.
  [[nodiscard]] float finest_row_height() const;
  /// Returns whether rows are vertical: x and y have changed places.
  [[nodiscard]] bool is_transposed() const { return transposed_; }
  /// Returns whether rows or columns have knots, since the positions of the boxes are very uneven.
  [[nodiscard]] bool is_nonuniform() const {
    return !levels_.empty() && (!levels_[0].rows.knots.empty() || !levels_[0].columns.knots.empty());
  }
  /// Returns the size of a typical box: the power of two above the median size of a sample, or the mean
  /// spacing if more than half of them are points (unit: length); 0 if nothing was measured.
  [[nodiscard]] float small_size() const { return small_size_; }
  /// Returns the number of rows of all levels, including empty ones.
  [[nodiscard]] std::size_t rows() const { return row_begin_.empty() ? 0 : row_begin_.size() - 1; }
  [[nodiscard]] std::size_t occupied_rows() const { return occupied_rows_; }
  /// Visits the squares, as wide as rows are high, that the boxes of each level touch, and the names of these
  /// boxes, for drawing.
  void visit_cells(CellVisitor visit) const;
  [[nodiscard]] std::size_t bytes() const;

  // The following types are public for the kernels only.

  /// Which name comes first in a pair. Filters apply only to `lower_first`.
  enum class Naming : std::uint8_t { lower_first, query_first };

  using Axis = CellAxis;
  struct Level {
    Axis rows;
    Axis columns;
    std::uint32_t first_row = 0;    ///< number of its lowest row among the rows of all levels
    std::uint32_t max_rows = 0;     ///< most rows that a box of this level reaches above its own
    std::uint32_t max_columns = 0;  ///< most columns that a box of this level reaches beyond its own
    std::uint32_t begin = 0;        ///< positions [begin, end) of its boxes
    std::uint32_t end = 0;
  };
  /// The position in a row where its last search ended, and the row of the query boxes that searched it.
  /// Query boxes of another row begin at the left again, so they reset the cursor.
  struct Cursor {
    std::uint32_t for_row = 0;  ///< row of the query boxes, from 1 on; 0 before the first search
    std::uint32_t position = 0;
  };
  /// What the kernels read: the boxes in sorted order, with a separate array for each side, and their rows.
  struct View {
    const std::uint32_t* keys;
    const float* min_x;
    const float* max_x;
    const float* min_y;
    const float* max_y;
    const BoxIndex* names;
    const std::uint32_t* kind_bits;  ///< `FilterBits::is` by position; null if nothing is filtered
    const std::uint16_t* kinds;      ///< by position
    const FilterBits* filters;       ///< by kind
    const std::uint32_t* highest_keys;
    const std::uint32_t* crossing;
    const std::uint32_t* row_begin;
    const Level* levels;
    unsigned column_bits;
    std::size_t level_count;  ///< levels above hold no boxes
    bool transposed;

    /// Returns the box at a position, as stored: transposed if the index is.
    [[nodiscard]] QueryBox query_box_at(std::size_t i) const {
      return {{{min_x[i], min_y[i]}, {max_x[i], max_y[i]}},
              names[i],
              kind_bits == nullptr ? ~std::uint32_t{0} : filters[kinds[i]].accepts};
    }
  };
  /// How far the boxes of one level, or of a part of it, reach at most, and how many reach into rows above.
  struct Reach {
    std::uint32_t max_rows = 0;
    std::uint32_t max_columns = 0;
    std::size_t crossing = 0;
  };
  /// The arrays that `write_sides` fills.
  struct Sides {
    float* min_x;
    float* max_x;
    float* min_y;
    float* max_y;
  };

 private:
  /// How well the rows fitted when they were measured; `still_fits` compares later builds with it.
  struct Measured {
    std::size_t boxes = 0;
    double waste = 0.0;
    double crossing = 0.0;
    std::uint32_t builds = 0;  ///< with these rows, including the first; 0 to measure at the next build
  };

  /// Returns whether the boxes are so few that all are in one row; otherwise each level has at least one.
  [[nodiscard]] bool is_one_row() const { return rows() == 1; }
  void build_in_one_row(const BoxSet& set);
  void build_in_rows(const BoxSet& set, Workers& workers);
  void build_with(const BoxSet& set, Workers& workers);
  void use(const RowLayout& layout);
  Work search(const RowIndex& queries, Naming naming, PairBuffer& pairs, PairWorkers& workers);
  [[nodiscard]] bool still_fits() const;
  [[nodiscard]] std::size_t run_of(std::size_t i) const;
  [[nodiscard]] double mean_waste(std::size_t samples) const;
  [[nodiscard]] double mean_work(std::size_t samples) const;
  [[nodiscard]] double work_in(const Level& level, std::size_t i, bool is_own) const;
  [[nodiscard]] double crossing_share() const;
  void make_keys(const BoxSet& set, Workers& workers);
  void sort(Workers& workers);
  void sort_row(std::size_t begin, std::size_t end);
  void write_sorted(const BoxSet& set, Workers& workers);
  void reserve_sides(const BoxSet& set);
  void write_range(const BoxSet& set, const BoxIndex* names, std::size_t begin, std::size_t end);
  void finish_levels(Workers& workers);
  Reach finish_level_with_knots(const Level& part);
  [[nodiscard]] View view() const {
    return {.keys = keys_.data(),
            .min_x = min_x_.data(),
            .max_x = max_x_.data(),
            .min_y = min_y_.data(),
            .max_y = max_y_.data(),
            .names = names_.data(),
            .kind_bits = filtered_ ? kind_bits_.data() : nullptr,
            .kinds = kinds_.data(),
            .filters = filters_.data(),
            .highest_keys = highest_keys_.data(),
            .crossing = crossing_.data(),
            .row_begin = row_begin_.data(),
            .levels = levels_.data(),
            .column_bits = column_bits_,
            .level_count = level_count_,
            .transposed = transposed_};
  }

  std::size_t size_ = 0;
  std::size_t occupied_rows_ = 0;
  std::size_t level_count_ = 0;
  bool transposed_ = false;
  unsigned column_bits_ = 1;
  std::vector<Level> levels_;  ///< [max_levels]; none before the first build, as many indices stay empty

  std::optional<float> row_height_;
  std::unique_ptr<RowPlanner> planner_;  ///< of the boxes, if they are not in one row
  Measured measured_;
  float small_size_ = 0.0F;
  bool filtered_ = false;

  // While sorting, `highest_keys_` is the second buffer of `keys_`, and `crossing_` that of `names_`.
  std::vector<std::uint32_t> keys_;          ///< [n + padding] ascending
  std::vector<std::uint32_t> highest_keys_;  ///< [n + padding] end of the run of a box in its own row
  std::vector<BoxIndex> names_;              ///< [n + padding]
  std::vector<std::uint32_t> crossing_;      ///< [n + padding] boxes that reach into rows above, by level
  std::vector<float> min_x_;                 ///< [n + padding], like the other sides
  std::vector<float> max_x_;
  std::vector<float> min_y_;
  std::vector<float> max_y_;
  std::vector<std::uint32_t> kind_bits_;  ///< [n + padding] if filtered
  std::vector<std::uint16_t> kinds_;      ///< [n + padding] if filtered
  std::span<const FilterBits> filters_;
  std::vector<std::uint32_t> row_begin_;                        ///< [rows + 1]
  std::array<std::uint32_t, max_levels + 1> crossing_begin_{};  ///< where each level begins in `crossing_`
  // Scratch:
  std::vector<std::uint32_t> counts_;         ///< [chunks x rows]
  std::vector<Reach> reaches_;                ///< [chunks]
  std::vector<std::uint32_t> begins_;         ///< [chunks]
  std::vector<std::vector<Cursor>> cursors_;  ///< [chunks][rows]
};

}  // namespace broadside::inline v0_2::detail
