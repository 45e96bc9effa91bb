#pragma once

#include "broadside/contact/collide.hpp"
#include "contact/touch.hpp"

namespace broadside::detail {

// Two circles: all of it is symmetric by itself, without an order.

/// Tells whether two circles touch. Exact where the squares of their distance and radii are exact in double.
[[nodiscard]] Touch touch_circles(const Circle& a, const Transform& at_a, const Circle& b,
                                  const Transform& at_b);

/// Finds where two circles touch, exactly when `touch_circles` says so.
[[nodiscard]] Touch collide_circles(const Circle& a, const Transform& at_a, const Circle& b,
                                    const Transform& at_b, Manifold& manifold);

}  // namespace broadside::detail
