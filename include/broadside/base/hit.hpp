#pragma once

#include "broadside/base/body_id.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/vec2.hpp"

namespace broadside {

/// Where a ray, or a shape that moves, first touches another shape.
struct Hit {
  float fraction = 0.0F;  ///< of the motion, in [0, 1]; 0 only if they touch at the start
  /// Outward unit normal of the surface that is hit (world): it points against the motion. Shapes that
  /// overlap at the start may get any direction; the functions say which.
  Vec2 normal;
  Vec2 point;  ///< where they touch (world; unit: length)
};

/// A shape that is hit, by its index in the broad phase.
struct ShapeHit : Hit {
  BoxIndex index = 0;
};

/// A body that is hit.
struct BodyHit : Hit {
  BodyId body;
};

/// A shape near a point, by its index in the broad phase.
struct NearestShape {
  BoxIndex index = 0;
  float distance = 0.0F;  ///< from the query point; 0 if the shape contains it (unit: length)
  Vec2 point;             ///< closest point of the shape; the query point itself if the shape contains it

  friend constexpr bool operator==(const NearestShape& a, const NearestShape& b) = default;
};

/// A body near a point.
struct Nearest {
  BodyId body;
  float distance = 0.0F;  ///< from the query point; 0 if the body contains it (unit: length)
  Vec2 point;             ///< closest point of the body; the query point itself if the body contains it

  friend constexpr bool operator==(const Nearest& a, const Nearest& b) = default;
};

}  // namespace broadside
