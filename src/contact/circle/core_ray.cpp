#include "contact/circle/core_ray.hpp"

#include <hwy/base.h>

#include <algorithm>
#include <cmath>

#include "base/select.hpp"
#include "base/tolerances.hpp"
#include "body/face_prefilter.hpp"
#include "contact/frame.hpp"

namespace broadside::inline v0_2::detail {

namespace {

// The face to test may be a guess, because each verdict is verified:
//
// - A hit is on the outline: on an edge, or on the disc of a corner and in the Voronoi region of that corner.
//   It is the first, because a ray enters a convex shape only once.
// - A ray misses the shape if it ends before it reaches the line of a face, or before a hit found as above.
// - A ray that passes the disc of a corner misses the shape if both neighbors of the corner are farther from
//   the line of the ray: then so is the rest of the convex shape.

/// A ray in the frame of a core, where lengths are scaled by the length of the axis.
struct Ray {
  Point start = {};
  Point motion = {};
  double axis2 = 1.0;   ///< the length of the axis, squared
  double radius = 0.0;  ///< around the core (world)
  double reach = 0.0;   ///< magnitude of the positions
  double clear = 0.0;   ///< distances below this fraction of the largest number may be rounding
  /// The radius grows by this fraction of the largest number, so that a grazing ray is not lost to rounding.
  double tolerance = 0.0;

