#pragma once

#include <algorithm>

#include "broadside/base/manifold.hpp"

namespace broadside::inline v0_2 {

/// Returns the lowest separation of a manifold's points; negative inside.
inline float deepest(const Manifold& manifold) {
  float separation = manifold.points[0].separation;
  for (const ManifoldPoint& point : manifold.in_use()) {
    separation = std::min(separation, point.separation);
  }
  return separation;
}

}  // namespace broadside::inline v0_2
