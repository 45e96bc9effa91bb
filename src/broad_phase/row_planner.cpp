// Chooses rows, so that the user need not choose a cell size.

#include "row_planner.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/reserve.hpp"
#include "broadside/base/bit_cast.hpp"
#include "sample.hpp"

namespace broadside::inline v0_2::detail {

namespace {

constexpr std::uint32_t key_bits = 31;  // not all 32, so that signed comparisons work
constexpr std::uint32_t max_rows = std::uint32_t{1} << 17U;
constexpr unsigned max_column_bits = 20;
constexpr unsigned digits_of_float = 24;  // a column is computed in float
constexpr double boxes_in_reach = 4.0;
constexpr double price_of_pair = 2.0;    // no layout can avoid it
constexpr double cost_of_search = 24.0;  // of a level, by a box of a coarser one

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

CellAxis make_axis(double low, double high, double cells, std::span<const float> knots) {
  constexpr double limit = std::numeric_limits<float>::max();
  const double range = std::max(high - low, 1e-30);
  const double scale = knots.empty() ? cells / range : cells / static_cast<double>(knots.size() - 1);
  return {static_cast<float>(std::clamp(low, -limit, limit)), static_cast<float>(std::min(scale, 1e30)),
          static_cast<float>(cells - 1.0), knots};
}

/// Selects up to 257 different values, evenly by rank.
void select_knots(std::vector<float>& values, std::vector<float>& knots) {
  constexpr std::size_t stretches = 256;
  std::sort(values.begin(), values.end());
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

}  // namespace

double RowPlanner::Range::covered(double from, double to) const {
  return std::max(std::min(to, high) - std::max(from, low), 0.0);
}

/// Returns a value of each box of the sample.
template <typename Of>
std::vector<float>& RowPlanner::take_values(const Of& of) {
  values_.clear();
  for (const Aabb& box : sample_) {
    values_.push_back(of(box));
  }
  return values_;
}

// Rows along x suit nearly all boxes. If they seem to need much work, rows along y are tried, too, and one
// row for all, which suits boxes that hardly overlap in x.
const RowLayout& RowPlanner::plan(const BoxSet& set, Sample sample) {
  constexpr double slightly_better = 1.25;  // few levels are preferred
  constexpr double better = 1.5;            // even rows along x are preferred
  draw(set, sample, false);
  work_ = std::numeric_limits<double>::max();
  layout_.finest_exponent = usual_exponent_ + 1;
  try_rows(Rows::even, slightly_better);
  // Trying others costs about as much as so many tests of each box.
  const double much = 12.0 + 120.0 * static_cast<double>(sample_.size()) / count_;
  if (!row_height_ && work_ - price_of_pair * pairs_ > much) {
    try_rows(Rows::one, better);
    draw(set, sample, true);
    try_rows(Rows::even, better);
    try_rows(Rows::one, better);
  }
  return layout_;
}

bool RowPlanner::plan_with_knots(const BoxSet& set, double row_factor, double work) {
  draw(set, Sample::usual, false);
  select_knots(take_values([](const Aabb& box) { return box.min.x; }), knots_x_);
  select_knots(take_values([](const Aabb& box) { return box.min.y; }), knots_y_);
  measure(usual_exponent_ + 1);
  make(Rows::knotted, row_factor);
  if (work_in_sample() >= work) {
    return false;
  }
  layout_ = tried_;
  return true;
}

// Tries rows whose finest level is that of the best layout; if these are better, also coarser and finer ones,
// while these are better.
void RowPlanner::try_rows(Rows rows, double better_by) {
  constexpr int patience = 2;  // worse ones in a row
  constexpr int most_below = 2 * (static_cast<int>(RowLayout::max_levels) - 2);
  const int start = layout_.finest_exponent;
  const auto try_one = [&](int finest_exponent) {
    measure(finest_exponent);
    make(rows, 1.0);
    const double work = work_in_sample();
    const bool is_better = work < work_ / better_by;
    if (is_better) {
      work_ = work;
      layout_ = tried_;
    }
    return is_better;
  };
  constexpr double little = 8.0;  // for each box, besides pairs (unit: test)
  if (!try_one(start) || row_height_ || work_ - price_of_pair * pairs_ <= little) {
    return;
  }
  for (const int step : {2, -2}) {
    int worse = 0;
    int last_tried = start;
    for (int finest = start + step; worse < patience && finest - 2 <= largest_exponent_ &&
                                    finest >= std::max(smallest_exponent_, usual_exponent_ - most_below);
         finest += step) {
      if (separates_others(finest, last_tried)) {
        worse = try_one(finest) ? 0 : worse + 1;
        last_tried = finest;
      }
    }
  }
}

/// Visits the boxes of the sample to the right of box i whose min x is at most `limit`, each with a weight;
/// if they are many, only some of them, with a higher weight.
template <typename Visit>
void RowPlanner::visit_until(std::size_t i, float limit, const Visit& visit) const {
  constexpr std::size_t many = 16;
  const std::size_t first = i + 1;
  std::size_t last = first;
  while (last < sample_.size() && last - first < many && sample_[last].min.x <= limit) {
    ++last;
  }
  if (last - first < many) {
    for (std::size_t j = first; j < last; ++j) {
      visit(j, 1.0);
    }
    return;
  }
  const auto end = std::upper_bound(sample_.begin() + static_cast<std::ptrdiff_t>(last), sample_.end(), limit,
                                    [](float x, const Aabb& other) { return x < other.min.x; });
  const auto count = static_cast<std::size_t>(end - sample_.begin()) - first;
  const double weight = static_cast<double>(count) / static_cast<double>(many);
  for (std::size_t k = 0; k < many; ++k) {
    // One from each equal part. Multiples of the golden ratio are spread evenly.
    const std::size_t from = k * count / many;
    const std::size_t to = (k + 1) * count / many;
    const std::uint64_t share = ((i * many + k) * std::uint64_t{0x9E3779B9}) & 0xFFFFFFFFU;
    visit(first + from + static_cast<std::size_t>(((to - from) * share) >> 32U), weight);
  }
}

// Returns whether the boxes of the finest level are others with this exponent.
bool RowPlanner::separates_others(int finest_exponent, int other) const {
  const int low = std::min(finest_exponent, other);
  const int high = std::max(finest_exponent, other);
  return std::any_of(exponents_.begin(), exponents_.end(),
                     [&](int exponent) { return low < exponent && exponent <= high; });
}

// Draws a sample of the boxes, sorted along the rows, and measures what does not depend on levels.
void RowPlanner::draw(const BoxSet& set, Sample sample, bool is_transposed) {
  count_ = static_cast<double>(set.size());
  constexpr double enough = 2000.0;  // for any number of boxes
  const double usual = 3.0 * std::sqrt(count_) + 32.0;
  const double large = std::max(std::min(4.0 * usual, enough), usual);
  const auto wanted = static_cast<std::size_t>(sample == Sample::usual ? usual : large);
  draw_sample(set.size(), wanted, places_);
  tried_.transposed = is_transposed;
  // Sorted by the bits of min x, which order floats, and by place: no two are alike, so that sums of doubles
  // do not depend on the sort.
  order_.clear();
  for (const std::uint32_t i : places_) {
    const auto bits = detail::bit_cast<std::uint32_t>((is_transposed ? set[i].min.y : set[i].min.x) + 0.0F);
    const std::uint32_t key = bits ^ ((bits >> 31U) != 0 ? ~std::uint32_t{0} : std::uint32_t{1} << 31U);
    order_.push_back(std::uint64_t{key} << 32U | i);
  }
  std::sort(order_.begin(), order_.end());
  sample_.clear();
  for (const std::uint64_t place : order_) {
    const Aabb& box = set[static_cast<std::uint32_t>(place)];
    sample_.push_back(is_transposed ? transposed(box) : box);
  }
  each_stands_for_ = count_ / static_cast<double>(sample_.size());
  exponents_.clear();
  auto& sizes = take_values(larger_side);
  for (const float size : sizes) {
    exponents_.push_back(exponent_of(size));
  }
  std::sort(sizes.begin(), sizes.end());
  const std::size_t rare = sizes.size() / 32;
  const float median = sizes[sizes.size() / 2];
  usual_exponent_ = exponent_of(median);
  smallest_exponent_ = exponent_of(sizes[rare]);
  largest_exponent_ = exponent_of(sizes[sizes.size() - 1 - rare]);
  const auto [bottom, top] = middle_range(take_values([](const Aabb& box) { return box.min.y; }));
  all_across_ = {bottom, top};
  const auto [left, right] = middle_range(take_values([](const Aabb& box) { return box.min.x; }));
  all_along_ = {left, right};
  spacing_ = std::sqrt(std::max(all_along_.length() / count_ * all_across_.length(), 0.0));
  const double typical =
      median > 0.0F ? size_of_exponent(usual_exponent_ + 1) : std::max(size_of_exponent(1), spacing_);
  small_size_ = static_cast<float>(std::min(typical, double{std::numeric_limits<float>::max()}));
}

/// Returns the range of the coordinates of a level, unless it is much of that of all boxes, or too few are
/// known. What lies outside is in the cells at both ends.
RowPlanner::Range RowPlanner::range_of_level(std::vector<float>& values, Range all) const {
  constexpr std::size_t few = 8;
  constexpr double small = 0.25;
  if (values.size() < few || values.size() == sample_.size()) {
    return all;
  }
  const auto [low, high] = middle_range(values);
  const double more = 2.0 * (high - low) / static_cast<double>(values.size());
  return high - low > small * all.length() ? all : Range{low - more, high + more};
}

// Measures the boxes of each level.
void RowPlanner::measure(int finest_exponent) {
  tried_.finest_exponent = finest_exponent;
  levels_ = {};
  spots_.resize(sample_.size());
  std::array<int, RowLayout::max_levels> largest{};
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    const std::size_t own = tried_.level_of(sample_[i]);
    spots_[i].level = static_cast<std::uint32_t>(own);
    largest[own] = std::max(largest[own], exponents_[i]);
    ++levels_[own].members;
    levels_[own].widths += double{sample_[i].max.x} - sample_[i].min.x;
  }
  // For boxes without size, the mean spacing counts instead.
  const double min_size = usual_exponent_ > 0 ? 0.0 : spacing_;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const int middle = std::min(finest_exponent + 2 * static_cast<int>(l), largest[l] + 1);
    levels_[l].size = std::max(size_of_exponent(middle), min_size);
  }
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    LevelSample& level = levels_[l];
    const auto range_of = [&](float Vec2::*axis, Range all) {
      values_.clear();
      for (std::size_t i = 0; i < sample_.size(); ++i) {
        if (spots_[i].level == l) {
          values_.push_back(sample_[i].min.*axis);
        }
      }
      return range_of_level(values_, all);
    };
    level.across = level.members == 0 ? all_across_ : range_of(&Vec2::y, all_across_);
    level.along = level.members == 0 ? all_along_ : range_of(&Vec2::x, all_along_);
    for (std::size_t i = 0; i < sample_.size() && level.members > 0; ++i) {
      if (spots_[i].level > l) {
        ++level.coarser;
        level.coarser_height += level.across.covered(sample_[i].min.y, sample_[i].max.y);
        level.share_sum += share_of(sample_[i]);
      }
    }
  }
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    const Aabb& box = sample_[i];
    const std::size_t l = spots_[i].level;
    LevelSample& level = levels_[l];
    visit_until(i, box.max.x, [&](std::size_t j, double weight) {
      const Aabb& other = sample_[j];
      const std::size_t m = spots_[j].level;
      if (m == l) {
        level.in_line += weight;
        level.near += std::abs(double{other.min.y} - box.min.y) <= level.reach() ? weight : 0.0;
      } else if (m < l) {
        levels_[m].below_coarser += is_near(box, other) ? weight * share_of(box) : 0.0;
      } else {
        level.below_coarser += is_near(other, box) ? weight * share_of(other) : 0.0;
      }
    });
  }
}

