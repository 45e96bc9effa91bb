#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/select.hpp"
#include "base/to_vec2.hpp"
#include "base/vec2d.hpp"
#include "body/convex.hpp"
#include "body/placement.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/circle/circle_pair_guard.hpp"
#include "contact/frame.hpp"
#include "contact/order.hpp"
#include "contact/touch.hpp"

namespace broadside::detail {

// Two circles: the computation is symmetric, so no canonical order is needed. In a header, because a call
// would be a large part of its time.

/// The distance between a circle and another shape. Points are in the world.
struct CircleDistance {
  bool touching = false;   ///< as by `touch_circles` or `touch_circle`
  double distance = 0.0;   ///< between the surfaces; negative if they overlap; infinity if not valid
  double reach = 0.0;      ///< magnitude of the lengths it was computed from (unit: length)
  Point normal{1.0, 0.0};  ///< unit vector from the other shape to the circle, as that of `collide`
  Point on_other;          ///< closest point of the other shape
  Point on_circle;         ///< closest point of the circle
  Point common;            ///< a point of both shapes, if they touch

  static CircleDistance of_invalid() {
    CircleDistance found;
    found.distance = std::numeric_limits<double>::infinity();
    return found;
  }
};

/// Writes a contact of one point, or none. Branch-free, as `touching` cannot be predicted.
/// @param touching all bits of all lanes, or none
/// @param manifold must have no points
inline void write_contact(Vec2dMask touching, Vec2d normal, Vec2d position, float separation,
                          std::uint32_t feature, Manifold& manifold) {
  static_assert(offsetof(Manifold, normal) == 0 && offsetof(Manifold, points) == sizeof(Vec2));
  static_assert(offsetof(ManifoldPoint, position) == 0);
  constexpr std::size_t first = offsetof(Manifold, points) + offsetof(ManifoldPoint, separation);
  static_assert(offsetof(ManifoldPoint, feature) - offsetof(ManifoldPoint, separation) == sizeof(float));
  const FourDoubles all = __builtin_shufflevector(normal, position, 0, 1, 2, 3);
  const FourFloats rounded = __builtin_convertvector(all, FourFloats) + 0.0F;
  const Vec2dMask where = reinterpret_cast<Vec2dMask>(rounded) & touching;
  const Vec2dMask how =
      Vec2dMask{std::bit_cast<std::int32_t>(separation), static_cast<std::int32_t>(feature)} & touching;
  auto* bytes = reinterpret_cast<std::byte*>(&manifold);
  std::memcpy(bytes, &where, sizeof where);
  std::memcpy(bytes + first, &how, sizeof separation + sizeof feature);
  manifold.size = as_number(touching);
}

/// Does the same if numbers may be beyond the largest float.
/// @param lengths an upper bound of all numbers
inline void write_contact(bool touching, Vec2d normal, Vec2d position, double separation, double lengths,
                          std::uint32_t feature, Manifold& manifold) {
  if (!(lengths <= std::numeric_limits<float>::max())) {
    const Vec2 at = to_vec2(to_point(position));
    position = to_vec2d(to_point(at));
    separation = static_cast<double>(to_number(separation));
  }
  write_contact(Vec2dMask{} - static_cast<std::int32_t>(touching), normal, position,
                static_cast<float>(separation) + 0.0F, feature, manifold);
}

struct Circles {
  Circles(const Circle& a, const Transform& at_a, const Circle& b, const Transform& at_b)
      : place_a(at_a),
        place_b(at_b),
        center_a(rotated(a.center, place_a.rotation)),
        center_b(rotated(b.center, place_b.rotation)),
        way((place_b.position - place_a.position) + (center_b - center_a)),
        radius_a(static_cast<double>(a.radius)),
        radius_b(static_cast<double>(b.radius)),
        radius(radius_a + radius_b),
        distance2(dot(way, way)) {}

  /// False for NaN, infinity and negative radii.
  [[nodiscard]] bool touching() const { return (distance2 <= radius * radius) & sizes_are_valid(); }
  [[nodiscard]] bool are_valid() const {
    return distance2 < beyond_floats * beyond_floats && sizes_are_valid();
  }

  [[nodiscard]] Touch touch(double distance) const { return {touching(), distance - radius, reach()}; }

  [[nodiscard]] double reach() const {
    const Vec2d centers = absolute(center_a) + absolute(center_b);
    return radius + (centers[0] + centers[1]);
  }
  /// Returns the magnitude of all lengths involved.
  [[nodiscard]] double lengths() const {
    const Vec2d all =
        (absolute(center_a) + absolute(center_b)) + (absolute(place_a.position) + absolute(place_b.position));
    return radius + (all[0] + all[1]);
  }

