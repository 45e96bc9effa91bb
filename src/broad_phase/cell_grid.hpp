#pragma once

#include <algorithm>
#include <vector>

#include "broadside/broad_phase/technique.hpp"
#include "cell_range.hpp"

namespace broadside::detail {

/// What grids of equal cells share: the cells that boxes cover, and the boxes that cover too many.
/// @tparam Grid the derived class; its `for_each_member(cell, visit)` visits the boxes of a cell
template <typename Grid>
class CellGrid : public Technique {
 protected:
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
    return ranges_.capacity() * sizeof(CellRange) + large_.capacity() * sizeof(BoxIndex);
  }

  [[nodiscard]] CellRange range_of(const Aabb& box) const {
    const auto cell = [this](Vec2 at) {
      return CellIndex{cell_coordinate(at.x, origin_.x, cell_size_.x, all_.first.x, all_.last.x),
                       cell_coordinate(at.y, origin_.y, cell_size_.y, all_.first.y, all_.last.y)};
    };
    return {cell(box.min), cell(box.max)};
  }
  [[nodiscard]] bool is_dynamic(BoxIndex index) const { return store().type(index) == BodyType::dynamic; }
  [[nodiscard]] bool is_large(BoxIndex index) const { return ranges_[index].count() > max_cells_per_box; }

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

  Vec2 origin_;
  Vec2 cell_size_{1.0F, 1.0F};
  CellRange all_;                  ///< coordinates beyond count as in the cells of the border
  std::vector<CellRange> ranges_;  ///< [slots]
  std::vector<BoxIndex> large_;    ///< boxes in too many cells: tested against everything
};

}  // namespace broadside::detail