  /// Enlarges the radius by the tolerance. Returns the distance from the shape that the start must exceed:
  /// otherwise the verdict is `inconclusive`.
  /// @param numbers magnitude of the core's coordinates
  double widen(double numbers) {
    const double largest = larger(larger(largest_side(start), largest_side(motion)), larger(numbers, radius));
    radius += tolerance * largest;
    return clear * (reach + largest);
  }
};

/// A hit in the frame of the core.
struct LocalHit {
  double fraction = 0.0;
  Point normal;
  double length = 1.0;  ///< of the normal, scaled by that of the axis
};

/// A corner whose disc the ray may hit.
struct Corner {
  Point from;  ///< from the corner to the start of the ray
  // Vectors towards its neighbors, of any length.
  Point to_one;
  Point to_other;
};

/// Casts a ray against the disc of a corner.
/// @param is_sharp whether the corner has no radius
/// @param sharp_normal the normal of a hit at such a corner, of any length
HWY_INLINE CoreVerdict cast_at_corner(const Ray& ray, const Corner& corner, bool is_sharp, Point sharp_normal,
                                      LocalHit& found) {
  const double radius2 = ray.radius * ray.radius * ray.axis2;
  const double approach = -dot(corner.from, ray.motion);
  const double beside = cross(ray.motion, corner.from);
  // Of the quadratic equation |from + fraction * motion| = radius.
  const double discriminant = radius2 * dot(ray.motion, ray.motion) - beside * beside;
  if (discriminant < 0.0) {
    const double one = cross(ray.motion, corner.to_one);
    const double other = cross(ray.motion, corner.to_other);
    const bool is_passed = beside > 0.0 ? std::max(one, other) <= 0.0 : std::min(one, other) >= 0.0;
    return is_passed ? CoreVerdict::miss : CoreVerdict::inconclusive;
  }
  const double gap = dot(corner.from, corner.from) - radius2;
  if (!(gap > 0.0 && approach > 0.0)) {
    return CoreVerdict::inconclusive;
  }
  const double fraction = gap / (approach + std::sqrt(discriminant));
  const Point normal = corner.from + fraction * ray.motion;
  if (!(std::max(dot(normal, corner.to_one), dot(normal, corner.to_other)) <= 0.0)) {
    return CoreVerdict::inconclusive;
  }
  if (fraction > 1.0) {
    return CoreVerdict::miss;
  }
  const double length2 = dot(normal, normal);
  const bool has_own = !is_sharp && length2 > 0.0;
  found.fraction = fraction;
  found.normal.x = has_own ? normal.x : sharp_normal.x;
  found.normal.y = has_own ? normal.y : sharp_normal.y;
  found.length = std::sqrt((has_own ? length2 : dot(sharp_normal, sharp_normal)) * ray.axis2);
  return CoreVerdict::hit;
}

/// A face of the core, and the corners before and after it.
struct Face {
  Point start;   ///< scaled by `axis2`; the vectors are not scaled
  Point edge;    ///< from its start to its end
  Point before;  ///< vector from its start to the corner before
  Point after;   ///< vector from its end to the corner after
};

/// Casts a ray against a face and the discs of its two corners.
/// @param numbers magnitude of the core's coordinates
/// @param side outer side of the edge: 1 to the right, -1 to the left
HWY_INLINE CoreVerdict cast_at_face(Ray ray, double numbers, const Face& face, double side, LocalHit& found) {
  const bool is_sharp = ray.radius == 0.0;
  const Point outward{side * face.edge.y, -side * face.edge.x};
  const Point from = ray.start - face.start;
  const double edge2 = dot(face.edge, face.edge);
  const double end = ray.axis2 * edge2;  // of the face, where its start is at 0
  const double rate = -dot(ray.motion, outward);
  const double height = dot(from, outward);
  const double length = std::sqrt(end);
  // Returns where along the edge the ray is after it approached by `gap`. Scaled by the rate, so that an
  // unpredictable branch need not wait for a division.
  const auto along = [&](double gap) {
    return rate * dot(from, face.edge) + gap * dot(ray.motion, face.edge);
  };
  const auto is_hit = [&](double gap) {
    const double crossed = along(gap);
    return (rate >= gap) & (crossed >= 0.0) & (crossed <= rate * end);
  };
  const auto hit = [&](double gap) {
    found = {gap / rate, outward, length};
    return CoreVerdict::hit;
  };
  // Without the tolerance: the unpredictable branch below waits for no magnitude of numbers, and at a sharp
  // face for no root. Rays that hit only with the tolerance are tested afterwards.
  const double exact_gap = is_sharp ? height : height - ray.radius * length;
  const double clear = ray.widen(numbers);
  const double gap = height - ray.radius * length;
  if (!(gap > clear * length)) {
    return CoreVerdict::inconclusive;
  }
  if (is_hit(exact_gap)) {
    return hit(exact_gap);
  }
  if (!(rate >= gap)) {
    return CoreVerdict::miss;
  }
  if (is_hit(gap)) {
    return hit(gap);
  }
  const bool is_end = along(gap) > 0.0;
  const double length_back = is_end ? ray.axis2 : 0.0;
  const double to_neighbor = is_end ? -1.0 : 1.0;
  const Point beyond{is_end ? face.after.x : face.before.x, is_end ? face.after.y : face.before.y};
  return cast_at_corner(ray, {from - length_back * face.edge, to_neighbor * face.edge, beyond}, is_sharp,
                        outward, found);
}

HWY_INLINE CoreVerdict cast_at_point(Ray ray, LocalHit& found) {
  const bool is_sharp = ray.radius == 0.0;
  const double clear = ray.widen(0.0);
  const double apart = ray.radius + clear;
  if (!(dot(ray.start, ray.start) > apart * apart)) {
    return CoreVerdict::inconclusive;
  }
  // Without neighbors, and clear of the disc, only a ray that does not approach the point is inconclusive.
  const CoreVerdict verdict = cast_at_corner(ray, {ray.start, {}, {}}, is_sharp, -1.0 * ray.motion, found);
  return verdict == CoreVerdict::inconclusive ? CoreVerdict::miss : verdict;
}

/// Casts a ray against the one of the two faces of a line that it starts in front of.
template <typename Line>
HWY_INLINE CoreVerdict cast_at(const Line& line, const Ray& ray, LocalHit& found) {
  const Point start = ray.axis2 * to_point(line.a);
  const Point edge = to_point(line.b) - to_point(line.a);
  const double side = std::copysign(1.0, cross(ray.start - start, edge));
  const double numbers = larger(largest_side(to_point(line.a)), largest_side(to_point(line.b)));
  return cast_at_face(ray, numbers, {start, edge, edge, -1.0 * edge}, side, found);
}

HWY_INLINE CoreVerdict cast_at(const Polygon& polygon, const Ray& ray, LocalHit& found) {
  const auto [face, largest] = FacePrefilter::entry(polygon, ray.start, ray.motion, ray.radius);
  const auto* around = FacePrefilter::corners_around(polygon, face);
  const auto corner = [&](std::size_t number) { return Point{around[number][0], around[number][1]}; };
  return cast_at_face(
      ray, largest,
      {ray.axis2 * corner(1), corner(2) - corner(1), corner(0) - corner(1), corner(3) - corner(2)}, 1.0,
      found);
}

/// Only two of the four faces can be hit. The ray is mirrored so that these are the right and the upper one.
HWY_INLINE CoreVerdict cast_at(const Box& box, const Ray& ray, LocalHit& found) {
  const Point half{static_cast<double>(box.half_size.x), static_cast<double>(box.half_size.y)};
  const Point mirror = mirror_against(ray.motion);
  Ray mirrored = ray;
  mirrored.start = {mirror.x * ray.start.x, mirror.y * ray.start.y};
  mirrored.motion = {-std::abs(ray.motion.x), -std::abs(ray.motion.y)};
  const double scaled_radius = ray.radius * std::sqrt(ray.axis2);
  const Point gap{mirrored.start.x - half.x * ray.axis2 - scaled_radius,
                  mirrored.start.y - half.y * ray.axis2 - scaled_radius};
  // The face whose line the ray crosses last: the upper one if `by_y`, else the right one.
  const bool by_y = gap.x * mirrored.motion.y > gap.y * mirrored.motion.x;
  // Counter-clockwise, the upper face leads left and the right one up. The corners beyond both ends are below
  // the upper face, or to the left of the right one. Multiplied by 1 and 0 instead of branching, because the
  // face is unpredictable.
  const auto y = static_cast<double>(by_y);
  const double x = 1.0 - y;
  const Point edge{-2.0 * half.x * y, 2.0 * half.y * x};
  const Point beyond{-2.0 * half.x * x, -2.0 * half.y * y};
  const Point start{ray.axis2 * half.x, ray.axis2 * half.y * (y - x)};
  const double larger_half = 0.5 * ((half.x + half.y) + std::abs(half.x - half.y));  // branch-free
  const CoreVerdict verdict = cast_at_face(mirrored, larger_half, {start, edge, beyond, beyond}, 1.0, found);
  found.normal = {mirror.x * found.normal.x, mirror.y * found.normal.y};
  return verdict;
}

/// Casts a ray in the frame of a shape. The start is given in two parts: the difference of the positions is
/// taken first, so that far from the origin no digits of the centers are lost.
/// @param between from the position of the shape's transform to a position near the start
/// @param center from that position to the start
/// @param ray its motion and what follows are in the world; its start is ignored
template <typename S>
HWY_INLINE CoreVerdict cast_in_frame(Point between, Point center, Ray ray, const S& shape,
                                     const Transform& at, CoreHit& hit) {
  Frame frame{{1.0, 0.0}, {}};
  LocalHit found;
  CoreVerdict verdict = CoreVerdict::inconclusive;
  if constexpr (std::is_same_v<S, Circle>) {
    ray.start = between + (center - rotated(shape.center, at.rotation));
    verdict = cast_at_point(ray, found);
  } else {
    frame = frame_of(shape, at.rotation);
    ray.start = frame.to_frame(between + (center - frame.center));
    ray.motion = frame.to_frame(ray.motion);
    ray.axis2 = dot(frame.axis, frame.axis);
    verdict = cast_at(shape, ray, found);
  }
  if (verdict == CoreVerdict::hit) {
    hit.fraction = found.fraction;
    hit.normal = frame.to_world((1.0 / found.length) * found.normal);
  }
  return verdict;
}

}  // namespace

template <typename S>
CoreVerdict try_cast_ray(const Point& start, const Point& motion, const S& shape, const Transform& at,
                         CoreHit& hit) {
  if (!is_valid(shape) || !is_valid(at)) {
    return CoreVerdict::inconclusive;
  }
  return cast_in_frame(start - to_point(at.position), {},
                       {.motion = motion, .radius = radius_of(shape), .tolerance = ray_tolerance}, shape, at,
                       hit);
}

template CoreVerdict try_cast_ray(const Point&, const Point&, const Capsule&, const Transform&, CoreHit&);
template CoreVerdict try_cast_ray(const Point&, const Point&, const Polygon&, const Transform&, CoreHit&);

CoreVerdict try_cast_circle(const Circle& circle, const Transform& at_circle, Point motion,
                            const Shape& other, const Transform& at_other, CoreHit& hit) {
  const Point position = to_point(at_circle.position);
  const Point position_other = to_point(at_other.position);
  // The largest of all four coordinates: four times that is at least their sum.
  const double reach = std::max(largest_side(position), largest_side(position_other));
  const auto cast = [&](const auto& shape) {
    using S = std::decay_t<decltype(shape)>;
    if constexpr (is_convex<S>) {
      if (is_valid(circle) && is_valid(at_circle) && is_valid(shape) && is_valid(at_other)) {
        const Ray ray{.motion = motion,
                      .radius = static_cast<double>(circle.radius) + radius_of(shape),
                      .reach = 4.0 * reach,
                      .clear = clear_of_rounding,
                      // Two circles need no tolerance: they are compared by squares only.
                      .tolerance = std::is_same_v<S, Circle> ? 0.0 : ray_tolerance};
        return cast_in_frame(position - position_other, rotated(circle.center, at_circle.rotation), ray,
                             shape, at_other, hit);
      }
    }
    return CoreVerdict::inconclusive;
  };
  return std::visit(cast, other);
}

}  // namespace broadside::inline v0_2::detail
