#pragma once

#include <cstddef>
#include <vector>

#include "broadside/base/result.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside {

/// A shape near a point.
struct Nearest {
  BoxIndex index = 0;
  float distance = 0.0F;  ///< from the query point; 0 if the shape contains it (unit: length)
  Vec2 point;             ///< closest point of the shape; the query point itself if the shape contains it

  friend constexpr bool operator==(const Nearest& a, const Nearest& b) = default;
};

/// Finds the shapes nearest to a point, at most `count` of them, by (distance, index).
///
/// @param max_distance no shape beyond is found (unit: length); 0 or more, the largest float for no limit
/// @param hits overwritten; empty after an error
/// @par Errors
/// Besides those of all queries, `invalid_argument` for a negative distance.
/// @par Complexity
/// That of `BroadPhase::approach` if the technique implements it, else that of growing squares around the
/// point, O(n) at worst. O(log count) for each shape found. Allocates only if `hits` has to grow.
Result<void> nearest(const ShapeSet& set, Vec2 point, std::size_t count, float max_distance, Accept accept,
                     std::vector<Nearest>& hits);

}  // namespace broadside
