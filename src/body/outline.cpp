#include "broadside/body/outline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "body/convex.hpp"

namespace broadside::inline v0_2 {

namespace {

using detail::Point;
using detail::to_point;

constexpr double turn = 6.283185307179586;

/// Returns the outward unit normal of an edge of a counter-clockwise outline; {1, 0} for an edge of length 0.
Point normal_of(Point from, Point to) {
  const double x = to.x - from.x;
  const double y = to.y - from.y;
  const double length = std::hypot(x, y);
  return length > 0.0 ? Point{y / length, -x / length} : Point{1.0, 0.0};
}

/// Returns the outline at a distance `radius` around corners [n], counter-clockwise: an arc at each.
std::vector<Point> rounded(std::span<const Point> corners, double radius, double scale) {
  if (radius <= 0.0) {
    return {corners.begin(), corners.end()};
  }
  // How many chords approximate a whole circle to within a tenth of a pixel.
  const double chords = std::clamp(std::ceil(7.0 * std::sqrt(radius * scale)), 8.0, 256.0);
  std::vector<Point> result;
  const std::size_t n = corners.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Point in = normal_of(corners[(i + n - 1) % n], corners[i]);
    const Point out = normal_of(corners[i], corners[(i + 1) % n]);
    double angle = std::atan2(cross(in, out), dot(in, out));
    angle += angle < 0.0 || n == 1 ? turn : 0.0;
    const int steps = std::max(static_cast<int>(std::ceil(chords * angle / turn)), 1);
    for (int k = 0; k <= steps; ++k) {
      const double part = angle * k / steps;
      const Point direction{std::cos(part) * in.x - std::sin(part) * in.y,
                            std::sin(part) * in.x + std::cos(part) * in.y};
      result.push_back(corners[i] + radius * direction);
    }
  }
  return result;
}

/// Computes the outlines of each kind of shape, in its own frame.
struct LocalOutlines {
  using Lines = std::vector<std::vector<Point>>;
  double scale;
  std::size_t max_single_pixels;

  Lines operator()(const Circle& circle) const {
    return {rounded(std::array{to_point(circle.center)}, circle.radius, scale)};
  }
  Lines operator()(const Box& box) const {
    std::vector<Point> corners;
    for (const Point sign : {Point{-1, -1}, Point{1, -1}, Point{1, 1}, Point{-1, 1}}) {
      const Point corner{sign.x * box.half_size.x, sign.y * box.half_size.y};
      corners.push_back(to_point(box.center) + detail::rotate(box.rotation, corner));
    }
    return {corners};
  }
  Lines operator()(const Capsule& capsule) const {
    if (capsule.a == capsule.b) {
      return (*this)(Circle{capsule.a, capsule.radius});
    }
    return {rounded(std::array{to_point(capsule.a), to_point(capsule.b)}, capsule.radius, scale)};
  }
  Lines operator()(const Segment& segment) const { return {{to_point(segment.a), to_point(segment.b)}}; }
  Lines operator()(const Polygon& polygon) const {
    std::vector<Point> corners;
    for (const Vec2 vertex : polygon.vertices()) {
      corners.push_back(to_point(vertex));
    }
    return {rounded(corners, polygon.radius(), scale)};
  }
  Lines operator()(const Mask& mask) const {
    Lines lines;
    const double size = mask.pixel_size();
    const auto add = [&](double column, double row, double width, double height) {
      const Point low = to_point(mask.origin()) + size * Point{column, row};
      const Point high = low + size * Point{width, height};
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
  std::vector<std::vector<DrawPoint>> result;
  for (const auto& line : std::visit(LocalOutlines{scale, max_single_pixels}, shape)) {
    auto& points = result.emplace_back();
    for (const Point local : line) {
      const Point p = to_point(transform.position) + detail::rotate(transform.rotation, local);
      points.push_back({p.x, p.y});
    }
  }
  return result;
}

}  // namespace broadside::inline v0_2
