#include <hwy/base.h>

#include <algorithm>
#include <cmath>

#include "base/select.hpp"
#include "base/to_vec2.hpp"
#include "base/tolerances.hpp"
#include "contact/circle/core_ray.hpp"
#include "contact/engine/convex_pairs.hpp"
#include "contact/frame.hpp"
#include "contact/long_motion.hpp"
#include "contact/mask/mask_collide.hpp"

namespace broadside::inline v0_2 {

namespace {

using detail::CoreHit;
using detail::CoreVerdict;
using detail::Point;

/// How a ray passes a point. All values are squares, because roots and divisions have a long latency.
struct Passing {
  /// @param from the point to the start of the ray
  Passing(Point from, Point motion)
      : distance2(dot(from, from)), length2(dot(motion, motion)), approach(-dot(from, motion)) {
    const double beside = cross(motion, from);
    beside2 = beside * beside;
  }

  [[nodiscard]] double gap(double radius2) const { return distance2 - radius2; }
  [[nodiscard]] double rest(double radius2) const { return radius2 * length2 - beside2; }
  /// Returns whether the ray enters a disc around the point. @pre it starts outside by more than rounding
  [[nodiscard]] bool enters(double radius2) const {
    const double late = std::max(0.0, gap(radius2) - approach);
    return rest(radius2) >= late * late;
  }

