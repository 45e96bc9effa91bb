#include "broad_phase/swept_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/tolerances.hpp"

namespace broadside::inline v0_2::detail {

namespace {

/// Moves both ends of a range, and rounds them outwards: far from the origin, the sums would round to where
/// they were.
void move_ends(SweptBox::Axis& axis, double low_by, double high_by) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  axis.low = std::nextafter(axis.low + low_by, -infinity);
  axis.high = std::nextafter(axis.high + high_by, infinity);
}

}  // namespace

SweptBox::SweptBox(const Aabb& start, Vec2 motion) {
  // The exact tests enlarge shapes by `ray_tolerance`, of numbers that may be larger than these.
  constexpr double relative_slack = 64.0 * ray_tolerance;
  const auto measure = [](float low, float high, float w, Axis& axis) {
    axis = {static_cast<double>(low), static_cast<double>(high), static_cast<double>(w),
            w == 0.0F ? 0.0 : 1.0 / static_cast<double>(w)};
    return std::max(axis.high - axis.low, std::abs(axis.motion));
  };
  const double on_x = measure(start.min.x, start.max.x, motion.x, x_);
  const double on_y = measure(start.min.y, start.max.y, motion.y, y_);
  slack_ = relative_slack * std::max(on_x, on_y);
  for (Axis* axis : {&x_, &y_}) {
    move_ends(*axis, -slack_, slack_);
  }
}

SweptBox SweptBox::moved(Vec2 by) const {
  SweptBox other = *this;
  move_ends(other.x_, double{by.x}, double{by.x});
  move_ends(other.y_, double{by.y}, double{by.y});
  return other;
}

double SweptBox::length() const {
  return std::max(std::abs(x_.motion), std::abs(y_.motion));
}

Aabb SweptBox::bounds(double from, double to) const {
  const auto [left, right] = range(x_, from, to);
  const auto [bottom, top] = range(y_, from, to);
  return {{left, bottom}, {right, top}};
}

}  // namespace broadside::inline v0_2::detail
