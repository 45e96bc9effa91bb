#pragma once

#include <optional>

#include "broadside/base/export.h"
#include "broadside/base/hit.hpp"
#include "broadside/base/result.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside::inline v0_2 {

/// Finds the first shape that a ray from `start` to `start + motion` (unit: length) hits.
///
/// A shape over 64 times as large as the ray is long may be missed if only rounding makes it a hit.
///
/// @return the first hit, or nothing; of several hits at the same fraction, the one with the lowest index
/// @see contact/collide.hpp, for what a hit is; ShapeSet, for errors, threads and memory
/// @par Complexity
/// At most O(sqrt n) area queries along the ray, up to the hit.
[[nodiscard]] BROADSIDE_API Result<std::optional<ShapeHit>> cast_ray(const ShapeSet& set, Vec2 start,
                                                                     Vec2 motion, Accept accept = accept_all);

/// Visits all shapes that a ray hits, in order of (fraction, index).
///
/// All hits are found before the first is visited. `visit` returns false to stop.
/// @par Complexity
/// At most O(sqrt n) area queries along the ray, and O(h log h) for h hits.
BROADSIDE_API Result<void> visit_ray(const ShapeSet& set, Vec2 start, Vec2 motion, VisitHit visit,
                                     Accept accept = accept_all);

}  // namespace broadside::inline v0_2
