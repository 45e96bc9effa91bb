#include "contact/engine/gap.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/select.hpp"
#include "base/tolerances.hpp"
#include "contact/engine/axes.hpp"

namespace broadside::inline v0_2::detail {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Sets the normal and the features of a gap for the face of largest separation of a core.
void meet_at_axis(bool on_b, const Axis& axis, const Convex& core, const Convex& other, Gap& gap) {
  const Face f = face(core, axis.face);
  meet_at_face(on_b, axis.face, deepest_corner(f, other),
               (1.0 / std::sqrt(dot(f.normal, f.normal))) * f.normal, gap);
}

/// Returns whether a face of `core` has all of the other core in front of it: the verdict `apart` of
/// `find_max_separation_axis`, without roots.
bool has_outside(const Convex& core, const Convex& other) {
  for (std::size_t i = 0; i < faces(core); ++i) {
    if (min_separation(face(core, i), other) > 0.0) {
      return true;
    }
  }
  return false;
}

/// Returns the support point of the difference in the direction of a face.
CornerPair pair_at_face(const Convex& core, const Convex& other, std::size_t index, bool on_b) {
  const std::size_t own = is_edge(core, index) ? index : end_corner(index);
  const std::size_t its = deepest_corner(face(core, index), other);
  return on_b ? CornerPair{its, own} : CornerPair{own, its};
}

/// The closest corner and edge, or corner and corner, of two cores that are apart. Points are computed only
/// for the final one.
struct Closest {
  double distance2 = infinity;
  double inner = 0.0;        ///< edge cross vector to the corner; if an edge takes part
  double along = 0.0;        ///< edge dot vector to the corner; if an edge takes part
  double length2 = 0.0;      ///< of the edge; 0 for two corners
  std::size_t of_core = 0;   ///< index of the corner, or of the start of the edge
  std::size_t of_other = 0;  ///< index of the corner
  bool on_b = false;         ///< the edge belongs to b
};

/// The Minkowski difference of two cores. Its edges are those of a, and those of b reversed.
struct Difference {
  const Convex& a;
  const Convex& b;

  struct Edge {
    Point vector;
    bool on_b;
  };

  /// Returns the vector from a corner of the difference to the origin.
  [[nodiscard]] Point to_origin(CornerPair at) const { return b.points[at.of_b] - a.points[at.of_a]; }

  /// Returns the outgoing edge of a corner, counter-clockwise.
  [[nodiscard]] Edge leaving(CornerPair at, Point origin) const {
    return select(a.points[next(a, at.of_a)] - a.points[at.of_a],
                  b.points[at.of_b] - b.points[next(b, at.of_b)], origin, 1.0);
  }
  /// Returns the incoming edge of a corner.
  [[nodiscard]] Edge coming(CornerPair at, Point origin) const {
    return select(a.points[at.of_a] - a.points[previous(a, at.of_a)],
                  b.points[previous(b, at.of_b)] - b.points[at.of_b], origin, -1.0);
  }

