#pragma once

#include "body/convex.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/circle/circle_pair.hpp"
#include "contact/touch.hpp"

namespace broadside::detail {

// A circle and another convex shape, in the frame of the other: one point is turned instead of all corners.
// The circle is the second of the two, whichever the caller has first. S is Box, Capsule, Segment or Polygon.
// They call themselves with `of_all` where all faces of a polygon have to be looked at.

/// Tells whether the two touch. Exact where their sizes, axes and distance are such that products are exact
/// in double.
template <typename S, bool of_all = false>
[[nodiscard]] Touch touch_circle(const S& other, const Transform& at_other, const Circle& circle,
                                 const Transform& at_circle);

/// Finds where a circle, whichever of the two that is, and a shape S touch: all of `collide`.
template <typename S>
[[nodiscard]] Manifold collide_circle(const Shape& a, const Transform& at_a, const Shape& b,
                                      const Transform& at_b);

/// Finds how far the two are apart: touching exactly when `touch_circle` says so.
template <typename S, bool of_all = false>
[[nodiscard]] CircleDistance distance_to_circle(const S& other, const Transform& at_other,
                                                const Circle& circle, const Transform& at_circle);

}  // namespace broadside::detail
