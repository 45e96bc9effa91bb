#include "broadside/broad_phase/detail/row_index.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "row_kernels.hpp"

namespace broadside::detail {

namespace {

constexpr std::uint32_t key_bits = 31;  // one less than there are, so that signed comparisons do
constexpr std::uint32_t no_key = 0x7FFFFFFFU;
constexpr unsigned max_digit = 8;
constexpr std::size_t parallel_least = 8192;  // boxes that are worth a task
constexpr std::uint32_t max_rows = std::uint32_t{1} << 17U;

unsigned digits_of(unsigned bits) {
  return (bits + max_digit - 1) / max_digit;
}

float larger_side(const Aabb& box) {
  return std::max(box.max.x - box.min.x, box.max.y - box.min.y);
}

/// The power of two at or below a size, as the float's own exponent; sizes that overflow get the highest.
int exponent_of(float size) {
  return static_cast<int>(std::bit_cast<std::uint32_t>(size) >> 23U);
}

/// Returns the size 2^e, a little wide of the ends of the range.
double size_of_exponent(int exponent) {
  return std::ldexp(1.0, exponent - 127);
}

/// What most of the coordinates lie in: all but a few of the lowest and highest, and a margin for those not
/// sampled.
std::pair<double, double> middle_range(std::vector<float>& values) {
  std::sort(values.begin(), values.end());
  const std::size_t cut = values.size() / 400;
  const double low = values[cut];
  const double high = values[values.size() - 1 - cut];
  const double margin = 0.05 * (high - low);
  return {low - margin, high + margin};
}

RowIndex::Axis make_axis(double low, double high, double cells, std::span<const float> knots) {
  constexpr double limit = std::numeric_limits<float>::max();
  const double range = std::max(high - low, 1e-30);
  const double scale = knots.empty() ? cells / range : cells / static_cast<double>(knots.size() - 1);
  return {static_cast<float>(std::clamp(low, -limit, limit)), static_cast<float>(std::min(scale, 1e30)),
          static_cast<float>(cells - 1.0), knots};
}

/// Picks up to 257 different values, evenly by rank. @pre values are sorted
void pick_knots(const std::vector<float>& values, std::vector<float>& knots) {
  constexpr std::size_t stretches = 256;
  knots.clear();
  for (std::size_t k = 0; k <= stretches; ++k) {
    const float value = values[k * (values.size() - 1) / stretches];
    if (knots.empty() || value > knots.back()) {
      knots.push_back(value);
    }
  }
  if (knots.size() < 2) {
    knots.clear();
  }
}

}  // namespace

std::size_t RowIndex::level_of(const Aabb& box) const {
  const int above = exponent_of(larger_side(box)) - finest_exponent_ + 1;
  return static_cast<std::size_t>(std::clamp(above / 2, 0, static_cast<int>(max_levels) - 1));
}

// In double and by whole stretches, so that it is monotone whatever is rounded: a stretch ends where the next
// begins.
float RowIndex::Axis::through_knots(float position) const {
  const auto above = std::upper_bound(knots.begin(), knots.end(), position);
  if (above == knots.begin()) {
    return 0.0F;
  }
  if (above == knots.end()) {
    return last;
  }
  const double from = *(above - 1);
  const double part = (position - from) / (*above - from);
  return static_cast<float>((static_cast<double>(above - knots.begin() - 1) + part) * scale);
}

// Nearly all scenes are done at the first try. The others have places that are very much denser than their
// surroundings; knots make rows and columns follow the boxes, and what is then still too dense gets more
// rows.
void RowIndex::build(const BoxSet& set, Workers& workers) {
  constexpr std::uint32_t measure_again_after = 256;
  constexpr double too_much = 48.0;
  constexpr double still_too_much = 8.0;
  constexpr std::size_t samples = 128;
  const std::size_t n = set.size();
  const bool as_many = 3 * n <= 4 * measured_.boxes && 3 * measured_.boxes <= 4 * n;
  if (as_many && measured_.builds > 0 && measured_.builds < measure_again_after) {
    build_with(set, workers);
    measured_.builds = still_fits() ? measured_.builds + 1 : 0;
    return;
  }
  measure(set, {.knotted = false, .more_rows = 1.0});
  build_with(set, workers);
  double waste = mean_waste(samples);
  if (waste > too_much && !row_height_) {
    measure(set, {.knotted = true, .more_rows = 1.0});
    build_with(set, workers);
    waste = mean_waste(samples);
    if (waste > still_too_much) {
      measure(set, {.knotted = true, .more_rows = std::min(waste / 2.0, 64.0)});
      build_with(set, workers);
      waste = mean_waste(samples);
    }
  }
  measured_ = {.boxes = n, .waste = waste, .crossing = crossing_share(), .builds = 1};
}

bool RowIndex::still_fits() const {
  constexpr std::size_t samples = 32;
  return mean_waste(samples) <= 1.5 * measured_.waste + 2.0 &&
         crossing_share() <= 1.25 * measured_.crossing + 0.1;
}

double RowIndex::crossing_share() const {
  return size_ == 0 ? 0.0 : static_cast<double>(crossing_begin_.back()) / static_cast<double>(size_);
}

void RowIndex::build_with(const BoxSet& set, Workers& workers) {
  size_ = set.size();
  filtered_ = !set.classes.empty();
  if (size_ == 0) {
    row_begin_.clear();
    occupied_rows_ = 0;
    crossing_begin_ = {};
    for (Level& level : levels_) {
      level.begin = 0;
      level.end = 0;
    }
    return;
  }
  make_keys(set, workers);
  sort(workers);
  place(set, workers);
  find_reaches(workers);
}

// Looks at a sample of the boxes: how many others will each be held against in its own row for nothing? Where
// hits are many, no better rows can help.
double RowIndex::mean_waste(std::size_t samples) const {
  const std::size_t looked_at = 2 * samples;
  const std::size_t stride = std::max<std::size_t>(size_ / samples, 1);
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t i = 0; i < size_; i += stride) {
    const std::uint32_t highest_key = highest_keys_[i];
    const auto place = [this](std::size_t position) {
      return keys_.begin() + static_cast<std::ptrdiff_t>(position);
    };
    const auto run =
        static_cast<std::size_t>(std::upper_bound(place(i + 1), place(size_), highest_key) - place(i + 1));
    std::size_t misses = 0;
    const std::size_t looks = std::min(run, looked_at);
    for (std::size_t j = i + 1; j <= i + looks; ++j) {
      misses += overlaps(box_at(i), box_at(j)) ? 0U : 1U;
    }
    sum += looks == 0 ? 0.0
                      : static_cast<double>(run) * static_cast<double>(misses) / static_cast<double>(looks);
    count += 1.0;
  }
  return count > 0.0 ? sum / count : 0.0;
}

