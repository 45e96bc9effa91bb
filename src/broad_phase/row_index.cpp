#include "broadside/broad_phase/detail/row_index.hpp"

#include <tuple>
#include <utility>

namespace broadside::detail {

namespace {

double larger_side(const Aabb& box) {
  return std::max(double{box.max.x} - box.min.x, double{box.max.y} - box.min.y);
}

/// The least L with 2^L >= extent; a very low one for 0.
int level_of_extent(double extent) {
  constexpr int below_all_floats = -160;
  if (extent <= 0.0) {
    return below_all_floats;
  }
  int exponent = 0;
  const double mantissa = std::frexp(extent, &exponent);
  return mantissa == 0.5 ? exponent - 1 : exponent;
}

}  // namespace

void RowIndex::clear() {
  items_.clear();
  rows_.clear();
  levels_.clear();
}

// Rows much lower than the usual box are mostly empty and only cost searches, so small boxes share the level
// just below the median one. Where most boxes have no size, their mean spacing stands in for it.
int RowIndex::finest_level() {
  extents_.clear();
  for (const Item& item : items_) {
    extents_.push_back(larger_side(item.box));
  }
  const auto middle = extents_.begin() + static_cast<std::ptrdiff_t>(extents_.size() / 2);
  std::nth_element(extents_.begin(), middle, extents_.end());
  if (*middle > 0.0) {
    return level_of_extent(*middle) - 1;
  }
  Aabb bounds = items_[0].box;
  for (const Item& item : items_) {
    bounds = merge(bounds, item.box);
  }
  const double width = double{bounds.max.x} - bounds.min.x;
  const double height = double{bounds.max.y} - bounds.min.y;
  const auto n = static_cast<double>(items_.size());
  return level_of_extent(width > 0.0 && height > 0.0 ? std::sqrt(width / n * height)
                                                     : std::max(width, height) / n);
}

void RowIndex::build() {
  rows_.clear();
  levels_.clear();
  if (items_.empty()) {
    return;
  }
  const int finest = finest_level();
  keys_.clear();
  keys_.reserve(items_.size());
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    const Aabb& box = items_[i].box;
    int level = std::max(finest, level_of_extent(larger_side(box)));
    // The side fits by its rounded value; by its rows and columns is what the sweep relies on.
    const auto spans_two = [&box](double inverse) {
      return cell(box.max.x, inverse) - cell(box.min.x, inverse) <= 1.0 &&
             cell(box.max.y, inverse) - cell(box.min.y, inverse) <= 1.0;
    };
    while (!spans_two(std::ldexp(1.0, -level))) {
      ++level;
    }
    keys_.push_back({cell(box.min.y, std::ldexp(1.0, -level)), level, box.min.x, i, items_[i].index});
  }
  std::sort(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) {
    return std::tie(a.level, a.row, a.min_x, a.index) < std::tie(b.level, b.row, b.min_x, b.index);
  });
  sorted_.clear();
  sorted_.reserve(items_.size());
  const Key* previous = nullptr;
  for (const Key& key : keys_) {
    const auto place = static_cast<std::uint32_t>(sorted_.size());
    const bool new_level = previous == nullptr || previous->level != key.level;
    if (new_level) {
      const auto row = static_cast<std::uint32_t>(rows_.size());
      levels_.push_back({std::ldexp(1.0, key.level), std::ldexp(1.0, -key.level), row, row});
    }
    if (new_level || previous->row != key.row) {
      rows_.push_back({key.row, place, place});
      ++levels_.back().end;
    }
    ++rows_.back().end;
    sorted_.push_back(items_[key.item]);
    previous = &key;
  }
  items_.swap(sorted_);
}

std::size_t RowIndex::bytes() const {
  return (items_.capacity() + sorted_.capacity()) * sizeof(Item) + keys_.capacity() * sizeof(Key) +
         extents_.capacity() * sizeof(double) + rows_.capacity() * sizeof(Row) +
         levels_.capacity() * sizeof(Level);
}

void RowIndex::append_cells(std::vector<Cell>& cells) const {
  std::vector<std::pair<double, double>> touched;  // (row, column)
  for (const Level& level : levels_) {
    touched.clear();
    for (std::uint32_t i = rows_[level.begin].begin; i < rows_[level.end - 1].end; ++i) {
      const Aabb& box = items_[i].box;
      const double inverse = level.inverse_pitch;
      const double last_row = cell(box.max.y, inverse);
      const double last_column = cell(box.max.x, inverse);
      // At most two by two, by the choice of the level.
      const double first_row = cell(box.min.y, inverse);
      const double first_column = cell(box.min.x, inverse);
      touched.emplace_back(first_row, first_column);
      if (last_column > first_column) {
        touched.emplace_back(first_row, last_column);
      }
      if (last_row > first_row) {
        touched.emplace_back(last_row, first_column);
      }
      if (last_row > first_row && last_column > first_column) {
        touched.emplace_back(last_row, last_column);
      }
    }
    std::sort(touched.begin(), touched.end());
    for (std::size_t i = 0; i < touched.size(); ++i) {
      if (i == 0 || touched[i] != touched[i - 1]) {
        const auto [row, column] = touched[i];
        cells.push_back({cell_bounds(column, row, 0.0, 0.0, level.pitch, level.pitch), 0});
      }
      ++cells.back().boxes;
    }
  }
}

}  // namespace broadside::detail
