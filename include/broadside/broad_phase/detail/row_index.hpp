#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/detail/cell_range.hpp"

namespace broadside::detail {

/// Boxes sorted by (level, row, min x): the structure behind `HierarchicalGrid` and `find_pairs`.
///
/// A box of level L fits a square of side 2^L up to one border: it touches at most two rows and two columns
/// of that pitch. It stands in the row of its min y alone.
///
///      row r+1 │   ┌──┐      ┌───┐             a box meets boxes of its own level only in
///      ────────┼───┼──┼──────┼───┼────────       its own row, to the right of it,    (1)
///      row r   │ ┌─┼┐ └──┐ ┌─┴─┐ │ ┌──┐          and in the next row.                (2)
///              │ └─┴┘    │ │   │ │ │  │        It finds the boxes of finer levels by looking
///              └─────────┴─┴───┴─┴─┴──┴─       down: the rows it covers, and one below.  (3)
///
/// In a row, sorted by min x, whatever can touch a box is one contiguous run. It starts one column before the
/// box's own, found by binary search, and ends at its max x. Nothing grows with the size of the world: only
/// rows that hold a box exist.
///
/// Exactness: a pitch is a power of two, so scaling a float by it is exact in double; rows and columns are
/// integers held in doubles, without overflow for any finite float. Source: levels by size after C. Ericson,
/// "Real-Time Collision Detection", 2005, section 7.2; rows swept by min x after P. Terdiman,
/// "Sweep-and-prune", 2007.
class RowIndex {
 public:
  /// Forgets all boxes; keeps the memory.
  void clear();

  /// Takes in a box for the next `build`.
  void add(const Aabb& box, BoxIndex index) { items_.push_back({box, index}); }

  /// Sorts the boxes taken in. Complexity: O(n log n).
  void build();

  /// Calls `visit(i, j)` for each overlapping pair once; returns the number of tests.
  template <typename Visitor>
  std::uint64_t for_each_pair(Visitor visit) const;

  /// Calls `visit(i)` for each box that overlaps `area`; returns the number of tests.
  /// Complexity: O(rows that the area covers · log n + tests).
  template <typename Visitor>
  std::uint64_t for_each_in(const Aabb& area, Visitor visit) const {
    return look_down(area, levels_.size(), visit);
  }

  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  [[nodiscard]] std::size_t levels() const { return levels_.size(); }
  [[nodiscard]] std::size_t bytes() const;

  /// Appends the squares of side 2^L that boxes of level L touch, for drawing.
  void append_cells(std::vector<Cell>& cells) const;

 private:
  struct Item {
    Aabb box;
    BoxIndex index;
  };
  struct Key {
    double row;
    int level;
    float min_x;
    std::uint32_t item;
    BoxIndex index;
  };
  struct Row {
    double number;
    std::uint32_t begin;  ///< items [begin, end)
    std::uint32_t end;
  };
  struct Level {
    double pitch;          ///< 2^L (unit: length)
    double inverse_pitch;  ///< 2^-L
    std::uint32_t begin;   ///< rows [begin, end)
    std::uint32_t end;
  };

  [[nodiscard]] int finest_level();
  [[nodiscard]] static double cell(float position, double inverse_pitch) {
    return std::floor(position * inverse_pitch);
  }
  /// The first item of the row whose box may reach as far right as `x`.
  [[nodiscard]] std::uint32_t first_reaching(const Row& row, const Level& level, float x) const {
    const double start = (cell(x, level.inverse_pitch) - 1.0) * level.pitch;
    const auto before = [](const Item& item, double value) { return double{item.box.min.x} < value; };
    const auto begin = items_.begin();
    return static_cast<std::uint32_t>(std::lower_bound(begin + row.begin, begin + row.end, start, before) -
                                      begin);
  }
  template <typename Visitor>
  std::uint64_t sweep(const Aabb& box, std::uint32_t from, std::uint32_t end, Visitor& visit) const {
    std::uint32_t i = from;
    for (; i < end && items_[i].box.min.x <= box.max.x; ++i) {
      if (overlaps(items_[i].box, box)) {
        visit(items_[i].index);
      }
    }
    return i - from;
  }
  /// Visits what overlaps `box` in the finest `levels` levels.
  template <typename Visitor>
  std::uint64_t look_down(const Aabb& box, std::size_t levels, Visitor& visit) const;

  std::vector<Item> items_;
  std::vector<Item> sorted_;     ///< swapped with items_ by build
  std::vector<Key> keys_;        ///< scratch of build
  std::vector<double> extents_;  ///< scratch of build
  std::vector<Row> rows_;
  std::vector<Level> levels_;  ///< finest first
};

template <typename Visitor>
std::uint64_t RowIndex::look_down(const Aabb& box, std::size_t levels, Visitor& visit) const {
  std::uint64_t tests = 0;
  for (std::size_t l = 0; l < levels; ++l) {
    const Level& level = levels_[l];
    // A box that stands in the row below may reach up into the first row covered.
    const double first = cell(box.min.y, level.inverse_pitch) - 1.0;
    const double last = cell(box.max.y, level.inverse_pitch);
    const auto before = [](const Row& row, double number) { return row.number < number; };
    const auto end = rows_.begin() + level.end;
    for (auto row = std::lower_bound(rows_.begin() + level.begin, end, first, before);
         row != end && row->number <= last; ++row) {
      tests += sweep(box, first_reaching(*row, level, box.min.x), row->end, visit);
    }
  }
  return tests;
}

template <typename Visitor>
std::uint64_t RowIndex::for_each_pair(Visitor visit) const {
  std::uint64_t tests = 0;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Level& level = levels_[l];
    for (std::uint32_t r = level.begin; r < level.end; ++r) {
      const Row& row = rows_[r];
      const bool has_next = r + 1 < level.end && rows_[r + 1].number == row.number + 1.0;
      std::uint32_t next = has_next ? rows_[r + 1].begin : 0;
      for (std::uint32_t i = row.begin; i < row.end; ++i) {
        const Aabb& box = items_[i].box;
        const auto visit_with = [&, a = items_[i].index](BoxIndex b) { visit(a, b); };
        tests += sweep(box, i + 1, row.end, visit_with);
        if (has_next && cell(box.max.y, level.inverse_pitch) > row.number) {
          // Boxes come by ascending min x, so the start of the run only ever moves right.
          const double start = (cell(box.min.x, level.inverse_pitch) - 1.0) * level.pitch;
          while (next < rows_[r + 1].end && items_[next].box.min.x < start) {
            ++next;
          }
          tests += sweep(box, next, rows_[r + 1].end, visit_with);
        }
        tests += look_down(box, l, visit_with);
      }
    }
  }
  return tests;
}

}  // namespace broadside::detail
