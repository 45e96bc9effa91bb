#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "body/convex.hpp"
#include "contact/engine/axes.hpp"
#include "contact/engine/convex_pairs.hpp"
#include "contact/feature.hpp"

namespace broadside::inline v0_2::detail {

// A convex shape is a core, the hull of its points, rounded by a radius. This header computes how two cores
// lie relative to each other; all queries on two convex shapes are derived from it, so that all results
// agree.

/// The relative position of two cores: their meeting features, distance and normal.
struct Gap {
  bool touching = false;  ///< the rounded shapes share a point
  bool apart = false;     ///< the cores share no point
  Meeting meeting = Meeting::corners;
  std::size_t of_a = 0;    ///< index of the corner or face of a
  std::size_t of_b = 0;    ///< index of the corner or face of b
  double distance = 0.0;   ///< between the cores, along the normal; negative if they overlap (unit: length)
  Point normal{1.0, 0.0};  ///< unit vector from a to b
  Point point_a;           ///< if the cores are apart: closest point of the core of a
  Point point_b;           ///< if the cores are apart: closest point of the core of b
};

/// A corner of each core. Together they are a corner of the Minkowski difference a - b, a convex polygon.
struct CornerPair {
  std::size_t of_a = 0;
  std::size_t of_b = 0;
};

/// What a gap is computed for.
enum class Effort : std::uint8_t {
  touching,  ///< prefers faces to corners; if the shapes do not touch, only `touching` is valid
  distance,  ///< the normal is that of the closest points
};

/// A line that a core lies behind. Faces 0 to n - 1 are the edges; a core of two points has its ends as two
/// more.
struct Face {
  Point start;
  Point normal;  ///< outward, as long as the edge
};

/// Returns the number of faces of a core: 4 for a segment, else that of its edges. @pre it is not a point
inline std::size_t faces(const Convex& core) {
  constexpr std::size_t of_segment = 4;
  return core.size == 2 ? of_segment : core.size;
}

/// Returns whether a face has two corners: all do except the ends of a segment.
inline bool is_edge(const Convex& core, std::size_t index) {
  return index < core.size;
}

/// Returns the corner at an end face of a segment.
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
  const Point edge = core.points[1] - core.points[0];
  return {core.points[end_corner(index)], index == 2 ? edge : -1.0 * edge};
}

/// Returns how far the deepest corner of a core is in front of a face, scaled by the length of the face.
inline double min_separation(const Face& f, const Convex& other) {
  // Two independent chains, as each minimum depends on the one before.
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

/// Returns the index of the first corner with that depth: the support point against the normal.
inline std::size_t deepest_corner(const Face& f, const Convex& other) {
  double smallest = std::numeric_limits<double>::infinity();
  std::size_t corner = 0;
  for (std::size_t j = 0; j < other.size; ++j) {
    const double out = dot(f.normal, other.points[j] - f.start);
    corner = out < smallest ? j : corner;
    smallest = out < smallest ? out : smallest;
  }
  return corner;
}

/// Sets the normal and the features of a gap for a face of one core.
inline void meet_at_face(bool on_b, std::size_t face_index, std::size_t corner, Point outward, Gap& gap) {
  gap.meeting = on_b ? Meeting::face_of_b : Meeting::face_of_a;
  gap.of_a = on_b ? corner : face_index;
  gap.of_b = on_b ? face_index : corner;
  gap.normal = on_b ? -1.0 * outward : outward;
}

/// Fills in the result for two shapes that are apart.
inline void part(const Gap& gap, const Convex& a, const Convex& b, ConvexDistance& found) {
  // Rounding must not yield 0 for shapes that are apart.
  found.distance = std::max(gap.distance - a.radius - b.radius, std::numeric_limits<double>::min());
  found.point_a = gap.point_a + a.radius * gap.normal;
  found.point_b = gap.point_b - b.radius * gap.normal;
  found.normal = gap.normal;
}

/// Returns a common point of two touching shapes whose cores are apart: halfway through the part of the line
/// between the cores that both shapes cover.
inline Point point_between(const Gap& gap, const Convex& a, const Convex& b) {
  // Distances from the closest point of a: b's surface is the lower bound, a's the upper.
  const double lower = std::max(gap.distance - b.radius, 0.0);
  const double upper = std::min(a.radius, gap.distance);
  return gap.point_a + (0.5 * (lower + upper)) * gap.normal;
}

/// Finds the gap between two cores. @pre both are `sound`
///
/// Exact if products of coordinate differences are exact in double. Does not allocate.
/// @par Complexity
/// O(n + m) axes times O(n + m) corners.
/// @par Source
/// Separating axes: S. Gottschalk, Separating axis theorem, 1996.
Gap find_gap(const Convex& a, const Convex& b, Effort effort);

/// Does what `find_gap` does if at least one of the two is a point. Complexity: O(n).
Gap find_point_gap(const Convex& a, const Convex& b, Effort effort);

/// Does what `find_gap` does for two segments, from the ends of each as seen from the other. Returns false
/// where rounding could decide which face meets: an end on the other line, or within the slack of it, and,
/// for `touching`, a corner that stands on a face. Complexity: O(1).
bool find_line_gap(const Convex& a, const Convex& b, Effort effort, Gap& gap);

/// Returns the core without the corners that rounding placed onto each other or onto their neighbors' line:
/// `core` itself if there are none, else a copy in `scratch`.
const Convex& make_well_conditioned(const Convex& core, std::optional<Convex>& scratch);
inline const Convex& sound(const Convex& core, std::optional<Convex>& scratch) {
  return core.is_well_conditioned ? core : make_well_conditioned(core, scratch);
}

/// Returns an upper bound of the distance between a point of a shape and the anchor; NaN if the shape has no
/// points, as it is not valid.
double compute_reach(const Convex& shape);
inline double reach(const Convex& shape) {
  return shape.reach > 0.0 ? shape.reach : compute_reach(shape);
}

/// Returns whether out / sqrt(length2) is above `bound`, without a root. @pre out is 0 or negative
inline bool is_above(double out, double length2, double bound) {
  return bound < 0.0 && out * out < bound * bound * length2;
}

/// Returns a rough diameter of a shape, right to a factor of 3.
double compute_extent(const Convex& shape);
inline double rough_size(const Convex& shape) {
  return shape.extent > 0.0 ? shape.extent : compute_extent(shape);
}

/// Two shapes that are sound, as `find_gap` requires, if their numbers are finite.
struct SoundPair {
  SoundPair(const Convex& a_given, const Convex& b_given)
      : is_finite((a_given.is_well_conditioned && b_given.is_well_conditioned) ||
                  is_reach_finite(reach(a_given) + reach(b_given))),
        a(is_finite ? sound(a_given, scratch_a) : a_given),
        b(is_finite ? sound(b_given, scratch_b) : b_given) {}

  std::optional<Convex> scratch_a;
  std::optional<Convex> scratch_b;
  bool is_finite;
  const Convex& a;
  const Convex& b;
};

}  // namespace broadside::inline v0_2::detail
