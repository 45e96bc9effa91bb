#pragma once

#include <cstdint>

#include "base/convex.hpp"

namespace broadside::detail {

/// A ray at a core that a radius rounds: what can be told of it in the frame of the core, without placing it.
/// A cast of a circle is one, too.
struct CoreRay {
  Point between;  ///< from the position of the core's transform to that of the start (world)
  Point center;   ///< of what starts there, relative to its position (world)
  Point way;      ///< (world)
  double radius;  ///< around the core (unit: length)
  /// How large the numbers were that the positions are made of, where that matters (unit: length).
  double reach;
  /// What starts closer than this share of the numbers is for others to tell.
  double clear;
  /// What the radius grows by, as a share of the numbers, so that none that grazes is lost to rounding.
  double tolerance;
};

/// What is told, if it is sure: what starts close by, or where a guess was wrong, is for others to tell.
enum class CoreVerdict : std::uint8_t { unsure, miss, hit };

struct CoreHit {
  double time = 0.0;  ///< share of the way
  Point normal;       ///< outward unit vector (world); at a corner without a radius, that of a face
};

/// Follows a ray to a shape, which is Circle, Box, Capsule, Segment or Polygon, and valid.
/// @param hit set where it hits
/// Complexity: O(1), of polygons O(n) to find the face. Source: M. Cyrus, J. Beck, Generalized two- and
/// three-dimensional clipping, 1978; corners are ours.
template <typename S>
[[nodiscard]] CoreVerdict follow(const CoreRay& ray, const S& shape, const Transform& at, CoreHit& hit);

}  // namespace broadside::detail
