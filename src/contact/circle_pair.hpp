#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "broadside/contact/collide.hpp"
#include "contact/frame.hpp"
#include "contact/order.hpp"
#include "contact/to_vec2.hpp"
#include "contact/touch.hpp"

namespace broadside::detail {

// Two circles: all of it is symmetric by itself, without an order. In a header, as a call would be a good
// part of its time.

/// How far a circle is from another shape. Points are in the world.
struct CircleDistance {
  bool touching = false;   ///< what `touch_circles` or `touch_circle` says
  double distance = 0.0;   ///< between the surfaces: negative where they overlap; infinity if not valid
  double reach = 0.0;      ///< how large the lengths were that it was made of (unit: length)
  Point normal{1.0, 0.0};  ///< unit vector from the other to the circle, as that of `collide`
  Point on_other;          ///< the closest point of the other
  Point on_circle;         ///< the closest point of the circle
  Point common;            ///< a point of both, where they touch

  static CircleDistance of_invalid() {
    CircleDistance found;
    found.distance = std::numeric_limits<double>::infinity();
    return found;
  }
};

struct Circles {
  Circles(const Circle& a, const Transform& at_a, const Circle& b, const Transform& at_b)
      : rotation_a(at_a.rotation),
        rotation_b(at_b.rotation),
        center_a(turned(a.center, at_a.rotation)),
        center_b(turned(b.center, at_b.rotation)),
        way((to_point(at_b.position) - to_point(at_a.position)) + (center_b - center_a)),
        radius_a(static_cast<double>(a.radius)),
        radius_b(static_cast<double>(b.radius)),
        radius(radius_a + radius_b),
        distance2(dot(way, way)) {}

  [[nodiscard]] bool rotations_are_valid() const { return is_unit(rotation_a) && is_unit(rotation_b); }
  [[nodiscard]] bool radii_are_valid() const {
    return radius_a >= 0.0 && radius_b >= 0.0 && radius < beyond_floats;
  }

  /// False for NaN, infinity and radii that are no radii.
  [[nodiscard]] bool touching() const {
    return distance2 <= radius * radius && radii_are_valid() && rotations_are_valid();
  }
  [[nodiscard]] bool are_valid() const {
    return distance2 < beyond_floats * beyond_floats && radii_are_valid() && rotations_are_valid();
  }

  [[nodiscard]] Touch touch(double distance) const {
    return {true, std::min(distance - radius, 0.0), reach()};
  }

  [[nodiscard]] double reach() const {
    const Point centers{std::abs(center_a.x) + std::abs(center_b.x),
                        std::abs(center_a.y) + std::abs(center_b.y)};
    return radius + (centers.x + centers.y);
  }

  /// Around one center any direction will do: the smaller leaves to the right.
  [[nodiscard]] Point aside(const Transform& at_a, const Transform& at_b) const {
    const double key =
        radius_a != radius_b ? radius_a - radius_b : order(to_point(at_b.position) - to_point(at_a.position));
    return {key < 0.0 ? -1.0 : 1.0, 0.0};
  }

  static constexpr double beyond_floats = 1e42;

  const Rotation& rotation_a;
  const Rotation& rotation_b;
  Point center_a;  ///< relative to its transform
  Point center_b;
  Point way;
  double radius_a;
  double radius_b;
  double radius;
  double distance2;
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

/// Finds how far two circles are apart, a being the other: touching exactly when `touch_circles` says so.
inline CircleDistance distance_of_circles(const Circle& a, const Transform& at_a, const Circle& b,
                                          const Transform& at_b) {
  const Circles circles{a, at_a, b, at_b};
  if (!circles.are_valid()) {
    return CircleDistance::of_invalid();
  }
  const bool touching = circles.touching();
  const double distance = std::sqrt(circles.distance2);
  const Point normal = distance > 0.0 ? (1.0 / distance) * circles.way : circles.aside(at_a, at_b);
  const Point center_a = to_point(at_a.position) + circles.center_a;
  const Point center_b = to_point(at_b.position) + circles.center_b;
  Point common;
  if (touching) {
    // From both centers, so that it is the same both ways.
    const auto middle = [&](double radius_one, double radius_other) {
      return 0.5 * (std::max(distance - radius_other, 0.0) + std::min(radius_one, distance));
    };
    common = 0.5 * ((center_a + middle(circles.radius_a, circles.radius_b) * normal) +
                    (center_b - middle(circles.radius_b, circles.radius_a) * normal));
  }
  return {.touching = touching,
          .distance = distance - circles.radius,
          .reach = circles.reach(),
          .normal = normal,
          .on_other = center_a + circles.radius_a * normal,
          .on_circle = center_b - circles.radius_b * normal,
          .common = common};
}

}  // namespace broadside::detail
