#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "broadside/base/vec2.hpp"

namespace broadside::inline v0_2 {

/// One point where two shapes touch.
struct ManifoldPoint {
  Vec2 position;            ///< halfway between the two surfaces (world; unit: length)
  float separation = 0.0F;  ///< along the normal; 0 if just touching, negative if overlapping (unit: length)
  std::uint32_t feature = 0;  ///< id of the corners or edges that made it; stable while those are the same

  friend constexpr bool operator==(const ManifoldPoint& a, const ManifoldPoint& b) = default;
};

/// Where two shapes touch: a normal and one or two points; no points if they do not touch.
struct Manifold {
  Vec2 normal;  ///< unit vector from a to b (world): moving b along it separates them; {0, 0} without points
  std::array<ManifoldPoint, 2> points;  ///< points beyond `size` are zero in all bytes
  std::uint32_t size = 0;               ///< points in use: 0, 1 or 2

  [[nodiscard]] std::span<const ManifoldPoint> in_use() const { return {points.data(), size}; }
  [[nodiscard]] bool touching() const { return size > 0; }
};

/// Returns the manifold with a and b swapped: the normal is negated.
constexpr Manifold swapped(Manifold manifold) {
  manifold.normal = -manifold.normal;
  return manifold;
}

}  // namespace broadside::inline v0_2
