#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/select.hpp"
#include "base/to_vec2.hpp"
#include "body/convex.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/frame.hpp"
#include "contact/order.hpp"
#include "contact/touch.hpp"

namespace broadside::inline v0_2::detail {

// Two circles: the computation is symmetric, so no canonical order is needed.

/// The distance between a circle and another shape. Points are in the world.
struct CircleDistance {
  bool touching = false;  ///< as by `collide_circles` or `collide_circle`
  /// Between the surfaces; negative if they overlap; infinity if one is not valid.
  double distance = std::numeric_limits<double>::infinity();
  double reach = 0.0;      ///< magnitude of the lengths it was computed from (unit: length)
  Point normal{1.0, 0.0};  ///< unit vector from the other shape to the circle, as that of `collide`
  Point on_other;          ///< closest point of the other shape
  Point on_circle;         ///< closest point of the circle
  Point common;            ///< a point of both shapes, if they touch
};

/// Returns a manifold of one point.
inline Manifold one_point(Point normal, Point position, double separation, std::uint32_t feature) {
  Manifold manifold;
  manifold.normal = to_direction(normal);
  manifold.points[0] = {to_vec2(position), to_number(std::min(separation, 0.0)), feature};
  manifold.size = 1;
  return manifold;
}

struct Circles {
  Circles(const Circle& a, const Transform& at_a, const Circle& b, const Transform& at_b)
      : are_valid(is_valid(a) && is_valid(at_a) && is_valid(b) && is_valid(at_b)),
        between_positions(to_point(at_b.position) - to_point(at_a.position)),
        offset_a(rotated(a.center, at_a.rotation)),
        offset_b(rotated(b.center, at_b.rotation)),
        center_a(to_point(at_a.position) + offset_a),
        center_b(to_point(at_b.position) + offset_b),
        between_centers(between_positions + (offset_b - offset_a)),
        radius_a(static_cast<double>(a.radius)),
        radius_b(static_cast<double>(b.radius)),
        radius(radius_a + radius_b),
        distance(length(between_centers)),
        touching(are_valid && dot(between_centers, between_centers) <= radius * radius) {}

  /// Returns the magnitude of all lengths except the positions.
  [[nodiscard]] double reach() const {
    return radius + (length_along_axes(offset_a) + length_along_axes(offset_b));
  }

  /// Returns the unit vector from a to b. For equal centers any direction will do: the smaller circle leaves
  /// to the right.
  [[nodiscard]] Point normal() const {
    if (distance > 0.0) {
      return (1.0 / distance) * between_centers;
    }
    const double key = radius_a != radius_b ? radius_a - radius_b : order(between_positions);
    return {sign(key < 0.0), 0.0};
  }

  bool are_valid;
  Point between_positions;  ///< from that of a to that of b
  Point offset_a;           ///< of the center from the position
  Point offset_b;
  Point center_a;
  Point center_b;
  Point between_centers;  ///< from center to center
  double radius_a;
  double radius_b;
  double radius;    ///< the sum of both
  double distance;  ///< between the centers
  bool touching;    ///< exact if the squares of the distance and of the radii are exact in double
};

/// Finds the contact of two circles. @param manifold set if they touch
inline Touch collide_circles(const Circle& a, const Transform& at_a, const Circle& b, const Transform& at_b,
                             Manifold& manifold) {
  const Circles circles{a, at_a, b, at_b};
  const double gap = circles.distance - circles.radius;
  if (circles.touching) {
    const Point normal = circles.normal();
    // The middle between the two surfaces.
    const Point middle =
        0.5 * ((circles.center_a + circles.center_b) + (circles.radius_a - circles.radius_b) * normal);
    manifold = one_point(normal, middle, gap, 0);
  }
  return {circles.touching, gap, circles.reach()};
}

/// Computes the distance of two circles, with a as the other shape; consistent with `collide_circles`.
inline CircleDistance distance_of_circles(const Circle& a, const Transform& at_a, const Circle& b,
                                          const Transform& at_b) {
  const Circles circles{a, at_a, b, at_b};
  if (!circles.are_valid) {
    return {};
  }
  const double distance = circles.distance;
  const Point normal = circles.normal();
  Point common;
  if (circles.touching) {
    // From both centers, so that swapping the circles gives the same point.
    const auto middle = [&](double radius_one, double radius_other) {
      return 0.5 * (std::max(distance - radius_other, 0.0) + std::min(radius_one, distance));
    };
    common = 0.5 * ((circles.center_a + middle(circles.radius_a, circles.radius_b) * normal) +
                    (circles.center_b - middle(circles.radius_b, circles.radius_a) * normal));
  }
  return {.touching = circles.touching,
          .distance = distance - circles.radius,
          .reach = circles.reach(),
          .normal = normal,
          .on_other = circles.center_a + circles.radius_a * normal,
          .on_circle = circles.center_b - circles.radius_b * normal,
          .common = common};
}

}  // namespace broadside::inline v0_2::detail
