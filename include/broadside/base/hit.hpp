#pragma once

#include "broadside/base/body_id.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/vec2.hpp"

namespace broadside::inline v0_2 {

/// Where a ray, or a moving shape, first touches another shape.
struct Hit {
  float fraction = 0.0F;  ///< of the motion up to the hit, in [0, 1]; 0 only if they touch at the start
  /// Outward unit normal of the surface that is hit (world). Points against the motion, but may point in any
  /// direction if a shape overlaps the other at the start: see `cast`.
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
  /// Closest point of the shape (world; unit: length); the query point itself if the shape contains it.
  Vec2 point;

  friend constexpr bool operator==(const NearestShape& a, const NearestShape& b) = default;
};

/// A body near a point.
struct Nearest {
  BodyId body;
  float distance = 0.0F;  ///< from the query point; 0 if the body contains it (unit: length)
  /// Closest point of the body (world; unit: length); the query point itself if the body contains it.
  Vec2 point;

  friend constexpr bool operator==(const Nearest& a, const Nearest& b) = default;
};

}  // namespace broadside::inline v0_2
