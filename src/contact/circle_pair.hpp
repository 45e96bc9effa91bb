#pragma once

#include <algorithm>
#include <cmath>

#include "broadside/contact/collide.hpp"
#include "contact/order.hpp"
#include "contact/to_vec2.hpp"
#include "contact/touch.hpp"

namespace broadside::detail {

// Two circles: all of it is symmetric by itself, without an order. In a header, as a call would be a good
// part of its time.

/// Returns the center of a circle relative to the position of its transform.
inline Point turned_center(const Circle& circle, Rotation rotation) {
  return circle.center == Vec2{} ? Point{} : rotate(rotation, to_point(circle.center));
}

struct Circles {
  Circles(const Circle& a, const Transform& at_a, const Circle& b, const Transform& at_b)
      : center_a(turned_center(a, at_a.rotation)),
        center_b(turned_center(b, at_b.rotation)),
        way((to_point(at_b.position) - to_point(at_a.position)) + (center_b - center_a)),
        radius_a(static_cast<double>(a.radius)),
        radius_b(static_cast<double>(b.radius)),
        radius(radius_a + radius_b),
        distance2(dot(way, way)),
        rotations_are_valid(is_unit(at_a.rotation) && is_unit(at_b.rotation)) {}

  /// False for NaN, infinity and radii that are no radii.
  [[nodiscard]] bool touching() const {
    constexpr double beyond_floats = 1e42;
    return distance2 <= radius * radius && std::min(radius_a, radius_b) >= 0.0 && radius < beyond_floats &&
           rotations_are_valid;
  }

  [[nodiscard]] Touch touch(double distance) const {
    const Point centers{std::abs(center_a.x) + std::abs(center_b.x),
                        std::abs(center_a.y) + std::abs(center_b.y)};
    return {true, std::min(distance - radius, 0.0), radius + (centers.x + centers.y)};
  }

  /// Around one center any direction will do: the smaller leaves to the right.
  [[nodiscard]] Point aside(const Transform& at_a, const Transform& at_b) const {
    const double key =
        radius_a != radius_b ? radius_a - radius_b : order(to_point(at_b.position) - to_point(at_a.position));
    return {key < 0.0 ? -1.0 : 1.0, 0.0};
  }

  Point center_a;  ///< relative to its transform
  Point center_b;
  Point way;
  double radius_a;
  double radius_b;
  double radius;
  double distance2;
  bool rotations_are_valid;
};

/// Tells whether two circles touch. Exact where the squares of their distance and radii are exact in double.
inline Touch touch_circles(const Circle& a, const Transform& at_a, const Circle& b, const Transform& at_b) {
  const Circles circles{a, at_a, b, at_b};
  return circles.touching() ? circles.touch(std::sqrt(circles.distance2)) : Touch{};
}

/// Finds where two circles touch, exactly when `touch_circles` says so.
inline Touch collide_circles(const Circle& a, const Transform& at_a, const Circle& b, const Transform& at_b,
                             Manifold& manifold) {
  const Circles circles{a, at_a, b, at_b};
  if (!circles.touching()) {
    return {};
  }
  const double distance = std::sqrt(circles.distance2);
  const Touch touch = circles.touch(distance);
  const Point normal = distance > 0.0 ? (1.0 / distance) * circles.way : circles.aside(at_a, at_b);
  const Point centers =
      (to_point(at_a.position) + circles.center_a) + (to_point(at_b.position) + circles.center_b);
  const Point between = 0.5 * (centers + (circles.radius_a - circles.radius_b) * normal);
  manifold.normal = to_direction(normal);
  manifold.points[0] = {to_vec2(between), to_number(touch.separation), 0};
  manifold.size = 1;
  return touch;
}

}  // namespace broadside::detail