// Rows should be as high as they can be while a box has only a few boxes of its level to its right within its
// own width: then one vector holds them all, and few boxes reach into the next row. How many there are is
// measured around the boxes of a sample, so empty space does not count.
void RowIndex::measure(const BoxSet& set, Layout layout) {
  // So few that measuring would cost more than testing all against all, in vectors: one row, one column.
  constexpr std::size_t few = 48;
  if (set.size() <= few) {
    finest_exponent_ = 255;
    columns_ = {};
    column_bits_ = 1;
    small_size_ = 0.0F;
    for (std::uint32_t l = 0; l < max_levels; ++l) {
      levels_[l] = {.rows = {}, .first_row = l};
    }
    knots_x_.clear();
    knots_y_.clear();
    return;
  }
  constexpr double boxes_in_reach = 3.0;
  const auto n = static_cast<double>(set.size());
  const auto wanted = static_cast<std::size_t>(3.0 * std::sqrt(n)) + 32;
  const std::size_t stride = std::max<std::size_t>(set.size() / wanted, 1);
  sample_.clear();
  for (std::size_t i = 0; i < set.size(); i += stride) {
    sample_.push_back(set[i]);
  }
  std::sort(sample_.begin(), sample_.end(), [](const Aabb& a, const Aabb& b) { return a.min.x < b.min.x; });
  const auto take_values = [this](auto of) -> std::vector<float>& {
    values_.clear();
    for (const Aabb& box : sample_) {
      values_.push_back(of(box));
    }
    return values_;
  };
  auto& sizes = take_values(larger_side);
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  const float median = *middle;
  finest_exponent_ = exponent_of(median) + 1;
  const auto [bottom, top] = middle_range(take_values([](const Aabb& box) { return box.min.y; }));
  knots_x_.clear();
  knots_y_.clear();
  if (layout.knotted) {
    pick_knots(values_, knots_y_);
  }
  const auto [left, right] = middle_range(take_values([](const Aabb& box) { return box.min.x; }));
  if (layout.knotted) {
    pick_knots(values_, knots_x_);
  }

  const double sampled = static_cast<double>(sample_.size());
  std::array<double, max_levels> rows{};
  double total_rows = 0.0;
  for (std::size_t l = 0; l < max_levels; ++l) {
    // Where boxes have no size, what counts is how many share a place.
    const double spacing = std::sqrt(std::max((right - left) / n * (top - bottom), 0.0));
    const double size =
        std::max(size_of_exponent(finest_exponent_ + 2 * static_cast<int>(l)), median > 0.0F ? 0.0 : spacing);
    const double reach = 4.0 * size;
    std::size_t members = 0;
    std::size_t near = 0;     // to the right within the width, and not far above or below
    std::size_t in_line = 0;  // to the right within the width
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      if (level_of(sample_[i]) != l) {
        continue;
      }
      ++members;
      for (std::size_t j = i + 1; j < sample_.size() && sample_[j].min.x <= sample_[i].max.x; ++j) {
        if (level_of(sample_[j]) == l) {
          ++in_line;
          near += std::abs(double{sample_[j].min.y} - sample_[i].min.y) <= reach ? 1U : 0U;
        }
      }
    }
    const double each = members == 0 ? 0.0 : n / sampled / static_cast<double>(members);
    if (l == 0) {
      small_size_ = static_cast<float>(std::min(size, double{std::numeric_limits<float>::max()}));
    }
    if (!knots_y_.empty()) {
      // Rows that hold equally many boxes each.
      const double fair = layout.more_rows * each * static_cast<double>(in_line) / boxes_in_reach;
      rows[l] = std::floor(std::clamp(fair, 1.0, 8.0 * std::sqrt(n) + 1.0));
    } else {
      double pitch = 6.0 * size;
      if (row_height_) {
        pitch = std::ldexp(double{*row_height_}, 2 * static_cast<int>(l));
      } else if (near >= 4) {
        pitch = std::clamp(boxes_in_reach * 2.0 * reach / (each * static_cast<double>(near)), 0.5 * size,
                           16.0 * size);
      }
      rows[l] = std::max(std::floor((top - bottom) / std::max(pitch, (top - bottom) * 1e-6)), 1.0);
    }
    total_rows += rows[l];
  }
  // Never many more rows than boxes, nor so many that no bits are left for the columns.
  const double coarser = std::max(total_rows / std::min(double{max_rows}, 64.0 + n), 1.0);
  std::uint32_t row = 0;
  for (std::size_t l = 0; l < max_levels; ++l) {
    const double fewer = std::max(std::floor(rows[l] / coarser), 1.0);
    levels_[l] = {.rows = make_axis(bottom, top, fewer, knots_y_), .first_row = row};
    row += static_cast<std::uint32_t>(fewer);
  }
  const auto row_bits = static_cast<unsigned>(std::bit_width(row - 1));
  const double finest_size = std::max(size_of_exponent(finest_exponent_), (right - left) * 1e-6);
  const double columns = knots_x_.empty() ? std::max(8.0 * (right - left) / finest_size, 16.0) : 65536.0;
  const auto wanted_bits = static_cast<unsigned>(std::ceil(std::log2(columns)));
  column_bits_ = std::clamp(wanted_bits, 4U, std::min(key_bits - row_bits, 20U));
  columns_ = make_axis(left, right, std::ldexp(1.0, static_cast<int>(column_bits_)), knots_x_);
}

