#pragma once

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside {

/// Visits the shapes that touch a closed axis-aligned box, by ascending index.
///
/// Complexity: O(b log b) for b boxes that overlap the area, besides finding them
/// (`BroadPhase::query_area`); a shape is only looked at where its box crosses the edge of the area.
Result<void> visit_area(const ShapeSet& set, const Aabb& area, Accept accept, Visit visit);

/// Visits the shapes that contain a point, by ascending index; their edges belong to them.
///
/// Complexity: as above.
Result<void> visit_point(const ShapeSet& set, Vec2 point, Accept accept, Visit visit);

/// Visits the shapes that overlap another shape, by ascending index.
///
/// Complexity: as above, for the shape's bounds.
Result<void> visit_shape(const ShapeSet& set, const Shape& shape, const Transform& at, Accept accept,
                         Visit visit);

}  // namespace broadside
