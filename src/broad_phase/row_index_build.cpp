#include "row_index.hpp"

#include <algorithm>
#include <utility>

#include "base/reserve.hpp"
#include "row_kernels.hpp"

namespace broadside::inline v0_2::detail {

namespace {

constexpr std::uint32_t no_key = 0x7FFFFFFFU;
constexpr unsigned max_digit = 8;
constexpr std::size_t min_chunk = 8192;  // boxes that are worth a task

unsigned digits_of(unsigned bits) {
  return (bits + max_digit - 1) / max_digit;
}

}  // namespace

void RowIndex::reserve(std::size_t boxes) {
  provide(boxes + row_padding, keys_, highest_keys_, names_, crossing_, min_x_, max_x_, min_y_, max_y_);
}

void RowIndex::build(const BoxSet& set, Workers& workers) {
  // Sorting so few boxes would cost more than testing all against all with SIMD.
  constexpr std::size_t few = 48;
  if (set.size() == 0) {
    clear();
  } else if (set.size() <= few) {
    build_in_one_row(set);
  } else {
    build_in_rows(set, workers);
  }
}

// One row, and one column: all keys are 0. If the number of boxes is the same, only the boxes are written.
void RowIndex::build_in_one_row(const BoxSet& set) {
  if (!is_one_row() || size_ != set.size()) {
    clear();
    size_ = set.size();
    column_bits_ = 1;
    transposed_ = false;
    level_count_ = 1;
    small_size_ = 0.0F;
    levels_.resize(max_levels);
    levels_[0].end = static_cast<std::uint32_t>(size_);
    occupied_rows_ = 1;
    keys_.assign(size_, 0);
    keys_.resize(size_ + row_padding, no_key);
    highest_keys_.clear();
    names_.resize(size_ + row_padding);
    row_begin_ = {0, levels_[0].end};
  }
  highest_keys_.resize(size_ + row_padding, 0);  // `release_sweep` may have freed them
  for (std::size_t i = 0; i < size_; ++i) {
    names_[i] = set.names.empty() ? static_cast<BoxIndex>(i) : set.names[i];
  }
  reserve_sides(set);
  write_range(set, names_.data(), 0, size_);
}

void RowIndex::build_with(const BoxSet& set, Workers& workers) {
  size_ = set.size();
  make_keys(set, workers);
  sort(workers);
  write_sorted(set, workers);
  finish_levels(workers);
}

void RowIndex::make_keys(const BoxSet& set, Workers& workers) {
  for (auto* array : {&keys_, &highest_keys_, &names_, &crossing_}) {
    array->resize(size_ + row_padding);
  }
  KeyMap map{.last_column = levels_[0].columns.last, .transposed = transposed_};
  for (std::size_t l = 0; l < max_levels; ++l) {
    map.left[l] = levels_[l].columns.origin;
    map.column_scale[l] = levels_[l].columns.scale;
    map.bottom[l] = levels_[l].rows.origin;
    map.row_scale[l] = levels_[l].rows.scale;
    map.last_row[l] = levels_[l].rows.last;
    map.first_row[l] = levels_[l].first_row;
  }
  map.finest_exponent = planner_->layout().finest_exponent;
  map.column_bits = column_bits_;
  workers.for_chunks(
      size_, workers.chunks(size_, min_chunk), [&](std::size_t, std::size_t begin, std::size_t end) {
        if (is_nonuniform()) {
          for (std::size_t i = begin; i < end; ++i) {
            const Level& level = levels_[planner_->layout().level_of(set[i])];  // not transposed
            const std::uint32_t row = level.first_row + level.rows.cell(set[i].min.y);
            keys_[i] = (row << column_bits_) | level.columns.cell(set[i].min.x);
          }
        } else if (set.names.empty()) {
          detail::make_keys(map, set.boxes.subspan(begin, end - begin), keys_.data() + begin);
        } else {
          std::array<Aabb, 64> some;
          for (std::size_t i = begin; i < end; i += some.size()) {
            const std::size_t count = std::min(some.size(), end - i);
            for (std::size_t k = 0; k < count; ++k) {
              some[k] = set[i + k];
            }
            detail::make_keys(map, {some.data(), count}, keys_.data() + i);
          }
        }
      });
}

// A radix sort, most significant digit first: one pass over all boxes distributes them to their rows; a row
// then fits into the L1 cache, where passes cost little. Stable, so the order is the same for any number of
// threads: each chunk of boxes has its own counters, and its boxes come after those of the chunks before it.
//
// Source: D. Knuth, The Art of Computer Programming 3, section 5.2.5.
void RowIndex::sort(Workers& workers) {
  const std::size_t rows = levels_.back().first_row + static_cast<std::size_t>(levels_.back().rows.last) + 1;
  // No more chunks than threads: where two chunks meet in a row, their threads share a cache line.
  const std::size_t chunks =
      8 * rows > size_ ? 1 : std::min(workers.threads(), workers.chunks(size_, min_chunk));
  counts_.assign(chunks * rows, 0);
  workers.for_chunks(size_, chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    std::uint32_t* counts = counts_.data() + chunk * rows;
    for (std::size_t i = begin; i < end; ++i) {
      ++counts[keys_[i] >> column_bits_];
    }
  });
  row_begin_.resize(rows + 1);
  occupied_rows_ = 0;
  std::uint32_t before = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    row_begin_[row] = before;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      before += std::exchange(counts_[chunk * rows + row], before);
    }
    occupied_rows_ += before == row_begin_[row] ? 0U : 1U;
  }
  row_begin_[rows] = before;
  workers.for_chunks(size_, chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    std::uint32_t* places = counts_.data() + chunk * rows;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t key = keys_[i];
      const std::uint32_t place = places[key >> column_bits_]++;
      highest_keys_[place] = key;
      names_[place] = static_cast<BoxIndex>(i);
    }
  });
  // Chunks are ranges of boxes, not of rows, since rows may hold many boxes or few.
  workers.for_chunks(size_, workers.chunks(size_, min_chunk),
                     [&](std::size_t, std::size_t begin, std::size_t end) {
                       const auto first = std::lower_bound(row_begin_.begin(), row_begin_.end() - 1, begin);
                       const auto last = std::lower_bound(first, row_begin_.end() - 1, end);
                       for (auto row = first; row != last; ++row) {
                         sort_row(*row, *(row + 1));
                       }
                     });
  if (digits_of(column_bits_) % 2 == 0) {
    keys_.swap(highest_keys_);
    names_.swap(crossing_);
  }
  level_count_ = 0;
  for (std::size_t l = 0; l < max_levels; ++l) {
    Level& level = levels_[l];
    level.begin = row_begin_[level.first_row];
    level.end = row_begin_[level.first_row + static_cast<std::uint32_t>(level.rows.last) + 1];
    level_count_ = level.begin == level.end ? level_count_ : l + 1;
  }
}

