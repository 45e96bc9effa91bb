#include "shape_truth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace broadside::test {

namespace {

TruePoint turned(Rotation rotation, TruePoint p) {
  const long double c = rotation.cos;
  const long double s = rotation.sin;
  return {c * p.x - s * p.y, s * p.x + c * p.y};
}

long double distance_from_segment(TruePoint a, TruePoint b, TruePoint point) {
  const long double edge_x = b.x - a.x;
  const long double edge_y = b.y - a.y;
  const long double length = std::hypot(edge_x, edge_y);
  if (length == 0) {
    return std::hypot(point.x - a.x, point.y - a.y);
  }
  const long double along = ((point.x - a.x) * edge_x + (point.y - a.y) * edge_y) / length / length;
  const long double share = std::clamp(along, 0.0L, 1.0L);
  return std::hypot(point.x - (a.x + share * edge_x), point.y - (a.y + share * edge_y));
}

std::vector<TruePoint> local_corners(const Circle& circle) {
  return {{circle.center.x, circle.center.y}};
}

std::vector<TruePoint> local_corners(const Box& box) {
  std::vector<TruePoint> corners;
  for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
    const TruePoint corner = turned(box.rotation, {static_cast<long double>(x) * box.half_size.x,
                                                   static_cast<long double>(y) * box.half_size.y});
    corners.push_back({corner.x + box.center.x, corner.y + box.center.y});
  }
  return corners;
}

std::vector<TruePoint> local_corners(const Capsule& capsule) {
  return {{capsule.a.x, capsule.a.y}, {capsule.b.x, capsule.b.y}};
}

std::vector<TruePoint> local_corners(const Segment& segment) {
  return {{segment.a.x, segment.a.y}, {segment.b.x, segment.b.y}};
}

std::vector<TruePoint> local_corners(const Polygon& polygon) {
  std::vector<TruePoint> corners;
  for (const Vec2 vertex : polygon.vertices()) {
    corners.push_back({vertex.x, vertex.y});
  }
  return corners;
}

std::vector<TruePoint> local_corners(const Mask&) {
  return {};
}

long double radius_of(const Shape& shape) {
  if (const auto* circle = std::get_if<Circle>(&shape)) {
    return circle->radius;
  }
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    return capsule->radius;
  }
  const auto* polygon = std::get_if<Polygon>(&shape);
  return polygon == nullptr ? 0.0L : polygon->radius();
}

}  // namespace

long double TrueShape::distance_from_corners(TruePoint point) const {
  long double nearest = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    nearest = std::min(nearest, distance_from_segment(corners[i], corners[(i + 1) % corners.size()], point));
  }
  return nearest;
}

bool TrueShape::within_corners(TruePoint point) const {
  bool odd = false;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const TruePoint a = corners[i];
    const TruePoint b = corners[(i + 1) % corners.size()];
    if ((a.y > point.y) != (b.y > point.y) && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)) {
      odd = !odd;
    }
  }
  return odd;
}

long double TrueShape::distance(TruePoint point) const {
  return within_corners(point) ? 0.0L : std::max(0.0L, distance_from_corners(point) - radius);
}

long double TrueShape::depth(TruePoint point) const {
  const long double from_edge = distance_from_corners(point);
  return within_corners(point) ? from_edge + radius : std::max(0.0L, radius - from_edge);
}

long double TrueShape::reach() const {
  long double largest = radius;
  for (const TruePoint corner : corners) {
    largest = std::max({largest, std::fabs(corner.x) + radius, std::fabs(corner.y) + radius});
  }
  return largest;
}

TrueShape truth_of(const Shape& shape, const Transform& at) {
  TrueShape truth{std::visit([](const auto& s) { return local_corners(s); }, shape), radius_of(shape)};
  for (TruePoint& corner : truth.corners) {
    const TruePoint p = turned(at.rotation, corner);
    corner = {p.x + at.position.x, p.y + at.position.y};
  }
  return truth;
}

std::vector<TrueShape> true_parts(const Shape& shape, const Transform& at) {
  const auto* mask = std::get_if<Mask>(&shape);
  if (mask == nullptr) {
    return {truth_of(shape, at)};
  }
  std::vector<TrueShape> parts;
  const long double size = mask->pixel_size();
  const TruePoint origin{mask->origin().x, mask->origin().y};
  for (std::uint32_t row = 0; row < mask->height(); ++row) {
    for (std::uint32_t column = 0; column < mask->width(); ++column) {
      if (!mask->at(column, row)) {
        continue;
      }
      const std::uint32_t first = column;
      while (mask->at(column + 1, row)) {
        ++column;
      }
      TrueShape box;
      for (const auto& [x, y] :
           {std::pair{first, row}, {column + 1, row}, {column + 1, row + 1}, {first, row + 1}}) {
        const TruePoint p = turned(at.rotation, {origin.x + size * static_cast<long double>(x),
                                                 origin.y + size * static_cast<long double>(y)});
        box.corners.push_back({p.x + at.position.x, p.y + at.position.y});
      }
      parts.push_back(std::move(box));
    }
  }
  return parts;
}

namespace {

/// Returns the separation of a and b along an axis of any length (0: minus infinity).
long double separation_along(TruePoint axis, const TrueShape& a, const TrueShape& b) {
  const long double length = std::sqrt(axis.x * axis.x + axis.y * axis.y);
  constexpr long double infinity = std::numeric_limits<long double>::infinity();
  if (length == 0) {
    return -infinity;
  }
  const TruePoint from = a.corners.front();  // differences are small and exact, also far from the origin
  const auto along = [&](TruePoint p) { return axis.x * (p.x - from.x) + axis.y * (p.y - from.y); };
  long double front = -infinity;
  long double nearest = infinity;
  for (const TruePoint p : a.corners) {
    front = std::max(front, along(p));
  }
  for (const TruePoint p : b.corners) {
    nearest = std::min(nearest, along(p));
  }
  return (nearest - front) / length;
}

/// Returns the largest separation along the normals of the edges of `a`, in both directions.
long double separation_by_edges(const TrueShape& a, const TrueShape& b) {
  long double separation = -std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; a.corners.size() > 1 && i < a.corners.size(); ++i) {
    const TruePoint p = a.corners[i];
    const TruePoint q = a.corners[(i + 1) % a.corners.size()];
    const TruePoint normal{q.y - p.y, p.x - q.x};
    separation = std::max(
        {separation, separation_along(normal, a, b), separation_along({-normal.x, -normal.y}, a, b)});
  }
  return separation;
}

bool has_area(const TrueShape& shape) {
  const TruePoint p = shape.corners.front();
  const auto cross = [&](TruePoint q, TruePoint r) {
    return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  };
  for (std::size_t i = 2; i < shape.corners.size(); ++i) {
    if (cross(shape.corners[i - 1], shape.corners[i]) != 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

long double gap(const TrueShape& a, const TrueShape& b) {
  long double apart = std::max(separation_by_edges(a, b), separation_by_edges(b, a));
  if (apart > 0 || !(has_area(a) || has_area(b))) {
    bool is_shared = false;
    for (const TruePoint p : a.corners) {
      for (const TruePoint q : b.corners) {
        const TruePoint axis{q.x - p.x, q.y - p.y};
        is_shared = is_shared || (axis.x == 0 && axis.y == 0);
        apart = std::max(apart, separation_along(axis, a, b));
      }
    }
    apart = is_shared ? std::max(apart, 0.0L) : apart;  // two points have no axis
  }
  return apart - a.radius - b.radius;
}

}  // namespace broadside::test
