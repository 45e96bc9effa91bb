#pragma once

#include "broadside/contact/collide.hpp"
#include "contact/touch.hpp"

namespace broadside::detail {

// Boxes, lines and polygons against each other, but for two boxes and two lines: quick answers where it is
// sure that those of `find_gap` are the same, bit for bit. Faces are compared without its care for rounding,
// so within some rounding of where an answer would change there is none.

enum class Answer : std::uint8_t {
  unsure,
  apart,
  touching,  ///< in each other by so much that their boxes cannot be apart
};

/// Tells whether two shapes touch. Complexity: O(n m); does not allocate.
[[nodiscard]] Answer touch_hulls(const Shape& a, const Transform& at_a, const Shape& b,
                                 const Transform& at_b);

/// Finds where two shapes touch. @param manifold set where they do Complexity: O(n m); does not allocate.
[[nodiscard]] Answer collide_hulls(const Shape& a, const Transform& at_a, const Shape& b,
                                   const Transform& at_b, Manifold& manifold);

/// Finds the closest points of two shapes, or a point of both. @param found set if it is sure
/// Complexity: O(n m); does not allocate.
[[nodiscard]] Answer distance_of_hulls(const Shape& a, const Transform& at_a, const Shape& b,
                                       const Transform& at_b, Distance& found);

}  // namespace broadside::detail
