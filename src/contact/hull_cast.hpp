#pragma once

#include "contact/convex_pairs.hpp"
#include "contact/hull_pair.hpp"

namespace broadside::detail {

/// Moves a box, line or polygon a towards another, b: a quick answer where it is sure
/// that they are apart at the start. `touching` where they come to touch. @param hit set where they do
/// Complexity: O(n m); does not allocate.
[[nodiscard]] Answer cast_hulls(const Shape& a, const Transform& at_a, Point motion, const Shape& b,
                                const Transform& at_b, CastHit& hit);

}  // namespace broadside::detail
