#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/detail/pair_buffer.hpp"
#include "broadside/broad_phase/detail/swept_box.hpp"
#include "broadside/broad_phase/detail/work.hpp"
#include "broadside/broad_phase/detail/workers.hpp"

namespace broadside::detail {

/// Filters as the kernels compare them: a pair is let through if one side accepts what the other one is.
struct FilterBits {
  std::uint32_t is;
  std::uint32_t accepts;
};

/// Who is held against boxes of an index.
struct Asker {
  Aabb box;
  BoxIndex name;
  std::uint32_t accepts;  ///< read where the index is filtered
};

/// How the two sides of a pair are arranged.
enum class Naming { ascending, asker_first, asker_last };

/// What a `RowIndex` is built from: boxes by name, and the names of those to take.
struct BoxSet {
  std::span<const Aabb> boxes;                  ///< by name
  std::span<const BoxIndex> names = {};         ///< [n]; empty for all boxes
  std::span<const std::uint16_t> classes = {};  ///< by name; empty where nothing is filtered
  std::span<const FilterBits> filters = {};     ///< by class

  [[nodiscard]] std::size_t size() const { return names.empty() ? boxes.size() : names.size(); }
  [[nodiscard]] const Aabb& operator[](std::size_t i) const { return boxes[names.empty() ? i : names[i]]; }
};

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

  /// Has rows of the finest level made that high, and four times as high from level to level, or as measured.
  void set_row_height(std::optional<float> height) {
    row_height_ = height;
    measured_.builds = 0;
  }

  /// Says where the filters are now, by class; the first ones are as they were when boxes were put into
  /// place.
  void use_filters(std::span<const FilterBits> filters) { filters_ = filters; }

  /// Forgets all boxes, though it may be half built.
  void clear() {
    size_ = 0;
    levels_ = {};
    crossing_begin_ = {};
    row_begin_.clear();
    occupied_.clear();
    occupied_rows_ = 0;
    measured_.builds = 0;
  }

  /// Has rows measured at the next build, whether they seem to fit or not.
  void measure_anew() { measured_.builds = 0; }

  /// Gives back what only `find_pairs` among the boxes held needs; it may not be called until the next build.
  void release_sweep() {
    highest_keys_ = {};
    crossing_ = {};
  }

  /// Puts boxes into place. Rows are measured at first, and again when they no longer fit.
  /// Complexity: O(n) but, where it measures, for the sort of a sample of about 3 sqrt(n) boxes.
  void build(const BoxSet& set, Workers& workers);

  /// Appends each overlapping pair of the boxes held once, a < b; returns what that took.
  Work find_pairs(PairBuffer& pairs, Workers& workers);

  /// Appends each overlapping pair of a box [n] given, named by its position, and one held, named as it was;
  /// returns what that took.
  Work find_pairs_with(std::span<const Aabb> boxes, Naming naming, PairBuffer& pairs, Workers& workers) const;

  /// Appends each overlapping pair of a box of one index and one of the other, a < b; returns what that
  /// took. The smaller set looks itself up in the larger, in its own order, row by row, which keeps what it
  /// looks at in the cache.
  friend Work find_pairs_between(RowIndex& a, RowIndex& b, PairBuffer& pairs, Workers& workers);

  /// Appends the names of all boxes that overlap `area`.
  void find_in(const Aabb& area, std::vector<BoxIndex>& hits) const;

