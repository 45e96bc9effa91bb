#pragma once

#include <optional>

#include "broadside/base/result.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside {

/// The point at which a ray hits a shape.
struct RayCastHit {
  BoxIndex index = 0;
  RayHit hit;
};

/// Finds the first shape that a ray from `start` to `start + way` (unit: length) hits.
///
/// @return nothing if there is no hit; of several hits at the same time, the one with the lowest index
/// @par Complexity
/// That of `BroadPhase::follow` up to the hit.
[[nodiscard]] Result<std::optional<RayCastHit>> cast_ray(const ShapeSet& set, Vec2 start, Vec2 way,
                                                         Accept accept);

/// Visits all shapes that a ray hits, by (time, index).
///
/// All hits are found before the first is visited. `visit` returns false to stop.
/// @par Complexity
/// That of `BroadPhase::follow` over the whole ray, and O(h log h) for h hits.
Result<void> visit_ray(const ShapeSet& set, Vec2 start, Vec2 way, Accept accept,
                       FunctionRef<bool(const RayCastHit&)> visit);

}  // namespace broadside
