#pragma once

#include <cstdint>
#include <limits>

#include "body/convex.hpp"

namespace broadside::detail {

/// How two cores lie to each other as far as the faces of one of them tell.
enum class Verdict : std::uint8_t {
  touching,  ///< no face parts them
  apart,     ///< a face has the other core in front of it
  far,       ///< and further out than both radii
};

/// The face of one core that sees the other the furthest outside.
struct Axis {
  Verdict verdict = Verdict::touching;
  std::size_t face = 0;  ///< the first that no other beats by more than the slack
  double separation = -std::numeric_limits<double>::infinity();  ///< of the deepest corner (unit: length)
};

/// Finds the face of `core`, which is more than a point, that no other beats by more than `slack`.
///
/// The verdict is by sign and by squares alone, so that no root can make it inexact; where it is `far` the
/// rest is not set. Complexity: O(n m).
Axis find_widest_axis(const Convex& core, const Convex& other, double radius, double slack);

/// The least and the most of what is taken.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(double value) {
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
};

/// Finds how far the corners of a polygon that knows its source reach along two axes, from `start`, times
/// their lengths. @pre core.source.edges is not null
void find_ranges(const Convex& core, Point start, Point first, Point second, Range& on_first,
                 Range& on_second);

/// Finds the first corner of a polygon that knows its source that is the deepest behind a line, as
/// `deepest_corner` does. @pre core.source.edges is not null
std::size_t find_deepest(const Convex& core, Point start, Point normal);

/// Does it for a polygon that knows its source. @pre core.source.edges is not null
Axis find_widest_edge(const Convex& core, const Convex& other, double radius, double slack);

}  // namespace broadside::detail
