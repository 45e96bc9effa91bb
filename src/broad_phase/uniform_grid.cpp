#include "broadside/broad_phase/uniform_grid.hpp"

#include <algorithm>
#include <cmath>

#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/cell_size.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "cell_grid.hpp"
#include "create.hpp"

namespace broadside::inline v0_2 {

using detail::CellIndex;
using detail::CellRange;

namespace {

double cells_along(float min, float max, float cell_size) {
  return std::floor((double{max} - min) / cell_size) + 1.0;
}

double cell_count(const Aabb& bounds, Vec2 cell_size) {
  return cells_along(bounds.min.x, bounds.max.x, cell_size.x) *
         cells_along(bounds.min.y, bounds.max.y, cell_size.y);
}

class UniformGridTechnique final : public detail::CellGrid<UniformGridTechnique> {
 public:
  explicit UniformGridTechnique(const UniformGridOptions& options)
      : CellGrid(options.cell_size.has_value()), options_(options) {}

  [[nodiscard]] std::string_view name() const override { return "uniform-grid"; }

 private:
  friend detail::CellGrid<UniformGridTechnique>;

  void on_added(std::span<const BoxIndex> /*indices*/) override { stale_ = true; }
  void clear() override { stale_ = true; }
  void on_moved(std::span<const BoxIndex> indices) override { stale_ = stale_ || !indices.empty(); }
  void on_removed(BoxIndex /*index*/) override { stale_ = true; }
  void update() override;
  void collect_pairs(PairBuffer& pairs) override;
  void count_visits(const Aabb& area) const override;
  void visit_cells(CellVisitor visit) const override;
  [[nodiscard]] bool is_stale() const override { return stale_ || tests_all_; }
  [[nodiscard]] std::size_t bytes() const override;

  [[nodiscard]] bool enter_cells();
  void choose_cells();
  [[nodiscard]] std::uint64_t count_entries();
  void fill_cells();
  void drop_cells();
  [[nodiscard]] std::size_t number_of(CellIndex cell) const {
    const auto columns = static_cast<std::size_t>(all_.last.x) + 1;
    return static_cast<std::size_t>(cell.y) * columns + static_cast<std::size_t>(cell.x);
  }
  [[nodiscard]] bool has_cells() const { return !cell_start_.empty(); }
  [[nodiscard]] std::span<const BoxIndex> members(CellIndex cell) const;
  template <typename Visit>
  void for_each_member(CellIndex cell, const Visit& visit) const {
    for (const BoxIndex box : members(cell)) {
      visit(box);
    }
  }

  UniformGridOptions options_;
  bool stale_ = true;