// A radix sort, least significant digit first: each pass moves the row from `highest_keys_` and `names_` to
// `keys_` and `crossing_`, or back.
void RowIndex::sort_row(std::size_t begin, std::size_t end) {
  constexpr std::size_t few = 24;
  const unsigned passes = digits_of(column_bits_);
  std::uint32_t* keys = highest_keys_.data();
  std::uint32_t* order = names_.data();
  std::uint32_t* other_keys = keys_.data();
  std::uint32_t* other_order = crossing_.data();
  if (end - begin <= few) {
    for (std::size_t i = begin + 1; i < end; ++i) {
      const std::uint32_t key = keys[i];
      const std::uint32_t name = order[i];
      std::size_t k = i;
      for (; k > begin && keys[k - 1] > key; --k) {
        keys[k] = keys[k - 1];
        order[k] = order[k - 1];
      }
      keys[k] = key;
      order[k] = name;
    }
    if (passes % 2 == 1) {
      std::copy(keys + begin, keys + end, other_keys + begin);
      std::copy(order + begin, order + end, other_order + begin);
    }
    return;
  }
  const unsigned digit = (column_bits_ + passes - 1) / passes;
  const std::uint32_t mask = (1U << digit) - 1U;
  std::array<std::array<std::uint32_t, std::size_t{1} << max_digit>, 3> counts;
  for (unsigned p = 0; p < passes; ++p) {
    std::fill_n(counts[p].begin(), mask + 1, 0U);
  }
  for (std::size_t i = begin; i < end; ++i) {
    for (unsigned p = 0; p < passes; ++p) {
      ++counts[p][(keys[i] >> (p * digit)) & mask];
    }
  }
  for (unsigned p = 0; p < passes; ++p) {
    auto place = static_cast<std::uint32_t>(begin);
    for (std::uint32_t d = 0; d <= mask; ++d) {
      place += std::exchange(counts[p][d], place);
    }
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t to = counts[p][(keys[i] >> (p * digit)) & mask]++;
      other_keys[to] = keys[i];
      other_order[to] = order[i];
    }
    std::swap(keys, other_keys);
    std::swap(order, other_order);
  }
}

