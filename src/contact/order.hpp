#pragma once

#include <variant>

#include "body/convex.hpp"

namespace broadside::inline v0_2::detail {

// Results must not depend on the order of the arguments, so the two shapes are first put into a canonical
// order.

/// Orders two shapes by the vector from the first to the second: positive if they are in order, negative if
/// swapped, 0 if the vector is 0. The order flips at a direction that stacks, rows and tiles do not have.
constexpr double order(Point offset) {
  constexpr Point slanted{0.9, 0.4};
  const double key = dot(offset, slanted);
  return key != 0.0 ? key : offset.x;
}

/// Orders two shapes by kind first, the earlier alternative of `Shape` first, which makes later branches
/// predictable; then by their positions; then, for two boxes, by their centers; 0 if none of these decides.
inline double canonical_order(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  const auto by_kind = static_cast<int>(b.index()) - static_cast<int>(a.index());
  if (by_kind != 0) {
    return static_cast<double>(by_kind);
  }
  const double by_position = order(to_point(at_b.position) - to_point(at_a.position));
  const Box* box_a = std::get_if<Box>(&a);
  if (by_position != 0.0 || box_a == nullptr) {
    return by_position;
  }
  // Boxes so large that their corners are the same numbers can be apart: `collide_boxes` knows their centers.
  const Box& box_b = *std::get_if<Box>(&b);
  return order(rotate(at_b.rotation, to_point(box_b.center)) -
               rotate(at_a.rotation, to_point(box_a->center)));
}

/// Returns the lexicographically smaller of two positions: the anchor for both shapes.
constexpr Point common_anchor(Point p, Point q) {
  return p.x < q.x || (p.x == q.x && p.y < q.y) ? p : q;
}

}  // namespace broadside::inline v0_2::detail
