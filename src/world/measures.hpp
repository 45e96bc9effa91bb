#pragma once

#include <algorithm>
#include <cmath>

#include "body/convex.hpp"
#include "broadside/base/manifold.hpp"
#include "broadside/base/vec2.hpp"

namespace broadside {

/// Returns the length, in double: squares of float components neither overflow nor underflow there.
inline double length(Vec2 v) {
  const detail::Point p = detail::to_point(v);
  return std::sqrt(dot(p, p));
}

/// Returns the lowest separation of a manifold's points; negative inside.
inline float deepest(const Manifold& manifold) {
  float separation = manifold.points[0].separation;
  for (const ManifoldPoint& point : manifold.in_use()) {
    separation = std::min(separation, point.separation);
  }
  return separation;
}

}  // namespace broadside
