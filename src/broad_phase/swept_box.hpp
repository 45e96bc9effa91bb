#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/rounding.hpp"
#include "broadside/base/aabb.hpp"
#include "broadside/base/export.h"
#include "broadside/base/function_ref.hpp"
#include "broadside/base/pair.hpp"

namespace broadside::inline v0_2::detail {

/// A box that moves along a straight line; a ray if it has no size. In double, and slightly enlarged, so that
/// the exact tests that follow find no hit, however they round, that was not found here. Two functions are
/// exported for the library `broadside::distributed`.
class SweptBox {
 public:
  /// @param motion the displacement; finite
  /// @pre `start` is valid
  BROADSIDE_API SweptBox(const Aabb& start, Vec2 motion);

  /// Returns the path with x and y in each other's place.
  [[nodiscard]] SweptBox transposed() const {
    SweptBox other = *this;
    std::swap(other.x_, other.y_);
    return other;
  }

  /// Returns a path that contains this one, moved by a vector.
  [[nodiscard]] SweptBox moved(Vec2 by) const;

  /// Later than any time on the path.
  static constexpr double never = 2.0;

  /// How the box moves along an axis.
  struct Axis {
    double low = 0.0;   ///< at the start
    double high = 0.0;  ///< at the start
    double motion = 0.0;
    double inverse = 0.0;  ///< 1 / motion; 0 if motion is 0
  };

  [[nodiscard]] const Axis& x() const { return x_; }
  [[nodiscard]] const Axis& y() const { return y_; }

  /// Returns the time in [0, 1] at which the moving box first touches another; `never` if it does not.
  [[nodiscard]] double entry(const Aabb& box) const {
    const TimeInterval x = pass(x_, box.min.x, box.max.x);
    const TimeInterval y = pass(y_, box.min.y, box.max.y);
    const double in = x.in > y.in ? x.in : y.in;
    const double out = x.out < y.out ? x.out : y.out;
    return in <= out ? in : never;
  }

  /// Returns the bounds of the moving box between two times, wide enough to overlap every box whose entry is
  /// between them.
  [[nodiscard]] BROADSIDE_API Aabb bounds(double from, double to) const;

  /// The times at which the moving box enters and leaves evenly spaced rows: linear in the row's number.
  struct RowTimes {
    double first_in;   ///< when it enters row 0
    double first_out;  ///< when it leaves row 0
    double step;       ///< from row to row
  };

  /// @param low of row 0
  /// @param pitch from row to row
  /// @param size the height of a row
  [[nodiscard]] RowTimes rise(double low, double pitch, double size) const {
    const double in = (low - y_.high - slack_) * y_.inverse;
    const double out = (low + size - y_.low + slack_) * y_.inverse;
    const bool forward = y_.motion > 0.0;
    return {forward ? in : out, forward ? out : in, pitch * y_.inverse};
  }

  /// Returns a range of floats that contains the moving box on an axis between two times.
  [[nodiscard]] std::pair<float, float> range(const Axis& axis, double from, double to) const {
    const double a = from * axis.motion;
    const double b = to * axis.motion;
    return {round_down(axis.low + (a < b ? a : b) - slack_), round_up(axis.high + (a < b ? b : a) + slack_)};
  }

  /// Returns the larger component of the displacement (unit: length).
  [[nodiscard]] double length() const;

 private:
  struct TimeInterval {
    double in;
    double out;
  };

  [[nodiscard]] static TimeInterval pass(const Axis& axis, float low, float high) {
    if (axis.motion == 0.0) {
      return axis.low <= static_cast<double>(high) && static_cast<double>(low) <= axis.high
                 ? TimeInterval{0.0, 1.0}
                 : TimeInterval{never, -never};
    }
    const double to_low = (static_cast<double>(low) - axis.high) * axis.inverse;
    const double to_high = (static_cast<double>(high) - axis.low) * axis.inverse;
    const bool forward = axis.motion > 0.0;
    const double in = forward ? to_low : to_high;
    const double out = forward ? to_high : to_low;
    return {in > 0.0 ? in : 0.0, out < 1.0 ? out : 1.0};
  }

  Axis x_;
  Axis y_;
  double slack_;  ///< by which the box is enlarged (unit: length)
};

/// A box that a swept box touches.
struct BoxHit {
  double entry;  ///< time in [0, 1]
  BoxIndex index;
};

/// Scratch of `BoxSearch::visit_along_path`.
struct SweptBoxScratch {
  std::vector<BoxIndex> names;
  std::vector<BoxHit> hits;

  [[nodiscard]] std::size_t capacity() const { return names.capacity() + hits.capacity(); }
};

/// Receives boxes that a swept box touches, in no order; returns the time beyond which no more are wanted.
using VisitSwept = FunctionRef<double(std::span<BoxHit>)>;

}  // namespace broadside::inline v0_2::detail
