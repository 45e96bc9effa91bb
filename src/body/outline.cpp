#include "broadside/body/outline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace broadside {

namespace {

constexpr double turn = 6.283185307179586;

DrawPoint operator+(DrawPoint a, DrawPoint b) {
  return {a.x + b.x, a.y + b.y};
}
DrawPoint operator*(double s, DrawPoint a) {
  return {s * a.x, s * a.y};
}
DrawPoint as_point(Vec2 v) {
  return {v.x, v.y};
}
DrawPoint rotated(Rotation by, DrawPoint p) {
  return {by.cos * p.x - by.sin * p.y, by.sin * p.x + by.cos * p.y};
}

/// Returns how many chords approximate a whole circle to within a tenth of a pixel.
double chords(double radius_in_pixels) {
  return std::clamp(std::ceil(7.0 * std::sqrt(radius_in_pixels)), 8.0, 256.0);
}

/// Returns the outward unit normal of an edge of a counter-clockwise outline; {1, 0} for an edge of length 0.
DrawPoint normal_of(DrawPoint from, DrawPoint to) {
  const double x = to.x - from.x;
  const double y = to.y - from.y;
  const double length = std::hypot(x, y);
  return length > 0.0 ? DrawPoint{y / length, -x / length} : DrawPoint{1.0, 0.0};
}

/// Returns the outline at a distance `radius` around corners [n], counter-clockwise: an arc at each.
std::vector<DrawPoint> rounded(std::span<const DrawPoint> corners, double radius, double scale) {
  if (radius <= 0.0) {
    return {corners.begin(), corners.end()};
  }
  std::vector<DrawPoint> result;
  const std::size_t n = corners.size();
  for (std::size_t i = 0; i < n; ++i) {
    const DrawPoint in = normal_of(corners[(i + n - 1) % n], corners[i]);
    const DrawPoint out = normal_of(corners[i], corners[(i + 1) % n]);
    double angle = std::atan2(in.x * out.y - in.y * out.x, in.x * out.x + in.y * out.y);
    angle += angle < 0.0 || n == 1 ? turn : 0.0;
    const int steps = std::max(static_cast<int>(std::ceil(chords(radius * scale) * angle / turn)), 1);
    for (int k = 0; k <= steps; ++k) {
      const double part = angle * k / steps;
      const DrawPoint direction{std::cos(part) * in.x - std::sin(part) * in.y,
                                std::sin(part) * in.x + std::cos(part) * in.y};
      result.push_back(corners[i] + radius * direction);
    }
  }
  return result;
}

/// Computes the outlines of each kind of shape, in its own frame.
struct LocalOutlines {
  using Lines = std::vector<std::vector<DrawPoint>>;
  double scale;
  std::size_t max_single_pixels;

  Lines operator()(const Circle& circle) const {
    return {rounded(std::array{as_point(circle.center)}, circle.radius, scale)};
  }
  Lines operator()(const Box& box) const {
    std::vector<DrawPoint> corners;
    for (const DrawPoint sign : {DrawPoint{-1, -1}, DrawPoint{1, -1}, DrawPoint{1, 1}, DrawPoint{-1, 1}}) {
      const DrawPoint corner{sign.x * box.half_size.x, sign.y * box.half_size.y};
      corners.push_back(as_point(box.center) + rotated(box.rotation, corner));
    }
    return {corners};
  }
  Lines operator()(const Capsule& capsule) const {
    if (capsule.a == capsule.b) {
      return (*this)(Circle{capsule.a, capsule.radius});
    }
    return {rounded(std::array{as_point(capsule.a), as_point(capsule.b)}, capsule.radius, scale)};
  }
  Lines operator()(const Segment& segment) const { return {{as_point(segment.a), as_point(segment.b)}}; }
  Lines operator()(const Polygon& polygon) const {
    std::vector<DrawPoint> corners;
    for (const Vec2 vertex : polygon.vertices()) {
      corners.push_back(as_point(vertex));
    }
    return {rounded(corners, polygon.radius(), scale)};
  }
  Lines operator()(const Mask& mask) const {
    Lines lines;
    const double size = mask.pixel_size();
    const auto add = [&](double column, double row, double width, double height) {
      const DrawPoint low = as_point(mask.origin()) + size * DrawPoint{column, row};
      const DrawPoint high = low + size * DrawPoint{width, height};
      lines.push_back({low, {high.x, low.y}, high, {low.x, high.y}});
    };
    for (const PixelRectangle& r : mask.rectangles()) {
      if (mask.count() > max_single_pixels) {
        add(r.column, r.row, r.width, r.height);
        continue;
      }
      for (int row = 0; row < r.height; ++row) {
        for (int column = 0; column < r.width; ++column) {
          add(r.column + column, r.row + row, 1, 1);
        }
      }
    }
    return lines;
  }
};

}  // namespace

std::vector<std::vector<DrawPoint>> outlines(const Shape& shape, const Transform& transform, double scale,
                                             std::size_t max_single_pixels) {
  auto lines = std::visit(LocalOutlines{scale, max_single_pixels}, shape);
  for (auto& line : lines) {
    for (DrawPoint& point : line) {
      point = as_point(transform.position) + rotated(transform.rotation, point);
    }
  }
  return lines;
}

}  // namespace broadside
