#pragma once

#include <optional>

#include "broadside/base/export.h"
#include "broadside/base/hit.hpp"
#include "broadside/base/result.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside::inline v0_2 {

/// Finds the first shape that a shape hits when it moves by `motion` (unit: length).
///
/// A shape over 64 times as large as the path is long may be missed if only rounding makes it a hit.
///
/// @return the first hit, or nothing; of several hits at the same fraction, the one with the lowest index
/// @see cast, for what a hit is; ShapeSet, for errors, threads and memory
/// @par Complexity
/// At most O(sqrt n) area queries along the path, up to the hit.
[[nodiscard]] BROADSIDE_API Result<std::optional<ShapeHit>> cast_shape(const ShapeSet& set,
                                                                       const Shape& shape,
                                                                       const Transform& transform,
                                                                       Vec2 motion,
                                                                       Accept accept = accept_all);

/// Visits all shapes that a moving shape hits on its whole path, in order of (fraction, index).
///
/// All hits are found before the first is visited. `visit` returns false to stop.
/// @par Complexity
/// At most O(sqrt n) area queries along the path, and O(h log h) for h hits.
BROADSIDE_API Result<void> visit_cast(const ShapeSet& set, const Shape& shape, const Transform& transform,
                                      Vec2 motion, VisitHit visit, Accept accept = accept_all);

}  // namespace broadside::inline v0_2
