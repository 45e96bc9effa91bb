#include <algorithm>
#include <cmath>
#include <limits>

#include "base/reserve.hpp"
#include "cell_range.hpp"
#include "row_index.hpp"
#include "row_kernels.hpp"

namespace broadside::inline v0_2::detail {

Work RowIndex::find_pairs(PairBuffer& pairs, PairWorkers& workers) {
  constexpr std::size_t min_chunk = 4096;
  const View boxes = view();
  Work work = workers.collect(size_, min_chunk, pairs,
                              [&](std::size_t, std::size_t begin, std::size_t end, PairBuffer& found) {
                                return sweep_rows(boxes, begin, end, found);
                              });
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const std::size_t first = crossing_begin_[l];
    if (first == crossing_begin_[l + 1]) {
      continue;
    }
    work += workers.collect(crossing_begin_[l + 1] - first, min_chunk, pairs,
                            [&](std::size_t, std::size_t begin, std::size_t end, PairBuffer& found) {
                              return sweep_rows_above(boxes, levels_[l], first + begin, first + end, found);
                            });
  }
  for (std::size_t l = 1; l < level_count_; ++l) {
    const std::size_t members = levels_[l].end - levels_[l].begin;
    if (members == 0) {
      continue;
    }
    cursors_.resize(std::max(cursors_.size(), workers.chunks(members, min_chunk / 8)));
    work += workers.collect(members, min_chunk / 8, pairs,
                            [&](std::size_t chunk, std::size_t begin, std::size_t end, PairBuffer& found) {
                              cursors_[chunk].assign(levels_[l].first_row, Cursor{});
                              return search_with_index(boxes, l, boxes, levels_[l].begin + begin,
                                                       levels_[l].begin + end, cursors_[chunk].data(),
                                                       Naming::lower_first, found);
                            });
  }
  return work;
}

Work RowIndex::search(const RowIndex& queries, Naming naming, PairBuffer& pairs, PairWorkers& workers) {
  constexpr std::size_t min_chunk = 512;
  const bool in_order = !queries.is_one_row();
  cursors_.resize(std::max(cursors_.size(), workers.chunks(queries.size_, min_chunk)));
  return workers.collect(queries.size_, min_chunk, pairs,
                         [&](std::size_t chunk, std::size_t begin, std::size_t end, PairBuffer& found) {
                           if (in_order && begin != end) {
                             cursors_[chunk].assign(rows(), Cursor{});
                           }
                           return search_with_index(view(), level_count_, queries.view(), begin, end,
                                                    in_order ? cursors_[chunk].data() : nullptr, naming,
                                                    found);
                         });
}

Work RowIndex::find_pairs_with(const RowIndex& queries, PairBuffer& pairs, PairWorkers& workers) {
  return search(queries, Naming::query_first, pairs, workers);
}

Work find_pairs_between(RowIndex& a, RowIndex& b, PairBuffer& pairs, PairWorkers& workers) {
  RowIndex& larger = a.size() < b.size() ? b : a;
  return larger.search(&larger == &a ? b : a, RowIndex::Naming::lower_first, pairs, workers);
}

void RowIndex::find_in(const Aabb& area, std::vector<BoxIndex>& hits) const {
  if (size_ > 0) {
    detail::find_in(view(), transposed_ ? transposed(area) : area, hits);
  }
}

// A row holds boxes whose min y is in it and whose max y is at most `max_rows` rows above; only the part of
// the path at these heights matters. With uniform rows, the times at which the path enters and leaves are
// linear in the number of the row.
void RowIndex::find_along(const SweptBox& swept, double from, double to, std::vector<BoxIndex>& hits) const {
  // A row is computed in float, among up to 2^17: the error is less than this (unit: row).
  constexpr double rounding = 0.125;
  if (size_ == 0) {
    return;
  }
  const SweptBox path = transposed_ ? swept.transposed() : swept;
  const View rows_searched = view();
  const Aabb all = path.bounds(from, to);
  for (const Level& level : levels_) {
    if (level.begin == level.end) {
      continue;
    }
    const std::uint32_t lowest_row = level.rows.cell(all.min.y);
    const std::uint32_t last_row = level.rows.cell(all.max.y);
    const std::uint32_t first_row = lowest_row - std::min(lowest_row, level.max_rows);
    const bool even = level.rows.knots.empty() && level.rows.scale > 0.0F;
    const double pitch = even ? 1.0 / static_cast<double>(level.rows.scale) : 0.0;
    const double size = (static_cast<double>(level.max_rows) + 1.0 + 2.0 * rounding) * pitch;
    const SweptBox::RowTimes rise = path.rise(level.rows.origin - rounding * pitch, pitch, size);
    // Heights beyond the largest float count as the last row.
    const bool divide = even && path.y().motion != 0.0 && first_row != last_row &&
                        pitch * static_cast<double>(level.rows.last) < std::numeric_limits<float>::max();
    for (std::uint32_t row = first_row; row <= last_row; ++row) {
      const std::uint32_t number = level.first_row + row;
      const std::uint32_t begin = row_begin_[number];
      const std::uint32_t end = row_begin_[number + 1];
      if (begin == end) {
        continue;
      }
      double in = from;
      double out = to;
      // The rows at both ends also hold the boxes beyond them.
      if (divide && row > 0 && static_cast<float>(row + level.max_rows) < level.rows.last) {
        in = std::max(in, rise.first_in + static_cast<double>(row) * rise.step);
        out = std::min(out, rise.first_out + static_cast<double>(row) * rise.step);
        if (!(in <= out)) {
          continue;
        }
      }
      // An early-out test: most rows hold nothing near the path, as their first and last keys show.
      const auto [left, right] = path.range(path.x(), in, out);
      const std::uint32_t column = level.columns.cell(left);
      const std::uint32_t base = number << column_bits_;
      const std::uint32_t lowest_key = base | (column - std::min(column, level.max_columns));
      const std::uint32_t highest_key = base | level.columns.cell(right);
      if (keys_[begin] <= highest_key && keys_[end - 1] >= lowest_key) {
        const Aabb area{{left, all.min.y}, {right, all.max.y}};
        detail::find_in_run(rows_searched, area, begin, end, lowest_key, highest_key, hits);
      }
    }
  }
}

