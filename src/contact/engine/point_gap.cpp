#include <algorithm>
#include <cmath>
#include <limits>

#include "base/tolerances.hpp"
#include "contact/engine/gap.hpp"

namespace broadside::inline v0_2::detail {

namespace {

/// A point relative to an edge.
struct PointAtEdge {
  Point start;
  Point edge;
  Point outward;   ///< normal of the edge, of its length
  double length2;  ///< of the edge
  double along;    ///< dot product of the edge and the vector to the point
  double out;      ///< distance to the right of the edge, scaled by its length
};

PointAtEdge relative_to_edge(const Convex& core, std::size_t index, Point point) {
  const Point start = core.points[index];
  const Point edge = core.points[next(core, index)] - start;
  const Point offset = point - start;
  return {start, edge, {edge.y, -edge.x}, dot(edge, edge), dot(edge, offset), -cross(edge, offset)};
}

/// A point and a core with corners, in either order.
struct PointGap {
  const Convex& core;
  Point point;
  double radius;  ///< sum of both radii
  bool on_b;      ///< the core is that of b
  Effort effort;

  [[nodiscard]] bool is_done(const Gap& gap) const { return effort == Effort::touching && !gap.touching; }

  [[nodiscard]] static Gap meet_apart(bool touching) {
    Gap gap;
    gap.apart = true;
    gap.touching = touching;
    return gap;
  }

  [[nodiscard]] Gap meet_corner(std::size_t corner) const {
    const Point on_core = core.points[corner];
    const Point offset = point - on_core;
    const double distance2 = dot(offset, offset);
    Gap gap = meet_apart(distance2 <= radius * radius);
    if (is_done(gap)) {
      return gap;
    }
    gap.of_a = on_b ? 0 : corner;
    gap.of_b = on_b ? corner : 0;
    gap.point_a = on_b ? point : on_core;
    gap.point_b = on_b ? on_core : point;
    gap.distance = std::sqrt(distance2);
    if (gap.distance > 0.0) {
      gap.normal = (1.0 / gap.distance) * (gap.point_b - gap.point_a);
    }
    return gap;
  }

  /// @param normal of the edge, of its length, on the side of the point
  [[nodiscard]] Gap meet_edge(const PointAtEdge& at_edge, std::size_t index, Point normal) const {
    Gap gap = meet_apart(at_edge.out * at_edge.out <= radius * radius * at_edge.length2);
    if (is_done(gap)) {
      return gap;
    }
    const double unit = 1.0 / std::sqrt(at_edge.length2);
    const Point on_core = at_edge.start + (at_edge.along / at_edge.length2) * at_edge.edge;
    gap.distance = std::abs(at_edge.out) * unit;
    gap.point_a = on_b ? point : on_core;
    gap.point_b = on_b ? on_core : point;
    meet_at_face(on_b, index, 0, unit * normal, gap);
    return gap;
  }

  [[nodiscard]] Gap meet_segment() const {
    const PointAtEdge at_edge = relative_to_edge(core, 0, point);
    if (at_edge.out == 0.0 && at_edge.along >= 0.0 && at_edge.along <= at_edge.length2) {
      Gap gap;
      gap.touching = true;
      meet_at_face(on_b, 0, 0, (1.0 / std::sqrt(at_edge.length2)) * at_edge.outward, gap);
      return gap;
    }
    if (at_edge.along <= 0.0 || at_edge.along >= at_edge.length2) {
      return meet_corner(at_edge.along <= 0.0 ? 0 : 1);
    }
    const bool left = at_edge.out < 0.0;
    return meet_edge(at_edge, left ? 1 : 0, left ? -1.0 * at_edge.outward : at_edge.outward);
  }

  /// Walks around the core from an edge that has the point in front of it, as long as the point is beyond the
  /// end of the edge, to the closest edge or corner.
  [[nodiscard]] Gap walk(std::size_t index) const {
    PointAtEdge at_edge = relative_to_edge(core, index, point);
    if (effort == Effort::touching && at_edge.out * at_edge.out > radius * radius * at_edge.length2) {
      return meet_apart(false);
    }
    const bool back = at_edge.along <= 0.0;
    for (std::size_t step = 0; step < core.size; ++step) {
      if (back ? at_edge.along > 0.0 : at_edge.along < at_edge.length2) {
        return meet_edge(at_edge, index, at_edge.outward);
      }
      const std::size_t neighbor = back ? previous(core, index) : next(core, index);
      at_edge = relative_to_edge(core, neighbor, point);
      if (back ? at_edge.along >= at_edge.length2 : at_edge.along <= 0.0) {
        return meet_corner(back ? index : neighbor);
      }
      index = neighbor;
    }
    return meet_corner(index);
  }

  [[nodiscard]] Gap meet_inside() const {
    const double slack = face_slack * std::min(rough_size(core), radius - core.radius);
    Gap gap;
    gap.touching = true;
    gap.distance = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < core.size; ++i) {
      const PointAtEdge at_edge = relative_to_edge(core, i, point);
      if (is_above(at_edge.out, at_edge.length2, gap.distance + slack)) {
        const double length = std::sqrt(at_edge.length2);
        gap.distance = at_edge.out / length;
        meet_at_face(on_b, i, 0, (1.0 / length) * at_edge.outward, gap);
      }
    }
    return gap;
  }
};

}  // namespace

Gap find_point_gap(const Convex& a, const Convex& b, Effort effort) {
  const bool on_b = a.size == 1;
  const Convex& core = on_b ? b : a;
  const Convex& other = on_b ? a : b;
  const PointGap pair{core, other.points[0], a.radius + b.radius, on_b, effort};
  if (core.size == 1) {
    Gap gap = pair.meet_corner(0);
    gap.apart = core.points[0] != pair.point;
    return gap;
  }
  if (core.size == 2) {
    return pair.meet_segment();
  }
  double largest = -std::numeric_limits<double>::infinity();
  // The corner at the end of the edge that the point is furthest in front of, scaled by its length.
  std::size_t end_of_facing = 0;
  Point start = core.points[core.size - 1];
  for (std::size_t i = 0; i < core.size; ++i) {
    const Point end = core.points[i];
    const double out = cross(pair.point - start, end - start);
    end_of_facing = out > largest ? i : end_of_facing;
    largest = out > largest ? out : largest;
    start = end;
  }
  return largest > 0.0 ? pair.walk(previous(core, end_of_facing)) : pair.meet_inside();
}

}  // namespace broadside::inline v0_2::detail