// Returns the height of the rows of a level: the larger one of two.
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
double RowPlanner::pitch_of(const LevelSample& level) const {
  double pitch = 6.0 * level.size;
  if (level.near >= 4.0) {
    const double each = each_stands_for_ / static_cast<double>(level.members);
    pitch = std::clamp(boxes_in_reach * 2.0 * level.reach() / (each * level.near), 0.5 * level.size,
                       16.0 * level.size);
  }
  if (level.members > 0 && level.coarser > 0) {
    // One pair more than seen, so that no pairs at all do not make rows infinitely high.
    const double tests = each_stands_for_ * (level.near / (2.0 * level.reach()) + level.below_coarser +
                                             level.share_sum / static_cast<double>(level.coarser));
    pitch = std::max(pitch, std::sqrt(cost_of_visit * level.coarser_height / tests));
  }
  return pitch;
}

// Makes rows and columns for the levels that were measured.
void RowPlanner::make(Rows kind, double row_factor) {
  const bool knotted = kind == Rows::knotted;
  const std::span<const float> knots_x = knotted ? knots_x_ : std::span<const float>();
  const std::span<const float> knots_y = knotted ? knots_y_ : std::span<const float>();
  std::array<double, RowLayout::max_levels> rows{};
  double total_rows = 0.0;
  double columns = 16.0;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const LevelSample& level = levels_[l];
    rows[l] = 1.0;
    if (!knots_y.empty()) {
      // Rows that hold equally many boxes each.
      const double each = level.members == 0 ? 0.0 : each_stands_for_ / static_cast<double>(level.members);
      const double fair = row_factor * each * level.in_line / boxes_in_reach;
      rows[l] = std::floor(std::clamp(fair, 1.0, 8.0 * std::sqrt(count_) + 1.0));
    } else if (kind == Rows::even && level.members > 0) {
      const double height = level.across.length();
      const double pitch =
          row_height_ ? std::ldexp(double{*row_height_}, 2 * static_cast<int>(l)) : pitch_of(level);
      rows[l] = std::max(std::floor(height / std::max(pitch, height * 1e-6)), 1.0);
    }
    total_rows += rows[l];
    if (level.members > 0) {
      const double length = level.along.length();
      columns = std::max(columns, 8.0 * length / std::max(level.width(), length * 1e-7));
    }
  }
  // Never many more rows than boxes, nor so many that no bits are left for the columns.
  const double fewer = std::max(total_rows / std::min(double{max_rows}, 64.0 + count_), 1.0);
  std::uint32_t row_count = 0;
  for (double& count : rows) {
    count = std::max(std::floor(count / fewer), 1.0);
    row_count += static_cast<std::uint32_t>(count);
  }
  const auto row_bits = static_cast<unsigned>(std::bit_width(row_count - 1));
  const unsigned max_bits = kind == Rows::one ? digits_of_float : max_column_bits;
  tried_.column_bits =
      std::clamp(bits_for(knots_x.empty() ? columns : 65536.0), 4U, std::min(key_bits - row_bits, max_bits));
  const double column_count = std::ldexp(1.0, static_cast<int>(tried_.column_bits));
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Range across = levels_[l].across;
    const Range along = levels_[l].along;
    tried_.levels[l] = {.rows = make_axis(across.low, across.high, rows[l], knots_y),
                        .columns = make_axis(along.low, along.high, column_count, knots_x)};
  }
}

