#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "all_pairs.hpp"
#include "base/number_text.hpp"
#include "base/switches.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "cell_range.hpp"

namespace broadside::inline v0_2::detail {

/// What grids of equal cells share: the cells that boxes cover, and the boxes that cover too many.
///
/// A box in up to 64 cells always enters them. With a cell size that the caller gave, larger boxes do so,
/// too, as long as all of these together cover at most `max_more_entries` cells: then small cells cost
/// memory, and tests become fewer. What is beyond is tested against everything, which limits the memory for
/// any cell size.
///
/// Where the caller gave no cell size, and cells would cost more than testing all boxes, all are tested.
/// @tparam Grid the derived class; its `for_each_member(cell, visit)` visits the boxes of a cell, and its
/// `has_cells()` returns whether boxes have entered cells
template <typename Grid>
class CellGrid : public Technique {
 public:
  [[nodiscard]] std::string tuning() const override {
    if (store().size() == 0) {
      return "there are no boxes";
    }
    if (tests_all_) {
      return "all " + std::to_string(store().size()) +
             " boxes are tested against each other: cells would cost more";
    }
    std::string text = "cells of " + number_text(cell_size_.x, 3) + " x " + number_text(cell_size_.y, 3) +
                       (is_size_given_ ? ", as given: " : ", measured: ") +
                       std::to_string(statistics_.entries) + " entries for " +
                       std::to_string(store().size()) + " boxes";
    if (!large_.empty()) {
      text += "; " + std::to_string(large_.size()) +
              " of them cover too many cells and are tested against all boxes";
    }
    return text;
  }

 protected:
  explicit CellGrid(bool is_size_given) : is_size_given_(is_size_given) {}

  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override {
    const CellRange range = range_of(area);
    const auto add = [&](BoxIndex i) {
      if (overlaps(store().box(i), area)) {
        hits.push_back(i);
      }
    };
    range.for_each([&](CellIndex cell) {
      static_cast<const Grid&>(*this).for_each_member(cell, [&](BoxIndex i) {
        if (range.owner(ranges_[i]) == cell) {
          add(i);
        }
      });
    });
    std::for_each(large_.begin(), large_.end(), add);
  }
  [[nodiscard]] float typical_cell_size() const override { return (std::max)(cell_size_.x, cell_size_.y); }
  [[nodiscard]] Vec2 cell_size() const override {
    return static_cast<const Grid&>(*this).has_cells() ? cell_size_ : Vec2{};
  }
  [[nodiscard]] bool applies_filters() const override { return true; }
  [[nodiscard]] std::size_t bytes() const override {
    return ranges_.capacity() * sizeof(CellRange) + is_large_.capacity() +
           large_.capacity() * sizeof(BoxIndex);
  }

  [[nodiscard]] CellRange range_of(const Aabb& box) const {
    const auto cell = [this](Vec2 at) {
      return CellIndex{cell_coordinate(at.x, origin_.x, cell_size_.x, all_.first.x, all_.last.x),
                       cell_coordinate(at.y, origin_.y, cell_size_.y, all_.first.y, all_.last.y)};
    };
    return {cell(box.min), cell(box.max)};
  }
  [[nodiscard]] bool is_dynamic(BoxIndex index) const { return store().type(index) == BodyType::dynamic; }
  [[nodiscard]] bool is_large(BoxIndex index) const { return is_large_[index] != 0; }

  /// Forgets the cells of all boxes.
  void clear_cells() {
    statistics_.cells = 0;
    statistics_.occupied_cells = 0;
    statistics_.entries = 0;
    large_.clear();
    more_entries_ = is_size_given_ ? max_more_entries : 0.0;
  }
  /// Makes space for the boxes that were added.
  void resize_cells() {
    ranges_.resize(store().slot_count());
    is_large_.resize(store().slot_count());
  }
  /// Finds the cells of a box; returns whether it enters them, or is large.
  bool claim_cells(BoxIndex index) {
    ranges_[index] = range_of(store().box(index));
    const double more = more_entries_of(index);
    is_large_[index] = more <= more_entries_ ? 0 : 1;
    more_entries_ -= is_large(index) ? 0.0 : more;
    return !is_large(index);
  }
  /// Takes back what a box claimed. @pre the box is not large
  void release_cells(BoxIndex index) { more_entries_ += more_entries_of(index); }

  /// Returns whether the boxes are so few that measuring them costs more than testing all.
  [[nodiscard]] bool has_few_boxes() const {
    constexpr std::size_t few = 80;  // measured
    return !is_size_given_ && decide(Switch::all_pairs, store().size() <= few);
  }
  /// Returns whether testing all boxes costs less than cells: this many cells to visit, entries of boxes, and
  /// owner checks.
  [[nodiscard]] bool prefers_all_pairs(std::size_t cells, std::size_t entries, std::uint64_t checks,
                                       std::size_t dynamic_count) const {
    // Measured (unit: a test of two boxes that follow each other in an array).
    constexpr double cost_of_entry = 8.0;
    constexpr double cost_of_check = 3.0;
    const double cost = static_cast<double>(cells) + cost_of_entry * static_cast<double>(entries) +
                        cost_of_check * static_cast<double>(checks) +
                        static_cast<double>(large_.size()) * static_cast<double>(store().size());
    return !is_size_given_ &&
           decide(Switch::all_pairs, cost > count_all_pairs(store().size(), dynamic_count));
  }

  void test(BoxIndex a, BoxIndex b, PairBuffer& pairs) { test_pair(store(), a, b, statistics_.tests, pairs); }
  /// Tests the large boxes against all boxes, which `for_each_box` visits.
  template <typename ForEachBox>
  void collect_pairs_of_large(const ForEachBox& for_each_box, PairBuffer& pairs) {
    for (const BoxIndex i : large_) {
      for_each_box([&](BoxIndex j) {
        // Two large boxes meet twice here; the one with the smaller index reports the pair.
        if (i != j && (!is_large(j) || i < j)) {
          test(i, j, pairs);
        }
      });
    }
  }
  /// Returns a cell for drawing. `number` is that of its visit counter.
  [[nodiscard]] Cell drawn(CellIndex cell, std::size_t boxes, std::size_t number) const {
    return {.bounds = cell_bounds(cell.x, cell.y, origin_.x, origin_.y, cell_size_.x, cell_size_.y),
            .boxes = boxes,
            .visits = visits_of(number)};
  }

  static constexpr double max_cells_of_any = 64.0;
  static constexpr double max_more_entries = 0x1p16;

  /// Returns the entries of a box that count towards `max_more_entries`.
  [[nodiscard]] double more_entries_of(BoxIndex index) const {
    const double count = ranges_[index].count();
    return count <= max_cells_of_any ? 0.0 : count;
  }

  bool is_size_given_;
  bool tests_all_ = false;  ///< instead of the boxes of each cell
  Vec2 origin_;
  Vec2 cell_size_{1.0F, 1.0F};
  CellRange all_;                       ///< coordinates beyond count as in the cells of the border
  double more_entries_ = 0.0;           ///< that boxes in more than 64 cells may still claim
  std::vector<CellRange> ranges_;       ///< [slots]
  std::vector<std::uint8_t> is_large_;  ///< [slots]
  std::vector<BoxIndex> large_;         ///< boxes in too many cells
};

}  // namespace broadside::inline v0_2::detail
