#include "broadside/broad_phase/uniform_grid.hpp"

#include <cmath>

#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/cell_size.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "cell_range.hpp"
#include "create.hpp"
#include "dynamic_first.hpp"

namespace broadside {

using detail::cell_coordinate;
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

class UniformGridTechnique final : public Technique {
 public:
  explicit UniformGridTechnique(const UniformGridOptions& options) : options_(options) {}

  [[nodiscard]] std::string_view name() const override { return "uniform-grid"; }

 private:
  void on_added(std::span<const BoxIndex> /*indices*/) override { stale_ = true; }
  void clear() override { stale_ = true; }
  void on_moved(std::span<const BoxIndex> indices) override { stale_ = stale_ || !indices.empty(); }
  void on_removed(BoxIndex /*index*/) override { stale_ = true; }
  void update() override;
  void collect_pairs(PairBuffer& pairs) override;
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override;
  void count_visits(const Aabb& area) const override;
  [[nodiscard]] float typical_cell_size() const override { return (std::max)(cell_size_.x, cell_size_.y); }
  [[nodiscard]] std::vector<Cell> cells() const override;
  [[nodiscard]] Vec2 cell_size() const override { return cell_size_; }
  [[nodiscard]] bool is_stale() const override { return stale_; }
  [[nodiscard]] std::size_t bytes() const override;

  void lay_out_cells();
  void fill_cells();
  void collect_pairs_of_large(PairBuffer& pairs);
  [[nodiscard]] detail::CellRange range_of(const Aabb& box) const;
  [[nodiscard]] bool is_large(BoxIndex index) const {
    return ranges_[index].count() > detail::max_cells_per_box;
  }
  [[nodiscard]] std::size_t cell_number(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(x);
  }
  [[nodiscard]] std::span<const BoxIndex> members(int x, int y) const;

  UniformGridOptions options_;
  Aabb bounds_;
  Vec2 cell_size_{1.0F, 1.0F};
  int columns_ = 1;
  int rows_ = 1;
  bool stale_ = true;

  std::vector<BoxIndex> order_;  ///< the boxes held, dynamic ones first
  std::size_t dynamic_count_ = 0;
  std::vector<Aabb> measured_;             ///< scratch: the boxes held, to measure bounds or cell size
  std::vector<detail::CellRange> ranges_;  ///< [slots]
  std::vector<std::uint32_t>
      cell_start_;                 ///< [cells + 1] members of cell c: entries [start[c], start[c + 1])
  std::vector<BoxIndex> entries_;  ///< members by cell; in each cell the dynamic ones first
  std::vector<BoxIndex> large_;    ///< boxes in too many cells: tested against everything
};

void UniformGridTechnique::lay_out_cells() {
  if (options_.bounds && options_.cell_size) {
    bounds_ = *options_.bounds;
    cell_size_ = *options_.cell_size;
  } else {
    measured_.clear();
    for (const BoxIndex i : order_) {
      measured_.push_back(store().box(i));
    }
    bounds_ = options_.bounds ? *options_.bounds : bounding_box(measured_).value();
    float size = suggest_cell_size(measured_).value();
    const double limit =
        std::min(1024.0 + 4.0 * static_cast<double>(measured_.size()), double{UniformGrid::max_cells});
    while (cell_count(bounds_, {size, size}) > limit) {
      size *= 2.0F;
    }
    cell_size_ = {size, size};
  }
  columns_ = static_cast<int>(cells_along(bounds_.min.x, bounds_.max.x, cell_size_.x));
  rows_ = static_cast<int>(cells_along(bounds_.min.y, bounds_.max.y, cell_size_.y));
}

CellRange UniformGridTechnique::range_of(const Aabb& box) const {
  const auto column = [this](float x) {
    return cell_coordinate(x, bounds_.min.x, cell_size_.x, 0, columns_ - 1);
  };
  const auto row = [this](float y) { return cell_coordinate(y, bounds_.min.y, cell_size_.y, 0, rows_ - 1); };
  return {{column(box.min.x), row(box.min.y)}, {column(box.max.x), row(box.max.y)}};
}

std::span<const BoxIndex> UniformGridTechnique::members(int x, int y) const {
  const std::size_t cell = cell_number(x, y);
  return {entries_.data() + cell_start_[cell], entries_.data() + cell_start_[cell + 1]};
}

void UniformGridTechnique::update() {
  if (!stale_) {
    return;
  }
  dynamic_count_ = detail::list_dynamic_first(store(), order_);
  lay_out_cells();
  fill_cells();
  stale_ = false;
}

// A counting sort by cell: count the members, sum up to starts, then insert each box.
void UniformGridTechnique::fill_cells() {
  const std::size_t cells = static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_);
  ranges_.resize(store().slot_count());
  large_.clear();
  cell_start_.assign(cells + 1, 0);