  /// Appends the names of all boxes that a path touches between two times, and of some that are near it: in
  /// each row, what overlaps the box around that part of the path that is at the row's height.
  void find_along(const SweptBox& path, double from, double to, std::vector<BoxIndex>& hits) const;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::span<const BoxIndex> names() const { return {names_.data(), size_}; }
  [[nodiscard]] Aabb box_at(std::size_t i) const { return {{min_x_[i], min_y_[i]}, {max_x_[i], max_y_[i]}}; }
  [[nodiscard]] std::size_t levels() const;
  /// Returns the height of the finest rows that hold boxes; 0 where all are in one row.
  [[nodiscard]] float finest_row_height() const;
  /// Tells whether places were so uneven that rows and columns follow the boxes by rank.
  [[nodiscard]] bool is_knotted() const { return !knots_x_.empty() || !knots_y_.empty(); }
  /// Returns what counts as a small box here (unit: length); 0 where nothing was measured.
  [[nodiscard]] float small_size() const { return small_size_; }
  [[nodiscard]] std::size_t rows() const { return row_begin_.empty() ? 0 : row_begin_.size() - 1; }
  [[nodiscard]] std::size_t occupied_rows() const { return occupied_rows_; }
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
    std::uint32_t max_rows = 0;   ///< rows that a box of this level reaches beyond its own
    std::uint32_t max_columns = 0;
    std::uint32_t begin = 0;  ///< boxes [begin, end)
    std::uint32_t end = 0;
  };
  /// Where the runs of boxes of one row begin in a finer one, as far as is known.
  struct Cursor {
    std::uint32_t for_row = 0;  ///< of a coarser level; row 0 is never one
    std::uint32_t position = 0;
  };
  /// Goes through those rows of [first, end) that hold boxes: empty ones cost next to nothing.
  class OccupiedRows {
   public:
    OccupiedRows(const std::uint64_t* occupied, std::uint32_t first, std::uint32_t end)
        : occupied_(occupied),
          word_(first / 64),
          end_(end),
          bits_(occupied[word_] >> (first % 64) << (first % 64)) {}

    /// Goes to the next row; false if there is none.
    bool next() {
      while (bits_ == 0) {
        if (++word_ * 64 >= end_) {
          return false;
        }
        bits_ = occupied_[word_];
      }
      row_ = word_ * 64 + static_cast<std::uint32_t>(std::countr_zero(bits_));
      bits_ &= bits_ - 1;
      return row_ < end_;
    }
    [[nodiscard]] std::uint32_t row() const { return row_; }

   private:
    const std::uint64_t* occupied_;
    std::uint32_t word_;
    std::uint32_t end_;
    std::uint64_t bits_;
    std::uint32_t row_ = 0;
  };
  /// The boxes in order, each side an array of its own, and where the rows are: what the kernels read.
  struct View {
    const std::uint32_t* keys;
    const float* min_x;
    const float* max_x;
    const float* min_y;
    const float* max_y;
    const BoxIndex* names;
    const std::uint32_t* class_bits;  ///< null where nothing is filtered
    const std::uint16_t* classes;
    const FilterBits* filters;
    const std::uint32_t* highest_keys;
    const std::uint32_t* crossing;
    const std::uint32_t* row_begin;
    const std::uint64_t* occupied;
    const Level* levels;
    const Axis* columns;
    unsigned column_bits;

    [[nodiscard]] Asker asker_at(std::size_t i) const {
      return {{{min_x[i], min_y[i]}, {max_x[i], max_y[i]}},
              names[i],
              class_bits == nullptr ? ~std::uint32_t{0} : filters[classes[i]].accepts};
    }
  };
  /// How far the boxes of one level, or of a part of it, reach.
  struct Reach {
    std::uint32_t max_rows = 0;
    std::uint32_t max_columns = 0;
    std::size_t crossing = 0;
  };
  /// Where `place_boxes` writes.
  struct Sides {
    float* min_x;
    float* max_x;
    float* min_y;
    float* max_y;
  };

 private:
  Work find_pairs_with(const RowIndex& others, PairBuffer& pairs, Workers& workers);

  struct Layout {
    bool knotted;
    double more_rows;  ///< a factor, for what is denser than expected
  };

  /// How well the rows fitted when they were measured.
  struct Measured {
    std::size_t boxes = 0;
    double waste = 0.0;
    double crossing = 0.0;
    std::uint32_t builds = 0;  ///< since; 0 to measure at the next
  };

  /// Tells whether there were so few boxes that they were put into one row; else each level has one at least.
  [[nodiscard]] bool is_one_row() const { return rows() == 1; }
  void build_in_one_row(const BoxSet& set);
  void build_in_rows(const BoxSet& set, Workers& workers);
  void build_with(const BoxSet& set, Workers& workers);
  void measure(const BoxSet& set, Layout layout);
  [[nodiscard]] bool still_fits() const;
  [[nodiscard]] double mean_waste(std::size_t samples) const;
  [[nodiscard]] double crossing_share() const;
  void make_keys(const BoxSet& set, Workers& workers);
  void sort(Workers& workers);
  void mark_occupied(std::size_t rows);
  void sort_row(std::size_t begin, std::size_t end);
  void place(const BoxSet& set, Workers& workers);
  void reserve_sides(const BoxSet& set);
  void place_some(const BoxSet& set, const BoxIndex* names, std::size_t begin, std::size_t end);
  void find_reaches(Workers& workers);
  Reach find_reaches_of(const Level& part);
  [[nodiscard]] std::size_t level_of(const Aabb& box) const;
  [[nodiscard]] View view() const {
    return {.keys = keys_.data(),
            .min_x = min_x_.data(),
            .max_x = max_x_.data(),
            .min_y = min_y_.data(),
            .max_y = max_y_.data(),
            .names = names_.data(),
            .class_bits = filtered_ ? class_bits_.data() : nullptr,
            .classes = classes_.data(),
            .filters = filters_.data(),
            .highest_keys = highest_keys_.data(),
            .crossing = crossing_.data(),
            .row_begin = row_begin_.data(),
            .occupied = occupied_.data(),
            .levels = levels_.data(),
            .columns = &columns_,
            .column_bits = column_bits_};
  }

  std::size_t size_ = 0;
  std::size_t occupied_rows_ = 0;
  Axis columns_;
  unsigned column_bits_ = 1;
  int finest_exponent_ = 0;
  std::array<Level, max_levels> levels_{};

  std::optional<float> row_height_;
  Measured measured_;
  float small_size_ = 0.0F;
  bool filtered_ = false;

  // The sort goes to and fro between keys and highest keys, names and crossing.
  std::vector<std::uint32_t> keys_;          ///< [n + padding] ascending
  std::vector<std::uint32_t> highest_keys_;  ///< [n + padding] where the run of a box in its own row ends
  std::vector<BoxIndex> names_;              ///< [n + padding]
  std::vector<std::uint32_t> crossing_;  ///< [n + padding] boxes that reach into rows above, level by level
  std::vector<float> min_x_;
  std::vector<float> max_x_;
  std::vector<float> min_y_;
  std::vector<float> max_y_;
  std::vector<std::uint32_t> class_bits_;  ///< [n + padding] where something is filtered
  std::vector<std::uint16_t> classes_;
  std::span<const FilterBits> filters_;
  std::vector<std::uint32_t> row_begin_;                        ///< [rows + 1]
  std::vector<std::uint64_t> occupied_;                         ///< [rows / 64] a bit for each row
  std::array<std::uint32_t, max_levels + 1> crossing_begin_{};  ///< of each level
  // Scratch:
  std::vector<std::uint32_t> counts_;         ///< [chunks x rows]
  std::vector<Reach> reaches_;                ///< [chunks]
  std::vector<std::uint32_t> begins_;         ///< [chunks]
  std::vector<std::vector<Cursor>> cursors_;  ///< [chunks][rows + 1]
  std::vector<Aabb> sample_;
  std::vector<float> values_;
  std::vector<float> knots_x_;
  std::vector<float> knots_y_;
};

}  // namespace broadside::detail
