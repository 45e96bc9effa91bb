#include "contact/circle_box.hpp"

#include <algorithm>
#include <cmath>

#include "contact/feature.hpp"
#include "contact/order.hpp"
#include "contact/to_vec2.hpp"

namespace broadside::detail {

namespace {

/// The center of the circle as seen from the box. The axis of the box has a length near 1 only; lengths along
/// it are times that length.
struct BoxCircle {
  BoxCircle(const Box& box, const Transform& at_box, const Circle& circle, const Transform& at_circle)
      : center(rotate(at_box.rotation, to_point(box.center))),
        axis(rotate(at_box.rotation,
                    {static_cast<double>(box.rotation.cos), static_cast<double>(box.rotation.sin)})),
        circle_center(rotate(at_circle.rotation, to_point(circle.center))),
        half{static_cast<double>(box.half_size.x), static_cast<double>(box.half_size.y)},
        radius(static_cast<double>(circle.radius)),
        length2(dot(axis, axis)) {
    const Point way = (to_point(at_circle.position) - to_point(at_box.position)) + (circle_center - center);
    local = {dot(axis, way), cross(axis, way)};
    out = {std::abs(local.x) - half.x * length2, std::abs(local.y) - half.y * length2};
    const double out_x = std::max(out.x, 0.0);
    const double out_y = std::max(out.y, 0.0);
    distance2 = out_x * out_x + out_y * out_y;
    touching = distance2 <= radius * radius * length2 && is_valid(box) && is_valid(at_box) &&
               is_valid(circle) && is_valid(at_circle);
  }

  [[nodiscard]] bool is_inside() const { return distance2 == 0.0; }

  /// @param unit 1 / length of the axis
  [[nodiscard]] Touch touch(double unit) const {
    const double distance = is_inside() ? std::max(out.x, out.y) : std::sqrt(distance2);
    const double lengths = (std::abs(center.x) + std::abs(center.y)) + (half.x + half.y) +
                           (std::abs(circle_center.x) + std::abs(circle_center.y)) + radius;
    return {true, std::min(distance * unit - radius, 0.0), lengths};
  }

  Point center;  ///< of the box, relative to its transform
  Point axis;
  Point circle_center;  ///< relative to its transform
  Point half;
  double radius;
  double length2;  ///< of the axis
  Point local;     ///< from the center of the box to that of the circle
  Point out;       ///< how far the center of the circle is in front of the faces
  double distance2 = 0.0;
  bool touching = false;
};

/// What of the box is met: a face, or a corner. Both are numbered counter-clockwise from the lower and the
/// lower left.
std::uint32_t feature_of(bool right, bool up, bool on_x, bool on_y) {
  if (on_x && on_y) {
    const std::size_t corner = up ? (right ? 2 : 3) : (right ? 1 : 0);
    return feature(Meeting::corners, corner, 0);
  }
  const std::size_t face_x = right ? 1 : 3;
  const std::size_t face_y = up ? 2 : 0;
  return feature(Meeting::face_of_a, on_x ? face_x : face_y, 0);
}

}  // namespace

Touch touch_box_circle(const Box& box, const Transform& at_box, const Circle& circle,
                       const Transform& at_circle) {
  const BoxCircle pair{box, at_box, circle, at_circle};
  return pair.touching ? pair.touch(1.0 / std::sqrt(pair.length2)) : Touch{};
}

Touch collide_box_circle(const Box& box, const Transform& at_box, const Circle& circle,
                         const Transform& at_circle, bool box_is_b, Manifold& manifold) {
  const BoxCircle pair{box, at_box, circle, at_circle};
  if (!pair.touching) {
    return {};
  }
  const double unit = 1.0 / std::sqrt(pair.length2);
  const Touch touch = pair.touch(unit);
  const double slack = face_slack * std::min(pair.half.x + pair.half.y, pair.radius);
  const bool inside = pair.is_inside();
  const bool leaves_by_y = pair.out.y > pair.out.x + slack;
  const bool on_x = inside ? !leaves_by_y : pair.out.x > 0.0;
  const bool on_y = inside ? leaves_by_y : pair.out.y > 0.0;
  const bool right = pair.local.x >= 0.0;
  const bool up = pair.local.y >= 0.0;
  // In the frame of the box, and times the distance where the center is outside.
  const double side_x = !on_x ? 0.0 : inside ? 1.0 : pair.out.x;
  const double side_y = !on_y ? 0.0 : inside ? 1.0 : pair.out.y;
  const double share = inside ? 1.0 : 1.0 / std::sqrt(pair.distance2);
  const Point direction{right ? side_x : -side_x, up ? side_y : -side_y};
  const Point normal = (share * unit) * Point{direction.x * pair.axis.x - direction.y * pair.axis.y,
                                              direction.x * pair.axis.y + direction.y * pair.axis.x};
  // From the center of the circle: its surface is a radius off, that of the box half of the depth before.
  const Point middle =
      (to_point(at_circle.position) + pair.circle_center) - (pair.radius + 0.5 * touch.separation) * normal;
  manifold.normal = to_direction(box_is_b ? -1.0 * normal : normal);
  manifold.points[0] = {to_vec2(middle), to_number(touch.separation), feature_of(right, up, on_x, on_y)};
  manifold.size = 1;
  return touch;
}

}  // namespace broadside::detail
