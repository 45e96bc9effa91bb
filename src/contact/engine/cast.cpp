#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "base/tolerances.hpp"
#include "contact/engine/convex_pairs.hpp"
#include "contact/engine/gap.hpp"

namespace broadside::inline v0_2::detail {

namespace {

/// Returns by how much the path of one core misses the other to the side, scaled by the length of the motion;
/// negative if it does not. Treats the motion as an infinite line.
double lateral_gap(const Convex& from, Point motion, const Convex& to) {
  const auto range_of = [&](const Convex& core) {
    Range range;
    for (std::size_t i = 0; i < core.size; ++i) {
      range.take(cross(motion, core.points[i]));
    }
    return range;
  };
  const Range of_from = range_of(from);
  const Range of_to = range_of(to);
  return std::max(of_to.low - of_from.high, of_from.low - of_to.high);
}

/// Returns the time at which a moving corner comes within a radius of another; more than 1 if it does not.
/// @param offset from the moving corner to the other
///
/// The discriminant uses a cross product, and the root is not subtracted from anything: without cancellation,
/// a circle that just grazes is not lost.
double time_to_corner(Point offset, Point motion, double radius) {
  constexpr double never = 2.0;
  const double closing = dot(offset, motion);
  const double aside = cross(motion, offset);
  const double rest = radius * radius * dot(motion, motion) - aside * aside;
  if (!(closing > 0.0) || rest < 0.0) {
    return never;
  }
  return std::max(dot(offset, offset) - radius * radius, 0.0) / (closing + std::sqrt(rest));
}

Point unit(Point vector) {
  return (1.0 / std::sqrt(dot(vector, vector))) * vector;
}

/// The face of the Minkowski difference that a ray from the origin enters last: it gives the time of the hit.
/// Source: M. Cyrus, J. Beck, Generalized two- and three-dimensional clipping, 1978.
struct Entry {
  double time = 0.0;
  double rate = 0.0;      ///< approach to the face, per motion (unit: length)
  double distance = 0.0;  ///< from the face, at the start
  Point normal;           ///< normal of the face, from the moving core to the resting one
  std::size_t face = 0;
  bool on_to = false;  ///< the face belongs to the resting core