  /// Returns the unit vector from a to b. For equal centers any direction will do: the smaller circle leaves
  /// to the right.
  [[nodiscard]] Vec2d normal(double distance) const {
    if (distance > 0.0) {
      return (1.0 / distance) * way;
    }
    const double key =
        radius_a != radius_b ? radius_a - radius_b : order(to_point(place_b.position - place_a.position));
    return Vec2d{sign(key < 0.0), 0.0};
  }

  /// Returns the middle between the two surfaces (world).
  [[nodiscard]] Vec2d between(Vec2d normal) const {
    const Vec2d centers = (place_a.position + center_a) + (place_b.position + center_b);
    return 0.5 * (centers + (radius_a - radius_b) * normal);
  }

  static constexpr double beyond_floats = 1e42;

  Placement place_a;
  Placement place_b;
  Vec2d center_a;  ///< relative to its transform
  Vec2d center_b;
  Vec2d way;
  double radius_a;
  double radius_b;
  double radius;
  double distance2;

 private:
  [[nodiscard]] bool sizes_are_valid() const {
    return radius_a >= 0.0 && radius_b >= 0.0 && radius < beyond_floats && is_unit(place_a.rotation) &&
           is_unit(place_b.rotation);
  }
};

/// Returns whether two circles touch. Exact if the squares of their distance and radii are exact in double.
inline Touch touch_circles(const Circle& a, const Transform& at_a, const Circle& b, const Transform& at_b) {
  const Circles circles{a, at_a, b, at_b};
  return circles.touch(std::sqrt(circles.distance2));
}

/// Computes the manifold of two circles, consistent with `touch_circles`. Returns false if rounding could
/// matter.
inline bool collide_sure_circles(const Circle& a, const Transform& at_a, const Circle& b,
                                 const Transform& at_b, Manifold& manifold) {
  const CirclePairGuard guard{a, at_a, b, at_b};
  const Circles circles{a, at_a, b, at_b};
  const double distance = std::sqrt(circles.distance2);
  const auto gap = static_cast<float>(distance - circles.radius);
  if (!guard.is_sure(as_mask(both(distance) > 0.0), gap)) {
    return false;
  }
  const Vec2d normal = (1.0 / distance) * circles.way;
  write_contact(as_mask(FourFloats{gap, gap, gap, gap} < 0.0F), normal, circles.between(normal), gap, 0,
                manifold);
  return true;
}

/// Computes the manifold of two circles, consistent with `touch_circles`. Returns whether that `is_sure`.
inline bool collide_circles(const Circle& a, const Transform& at_a, const Circle& b, const Transform& at_b,
                            Manifold& manifold) {
  const Circles circles{a, at_a, b, at_b};
  const double distance = std::sqrt(circles.distance2);
  const double gap = distance - circles.radius;
  const double lengths = circles.lengths();
  const Vec2d normal = circles.normal(distance);
  write_contact(circles.touching(), normal, circles.between(normal), lesser(gap, 0.0), lengths, 0, manifold);
  return is_sure(gap, lengths);
}

/// Computes the distance of two circles, with a as the other shape; consistent with `touch_circles`.
inline CircleDistance distance_of_circles(const Circle& a, const Transform& at_a, const Circle& b,
                                          const Transform& at_b) {
  const Circles circles{a, at_a, b, at_b};
  if (!circles.are_valid()) {
    return CircleDistance::of_invalid();
  }
  const bool touching = circles.touching();
  const double distance = std::sqrt(circles.distance2);
  const Vec2d normal = circles.normal(distance);
  const Vec2d center_a = circles.place_a.position + circles.center_a;
  const Vec2d center_b = circles.place_b.position + circles.center_b;
  Vec2d common{};
  if (touching) {
    // From both centers, so that swapping the circles gives the same point.
    const auto middle = [&](double radius_one, double radius_other) {
      return 0.5 * (std::max(distance - radius_other, 0.0) + std::min(radius_one, distance));
    };
    common = 0.5 * ((center_a + middle(circles.radius_a, circles.radius_b) * normal) +
                    (center_b - middle(circles.radius_b, circles.radius_a) * normal));
  }
  return {.touching = touching,
          .distance = distance - circles.radius,
          .reach = circles.reach(),
          .normal = to_point(normal),
          .on_other = to_point(center_a + circles.radius_a * normal),
          .on_circle = to_point(center_b - circles.radius_b * normal),
          .common = to_point(common)};
}

}  // namespace broadside::detail
