#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "base/tolerances.hpp"
#include "body/convex.hpp"
#include "contact/order.hpp"

namespace broadside::inline v0_2::detail {

// Two boxes in their frames.

/// A box relative to its center. `axis` has only roughly length 1; half sizes are in units of it.
struct BoxFrame {
  Point center;  ///< relative to the position of its transform
  Point axis;
  double half_x = 0.0;
  double half_y = 0.0;
};

inline BoxFrame make_frame(const Box& box, const Transform& at) {
  const Point turn{static_cast<double>(box.rotation.cos), static_cast<double>(box.rotation.sin)};
  return {rotate(at.rotation, to_point(box.center)), rotate(at.rotation, turn),
          static_cast<double>(box.half_size.x), static_cast<double>(box.half_size.y)};
}

inline Point rotate_ccw(Point p) {
  return {-p.y, p.x};
}

/// The other box in the frame of a box, scaled by the length of its axis.
struct BoxInFrame {
  Point at;              ///< its center
  Point out;             ///< separation on both axes
  double length2 = 0.0;  ///< of the axis
};

/// @param cosine absolute cosine of the angle between the axes, scaled by the lengths of both
/// @param sine absolute sine of the same
inline BoxInFrame box_in_frame(const BoxFrame& box, const BoxFrame& other, Point offset, double cosine,
                               double sine) {
  const double length2 = dot(box.axis, box.axis);
  const Point at{dot(offset, box.axis), cross(box.axis, offset)};
  return {at,
          {std::abs(at.x) - box.half_x * length2 - (other.half_x * cosine + other.half_y * sine),
           std::abs(at.y) - box.half_y * length2 - (other.half_x * sine + other.half_y * cosine)},
          length2};
}

/// Two boxes and the vector from the center of the first to that of the second.
struct Boxes {
  Boxes(const Box& box_a, const Transform& at_a, const Box& box_b, const Transform& at_b)
      : a(make_frame(box_a, at_a)),
        b(make_frame(box_b, at_b)),
        offset((to_point(at_b.position) - to_point(at_a.position)) + (b.center - a.center)),
        cosine(dot(a.axis, b.axis)),
        sine(cross(a.axis, b.axis)) {}

  /// Returns b in the frame of a, and a in the frame of b.
  [[nodiscard]] BoxInFrame b_in_frame_of_a() const {
    return box_in_frame(a, b, offset, std::abs(cosine), std::abs(sine));
  }
  [[nodiscard]] BoxInFrame a_in_frame_of_b() const {
    return box_in_frame(b, a, -1.0 * offset, std::abs(cosine), std::abs(sine));
  }

  [[nodiscard]] double reach() const {
    const auto of = [](const BoxFrame& f) { return length_along_axes(f.center) + f.half_x + f.half_y; };
    return of(a) + of(b);
  }

  BoxFrame a;
  BoxFrame b;
  Point offset;
  double cosine;  ///< of the angle from the axis of a to that of b, scaled by the lengths of both
  double sine;
};

/// Returns 1 / length of an axis of length near 1: the first two terms of its series. The error is less than
/// the slack for all rotations that are precise to a float.
inline double nearly_unit(double length2) {
  return 1.5 - 0.5 * length2;
}

/// Returns whether a is the second of the two: by the vector between the boxes, else between their
/// transforms, else by their numbers.
inline bool is_swapped(const Boxes& boxes, const Transform& at_a, const Transform& at_b) {
  const double by_offset = order(boxes.offset);
  const double key = by_offset != 0.0 ? by_offset : order(to_point(at_b.position) - to_point(at_a.position));
  const auto numbers = [](const BoxFrame& f) { return std::array{f.half_x, f.half_y, f.axis.x, f.axis.y}; };
  return key < 0.0 || (key == 0.0 && numbers(boxes.b) < numbers(boxes.a));
}

inline double slack_of(const Boxes& boxes) {
  return face_slack * std::min(boxes.a.half_x + boxes.a.half_y, boxes.b.half_x + boxes.b.half_y);
}

/// Returns the first axis whose separation no later one exceeds by more than the slack: x or y of the first
/// box, or of the second. That is the axis of largest separation, or of least penetration.
/// @param separation set to that of the boxes on this axis, negative if they overlap (unit: length)
inline std::size_t find_max_separation(const BoxInFrame& from_first, const BoxInFrame& from_last,
                                       double slack, double& separation) {
  const double unit_first = nearly_unit(from_first.length2);
  const double unit_last = nearly_unit(from_last.length2);
  const std::array separations{from_first.out.x * unit_first, from_first.out.y * unit_first,
                               from_last.out.x * unit_last, from_last.out.y * unit_last};
  std::size_t best = 0;
  for (std::size_t i = 1; i < separations.size(); ++i) {
    best = separations[i] > separations[best] + slack ? i : best;
  }
  separation = separations[best];
  return best;
}

}  // namespace broadside::inline v0_2::detail
