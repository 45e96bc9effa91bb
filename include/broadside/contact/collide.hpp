#pragma once

#include <optional>

#include "broadside/base/export.h"
#include "broadside/base/hit.hpp"
#include "broadside/base/manifold.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::inline v0_2 {

// Exact tests between two shapes of any kind: whether, where, how deep and when they touch.
//
// Shapes are closed: touching counts. The functions agree with each other and with the bounds: where
// `overlaps` is true, `distance` is 0, `collide` returns a point with a separation of 0 or less, `cast` hits
// at fraction 0, and the `bounds` of both overlap. A shape or transform that is not valid touches nothing,
// and nothing hits it.
//
// Swapping a and b reverses the normal and changes nothing else. There is one exception: for two equal shapes
// in the same place, the normal is the same in either order. The arithmetic is in double, relative to a, so
// results far from the origin are as good as the floats passed in. All functions are pure and thread-safe;
// none allocates.

/// Returns whether two shapes share a point.
[[nodiscard]] BROADSIDE_API bool overlaps(const Shape& a, const Transform& at_a, const Shape& b,
                                          const Transform& at_b);

/// Computes the contact manifold: a normal from a to b, and one or two points.
///
/// Separations are 0 or negative; there are no points if the shapes do not touch. If one shape is deep inside
/// the other, the normal is that of least penetration, but a face is kept until another is better by more
/// than 1e-6 of the smaller shape's size. There are two points where edges are parallel. Features stay the
/// same as long as the same corners and edges touch and the shapes stay on the same side of each other.
///
/// With a mask there is one point. Its normal has the direction of the sum of the normals of all exposed
/// pixel sides inside the other shape; its separation is the extent of the shared area along that normal,
/// exact per pixel except for rounding, for shapes of any kind and angle. If no pixel side is inside, the
/// normal is that of least penetration of the deepest rectangle of pixels.
///
/// @par Complexity
/// O(n + m) axes times O(n + m) corners; with masks as `overlap`, see mask_overlap.hpp.
/// @par Source
/// S. Gottschalk, Separating axis theorem, 1996; E. Catto, Contact manifolds, 2007.
[[nodiscard]] BROADSIDE_API Manifold collide(const Shape& a, const Transform& at_a, const Shape& b,
                                             const Transform& at_b);

/// The distance between two shapes, and their closest points.
struct Distance {
  float distance = 0.0F;  ///< 0 if they touch (unit: length)
  Vec2 point_a;           ///< closest point of a (world; unit: length); a point of both shapes if they touch
  Vec2 point_b;           ///< closest point of b (world; unit: length); a point of both shapes if they touch
  Vec2 normal;            ///< unit vector from a to b (world); if they touch, that of `collide`
};

/// Computes the distance and the closest points of two shapes.
///
/// @par Errors
/// For shapes that are not valid, the distance is the largest float.
/// @par Complexity
/// O(n m). For masks, n and m count rectangles of pixels, most of which are skipped by their bounds: two
/// checkerboards of 4096 x 4096, rotated and apart, take 0.6 s.
[[nodiscard]] BROADSIDE_API Distance distance(const Shape& a, const Transform& at_a, const Shape& b,
                                              const Transform& at_b);

/// Moves a along `motion` (unit: length) and finds when it first touches b; nothing if it does not.
///
/// Shapes that touch at the start hit at fraction 0, and no others do; the normal is then opposite to that of
/// `collide`. With a and b swapped and the motion reversed, the fraction is the same; the normal is negated,
/// and the point is where a would have been hit.
///
/// The fraction is neither late nor early. Before it, or during the whole motion if there is no hit, the
/// shapes overlap by no more than the tolerance; at that fraction, they are no further apart than the
/// tolerance. The tolerance is 1e-5 of the size of the smaller shape, plus 2^-20 of the largest number
/// involved: a coordinate, a size, or the length of the motion up to the hit. It holds for shapes of any
/// sizes.
///
/// The motion may have any finite length. The point is computed from the shapes, not from the fraction, and
/// lies on both. The fraction is rounded down to a float, but not to 0: `fraction * motion` is off by up to
/// 2^-23 of itself, or by 1.4e-45 of the motion if that is more (5e-7 for the largest float).
///
/// @par Complexity
/// O(n m).
/// @par Source
/// M. Cyrus, J. Beck, Generalized two- and three-dimensional clipping, 1978, applied to the Minkowski
/// difference of the two shapes.
[[nodiscard]] BROADSIDE_API std::optional<Hit> cast(const Shape& a, const Transform& at_a, Vec2 motion,
                                                    const Shape& b, const Transform& at_b);

/// Casts a ray from `start` to `start + motion` (unit: length) against a shape; nothing if it misses.
///
/// A ray that starts inside, or outside by no more than rounding, hits at fraction 0, with a normal opposite
/// to the ray. `motion` may have any finite length, including the largest float. The point is computed from
/// the shape, not from the fraction, and lies on the shape to within 2^-20 of the largest coordinate. The
/// fraction is rounded to the nearest float, but not to 0: `fraction * motion` is off by up to 2^-24 of
/// itself, or by 1.4e-45 of `motion` if that is more (5e-7 for the largest float). Rounding is up to 1e-10 of
/// the largest coordinate.
[[nodiscard]] BROADSIDE_API std::optional<Hit> cast_ray(Vec2 start, Vec2 motion, const Shape& shape,
                                                        const Transform& transform);

}  // namespace broadside::inline v0_2
