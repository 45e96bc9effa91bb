#pragma once

#include <optional>

#include "broadside/base/result.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside {

/// A shape that a moving one meets, when and where.
struct ShapeCastHit {
  BoxIndex index = 0;
  CastHit hit;  ///< its normal points from the moving shape to the one that is met
};

/// Moves a shape along `motion` (unit: length) to the first that it touches; of several at the same time, to
/// the one with the lowest index. Nothing if there is none.
///
/// Complexity: that of `BroadPhase::follow`, up to the hit.
[[nodiscard]] Result<std::optional<ShapeCastHit>> cast_shape(const ShapeSet& set, const Shape& shape,
                                                             const Transform& at, Vec2 motion, Accept accept);

/// Visits all shapes that a moving one would touch, if none stopped it, by (time, index); `visit` returns
/// false to end.
///
/// All hits are found before the first is visited.
/// Complexity: that of `BroadPhase::follow`, all the way, and O(h log h) for h hits.
Result<void> visit_cast(const ShapeSet& set, const Shape& shape, const Transform& at, Vec2 motion,
                        Accept accept, FunctionRef<bool(const ShapeCastHit&)> visit);

}  // namespace broadside