// Returns the work in the layout that is tried, for each box (unit: test): counts which boxes of the sample
// would be tested with each other, and which rows they would visit, as `RowIndex::find_pairs` does.
double RowPlanner::work_in_sample() {
  std::array<float, RowLayout::max_levels> widths{};
  reaches_ = {};
  pairs_ = 0.0;
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    const Aabb& box = sample_[i];
    Spot& spot = spots_[i];
    const auto& [rows, columns] = tried_.levels[spot.level];
    spot = {spot.level, rows.cell(box.min.y), rows.cell(box.max.y), columns.cell(box.min.x),
            columns.cell(box.max.x)};
    widths[spot.level] = std::max(widths[spot.level], box.max.x - box.min.x);
    Reach& reach = reaches_[spot.level];
    reach = {std::max(reach.rows, spot.last_row - spot.row),
             std::max(reach.columns, spot.last_column - spot.column)};
  }
  double work = 0.0;
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    const Aabb& box = sample_[i];
    const Spot& spot = spots_[i];
    work += cost_of_visit * static_cast<double>(spot.last_row - spot.row);
    for (std::size_t l = 0; l < spot.level; ++l) {
      if (levels_[l].members > 0) {
        const CellAxis& rows = tried_.levels[l].rows;
        const std::uint32_t covered = rows.cell(box.max.y) - rows.cell(box.min.y);
        work += cost_of_search + cost_of_visit * static_cast<double>(covered);
      }
    }
    const float column = 1.0F / tried_.levels[spot.level].columns.scale;
    visit_until(i, std::max(box.max.x, box.min.x + widths[spot.level]) + column,
                [&](std::size_t j, double weight) {
                  work += is_tested(i, j) ? each_stands_for_ * weight : 0.0;
                  pairs_ += overlaps(box, sample_[j]) ? each_stands_for_ * weight : 0.0;
                });
  }
  pairs_ /= static_cast<double>(sample_.size());
  return work / static_cast<double>(sample_.size());
}

