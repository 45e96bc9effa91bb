#pragma once

#include "base/convex.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/touch.hpp"

namespace broadside::detail {

// Two boxes, the most frequent pair: worked out in the frames of the boxes, without their corners.

/// Tells whether two boxes touch. Exact where their sizes, axes and distance are such that products are exact
/// in double.
[[nodiscard]] Touch touch_boxes(const Box& a, const Transform& at_a, const Box& b, const Transform& at_b);

/// Finds where two boxes touch, exactly when `touch_boxes` says so; tells as well how deep.
[[nodiscard]] Touch collide_boxes(const Box& a, const Transform& at_a, const Box& b, const Transform& at_b,
                                  Manifold& manifold);

}  // namespace broadside::detail
