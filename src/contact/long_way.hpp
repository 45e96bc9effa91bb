#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/rounding.hpp"
#include "body/convex.hpp"

namespace broadside::detail {

// Rounding errors are a share of the largest number that takes part. If that is the length of the way, they
// may be larger than the shapes. But beyond a few times the extent of the shapes there is nothing to hit, so
// a way that is much longer is first cut to 2^-n of itself. That is exact, and the hit is the same.

/// The longest way that is not cut, in units of the lengths around it.
inline constexpr double longest_way = 256.0;

/// Tells whether a way may be too long, from two positions only.
inline bool may_be_long(Point way, Vec2 from, Vec2 to) {
  const auto length = [](double x, double y) { return std::fabs(x) + std::fabs(y); };
  return length(way.x, way.y) > longest_way * length(static_cast<double>(to.x) - static_cast<double>(from.x),
                                                     static_cast<double>(to.y) - static_cast<double>(from.y));
}

/// Returns an upper bound of the distance of all points of a shape from the position of its transform.
inline double reach_around(const Shape& shape) {
  const Aabb box = bounds(shape, {});
  return max_by_turning *
         ((std::fabs(static_cast<double>(box.min.x)) + std::fabs(static_cast<double>(box.max.x))) +
          (std::fabs(static_cast<double>(box.min.y)) + std::fabs(static_cast<double>(box.max.y))));
}

/// Returns the share that a way must be cut to: a power of 2.
/// @param lengths an upper bound of the distance of any two points that take part, without the way
inline double share_of_long(Point way, double lengths) {
  constexpr std::uint64_t exponent = 0x7FF0000000000000;
  const double length = length_along_axes(way);
  const double longest = longest_way * lengths;
  if (!(longest > 0.0 && length >= longest && length <= std::numeric_limits<double>::max())) {
    return 1.0;
  }
  const double too_long = length / longest;
  return 0.5 / std::bit_cast<double>(std::bit_cast<std::uint64_t>(too_long) & exponent);
}

/// Returns a way cut to a share.
inline Vec2 cut(Vec2 way, double share) {
  return {static_cast<float>(share * static_cast<double>(way.x)),
          static_cast<float>(share * static_cast<double>(way.y))};
}

/// Converts a time on the cut way to one on the whole way. Rounds down, but to 0 only what is 0.
inline float time_of_whole(float time, double share) {
  const double whole = share * static_cast<double>(time);
  return time == 0.0F ? 0.0F : std::max(round_down(whole), std::numeric_limits<float>::denorm_min());
}

}  // namespace broadside::detail
