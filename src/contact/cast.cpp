#include <algorithm>
#include <cmath>

#include "contact/convex_pairs.hpp"
#include "contact/gap.hpp"

namespace broadside::detail {

namespace {

/// Moves a point along `motion` to where it is first within `radius` of another, from which it is further
/// now.
///
/// Both roots are of squares that are made without cancellation, so that a circle that just grazes is not
/// lost.
std::optional<ConvexHit> cast_point(Point from, Point motion, Point to, double radius) {
  const Point way = to - from;
  const double closing = dot(way, motion);
  const double motion2 = dot(motion, motion);
  const double aside = cross(motion, way);
  const double rest = radius * radius * motion2 - aside * aside;
  if (!(closing > 0.0) || rest < 0.0) {
    return std::nullopt;
  }
  const double time = std::max(dot(way, way) - radius * radius, 0.0) / (closing + std::sqrt(rest));
  if (!(time <= 1.0)) {
    return std::nullopt;
  }
  const Point left = way - time * motion;
  const double length = std::sqrt(dot(left, left));
  const Point direction = length > 0.0 ? left : motion;
  return ConvexHit{time, (1.0 / std::sqrt(dot(direction, direction))) * direction, to};
}

void move(const Convex& shape, Point by, Convex& moved) {
  for (std::size_t i = 0; i < shape.size; ++i) {
    moved.points[i] = shape.points[i] + by;
  }
}

/// Returns a point where two shapes touch, or nearly do.
Point meeting_point(const Convex& a, const Convex& b) {
  const ConvexDistance closest = distance(a, b);
  return 0.5 * (closest.point_a + closest.point_b);
}

}  // namespace

// Conservative advancement: the normal of the closest points is that of a strip that parts the shapes; a
// moves through it, and as both are convex it cannot touch b sooner. Where it moves away from b it never
// will. Source: B. Mirtich, Impulse-based dynamic simulation of rigid body systems, 1996.
std::optional<ConvexHit> cast(const Convex& a, Point motion, const Convex& b, double& distance_at_start) {
  // A gap of this share of the numbers it is made of is rounding.
  constexpr double relative_rounding = 1e-14;
  // Where they graze, each step leaves half of the way: enough for all bits of it.
  constexpr int most_steps = 128;

  const double motion_reach = std::abs(motion.x) + std::abs(motion.y);
  const double all_reach = reach(a) + reach(b) + motion_reach;
  if (!is_reach_finite(all_reach)) {
    return std::nullopt;
  }
  std::optional<Convex> room_a;
  std::optional<Convex> room_b;
  const Convex& from = sound(a, room_a);
  const Convex& to = sound(b, room_b);
  const double radius = a.radius + b.radius;
  distance_at_start = 0.0;
  Gap gap = find_gap(from, to, Effort::distance);
  if (gap.touching) {
    return ConvexHit{0.0, gap.normal, meeting_point(from, to)};
  }
  distance_at_start = gap.distance - radius;
  Convex moved = from;
  if (from.size == 1 && to.size == 1) {
    std::optional<ConvexHit> hit = cast_point(from.points[0], motion, to.points[0], radius);
    if (hit) {
      hit->point = to.points[0] - b.radius * hit->normal;
    }
    return hit;
  }

  const double rounding = relative_rounding * all_reach;
  double time = 0.0;
  Point normal = gap.normal;
  for (int step = 0; step < most_steps && !gap.touching; ++step) {
    const double left = gap.distance - radius;
    const double closing = dot(motion, gap.normal);
    if (!(closing > 0.0)) {
      return std::nullopt;
    }
    // Once they touch the last strip is the one that was met.
    normal = gap.normal;
    if (left <= rounding) {
      break;
    }
    time += left / closing;
    if (time > 1.0) {
      if ((time - 1.0) * closing > rounding) {
        return std::nullopt;
      }
      time = 1.0;
    }
    move(from, time * motion, moved);
    gap = find_gap(moved, to, Effort::distance);
  }
  std::optional<Convex> room;
  const bool is_known = gap.apart && !gap.touching && &sound(moved, room) == &moved;
  const Point point =
      is_known ? 0.5 * ((gap.point_a + moved.radius * gap.normal) + (gap.point_b - to.radius * gap.normal))
               : meeting_point(moved, to);
  return ConvexHit{time, normal, point};
}

}  // namespace broadside::detail
