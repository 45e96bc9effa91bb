#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/number_text.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "cell_range.hpp"

namespace broadside::detail {

/// What grids of equal cells share: the cells that boxes cover, and the boxes that cover too many.
///
/// A box in up to 64 cells always enters them. With a cell size that the caller gave, larger boxes do so,
/// too, as long as all of these together cover at most `max_more_entries` cells: then small cells cost
/// memory, and tests become fewer. What is beyond is tested against everything, which limits the memory for
/// any cell size.
/// @tparam Grid the derived class; its `for_each_member(cell, visit)` visits the boxes of a cell
template <typename Grid>
class CellGrid : public Technique {
 public:
  [[nodiscard]] std::string tuning() const override {
    if (store().size() == 0) {
      return "there are no boxes";
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
  [[nodiscard]] Vec2 cell_size() const override { return cell_size_; }
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

  /// Tests two boxes that may touch.
  void test(BoxIndex a, BoxIndex b, PairBuffer& pairs) {
    ++statistics_.tests;
    if (overlaps(store().box(a), store().box(b))) {
      pairs.push_back(ordered_pair(a, b));
    }
  }
  /// Tests the large boxes against all boxes, which `for_each_box` visits.
  template <typename ForEachBox>
  void collect_pairs_of_large(const ForEachBox& for_each_box, PairBuffer& pairs) {
    for (const BoxIndex i : large_) {
      for_each_box([&](BoxIndex j) {
        // Two large boxes meet twice here; the one with the smaller index reports the pair.
        if (i != j && can_touch(store().type(i), store().type(j)) && (!is_large(j) || i < j)) {
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
  Vec2 origin_;
  Vec2 cell_size_{1.0F, 1.0F};
  CellRange all_;                       ///< coordinates beyond count as in the cells of the border
  double more_entries_ = 0.0;           ///< that boxes in more than 64 cells may still claim
  std::vector<CellRange> ranges_;       ///< [slots]
  std::vector<std::uint8_t> is_large_;  ///< [slots]
  std::vector<BoxIndex> large_;         ///< boxes in too many cells
};

}  // namespace broadside::detail
