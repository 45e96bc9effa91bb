#pragma once

#include <cstddef>
#include <vector>

#include "broadside/base/hit.hpp"
#include "broadside/base/result.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside {

/// Finds the shapes nearest to a point, at most `count` of them, by (distance, index).
///
/// @param max_distance no shape beyond is found (unit: length); 0 or more, the largest float for no limit
/// @param hits overwritten; empty after an error
/// @par Errors
/// Besides those of all queries, `invalid_argument` for a negative distance.
/// @par Complexity
/// That of `BroadPhase::visit_nearest` if the technique implements it, else that of growing squares around
/// the point, O(n) at worst. O(log count) for each shape found. Allocates only if `hits` has to grow.
Result<void> nearest(const ShapeSet& set, Vec2 point, std::size_t count, float max_distance,
                     std::vector<NearestShape>& hits, Accept accept = accept_all);

}  // namespace broadside
