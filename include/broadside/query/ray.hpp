#pragma once

#include <optional>

#include "broadside/base/hit.hpp"
#include "broadside/base/result.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside {

/// Finds the first shape that a ray from `start` to `start + motion` (unit: length) hits.
///
/// @return nothing if there is no hit; of several hits at the same fraction, the one with the lowest index
/// @par Complexity
/// That of `BroadPhase::visit_along_path` up to the hit.
[[nodiscard]] Result<std::optional<ShapeHit>> cast_ray(const ShapeSet& set, Vec2 start, Vec2 motion,
                                                       Accept accept = accept_all);

/// Visits all shapes that a ray hits, by (fraction, index).
///
/// All hits are found before the first is visited. `visit` returns false to stop.
/// @par Complexity
/// That of `BroadPhase::visit_along_path` over the whole ray, and O(h log h) for h hits.
Result<void> visit_ray(const ShapeSet& set, Vec2 start, Vec2 motion, VisitHit visit,
                       Accept accept = accept_all);

}  // namespace broadside
