#include <hwy/base.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/select.hpp"
#include "base/tolerances.hpp"
#include "contact/engine/gap.hpp"

namespace broadside::inline v0_2::detail {

namespace {

/// One end of a line relative to another line.
struct EndInLineFrame {
  double along;      ///< line dot vector from its start to the end
  double left;       ///< how far the end is to the left of the line, scaled by the length of the line
  double distance2;  ///< from the line to the end
  double excess;     ///< above 0 if that is more than the radius; without roots or divisions
};
using EndsInLineFrame = std::array<EndInLineFrame, 2>;

/// A line, and its position relative to the ends of another line.
struct Line {
  Line(const Convex& core, double radius_of_both)
      // Copied by component: a wide load of a point that was just stored would stall on store forwarding.
      : start{core.points[0].x, core.points[0].y},
        edge(core.points[1] - start),
        length2(dot(edge, edge)),
        radius2(radius_of_both * radius_of_both) {}

  /// @param from_start vector from the start of this line to an end of the other
  /// @param from_end vector from its end
  [[nodiscard]] EndInLineFrame to_frame(Point from_start, Point from_end) const {
    const double along = dot(edge, from_start);
    const double left = cross(edge, from_start);
    const double left2 = left * left;
    const bool is_second = along >= length2;
    const bool is_corner = is_second | (along <= 0.0);
    const double corner2 = select(is_second, dot(from_start, from_start), dot(from_end, from_end));
    return {along, left, select(is_corner, left2 / length2, corner2),
            select(is_corner, left2 - radius2 * length2, corner2 - radius2)};
  }

  Point start;
  Point edge;
  double length2;
  double radius2;
};

/// Returns whether both ends are on the same side of the line.
bool are_beside(const EndsInLineFrame& other) {
  return other[0].left * other[1].left > 0.0;
}

/// Returns whether the other line is in front of a side of the line, at nearly that distance.
bool is_straight(const Line& line, const EndsInLineFrame& other, double distance2) {
  const double min_left = std::min(std::abs(other[0].left), std::abs(other[1].left));
  return are_beside(other) && min_left * min_left >= straight * straight * distance2 * line.length2;
}

/// Does what `find_max_separation_axis` does for a line, a rectangle of width 0: finds the first face within
/// `slack` of the largest separation. Sets the corner of the other line that is deepest behind it.
Axis find_max_separation_side(const Line& line, const EndsInLineFrame& other, double slack,
                              std::size_t& deepest) {
  const double unit = 1.0 / std::sqrt(line.length2);
  const auto [low, high] = std::minmax({other[0].left, other[1].left});
  const auto [back, front] = std::minmax({other[0].along, other[1].along});
  const std::array separations{-high * unit, low * unit, (back - line.length2) * unit, -front * unit};
  const double threshold =
      std::max(std::max(separations[0], separations[1]), std::max(separations[2], separations[3])) - slack;
  // Branch-free, as the face cannot be predicted.
  const unsigned enough = (separations[0] >= threshold ? 1U : 0U) | (separations[1] >= threshold ? 2U : 0U) |
                          (separations[2] >= threshold ? 4U : 0U) | 8U;
  const auto face = static_cast<std::size_t>(std::countr_zero(enough));
  const std::array is_other{other[1].left > other[0].left, other[1].left < other[0].left,
                            other[1].along<other[0].along, other[1].along> other[0].along};
  deepest = is_other[face] ? 1 : 0;
  return {Verdict::touching, face, separations[face]};
}

/// Two lines, and the ends of each relative to the other.
struct Lines {
  HWY_INLINE Lines(const Convex& core_a, const Convex& core_b)
      : a(core_a, core_a.radius + core_b.radius), b(core_b, core_a.radius + core_b.radius) {
    const Point end_a{core_a.points[1].x, core_a.points[1].y};
    const Point end_b{core_b.points[1].x, core_b.points[1].y};
    from_a = {a.to_frame(b.start - a.start, b.start - end_a), a.to_frame(end_b - a.start, end_b - end_a)};
    from_b = {b.to_frame(a.start - b.start, a.start - end_b), b.to_frame(end_a - b.start, end_a - end_b)};
  }

  [[nodiscard]] bool are_apart() const { return are_beside(from_a) || are_beside(from_b); }
  /// Returns whether they are within the radius. @pre are_apart()
  [[nodiscard]] bool are_touching() const {
    return std::min(std::min(from_a[0].excess, from_a[1].excess),
                    std::min(from_b[0].excess, from_b[1].excess)) <= 0.0;
  }

