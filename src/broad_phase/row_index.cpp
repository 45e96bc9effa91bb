#include <algorithm>
#include <cmath>
#include <utility>

#include "broadside/broad_phase/detail/cell_range.hpp"
#include "broadside/broad_phase/detail/row_index.hpp"
#include "row_kernels.hpp"

namespace broadside::detail {

std::uint32_t RowIndex::lower_bound_in_row(std::uint32_t row, std::uint32_t key) const {
  const auto begin = keys_.begin() + row_begin_[row];
  const auto end = keys_.begin() + row_begin_[row + 1];
  return static_cast<std::uint32_t>(std::lower_bound(begin, end, key) - keys_.begin());
}

template <typename Visitor>
void RowIndex::for_each_run(const Aabb& box, std::size_t levels, Visitor visit) const {
  const std::uint32_t first_column = columns_.cell(box.min.x);
  const std::uint32_t last_column = columns_.cell(box.max.x);
  for (std::size_t l = 0; l < levels; ++l) {
    const Level& level = levels_[l];
    if (level.begin == level.end) {
      continue;
    }
    const std::uint32_t lowest_row = level.rows.cell(box.min.y);
    const std::uint32_t last_row = level.rows.cell(box.max.y);
    const std::uint32_t start_column = first_column - std::min(first_column, level.most_columns);
    for (std::uint32_t row = lowest_row - std::min(lowest_row, level.most_rows); row <= last_row; ++row) {
      const std::uint32_t number = level.first_row + row;
      const std::uint32_t begin = row_begin_[number];
      const std::uint32_t end = row_begin_[number + 1];
      if (begin != end) {
        const std::uint32_t base = number << column_bits_;
        visit(lower_bound_in_row(number, base | start_column), base | last_column);
      }
    }
  }
}

std::uint64_t RowIndex::find_pairs(PairBuffer& pairs, Workers& workers) {
  constexpr std::size_t least = 4096;
  if (size_ == 0) {
    return 0;
  }
  std::uint64_t tests = workers.collect(
      size_, least, pairs, [&](std::size_t, std::size_t begin, std::size_t end, PairBuffer& found) {
        return sweep_rows(view(), highest_keys_.data(), begin, end, found);
      });
  for (std::size_t l = 0; l < max_levels; ++l) {
    tests +=
        workers.collect(crossing_begin_[l + 1] - crossing_begin_[l], least, pairs,
                        [&](std::size_t, std::size_t begin, std::size_t end, PairBuffer& found) {
                          return reach_up(l, crossing_begin_[l] + begin, crossing_begin_[l] + end, found);
                        });
  }
  for (std::size_t l = 1; l < max_levels; ++l) {
    const std::size_t members = levels_[l].end - levels_[l].begin;
    cursors_.resize(std::max(cursors_.size(), workers.chunks(members, least / 8)));
    tests += workers.collect(members, least / 8, pairs,
                             [&](std::size_t chunk, std::size_t begin, std::size_t end, PairBuffer& found) {
                               return look_down(l, levels_[l].begin + begin, levels_[l].begin + end,
                                                cursors_[chunk], found);
                             });
  }
  return tests;
}

std::uint64_t RowIndex::reach_up(std::size_t number, std::size_t begin, std::size_t end,
                                 PairBuffer& pairs) const {
  const Level& level = levels_[number];
  const View boxes = view();
  const std::uint32_t column_mask = (1U << column_bits_) - 1U;
  std::uint64_t tests = 0;
  std::uint32_t row_of_next = 0;
  std::uint32_t next = 0;
  for (std::size_t k = begin; k < end; ++k) {
    const std::uint32_t i = crossing_[k];
    const std::uint32_t row = keys_[i] >> column_bits_;
    const Asker asker = asker_at(i);
    const std::uint32_t last_row = level.first_row + level.rows.cell(asker.box.max.y);
    const std::uint32_t column = keys_[i] & column_mask;
    const std::uint32_t start_column = column - std::min(column, level.most_columns);
    const std::uint32_t last_column = highest_keys_[i] & column_mask;
    for (std::uint32_t other = row + 1; other <= last_row; ++other) {
      const std::uint32_t base = other << column_bits_;
      std::uint32_t from = row_begin_[other];
      if (other == row + 1) {
        // Boxes come by ascending column, so the run in the next row only ever begins further right.
        if (row_of_next != other) {
          row_of_next = other;
          next = k == begin ? lower_bound_in_row(other, base | start_column) : from;
        }
        next += static_cast<std::uint32_t>(count_below(keys_.data(), next, base | start_column));
        from = next;
      } else {
        from = lower_bound_in_row(other, base | start_column);
      }
      tests += sweep_run(boxes, asker, true, {from, base | last_column}, pairs);
    }
  }
  return tests;
}

// Boxes of one row come by ascending column, so in each finer row the runs only ever begin further right: a
// cursor for each finer row remembers where the last one began.
std::uint64_t RowIndex::look_down(std::size_t coarse, std::size_t begin, std::size_t end,
                                  std::vector<Cursor>& cursors, PairBuffer& pairs) const {
  constexpr std::uint32_t near = 32;
  const View boxes = view();
  const std::uint32_t column_mask = (1U << column_bits_) - 1U;
  std::uint64_t tests = 0;
  if (begin != end) {
    cursors.assign(levels_[coarse].first_row, Cursor{});
  }
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t row = keys_[i] >> column_bits_;
    const Asker asker = asker_at(i);
    const std::uint32_t first_column = keys_[i] & column_mask;
    const std::uint32_t last_column = highest_keys_[i] & column_mask;
    for (std::size_t l = 0; l < coarse; ++l) {
      const Level& level = levels_[l];
      if (level.begin == level.end) {
        continue;
      }
      const std::uint32_t start_column = first_column - std::min(first_column, level.most_columns);
      const std::uint32_t lowest_row = level.rows.cell(asker.box.min.y);
      const std::uint32_t last_row = level.first_row + level.rows.cell(asker.box.max.y);
      for (std::uint32_t other = level.first_row + lowest_row - std::min(lowest_row, level.most_rows);
           other <= last_row; ++other) {
        const std::uint32_t base = other << column_bits_;
        auto& [for_row, cursor] = cursors[other];
        if (for_row != row) {
          for_row = row;
          cursor = row_begin_[other];
        }
        if (cursor + near < row_begin_[other + 1] && keys_[cursor + near] < (base | start_column)) {
          cursor = lower_bound_in_row(other, base | start_column);
        } else {
          cursor += static_cast<std::uint32_t>(count_below(keys_.data(), cursor, base | start_column));
        }
        tests += sweep_run(boxes, asker, true, {cursor, base | last_column}, pairs);
      }
    }
  }
  return tests;
}

