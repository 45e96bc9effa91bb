#include "broadside/broad_phase/hash_grid.hpp"

#include <algorithm>
#include <limits>

#include "base/switches.hpp"
#include "broadside/broad_phase/cell_size.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "cell_range.hpp"
#include "cell_table.hpp"
#include "create.hpp"

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

class HashGridTechnique final : public Technique {
 public:
  explicit HashGridTechnique(const HashGridOptions& options) : options_(options) {}

  [[nodiscard]] std::string_view name() const override { return "hash-grid"; }

 private:
  enum class Place : unsigned char { nowhere, in_cells, in_large };

  void on_added(std::span<const BoxIndex> indices) override;
  void clear() override { built_ = false; }
  void on_moved(std::span<const BoxIndex> indices) override;
  void on_removed(BoxIndex index) override;
  void update() override;
  void collect_pairs(PairBuffer& pairs) override;
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override;
  void count_visits(const Aabb& area) const override;
  [[nodiscard]] float typical_cell_size() const override { return (std::max)(cell_size_.x, cell_size_.y); }
  [[nodiscard]] std::vector<Cell> cells() const override;
  [[nodiscard]] Vec2 cell_size() const override { return cell_size_; }
  [[nodiscard]] bool is_stale() const override { return !built_; }
  [[nodiscard]] std::size_t bytes() const override;

  void rebuild();
  void enter(BoxIndex index);
  void leave(BoxIndex index);
  void collect_pairs_around(BoxIndex index, PairBuffer& pairs);
  void collect_pairs_of_large(PairBuffer& pairs);
  [[nodiscard]] detail::CellRange range_of(const Aabb& box) const;
  /// Returns whether a query tests all boxes, as they are fewer than the cells of its range.
  [[nodiscard]] bool tests_all(const detail::CellRange& range) const {
    return range.count() > static_cast<double>(store().size());
  }
  [[nodiscard]] bool is_dynamic(BoxIndex index) const { return store().type(index) == BodyType::dynamic; }

  HashGridOptions options_;
  Vec2 cell_size_{1.0F, 1.0F};
  bool built_ = false;
  std::size_t measured_at_ = 0;  ///< number of boxes when the cell size was measured

  detail::CellTable table_;
  std::vector<detail::CellRange> ranges_;  ///< [slots] the cells that the box was inserted into
  std::vector<Place> places_;              ///< [slots]
  std::vector<BoxIndex> large_;            ///< ascending
};

CellRange HashGridTechnique::range_of(const Aabb& box) const {
  constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
  constexpr auto highest = std::numeric_limits<std::int32_t>::max();
  const auto column = [this](float x) { return cell_coordinate(x, 0.0, cell_size_.x, lowest, highest); };
  const auto row = [this](float y) { return cell_coordinate(y, 0.0, cell_size_.y, lowest, highest); };
  return {{column(box.min.x), row(box.min.y)}, {column(box.max.x), row(box.max.y)}};
}

void HashGridTechnique::enter(BoxIndex index) {
  const CellRange range = range_of(store().box(index));
  ranges_[index] = range;
  if (range.count() > detail::max_cells_per_box) {
    places_[index] = Place::in_large;
    large_.insert(std::lower_bound(large_.begin(), large_.end(), index), index);
    return;
  }
  places_[index] = Place::in_cells;
  for_each_cell(range, [&](CellIndex cell) { table_.insert(cell, index, is_dynamic(index)); });
}

void HashGridTechnique::leave(BoxIndex index) {
  if (places_[index] == Place::in_large) {
    large_.erase(std::lower_bound(large_.begin(), large_.end(), index));
  } else {
    for_each_cell(ranges_[index], [&](CellIndex cell) { table_.erase(cell, index, is_dynamic(index)); });
  }
  places_[index] = Place::nowhere;
}

void HashGridTechnique::on_added(std::span<const BoxIndex> indices) {
  if (!built_) {
    return;
  }
  ranges_.resize(store().slot_count());
  places_.resize(store().slot_count(), Place::nowhere);
  for (const BoxIndex index : indices) {
    enter(index);
  }
}

void HashGridTechnique::on_moved(std::span<const BoxIndex> indices) {
  if (!built_) {
    return;
  }
  for (const BoxIndex index : indices) {
    if (range_of(store().box(index)) != ranges_[index]) {
      leave(index);
      enter(index);
    }
  }
}

void HashGridTechnique::on_removed(BoxIndex index) {
  if (built_) {
    leave(index);
  }
}

