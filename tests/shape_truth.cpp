#include "shape_truth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

}  // namespace broadside::test
