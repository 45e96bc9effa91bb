#pragma once

#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside {

/// Visits the shapes that touch a closed axis-aligned box, by ascending index.
///
/// All hits are found before the first is visited.
/// @par Complexity
/// That of `BroadPhase::query_area`, and O(b) for the b boxes that it finds. A shape is tested only if its
/// box crosses the edge of the area.
Result<void> visit_area(const ShapeSet& set, const Aabb& area, Accept accept, Visit visit);

/// Finds the shapes that `visit_area` would visit, by ascending index.
///
/// @param hits overwritten; empty after an error
/// @par Complexity
/// As above. Allocates only if `hits` or scratch memory of the thread has to grow, and to build the tree of a
/// `HierarchicalGrid`.
Result<void> collect_area(const ShapeSet& set, const Aabb& area, Accept accept, std::vector<BoxIndex>& hits);

/// Finds all shapes that touch a closed axis-aligned box, by ascending index.
///
/// The fastest form: it calls no filter.
/// @param hits overwritten; empty after an error
/// @par Complexity
/// As above. Allocates only if `hits` or scratch memory of the thread has to grow, and to build the tree of a
/// `HierarchicalGrid`.
Result<void> collect_area(const ShapeSet& set, const Aabb& area, std::vector<BoxIndex>& hits);

/// Visits the shapes that contain a point, by ascending index; a shape includes its boundary.
///
/// @par Complexity
/// As above.
Result<void> visit_point(const ShapeSet& set, Vec2 point, Accept accept, Visit visit);

/// Visits the shapes that overlap another shape, by ascending index.
///
/// @par Complexity
/// As above, for the bounds of the shape.
Result<void> visit_shape(const ShapeSet& set, const Shape& shape, const Transform& at, Accept accept,
                         Visit visit);

}  // namespace broadside