std::uint64_t RowIndex::find_pairs_with(std::span<const Aabb> boxes, PairBuffer& pairs,
                                        Workers& workers) const {
  constexpr std::size_t least = 512;
  return workers.collect(size_ == 0 ? 0 : boxes.size(), least, pairs,
                         [&](std::size_t, std::size_t begin, std::size_t end, PairBuffer& found) {
                           std::uint64_t tests = 0;
                           for (std::size_t i = begin; i < end; ++i) {
                             const Asker asker{boxes[i], static_cast<BoxIndex>(i), ~std::uint32_t{0}};
                             for_each_run(
                                 asker.box, max_levels, [&](std::uint32_t from, std::uint32_t highest_key) {
                                   tests += sweep_run(view(), asker, false, {from, highest_key}, found);
                                 });
                           }
                           return tests;
                         });
}

std::uint64_t RowIndex::find_pairs_with(const RowIndex& others, PairBuffer& pairs, Workers& workers) const {
  constexpr std::size_t least = 512;
  return workers.collect(size_ == 0 ? 0 : others.size_, least, pairs,
                         [&](std::size_t, std::size_t begin, std::size_t end, PairBuffer& found) {
                           std::uint64_t tests = 0;
                           for (std::size_t i = begin; i < end; ++i) {
                             const Asker asker = others.asker_at(i);
                             for_each_run(
                                 asker.box, max_levels, [&](std::uint32_t from, std::uint32_t highest_key) {
                                   tests += sweep_run(view(), asker, true, {from, highest_key}, found);
                                 });
                           }
                           return tests;
                         });
}