void RowIndex::reserve_sides(const BoxSet& set) {
  for (auto* side : {&min_x_, &max_x_, &min_y_, &max_y_}) {
    side->resize(size_ + row_padding);
  }
  filtered_ = !set.kinds.empty();
  if (filtered_) {
    kind_bits_.resize(size_ + row_padding);
    kinds_.resize(size_ + row_padding);
    filters_ = set.filters;
  }
}

// Writes the sides and kinds of the boxes at positions [begin, end), which have these names.
void RowIndex::write_range(const BoxSet& set, const BoxIndex* names, std::size_t begin, std::size_t end) {
  const Sides sides{min_x_.data(), max_x_.data(), min_y_.data(), max_y_.data()};
  write_sides(set.boxes.data(), names, begin, end,
              transposed_ ? Sides{sides.min_y, sides.max_y, sides.min_x, sides.max_x} : sides);
  for (std::size_t i = begin; i < end && filtered_; ++i) {
    kinds_[i] = set.kinds[names[i]];
    kind_bits_[i] = set.filters[kinds_[i]].is;
  }
}

// Writes the boxes in sorted order: `sort` left their positions in `set` in `crossing_`, which is free
// afterwards.
void RowIndex::write_sorted(const BoxSet& set, Workers& workers) {
  reserve_sides(set);
  workers.for_chunks(size_, workers.chunks(size_, min_chunk),
                     [&](std::size_t, std::size_t begin, std::size_t end) {
                       for (std::size_t i = begin; i < end && !set.names.empty(); ++i) {
                         names_[i] = set.names[crossing_[i]];
                       }
                       write_range(set, set.names.empty() ? crossing_.data() : names_.data(), begin, end);
                     });
  if (set.names.empty()) {
    names_.swap(crossing_);
  }
  std::fill(keys_.begin() + static_cast<std::ptrdiff_t>(size_), keys_.end(), no_key);
}

// Finds where the runs end, how far the boxes of each level reach, and which reach into the rows above.
void RowIndex::finish_levels(Workers& workers) {
  crossing_begin_ = {};
  std::size_t listed = 0;
  for (std::size_t l = 0; l < max_levels; ++l) {
    Level& level = levels_[l];
    level.max_rows = 0;
    level.max_columns = 0;
    const std::uint32_t members = level.end - level.begin;
    const std::size_t chunks = workers.chunks(members, min_chunk);
    reaches_.assign(chunks, {});
    begins_.assign(chunks, 0);
    workers.for_chunks(members, chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      Level part = level;
      part.begin = level.begin + static_cast<std::uint32_t>(begin);
      part.end = level.begin + static_cast<std::uint32_t>(end);
      begins_[chunk] = part.begin;
      reaches_[chunk] = is_nonuniform()
                            ? finish_level_with_knots(part)
                            : finish_level(view(), part, highest_keys_.data(), crossing_.data() + part.begin);
    });
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      const Reach& reach = reaches_[chunk];
      level.max_rows = std::max(level.max_rows, reach.max_rows);
      level.max_columns = std::max(level.max_columns, reach.max_columns);
      const auto from = crossing_.begin() + static_cast<std::ptrdiff_t>(begins_[chunk]);
      std::copy(from, from + static_cast<std::ptrdiff_t>(reach.crossing),
                crossing_.begin() + static_cast<std::ptrdiff_t>(listed));
      listed += reach.crossing;
    }
    crossing_begin_[l + 1] = static_cast<std::uint32_t>(listed);
  }
}

// The same as `finish_level`, for rows and columns with knots.
RowIndex::Reach RowIndex::finish_level_with_knots(const Level& part) {
  Reach reach;
  for (std::uint32_t i = part.begin; i < part.end; ++i) {
    const std::uint32_t column = part.columns.cell(max_x_[i]);
    const std::uint32_t rows = part.first_row + part.rows.cell(max_y_[i]) - (keys_[i] >> column_bits_);
    reach.max_rows = std::max(reach.max_rows, rows);
    reach.max_columns = std::max(reach.max_columns, column - (keys_[i] & ((1U << column_bits_) - 1U)));
    highest_keys_[i] = (keys_[i] >> column_bits_ << column_bits_) | column;
    if (rows > 0) {
      crossing_[part.begin + reach.crossing++] = i;
    }
  }
  return reach;
}

}  // namespace broadside::inline v0_2::detail
