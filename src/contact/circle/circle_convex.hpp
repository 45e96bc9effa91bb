#pragma once

#include "body/convex.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/circle/circle_pair.hpp"
#include "contact/touch.hpp"

namespace broadside::detail {

// A circle and another convex shape, in the frame of the other: this rotates one point instead of all
// corners. The circle is the second of the two, whatever the caller's order. S is Box, Capsule, Segment or
// Polygon. Functions call themselves with `of_all` if all faces of a polygon have to be tested.

/// Returns whether the two touch. Exact if their sizes, axes and distance are such that products are exact in
/// double.
template <typename S, bool of_all = false>
[[nodiscard]] Touch touch_circle(const S& other, const Transform& at_other, const Circle& circle,
                                 const Transform& at_circle);

/// Does what `collide` does for a circle, in either position, and a shape S.
template <typename S>
[[nodiscard]] Manifold collide_circle(const Shape& a, const Transform& at_a, const Shape& b,
                                      const Transform& at_b);

/// Computes the distance of the two; consistent with `touch_circle`.
template <typename S, bool of_all = false>
[[nodiscard]] CircleDistance distance_to_circle(const S& other, const Transform& at_other,
                                                const Circle& circle, const Transform& at_circle);

}  // namespace broadside::detail
