#include "contact/circle/core_ray.hpp"

#include <algorithm>
#include <cmath>

#include "base/select.hpp"
#include "body/face_prefilter.hpp"
#include "contact/frame.hpp"

namespace broadside::detail {

namespace {

// The face may be a guess, because each verdict is verified; a ray enters a convex shape only once. A point
// of an edge is on the outline, as is a point of a disc in the Voronoi region of its corner. A line that
// misses a corner whose neighbors are farther away from it misses the whole shape.

/// A ray in the frame of a core, where lengths are scaled by the length of the axis.
struct Ray {
  Point start;
  Point way;
  double axis2;   ///< the length of the axis, squared
  double radius;  ///< (world)
  double reach;   ///< magnitude of the positions
  double clear;   ///< closer than this fraction of the numbers, the verdict is `inconclusive`
  /// The radius grows by this fraction of the numbers, so that a grazing ray is not lost to rounding.
  double tolerance;

  /// Enlarges the radius, given the magnitude of the core's numbers; returns the distance that is clear of
  /// rounding.
  double widen(double numbers) {
    const double all = larger(larger(largest_side(start), largest_side(way)), larger(numbers, radius));
    radius += tolerance * all;
    return clear * (reach + all);
  }
};

/// A hit in the frame of the core.
struct Found {
  double time = 0.0;
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

/// @param is_sharp whether the corner has no radius
/// @param sharp the normal for such a corner
[[gnu::always_inline]] inline CoreVerdict meet_corner(const Ray& ray, const Corner& corner, bool is_sharp,
                                                      Point sharp, Found& found) {
  const double radius2 = ray.radius * ray.radius * ray.axis2;
  const double approach = -dot(corner.from, ray.way);
  const double beside = cross(ray.way, corner.from);
  const double rest = radius2 * dot(ray.way, ray.way) - beside * beside;
  if (rest < 0.0) {
    const double one = cross(ray.way, corner.to_one);
    const double other = cross(ray.way, corner.to_other);
    const bool is_passed = beside > 0.0 ? std::max(one, other) <= 0.0 : std::min(one, other) >= 0.0;
    return is_passed ? CoreVerdict::miss : CoreVerdict::inconclusive;
  }
  const double gap = dot(corner.from, corner.from) - radius2;
  if (!(gap > 0.0 && approach > 0.0)) {
    return CoreVerdict::inconclusive;
  }
  const double time = gap / (approach + std::sqrt(rest));
  const Point normal = corner.from + time * ray.way;
  if (!(std::max(dot(normal, corner.to_one), dot(normal, corner.to_other)) <= 0.0)) {
    return CoreVerdict::inconclusive;
  }
  if (time > 1.0) {
    return CoreVerdict::miss;
  }
  const double length2 = dot(normal, normal);
  const bool has_own = !is_sharp && length2 > 0.0;
  found.time = time;
  found.normal.x = has_own ? normal.x : sharp.x;
  found.normal.y = has_own ? normal.y : sharp.y;
  found.length = std::sqrt((has_own ? length2 : dot(sharp, sharp)) * ray.axis2);
  return CoreVerdict::hit;
}

/// A face, and the corners beyond its ends.
struct Face {
  Point start;  ///< scaled by `axis2`
  Point edge;
  Point before;  ///< vector from its start to the corner before
  Point after;   ///< vector from its end to the corner after
};

/// @param numbers magnitude of the core's numbers
/// @param side outer side of the edge: 1 to the right, -1 to the left
[[gnu::always_inline]] inline CoreVerdict meet_face(Ray ray, double numbers, const Face& face, double side,
                                                    Found& found) {
  const bool is_sharp = ray.radius == 0.0;
  const Point outward{side * face.edge.y, -side * face.edge.x};
  const Point from = ray.start - face.start;
  const double edge2 = dot(face.edge, face.edge);
  const double full = ray.axis2 * edge2;
  const double rate = -dot(ray.way, outward);
  const double height = dot(from, outward);
  const double length = std::sqrt(full);
  // Where the ray crosses the line, after approaching by `gap`. Scaled by the rate, so that an unpredictable
  // branch need not wait for a division.
  const auto along = [&](double gap) { return rate * dot(from, face.edge) + gap * dot(ray.way, face.edge); };
  const auto is_met = [&](double gap) {
    const double crossed = along(gap);
    return (rate >= gap) & (crossed >= 0.0) & (crossed <= rate * full);
  };
  const auto meet = [&](double gap) {
    found = {gap / rate, outward, length};
    return CoreVerdict::hit;
  };
  // The branch waits neither for a root nor for the magnitude of the numbers: grazing rays are tested
  // afterwards.
  const double own_gap = is_sharp ? height : height - ray.radius * length;
  const double clear = ray.widen(numbers);
  const double gap = height - ray.radius * length;
  if (!(gap > clear * length)) {
    return CoreVerdict::inconclusive;
  }
  if (is_met(own_gap)) {
    return meet(own_gap);
  }
  if (!(rate >= gap)) {
    return CoreVerdict::miss;
  }
  if (is_met(gap)) {
    return meet(gap);
  }
  const bool is_end = along(gap) > 0.0;
  const double length_back = is_end ? ray.axis2 : 0.0;
  const double to_neighbor = is_end ? -1.0 : 1.0;
  const Point beyond{is_end ? face.after.x : face.before.x, is_end ? face.after.y : face.before.y};
  return meet_corner(ray, {from - length_back * face.edge, to_neighbor * face.edge, beyond}, is_sharp,
                     outward, found);
}

[[gnu::always_inline]] inline CoreVerdict meet_point(Ray ray, Found& found) {
  const bool is_sharp = ray.radius == 0.0;
  const double clear = ray.widen(0.0);
  const double apart = ray.radius + clear;
  if (!(dot(ray.start, ray.start) > apart * apart)) {
    return CoreVerdict::inconclusive;
  }
  // A point has no neighbors that the ray could hit first.
  const CoreVerdict verdict = meet_corner(ray, {ray.start, {}, {}}, is_sharp, -1.0 * ray.way, found);
  return verdict == CoreVerdict::inconclusive ? CoreVerdict::miss
                                              : verdict;  // the ray does not approach the point
}

[[gnu::always_inline]] inline CoreVerdict meet_line(const Vec2& first, const Vec2& second, const Ray& ray,
                                                    Found& found) {
  const Point start = ray.axis2 * to_point(first);
  const Point edge = to_point(second) - to_point(first);
  const double side = std::copysign(1.0, cross(ray.start - start, edge));
  const double numbers = larger(largest_side(to_point(first)), largest_side(to_point(second)));
  return meet_face(ray, numbers, {start, edge, edge, -1.0 * edge}, side, found);
}

[[gnu::always_inline]] inline CoreVerdict meet(const Capsule& capsule, const Ray& ray, Found& found) {
  return meet_line(capsule.a, capsule.b, ray, found);
}
[[gnu::always_inline]] inline CoreVerdict meet(const Segment& segment, const Ray& ray, Found& found) {
  return meet_line(segment.a, segment.b, ray, found);
}

[[gnu::always_inline]] inline CoreVerdict meet(const Polygon& polygon, const Ray& ray, Found& found) {
  const auto [face, reach] = FacePrefilter::entry(polygon, ray.start, ray.way, ray.radius);
  const auto* around = FacePrefilter::corners_around(polygon, face);
  const auto corner = [&](std::size_t number) { return Point{around[number][0], around[number][1]}; };
  return meet_face(
      ray, reach,
      {ray.axis2 * corner(1), corner(2) - corner(1), corner(0) - corner(1), corner(3) - corner(2)}, 1.0,
      found);
}

/// Only two of the four faces can be hit: mirrored so that these are the right and the upper one.
[[gnu::always_inline]] inline CoreVerdict meet(const Box& box, const Ray& ray, Found& found) {
  const Point half{static_cast<double>(box.half_size.x), static_cast<double>(box.half_size.y)};
  const Point mirror = mirror_against(ray.way);
  Ray seen = ray;
  seen.start = {mirror.x * ray.start.x, mirror.y * ray.start.y};
  seen.way = {-std::abs(ray.way.x), -std::abs(ray.way.y)};
  const double moved = ray.radius * std::sqrt(ray.axis2);
  const Point gap{seen.start.x - half.x * ray.axis2 - moved, seen.start.y - half.y * ray.axis2 - moved};
  const bool by_y = gap.x * seen.way.y > gap.y * seen.way.x;
  // The upper face runs left, the right one up; beyond their ends the next edges run down and left.
  // Multiplied by 1 and 0 (branch-free), as which of the two it is cannot be predicted.
  const auto y = static_cast<double>(by_y);
  const double x = 1.0 - y;
  const Point edge{-2.0 * half.x * y, 2.0 * half.y * x};
  const Point beyond{-2.0 * half.x * x, -2.0 * half.y * y};
  const Point start{ray.axis2 * half.x, ray.axis2 * half.y * (y - x)};
  const CoreVerdict verdict = meet_face(seen, 0.5 * ((half.x + half.y) + std::abs(half.x - half.y)),
                                        {start, edge, beyond, beyond}, 1.0, found);
  found.normal = {mirror.x * found.normal.x, mirror.y * found.normal.y};
  return verdict;
}

/// A ray against a core, in the world.
struct WorldRay {
  Point between;  ///< from the position of the core's transform to that of the ray
  Point center;   ///< start of the ray relative to that position
  Point way;
  double radius;  ///< around the core
  double reach;   ///< magnitude of the positions
  double clear;
  double tolerance;
};

template <typename S>
[[gnu::always_inline]] inline CoreVerdict follow(const WorldRay& ray, const S& shape, const Transform& at,
                                                 CoreHit& hit) {
  Frame frame{{1.0, 0.0}, {}};
  Found found;
  CoreVerdict verdict = CoreVerdict::inconclusive;
  if constexpr (std::is_same_v<S, Circle>) {
    const Point start = ray.between + (ray.center - turned(shape.center, at.rotation));
    verdict = meet_point({start, ray.way, 1.0, ray.radius, ray.reach, ray.clear, ray.tolerance}, found);
  } else {
    frame = frame_of(shape, at.rotation);
    const double axis2 = dot(frame.axis, frame.axis);
    const Point start = ray.between + (ray.center - frame.center);
    verdict = meet(shape,
                   {frame.to_frame(start), frame.to_frame(ray.way), axis2, ray.radius, ray.reach, ray.clear,
                    ray.tolerance},
                   found);
  }
  if (verdict == CoreVerdict::hit) {
    hit.time = found.time;
    hit.normal = frame.to_world((1.0 / found.length) * found.normal);
  }
  return verdict;
}

}  // namespace

template <typename S>
CoreVerdict try_cast_ray(const Point& start, const Point& way, const S& shape, const Transform& at,
                         CoreHit& hit) {
  if (!is_valid(shape) || !is_valid(at)) {
    return CoreVerdict::inconclusive;
  }
  return follow({.between = start - to_point(at.position),
                 .center = {},
                 .way = way,
                 .radius = radius_of(shape),
                 .reach = 0.0,
                 .clear = 0.0,
                 .tolerance = ray_tolerance},
                shape, at, hit);
}

template <typename S>
CoreVerdict try_cast_circle(const Circle& circle, const Transform& at_circle, const Point& way,
                            const S& other, const Transform& at_other, CoreHit& hit) {
  // Distances below this fraction of the numbers may be rounding.
  constexpr double clear_of_rounding = 1e-9;
  if (!is_valid(circle) || !is_valid(at_circle) || !is_valid(other) || !is_valid(at_other)) {
    return CoreVerdict::inconclusive;
  }
  const Point position = to_point(at_circle.position);
  const Point position_other = to_point(at_other.position);
  const double reach = std::max(largest_side(position), largest_side(position_other));
  // Two circles need no tolerance: they are compared by squares only.
  constexpr bool are_circles = std::is_same_v<S, Circle>;
  return follow({.between = position - position_other,
                 .center = turned(circle.center, at_circle.rotation),
                 .way = way,
                 .radius = static_cast<double>(circle.radius) + radius_of(other),
                 .reach = 4.0 * reach,
                 .clear = clear_of_rounding,
                 .tolerance = are_circles ? 0.0 : ray_tolerance},
                other, at_other, hit);
}

template CoreVerdict try_cast_ray(const Point&, const Point&, const Capsule&, const Transform&, CoreHit&);
template CoreVerdict try_cast_ray(const Point&, const Point&, const Polygon&, const Transform&, CoreHit&);

template CoreVerdict try_cast_circle(const Circle&, const Transform&, const Point&, const Circle&,
                                     const Transform&, CoreHit&);
template CoreVerdict try_cast_circle(const Circle&, const Transform&, const Point&, const Box&,
                                     const Transform&, CoreHit&);
template CoreVerdict try_cast_circle(const Circle&, const Transform&, const Point&, const Capsule&,
                                     const Transform&, CoreHit&);
template CoreVerdict try_cast_circle(const Circle&, const Transform&, const Point&, const Segment&,
                                     const Transform&, CoreHit&);
template CoreVerdict try_cast_circle(const Circle&, const Transform&, const Point&, const Polygon&,
                                     const Transform&, CoreHit&);

}  // namespace broadside::detail
