#include "broadside/broad_phase/hash_grid.hpp"

#include <algorithm>
#include <limits>

#include "base/switches.hpp"
#include "broadside/broad_phase/cell_size.hpp"

namespace broadside {

using detail::cell_coordinate;
using detail::CellIndex;
using detail::CellRange;
using detail::CellTable;

namespace {

template <typename Visitor>
void for_each_cell(const CellRange& range, Visitor visit) {
  // 64-bit counters: the last cell may be the largest 32-bit one.
  for (std::int64_t y = range.first.y; y <= range.last.y; ++y) {
    for (std::int64_t x = range.first.x; x <= range.last.x; ++x) {
      visit(CellIndex{static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)});
    }
  }
}

}  // namespace

Result<std::unique_ptr<HashGrid>> HashGrid::create(const HashGridOptions& options) {
  if (options.cell_size) {
    const Vec2 size = *options.cell_size;
    if (!is_finite(size.x) || !is_finite(size.y) || !(size.x > 0.0F) || !(size.y > 0.0F)) {
      return Error{ErrorCode::invalid_argument, "cell size of the hash grid: must be positive and finite"};
    }
  }
  return std::unique_ptr<HashGrid>(new HashGrid(options));
}

CellRange HashGrid::range_of(const Aabb& box) const {
  constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
  constexpr auto highest = std::numeric_limits<std::int32_t>::max();
  const auto column = [this](float x) { return cell_coordinate(x, 0.0, cell_size_.x, lowest, highest); };
  const auto row = [this](float y) { return cell_coordinate(y, 0.0, cell_size_.y, lowest, highest); };
  return {{column(box.min.x), row(box.min.y)}, {column(box.max.x), row(box.max.y)}};
}

void HashGrid::enter(BoxIndex index) {
  const CellRange range = range_of(box_at(index));
  ranges_[index] = range;
  if (range.count() > detail::max_cells_per_box) {
    places_[index] = Place::in_large;
    large_.insert(std::lower_bound(large_.begin(), large_.end(), index), index);
    return;
  }
  places_[index] = Place::in_cells;
  for_each_cell(range, [&](CellIndex cell) { table_.insert(cell, index, is_dynamic(index)); });
}

void HashGrid::leave(BoxIndex index) {
  if (places_[index] == Place::in_large) {
    large_.erase(std::lower_bound(large_.begin(), large_.end(), index));
  } else {
    for_each_cell(ranges_[index], [&](CellIndex cell) { table_.erase(cell, index, is_dynamic(index)); });
  }
  places_[index] = Place::nowhere;
}

void HashGrid::on_added(std::span<const BoxIndex> indices) {
  if (!built_) {
    return;
  }
  ranges_.resize(slot_count());
  places_.resize(slot_count(), Place::nowhere);
  for (const BoxIndex index : indices) {
    enter(index);
  }
}

void HashGrid::on_moved(std::span<const BoxIndex> indices) {
  if (!built_) {
    return;
  }
  for (const BoxIndex index : indices) {
    if (range_of(box_at(index)) != ranges_[index]) {
      leave(index);
      enter(index);
    }
  }
}

void HashGrid::on_removed(BoxIndex index) {
  if (built_) {
    leave(index);
  }
}

void HashGrid::update_structure() {
  const bool outgrown = !options_.cell_size && decide(detail::Switch::cell_size,
                                                      size() > 2 * measured_at_ || 2 * size() < measured_at_);
  if (!built_ || outgrown) {
    rebuild();
  }
  statistics_.cells = table_.table().size();
  statistics_.occupied_cells = table_.occupied();
  statistics_.entries = table_.entries() + large_.size();
}

void HashGrid::rebuild() {
  table_.clear();
  large_.clear();
  ranges_.assign(slot_count(), {});
  places_.assign(slot_count(), Place::nowhere);
  if (options_.cell_size) {
    cell_size_ = *options_.cell_size;
  } else {
    std::vector<Aabb> boxes;
    boxes.reserve(size());
    for (BoxIndex i = 0; i < slot_count(); ++i) {
      if (is_used(i)) {
        boxes.push_back(box_at(i));
      }
    }
    const float side = suggest_cell_size(boxes).value();
    cell_size_ = {side, side};
    measured_at_ = size();
  }
  for (BoxIndex i = 0; i < slot_count(); ++i) {
    if (is_used(i)) {
      enter(i);
    }
  }
  built_ = true;
}

