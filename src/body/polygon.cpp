#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/rounding.hpp"
#include "body/convex.hpp"
#include "body/polygon_access.hpp"
#include "broadside/body/shape.hpp"

namespace broadside::inline v0_2 {

namespace {

using detail::Point;
using detail::to_point;

bool left_then_low(Vec2 a, Vec2 b) {
  return a.x < b.x || (a.x == b.x && a.y < b.y);
}

/// Returns twice the signed area of a triangle, above 0 if it is counter-clockwise.
double orientation(Vec2 a, Vec2 b, Vec2 c) {
  return cross(to_point(b) - to_point(a), to_point(c) - to_point(a));
}

/// Appends the corners of one side of the hull to `chain`, except the last point: the other side has it.
template <typename Iterator>
void append_side(Iterator first, Iterator last, std::vector<Vec2>& chain) {
  const std::size_t start = chain.size();
  for (; first != last; ++first) {
    while (chain.size() >= start + 2 && orientation(chain[chain.size() - 2], chain.back(), *first) <= 0.0) {
      chain.pop_back();
    }
    chain.push_back(*first);
  }
  chain.pop_back();
}

/// Tells whether b is no further than `tolerance` from the segment from a to c.
bool is_flat(Vec2 a, Vec2 b, Vec2 c, double tolerance) {
  const Point chord = to_point(c) - to_point(a);
  const Point from_a = to_point(b) - to_point(a);
  const double along = dot(chord, from_a);
  const double length2 = dot(chord, chord);
  if (along < 0.0 || along > length2) {  // the tip of a needle
    const Point beyond = along < 0.0 ? from_a : to_point(b) - to_point(c);
    return dot(beyond, beyond) <= tolerance * tolerance;
  }
  const double area = cross(chord, from_a);
  return area * area <= tolerance * tolerance * length2;
}

/// Drops corners that bend by no more than rounding. Never drops two neighbors in one round: a round moves
/// the outline by at most the tolerance, and rounds are few, since each doubles the spacing of the corners.
void drop_flat_corners(std::vector<Vec2>& corners, double tolerance) {
  std::vector<Vec2> kept;
  do {
    kept.clear();
    bool is_dropped = false;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Vec2 before = corners[(i + corners.size() - 1) % corners.size()];
      const Vec2 after = corners[(i + 1) % corners.size()];
      const bool first_was_dropped = i + 1 == corners.size() && !kept.empty() && kept.front() != corners[0];
      is_dropped = !is_dropped && !first_was_dropped && is_flat(before, corners[i], after, tolerance);
      if (!is_dropped) {
        kept.push_back(corners[i]);
      }
    }
    corners.swap(kept);
  } while (corners.size() > 2 && corners.size() < kept.size());
}

/// Returns the largest distance from the anchor at which rounding in double cannot change the sense of any
/// corner; negative if there is none.
double well_conditioned_distance(const std::vector<Vec2>& corners) {
  // Placing moves a corner by a few times 2^-53 of the lengths involved; 2^-46 leaves a margin.
  constexpr double relative_margin = 0x1p46;
  double within = std::numeric_limits<double>::infinity();
  double reach = 0.0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point at = to_point(corners[i]);
    const Point in = at - to_point(corners[(i + corners.size() - 1) % corners.size()]);
    const Point out = to_point(corners[(i + 1) % corners.size()]) - at;
    const double lengths = length(in) + length(out);
    const double area = cross(in, out);
    // Above 0, except perhaps at the tip of a needle: then the polygon is well conditioned nowhere.
    within = std::min(within, relative_margin * area / lengths);
    reach = std::max(reach, length_along_axes(at));
  }
  return within - reach;
}

}  // namespace

