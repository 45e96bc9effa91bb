#include <algorithm>
#include <cmath>

#include "contact/convex_pairs.hpp"
#include "contact/gap.hpp"

namespace broadside::detail {

namespace {

/// Returns how far beside the other one core passes, however far it moves, times the length of the motion;
/// negative if it does not.
double beside(const Convex& from, Point motion, const Convex& to) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto range = [&](const Convex& core, double& low, double& high) {
    for (std::size_t i = 0; i < core.size; ++i) {
      const double aside = cross(motion, core.points[i]);
      low = aside < low ? aside : low;
      high = aside > high ? aside : high;
    }
  };
  double low_from = infinity;
  double high_from = -infinity;
  double low_to = infinity;
  double high_to = -infinity;
  range(from, low_from, high_from);
  range(to, low_to, high_to);
  return std::max(low_to - high_from, low_from - high_to);
}

/// The last face that is in the way of one core to the other. Source: M. Cyrus, J. Beck, Generalized two- and
/// three-dimensional clipping, 1978, for the origin against the difference of the two.
struct Entry {
  double time = 0.0;
  double rate = 0.0;      ///< at which the face is neared (unit: length)
  double distance = 0.0;  ///< from the face at the start
  Point normal;           ///< of the face, from the one that moves to the other
  std::size_t face = 0;
  bool on_to = false;  ///< the face is of the one that rests

