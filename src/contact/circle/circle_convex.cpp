#include "contact/circle/circle_convex.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/select.hpp"
#include "contact/circle/circle_nearest.hpp"
#include "contact/frame.hpp"

namespace broadside::inline v0_2::detail {

namespace {

/// A circle in the frame of another shape, and the nearest point of its core.
template <typename S>
struct CircleInFrame {
  CircleInFrame(const S& other, const Transform& at_other, const Circle& circle, const Transform& at_circle)
      : are_valid(is_valid(other) && is_valid(at_other) && is_valid(circle) && is_valid(at_circle)),
        frame(frame_of(other, at_other.rotation)),
        offset(rotated(circle.center, at_circle.rotation)),
        center(to_point(at_circle.position) + offset),
        radius_circle(static_cast<double>(circle.radius)),
        radius(radius_circle + radius_of(other)),
        in_frame{frame.to_frame((to_point(at_circle.position) - to_point(at_other.position)) +
                                (offset - frame.center)),
                 dot(frame.axis, frame.axis), radius_circle},
        nearest(find_nearest(other, in_frame)),
        unit(1.0 / std::sqrt(std::max(std::numeric_limits<double>::denorm_min(),
                                      nearest.length2 * in_frame.axis2))),
        touching(are_valid && nearest.is_within(radius * radius * in_frame.axis2)) {}

  /// Returns the magnitude of all lengths except the positions.
  [[nodiscard]] double reach() const {
    return length_along_axes(frame.center) + length_along_axes(offset) + length_along_axes(in_frame.at) +
           length_along_axes(nearest.extent) + radius;
  }
  /// Returns the distance from the core to the center.
  [[nodiscard]] double out() const { return nearest.out * unit; }
  /// Returns the unit normal from the other shape to the circle (world).
  [[nodiscard]] Point normal() const { return unit * frame.to_world(nearest.direction); }

  bool are_valid;
  Frame frame;
  Point offset;  ///< of the center from the position
  Point center;  ///< (world)
  double radius_circle;
  double radius;  ///< sum of both radii
  CircleCenter in_frame;
  NearestOnCore nearest;
  double
      unit;  ///< 1 / length of `nearest.direction` in the world; unspecified if one of the two is not valid
  bool touching;
};

template <typename S>
Touch collide_pair(const S& other, const Transform& at_other, const Circle& circle,
                   const Transform& at_circle, bool circle_is_a, Manifold& manifold) {
  const CircleInFrame<S> placed{other, at_other, circle, at_circle};
  const double gap = placed.out() - placed.radius;
  if (placed.touching) {
    const Point normal = placed.normal();
    // From the center of the circle: halfway between its surface, one radius away, and that of the other
    // shape.
    const double to_middle =
        0.5 * placed.nearest.out * placed.unit + (placed.radius_circle - 0.5 * placed.radius);
    manifold = one_point(sign(circle_is_a) * normal, placed.center - to_middle * normal, gap,
                         placed.nearest.feature);
  }
  return {placed.touching, gap, placed.reach()};
}

Touch collide_pair(const Circle& a, const Transform& at_a, const Circle& b, const Transform& at_b,
                   bool /*circle_is_a*/, Manifold& manifold) {
  return collide_circles(a, at_a, b, at_b, manifold);
}

template <typename S>
CircleDistance distance_of_pair(const S& other, const Transform& at_other, const Circle& circle,
                                const Transform& at_circle) {
  const CircleInFrame<S> placed{other, at_other, circle, at_circle};
  if (!placed.are_valid) {
    return {};
  }
  const double out = placed.out();
  const double radius_other = placed.radius - placed.radius_circle;
  const Point normal = placed.normal();
  Point common;
  if (placed.touching) {
    // Distances from the core at which the shared part begins and ends.
    const double begin = std::max(out - placed.radius_circle, 0.0);
    const double end = std::min(out, radius_other);
    common = placed.center - (out - (out > 0.0 ? 0.5 * (begin + end) : out)) * normal;
  }
  return {.touching = placed.touching,
          .distance = out - placed.radius,
          .reach = placed.reach(),
          .normal = normal,
          .on_other = placed.center - (out - radius_other) * normal,
          .on_circle = placed.center - placed.radius_circle * normal,
          .common = common};
}

CircleDistance distance_of_pair(const Circle& a, const Transform& at_a, const Circle& b,
                                const Transform& at_b) {
  return distance_of_circles(a, at_a, b, at_b);
}

/// Calls `visit` with the other shape and the circle.
template <typename Visit>
auto visit_pair(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b, Visit visit) {
  const bool circle_is_a = is_circle_first(b);
  const Circle& circle = std::get<Circle>(circle_is_a ? a : b);
  return std::visit(
      [&](const auto& other) {
        if constexpr (is_convex<std::decay_t<decltype(other)>>) {
          return visit(other, circle_is_a ? at_b : at_a, circle, circle_is_a ? at_a : at_b);
        } else {
          return decltype(visit(circle, at_a, circle, at_b)){};
        }
      },
      circle_is_a ? b : a);
}

}  // namespace

Touch collide_circle(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b,
                     Manifold& manifold) {
  return visit_pair(
      a, at_a, b, at_b,
      [&](const auto& other, const Transform& at_other, const Circle& circle, const Transform& at_circle) {
        return collide_pair(other, at_other, circle, at_circle, is_circle_first(b), manifold);
      });
}

CircleDistance distance_to_circle(const Shape& a, const Transform& at_a, const Shape& b,
                                  const Transform& at_b) {
  return visit_pair(
      a, at_a, b, at_b,
      [](const auto& other, const Transform& at_other, const Circle& circle, const Transform& at_circle) {
        return distance_of_pair(other, at_other, circle, at_circle);
      });
}

}  // namespace broadside::inline v0_2::detail