Result<Polygon> Polygon::hull(std::span<const Vec2> points, float radius) {
  if (!is_finite(radius)) {
    return Error{ErrorCode::not_finite, "polygon: the radius must be a finite number"};
  }
  if (radius < 0.0F) {
    return Error{ErrorCode::invalid_argument, "polygon: the radius must be 0 or more"};
  }
  std::vector<Vec2> sorted;
  sorted.reserve(points.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_finite(points[i].x) || !is_finite(points[i].y)) {
      return Error{ErrorCode::not_finite,
                   "polygon: point " + std::to_string(i) + " must be two finite numbers"};
    }
    sorted.push_back(points[i] + Vec2{});  // turns -0 into 0, so that equal polygons have equal bits
    const Point p = to_point(points[i]);
    largest = std::max({largest, std::fabs(p.x), std::fabs(p.y)});
  }
  std::sort(sorted.begin(), sorted.end(), left_then_low);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());

  std::vector<Vec2> corners;
  if (sorted.size() > 2) {
    append_side(sorted.begin(), sorted.end(), corners);
    append_side(sorted.rbegin(), sorted.rend(), corners);
    drop_flat_corners(corners, 0x1p-24 * largest);
  }
  if (corners.size() < 3) {
    return Error{ErrorCode::invalid_argument,
                 "polygon: the points span no area; at least three that are not on one line are needed"};
  }
  if (corners.size() > max_vertices) {
    return Error{ErrorCode::invalid_argument, "polygon: the hull has " + std::to_string(corners.size()) +
                                                  " corners; the most is " + std::to_string(max_vertices)};
  }
  std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end(), left_then_low),
              corners.end());

  auto data = std::make_shared<detail::PolygonData>();
  data->size = corners.size();
  data->radius = radius + 0.0F;
  data->well_conditioned_within = well_conditioned_distance(corners);
  for (std::size_t i = 0; i < max_vertices; ++i) {
    const std::size_t at = std::min(i, corners.size() - 1);
    const Vec2 start = corners[at];
    const Vec2 end = corners[(at + 1) % corners.size()];
    data->vertices[i] = start;
    const Point edge = to_point(end) - to_point(start);
    const double length = std::sqrt(dot(edge, edge));
    data->inverse_length[i] = 1.0 / length;
    data->shortest = i == 0 ? length : std::min(data->shortest, length);
  }
  for (std::size_t i = 0; i < data->around.size(); ++i) {
    const Point corner = to_point(corners[(i + corners.size() - 1) % corners.size()]);
    data->around[i] = {corner.x, corner.y};
  }
  for (detail::FaceLanes& lanes : data->faces) {
    lanes.offset.fill(std::numeric_limits<float>::max());
  }
  for (std::size_t i = 0; i < corners.size(); ++i) {
    data->largest = std::max({data->largest, std::fabs(corners[i].x), std::fabs(corners[i].y)});
    data->reach = std::max(data->reach, length_along_axes(to_point(corners[i])));
    data->extent = std::max(data->extent, length_along_axes(to_point(corners[i]) - to_point(corners[0])));
    const Point edge = to_point(corners[(i + 1) % corners.size()]) - to_point(corners[i]);
    const double length = std::sqrt(dot(edge, edge));
    data->normals[i] = {static_cast<float>(edge.y / length), static_cast<float>(0.0 - edge.x / length)};
    detail::FaceLanes& lanes = data->faces[i / detail::FaceLanes::size];
    const std::size_t lane = i % detail::FaceLanes::size;
    lanes.x[lane] = data->normals[i].x;
    lanes.y[lane] = data->normals[i].y;
    lanes.offset[lane] = detail::to_float(dot(to_point(data->normals[i]), to_point(corners[i])));
  }
  return Polygon(std::move(data));
}

bool operator==(const Polygon& a, const Polygon& b) {
  return a.data_ == b.data_ ||
         (a.radius() == b.radius() &&
          std::equal(a.vertices().begin(), a.vertices().end(), b.vertices().begin(), b.vertices().end()));
}

}  // namespace broadside::inline v0_2
