#pragma once

#include "broadside/contact/collide.hpp"
#include "contact/circle/circle_pair.hpp"
#include "contact/touch.hpp"

namespace broadside::inline v0_2::detail {

// A circle and another convex shape, in the frame of the other: this rotates one point instead of all
// corners. @pre one of the shapes is a circle, and neither is a mask

/// Returns whether a is the circle of the two. Of two circles, b is.
inline bool is_circle_first(const Shape& b) {
  return !std::holds_alternative<Circle>(b);
}

/// Finds the contact. Whether they touch is exact if their sizes, axes and distance are such that products
/// are exact in double.
/// @param manifold set if they touch
[[nodiscard]] Touch collide_circle(const Shape& a, const Transform& at_a, const Shape& b,
                                   const Transform& at_b, Manifold& manifold);

/// Computes the distance; consistent with `collide_circle`.
[[nodiscard]] CircleDistance distance_to_circle(const Shape& a, const Transform& at_a, const Shape& b,
                                                const Transform& at_b);

}  // namespace broadside::inline v0_2::detail
