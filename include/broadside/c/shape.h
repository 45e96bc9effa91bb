#ifndef BROADSIDE_C_SHAPE_H
#define BROADSIDE_C_SHAPE_H

// The part of broadside/broadside.h for shapes: whether, where, how deep and when two of them touch.

#include "broadside/base/export.h"
#include "broadside/c/base.h"

// NOLINTBEGIN(readability-identifier-naming): as in C

#ifdef __cplusplus
extern "C" {
#endif

/// A bitmap, such as a sprite: pixels that are set or clear.
typedef struct bs_mask bs_mask;

/// Makes a mask from alpha values [width * height], row by row: those of `threshold` or more are set pixels.
///
/// @param pixel_size above 0 (unit: length)
/// @param origin of pixel (0, 0) (local; unit: length)
BROADSIDE_API bs_status bs_mask_create(const uint8_t* alpha, uint32_t width, uint32_t height,
                                       float pixel_size, bs_vec2 origin, uint8_t threshold, bs_mask** mask);
/// Frees a mask. Bodies with it keep its pixels.
BROADSIDE_API void bs_mask_destroy(bs_mask* mask);

typedef enum bs_shape_kind BS_ENUM_OF_INT {
  BS_CIRCLE = 0,   ///< `center`, `radius`
  BS_BOX = 1,      ///< `center`, `half_size`, `rotation`
  BS_CAPSULE = 2,  ///< `a`, `b`, `radius`
  BS_SEGMENT = 3,  ///< `a`, `b`
  BS_POLYGON = 4,  ///< the convex hull of `points`, rounded by `radius`
  BS_MASK = 5      ///< `mask`
} bs_shape_kind;

/// A closed set in its own frame (local; unit: length). Each kind uses the members that are named there; the
/// others are ignored. Make one by the functions below.
typedef struct bs_shape {
  bs_shape_kind kind;
  float radius;           ///< 0 or more
  bs_vec2 center;         ///< (local)
  bs_vec2 half_size;      ///< 0 or more each
  bs_rotation rotation;   ///< of a box about its center
  bs_vec2 a;              ///< one end (local)
  bs_vec2 b;              ///< the other end (local)
  const bs_vec2* points;  ///< [point_count] in any order; must live until the call that takes the shape ends
  size_t point_count;     ///< whose hull has 3 to 16 corners
  const bs_mask* mask;    ///< must live until the call that takes the shape ends
} bs_shape;

BROADSIDE_API bs_shape bs_circle(float radius);
/// Returns a box of this width and height around the origin.
BROADSIDE_API bs_shape bs_box(float width, float height);
BROADSIDE_API bs_shape bs_capsule(bs_vec2 a, bs_vec2 b, float radius);
BROADSIDE_API bs_shape bs_segment(bs_vec2 a, bs_vec2 b);
BROADSIDE_API bs_shape bs_polygon(const bs_vec2* points, size_t point_count);
BROADSIDE_API bs_shape bs_shape_of_mask(const bs_mask* mask);

/// Finds the smallest box of floats that contains a shape (world).
BROADSIDE_API bs_status bs_shape_bounds(const bs_shape* shape, bs_transform at, bs_aabb* bounds);

/// Tells whether a shape contains a point (world), boundary included.
BROADSIDE_API bs_status bs_shape_contains(const bs_shape* shape, bs_transform at, bs_vec2 point,
                                          bool* contains);

/// Tells whether two shapes share a point.
BROADSIDE_API bs_status bs_overlaps(const bs_shape* a, bs_transform at_a, const bs_shape* b,
                                    bs_transform at_b, bool* overlaps);

/// One point where two shapes touch.
typedef struct bs_manifold_point {
  bs_vec2 position;  ///< halfway between the two surfaces (world)
  float separation;  ///< along the normal; 0 if just touching, negative if overlapping (unit: length)
  uint32_t feature;  ///< id of the corners or edges that made it; stable while those are the same
} bs_manifold_point;

/// Where two shapes touch.
typedef struct bs_manifold {
  bs_vec2 normal;               ///< unit vector from a to b (world); {0, 0} without points
  bs_manifold_point points[2];  ///< those beyond `size` are zero
  uint32_t size;                ///< 0 if they do not touch, else 1 or 2
} bs_manifold;

/// Computes the contact manifold of two shapes.
BROADSIDE_API bs_status bs_collide(const bs_shape* a, bs_transform at_a, const bs_shape* b, bs_transform at_b,
                                   bs_manifold* manifold);

/// The distance of two shapes.
typedef struct bs_distance {
  float distance;   ///< 0 if they touch (unit: length)
  bs_vec2 point_a;  ///< closest point of a (world); a point of both if they touch
  bs_vec2 point_b;  ///< closest point of b (world); a point of both if they touch
  bs_vec2 normal;   ///< unit vector from a to b (world)
} bs_distance;

/// Computes the distance and the closest points of two shapes.
BROADSIDE_API bs_status bs_shape_distance(const bs_shape* a, bs_transform at_a, const bs_shape* b,
                                          bs_transform at_b, bs_distance* distance);

/// Where a ray, or a moving shape, first touches another shape.
typedef struct bs_hit {
  float fraction;  ///< of the motion up to the hit, in [0, 1]; 0 only if they touch at the start
  bs_vec2 normal;  ///< outward unit normal of the surface that is hit (world)
  bs_vec2 point;   ///< where they touch (world)
} bs_hit;

/// Moves a along `motion` (unit: length), and finds when it first touches b.
///
/// @param found receives whether it does; `hit` is only written then
BROADSIDE_API bs_status bs_cast(const bs_shape* a, bs_transform at_a, bs_vec2 motion, const bs_shape* b,
                                bs_transform at_b, bool* found, bs_hit* hit);

/// Casts a ray from `start` to `start + motion` against a shape.
///
/// @param found receives whether it hits; `hit` is only written then
BROADSIDE_API bs_status bs_cast_ray(bs_vec2 start, bs_vec2 motion, const bs_shape* shape, bs_transform at,
                                    bool* found, bs_hit* hit);

#ifdef __cplusplus
}
#endif

// NOLINTEND(readability-identifier-naming)

#endif