void HashGrid::collect_pairs(detail::PairBuffer& pairs) {
  for (BoxIndex i = 0; i < slot_count(); ++i) {
    if (places_[i] == Place::in_cells && is_dynamic(i)) {
      collect_pairs_around(i, pairs);
    }
  }
  collect_pairs_of_large(pairs);
}

void HashGrid::collect_pairs_around(BoxIndex index, detail::PairBuffer& pairs) {
  const CellRange& range = ranges_[index];
  const Aabb& box = box_at(index);
  statistics_.cells_visited += static_cast<std::uint64_t>(range.count());  // at most 64
  for_each_cell(range, [&](CellIndex cell) {
    const CellTable::Slot& slot = *table_.find(cell);
    for (const int dynamic : {0, 1}) {
      for (std::uint32_t e = slot.head[dynamic]; e != CellTable::none; e = table_.entry(e).next) {
        const BoxIndex other = table_.entry(e).box;
        // Of two dynamic boxes the one with the smaller index reports the pair.
        if ((dynamic == 1 && other <= index) || range.owner(ranges_[other]) != cell) {
          continue;
        }
        ++statistics_.tests;
        if (overlaps(box, box_at(other))) {
          pairs.push_back(ordered_pair(index, other));
        }
      }
    }
  });
}

void HashGrid::collect_pairs_of_large(detail::PairBuffer& pairs) {
  for (const BoxIndex i : large_) {
    for (BoxIndex j = 0; j < slot_count(); ++j) {
      // Two large boxes meet twice here; the one with the smaller index reports the pair.
      if (!is_used(j) || !can_touch(type_at(i), type_at(j)) || i == j ||
          (places_[j] == Place::in_large && j < i)) {
        continue;
      }
      ++statistics_.tests;
      if (overlaps(box_at(i), box_at(j))) {
        pairs.push_back(ordered_pair(i, j));
      }
    }
  }
}

void HashGrid::collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  const CellRange range = range_of(area);
  if (tests_all(range)) {
    for (BoxIndex i = 0; i < slot_count(); ++i) {
      if (is_used(i) && overlaps(box_at(i), area)) {
        hits.push_back(i);
      }
    }
    return;
  }
  for_each_cell(range, [&](CellIndex cell) {
    const CellTable::Slot* slot = table_.find(cell);
    if (slot == nullptr) {
      return;
    }
    for (const std::uint32_t head : slot->head) {
      for (std::uint32_t e = head; e != CellTable::none; e = table_.entry(e).next) {
        const BoxIndex i = table_.entry(e).box;
        if (range.owner(ranges_[i]) == cell && overlaps(box_at(i), area)) {
          hits.push_back(i);
        }
      }
    }
  });
  for (const BoxIndex i : large_) {
    if (overlaps(box_at(i), area)) {
      hits.push_back(i);
    }
  }
}

void HashGrid::count_visits(const Aabb& area) const {
  const CellRange range = range_of(area);
  if (tests_all(range)) {
    return;
  }
  for_each_cell(range, [&](CellIndex cell) {
    if (const CellTable::Slot* slot = table_.find(cell)) {
      count_visit(static_cast<std::size_t>(slot - table_.table().data()));
    }
  });
}

std::vector<Cell> HashGrid::cells() const {
  std::vector<Cell> result;
  for (std::size_t i = 0; i < table_.table().size(); ++i) {
    const CellTable::Slot& slot = table_.table()[i];
    if (slot.count > 0) {
      result.push_back(
          {.bounds = detail::cell_bounds(slot.cell.x, slot.cell.y, 0.0, 0.0, cell_size_.x, cell_size_.y),
           .boxes = slot.count,
           .looks = looks_at(i)});
    }
  }
  return result;
}

std::size_t HashGrid::structure_bytes() const {
  return table_.bytes() + ranges_.capacity() * sizeof(CellRange) + places_.capacity() * sizeof(Place) +
         large_.capacity() * sizeof(BoxIndex);
}

}  // namespace broadside