  Line a;
  Line b;
  EndsInLineFrame from_a;  ///< the ends of b
  EndsInLineFrame from_b;  ///< the ends of a
};

/// Does what `find_line_gap` does if no side separates the lines.
bool meet_crossing(const Lines& lines, double slack, Gap& gap) {
  std::size_t of_b = 0;
  std::size_t of_a = 0;
  const Axis axis_a = find_max_separation_side(lines.a, lines.from_a, slack, of_b);
  const Axis axis_b = find_max_separation_side(lines.b, lines.from_b, slack, of_a);
  if (std::max(axis_a.separation, axis_b.separation) > -slack) {
    return false;
  }
  const bool on_b = axis_b.separation > axis_a.separation + slack;
  const Axis& axis = on_b ? axis_b : axis_a;
  const Line& line = on_b ? lines.b : lines.a;
  const Point right{line.edge.y, -line.edge.x};
  const std::array normals{right, -1.0 * right, line.edge, -1.0 * line.edge};
  gap.touching = true;
  gap.distance = axis.separation;
  meet_at_face(on_b, axis.face, on_b ? of_a : of_b, (1.0 / std::sqrt(line.length2)) * normals[axis.face],
               gap);
  return true;
}

/// Fills in everything except `touching` if a side separates the lines. Returns false for two corners.
HWY_INLINE bool meet_apart(const Lines& lines, const Convex& a, const Convex& b, Gap& gap) {
  const EndsInLineFrame& from_a = lines.from_a;
  const EndsInLineFrame& from_b = lines.from_b;
  const std::size_t of_b{from_a[1].distance2 < from_a[0].distance2};
  const std::size_t of_a{from_b[1].distance2 < from_b[0].distance2};
  const bool on_b = from_b[of_a].distance2 < from_a[of_b].distance2;
  const std::size_t end_index = select(on_b, of_b, of_a);
  const double along = select(on_b, from_a[end_index].along, from_b[end_index].along);
  const double left = select(on_b, from_a[end_index].left, from_b[end_index].left);
  const double length2 = select(on_b, lines.a.length2, lines.b.length2);
  const Point edge = select(on_b, lines.a.edge, lines.b.edge);
  const bool is_second = along >= length2;
  const bool is_corner = is_second | (along <= 0.0);
  const std::size_t corner_a = select(on_b, std::size_t{is_second}, end_index);
  const std::size_t corner_b = select(on_b, end_index, std::size_t{is_second});
  const Point at_a{a.points[corner_a].x, a.points[corner_a].y};
  const Point at_b{b.points[corner_b].x, b.points[corner_b].y};
  // A vector from a to b, of any length: from corner to corner, or perpendicular to the line.
  const double across = sign(on_b != std::signbit(left));
  const Point offset = select(is_corner, {-across * edge.y, across * edge.x}, at_b - at_a);
  const double offset2 = dot(offset, offset);
  const double root = std::sqrt(offset2);
  const double unit = 1.0 / root;  // root is not 0: lines with a common end are not apart
  gap.apart = true;
  gap.distance = select(is_corner, std::abs(left) * unit, root);
  gap.normal = unit * offset;
  const Point core_start = select(on_b, lines.a.start, lines.b.start);
  const Point on_line = core_start + (along / length2) * edge;
  gap.point_a = select(is_corner | on_b, on_line, at_a);
  gap.point_b = select(is_corner | !on_b, on_line, at_b);
  const std::size_t face{left > 0.0};
  gap.meeting = is_corner ? Meeting::corners : on_b ? Meeting::face_of_b : Meeting::face_of_a;
  gap.of_a = select(is_corner | on_b, face, corner_a);
  gap.of_b = select(is_corner | !on_b, face, corner_b);
  return !is_corner;
}

/// Returns whether a corner stands on a face of the other line, so that the face is the feature that meets.
bool stands_on_face(const Lines& lines, double distance) {
  const double distance2 = distance * distance;
  return is_straight(lines.a, lines.from_a, distance2) || is_straight(lines.b, lines.from_b, distance2);
}

double line_slack(const Convex& a, const Convex& b) {
  return face_slack * std::min(rough_size(a), rough_size(b));
}

}  // namespace

bool find_line_gap(const Convex& a, const Convex& b, Effort effort, Gap& gap) {
  const Lines lines{a, b};
  if (!lines.are_apart()) {
    return meet_crossing(lines, line_slack(a, b), gap);
  }
  gap.touching = lines.are_touching();
  if (effort == Effort::touching && !gap.touching) {
    return true;
  }
  return meet_apart(lines, a, b, gap) || effort == Effort::distance || !stands_on_face(lines, gap.distance);
}

}  // namespace broadside::inline v0_2::detail