  double distance2;
  double length2;
  double approach;
  double beside2;
};

// Each overload casts a ray without placing the shape and returns a verdict only if that is certain. Hit or
// miss cannot be predicted, so it is decided first and from few values; the extra work for grazing rays comes
// later. An invalid shape may be reported as a miss at any point, but never as a hit. The same holds for
// numbers that are not finite: they make the rounding bound infinite, or give a NaN, for which every
// comparison is false.

CoreVerdict try_cast(Point start, Point motion, const Circle& circle, const Transform& at, CoreHit& hit) {
  const Point from = (start - detail::to_point(at.position)) - detail::rotated(circle.center, at.rotation);
  const auto own = static_cast<double>(circle.radius);
  const Passing passing{from, motion};
  double radius2 = own * own;
  if (!(passing.gap(radius2) > 2.0 * detail::ray_tolerance * passing.distance2)) {
    return CoreVerdict::inconclusive;
  }
  const double squares = (passing.distance2 + passing.length2) + radius2;
  if (!passing.enters(radius2)) {
    // An upper bound of the square of `radius` below, since 2 x y <= share x x + y y / share.
    constexpr double share = 0x1p-20;
    constexpr double share_of_squares = 4.0 * detail::ray_tolerance * detail::ray_tolerance / share;
    if (!passing.enters((1.0 + share) * radius2 + share_of_squares * squares)) {
      return CoreVerdict::miss;
    }
    const double numbers = std::max({largest_side(from), largest_side(motion), own});
    const double radius = own + detail::ray_tolerance * numbers;
    radius2 = radius * radius;
    if (!(passing.gap(radius2) > 0.0)) {
      return CoreVerdict::inconclusive;
    }
    if (!(passing.approach > 0.0 && passing.enters(radius2))) {
      return CoreVerdict::miss;
    }
  }
  if (!(own >= 0.0 && detail::is_unit(at.rotation))) {
    return CoreVerdict::inconclusive;
  }
  hit.fraction = std::min(passing.gap(radius2) / (passing.approach + std::sqrt(passing.rest(radius2))), 1.0);
  const Point out = from + hit.fraction * motion;
  // Its length is the radius, except for rounding relative to the squares.
  constexpr double max_squares = 0x1p20;
  if (squares < max_squares * (own * own)) {
    hit.normal = (1.0 / own) * out;
    return CoreVerdict::hit;
  }
  const double length2 = dot(out, out);
  const bool has_own = own > 0.0 && length2 > 0.0;
  const Point normal = has_own ? out : -1.0 * motion;
  hit.normal = (1.0 / std::sqrt(has_own ? length2 : passing.length2)) * normal;
  return CoreVerdict::hit;
}

/// A segment has two opposite faces; the ray can only hit the one that it starts in front of.
CoreVerdict try_cast(Point start, Point motion, const Segment& segment, const Transform& at, CoreHit& hit) {
  const Point a = detail::to_point(segment.a);
  const Point b = detail::to_point(segment.b);
  const Point between = start - detail::to_point(at.position);
  const Point from = between - detail::rotate(at.rotation, a);
  const Point edge = detail::rotate(at.rotation, b - a);
  // Scaled by the length of the edge. The fraction and place of the crossing are scaled by the rate, to avoid
  // the latency of a division.
  const double height = cross(from, edge);
  const double side = std::copysign(1.0, height);
  const double gap = std::abs(height);
  const double rate = side * cross(edge, motion);
  const double along = side * cross(from, motion);
  const bool is_hit = (rate >= detail::larger(gap, along)) & (along >= 0.0);
  const double numbers = (length_along_axes(between) + length_along_axes(motion)) +
                         (length_along_axes(a) + length_along_axes(b));
  const double rounding = detail::ray_tolerance * numbers;
  const double clear = rounding * length_along_axes(edge);
  if (!(gap > clear)) {
    return CoreVerdict::inconclusive;
  }
  if (is_hit) {
    if (!detail::is_unit(at.rotation)) {
      return CoreVerdict::inconclusive;
    }
    hit.fraction = gap / rate;
    hit.normal = (side / std::sqrt(dot(edge, edge))) * Point{edge.y, -edge.x};
    return CoreVerdict::hit;
  }
  // The ray is too short, or passes one of the ends by so much that it does not graze it.
  const double beside = rounding * length_along_axes(motion);
  const bool is_missed = (gap - rate > clear) | (along < -beside) | (along - rate > beside);
  return is_missed ? CoreVerdict::miss : CoreVerdict::inconclusive;
}

/// The slab method, mirrored so that the ray points against the right and upper faces. Source: T. Kay, J.
/// Kajiya, Ray tracing complex scenes, 1986.
CoreVerdict try_cast(Point start, Point motion, const Box& box, const Transform& at, CoreHit& hit) {
  const detail::Frame frame = detail::frame_of(box, at.rotation);
  const double axis2 = dot(frame.axis, frame.axis);
  const Point between = start - detail::to_point(at.position);
  const Point from = frame.to_frame(between - frame.center);
  const Point to = frame.to_frame(motion);
  const Point half = axis2 * detail::to_point(box.half_size);
  const Point mirror = detail::mirror_against(to);
  const Point mirrored{mirror.x * from.x, mirror.y * from.y};
  const Point rate{std::abs(to.x), std::abs(to.y)};
  const Point gap = mirrored - half;
  const Point far_gap = mirrored + half;
  // A slab is entered at fraction gap / rate and left at far_gap / rate; both are scaled by the product of
  // both rates.
  const Point enter{gap.x * rate.y, gap.y * rate.x};
  const Point leave{far_gap.x * rate.y, far_gap.y * rate.x};
  const double entered = detail::larger(enter.x, enter.y);
  const double left = std::min(leave.x, leave.y);
  const bool is_hit = (gap.x <= rate.x) & (gap.y <= rate.y) & (entered <= left);
  const bool by_y = enter.y > enter.x;
  const double gap_at_face = detail::select(by_y, gap.x, gap.y);
  const double numbers = (length_along_axes(between) + length_along_axes(frame.center)) +
                         (length_along_axes(motion) + length_along_axes(half));
  const double rounding = detail::ray_tolerance * numbers;
  if (!(gap_at_face > rounding)) {
    return CoreVerdict::inconclusive;
  }
  if (is_hit) {
    if (!(detail::is_unit(at.rotation) && detail::is_unit(box.rotation) && box.half_size.x >= 0.0F &&
          box.half_size.y >= 0.0F)) {
      return CoreVerdict::inconclusive;
    }
    const double unit = 1.0 / std::sqrt(axis2);
    hit.fraction = gap_at_face / detail::select(by_y, rate.x, rate.y);
    hit.normal = frame.to_world(
        {detail::select(by_y, unit * mirror.x, 0.0), detail::select(by_y, 0.0, unit * mirror.y)});
    return CoreVerdict::hit;
  }
  const double beside = rounding * (rate.x + rate.y);
  const bool is_missed =
      (gap.x - rate.x > rounding) | (gap.y - rate.y > rounding) | (entered - left > beside);
  return is_missed ? CoreVerdict::miss : CoreVerdict::inconclusive;
}

template <typename S>
CoreVerdict try_cast(Point start, Point motion, const S& shape, const Transform& at, CoreHit& hit) {
  return detail::all_finite(start.x, start.y, motion.x, motion.y)
             ? detail::try_cast_ray(start, motion, shape, at, hit)
             : CoreVerdict::inconclusive;
}

CoreVerdict try_cast(Point /*start*/, Point /*motion*/, const Mask& /*mask*/, const Transform& /*at*/,
                     CoreHit& /*hit*/) {
  return CoreVerdict::inconclusive;
}

/// Does what `cast_ray` does for a shape of any kind, by placing it in the world. noinline: otherwise all
/// other paths would pay for its stack frame.
HWY_NOINLINE std::optional<Hit> cast_ray_placed(Vec2 start, Vec2 motion, const Shape& shape,
                                                const Transform& transform) {
  if (!detail::all_finite(start.x, start.y, motion.x, motion.y)) {
    return std::nullopt;
  }
  if (const Mask* mask = std::get_if<Mask>(&shape)) {
    return detail::cast_ray_at_mask(start, motion, *mask, transform);
  }
  detail::Convex placed;
  detail::place(shape, transform, detail::to_point(start), placed);
  const std::optional<detail::ConvexHit> hit = detail::cast_ray({}, detail::to_point(motion), placed);
  if (!hit) {
    return std::nullopt;
  }
  return Hit{detail::to_ray_time(hit->time), detail::to_vec2(hit->normal),
             detail::to_vec2(detail::to_point(start) + hit->point)};
}

/// Does what `cast_ray` does for a ray that is not much longer than the other lengths.
std::optional<Hit> cast_short_ray(Vec2 start, Vec2 motion, const Shape& shape, const Transform& transform) {
  const Point from = detail::to_point(start);
  const Point displacement = detail::to_point(motion);
  CoreHit hit;
  switch (std::visit([&](const auto& s) { return try_cast(from, displacement, s, transform, hit); }, shape)) {
    case CoreVerdict::miss:
      return std::nullopt;
    case CoreVerdict::hit:
      return Hit{detail::to_ray_time(hit.fraction), detail::to_direction(hit.normal),
                 detail::to_vec2(from + hit.fraction * displacement)};
    case CoreVerdict::inconclusive:
      break;
  }
  return cast_ray_placed(start, motion, shape, transform);
}

/// noinline: such a long ray is rare.
HWY_NOINLINE std::optional<Hit> cast_long_ray(Vec2 start, Vec2 motion, const Shape& shape,
                                              const Transform& transform) {
  const double lengths = length_along_axes(detail::to_point(transform.position) - detail::to_point(start)) +
                         detail::reach_around(shape);
  const double scale = detail::scale_for(detail::to_point(motion), lengths);
  std::optional<Hit> hit = cast_short_ray(start, detail::cut(motion, scale), shape, transform);
  if (hit) {
    hit->fraction = detail::fraction_of_whole(hit->fraction, scale);
  }
  return hit;
}

}  // namespace

std::optional<Hit> cast_ray(Vec2 start, Vec2 motion, const Shape& shape, const Transform& transform) {
  return detail::may_be_long(detail::to_point(motion), start, transform.position)
             ? cast_long_ray(start, motion, shape, transform)
             : cast_short_ray(start, motion, shape, transform);
}

}  // namespace broadside::inline v0_2
