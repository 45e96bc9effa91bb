// How high rows are: what a `RowIndex` finds out by itself, so that nobody has to pick a cell size.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "broadside/broad_phase/detail/row_index.hpp"

namespace broadside::detail {

namespace {

constexpr std::uint32_t key_bits = 31;  // one less than there are, so that signed comparisons do
constexpr std::uint32_t max_rows = std::uint32_t{1} << 17U;

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

bool RowIndex::still_fits() const {
  constexpr std::size_t samples = 32;
  return mean_waste(samples) <= 1.5 * measured_.waste + 2.0 &&
         crossing_share() <= 1.25 * measured_.crossing + 0.1;
}

double RowIndex::crossing_share() const {
  return size_ == 0 ? 0.0 : static_cast<double>(crossing_begin_.back()) / static_cast<double>(size_);
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

}  // namespace broadside::detail
