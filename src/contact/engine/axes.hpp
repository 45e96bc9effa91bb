#pragma once

#include <cstdint>
#include <limits>

#include "body/convex.hpp"

namespace broadside::inline v0_2::detail {

/// What the faces of one core tell about the separation from another core.
enum class Verdict : std::uint8_t {
  touching,  ///< no face separates them
  apart,     ///< a face has the other core in front of it
  far,       ///< the same, by more than both radii
};

/// The separating axis of one core: its face of largest separation.
struct Axis {
  Verdict verdict = Verdict::touching;
  std::size_t face = 0;  ///< the first within the slack of the largest separation
  double separation = -std::numeric_limits<double>::infinity();  ///< of the deepest corner (unit: length)
};

/// Finds the first face of `core` whose separation is within `slack` of the largest. @pre core is not a point
///
/// The verdict uses signs and squares only, so that no root makes it inexact; if it is `far`, the other
/// members are not set. Complexity: O(n m).
Axis find_max_separation_axis(const Convex& core, const Convex& other, double radius, double slack);

/// The smallest and the largest of some values.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(double value) {
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
};

}  // namespace broadside::inline v0_2::detail
