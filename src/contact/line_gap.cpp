#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "contact/gap.hpp"
#include "contact/order.hpp"

namespace broadside::detail {

namespace {

/// An end of one line as seen from the other line: what of that is the closest.
struct Sight {
  double along;      ///< line dot way from its start to the end that is seen
  double left;       ///< how far to the left of the line that end is, times the length of the line
  double distance2;  ///< of the two
  bool is_corner;    ///< an end of the line is the closest
  bool is_second;    ///< if so, its second one
  double beyond;     ///< above 0 if that is more than the radius: by squares, without roots or divisions
};

/// A line, and how it sees the ends of another.
struct Line {
  Line(const Convex& core, double radius_of_both)
      : start(core.points[0]),
        edge(core.points[1] - start),
        length2(dot(edge, edge)),
        inverse2(1.0 / length2),
        radius2(radius_of_both * radius_of_both) {}

  [[nodiscard]] Sight see(Point from_start, Point from_end) const {
    const double along = dot(edge, from_start);
    const double left = cross(edge, from_start);
    const bool is_second = along >= length2;
    const bool is_corner = is_second || along <= 0.0;
    const double from_start2 = dot(from_start, from_start);
    const double from_end2 = dot(from_end, from_end);
    const double corner2 = is_second ? from_end2 : from_start2;
    const double left2 = left * left;
    return {along,     left,      is_corner ? corner2 : left2 * inverse2,
            is_corner, is_second, (is_corner ? corner2 : left2) - (is_corner ? radius2 : radius2 * length2)};
  }

  Point start;
  Point edge;
  double length2;
  double inverse2;
  double radius2;
};

/// Tells whether all that a line sees is to one side of it.
bool are_beside(const Sight& one, const Sight& other) {
  return one.left * other.left > 0.0;
}

/// Tells whether a line has another in front of its side, and that as far as `distance2`, nearly.
bool is_straight(const Line& line, const Sight& one, const Sight& other, double distance2) {
  const double least = std::min(std::abs(one.left), std::abs(other.left));
  return are_beside(one, other) && least * least >= straight * straight * distance2 * line.length2;
}

/// Finds the face of a line, a rectangle of no width, that no other beats by more than `slack`, as
/// `find_widest_axis` does. Sets the corner of the other line that is the deepest behind it.
Axis find_widest_side(const Line& line, const Sight& one, const Sight& other, double slack,
                      std::size_t& deepest) {
  const double unit = 1.0 / std::sqrt(line.length2);
  const auto [low, high] = std::minmax(one.left, other.left);
  const auto [back, front] = std::minmax(one.along, other.along);
  const std::array<double, 4> separations{-high * unit, low * unit, (back - line.length2) * unit,
                                          -front * unit};
  const double least =
      std::max(std::max(separations[0], separations[1]), std::max(separations[2], separations[3])) - slack;
  // Without a branch, as which face it is cannot be guessed.
  const unsigned enough = (separations[0] >= least ? 1U : 0U) | (separations[1] >= least ? 2U : 0U) |
                          (separations[2] >= least ? 4U : 0U) | 8U;
  const auto face = static_cast<std::size_t>(std::countr_zero(enough));
  const std::array<bool, 4> is_other{other.left > one.left, other.left < one.left,
                                     other.along<one.along, other.along> one.along};
  deepest = is_other[face] ? 1 : 0;
  return {Verdict::touching, face, separations[face]};
}

/// Does what `find_line_gap` does where no side parts the lines.
bool meet_crossing(const Line& line_a, const Line& line_b, const std::array<Sight, 4>& sights, double slack,
                   Gap& gap) {
  std::size_t of_b = 0;
  std::size_t of_a = 0;
  const Axis axis_a = find_widest_side(line_a, sights[0], sights[1], slack, of_b);
  const Axis axis_b = find_widest_side(line_b, sights[2], sights[3], slack, of_a);
  if (std::max(axis_a.separation, axis_b.separation) > -slack) {
    return false;
  }
  const bool on_b = axis_b.separation > axis_a.separation + slack;
  const Axis& axis = on_b ? axis_b : axis_a;
  const Line& line = on_b ? line_b : line_a;
  const Point right{line.edge.y, -line.edge.x};
  const std::array<Point, 4> normals{right, -1.0 * right, line.edge, -1.0 * line.edge};
  gap.touching = true;
  gap.distance = axis.separation;
  meet_at_face(on_b, axis.face, on_b ? of_a : of_b, (1.0 / std::sqrt(line.length2)) * normals[axis.face],
               gap);
  return true;
}

}  // namespace

bool find_line_gap(const Convex& a, const Convex& b, Effort effort, Gap& gap) {
  const double radius = a.radius + b.radius;
  const Line line_a{a, radius};
  const Line line_b{b, radius};
  const Point a0 = a.points[0];
  const Point a1 = a.points[1];
  const Point b0 = b.points[0];
  const Point b1 = b.points[1];
  // The ends of b, and those of a.
  const std::array<Sight, 4> sights{line_a.see(b0 - a0, b0 - a1), line_a.see(b1 - a0, b1 - a1),
                                    line_b.see(a0 - b0, a0 - b1), line_b.see(a1 - b0, a1 - b1)};
  if (!(are_beside(sights[0], sights[1]) || are_beside(sights[2], sights[3]))) {
    return meet_crossing(line_a, line_b, sights, face_slack * std::min(rough_size(a), rough_size(b)), gap);
  }
  gap.touching = std::min(std::min(sights[0].beyond, sights[1].beyond),
                          std::min(sights[2].beyond, sights[3].beyond)) <= 0.0;
  if (effort == Effort::touching && !gap.touching) {
    return true;
  }
  const std::size_t of_a = sights[1].distance2 < sights[0].distance2 ? 1 : 0;
  const std::size_t of_b = sights[3].distance2 < sights[2].distance2 ? 3 : 2;
  const bool on_b = sights[of_b].distance2 < sights[of_a].distance2;
  const std::size_t best = on_b ? of_b : of_a;
  const Sight& sight = sights[best];
  const std::size_t corner = best & 1U;
  const Line& line = on_b ? line_b : line_a;
  const Point seen = (on_b ? a : b).points[corner];
  if (sight.is_corner && effort == Effort::touching &&
      (is_straight(line_a, sights[0], sights[1], sight.distance2) ||
       is_straight(line_b, sights[2], sights[3], sight.distance2))) {
    return false;
  }
  gap.apart = true;
  gap.distance = std::sqrt(sight.distance2);
  if (sight.is_corner) {
    const std::size_t own = sight.is_second ? 1 : 0;
    gap.of_a = on_b ? corner : own;
    gap.of_b = on_b ? own : corner;
    gap.point_a = a.points[gap.of_a];
    gap.point_b = b.points[gap.of_b];
    if (gap.distance > 0.0) {
      gap.normal = (1.0 / gap.distance) * (gap.point_b - gap.point_a);
    }
    return true;
  }
  const Point on_line = line.start + (sight.along * line.inverse2) * line.edge;
  gap.point_a = on_b ? seen : on_line;
  gap.point_b = on_b ? on_line : seen;
  const double unit = std::copysign(1.0 / std::sqrt(line.length2), sight.left);
  meet_at_face(on_b, sight.left > 0.0 ? 1 : 0, corner, {-unit * line.edge.y, unit * line.edge.x}, gap);
  return true;
}

}  // namespace broadside::detail
