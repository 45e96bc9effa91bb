#pragma once

#include <optional>

#include "broadside/base/manifold.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside {

// What exactly touches, where, how deep, and when: pure functions between two shapes of any kind.
//
// Shapes are closed: touching counts. All of them agree with each other and with the boxes: where `overlaps`
// is true, `distance` is 0, `collide` has a point with a separation of 0 or less, `cast` hits at time 0, and
// the `bounds` of both overlap. Swapping a and b turns the normal round and changes nothing else (the one
// exception: two equal shapes in the same place, where the normal is the same both ways). Arithmetic is in
// double on the callers' floats, relative to a, so results far from the origin are as good as the floats that
// are handed in. Threads: all are pure. None allocates.

/// Tells whether two shapes share a point.
[[nodiscard]] bool overlaps(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b);

/// Finds where two shapes touch: a normal from a to b, and one or two points with their separation, 0 or
/// negative. Without points if they do not touch.
///
/// Inside each other the normal is that of least penetration, but a face is kept while another would gain
/// less than 1e-6 of the smaller shape's size. Two points where edges run along each other; the same features
/// as long as the same corners and edges meet and the shapes stay on the same side of each other.
///
/// With a mask there is one point. Its normal is where all sides of the pixels inside the other shape push
/// together; its separation is how far the area that both share reaches along that normal, pixel by pixel
/// exact, to rounding, for shapes of any kind and angle. Where no side is inside it is that of least
/// penetration of the rectangle of pixels that is deepest.
///
/// Complexity: O(n + m) axes times O(n + m) corners; with masks as `overlap`, see mask_overlap.hpp. Source:
/// S. Gottschalk, Separating axis theorem, 1996; E. Catto, Contact manifolds, 2007.
[[nodiscard]] Manifold collide(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b);

/// How far two shapes are apart.
struct Distance {
  float distance = 0.0F;  ///< 0 where they touch (unit: length)
  Vec2 point_a;           ///< the closest point of a (world; unit: length); a point of both where they touch
  Vec2 point_b;           ///< the closest point of b (world; unit: length)
  Vec2 normal;            ///< unit vector from a to b (world); where they touch, that of `collide`
};

/// Finds the closest points of two shapes. The largest float between shapes that are not valid.
/// Complexity: O(n m). Of masks n and m are rectangles of pixels, most of which are passed over by their
/// boxes: two checkerboards of 4096 x 4096, turned and apart, take 0.6 s.
[[nodiscard]] Distance distance(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b);

/// When and where a moving shape first touches another.
struct CastHit {
  float time = 0.0F;  ///< share of the motion, in [0, 1]; 0 only where they touch at the start
  Vec2 normal;        ///< unit vector from a to b (world) at that time
  Vec2 point;         ///< where they touch (world; unit: length)
};

/// Moves a along `motion` (unit: length) and finds when it first touches b; nothing if it does not.
///
/// Shapes that touch at the start hit at time 0, and no others do. The time is neither late nor early: before
/// it, or on the whole way if there is no hit, the shapes overlap by no more than the tolerance, and at that
/// time they are no further apart. The tolerance is 1e-5 of the size of the smaller shape, and 2^-20 of the
/// largest number that takes part: a coordinate, a size, or the length of the motion up to the hit. It holds
/// for shapes of any sizes. Swapped, and with the motion turned round, the time is the same; the point is
/// then where a would have been met.
///
/// The motion may be of any finite length. The point is computed from the shapes, not from the time, and lies
/// on both. The time is rounded down to a float, but not to 0: `time * motion` is off by up to 2^-23 of
/// itself, or by 1.4e-45 of the motion where that is more (5e-7 for the largest float).
///
/// Complexity: O(n m). Source: M. Cyrus, J. Beck, Generalized two- and three-dimensional clipping, 1978, for
/// the Minkowski difference of the two.
[[nodiscard]] std::optional<CastHit> cast(const Shape& a, const Transform& at_a, Vec2 motion, const Shape& b,
                                          const Transform& at_b);

/// When and where a ray meets a shape.
struct RayHit {
  /// Share of the way, in [0, 1]; 0 only where the ray starts inside, or outside by no more than rounding.
  float time = 0.0F;
  Vec2 normal;  ///< outward unit normal of the shape there (world); against the ray where it starts inside
  Vec2 point;   ///< (world; unit: length)
};

/// Follows a ray from `start` along `way` (unit: length) to where it first meets a shape; nothing if it does
/// not. A ray that starts inside hits at time 0.
///
/// The way may be of any finite length, such as the largest float. The point is computed from the shape, not
/// from the time, and lies on the shape to within 2^-20 of the largest coordinate. The time is rounded to the
/// nearest float, but not to 0: `time * way` is off by up to 2^-24 of itself, or by 1.4e-45 of the way where
/// that is more (5e-7 for the largest float). Rounding is up to 1e-10 of the largest coordinate.
[[nodiscard]] std::optional<RayHit> cast_ray(Vec2 start, Vec2 way, const Shape& shape,
                                             const Transform& transform);

}  // namespace broadside
