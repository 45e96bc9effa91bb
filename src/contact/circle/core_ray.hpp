#pragma once

#include <cstdint>

#include "body/convex.hpp"

namespace broadside::inline v0_2::detail {

// Rays and moving circles against a shape, in the frame of the shape: fast tests without placing it.

/// The verdict of a fast test. `inconclusive` if the start is too close, or a guessed face was wrong: the
/// caller then uses the exact test.
enum class CoreVerdict : std::uint8_t { inconclusive, miss, hit };

struct CoreHit {
  double fraction = 0.0;  ///< of the motion
  Point normal;           ///< outward unit vector (world); at a corner without a radius, that of a face
};

/// Casts a ray from `start` to `start + motion` against a shape. S is Capsule or Polygon. Complexity: O(1),
/// for polygons O(n) to find the face. Source: M. Cyrus, J. Beck, Generalized two- and three-dimensional
/// clipping, 1978; rounded corners are not in it.
/// @param hit set if the verdict is `hit`
template <typename S>
[[nodiscard]] CoreVerdict try_cast_ray(const Point& start, const Point& motion, const S& shape,
                                       const Transform& at, CoreHit& hit);

/// Casts a circle against a shape of any type except a mask: a ray from its center. Certain only if they are
/// clearly apart at the start.
/// @param motion of the circle relative to the other shape
/// @param hit set if the verdict is `hit`; the normal points from the other shape to the circle
[[nodiscard]] CoreVerdict try_cast_circle(const Circle& circle, const Transform& at_circle, Point motion,
                                          const Shape& other, const Transform& at_other, CoreHit& hit);

}  // namespace broadside::inline v0_2::detail
