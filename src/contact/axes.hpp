#pragma once

#include <cstdint>
#include <limits>

#include "base/convex.hpp"

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

/// Does it for a polygon that knows its source. @pre core.source.edges is not null
Axis find_widest_edge(const Convex& core, const Convex& other, double radius, double slack);

}  // namespace broadside::detail
