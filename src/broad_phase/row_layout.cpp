// How rows and columns are laid out.

#include "row_layout.hpp"

#include <algorithm>
#include <vector>

namespace broadside::inline v0_2::detail {

double CellAxis::usual_cell() const {
  if (scale <= 0.0F) {
    return 0.0;
  }
  if (knots.empty()) {
    return 1.0 / static_cast<double>(scale);
  }
  // The mean would be that of the gaps, where hardly any boxes are.
  std::vector<float> intervals;
  for (std::size_t k = 1; k < knots.size(); ++k) {
    intervals.push_back(knots[k] - knots[k - 1]);
  }
  std::sort(intervals.begin(), intervals.end());
  return static_cast<double>(intervals[intervals.size() / 2] / scale);
}

// In double and by whole intervals, so that it is monotone despite rounding: an interval ends where the next
// one begins.
float CellAxis::cell_by_knots(float position) const {
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

std::size_t RowLayout::level_of(const Aabb& box) const {
  const int above = exponent_of(larger_side(box)) - finest_exponent + 1;
  return static_cast<std::size_t>(std::clamp(above / 2, 0, static_cast<int>(max_levels) - 1));
}

}  // namespace broadside::inline v0_2::detail
