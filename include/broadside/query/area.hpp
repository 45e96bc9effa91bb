#pragma once

#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside {

/// Visits the shapes that touch a closed axis-aligned box, by ascending index.
///
/// All are found before the first is visited.
/// Complexity: O(b) for b boxes that overlap the area, besides finding them (`BroadPhase::query_area`); a
/// shape is only looked at where its box crosses the edge of the area.
Result<void> visit_area(const ShapeSet& set, const Aabb& area, Accept accept, Visit visit);

/// Finds the shapes that `visit_area` would visit, by ascending index.
///
/// @param hits overwritten; empty after an error
/// Complexity: as above. Allocates only where `hits` has to grow.
Result<void> collect_area(const ShapeSet& set, const Aabb& area, Accept accept, std::vector<BoxIndex>& hits);

/// Finds all shapes that touch a closed axis-aligned box, by ascending index: the fastest way where nothing
/// is to be left out.
///
/// @param hits overwritten; empty after an error
/// Complexity: as above. Allocates only where `hits` has to grow.
Result<void> collect_area(const ShapeSet& set, const Aabb& area, std::vector<BoxIndex>& hits);

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