void HashGridTechnique::update() {
  const bool outgrown =
      !options_.cell_size && decide(detail::Switch::cell_size,
                                    store().size() > 2 * measured_at_ || 2 * store().size() < measured_at_);
  if (!built_ || outgrown) {
    rebuild();
  }
  statistics_.cells = table_.table().size();
  statistics_.occupied_cells = table_.occupied();
  statistics_.entries = table_.entries() + large_.size();
}

void HashGridTechnique::rebuild() {
  table_.clear();
  large_.clear();
  ranges_.assign(store().slot_count(), {});
  places_.assign(store().slot_count(), Place::nowhere);
  if (options_.cell_size) {
    cell_size_ = *options_.cell_size;
  } else {
    std::vector<Aabb> boxes;
    boxes.reserve(store().size());
    store().for_each([&](BoxIndex index) { boxes.push_back(store().box(index)); });
    const float side = suggest_cell_size(boxes).value();
    cell_size_ = {side, side};
    measured_at_ = store().size();
  }
  store().for_each([&](BoxIndex index) { enter(index); });
  built_ = true;
}

void HashGridTechnique::collect_pairs(PairBuffer& pairs) {
  for (BoxIndex i = 0; i < store().slot_count(); ++i) {
    if (places_[i] == Place::in_cells && is_dynamic(i)) {
      collect_pairs_around(i, pairs);
    }
  }
  collect_pairs_of_large(pairs);
}

void HashGridTechnique::collect_pairs_around(BoxIndex index, PairBuffer& pairs) {
  const CellRange& range = ranges_[index];
  const Aabb& box = store().box(index);
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
        if (overlaps(box, store().box(other))) {
          pairs.push_back(ordered_pair(index, other));
        }
      }
    }
  });
}

void HashGridTechnique::collect_pairs_of_large(PairBuffer& pairs) {
  for (const BoxIndex i : large_) {
    for (BoxIndex j = 0; j < store().slot_count(); ++j) {
      // Two large boxes meet twice here; the one with the smaller index reports the pair.
      if (!store().is_used(j) || !can_touch(store().type(i), store().type(j)) || i == j ||
          (places_[j] == Place::in_large && j < i)) {
        continue;
      }
      ++statistics_.tests;
      if (overlaps(store().box(i), store().box(j))) {
        pairs.push_back(ordered_pair(i, j));
      }
    }
  }
}

void HashGridTechnique::collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  const CellRange range = range_of(area);
  if (tests_all(range)) {
    store().append_overlapping(area, hits);
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
        if (range.owner(ranges_[i]) == cell && overlaps(store().box(i), area)) {
          hits.push_back(i);
        }
      }
    }
  });
  for (const BoxIndex i : large_) {
    if (overlaps(store().box(i), area)) {
      hits.push_back(i);
    }
  }
}

void HashGridTechnique::count_visits(const Aabb& area) const {
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

std::vector<Cell> HashGridTechnique::cells() const {
  std::vector<Cell> result;
  for (std::size_t i = 0; i < table_.table().size(); ++i) {
    const CellTable::Slot& slot = table_.table()[i];
    if (slot.count > 0) {
      result.push_back(
          {.bounds = detail::cell_bounds(slot.cell.x, slot.cell.y, 0.0, 0.0, cell_size_.x, cell_size_.y),
           .boxes = slot.count,
           .looks = visits_of(i)});
    }
  }
  return result;
}

std::size_t HashGridTechnique::bytes() const {
  return table_.bytes() + ranges_.capacity() * sizeof(CellRange) + places_.capacity() * sizeof(Place) +
         large_.capacity() * sizeof(BoxIndex);
}

}  // namespace

HashGrid::HashGrid() : HashGrid(technique().value()) {}

HashGrid::HashGrid(std::unique_ptr<Technique> technique) : BroadPhase(std::move(technique)) {}

Result<std::unique_ptr<HashGrid>> HashGrid::create(const HashGridOptions& options) {
  return detail::create_with<HashGrid>(
      technique(options), [](std::unique_ptr<Technique> made) { return new HashGrid(std::move(made)); });
}

Result<std::unique_ptr<Technique>> HashGrid::technique(const HashGridOptions& options) {
  if (options.cell_size) {
    if (Error error = detail::check_cell_size(*options.cell_size, "hash grid")) {
      return error;
    }
  }
  return std::unique_ptr<Technique>(std::make_unique<HashGridTechnique>(options));
}

}  // namespace broadside