  /// Selects one of two candidate edges: the one with the origin in front of it, else the one that turns
  /// less; if both are in line, as for segments, the one towards the origin.
  static Edge select(Point of_a, Point of_b, Point origin, double sign) {
    const bool is_outside_a = cross(of_a, origin) < 0.0;
    const bool is_outside_b = cross(of_b, origin) < 0.0;
    const double turn = sign * cross(of_a, of_b);
    const bool on_b = is_outside_a != is_outside_b ? is_outside_b
                      : turn != 0.0                ? turn < 0.0
                                                   : sign * dot(of_b, origin) > sign * dot(of_a, origin);
    return {on_b ? of_b : of_a, on_b};
  }
};

/// Returns the closest features if the closest point is on an edge that starts at a corner of the difference.
Closest closest_on_edge(CornerPair at, const Difference::Edge& edge, Point origin, double along) {
  const double inner = cross(edge.vector, origin);
  const double length2 = dot(edge.vector, edge.vector);
  return {inner * inner / length2,       inner,    along, length2, edge.on_b ? at.of_b : at.of_a,
          edge.on_b ? at.of_a : at.of_b, edge.on_b};
}

Closest closest_at_corner(CornerPair at, Point origin) {
  return {dot(origin, origin), 0.0, 0.0, 0.0, at.of_a, at.of_b, false};
}

/// Walks around the difference of two cores to its point closest to the origin. The start must be the support
/// point of a direction in which the origin is further out: from there the distance decreases.
///
/// @par Complexity
/// O(n + m) steps, most often one or two.
/// @par Source
/// Ours; the difference: L. J. Guibas, R. Seidel, Computing convolutions by reciprocal search, 1987.
Closest find_closest(const Convex& a, const Convex& b, CornerPair at) {
  const Difference difference{a, b};
  const std::size_t max_steps = a.size + b.size;
  Point origin = difference.to_origin(at);
  for (std::size_t step = 0; step < max_steps; ++step) {
    const Difference::Edge edge = difference.leaving(at, origin);
    const double along = dot(edge.vector, origin);
    if (along <= 0.0) {
      if (step > 0) {
        return closest_at_corner(at, origin);
      }
      break;
    }
    if (along < dot(edge.vector, edge.vector)) {
      return closest_on_edge(at, edge, origin, along);
    }
    at = edge.on_b ? CornerPair{at.of_a, next(b, at.of_b)} : CornerPair{next(a, at.of_a), at.of_b};
    origin = difference.to_origin(at);
  }
  for (std::size_t step = 0; step < max_steps; ++step) {
    const Difference::Edge edge = difference.coming(at, origin);
    if (dot(edge.vector, origin) >= 0.0) {
      break;
    }
    at = edge.on_b ? CornerPair{at.of_a, previous(b, at.of_b)} : CornerPair{previous(a, at.of_a), at.of_b};
    origin = difference.to_origin(at);
    if (const double along = dot(edge.vector, origin); along > 0.0) {
      return closest_on_edge(at, edge, origin, along);
    }
  }
  return closest_at_corner(at, origin);
}

/// Of the two opposite edges of a segment, which are equally close, selects the one that faces the other
/// core.
Closest facing_side(Closest closest, const Convex& core) {
  if (core.size == 2 && closest.inner > 0.0) {
    closest.of_core = 1 - closest.of_core;
    closest.along = closest.length2 - closest.along;
    closest.inner = -closest.inner;
  }
  return closest;
}

/// Tests all corners and edges instead: if two cores are apart by rounding only, the walk may start uphill
/// and end anywhere. Complexity: O(n m).
Closest find_closest_of_all(const Convex& a, const Convex& b) {
  const Difference difference{a, b};
  Closest closest;
  for (CornerPair at; at.of_a < a.size; ++at.of_a) {
    for (at.of_b = 0; at.of_b < b.size; ++at.of_b) {
      const Point origin = difference.to_origin(at);
      const auto take = [&](const Closest& found) {
        if (found.distance2 < closest.distance2) {
          closest = found;
        }
      };
      take(closest_at_corner(at, origin));
      for (const Difference::Edge& edge :
           {Difference::Edge{a.points[next(a, at.of_a)] - a.points[at.of_a], false},
            Difference::Edge{b.points[at.of_b] - b.points[next(b, at.of_b)], true}}) {
        const double along = dot(edge.vector, origin);
        if (along > 0.0 && along < dot(edge.vector, edge.vector)) {
          take(facing_side(closest_on_edge(at, edge, origin, along), edge.on_b ? b : a));
        }
      }
    }
  }
  return closest;
}

/// Fills in the distance and the closest points of two cores that are apart; if an edge takes part, the
/// normal and the features as well.
void meet_closest(const Convex& a, const Convex& b, const Closest& closest, Gap& gap) {
  const double radius = a.radius + b.radius;
  const Convex& core = closest.on_b ? b : a;
  const Convex& other = closest.on_b ? a : b;
  const Point start{core.points[closest.of_core].x, core.points[closest.of_core].y};
  const Point on_other{other.points[closest.of_other].x, other.points[closest.of_other].y};
  gap.apart = true;
  gap.distance = std::sqrt(closest.distance2);
  Point on_core = start;
  if (closest.length2 > 0.0) {
    const Point edge = core.points[next(core, closest.of_core)] - start;
    on_core = start + (closest.along / closest.length2) * edge;
    gap.touching = closest.inner * closest.inner <= radius * radius * closest.length2;
    meet_at_face(closest.on_b, closest.of_core, closest.of_other,
                 (1.0 / std::sqrt(closest.length2)) * Point{edge.y, -edge.x}, gap);
  } else {
    gap.touching = closest.distance2 <= radius * radius;
  }
  gap.point_a = select(closest.on_b, on_core, on_other);
  gap.point_b = select(closest.on_b, on_other, on_core);
}

/// @pre no edge takes part
void meet_at_corners(const Closest& closest, Gap& gap) {
  gap.of_a = closest.of_core;
  gap.of_b = closest.of_other;
  if (gap.distance > 0.0) {
    gap.normal = (1.0 / gap.distance) * (gap.point_b - gap.point_a);
  }
}

/// Does what `find_gap` does if neither is a point. All returns name the same object, so it is not copied
/// (NRVO).
Gap find_gap_of_edges(const Convex& a, const Convex& b, Effort effort) {
  Gap gap;
  if (a.size == 2 && b.size == 2) {
    if (find_line_gap(a, b, effort, gap)) {
      return gap;
    }
    gap = {};
  }
  const double radius = a.radius + b.radius;
  const double slack = face_slack * std::min(rough_size(a), rough_size(b));
  const bool for_touching = effort == Effort::touching;
  // For `touching`, a separation above both radii ends the search. For a distance it never does.
  const double max_distance = for_touching ? radius : std::numeric_limits<double>::infinity();
  // Between a polygon and a box or a line, a face of the polygon is the most likely separating axis.
  const bool b_first = a.inverse_length == nullptr && b.inverse_length != nullptr;
  const Convex& one = b_first ? b : a;
  const Convex& two = b_first ? a : b;
  const Axis axis_one = find_max_separation_axis(one, two, max_distance, slack);
  if (axis_one.verdict == Verdict::far) {
    return gap;
  }
  // Within rounding, the axis of the other core may be the separating one.
  if (!for_touching && axis_one.separation > clear_of_rounding * (reach(a) + reach(b))) {
    const Closest closest = find_closest(a, b, pair_at_face(one, two, axis_one.face, b_first));
    meet_closest(a, b, closest, gap);
    if (closest.length2 == 0.0) {
      meet_at_corners(closest, gap);
    }
    return gap;
  }
  const Axis axis_two = find_max_separation_axis(two, one, max_distance, slack);
  if (axis_two.verdict == Verdict::far) {
    return gap;
  }
  const Axis& axis_a = b_first ? axis_two : axis_one;
  const Axis& axis_b = b_first ? axis_one : axis_two;
  const bool on_b = axis_b.separation > axis_a.separation + slack;
  const Axis& axis = on_b ? axis_b : axis_a;
  const Convex& core = on_b ? b : a;
  const Convex& other = on_b ? a : b;
  // The chosen axis is within the slack of the best one, so it need not separate the cores. Nor need, within
  // rounding, an axis whose verdict is `apart`: `has_outside` decides without roots.
  const bool is_any_apart = axis_a.verdict == Verdict::apart || axis_b.verdict == Verdict::apart;
  const bool are_apart = axis.separation > 0.0 || (is_any_apart && (has_outside(a, b) || has_outside(b, a)));
  if (!are_apart) {
    gap.touching = true;
    gap.distance = axis.separation;
    meet_at_axis(on_b, axis, core, other, gap);
    return gap;
  }
  const bool is_sure = axis.separation > clear_of_rounding * (reach(a) + reach(b));
  const Closest closest =
      is_sure ? find_closest(a, b, pair_at_face(core, other, axis.face, on_b)) : find_closest_of_all(a, b);
  meet_closest(a, b, closest, gap);
  if (closest.length2 > 0.0) {
    return gap;
  }
  if (for_touching && is_edge(core, axis.face) && axis.separation >= straight * gap.distance) {
    meet_at_axis(on_b, axis, core, other, gap);
  } else {
    meet_at_corners(closest, gap);
  }
  return gap;
}

}  // namespace