void RowIndex::make_keys(const BoxSet& set, Workers& workers) {
  for (auto* array : {&keys_, &highest_keys_, &names_, &crossing_}) {
    array->resize(size_ + row_padding);
  }
  KeyMap map{.columns = columns_, .bottom = levels_[0].rows.origin};
  for (std::size_t l = 0; l < max_levels; ++l) {
    map.row_scale[l] = levels_[l].rows.scale;
    map.last_row[l] = levels_[l].rows.last;
    map.first_row[l] = levels_[l].first_row;
  }
  map.finest_exponent = finest_exponent_;
  map.column_bits = column_bits_;
  workers.for_chunks(size_, workers.chunks(size_, parallel_least),
                     [&](std::size_t, std::size_t begin, std::size_t end) {
                       if (is_knotted()) {
                         for (std::size_t i = begin; i < end; ++i) {
                           const Level& level = levels_[level_of(set[i])];
                           const std::uint32_t row = level.first_row + level.rows.cell(set[i].min.y);
                           keys_[i] = (row << column_bits_) | columns_.cell(set[i].min.x);
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

// Most significant digit first: one pass over all boxes deals them out to their rows; a row then fits into
// the first-level cache, where passes cost little. Stable, so the order is the same however many threads
// there are: each chunk of boxes has its own counters, and its boxes come after those of the chunks before
// it.
//
// Source: D. Knuth, The Art of Computer Programming 3, section 5.2.5.
void RowIndex::sort(Workers& workers) {
  const std::size_t rows = levels_.back().first_row + static_cast<std::size_t>(levels_.back().rows.last) + 1;
  // As few chunks as there are threads: where those of two threads meet in a row, they share a cache line.
  const std::size_t chunks =
      8 * rows > size_ ? 1 : std::min(workers.threads(), workers.chunks(size_, parallel_least));
  counts_.assign(chunks * rows, 0);
  workers.for_chunks(size_, chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    std::uint32_t* counts = counts_.data() + chunk * rows;
    for (std::size_t i = begin; i < end; ++i) {
      ++counts[keys_[i] >> column_bits_];
    }
  });
  row_begin_.resize(rows + 1);
  std::uint32_t before = 0;
  occupied_rows_ = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    occupied_rows_ += row > 0 && row_begin_[row - 1] != before ? 1U : 0U;
    row_begin_[row] = before;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      before += std::exchange(counts_[chunk * rows + row], before);
    }
  }
  row_begin_[rows] = before;
  occupied_rows_ += row_begin_[rows - 1] != before ? 1U : 0U;
  workers.for_chunks(size_, chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    std::uint32_t* places = counts_.data() + chunk * rows;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t key = keys_[i];
      const std::uint32_t place = places[key >> column_bits_]++;
      highest_keys_[place] = key;
      names_[place] = static_cast<BoxIndex>(i);
    }
  });
  // Dealt out by boxes, since rows may hold many or few.
  workers.for_chunks(size_, workers.chunks(size_, parallel_least),
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
  for (Level& level : levels_) {
    level.begin = row_begin_[level.first_row];
    level.end = row_begin_[level.first_row + static_cast<std::uint32_t>(level.rows.last) + 1];
  }
}

// From `highest_keys_` and `names_` to `keys_` and `crossing_`, and back, once a digit.
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

// Boxes come in the order of the sort, which stands in `crossing_` now and is used up by this.
void RowIndex::place(const BoxSet& set, Workers& workers) {
  for (auto* side : {&min_x_, &max_x_, &min_y_, &max_y_}) {
    side->resize(size_ + row_padding);
  }
  if (filtered_) {
    class_bits_.resize(size_ + row_padding);
    classes_.resize(size_ + row_padding);
    filters_ = set.filters;
  }
  const Sides sides{min_x_.data(), max_x_.data(), min_y_.data(), max_y_.data()};
  workers.for_chunks(size_, workers.chunks(size_, parallel_least),
                     [&](std::size_t, std::size_t begin, std::size_t end) {
                       for (std::size_t i = begin; i < end && !set.names.empty(); ++i) {
                         names_[i] = set.names[crossing_[i]];
                       }
                       const BoxIndex* names = set.names.empty() ? crossing_.data() : names_.data();
                       place_boxes(set.boxes.data(), names, begin, end, sides);
                       for (std::size_t i = begin; i < end && filtered_; ++i) {
                         classes_[i] = set.classes[names[i]];
                         class_bits_[i] = set.filters[classes_[i]].is;
                       }
                     });
  if (set.names.empty()) {
    names_.swap(crossing_);
  }
  std::fill(keys_.begin() + static_cast<std::ptrdiff_t>(size_), keys_.end(), no_key);
}

// Where the runs end, how far the boxes of each level reach, and which reach into the rows above.
void RowIndex::find_reaches(Workers& workers) {
  crossing_begin_ = {};
  std::size_t listed = 0;
  for (std::size_t l = 0; l < max_levels; ++l) {
    Level& level = levels_[l];
    level.most_rows = 0;
    level.most_columns = 0;
    const std::uint32_t members = level.end - level.begin;
    const std::size_t chunks = workers.chunks(members, parallel_least);
    reaches_.assign(chunks, {});
    begins_.assign(chunks, 0);
    workers.for_chunks(members, chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      Level part = level;
      part.begin = level.begin + static_cast<std::uint32_t>(begin);
      part.end = level.begin + static_cast<std::uint32_t>(end);
      begins_[chunk] = part.begin;
      reaches_[chunk] = is_knotted() ? find_reaches_of(part)
                                     : finish_level(view(), columns_, part, column_bits_,
                                                    highest_keys_.data(), crossing_.data() + part.begin);
    });
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      const Reach& reach = reaches_[chunk];
      level.most_rows = std::max(level.most_rows, reach.most_rows);
      level.most_columns = std::max(level.most_columns, reach.most_columns);
      const auto from = crossing_.begin() + begins_[chunk];
      std::copy(from, from + static_cast<std::ptrdiff_t>(reach.crossing),
                crossing_.begin() + static_cast<std::ptrdiff_t>(listed));
      listed += reach.crossing;
    }
    crossing_begin_[l + 1] = static_cast<std::uint32_t>(listed);
  }
}

// The same as `finish_level`, for rows and columns with knots.
RowIndex::Reach RowIndex::find_reaches_of(const Level& part) {
  Reach reach;
  for (std::uint32_t i = part.begin; i < part.end; ++i) {
    const std::uint32_t column = columns_.cell(max_x_[i]);
    const std::uint32_t rows = part.first_row + part.rows.cell(max_y_[i]) - (keys_[i] >> column_bits_);
    reach.most_rows = std::max(reach.most_rows, rows);
    reach.most_columns = std::max(reach.most_columns, column - (keys_[i] & ((1U << column_bits_) - 1U)));
    highest_keys_[i] = (keys_[i] >> column_bits_ << column_bits_) | column;
    if (rows > 0) {
      crossing_[part.begin + reach.crossing++] = i;
    }
  }
  return reach;
}

}  // namespace broadside::detail
