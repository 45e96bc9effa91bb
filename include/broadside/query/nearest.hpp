#pragma once

#include <cstddef>
#include <vector>

#include "broadside/base/result.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside {

/// A shape near a point.
struct Nearest {
  BoxIndex index = 0;
  float distance = 0.0F;  ///< from the point; 0 where the shape contains it (unit: length)
  Vec2 point;             ///< of the shape, closest to the point; the point itself where it is contained

  friend constexpr bool operator==(const Nearest& a, const Nearest& b) = default;
};

/// Finds the shapes nearest to a point, at most `count` of them and none farther than `max_distance` (unit:
/// length; 0 or more, and the largest float for any distance), by (distance, index).
///
/// @param hits overwritten; empty after an error
/// Errors: besides those of all queries, `invalid_argument` for a negative distance. Complexity: that of
/// `BroadPhase::approach`; where it does not know how, that of looking at ever larger squares around the
/// point, O(n) at worst, besides O(log count) for each. Allocates only where `hits` has to grow.
Result<void> nearest(const ShapeSet& set, Vec2 point, std::size_t count, float max_distance, Accept accept,
                     std::vector<Nearest>& hits);

}  // namespace broadside