Gap find_gap(const Convex& a, const Convex& b, Effort effort) {
  return a.size == 1 || b.size == 1 ? find_point_gap(a, b, effort) : find_gap_of_edges(a, b, effort);
}

const Convex& make_well_conditioned(const Convex& core, std::optional<Convex>& scratch) {
  const auto is_corner = [](Point before, Point at, Point after) {
    const Point in = at - before;
    const Point out = after - at;
    const double turn = cross(in, out);
    return turn > 0.0 && turn * turn > min_sine * min_sine * dot(in, in) * dot(out, out);
  };
  // Returns the index of a corner to remove; the size if there is none.
  const auto find_flattest = [&](const Convex& c) {
    std::size_t flattest = c.size;
    double smallest = infinity;
    for (std::size_t i = 0; i < c.size && c.size > 2; ++i) {
      const Point before = c.points[previous(c, i)];
      const Point after = c.points[next(c, i)];
      if (is_corner(before, c.points[i], after)) {
        continue;
      }
      // Negative between the neighbors, 0 on one, positive at an end.
      const double product = dot(before - c.points[i], after - c.points[i]);
      if (product < smallest) {
        smallest = product;
        flattest = i;
      }
    }
    return flattest;
  };
  std::size_t flattest = find_flattest(core);
  if (flattest == core.size) {
    return core;
  }

  Convex& left = scratch.emplace(core);
  left.is_rectangle = false;
  assert(left.inverse_length == nullptr);  // only well-conditioned cores have lengths
  // The two ends of a needle fail the test as well, but must stay. Removes a corner that lies between its
  // neighbors, or on one of them. Of two equal points, one is removed before any other corner, so that the
  // remaining ones are never all equal.
  for (; flattest < left.size; flattest = find_flattest(left)) {
    const auto at = left.points.begin() + static_cast<std::ptrdiff_t>(flattest);
    std::copy(at + 1, left.points.begin() + static_cast<std::ptrdiff_t>(left.size), at);
    --left.size;
  }
  return left;
}

double compute_reach(const Convex& shape) {
  double largest = 0.0;
  for (std::size_t i = 0; i < shape.size; ++i) {
    largest = std::max(largest, length_along_axes(shape.points[i]));
  }
  return shape.size > 0 ? largest + shape.radius : std::numeric_limits<double>::quiet_NaN();
}

double compute_extent(const Convex& shape) {
  double largest = 0.0;
  for (std::size_t i = 1; i < shape.size; ++i) {
    largest = std::max(largest, length_along_axes(shape.points[i] - shape.points[0]));
  }
  return largest + shape.radius;
}

}  // namespace broadside::inline v0_2::detail
