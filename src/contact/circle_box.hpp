#pragma once

#include "base/convex.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/touch.hpp"

namespace broadside::detail {

// A circle and a box, in the frame of the box: without its corners. The box is the first of the two,
// whichever the caller has first.

/// Tells whether the two touch. Exact where their sizes, axes and distance are such that products are exact
/// in double.
[[nodiscard]] Touch touch_box_circle(const Box& box, const Transform& at_box, const Circle& circle,
                                     const Transform& at_circle);

/// Finds where the two touch, exactly when `touch_box_circle` says so.
/// @param box_is_b turns the normal, which is then from the circle to the box
[[nodiscard]] Touch collide_box_circle(const Box& box, const Transform& at_box, const Circle& circle,
                                       const Transform& at_circle, bool box_is_b, Manifold& manifold);

}  // namespace broadside::detail