std::size_t RowIndex::levels() const {
  return static_cast<std::size_t>(std::count_if(levels_.begin(), levels_.end(),
                                                [](const Level& level) { return level.begin != level.end; }));
}

float RowIndex::finest_row_height() const {
  for (const Level& level : levels_) {
    if (level.begin != level.end) {
      return static_cast<float>(level.rows.usual_cell());
    }
  }
  return 0.0F;
}

void RowIndex::visit_cells(CellVisitor visit) const {
  constexpr double too_many = 64.0;
  constexpr double far = 0x1p19;                           // cells from the first one
  constexpr std::uint64_t many = std::uint64_t{1} << 24U;  // boxes of a level
  std::vector<std::uint64_t> touched;                      // row, column, position in the level
  std::vector<BoxIndex> members;
  for (const Level& level : levels_) {
    if (level.begin == level.end) {
      continue;
    }
    if (level.rows.scale <= 0.0F) {
      // The boxes are so few that all are in one row.
      Aabb bounds = box_at(level.begin);
      for (std::uint32_t i = level.begin; i < level.end; ++i) {
        bounds = merge(bounds, box_at(i));
      }
      const auto names = this->names().subspan(level.begin, level.end - level.begin);
      visit({bounds, names.size()}, names);
      continue;
    }
    touched.clear();
    const double pitch = level.rows.usual_cell();
    const double left = level.columns.origin;
    const double bottom = level.rows.origin;
    for (std::uint32_t i = level.begin; i < level.end; ++i) {
      const Aabb box = transposed_ ? transposed(box_at(i)) : box_at(i);
      const double first_row = std::floor((box.min.y - bottom) / pitch) + far;
      const double last_row = std::floor((box.max.y - bottom) / pitch) + far;
      const double first_column = std::floor((box.min.x - left) / pitch) + far;
      const double last_column = std::floor((box.max.x - left) / pitch) + far;
      const bool is_near = std::min(first_row, first_column) >= 0.0 &&
                           std::max(last_row, last_column) < 2.0 * far && i - level.begin < many;
      if (!is_near || (last_row - first_row + 1.0) * (last_column - first_column + 1.0) > too_many) {
        visit({box_at(i), 1}, names().subspan(i, 1));
        continue;
      }
      for (auto row = static_cast<std::uint64_t>(first_row); static_cast<double>(row) <= last_row; ++row) {
        for (auto column = static_cast<std::uint64_t>(first_column);
             static_cast<double>(column) <= last_column; ++column) {
          touched.push_back(row << 44U | column << 24U | (i - level.begin));
        }
      }
    }
    std::sort(touched.begin(), touched.end());
    for (auto at = touched.begin(); at != touched.end();) {
      const std::uint64_t first = *at / many;
      members.clear();
      for (; at != touched.end() && *at / many == first; ++at) {
        members.push_back(names_[level.begin + static_cast<std::uint32_t>(*at % many)]);
      }
      const double row = static_cast<double>(first >> 20U) - far;
      const double column = static_cast<double>(first % (std::uint64_t{1} << 20U)) - far;
      const Aabb cell = cell_bounds(column, row, left, bottom, pitch, pitch);
      visit({transposed_ ? transposed(cell) : cell, members.size()}, members);
    }
  }
}

std::size_t RowIndex::bytes() const {
  std::size_t bytes = bytes_of(keys_, highest_keys_, names_, crossing_, min_x_, max_x_, min_y_, max_y_,
                               kind_bits_, kinds_, row_begin_, counts_, reaches_, begins_) +
                      bytes_of(levels_) + (planner_ == nullptr ? 0 : sizeof(RowPlanner) + planner_->bytes());
  for (const auto& cursors : cursors_) {
    bytes += bytes_of(cursors);
  }
  return bytes;
}

}  // namespace broadside::inline v0_2::detail
