#pragma once

#include "body/convex.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/touch.hpp"

namespace broadside::inline v0_2::detail {

// Two boxes, the most frequent pair: computed in the frames of the boxes, without their corners.

/// Finds the contact of two boxes. Whether they touch is exact if their sizes, axes and distance are such
/// that products are exact in double.
/// @param manifold set if they touch
[[nodiscard]] Touch collide_boxes(const Box& a, const Transform& at_a, const Box& b, const Transform& at_b,
                                  Manifold& manifold);

/// The distance of two boxes, or their penetration.
struct BoxDistance {
  double distance;  ///< their separation, 0 or negative, if they touch (unit: length)
  Point point_a;    ///< closest point of a; a point of both if they touch (world; unit: length)
  Point point_b;    ///< closest point of b; a point of both if they touch
  Point normal;     ///< from a to b; if they touch, that of `collide_boxes`
  double reach;     ///< magnitude of the lengths it was computed from (unit: length)
};

/// Finds the closest points of two boxes if one of them is a corner and that takes no search. Otherwise, and
/// for invalid boxes, returns false and leaves `found` unspecified. Within rounding of touching, either
/// verdict is possible. Complexity: O(1).
[[nodiscard]] bool find_distance(const Box& a, const Transform& at_a, const Box& b, const Transform& at_b,
                                 BoxDistance& found);

}  // namespace broadside::inline v0_2::detail
