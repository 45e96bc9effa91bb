#include "broadside/broad_phase/detail/path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rounding.hpp"

namespace broadside::detail {

Path::Path(const Aabb& start, Vec2 way) {
  // The exact tests take shapes to be larger by up to 2^-44 of the numbers that take part.
  constexpr double relative_slack = 0x1p-38;
  const auto measure = [](float low, float high, float w, Axis& axis) {
    axis = {static_cast<double>(low), static_cast<double>(high), static_cast<double>(w),
            w == 0.0F ? 0.0 : 1.0 / static_cast<double>(w)};
    return std::max(axis.high - axis.low, std::abs(axis.way));
  };
  const double on_x = measure(start.min.x, start.max.x, way.x, x_);
  const double on_y = measure(start.min.y, start.max.y, way.y, y_);
  slack_ = relative_slack * std::max(on_x, on_y);
  for (Axis* axis : {&x_, &y_}) {
    axis->low -= slack_;
    axis->high += slack_;
  }
}

double Path::length() const {
  return std::max(std::abs(x_.way), std::abs(y_.way));
}

Aabb Path::bounds(double from, double to) const {
  // Far from the origin a double's rounding may be more than the slack.
  constexpr double rounding = 0x1p-50;
  const auto low = [&](const Axis& axis) {
    const double value = axis.low + std::min(from * axis.way, to * axis.way) - slack_;
    return round_down(value - rounding * std::abs(value));
  };
  const auto high = [&](const Axis& axis) {
    const double value = axis.high + std::max(from * axis.way, to * axis.way) + slack_;
    return round_up(value + rounding * std::abs(value));
  };
  return {{low(x_), low(y_)}, {high(x_), high(y_)}};
}

Aabb Path::bounds_within(double from, double to, double low, double high) const {
  const double start_low = y_.low - slack_;
  const double start_high = y_.high + slack_;
  if (y_.way == 0.0) {
    if (start_high < low || start_low > high) {
      return {{0.0F, 0.0F}, {-1.0F, -1.0F}};
    }
    return bounds(from, to);
  }
  const double at_low = (low - start_high) * y_.inverse;
  const double at_high = (high - start_low) * y_.inverse;
  const double in = std::max(from, std::min(at_low, at_high));
  const double out = std::min(to, std::max(at_low, at_high));
  if (!(in <= out)) {
    return {{0.0F, 0.0F}, {-1.0F, -1.0F}};
  }
  return bounds(in, out);
}

}  // namespace broadside::detail
