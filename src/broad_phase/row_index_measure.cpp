// How a `RowIndex` measures the height of its rows, so that the user need not choose a cell size.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "row_index.hpp"
#include "sample.hpp"

namespace broadside::detail {

namespace {

constexpr std::uint32_t key_bits = 31;  // not all 32, so that signed comparisons work
constexpr std::uint32_t max_rows = std::uint32_t{1} << 17U;
constexpr double boxes_in_reach = 4.0;

/// Never -0, of which `exponent_of` would take the sign for a part of the exponent.
float larger_side(const Aabb& box) {
  return std::max(box.max.x - box.min.x, box.max.y - box.min.y) + 0.0F;
}

/// Returns the biased exponent of a size: of the power of two at or below it. Infinite sizes get the highest.
int exponent_of(float size) {
  return static_cast<int>(std::bit_cast<std::uint32_t>(size) >> 23U);
}

/// Returns the power of two of a biased exponent, also a little beyond the range of float.
double size_of_exponent(int exponent) {
  return std::ldexp(1.0, exponent - 127);
}

/// Returns the least b with 2^b >= count; exact, unlike a logarithm, which is rounded.
/// @pre count >= 1
unsigned bits_for(double count) {
  int exponent = 0;
  const double fraction = std::frexp(count, &exponent);
  return static_cast<unsigned>(fraction > 0.5 ? exponent : exponent - 1);
}

/// Returns a range that contains most of the coordinates, with a margin for those not sampled. Drops outliers
/// at both ends: always a few values, and up to a thirtieth if these are farther away from the rest than the
/// rest is wide.
/// @pre there are at least 4 values, as in each sample of boxes that are too many for one row
std::pair<double, double> middle_range(std::vector<float>& values) {
  std::sort(values.begin(), values.end());
  const std::size_t last = values.size() - 1;
  const std::size_t cut = values.size() / 400;
  const std::size_t max_cut = cut + values.size() / 32 + 1;
  const double inner_low = values[max_cut];
  const double inner_high = values[last - max_cut];
  const double far = inner_high - inner_low;
  std::size_t low_rank = cut;
  while (low_rank < max_cut && values[low_rank] < inner_low - far) {
    ++low_rank;
  }
  std::size_t high_rank = last - cut;
  while (high_rank > last - max_cut && values[high_rank] > inner_high + far) {
    --high_rank;
  }
  const double low = values[low_rank];
  const double high = values[high_rank];
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

/// Selects up to 257 different values, evenly by rank.
/// @pre values are sorted
void select_knots(const std::vector<float>& values, std::vector<float>& knots) {
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

/// The statistics of a sample for one level of boxes, and for the larger boxes of coarser levels.
struct LevelSample {
  double size = 0.0;            ///< the power of two in the middle of the level's sizes (unit: length)
  std::size_t members = 0;      ///< boxes of the level
  std::size_t in_line = 0;      ///< pairs of them, the second one to the right within the width of the first
  std::size_t near = 0;         ///< of these, pairs that are not far above or below each other
  std::size_t merged = 0;       ///< the same pairs among boxes of this and all finer levels
  std::size_t coarser = 0;      ///< boxes of coarser levels
  double coarser_height = 0.0;  ///< their heights, added up
  double share_sum = 0.0;       ///< what one pair adds to `below_coarser`, summed over all coarser boxes
  double below_coarser = 0.0;   ///< tests that coarser boxes add per unit of row height, within the sample

  /// Returns the vertical distance up to which boxes count as near.
  [[nodiscard]] double reach() const { return 4.0 * size; }
};

/// Returns the tests per unit of row height that a coarser box adds for each finer box in its columns that is
/// not farther away than the coarser box is large: rows extend by up to twice their height beyond that box.
double share_of(const Aabb& coarser) {
  const double height = double{coarser.max.y} - coarser.min.y;
  const double width = double{coarser.max.x} - coarser.min.x;
  return 2.0 / (height + 2.0 * std::max(height, width));
}

bool is_near(const Aabb& coarser, const Aabb& box) {
  const double reach = std::max(double{coarser.max.x} - coarser.min.x, double{coarser.max.y} - coarser.min.y);
  return box.min.y >= coarser.min.y - reach && box.min.y <= coarser.max.y + reach;
}

/// Returns the statistics of a sample for each level.
/// @pre the sample is sorted by min x
template <std::size_t kLevels>
std::array<LevelSample, kLevels> measure_levels(std::span<const Aabb> sample,
                                                std::span<const std::uint32_t> level_of, int finest_exponent,
                                                double min_size, double height) {
  std::array<LevelSample, kLevels> levels{};
  for (std::size_t l = 0; l < kLevels; ++l) {
    levels[l].size = std::max(size_of_exponent(finest_exponent + 2 * static_cast<int>(l)), min_size);
  }
  std::size_t coarsest = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const std::size_t own = level_of[i];
    ++levels[own].members;
    coarsest = std::max(coarsest, own);
    for (std::size_t l = 0; l < own; ++l) {
      ++levels[l].coarser;
      levels[l].coarser_height += std::min(double{sample[i].max.y} - sample[i].min.y, height);
      levels[l].share_sum += share_of(sample[i]);
    }
  }
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const Aabb& box = sample[i];
    const std::size_t l = level_of[i];
    LevelSample& level = levels[l];
    for (std::size_t j = i + 1; j < sample.size() && sample[j].min.x <= box.max.x; ++j) {
      const Aabb& other = sample[j];
      const std::size_t m = level_of[j];
      const double apart = std::abs(double{other.min.y} - box.min.y);
      if (m == l) {
        ++level.in_line;
        level.near += apart <= level.reach() ? 1U : 0U;
      } else if (m < l) {
        levels[m].below_coarser += is_near(box, other) ? share_of(box) : 0.0;
      } else {
        level.below_coarser += is_near(other, box) ? share_of(other) : 0.0;
      }
      for (std::size_t k = std::max<std::size_t>({l, m, 1}); k <= coarsest; ++k) {
        levels[k].merged += apart <= levels[k].reach() ? 1U : 0U;
      }
    }
  }
  return levels;
}

/// Returns how many of the finest levels to merge into the next coarser one. If small boxes are so few that
/// the rows of the large boxes suit all, rows of their own would only cost the large boxes more searches.
template <std::size_t kLevels>
std::size_t levels_to_merge(const std::array<LevelSample, kLevels>& levels, double each_stands_for) {
  std::size_t count = 0;
  std::size_t members = levels[0].members;
  for (std::size_t l = 1; l < kLevels; ++l) {
    const LevelSample& level = levels[l];
    members += level.members;
    const double each = each_stands_for / static_cast<double>(members);
    const double pitch =
        boxes_in_reach * 2.0 * level.reach() / (each * static_cast<double>(level.merged + 1));
    if (4 * level.members >= members && pitch >= level.size) {
      count = l;
    }
  }
  return count;
}

}  // namespace

std::size_t RowIndex::level_of(const Aabb& box) const {
  const int above = exponent_of(larger_side(box)) - finest_exponent_ + 1;
  return static_cast<std::size_t>(std::clamp(above / 2, 0, static_cast<int>(max_levels) - 1));
}

// In double and by whole intervals, so that it is monotone despite rounding: an interval ends where the next
// one begins.
float RowIndex::Axis::cell_by_knots(float position) const {
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

bool RowIndex::still_fits() const {
  constexpr std::size_t samples = 32;
  return mean_waste(samples) <= 1.5 * measured_.waste + 2.0 &&
         crossing_share() <= 1.25 * measured_.crossing + 0.1;
}

double RowIndex::crossing_share() const {
  return size_ == 0 ? 0.0 : static_cast<double>(crossing_begin_.back()) / static_cast<double>(size_);
}

// Returns how many misses a box has in its own row, on average over a sample. Hits do not count: no better
// rows could avoid them.
double RowIndex::mean_waste(std::size_t samples) const {
  const std::size_t tested = 2 * samples;
  double sum = 0.0;
  double count = 0.0;
  visit_sample(size_, samples, [&](std::size_t i) {
    const std::uint32_t highest_key = highest_keys_[i];
    const auto place = [this](std::size_t position) {
      return keys_.begin() + static_cast<std::ptrdiff_t>(position);
    };
    const auto run =
        static_cast<std::size_t>(std::upper_bound(place(i + 1), place(size_), highest_key) - place(i + 1));
    std::size_t misses = 0;
    const std::size_t tests = std::min(run, tested);
    for (std::size_t j = i + 1; j <= i + tests; ++j) {
      misses += overlaps(box_at(i), box_at(j)) ? 0U : 1U;
    }
    sum += tests == 0 ? 0.0
                      : static_cast<double>(run) * static_cast<double>(misses) / static_cast<double>(tests);
    count += 1.0;
  });
  return count > 0.0 ? sum / count : 0.0;
}

// Chooses a row height for each level: the larger one of two.
//
// For the boxes of the level, rows should be as high as possible while a box has only a few others to its
// right within its own width: then one vector holds them all, and few boxes reach into the next row.
//
// Boxes of coarser levels search the rows that they cover. With a row height p, a box of height h visits
// about h / p + 2 rows: lower rows mean more visits. In these rows it tests boxes up to 2 p beyond its own
// height, and the boxes of the level test more of each other: higher rows mean more tests. So
//
//     cost(p) = price * heights / p + tests * p        is least at p = sqrt(price * heights / tests)
//
// where `heights` are summed over the coarser boxes, and `tests` are per unit of row height. Both are
// measured around the boxes of a sample, so that empty space does not count.
void RowIndex::measure(const BoxSet& set, Layout layout) {
  constexpr double cost_of_visit = 3.0;  // in tests, as measured
  const auto n = static_cast<double>(set.size());
  const auto wanted = static_cast<std::size_t>(3.0 * std::sqrt(n)) + 32;
  draw_sample(set.size(), wanted, counts_);
  sample_.clear();
  for (const std::uint32_t i : counts_) {
    sample_.push_back(set[i]);
  }
  // A total order, so that sums of doubles do not depend on the sort.
  std::sort(sample_.begin(), sample_.end(), [](const Aabb& a, const Aabb& b) {
    return a.min.x != b.min.x ? a.min.x < b.min.x
                              : std::tie(a.min.y, a.max.x, a.max.y) < std::tie(b.min.y, b.max.x, b.max.y);
  });
  const auto take_values = [this](auto of) -> std::vector<float>& {
    values_.clear();
    for (const Aabb& box : sample_) {
      values_.push_back(of(box));
    }
    return values_;
  };
  auto& sizes = take_values(larger_side);
  const auto size_at = [&sizes](std::size_t rank) {
    const auto place = sizes.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(sizes.begin(), place, sizes.end());
    return *place;
  };
  // The finest level begins at the median size; but if nearly half of the boxes are much smaller, at theirs,
  // since otherwise chance would decide. Whether small boxes keep a level of their own is decided below.
  const float median = size_at(sizes.size() / 2);
  const float lower = size_at(sizes.size() * 3 / 10);
  const float smallest = exponent_of(median) - exponent_of(lower) >= 2 ? lower : median;
  finest_exponent_ = exponent_of(smallest) + 1;
  const auto [bottom, top] = middle_range(take_values([](const Aabb& box) { return box.min.y; }));
  knots_x_.clear();
  knots_y_.clear();
  if (layout.knotted) {
    select_knots(values_, knots_y_);
  }
  const auto [left, right] = middle_range(take_values([](const Aabb& box) { return box.min.x; }));
  if (layout.knotted) {
    select_knots(values_, knots_x_);
  }

  // For boxes without size, the mean spacing counts instead.
  const double spacing = std::sqrt(std::max((right - left) / n * (top - bottom), 0.0));
  const double min_size = smallest > 0.0F ? 0.0 : spacing;
  const double each_stands_for = n / static_cast<double>(sample_.size());
  const auto measure_all = [&, height = top - bottom] {
    begins_.clear();
    for (const Aabb& box : sample_) {
      begins_.push_back(static_cast<std::uint32_t>(level_of(box)));
    }
    return measure_levels<max_levels>(sample_, begins_, finest_exponent_, min_size, height);
  };
  auto levels = measure_all();
  if (const std::size_t more = levels_to_merge(levels, each_stands_for); more > 0) {
    finest_exponent_ += 2 * static_cast<int>(more);
    levels = measure_all();
  }
  const double small_size =
      median > 0.0F ? size_of_exponent(exponent_of(median) + 1) : std::max(size_of_exponent(1), spacing);
  small_size_ = static_cast<float>(std::min(small_size, double{std::numeric_limits<float>::max()}));
  std::array<double, max_levels> rows{};
  double total_rows = 0.0;
  for (std::size_t l = 0; l < max_levels; ++l) {
    const LevelSample& level = levels[l];
    const double each = level.members == 0 ? 0.0 : each_stands_for / static_cast<double>(level.members);
    if (!knots_y_.empty()) {
      // Rows that hold equally many boxes each.
      const double fair = layout.row_factor * each * static_cast<double>(level.in_line) / boxes_in_reach;
      rows[l] = std::floor(std::clamp(fair, 1.0, 8.0 * std::sqrt(n) + 1.0));
    } else {
      const auto near = static_cast<double>(level.near);
      double pitch = 6.0 * level.size;
      if (row_height_) {
        pitch = std::ldexp(double{*row_height_}, 2 * static_cast<int>(l));
      } else if (level.near >= 4) {
        pitch = std::clamp(boxes_in_reach * 2.0 * level.reach() / (each * near), 0.5 * level.size,
                           16.0 * level.size);
      }
      if (!row_height_ && level.members > 0 && level.coarser > 0) {
        // One pair more than seen, so that no pairs at all do not make rows infinitely high.
        const double tests = each_stands_for * (near / (2.0 * level.reach()) + level.below_coarser +
                                                level.share_sum / static_cast<double>(level.coarser));
        pitch = std::max(pitch, std::sqrt(cost_of_visit * level.coarser_height / tests));
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
  const auto wanted_bits = bits_for(columns);
  column_bits_ = std::clamp(wanted_bits, 4U, std::min(key_bits - row_bits, 20U));
  columns_ = make_axis(left, right, std::ldexp(1.0, static_cast<int>(column_bits_)), knots_x_);
}

}  // namespace broadside::detail
