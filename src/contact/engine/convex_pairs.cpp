#include "contact/engine/convex_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "base/select.hpp"
#include "base/tolerances.hpp"
#include "contact/engine/gap.hpp"
#include "contact/feature.hpp"

namespace broadside::inline v0_2::detail {

namespace {

/// The two shapes as reference and incident shape: `core` has the reference face.
struct ReferenceFace {
  ReferenceFace(const Gap& gap, const Convex& a, const Convex& b)
      : on_b(gap.meeting == Meeting::face_of_b),
        core(on_b ? b : a),
        other(on_b ? a : b),
        face_index(on_b ? gap.of_b : gap.of_a),
        corner(on_b ? gap.of_a : gap.of_b),
        outward(on_b ? -1.0 * gap.normal : gap.normal) {}

  bool on_b;
  const Convex& core;
  const Convex& other;
  std::size_t face_index;
  std::size_t corner;
  Point outward;
};

/// The part of a core that is left after cuts.
struct Corners {
  std::array<Point, 2 * Polygon::max_vertices> points;
  std::size_t size = 0;

  void add(Point p) {
    if (size < points.size()) {
      points[size++] = p;
    }
  }
};

/// Cuts a core by a face: leaves the part behind it, or the deepest corner if there is none.
void cut(const Corners& core, const Face& f, double rounding, Corners& left) {
  const double tolerance = rounding * std::sqrt(dot(f.normal, f.normal));
  const auto out = [&](Point p) { return dot(f.normal, p - f.start) - tolerance; };
  left.size = 0;
  double out_p = out(core.points[0]);
  for (std::size_t k = 0; k < core.size; ++k) {
    const Point p = core.points[k];
    const Point q = core.points[k + 1 == core.size ? 0 : k + 1];
    const double out_q = out(q);
    if (out_p <= 0.0) {
      left.add(p);
    }
    if ((out_p < 0.0 && out_q > 0.0) || (out_p > 0.0 && out_q < 0.0)) {
      left.add(p + (out_p / (out_p - out_q)) * (q - p));
    }
    out_p = out_q;
  }
  if (left.size == 0) {
    const auto points = std::span(core.points).first(core.size);
    left.add(
        *std::min_element(points.begin(), points.end(), [&](Point p, Point q) { return out(p) < out(q); }));
  }
}

/// Returns the crossing point of two segments; nothing if an end of one may be on the line of the other.
std::optional<Point> crossing_point(const Convex& a, const Convex& b) {
  const Point start = a.points[0];
  const Point edge_a = a.points[1] - start;
  const Point edge_b = b.points[1] - b.points[0];
  const double left_start = cross(edge_b, start - b.points[0]);
  const double left_end = cross(edge_b, a.points[1] - b.points[0]);
  const double left_of_a = cross(edge_a, b.points[0] - start) * cross(edge_a, b.points[1] - start);
  if (left_start * left_end < 0.0 && left_of_a < 0.0) {
    return start + (left_start / (left_start - left_end)) * edge_a;
  }
  return std::nullopt;
}

/// Returns the midpoint of the part of a segment that is inside a core; nothing if rounding leaves none.
/// Source: M. Cyrus, J. Beck, Generalized two- and three-dimensional clipping, 1978.
std::optional<Point> clipped_midpoint(const Convex& segment, const Convex& core, double rounding) {
  const Point start{segment.points[0].x, segment.points[0].y};
  const Point edge = segment.points[1] - start;
  double first = 0.0;
  double last = 1.0;
  for (std::size_t i = 0; i < faces(core); ++i) {
    const Face f = face(core, i);
    const double out = dot(f.normal, start - f.start) - rounding * length_along_axes(f.normal);
    const double rate = dot(f.normal, edge);
    if (rate == 0.0 && out > 0.0) {
      return std::nullopt;
    }
    // Branch-free: whether the segment enters or leaves here cannot be predicted.
    const bool comes = rate < 0.0;
    const double time = rate == 0.0 ? 1.0 : -out / rate;
    first = larger(first, select(comes, 0.0, time));
    last = -larger(-last, -select(comes, time, 1.0));
  }
  return first <= last ? std::optional(start + (0.5 * (first + last)) * edge) : std::nullopt;
}

/// Returns a common point of two cores that are not apart: the centroid of the corners left of the one with
/// fewer corners when it is cut by the faces of the other.
Point common_point(const Convex& a, const Convex& b) {
  if (a.size > b.size) {
    return common_point(b, a);
  }
  if (a.size == 2 && b.size == 2) {
    if (const std::optional<Point> crossing = crossing_point(a, b)) {
      return *crossing;
    }
  }
  // A point that is further in front of a face is not just rounding.
  const double rounding = rounding_of_formula * (reach(a) + reach(b));
  if (a.size == 2) {
    if (const std::optional<Point> middle = clipped_midpoint(a, b, rounding)) {
      return *middle;
    }
  }
  // Each of the at most 16 faces adds at most one corner, except by rounding.
  std::array<Corners, 2> buffers;
  Corners* kept = &buffers[0];
  Corners* left = &buffers[1];
  kept->size = a.size;
  std::copy_n(a.points.begin(), a.size, kept->points.begin());
  for (std::size_t i = 0; i < faces(b); ++i) {
    cut(*kept, face(b, i), rounding, *left);
    std::swap(kept, left);
  }
  Point sum;
  for (std::size_t k = 0; k < kept->size; ++k) {
    sum = sum + kept->points[k];
  }
  return (1.0 / static_cast<double>(kept->size)) * sum;
}

/// Returns a common point of two cores that are not apart: the deepest corner if it is inside the other core.
Point common_point(const Gap& gap, const Convex& a, const Convex& b) {
  if (gap.meeting == Meeting::corners) {
    return a.points[0];
  }
  const ReferenceFace reference{gap, a, b};
  const Point corner = reference.other.points[reference.corner];
  bool is_inside = true;
  for (std::size_t i = 0; i < faces(reference.core); ++i) {
    const Face f = face(reference.core, i);
    is_inside = is_inside && dot(f.normal, corner - f.start) <= 0.0;
  }
  return is_inside ? corner : common_point(a, b);
}

/// Returns the incident edge: of the two edges at the deepest corner, the one that is most opposite to the
/// face.
std::size_t facing_edge(const ReferenceFace& reference) {
  const std::size_t before = reference.corner == 0 ? reference.other.size - 1 : reference.corner - 1;
  const Point first = face(reference.other, before).normal;
  const Point second = face(reference.other, reference.corner).normal;
  // Compares signed squares, to avoid roots.
  const auto signed_square = [&](Point normal) {
    const double against = -dot(normal, reference.outward);
    return against * std::abs(against);
  };
  return signed_square(first) * dot(second, second) > signed_square(second) * dot(first, first)
             ? before
             : reference.corner;
}

/// Clips the incident edge to the side planes of the face; sets the points of it that touch, and returns
/// their number.
///
///        other  ------o=========o------      the edge, from its end to its start
///                     |         |
///                     +---------+            the face, from 0 to its length
///
/// Source: E. Catto, Contact manifolds, 2007 (after I. E. Sutherland and G. W. Hodgman, Reentrant polygon
/// clipping, 1974).
std::uint32_t clip(const ReferenceFace& reference, std::array<ConvexPoint, 2>& touching) {
  const Face f = face(reference.core, reference.face_index);
  // The end of a segment is a face of length 0.
  const bool is_end = !is_edge(reference.core, reference.face_index);
  const double length = is_end ? 0.0 : std::sqrt(dot(f.normal, f.normal));
  const std::size_t face_start = is_end ? end_corner(reference.face_index) : reference.face_index;
  const std::size_t face_end = is_end ? face_start : next(reference.core, face_start);
  const std::size_t edge = facing_edge(reference);
  const std::size_t edge_end = next(reference.other, edge);
  const Point sideways{-reference.outward.y, reference.outward.x};
  const Point from = reference.other.points[edge_end] - f.start;
  const Point to = reference.other.points[edge] - f.start;
  const std::array along{dot(from, sideways), dot(to, sideways)};
  const std::array height{dot(from, reference.outward), dot(to, reference.outward)};
  if (!(along[0] < along[1]) || along[1] < 0.0 || along[0] > length) {
    return 0;
  }
  const double slope_width = along[1] - along[0];
  const double rise = height[1] - height[0];
  const auto point_at = [&](std::size_t end, bool is_cut, double cut_along, std::size_t face_corner,
                            std::size_t edge_corner) {
    const double at = is_cut ? cut_along : along[end];
    const double out = is_cut ? height[0] + ((cut_along - along[0]) / slope_width) * rise : height[end];
    const double between = 0.5 * (reference.core.radius - out - reference.other.radius);
    return ConvexPoint{((f.start + at * sideways) + out * reference.outward) + between * reference.outward,
                       out - reference.core.radius - reference.other.radius,
                       is_cut ? feature_at_face(reference.on_b, true, face_corner, edge)
                              : feature_at_face(reference.on_b, false, reference.face_index, edge_corner)};
  };
  const bool is_first_cut = along[0] < 0.0;
  const bool is_second_cut = length < along[1];
  const ConvexPoint first = point_at(0, is_first_cut, 0.0, face_start, edge_end);
  const ConvexPoint second = point_at(1, is_second_cut, length, face_end, edge);
  const bool is_line = (is_first_cut ? 0.0 : along[0]) < (is_second_cut ? length : along[1]);
  std::uint32_t size = 0;
  if (first.separation <= 0.0) {
    touching[size++] = first;
  }
  if (second.separation <= 0.0 && (is_line || size == 0)) {
    touching[size++] = second;
  }
  return size;
}

double deepest(const Gap& gap, const Convex& a, const Convex& b) {
  return std::min(gap.distance - a.radius - b.radius, 0.0);
}

/// Makes the single contact point of features along which no edge runs.
ConvexPoint single_contact(const Gap& gap, const Convex& a, const Convex& b) {
  if (gap.apart || gap.meeting == Meeting::corners) {
    const Point from = gap.apart ? gap.point_a : a.points[gap.of_a];
    const double between = 0.5 * (a.radius + gap.distance - b.radius);
    return {from + between * gap.normal, deepest(gap, a, b), feature(gap.meeting, gap.of_a, gap.of_b)};
  }
  const ReferenceFace reference{gap, a, b};
  const double between = 0.5 * (reference.core.radius - gap.distance - reference.other.radius);
  ConvexPoint contact{reference.other.points[reference.corner] + between * reference.outward,
                      gap.distance - reference.core.radius - reference.other.radius,
                      feature_at_face(reference.on_b, false, reference.face_index, reference.corner)};
  if (reference.other.size > 1) {
    // The deepest corner is beside the face, so halfway between the two is no contact point.
    contact.position = common_point(a, b);
  }
  return contact;
}

ConvexManifold make_manifold(const Gap& gap, const Convex& a, const Convex& b) {
  ConvexManifold manifold;
  manifold.normal = gap.normal;
  manifold.deepest = deepest(gap, a, b);
  if (gap.meeting != Meeting::corners) {
    const ReferenceFace reference{gap, a, b};
    if (reference.other.size > 1) {
      const std::uint32_t size = clip(reference, manifold.points);
      // No point is deeper than the deepest corner, except by rounding if one core is extremely large
      // relative to the other.
      const double lower_limit = manifold.deepest - clear_of_rounding * (reach(a) + reach(b));
      const auto touching = std::span(manifold.points).first(size);
      if (std::all_of(touching.begin(), touching.end(),
                      [&](const ConvexPoint& p) { return p.separation >= lower_limit; })) {
        manifold.size = size;
      }
    }
  }
  if (manifold.size == 0) {
    manifold.points[manifold.size++] = single_contact(gap, a, b);
  }
  return manifold;
}

}  // namespace

ConvexManifold collide(const Convex& a, const Convex& b) {
  const SoundPair ready{a, b};
  if (!ready.is_finite) {
    return {};
  }
  const Gap gap = find_gap(ready.a, ready.b, Effort::touching);
  return gap.touching ? make_manifold(gap, ready.a, ready.b) : ConvexManifold{};
}

ConvexDistance distance(const Convex& a, const Convex& b) {
  ConvexDistance found;
  const SoundPair ready{a, b};
  if (!ready.is_finite) {
    found.distance = std::numeric_limits<double>::infinity();
    found.normal = {1.0, 0.0};
    return found;
  }
  Gap gap = find_gap(ready.a, ready.b, Effort::distance);
  if (gap.apart && !gap.touching) {
    part(gap, a, b, found);
    return found;
  }
  Point common;
  if (gap.apart) {
    common = point_between(gap, a, b);
    // Where corners stand on a face, and within rounding of touching, the two efforts have other normals:
    // answer as `touch` does.
    gap = find_gap(ready.a, ready.b, Effort::touching);
  } else {
    gap.touching = true;
    common = common_point(gap, ready.a, ready.b);
  }
  return {0.0, common, common, gap.normal, gap.touching, deepest(gap, ready.a, ready.b)};
}

}  // namespace broadside::inline v0_2::detail
