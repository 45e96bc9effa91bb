#pragma once

#include <optional>

#include "broadside/base/result.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside {

/// A shape that a ray meets, and where.
struct RayCastHit {
  BoxIndex index = 0;
  RayHit hit;
};

/// Follows a ray from `start` along `way` (unit: length) to the first shape; of several at the same time, to
/// the one with the lowest index. Nothing if there is none.
///
/// Complexity: that of `BroadPhase::follow`, up to the hit.
[[nodiscard]] Result<std::optional<RayCastHit>> cast_ray(const ShapeSet& set, Vec2 start, Vec2 way,
                                                         Accept accept);

/// Visits all shapes that a ray meets, by (time, index); `visit` returns false to end.
///
/// All hits are found before the first is visited.
/// Complexity: that of `BroadPhase::follow`, all the way, and O(h log h) for h hits.
Result<void> visit_ray(const ShapeSet& set, Vec2 start, Vec2 way, Accept accept,
                       FunctionRef<bool(const RayCastHit&)> visit);

}  // namespace broadside
