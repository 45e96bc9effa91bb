#pragma once

#include <optional>

#include "broadside/base/result.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside {

/// The first contact of a moving shape with another shape.
struct ShapeCastHit {
  BoxIndex index = 0;
  CastHit hit;  ///< its normal points from the moving shape to the shape that it hits
};

/// Finds the first shape that a shape hits when it moves by `motion` (unit: length).
///
/// @return nothing if there is no hit; of several hits at the same time, the one with the lowest index
/// @par Complexity
/// That of `BroadPhase::follow` up to the hit.
[[nodiscard]] Result<std::optional<ShapeCastHit>> cast_shape(const ShapeSet& set, const Shape& shape,
                                                             const Transform& at, Vec2 motion, Accept accept);

/// Visits all shapes that a moving shape hits on its whole path, by (time, index).
///
/// All hits are found before the first is visited. `visit` returns false to stop.
/// @par Complexity
/// That of `BroadPhase::follow` over the whole path, and O(h log h) for h hits.
Result<void> visit_cast(const ShapeSet& set, const Shape& shape, const Transform& at, Vec2 motion,
                        Accept accept, FunctionRef<bool(const ShapeCastHit&)> visit);

}  // namespace broadside