  /// @param motion of `core`
  void take(const Convex& core, const Convex& other, Point motion, double radius, bool rests) {
    // The ends of a segment are faces of the difference of the two only where that is a segment, too.
    const bool has_ends = core.size == 2 && other.size == 2 &&
                          cross(core.points[1] - core.points[0], other.points[1] - other.points[0]) == 0.0;
    const std::size_t count = has_ends ? faces(core) : core.size;
    for (std::size_t i = 0; i < count; ++i) {
      const Face f = detail::face(core, i);
      const double nearing = dot(f.normal, motion);
      if (!(nearing > 0.0)) {
        continue;
      }
      const double out = least_out(f, other);
      if (out > time * nearing) {
        const double length = std::sqrt(dot(f.normal, f.normal));
        const double gap = out - radius * length;
        if (gap > time * nearing) {
          time = gap / nearing;
          rate = nearing / length;
          distance = gap / length;
          normal = ((rests ? -1.0 : 1.0) / length) * f.normal;
          face = i;
          on_to = rests;
        }
      }
    }
  }
};

/// What the face that is entered last tells of the hit.
struct Met {
  bool is_known = false;         ///< it tells all; else it is to be looked for from there
  std::optional<ConvexHit> hit;  ///< where it is known
};

/// Finds the hit where the corner that is nearest to the face comes onto it, or passes beside an end of it
/// and onto that corner's round.
///
///        other  o                 the way leads from outside of the face's line into the corner where it
///                \   . - .        meets its neighbor's, which is empty but for the round part: that is hit
///        --------/  (       )     or, beyond it, nothing
/// @param least radius that is not lost in rounding
Met meet_entry(const Entry& entry, const Convex& from, Point motion, const Convex& to, double least) {
  // An edge of the other core that is parallel to the face to this share makes the face longer.
  constexpr double parallel = 1e-6;
  const Convex& core = entry.on_to ? to : from;
  const Convex& other = entry.on_to ? from : to;
  if (!is_edge(core, entry.face)) {
    return {};
  }
  const double time = std::min(entry.time, 1.0);
  const Face f = face(core, entry.face);
  const std::size_t deepest = deepest_corner(f, other);
  const Point corner = other.points[deepest];
  const Point moved = (entry.on_to ? time : -time) * motion;
  const double along = dot({-f.normal.y, f.normal.x}, (corner + moved) - f.start);
  const double length2 = dot(f.normal, f.normal);
  if (along >= 0.0 && along <= length2) {
    return {true, ConvexHit{time, entry.normal,
                            entry.on_to ? corner + moved + from.radius * entry.normal
                                        : corner - to.radius * entry.normal}};
  }
  const auto stands_out = [&](std::size_t neighbor) {
    const Point edge = other.points[neighbor] - corner;
    const double out = dot(f.normal, edge);
    return out > 0.0 && out * out > parallel * parallel * length2 * dot(edge, edge);
  };
  if (!(from.radius + to.radius > least) || !stands_out(next(other, deepest)) ||
      !stands_out(previous(other, deepest))) {
    return {};
  }
  const Point end = core.points[along < 0.0 ? entry.face : next(core, entry.face)];
  const Point start = entry.on_to ? corner : end;
  const Point target = entry.on_to ? end : corner;
  std::optional<ConvexHit> hit = cast_point(start, motion, target, from.radius + to.radius);
  if (hit) {
    hit->point = target - to.radius * hit->normal;
  }
  return {true, hit};
}

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

/// Returns when, on its way, one core has left the first face of the other that it can leave; at most 1.
double exit_time(const Convex& core, const Convex& other, Point motion, double radius) {
  double time = 1.0;
  for (std::size_t i = 0; i < core.size; ++i) {
    const Face f = face(core, i);
    const double nearing = dot(f.normal, motion);
    if (nearing < 0.0) {
      const double gap = least_out(f, other) - radius * std::sqrt(dot(f.normal, f.normal));
      time = std::min(time, gap / nearing);
    }
  }
  return time;
}

/// Tells whether one core lies deeper than `depth` behind each face of the other at some time.
bool is_deep(const Convex& core, const Convex& other, Point motion, double radius, double time,
             double depth) {
  for (std::size_t i = 0; i < core.size; ++i) {
    const Face f = face(core, i);
    const double gap = least_out(f, other) - time * dot(f.normal, motion);
    if (!(gap < (radius - depth) * std::sqrt(dot(f.normal, f.normal)))) {
      return false;
    }
  }
  return true;
}

/// Tells whether shapes that are within rounding of each other will be deeper in each other than that:
/// halfway to where they part again they are. The normal between them may point anywhere.
bool runs_in(const Convex& from, Point motion, const Convex& to, double radius, double depth) {
  const double time =
      0.5 * std::min(exit_time(from, to, motion, radius), exit_time(to, from, -1.0 * motion, radius));
  return time > 0.0 && is_deep(from, to, motion, radius, time, depth) &&
         is_deep(to, from, -1.0 * motion, radius, time, depth);
}

// First to the last face that is in the way: most often that is the hit. Where a corner is met beside the
// face, conservative advancement from there: the normal of the closest points is that of a strip that parts
// the shapes; a moves through it, and as both are convex it cannot touch b sooner. Where it moves away from b
// it never will. Source: B. Mirtich, Impulse-based dynamic simulation of rigid body systems, 1996.
//
// Both cores are sound.
std::optional<ConvexHit> cast_sound(const Convex& from, Point motion, const Convex& to,
                                    double& distance_at_start) {
  // A gap of this share of the numbers it is made of is rounding.
  constexpr double relative_rounding = 1e-14;
  // A distance of so many of these is for sure one; it is compared with 1e-9 of the numbers.
  constexpr double clear_of_rounding = 1e6;
  // Where they graze, each step leaves half of the way: enough for all bits of it.
  constexpr int most_steps = 128;

  const double motion_reach = std::abs(motion.x) + std::abs(motion.y);
  const double all_reach = reach(from) + reach(to) + motion_reach;
  if (!is_reach_finite(all_reach)) {
    return std::nullopt;
  }
  const double radius = from.radius + to.radius;
  const double rounding = relative_rounding * all_reach;
  distance_at_start = 0.0;
  const double clear = clear_of_rounding * rounding;
  Entry entry;
  if (from.size > 1 && to.size > 1) {
    if (const double aside = beside(from, motion, to); aside > 0.0) {
      const double distance = aside / std::sqrt(dot(motion, motion)) - radius;
      if (distance > clear) {
        distance_at_start = distance;
        return std::nullopt;
      }
    }
    entry.take(from, to, motion, radius, false);
    entry.take(to, from, -1.0 * motion, radius, true);
  }
  Gap gap;
  if (entry.distance > clear) {
    distance_at_start = entry.distance;
    if ((entry.time - 1.0) * entry.rate > rounding) {
      return std::nullopt;
    }
    if (const Met met = meet_entry(entry, from, motion, to, clear); met.is_known) {
      return met.hit;
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
      hit->point = to.points[0] - to.radius * hit->normal;
    }
    return hit;
  }
  if (from.size == 1 || to.size == 1) {
    return cast_circle(from, motion, to, radius);
  }

  Convex moved = from;
  // Corners that are close together may fall onto each other on the way out to large numbers.
  moved.is_sound = false;
  moved.source.edges = nullptr;
  std::optional<Convex> room;
  const auto gap_after = [&](double share) {
    move(from, share * motion, moved);
    return find_gap(sound(moved, room), to, Effort::distance);
  };
  double time = 0.0;
  if (entry.time > 0.0) {
    // Stops short of it by less than rounding: a way between the shapes tells where they meet.
    time = std::min(entry.time, 1.0);
    const double before = std::max(time - 0.5 * rounding / entry.rate, 0.0);
    gap = gap_after(before);
    // Nearly along the strip, so little of a way takes long: then it counts from there.
    constexpr double soon = 1e-12;
    time = time - before > soon ? before : time;
  }
  // Once they touch the last strip is the one that was met.
  Point normal = entry.time > 0.0 ? entry.normal : gap.normal;
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
  if (time == 0.0 && motion != Point{} && !(dot(motion, normal) > 0.0) &&
      runs_in(from, motion, to, radius, clear)) {
    normal = (1.0 / std::sqrt(dot(motion, motion))) * motion;
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

}  // namespace

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

std::optional<ConvexHit> cast(const Convex& a, Point motion, const Convex& b, double& distance_at_start) {
  if (a.is_sound && b.is_sound) {
    return cast_sound(a, motion, b, distance_at_start);
  }
  if (!is_reach_finite(reach(a) + reach(b))) {
    return std::nullopt;
  }
  std::optional<Convex> room_a;
  std::optional<Convex> room_b;
  return cast_sound(sound(a, room_a), motion, sound(b, room_b), distance_at_start);
}

}  // namespace broadside::detail
