#include "body/convex.hpp"

#include <hwy/base.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "base/tolerances.hpp"
#include "body/polygon_access.hpp"

namespace broadside::inline v0_2::detail {

namespace {

Point placed_at(const Transform& transform, Vec2 local, Point anchor) {
  return rotate(transform.rotation, to_point(local)) + (to_point(transform.position) - anchor);
}

// A number that is not finite shows in the sum of the lengths, which are computed from all of them: one test
// replaces one per number.
constexpr double infinity = std::numeric_limits<double>::infinity();

HWY_INLINE void place_line(Vec2 a, Vec2 b, double radius, const Transform& transform, Point anchor,
                           Convex& placed) {
  const Point start = placed_at(transform, a, anchor);
  const Point end = placed_at(transform, b, anchor);
  const double length_start = length_along_axes(start);
  const double length_end = length_along_axes(end);
  placed.points[0] = start;
  placed.points[1] = end;
  placed.radius = radius;
  placed.is_well_conditioned =
      length_start + length_end + radius < infinity && radius >= 0.0 && is_unit(transform.rotation);
  if (placed.is_well_conditioned) {
    placed.size = start == end ? 1 : 2;
    placed.reach = std::max(length_start, length_end) + radius;
    placed.extent = length_along_axes(end - start) + radius;
  }
}

/// Returns the squared distance of the origin from a segment, times `length2`, its squared length.
double distance2_from_line(Point a, Point edge, double length2) {
  const double along = -dot(a, edge);
  if (along <= 0.0) {
    return dot(a, a) * length2;
  }
  if (along >= length2) {
    const Point b = a + edge;
    return dot(b, b) * length2;
  }
  const double area = cross(edge, a);
  return area * area;
}

// `place` for each kind of shape.

void place_shape(const Circle& shape, const Transform& transform, Point anchor, Convex& placed) {
  placed.points[0] = placed_at(transform, shape.center, anchor);
  placed.is_well_conditioned = is_valid(shape) && is_valid(transform);
  placed.size = placed.is_well_conditioned ? 1 : 0;
  placed.radius = static_cast<double>(shape.radius);
  if (placed.is_well_conditioned) {
    placed.reach = length_along_axes(placed.points[0]) + placed.radius;
    placed.extent = placed.radius;
  }
}

void place_shape(const Box& shape, const Transform& transform, Point anchor, Convex& placed) {
  const auto half_x = static_cast<double>(shape.half_size.x);
  const auto half_y = static_cast<double>(shape.half_size.y);
  const Point center = placed_at(transform, shape.center, anchor);
  const double reach = length_along_axes(center) + max_rotation_stretch * (half_x + half_y);
  placed.is_well_conditioned = reach < infinity && half_x >= 0.0 && half_y >= 0.0 &&
                               is_unit(shape.rotation) && is_unit(transform.rotation);
  if (!placed.is_well_conditioned) {
    return;
  }
  const Point axis = rotate(
      transform.rotation, {static_cast<double>(shape.rotation.cos), static_cast<double>(shape.rotation.sin)});
  const Point right = half_x * axis;
  const Point up = half_y * Point{-axis.y, axis.x};

  placed.reach = reach;
  placed.extent = 2.0 * (half_x + half_y);
  const Point min_half{thinnest * std::fabs(center.x), thinnest * std::fabs(center.y)};
  const bool wide = (half_x > min_half.x) & (half_x > min_half.y) & (half_x > thinnest * half_y);
  const bool high = (half_y > min_half.x) & (half_y > min_half.y) & (half_y > thinnest * half_x);
  if (wide && high) {
    placed.points[0] = center - right - up;
    placed.points[1] = center + right - up;
    placed.points[2] = center + right + up;
    placed.points[3] = center - right + up;
    placed.size = 4;
    placed.is_rectangle = true;
  } else if (wide || high) {
    const Point half = wide ? right : up;
    placed.points[0] = center - half;
    placed.points[1] = center + half;
    placed.size = 2;
  } else {
    placed.points[0] = center;
    placed.size = 1;
  }
}

void place_shape(const Capsule& shape, const Transform& transform, Point anchor, Convex& placed) {
  place_line(shape.a, shape.b, static_cast<double>(shape.radius), transform, anchor, placed);
}

void place_shape(const Segment& shape, const Transform& transform, Point anchor, Convex& placed) {
  place_line(shape.a, shape.b, 0.0, transform, anchor, placed);
}

void place_shape(const Polygon& shape, const Transform& transform, Point anchor, Convex& placed) {
  placed.radius = static_cast<double>(shape.radius());
  if (!is_valid(transform)) {
    return;
  }
  const Point offset = to_point(transform.position) - anchor;
  const auto& data = PolygonAccess::data(shape);
  placed.reach = length_along_axes(offset) + max_rotation_stretch * data.reach + placed.radius;
  placed.extent = data.extent + placed.radius;
  placed.size = data.size;
  for (std::size_t i = 0; i < data.size; ++i) {
    placed.points[i] = rotate(transform.rotation, to_point(data.vertices[i])) + offset;
  }
  if (length_along_axes(offset) <= data.well_conditioned_within) {
    const auto c = static_cast<double>(transform.rotation.cos);
    const auto s = static_cast<double>(transform.rotation.sin);
    placed.inverse_length = data.inverse_length.data();
    placed.inverse_stretch = 1.0 / std::sqrt(c * c + s * s);
    placed.is_well_conditioned = true;
  } else {
    // Far from the anchor corners may coincide: an edge of length 0 has no direction.
    merge_equal_corners(placed);
  }
}

/// A mask has no core.
void place_shape(const Mask& /*shape*/, const Transform& /*transform*/, Point /*anchor*/,
                 Convex& /*placed*/) {}

}  // namespace

void place(const Shape& shape, const Transform& transform, Point anchor, Convex& placed) {
  std::visit([&](const auto& s) { place_shape(s, transform, anchor, placed); }, shape);
}

bool contains(const Convex& shape, Point point, double radius) {
  if (shape.size == 1) {
    const Point to = shape.points[0] - point;
    return dot(to, to) <= radius * radius;
  }
  bool inside = shape.size > 2;
  for (std::size_t i = 0; i < shape.size; ++i) {
    const Point a = shape.points[i] - point;
    const Point edge = shape.points[next(shape, i)] - shape.points[i];
    const double length2 = dot(edge, edge);
    if (distance2_from_line(a, edge, length2) <= radius * radius * length2) {
      return true;
    }
    inside = inside && cross(a, edge) >= 0.0;
  }
  return inside;
}

}  // namespace broadside::inline v0_2::detail
