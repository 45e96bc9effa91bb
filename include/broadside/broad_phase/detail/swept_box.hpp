#pragma once

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/function_ref.hpp"
#include "broadside/base/pair.hpp"

namespace broadside::detail {

/// A box that moves along a straight way; without size it is a ray. In double, and by a little wider than
/// told, so that whatever rounds in the exact tests that follow finds nothing that was not found here.
class SweptBox {
 public:
  /// @param way finite, as the box is valid
  SweptBox(const Aabb& start, Vec2 way);

  /// Beyond any time on the way.
  static constexpr double never = 2.0;

  /// How the box moves along an axis.
  struct Axis {
    double low = 0.0;   ///< at the start
    double high = 0.0;  ///< at the start
    double way = 0.0;
    double inverse = 0.0;  ///< 1 / way; 0 for no way
  };

  [[nodiscard]] const Axis& x() const { return x_; }
  [[nodiscard]] const Axis& y() const { return y_; }

  /// Returns when the moving box first touches another, in shares of the way; `never` if it does not.
  [[nodiscard]] double entry(const Aabb& box) const {
    const Passage x = pass(x_, box.min.x, box.max.x);
    const Passage y = pass(y_, box.min.y, box.max.y);
    const double in = x.in > y.in ? x.in : y.in;
    const double out = x.out < y.out ? x.out : y.out;
    return in <= out ? in : never;
  }

  /// Returns a box around all that is passed between two times, wide enough for every box whose entry is
  /// between them.
  [[nodiscard]] Aabb bounds(double from, double to) const;

  /// Where a path is within heights [low, low + size] that rise evenly, row by row: what does not change.
  struct Rise {
    double first_in;   ///< when it comes in, at row 0
    double first_out;  ///< when it leaves, at row 0
    double step;       ///< from row to row
  };

  /// @param low of row 0
  /// @param pitch from row to row
  [[nodiscard]] Rise rise(double low, double pitch, double size) const {
    const double in = (low - y_.high - slack_) * y_.inverse;
    const double out = (low + size - y_.low + slack_) * y_.inverse;
    const bool forward = y_.way > 0.0;
    return {forward ? in : out, forward ? out : in, pitch * y_.inverse};
  }
  [[nodiscard]] bool is_level() const { return y_.way == 0.0; }

  /// Returns floats that all x between two times lie between.
  [[nodiscard]] std::pair<float, float> x_range(double from, double to) const {
    const double a = from * x_.way;
    const double b = to * x_.way;
    return {below(x_.low + (a < b ? a : b) - slack_), above(x_.high + (a < b ? b : a) + slack_)};
  }

  /// Returns the larger side of the way (unit: length).
  [[nodiscard]] double length() const;

 private:
  struct Passage {
    double in;
    double out;
  };

  /// Returns a float that is surely not above a number, unless that is below all floats.
  [[nodiscard]] static float below(double value) {
    constexpr double rounding = 0x1p-22;
    constexpr double least = std::numeric_limits<float>::denorm_min();
    constexpr double most = std::numeric_limits<float>::max();
    const double lower = value - rounding * (value < 0.0 ? -value : value) - least;
    return static_cast<float>(lower > most ? most : (lower < -most ? -most : lower));
  }
  [[nodiscard]] static float above(double value) { return -below(-value); }

  [[nodiscard]] static Passage pass(const Axis& axis, float low, float high) {
    if (axis.way == 0.0) {
      return axis.low <= static_cast<double>(high) && static_cast<double>(low) <= axis.high
                 ? Passage{0.0, 1.0}
                 : Passage{never, -never};
    }
    const double near = (static_cast<double>(low) - axis.high) * axis.inverse;
    const double far = (static_cast<double>(high) - axis.low) * axis.inverse;
    const bool forward = axis.way > 0.0;
    const double in = forward ? near : far;
    const double out = forward ? far : near;
    return {in > 0.0 ? in : 0.0, out < 1.0 ? out : 1.0};
  }

  Axis x_;
  Axis y_;
  double slack_;  ///< by which it is wider (unit: length)
};

/// A box that a path touches.
struct Met {
  double entry;  ///< in shares of the way
  BoxIndex index;
};

/// Scratch of `BroadPhase::follow`.
struct SweptBoxScratch {
  std::vector<BoxIndex> names;
  std::vector<Met> met;
};

/// Takes boxes that a path touches, in no order, and returns the time beyond which no more are wanted.
using VisitSwept = FunctionRef<double(std::span<Met>)>;

}  // namespace broadside::detail