  /// @param motion of `core`
  void take(const Convex& core, const Convex& other, Point motion, double radius, bool rests) {
    // The ends of a segment are faces of the difference only if that is a segment, too.
    const bool has_ends = core.size == 2 && other.size == 2 &&
                          cross(core.points[1] - core.points[0], other.points[1] - other.points[0]) == 0.0;
    const std::size_t count = has_ends ? faces(core) : core.size;
    for (std::size_t i = 0; i < count; ++i) {
      const Face f = detail::face(core, i);
      const double nearing = dot(f.normal, motion);
      if (!(nearing > 0.0)) {
        continue;
      }
      const double out = min_separation(f, other);
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

/// The hit as far as the face that is entered last determines it.
struct EntryHit {
  bool is_known = false;         ///< the result is final; otherwise it has to be searched from here
  std::optional<ConvexHit> hit;  ///< valid if `is_known`
};

/// Finds the hit where the corner nearest to the face lands on it, or passes beside an end of it and hits the
/// disc around that end.
///
///        other  o                 the path enters from outside of the face's line into the corner where it
///                \   . - .        meets its neighbor's; that corner is empty except for the disc: it is
///        --------/  (       )     hit or, beyond it, nothing
/// @param min_radius smallest radius that is not lost in rounding
EntryHit hit_at_entry(const Entry& entry, const Convex& from, Point motion, const Convex& to,
                      double min_radius) {
  // An edge of the other core that is parallel to the face extends the face.
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
  if (!(from.radius + to.radius > min_radius) || !stands_out(next(other, deepest)) ||
      !stands_out(previous(other, deepest))) {
    return {};
  }
  const Point end = core.points[along < 0.0 ? entry.face : next(core, entry.face)];
  const Point start = entry.on_to ? corner : end;
  const Point target = entry.on_to ? end : corner;
  const double at_corner = time_to_corner(target - start, motion, from.radius + to.radius);
  if (!(at_corner <= 1.0)) {
    return {true, std::nullopt};
  }
  const Point normal = unit((target - start) - at_corner * motion);
  return {true, ConvexHit{at_corner, normal, target - to.radius * normal}};
}

/// Returns a point where two shapes touch, or nearly touch.
Point meeting_point(const Convex& a, const Convex& b) {
  const ConvexDistance closest = distance(a, b);
  return 0.5 * (closest.point_a + closest.point_b);
}

/// Two cores, one of which moves: the robust path of a cast.
///
/// The cast is a ray from the origin at the Minkowski difference of the two, a convex polygon. Its faces are
/// the faces of both cores, and its corners are pairs of one corner of each. They are not stored: where one
/// core is smaller than the rounding of the other, its faces would lose their directions.
///
/// The error of each distance is less than `rounding`. A question about a radius that is larger or smaller by
/// that much therefore has an answer that does not depend on the errors.
struct Sweep {
  const Convex& from;
  Point motion;
  const Convex& to;
  double rounding;  ///< (unit: length)

  /// A face of one core, and where the other core is relative to it.
  struct Side {
    const Convex& core;
    const Convex& other;
    std::size_t index;
    bool on_to;  ///< the face belongs to the resting core
    Face face;
    double length;
    double out;   ///< how far the other core is in front of the face at the start (unit: length)
    double rate;  ///< approach to the face, per motion (unit: length)

    /// Returns the normal from the moving core to the resting one.
    [[nodiscard]] Point normal() const { return ((on_to ? -1.0 : 1.0) / length) * face.normal; }
  };

  /// Calls `visit` for each face.
  template <typename Visit>
  void for_each_side(const Visit& visit) const {
    // The ends of a segment are faces of the difference if that is a segment, too.
    const auto is_line = [](const Convex& core) { return core.size == 2; };
    const bool has_ends = (is_line(from) && is_line(to) &&
                           cross(from.points[1] - from.points[0], to.points[1] - to.points[0]) == 0.0) ||
                          (is_line(from) && to.size == 1) || (is_line(to) && from.size == 1);
    for (const bool on_to : {false, true}) {
      const Convex& core = on_to ? to : from;
      const Convex& other = on_to ? from : to;
      const std::size_t count = core.size == 1 ? 0 : has_ends ? faces(core) : core.size;
      for (std::size_t i = 0; i < count; ++i) {
        const Face f = detail::face(core, i);
        const double length = std::sqrt(dot(f.normal, f.normal));
        const double nearing = (on_to ? -1.0 : 1.0) * dot(f.normal, motion);
        visit(Side{core, other, i, on_to, f, length, min_separation(f, other) / length, nearing / length});
      }
    }
  }

  /// The interval of time in which the other core reaches behind all faces, moved outwards by a radius.
  struct Passage {
    double in = 0.0;
    double out = 1.0;
    double latest = -std::numeric_limits<double>::infinity();  ///< `in`, not clamped to 0
    Point normal;  ///< of the face that is entered last; 0 if there is none
  };

  [[nodiscard]] Passage pass(double radius) const {
    Passage passage;
    for_each_side([&](const Side& side) {
      const double gap = side.out - radius;
      if (side.rate > 0.0) {
        if (const double time = gap / side.rate; time > passage.latest) {
          passage.latest = time;
          passage.normal = side.normal();
        }
      } else if (side.rate < 0.0) {
        passage.out = std::min(passage.out, gap / side.rate);
      } else if (gap > 0.0) {
        passage.out = -1.0;
      }
    });
    passage.in = std::max(passage.in, passage.latest);
    return passage;
  }

  /// Returns whether the motion makes the shapes overlap by more than rounding.
  /// @pre they do not overlap by as much at the start
  [[nodiscard]] bool penetrates(double radius) const {
    if (radius > rounding) {
      return first_touch(radius - rounding).has_value();
    }
    if (from.size == 1 && to.size == 1) {
      return false;
    }
    const Passage passage = pass(radius - rounding);
    return passage.in <= passage.out;
  }

  /// Finds when the cores first come within a radius of each other. @pre they are further apart at the start
  ///
  ///       ________
  ///      |  edge  |        The outline of a polygon that is rounded by a radius is made of its edges, moved
  ///    ( o________o )      outwards, and of arcs around its corners. The first of these that is met counts.
  ///
  [[nodiscard]] std::optional<ConvexHit> first_touch(double radius) const {
    const Passage passage = pass(radius);
    const double speed = std::sqrt(dot(motion, motion));
    if (!(speed > 0.0) || passage.in > passage.out + rounding / speed) {
      return std::nullopt;
    }
    std::optional<ConvexHit> first;
    for_each_side([&](const Side& side) {
      if (is_edge(side.core, side.index)) {
        if (const auto hit = meet_edge(side, radius); hit && (!first || hit->time < first->time)) {
          first = hit;
        }
      }
    });
    // Where an edge and an arc meet, the normal of the edge is preferred: that of the arc may be rounding.
    const double edge_time = first ? first->time - rounding / speed : 2.0;
    double time = edge_time;
    CornerPair corners;
    for (std::size_t i = 0; i < from.size; ++i) {
      for (std::size_t j = 0; j < to.size; ++j) {
        if (const double at = time_to_corner(to.points[j] - from.points[i], motion, radius); at < time) {
          time = at;
          corners = {i, j};
        }
      }
    }
    if (time < edge_time && (time - 1.0) * speed <= rounding) {
      time = std::min(time, 1.0);
      const Point offset = to.points[corners.of_b] - (from.points[corners.of_a] + time * motion);
      const Point normal = normal_at_corner(corners, offset, radius, passage.normal);
      first = ConvexHit{time, normal, to.points[corners.of_b] - to.radius * normal};
    }
    return first;
  }

 private:
  /// Finds the hit on an edge, moved outwards.
  [[nodiscard]] std::optional<ConvexHit> meet_edge(const Side& side, double radius) const {
    const double gap = side.out - radius;
    if (!(side.rate > 0.0 && gap >= 0.0 && gap - side.rate <= rounding)) {
      return std::nullopt;
    }
    const double time = std::min(gap / side.rate, 1.0);
    const Point moved = (side.on_to ? time : -time) * motion;
    const Point edge = (1.0 / side.length) * Point{-side.face.normal.y, side.face.normal.x};
    const Point outward = (1.0 / side.length) * side.face.normal;
    // The range of all corners that touch it, along the edge.
    Range touching;
    for (std::size_t j = 0; j < side.other.size; ++j) {
      const Point offset = side.other.points[j] - side.face.start;
      if (dot(outward, offset) <= side.out + rounding) {
        touching.take(dot(edge, offset + moved));
      }
    }
    if (touching.high < -rounding || touching.low > side.length + rounding) {
      return std::nullopt;
    }
    const double along = 0.5 * (std::max(touching.low, 0.0) + std::min(touching.high, side.length));
    const Point rest = side.on_to ? Point{} : time * motion;
    return ConvexHit{time, side.normal(),
                     (side.face.start + along * edge) + (rest + side.core.radius * outward)};
  }

  /// @param offset from the moving corner to the other at that time
  /// @param of_face the normal of the face that was entered last; 0 if there is none
  [[nodiscard]] Point normal_at_corner(CornerPair corners, Point offset, double radius, Point of_face) const {
    // A vector longer than this multiple of the rounding has a reliable direction.
    constexpr double much = 1e3;
    if (radius > much * rounding) {
      return unit(offset);
    }
    const Point forward = unit(motion);
    const auto is_foremost = [&](const Convex& core, std::size_t corner, double sign) {
      const auto of_core = std::span(core.points).first(core.size);
      return std::none_of(of_core.begin(), of_core.end(),
                          [&](Point p) { return sign * dot(forward, p - core.points[corner]) > rounding; });
    };
    // Corners that meet head on have all normals between those of their edges.
    const bool is_head_on =
        of_face == Point{} || (is_foremost(from, corners.of_a, 1.0) && is_foremost(to, corners.of_b, -1.0));
    return is_head_on ? forward : of_face;
  }
};

// The fast path tests the face that is entered last: most often that is the hit. Where rounding could change
// the answer, or a corner hits beside the face, the robust path tests all edges and corners.
//
// Both cores are sound, and the motion is finite.
std::optional<ConvexHit> cast_sound(const Convex& from, Point motion, const Convex& to,
                                    double& distance_at_start) {
  // Above this multiple of the rounding a distance is certain: callers compare it with `clear_of_rounding`.
  constexpr double certain = 1e6;

  const double motion_reach = std::abs(motion.x) + std::abs(motion.y);
  const double still_reach = reach(from) + reach(to);
  const double radius = from.radius + to.radius;
  // After a motion of 2 * still_reach the shapes have passed each other.
  const double rounding = rounding_of_formula * (still_reach + std::min(motion_reach, 2.0 * still_reach));
  distance_at_start = 0.0;
  const double clear = certain * rounding;
  const Sweep sweep{from, motion, to, rounding};
  Entry entry;
  if (from.size > 1 && to.size > 1) {
    if (const double aside = lateral_gap(from, motion, to); aside > 0.0) {
      const double distance = aside / std::sqrt(dot(motion, motion)) - radius;
      if (distance > clear) {
        distance_at_start = distance;
        return std::nullopt;
      }
    }
    entry.take(from, to, motion, radius, false);
    entry.take(to, from, -1.0 * motion, radius, true);
  }
  if (entry.distance > clear) {
    distance_at_start = entry.distance;
    if ((entry.time - 1.0) * entry.rate > rounding) {
      return std::nullopt;
    }
    if (const EntryHit found = hit_at_entry(entry, from, motion, to, clear); found.is_known) {
      return found.hit;
    }
  } else {
    const Gap gap = find_gap(from, to, Effort::distance);
    distance_at_start = gap.touching ? 0.0 : gap.distance - radius;
    if (!(distance_at_start > rounding)) {
      // The direction of the normal may be rounding; whether the shapes get deep is not.
      const bool runs_in = !(dot(motion, gap.normal) > 0.0) && motion != Point{} && sweep.penetrates(radius);
      return ConvexHit{0.0, runs_in ? unit(motion) : gap.normal, meeting_point(from, to)};
    }
  }
  return sweep.first_touch(radius + rounding);
}

}  // namespace

std::optional<ConvexHit> cast(const Convex& a, Point motion, const Convex& b, double& distance_at_start) {
  const SoundPair ready{a, b};
  return ready.is_finite ? cast_sound(ready.a, motion, ready.b, distance_at_start) : std::nullopt;
}

}  // namespace broadside::inline v0_2::detail
