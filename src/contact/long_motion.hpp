#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/rounding.hpp"
#include "body/convex.hpp"
#include "broadside/base/bit_cast.hpp"

namespace broadside::inline v0_2::detail {

// Rounding errors are proportional to the largest number involved. If that is the length of the motion, they
// may exceed the size of the shapes. But there is nothing to hit beyond a few times the extent of the shapes,
// so a much longer motion is first scaled by 2^-n. That is exact, except that `cut` rounds components below
// 2^-126, and the hit is the same.

/// The longest motion that is not scaled, as a multiple of the other lengths.
inline constexpr double max_relative_motion = 256.0;

/// Returns whether a motion may be too long, judged by two positions only.
inline bool may_be_long(Point motion, Vec2 from, Vec2 to) {
  return length_along_axes(motion) > max_relative_motion * length_along_axes(to_point(to) - to_point(from));
}

/// Returns an upper bound of the distance of the points of a shape from the position of its transform, and of
/// any two of its points from each other.
inline double reach_around(const Shape& shape) {
  const Aabb box = bounds(shape, {});
  return max_rotation_stretch *
         ((std::fabs(static_cast<double>(box.min.x)) + std::fabs(static_cast<double>(box.max.x))) +
          (std::fabs(static_cast<double>(box.min.y)) + std::fabs(static_cast<double>(box.max.y))));
}

/// Returns the power of 2 by which a motion must be scaled; 1 if it is short enough or not finite.
/// @param lengths an upper bound of the distance between any two points involved, without the motion
inline double scale_for(Point motion, double lengths) {
  constexpr std::uint64_t exponent = 0x7FF0000000000000;
  const double length = length_along_axes(motion);
  const double longest = max_relative_motion * lengths;
  if (!(longest > 0.0 && length > longest && length <= std::numeric_limits<double>::max())) {
    return 1.0;
  }
  const double too_long = length / longest;
  return 0.5 / detail::bit_cast<double>(detail::bit_cast<std::uint64_t>(too_long) & exponent);
}

/// Returns a scaled motion.
inline Vec2 cut(Vec2 motion, double scale) {
  return {static_cast<float>(scale * static_cast<double>(motion.x)),
          static_cast<float>(scale * static_cast<double>(motion.y))};
}

/// Converts a fraction of the scaled motion to one of the whole motion. Rounds down, but only 0 becomes 0.
inline float fraction_of_whole(float fraction, double scale) {
  const double whole = scale * static_cast<double>(fraction);
  return fraction == 0.0F ? 0.0F : std::max(round_down(whole), std::numeric_limits<float>::denorm_min());
}

}  // namespace broadside::inline v0_2::detail