  const auto for_each_cell = [this](BoxIndex i, auto visit) {
    const CellRange& range = ranges_[i];
    for (int y = range.first.y; y <= range.last.y; ++y) {
      for (int x = range.first.x; x <= range.last.x; ++x) {
        visit(cell_number(x, y));
      }
    }
  };
  for (const BoxIndex i : order_) {
    ranges_[i] = range_of(store().box(i));
    if (is_large(i)) {
      large_.push_back(i);
    } else {
      for_each_cell(i, [this](std::size_t cell) { ++cell_start_[cell]; });
    }
  }
  std::uint32_t total = 0;
  statistics_.occupied_cells = 0;
  for (std::uint32_t& start : cell_start_) {
    const std::uint32_t count = start;
    statistics_.occupied_cells += count > 0 ? 1 : 0;
    total += count;
    start = total;
  }
  // Each start now holds its cell's end; filling from the back leaves it at the start.
  entries_.resize(total);
  for (std::size_t k = order_.size(); k-- > 0;) {
    const BoxIndex i = order_[k];
    if (!is_large(i)) {
      for_each_cell(i, [this, i](std::size_t cell) { entries_[--cell_start_[cell]] = i; });
    }
  }
  statistics_.cells = cells;
  statistics_.entries = entries_.size() + large_.size();
}

void UniformGridTechnique::collect_pairs(PairBuffer& pairs) {
  statistics_.cells_visited += statistics_.cells;
  for (int y = 0; y < rows_; ++y) {
    for (int x = 0; x < columns_; ++x) {
      const auto cell = members(x, y);
      for (std::size_t i = 0; i < cell.size() && store().type(cell[i]) == BodyType::dynamic; ++i) {
        const CellRange& range = ranges_[cell[i]];
        for (std::size_t j = i + 1; j < cell.size(); ++j) {
          if (range.owner(ranges_[cell[j]]) != CellIndex{x, y}) {
            continue;
          }
          ++statistics_.tests;
          if (overlaps(store().box(cell[i]), store().box(cell[j]))) {
            pairs.push_back(ordered_pair(cell[i], cell[j]));
          }
        }
      }
    }
  }
  collect_pairs_of_large(pairs);
}

void UniformGridTechnique::collect_pairs_of_large(PairBuffer& pairs) {
  for (const BoxIndex i : large_) {
    const std::size_t partners = store().type(i) == BodyType::dynamic ? order_.size() : dynamic_count_;
    for (std::size_t k = 0; k < partners; ++k) {
      const BoxIndex j = order_[k];
      // Two large boxes meet twice here; the one with the smaller index reports the pair.
      if (i == j || (is_large(j) && j < i)) {
        continue;
      }
      ++statistics_.tests;
      if (overlaps(store().box(i), store().box(j))) {
        pairs.push_back(ordered_pair(i, j));
      }
    }
  }
}

void UniformGridTechnique::collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const {
  const CellRange range = range_of(area);
  for (int y = range.first.y; y <= range.last.y; ++y) {
    for (int x = range.first.x; x <= range.last.x; ++x) {
      for (const BoxIndex i : members(x, y)) {
        if (range.owner(ranges_[i]) == CellIndex{x, y} && overlaps(store().box(i), area)) {
          hits.push_back(i);
        }
      }
    }
  }
  for (const BoxIndex i : large_) {
    if (overlaps(store().box(i), area)) {
      hits.push_back(i);
    }
  }
}

void UniformGridTechnique::count_visits(const Aabb& area) const {
  const CellRange range = range_of(area);
  for (int y = range.first.y; y <= range.last.y; ++y) {
    for (int x = range.first.x; x <= range.last.x; ++x) {
      count_visit(cell_number(x, y));
    }
  }
}

std::vector<Cell> UniformGridTechnique::cells() const {
  std::vector<Cell> result;
  for (int y = 0; y < rows_ && !cell_start_.empty(); ++y) {
    for (int x = 0; x < columns_; ++x) {
      const std::size_t boxes = members(x, y).size();
      if (boxes > 0) {
        result.push_back(
            {.bounds = detail::cell_bounds(x, y, bounds_.min.x, bounds_.min.y, cell_size_.x, cell_size_.y),
             .boxes = boxes,
             .looks = visits_of(cell_number(x, y))});
      }
    }
  }
  return result;
}

std::size_t UniformGridTechnique::bytes() const {
  return (order_.capacity() + entries_.capacity() + large_.capacity()) * sizeof(BoxIndex) +
         measured_.capacity() * sizeof(Aabb) + ranges_.capacity() * sizeof(CellRange) +
         cell_start_.capacity() * sizeof(std::uint32_t);
}

}  // namespace

UniformGrid::UniformGrid() : UniformGrid(technique().value()) {}

UniformGrid::UniformGrid(std::unique_ptr<Technique> technique) : BroadPhase(std::move(technique)) {}

Result<std::unique_ptr<UniformGrid>> UniformGrid::create(const UniformGridOptions& options) {
  return detail::create_with<UniformGrid>(
      technique(options), [](std::unique_ptr<Technique> made) { return new UniformGrid(std::move(made)); });
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

}  // namespace broadside
