#include <algorithm>
#include <cmath>

#include "contact/convex_pairs.hpp"
#include "contact/gap.hpp"

namespace broadside::detail {

namespace {

/// When the faces of two cores let one through to the other: it enters the last strip between them, and has
/// not left any. Source: M. Cyrus, J. Beck, Generalized two- and three-dimensional clipping, 1978, for the
/// origin against the difference of the two.
struct Strips {
  double distance = -std::numeric_limits<double>::infinity();  ///< at least, at the start
  double enter = 0.0;
  double leave = 1.0;
  double enter_rate = 0.0;
  Point normal;  ///< of the strip that is entered last, from the one that moves to the other

  /// @param motion of `core`
  /// @param sign 1 where `core` is the one that moves, else -1
  /// @param rounding what may be lost where a strip is left, so that what grazes is not
  void take(const Convex& core, const Convex& other, Point motion, double radius, double sign,
            double rounding) {
    const std::size_t count = faces(core);
    for (std::size_t i = 0; i < count; ++i) {
      const Face f = face(core, i);
      const double unit = 1.0 / std::sqrt(dot(f.normal, f.normal));
      const double gap = least_out(f, other) * unit - radius;
      const double rate = dot(f.normal, motion) * unit;
      distance = std::max(distance, gap);
      if (rate > 0.0) {
        if (gap > enter * rate) {
          enter = gap / rate;
          enter_rate = rate;
          normal = (sign * unit) * f.normal;
        }
      } else if (gap - rounding > leave * rate) {
        leave = rate < 0.0 ? (gap - rounding) / rate : -std::numeric_limits<double>::infinity();
      }
    }
  }

  [[nodiscard]] bool misses(double rounding) const {
    return enter > leave && !(enter_rate > 0.0 && (enter - leave) * enter_rate <= rounding);
  }
};

/// Casts where one of the two, at least, is a point: a ray from it.
std::optional<ConvexHit> cast_circle(const Convex& from, Point motion, const Convex& to, double radius) {
  const bool point_moves = from.size == 1;
  std::optional<ConvexHit> hit = point_moves ? cast_ray(from.points[0], motion, to, radius)
                                             : cast_ray(to.points[0], -1.0 * motion, from, radius);
  if (hit && point_moves) {
    hit->normal = -1.0 * hit->normal;
    hit->point = hit->point + from.radius * hit->normal;
  } else if (hit) {
    hit->point = to.points[0] - to.radius * hit->normal;
  }
  return hit;
}

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
  // A distance of so many of these is for sure one; it is compared with 1e-9 of the numbers.
  constexpr double clear_of_rounding = 1e6;
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
  const double rounding = relative_rounding * all_reach;
  distance_at_start = 0.0;
  Strips strips;
  if (from.size > 1 && to.size > 1) {
    strips.take(from, to, motion, radius, 1.0, rounding);
    strips.take(to, from, -1.0 * motion, radius, -1.0, rounding);
  }
  Gap gap;
  if (strips.distance > clear_of_rounding * rounding) {
    distance_at_start = strips.distance;
    if (strips.misses(rounding)) {
      return std::nullopt;
    }
  } else {
    gap = find_gap(from, to, Effort::distance);
    if (gap.touching) {
      return ConvexHit{0.0, gap.normal, meeting_point(from, to)};
    }
    distance_at_start = gap.distance - radius;
  }
  if (from.size == 1 && to.size == 1) {
    std::optional<ConvexHit> hit = cast_point(from.points[0], motion, to.points[0], radius);
    if (hit) {
      hit->point = to.points[0] - b.radius * hit->normal;
    }
    return hit;
  }
  if (from.size == 1 || to.size == 1) {
    return cast_circle(from, motion, to, radius);
  }

  Convex moved = from;
  moved.is_sound = false;
  // Corners that are close together may fall onto each other on the way out to large numbers.
  std::optional<Convex> room;
  const auto gap_after = [&](double share) {
    move(from, share * motion, moved);
    return find_gap(sound(moved, room), to, Effort::distance);
  };
  double time = 0.0;
  if (strips.enter > 0.0) {
    // Stops short of it by less than rounding: a way between the shapes tells where they meet.
    time = std::min(strips.enter, 1.0);
    gap = gap_after(std::max(time - 0.5 * rounding / strips.enter_rate, 0.0));
  }
  // Once they touch the last strip is the one that was met.
  Point normal = strips.enter > 0.0 ? strips.normal : gap.normal;
  for (int step = 0; step < most_steps && !gap.touching && gap.distance - radius > rounding; ++step) {
    const double closing = dot(motion, gap.normal);
    if (!(closing > 0.0)) {
      return std::nullopt;
    }
    normal = gap.normal;
    time += (gap.distance - radius) / closing;
    if (time > 1.0) {
      if ((time - 1.0) * closing > rounding) {
        return std::nullopt;
      }
      time = 1.0;
    }
    gap = gap_after(time);
  }
  const bool is_known = gap.apart && !gap.touching && &sound(moved, room) == &moved;
  if (is_known && radius > 0.0 && dot(motion, gap.normal) > 0.0) {
    normal = gap.normal;  // still long enough to have a direction
  }
  if (!is_known) {
    return ConvexHit{time, normal, meeting_point(moved, to)};
  }
  // Of the corner that meets an edge or another corner.
  const Point point = gap.meeting == Meeting::face_of_b
                          ? from.points[gap.of_a] + time * motion + from.radius * gap.normal
                          : to.points[gap.of_b] - to.radius * gap.normal;
  return ConvexHit{time, normal, point};
}

}  // namespace broadside::detail
