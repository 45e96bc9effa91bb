#pragma once

#include <cstdint>

#include "body/convex.hpp"

namespace broadside::detail {

// Rays and moving circles that come to a shape, in the frame of the shape: what can be told without placing
// it.

/// What the radius of a shape grows by, as a share of the numbers, so that no ray that grazes is lost to
/// rounding.
inline constexpr double ray_tolerance = 0x1p-44;

/// What is told, if it is sure: what starts close by, or where a guess was wrong, is for others to tell.
enum class CoreVerdict : std::uint8_t { unsure, miss, hit };

struct CoreHit {
  double time = 0.0;  ///< share of the way
  Point normal;       ///< outward unit vector (world); at a corner without a radius, that of a face
};

/// Follows a ray to where it comes into a shape. S is Capsule or Polygon.
/// @param hit set where it hits
/// Complexity: O(1), of polygons O(n) to find the face. Source: M. Cyrus, J. Beck, Generalized two- and
/// three-dimensional clipping, 1978; corners are ours.
template <typename S>
[[nodiscard]] CoreVerdict follow_ray(const Point& start, const Point& way, const S& shape,
                                     const Transform& at, CoreHit& hit);

/// Follows a circle to where it meets a shape: a ray from its center. Sure only where they are clearly apart
/// at the start. S is Circle, Box, Capsule, Segment or Polygon.
/// @param way of the circle, as seen from the other
/// @param hit set where it hits; the normal is from the other to the circle
template <typename S>
[[nodiscard]] CoreVerdict follow_circle(const Circle& circle, const Transform& at_circle, const Point& way,
                                        const S& other, const Transform& at_other, CoreHit& hit);

}  // namespace broadside::detail
