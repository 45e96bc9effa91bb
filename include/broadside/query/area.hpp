#pragma once

#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/export.h"
#include "broadside/base/result.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside::inline v0_2 {

/// Finds the shapes that touch a closed axis-aligned box, by ascending index.
///
/// @param hits overwritten; empty after an error
/// @see ShapeSet, for errors, threads and memory
/// @par Complexity
/// That of `BroadPhase::query_area`, and O(b) for the b boxes that it finds. A shape is tested only if its
/// box crosses the edge of the area. Allocates only if `hits` or scratch memory of the thread has to grow,
/// and to build the tree of a `HierarchicalGrid`.
BROADSIDE_API Result<void> query_area(const ShapeSet& set, const Aabb& area, std::vector<BoxIndex>& hits);

/// Finds those of these shapes that `accept` accepts.
BROADSIDE_API Result<void> query_area(const ShapeSet& set, const Aabb& area, std::vector<BoxIndex>& hits,
                                      Accept accept);

/// Visits the shapes that `query_area` finds, by ascending index. All are found before the first is visited.
BROADSIDE_API Result<void> visit_area(const ShapeSet& set, const Aabb& area, Visit visit,
                                      Accept accept = accept_all);

/// Visits the shapes that contain a point, by ascending index; a shape includes its boundary.
///
/// @par Complexity
/// That of `BroadPhase::query_area`, and a test of each box that contains the point.
BROADSIDE_API Result<void> visit_point(const ShapeSet& set, Vec2 point, Visit visit,
                                       Accept accept = accept_all);

/// Visits the shapes that overlap another shape, by ascending index.
///
/// @par Complexity
/// That of `BroadPhase::query_area`, and a test of each box that overlaps the bounds of `shape`.
BROADSIDE_API Result<void> visit_shape(const ShapeSet& set, const Shape& shape, const Transform& transform,
                                       Visit visit, Accept accept = accept_all);

}  // namespace broadside::inline v0_2
