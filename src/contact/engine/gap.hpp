#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "body/convex.hpp"
#include "contact/engine/axes.hpp"
#include "contact/engine/convex_pairs.hpp"
#include "contact/feature.hpp"

namespace broadside::detail {

// A convex shape is a core, the hull of its points, rounded by a radius. Here is how two cores lie to each
// other; all that is asked of two convex shapes follows from it, so that all answers agree.

/// How two cores lie to each other.
struct Gap {
  bool touching = false;  ///< the rounded shapes share a point
  bool apart = false;     ///< the cores share none
  Meeting meeting = Meeting::corners;
  std::size_t of_a = 0;    ///< the number of the corner or face of a
  std::size_t of_b = 0;    ///< the number of the corner or face of b
  double distance = 0.0;   ///< between the cores, along the normal: negative inside (unit: length)
  Point normal{1.0, 0.0};  ///< unit vector from a to b
  Point point_a;           ///< where the cores are apart: the closest point of that of a
  Point point_b;           ///< and of that of b
};

/// A corner seen straight in front of a face to this share (an angle of 1e-5) stands on it: two capsules of
/// one length on top of each other shall touch at two points. The distance is that of the corners all the
/// same.
inline constexpr double straight = 1.0 - 1e-10;

/// How much of a gap is asked for.
enum class Effort : std::uint8_t {
  touching,  ///< faces before corners; where the shapes do not touch, `touching` alone is right
  distance,  ///< the normal is that of the closest points
};

/// A line that a core lies behind. Faces 0 to n - 1 are the edges; a core of two points has two more, its
/// ends.
struct Face {
  Point start;
  Point normal;  ///< outward, as long as the edge
};

/// Returns the number of the faces of a core: 4 for a segment, else that of its edges. @pre it is no point
inline std::size_t faces(const Convex& core) {
  constexpr std::size_t of_segment = 4;
  return core.size == 2 ? of_segment : core.size;
}

/// Tells whether a face has two corners: all but the ends of a segment.
inline bool is_edge(const Convex& core, std::size_t index) {
  return index < core.size;
}

/// Returns the corner of a segment that one of its ends is at.
inline std::size_t end_corner(std::size_t index) {
  return index == 2 ? 1 : 0;
}

/// Returns one face of a core.
inline Face face(const Convex& core, std::size_t index) {
  if (is_edge(core, index)) {
    const Point start{core.points[index].x, core.points[index].y};
    const Point edge = core.points[next(core, index)] - start;
    return {start, {edge.y, -edge.x}};
  }
  const Point way = core.points[1] - core.points[0];
  return {core.points[end_corner(index)], index == 2 ? way : -1.0 * way};
}

/// Returns how far the deepest corner of a core is in front of a face, times the length of the face.
inline double least_out(const Face& f, const Convex& other) {
  // Two at a time, as each minimum has to wait for the one before.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double even = infinity;
  double odd = infinity;
  std::size_t j = 0;
  for (; j + 1 < other.size; j += 2) {
    const double out = dot(f.normal, other.points[j] - f.start);
    const double out_next = dot(f.normal, other.points[j + 1] - f.start);
    even = out < even ? out : even;
    odd = out_next < odd ? out_next : odd;
  }
  if (j < other.size) {
    const double out = dot(f.normal, other.points[j] - f.start);
    even = out < even ? out : even;
  }
  return even < odd ? even : odd;
}

/// Returns the first corner that is as deep as `least_out`.
inline std::size_t deepest_corner(const Face& f, const Convex& other) {
  if (other.source.edges != nullptr) {
    return find_deepest(other, f.start, f.normal);
  }
  double least = std::numeric_limits<double>::infinity();
  std::size_t corner = 0;
  for (std::size_t j = 0; j < other.size; ++j) {
    const double out = dot(f.normal, other.points[j] - f.start);
    corner = out < least ? j : corner;
    least = out < least ? out : least;
  }
  return corner;
}

/// Sets the normal and the features of a gap by the face of one core.
inline void meet_at_face(bool on_b, std::size_t face_index, std::size_t corner, Point outward, Gap& gap) {
  gap.meeting = on_b ? Meeting::face_of_b : Meeting::face_of_a;
  gap.of_a = on_b ? corner : face_index;
  gap.of_b = on_b ? face_index : corner;
  gap.normal = on_b ? -1.0 * outward : outward;
}

/// Fills in all that is told of two shapes that are apart.
inline void part(const Gap& gap, const Convex& a, const Convex& b, ConvexDistance& found) {
  // Rounding must not make 0 of what is apart.
  found.distance = std::max(gap.distance - a.radius - b.radius, std::numeric_limits<double>::min());
  found.point_a = gap.point_a + a.radius * gap.normal;
  found.point_b = gap.point_b - b.radius * gap.normal;
  found.normal = gap.normal;
}

/// Returns a point of two shapes that touch, though their cores are apart: halfway through what both cover of
/// the way between the cores.
inline Point point_between(const Gap& gap, const Convex& a, const Convex& b) {
  // From the closest point of a: b's surface at the least, a's at the most.
  const double least = std::max(gap.distance - b.radius, 0.0);
  const double most = std::min(a.radius, gap.distance);
  return gap.point_a + (0.5 * (least + most)) * gap.normal;
}

/// Finds how two cores lie to each other. Both are `sound`.
///
/// Exact where the coordinates are such that products of their differences are exact in double.
/// Complexity: O(n + m) axes times O(n + m) corners; does not allocate.
/// Source: separating axes: S. Gottschalk, Separating axis theorem, 1996.
Gap find_gap(const Convex& a, const Convex& b, Effort effort);

/// Does what `find_gap` does where one of the two, at least, is a point. Complexity: O(n).
Gap find_point_gap(const Convex& a, const Convex& b, Effort effort);

/// Does it for two segments by the ends of each as seen from the other. Returns false, and leaves the gap to
/// `find_gap`, where rounding may decide which face is met: an end on, or within the slack of, the other
/// line, and, for `touching`, a corner that stands on a face. Complexity: O(1).
bool find_line_gap(const Convex& a, const Convex& b, Effort effort, Gap& gap);

/// Does all that `distance` does for two segments. Returns false, and leaves it to others, where
/// `find_line_gap` does, and within rounding of touching. Complexity: O(1).
/// @param found as it is made
bool find_line_distance(const Convex& a, const Convex& b, ConvexDistance& found);

/// Returns the core without the corners that rounding has laid onto each other or onto their neighbors' line:
/// `core` itself if it has none, else what is then made in `room`.
const Convex& make_sound(const Convex& core, std::optional<Convex>& scratch);
inline const Convex& sound(const Convex& core, std::optional<Convex>& scratch) {
  return core.is_sound ? core : make_sound(core, scratch);
}

/// Returns how far any point of a shape is from the anchor, at most; NaN if it has no points, as it is not
/// valid.
double compute_reach(const Convex& shape);
inline double reach(const Convex& shape) {
  return shape.reach > 0.0 ? shape.reach : compute_reach(shape);
}

/// Tells whether a face that a core is `out` in front of, times the length of the face, is in front of it by
/// more than `least`; by squares, without a root. @pre out is 0 or negative
inline bool is_beyond(double out, double length2, double least) {
  return least < 0.0 && out * out < least * least * length2;
}

/// Returns a rough diameter of a shape: right to a factor of 3.
double compute_extent(const Convex& shape);
inline double rough_size(const Convex& shape) {
  return shape.extent > 0.0 ? shape.extent : compute_extent(shape);
}

}  // namespace broadside::detail