  std::vector<BoxIndex> order_;  ///< the boxes held, dynamic ones first
  std::size_t dynamic_count_ = 0;
  std::vector<Aabb> measured_;  ///< scratch: the boxes held, to measure bounds or cell size
  std::vector<std::uint32_t>
      cell_start_;                 ///< [cells + 1] members of cell c: entries [start[c], start[c + 1])
  std::vector<BoxIndex> entries_;  ///< members by cell; in each cell the dynamic ones first
};

std::span<const BoxIndex> UniformGridTechnique::members(CellIndex cell) const {
  const std::uint32_t* const start = &cell_start_[number_of(cell)];
  return {entries_.data() + start[0], entries_.data() + start[1]};
}

void UniformGridTechnique::update() {
  if (!stale_) {
    return;
  }
  dynamic_count_ = detail::list_dynamic_first(store(), order_);
  tests_all_ = has_few_boxes() || !enter_cells();
  if (tests_all_) {
    drop_cells();
  }
  stale_ = false;
}

/// Chooses the cells and sorts the boxes into them; returns false if testing all boxes costs less.
bool UniformGridTechnique::enter_cells() {
  choose_cells();
  clear_cells();
  // The first estimate needs no cells: each box has at least one entry.
  const std::size_t cells = number_of(all_.last) + 1;
  if (prefers_all_pairs(cells, order_.size(), 0, dynamic_count_)) {
    return false;
  }
  const std::uint64_t checks = count_entries();
  if (prefers_all_pairs(cells, cell_start_.back(), checks, dynamic_count_)) {
    return false;
  }
  fill_cells();
  return true;
}

void UniformGridTechnique::choose_cells() {
  Aabb bounds;
  if (options_.bounds && options_.cell_size) {
    bounds = *options_.bounds;
    cell_size_ = *options_.cell_size;
  } else {
    measured_.clear();
    for (const BoxIndex i : order_) {
      measured_.push_back(store().box(i));
    }
    bounds = options_.bounds ? *options_.bounds : bounding_box(measured_).value();
    float size = suggest_cell_size(measured_).value();
    const double limit =
        std::min(1024.0 + 4.0 * static_cast<double>(measured_.size()), double{UniformGrid::max_cells});
    while (cell_count(bounds, {size, size}) > limit) {
      size *= 2.0F;
    }
    cell_size_ = {size, size};
  }
  origin_ = bounds.min;
  all_.last.x = static_cast<int>(cells_along(bounds.min.x, bounds.max.x, cell_size_.x)) - 1;
  all_.last.y = static_cast<int>(cells_along(bounds.min.y, bounds.max.y, cell_size_.y)) - 1;
}

// A counting sort by cell: count the members, sum up to starts, then insert each box.

/// Finds the cells of all boxes, and counts the entries up to the end of each cell. Returns the number of
/// owner checks of `collect_pairs`.
std::uint64_t UniformGridTechnique::count_entries() {
  const std::size_t cells = number_of(all_.last) + 1;
  resize_cells();
  cell_start_.assign(cells + 1, 0);
  for (const BoxIndex i : order_) {
    if (!claim_cells(i)) {
      large_.push_back(i);
    }
  }
  // From the back: each dynamic box is checked against those that are in its cells already.
  std::uint64_t checks = 0;
  for (std::size_t k = order_.size(); k-- > 0;) {
    if (!is_large(order_[k])) {
      ranges_[order_[k]].for_each([&](CellIndex cell) {
        std::uint32_t& count = cell_start_[number_of(cell)];
        checks += k < dynamic_count_ ? count : 0;
        ++count;
      });
    }
  }
  std::uint32_t total = 0;
  statistics_.cells = cells;
  for (std::uint32_t& start : cell_start_) {
    statistics_.occupied_cells += start > 0 ? 1 : 0;
    total += start;
    start = total;
  }
  statistics_.entries = total + large_.size();
  return checks;
}

void UniformGridTechnique::fill_cells() {
  // Each start holds its cell's end; filling from the back leaves it at the start.
  entries_.resize(cell_start_.back());
  for (std::size_t k = order_.size(); k-- > 0;) {
    const BoxIndex i = order_[k];
    if (!is_large(i)) {
      ranges_[i].for_each([this, i](CellIndex cell) { entries_[--cell_start_[number_of(cell)]] = i; });
    }
  }
}

void UniformGridTechnique::drop_cells() {
  clear_cells();
  cell_start_.clear();
  entries_.clear();
}

void UniformGridTechnique::collect_pairs(PairBuffer& pairs) {
  if (tests_all_) {
    statistics_.tests = detail::collect_all_pairs(store(), order_, dynamic_count_, pairs);
    return;
  }
  statistics_.cells_visited = statistics_.cells;
  all_.for_each([&](CellIndex cell) {
    const auto boxes = members(cell);
    for (std::size_t i = 0; i < boxes.size() && is_dynamic(boxes[i]); ++i) {
      const CellRange& range = ranges_[boxes[i]];
      statistics_.owner_checks += boxes.size() - i - 1;
      for (std::size_t j = i + 1; j < boxes.size(); ++j) {
        if (range.owner(ranges_[boxes[j]]) == cell) {
          test(boxes[i], boxes[j], pairs);
        }
      }
    }
  });
  collect_pairs_of_large([this](const auto& visit) { std::for_each(order_.begin(), order_.end(), visit); },
                         pairs);
}

void UniformGridTechnique::count_visits(const Aabb& area) const {
  range_of(area).for_each([this](CellIndex cell) { count_visit(number_of(cell)); });
}

void UniformGridTechnique::visit_cells(CellVisitor visit) const {
  if (!has_cells()) {
    return;
  }
  all_.for_each([&](CellIndex cell) {
    if (const auto boxes = members(cell); !boxes.empty()) {
      visit(drawn(cell, boxes.size(), number_of(cell)), boxes);
    }
  });
}

std::size_t UniformGridTechnique::bytes() const {
  return CellGrid::bytes() + (order_.capacity() + entries_.capacity()) * sizeof(BoxIndex) +
         measured_.capacity() * sizeof(Aabb) + cell_start_.capacity() * sizeof(std::uint32_t);
}

}  // namespace

UniformGrid::UniformGrid() : BroadPhase(technique().value()) {}

Result<std::unique_ptr<UniformGrid>> UniformGrid::create(const UniformGridOptions& options) {
  return detail::create_with<UniformGrid>(technique(options));
}

Result<std::unique_ptr<Technique>> UniformGrid::technique(const UniformGridOptions& options) {
  if (options.bounds) {
    if (Error error = validate(*options.bounds, "bounds of the uniform grid").error()) {
      return error;
    }
  }
  if (options.cell_size) {
    const Vec2 size = *options.cell_size;
    if (Error error = detail::check_cell_size(size, "uniform grid")) {
      return error;
    }
    if (!options.bounds) {
      return Error{ErrorCode::invalid_argument,
                   "cell size of the uniform grid: needs bounds too; without bounds use the hash grid"};
    }
    const double cells = cell_count(*options.bounds, size);
    if (cells > double{max_cells}) {
      return Error{ErrorCode::too_large,
                   "uniform grid: bounds and cell size make " +
                       std::to_string(static_cast<std::uint64_t>(std::min(cells, 1e18))) +
                       " cells, more than the limit of " + std::to_string(max_cells) +
                       "; use larger cells, smaller bounds or the hash grid"};
    }
  }
  return std::unique_ptr<Technique>(std::make_unique<UniformGridTechnique>(options));
}

}  // namespace broadside::inline v0_2
