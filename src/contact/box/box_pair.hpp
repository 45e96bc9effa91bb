#pragma once

#include "body/convex.hpp"
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

/// How far two boxes are apart, or how deep they are in each other.
struct BoxDistance {
  double distance;  ///< of boxes that touch: their separation, 0 or negative (unit: length)
  Point point_a;    ///< the closest point of a; a point of both where they touch (world; unit: length)
  Point point_b;    ///< the closest point of b
  Point normal;     ///< from a to b; where they touch that of `collide_boxes`
  double reach;     ///< how large the lengths were that it was made of (unit: length)
};

/// Finds the closest points of two boxes, one of them a corner. Returns false where it is not found quickly.
/// Within rounding of touching it may be either. Complexity: O(1).
[[nodiscard]] bool find_distance(const Box& a, const Transform& at_a, const Box& b, const Transform& at_b,
                                 BoxDistance& found);

}  // namespace broadside::detail