void RowIndex::find_in(const Aabb& area, std::vector<BoxIndex>& hits) const {
  if (size_ == 0) {
    return;
  }
  for_each_run(area, max_levels, [&](std::uint32_t begin, std::uint32_t highest_key) {
    for (std::size_t i = begin; keys_[i] <= highest_key && i < size_; ++i) {
      if (overlaps(area, box_at(i))) {
        hits.push_back(names_[i]);
      }
    }
  });
}

Asker RowIndex::asker_at(std::size_t i) const {
  return {box_at(i), names_[i], filtered_ ? filters_[classes_[i]].accepts : ~std::uint32_t{0}};
}

std::size_t RowIndex::levels() const {
  return static_cast<std::size_t>(std::count_if(levels_.begin(), levels_.end(),
                                                [](const Level& level) { return level.begin != level.end; }));
}

float RowIndex::finest_row_height() const {
  for (const Level& level : levels_) {
    if (level.begin != level.end) {
      return level.rows.scale > 0.0F ? 1.0F / level.rows.scale : 0.0F;
    }
  }
  return 0.0F;
}

std::size_t RowIndex::occupied_rows() const {
  std::size_t occupied = 0;
  for (std::size_t r = 0; r + 1 < row_begin_.size(); ++r) {
    occupied += row_begin_[r] != row_begin_[r + 1] ? 1U : 0U;
  }
  return occupied;
}

void RowIndex::append_cells(std::vector<Cell>& cells) const {
  constexpr double too_many = 64.0;
  std::vector<std::pair<double, double>> touched;  // (row, column)
  for (const Level& level : levels_) {
    if (level.begin == level.end) {
      continue;
    }
    if (level.rows.scale <= 0.0F) {
      // So few boxes that they are all in one row, wherever they are.
      Cell all{box_at(level.begin), 0};
      for (std::uint32_t i = level.begin; i < level.end; ++i) {
        all.bounds = merge(all.bounds, box_at(i));
        ++all.boxes;
      }
      cells.push_back(all);
      continue;
    }
    touched.clear();
    const double pitch = 1.0 / level.rows.scale;
    const double left = columns_.origin;
    const double bottom = level.rows.origin;
    for (std::uint32_t i = level.begin; i < level.end; ++i) {
      const Aabb box = box_at(i);
      const double first_row = std::floor((box.min.y - bottom) / pitch);
      const double last_row = std::floor((box.max.y - bottom) / pitch);
      const double first_column = std::floor((box.min.x - left) / pitch);
      const double last_column = std::floor((box.max.x - left) / pitch);
      if ((last_row - first_row + 1.0) * (last_column - first_column + 1.0) > too_many) {
        cells.push_back({box, 1});
        continue;
      }
      for (int row = 0; row <= static_cast<int>(last_row - first_row); ++row) {
        for (int column = 0; column <= static_cast<int>(last_column - first_column); ++column) {
          touched.emplace_back(first_row + row, first_column + column);
        }
      }
    }
    std::sort(touched.begin(), touched.end());
    for (std::size_t i = 0; i < touched.size(); ++i) {
      if (i == 0 || touched[i] != touched[i - 1]) {
        cells.push_back({cell_bounds(touched[i].second, touched[i].first, left, bottom, pitch, pitch), 0});
      }
      ++cells.back().boxes;
    }
  }
}

std::size_t RowIndex::bytes() const {
  std::size_t words = 0;
  for (const auto* array :
       {&keys_, &highest_keys_, &names_, &crossing_, &class_bits_, &row_begin_, &counts_, &begins_}) {
    words += array->capacity();
  }
  for (const auto* array : {&min_x_, &max_x_, &min_y_, &max_y_, &values_, &knots_x_, &knots_y_}) {
    words += array->capacity();
  }
  std::size_t bytes = 4 * words + 2 * classes_.capacity() + sample_.capacity() * sizeof(Aabb) +
                      reaches_.capacity() * sizeof(Reach);
  for (const auto& cursors : cursors_) {
    bytes += cursors.capacity() * sizeof(Cursor);
  }
  return bytes;
}

}  // namespace broadside::detail
