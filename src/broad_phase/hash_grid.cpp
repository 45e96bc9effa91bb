#include "broadside/broad_phase/hash_grid.hpp"

#include <algorithm>
#include <limits>

#include "base/switches.hpp"
#include "broadside/broad_phase/cell_size.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "cell_grid.hpp"
#include "cell_table.hpp"
#include "create.hpp"

namespace broadside::inline v0_2 {

using detail::CellIndex;
using detail::CellRange;
using detail::CellTable;

namespace {

class HashGridTechnique final : public detail::CellGrid<HashGridTechnique> {
 public:
  explicit HashGridTechnique(const HashGridOptions& options)
      : CellGrid(options.cell_size.has_value()), options_(options) {
    constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
    constexpr auto highest = std::numeric_limits<std::int32_t>::max();
    all_ = {{lowest, lowest}, {highest, highest}};
  }

  [[nodiscard]] std::string_view name() const override { return "hash-grid"; }

 private:
  friend detail::CellGrid<HashGridTechnique>;

  void on_added(std::span<const BoxIndex> indices) override;
  void clear() override { built_ = false; }
  void on_moved(std::span<const BoxIndex> indices) override;
  void on_removed(BoxIndex index) override;
  void update() override;
  void collect_pairs(PairBuffer& pairs) override;
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override;
  void count_visits(const Aabb& area) const override;
  void visit_cells(CellVisitor visit) const override;
  [[nodiscard]] bool is_stale() const override { return !built_; }
  [[nodiscard]] std::size_t bytes() const override {
    return table_.bytes() + CellGrid::bytes() + order_.capacity() * sizeof(BoxIndex);
  }

  void drop_cells();
  void measure_cell_size();
  [[nodiscard]] bool has_cells() const { return built_; }
  void enter(BoxIndex index);
  void leave(BoxIndex index);
  template <typename Visit>
  void for_each_member(CellIndex cell, const Visit& visit) const {
    if (const CellTable::Slot* slot = table_.find(cell)) {
      for (const std::uint32_t head : slot->head) {
        for (std::uint32_t e = head; e != CellTable::none; e = table_.entry(e).next) {
          visit(table_.entry(e).box);
        }
      }
    }
  }
  /// Returns whether a query tests all boxes, as they are fewer than the cells of its range.
  [[nodiscard]] bool query_tests_all(const detail::CellRange& range) const {
    return range.count() > static_cast<double>(store().size());
  }

  HashGridOptions options_;
  bool built_ = false;
  std::size_t measured_at_ = 0;  ///< number of boxes when the cell size was measured

  detail::CellTable table_;
  std::vector<BoxIndex> order_;  ///< scratch of `collect_pairs`
};

void HashGridTechnique::enter(BoxIndex index) {
  if (claim_cells(index)) {
    ranges_[index].for_each([&](CellIndex cell) { table_.insert(cell, index, is_dynamic(index)); });
  } else {
    large_.insert(std::lower_bound(large_.begin(), large_.end(), index), index);  // ascending
  }
}

void HashGridTechnique::leave(BoxIndex index) {
  if (is_large(index)) {
    large_.erase(std::lower_bound(large_.begin(), large_.end(), index));
    return;
  }
  ranges_[index].for_each([&](CellIndex cell) { table_.erase(cell, index, is_dynamic(index)); });
  release_cells(index);
}

void HashGridTechnique::on_added(std::span<const BoxIndex> indices) {
  if (!built_) {
    return;
  }
  resize_cells();
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
  if (has_few_boxes()) {
    drop_cells();
    tests_all_ = true;
    return;
  }
  const bool outgrown =
      !options_.cell_size && decide(detail::Switch::cell_size,
                                    store().size() > 2 * measured_at_ || 2 * store().size() < measured_at_);
  if (!built_ || outgrown) {
    drop_cells();
    resize_cells();
    measure_cell_size();
    store().for_each([&](BoxIndex index) { enter(index); });
    built_ = true;
  }
  statistics_.cells = table_.table().size();
  statistics_.occupied_cells = table_.occupied();
  statistics_.entries = table_.entries() + large_.size();
}

void HashGridTechnique::drop_cells() {
  built_ = false;
  table_.clear();
  clear_cells();
}

void HashGridTechnique::measure_cell_size() {
  if (options_.cell_size) {
    cell_size_ = *options_.cell_size;
    return;
  }
  std::vector<Aabb> boxes;
  boxes.reserve(store().size());
  store().for_each([&](BoxIndex index) { boxes.push_back(store().box(index)); });
  const float side = suggest_cell_size(boxes).value();
  cell_size_ = {side, side};
  measured_at_ = store().size();
}

void HashGridTechnique::collect_pairs(PairBuffer& pairs) {
  const auto for_each_box = [this](const auto& visit) { store().for_each(visit); };
  if (built_ && !options_.cell_size) {
    std::size_t dynamic_count = 0;
    for_each_box([&](BoxIndex index) { dynamic_count += is_dynamic(index) ? 1 : 0; });
    tests_all_ = prefers_all_pairs(0, table_.dynamic_entries(), table_.pairs(), dynamic_count);
  }
  if (tests_all_) {
    const std::size_t dynamic_count = detail::list_dynamic_first(store(), order_);
    statistics_.tests = detail::collect_all_pairs(store(), order_, dynamic_count, pairs);
    return;
  }
  for_each_box([&](BoxIndex index) {
    if (!is_dynamic(index) || is_large(index)) {
      return;
    }
    const CellRange& range = ranges_[index];
    statistics_.cells_visited += static_cast<std::uint64_t>(range.count());
    range.for_each([&](CellIndex cell) {
      for_each_member(cell, [&](BoxIndex other) {
        // Of two dynamic boxes the one with the smaller index reports the pair.
        if (is_dynamic(other) && other <= index) {
          return;
        }
        ++statistics_.owner_checks;
        if (range.owner(ranges_[other]) == cell) {
          test(index, other, pairs);
        }
      });
    });
  });
  collect_pairs_of_large(for_each_box, pairs);
}

void HashGridTechnique::collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  if (query_tests_all(range_of(area))) {
    store().append_overlapping(area, hits);
  } else {
    CellGrid::collect_area(area, hits);
  }
}

void HashGridTechnique::count_visits(const Aabb& area) const {
  const CellRange range = range_of(area);
  if (query_tests_all(range)) {
    return;
  }
  range.for_each([&](CellIndex cell) {
    if (const CellTable::Slot* slot = table_.find(cell)) {
      count_visit(static_cast<std::size_t>(slot - table_.table().data()));
    }
  });
}

void HashGridTechnique::visit_cells(CellVisitor visit) const {
  std::vector<BoxIndex> members;
  for (std::size_t i = 0; i < table_.table().size(); ++i) {
    const CellTable::Slot& slot = table_.table()[i];
    if (slot.count() > 0) {
      members.clear();
      for_each_member(slot.cell, [&](BoxIndex index) { members.push_back(index); });
      visit(drawn(slot.cell, slot.count(), i), members);
    }
  }
}

}  // namespace

HashGrid::HashGrid() : BroadPhase(technique().value()) {}

Result<std::unique_ptr<HashGrid>> HashGrid::create(const HashGridOptions& options) {
  return detail::create_with<HashGrid>(technique(options));
}

Result<std::unique_ptr<Technique>> HashGrid::technique(const HashGridOptions& options) {
  if (options.cell_size) {
    if (Error error = detail::check_cell_size(*options.cell_size, "hash grid")) {
      return error;
    }
  }
  return std::unique_ptr<Technique>(std::make_unique<HashGridTechnique>(options));
}

}  // namespace broadside::inline v0_2