// Returns whether two boxes of the sample are tested with each other; the second one is to the right.
bool RowPlanner::is_tested(std::size_t i, std::size_t j) const {
  const Spot& left = spots_[i];
  const Spot& right = spots_[j];
  const auto is_in_reach = [](std::uint32_t cell, std::uint32_t reach, std::uint32_t from, std::uint32_t to) {
    return cell <= to && cell + reach >= from;
  };
  if (left.level == right.level) {
    const bool is_left_lower = left.row < right.row;
    const Spot& lower = is_left_lower ? left : right;
    const Spot& upper = is_left_lower ? right : left;
    return left.row == right.row
               ? right.column <= left.last_column
               : upper.row <= lower.last_row &&
                     is_in_reach(upper.column, reaches_[left.level].columns, lower.column, lower.last_column);
  }
  const bool is_left_coarse = left.level > right.level;
  const Spot& fine = is_left_coarse ? right : left;
  const Aabb& coarse = sample_[is_left_coarse ? i : j];
  const auto& [rows, columns] = tried_.levels[fine.level];
  const Reach& reach = reaches_[fine.level];
  return is_in_reach(fine.row, reach.rows, rows.cell(coarse.min.y), rows.cell(coarse.max.y)) &&
         is_in_reach(fine.column, reach.columns, columns.cell(coarse.min.x), columns.cell(coarse.max.x));
}

std::size_t RowPlanner::bytes() const {
  return bytes_of(knots_x_, knots_y_, sample_, exponents_, places_, order_, values_, spots_);
}

}  // namespace broadside::inline v0_2::detail
