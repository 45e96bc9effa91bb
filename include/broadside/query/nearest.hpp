#pragma once

#include <cstddef>
#include <vector>

#include "broadside/base/export.h"
#include "broadside/base/hit.hpp"
#include "broadside/base/result.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside::inline v0_2 {

/// Finds the shapes nearest to a point, at most `count` of them, in order of (distance, index).
///
/// @param max_distance distance up to which shapes are found (unit: length); 0 or more; the largest float for
/// no limit
/// @param hits overwritten; empty after an error
/// @see ShapeSet, for threads and memory
/// @par Errors
/// Besides those of all queries, `invalid_argument` for a negative distance.
/// @par Complexity
/// O(log n) nodes and O(log m) for each of the m boxes visited if the broad phase has built a tree. Otherwise
/// that of area queries in growing squares around the point, and a test of all boxes once a square with a
/// quarter of them was not enough. O(log count) for each shape found. Allocates only if `hits` or scratch
/// memory of the thread has to grow, and to build the tree of a `HierarchicalGrid`.
BROADSIDE_API Result<void> nearest(const ShapeSet& set, Vec2 point, std::size_t count, float max_distance,
                                   std::vector<NearestShape>& hits, Accept accept = accept_all);

}  // namespace broadside::inline v0_2
