// Rounded shapes as polygons of chords, by which areas are measured.

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "contact/mask/outline.hpp"

namespace broadside::chords_test {
namespace {

using detail::Chords;
using detail::Convex;
using detail::Point;

constexpr double pi = 3.14159265358979323846;

double next_length(const Convex& shape, std::size_t i) {
  const Point side = shape.points[(i + 1) % shape.size] - shape.points[i];
  return std::sqrt(dot(side, side));
}

/// Draws a circle, a capsule, or a rounded polygon. Half of the time its first edge is along an axis, where a
/// normal is one of the directions that divide the circle.
Convex draw(test::Random& random) {
  Convex shape;
  shape.radius = random.between(0.01F, 4.0F);
  shape.size = 1 + random.below(6);
  const double size = random.between(0.5F, 10.0F);
  const double first = random.below(2) == 0 ? random.between(0.0F, 6.2831853F) : 0.0;
  for (std::size_t i = 0; i < shape.size; ++i) {
    const double angle = first + 2.0 * pi * static_cast<double>(i) / static_cast<double>(shape.size);
    shape.points[i] = {size * std::cos(angle), size * std::sin(angle)};
  }
  if (shape.size == 4 && random.below(2) == 0) {
    const double height = random.between(0.5F, 10.0F);
    shape.points[0] = {-size, -height};
    shape.points[1] = {size, -height};
    shape.points[2] = {size, height};
    shape.points[3] = {-size, height};
    std::rotate(shape.points.begin(), shape.points.begin() + random.below(4), shape.points.begin() + 4);
  }
  if (shape.size == 2 && random.below(2) == 0) {
    shape.points[0] = {0.0, -size};
    shape.points[1] = {0.0, size};
  }
  return shape;
}

TEST(Chords, lie_inside_the_shape_turn_once_and_lose_little_area) {
  test::Random random(11);
  for (int repeat = 0; repeat < 5000; ++repeat) {
    const Convex shape = draw(random);
    const Chords chords(shape);
    // Rounding may merge two corners.
    std::vector<Point> points(chords.points().begin(), chords.points().end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points.front() == points.back()) {
      points.pop_back();
    }
    double area = 0.0;
    double turned = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point before = points[(i + points.size() - 1) % points.size()];
      const Point after = points[(i + 1) % points.size()];
      const Point in = points[i] - before;
      const Point out = after - points[i];
      turned += std::atan2(cross(in, out), dot(in, out));
      area += 0.5 * cross(points[i], after);
    }
    ASSERT_NEAR(turned, 2.0 * pi, 1e-9);
    double straight = 0.0;
    double around = 0.0;
    for (std::size_t i = 0; i < shape.size; ++i) {
      straight += 0.5 * cross(shape.points[i], shape.points[(i + 1) % shape.size]);
      around += next_length(shape, i);
    }
    const double round = pi * shape.radius * shape.radius;
    const double exact = straight + around * shape.radius + round;
    ASSERT_LE(area, exact * (1.0 + 1e-12));
    // A chord of the angle u cuts off 1 - sin(u) / u of its sector, about u^2 / 6.
    constexpr double u = 2.0 * pi / static_cast<double>(Chords::to_the_circle);
    ASSERT_GE(area, exact - round * u * u / 6.0 * 1.001);
  }
}

}  // namespace
}  // namespace broadside::chords_test
