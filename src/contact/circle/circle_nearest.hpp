#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/select.hpp"
#include "base/tolerances.hpp"
#include "body/convex.hpp"
#include "body/face_prefilter.hpp"
#include "contact/feature.hpp"

namespace broadside::inline v0_2::detail {

// The nearest point of a core to the center of a circle.

/// The center of a circle in the frame of a core. Lengths in the frame are scaled by the length of the axis;
/// local corners have to be multiplied by its square, `axis2`.
struct CircleCenter {
  Point at;
  double axis2;
  double radius;  ///< of the circle
};

/// The vector from the nearest point of a core to the center of a circle.
struct NearestOnCore {
  Point direction;       ///< of any length except 0; points out of the core if the center is inside
  double length2 = 0.0;  ///< of `direction`, squared
  double out = 0.0;      ///< distance from the core to the center times |direction|; 0 or negative inside
  bool is_corner =
      false;     ///< `direction` reaches from the nearest point to the center, and `out` is its square
  Point extent;  ///< size of the tested part of the core, on both axes
  std::uint32_t feature = 0;

  /// Returns whether the core is within a distance, given its square; without a root.
  [[nodiscard]] bool is_within(double distance2) const {
    return is_corner ? out <= distance2 : out * std::abs(out) <= distance2 * length2;
  }
};

constexpr std::uint32_t corner_feature(std::size_t corner) {
  return feature(Meeting::corners, corner, 0);
}
constexpr std::uint32_t face_feature(std::size_t face) {
  return feature(Meeting::face_of_a, face, 0);
}

// Boxes.

/// Faces and corners are numbered counter-clockwise from the lower face and the lower left corner.
constexpr std::uint32_t box_feature(bool right, bool up, bool on_x, bool on_y) {
  const std::uint32_t corner = up ? (right ? 2 : 3) : (right ? 1 : 0);
  const std::uint32_t face = on_x ? (right ? 1 : 3) : (up ? 2 : 0);
  return on_x && on_y ? corner_feature(corner) : face_feature(face);
}

inline NearestOnCore find_nearest(const Box& box, const CircleCenter& center) {
  const Point half = to_point(box.half_size);
  const Point out = Point{std::abs(center.at.x), std::abs(center.at.y)} - center.axis2 * half;
  const bool right = center.at.x >= 0.0;
  const bool up = center.at.y >= 0.0;
  const Point excess{std::max(0.0, out.x), std::max(0.0, out.y)};
  const double square = dot(excess, excess);
  if (square == 0.0) {
    const double slack = face_slack * std::min(half.x + half.y, center.radius);
    const bool by_y = out.y > out.x + slack;
    const Point outward = by_y ? Point{0.0, up ? 1.0 : -1.0} : Point{right ? 1.0 : -1.0, 0.0};
    return {outward, 1.0, std::max(out.y, out.x), false, half, box_feature(right, up, !by_y, by_y)};
  }
  const Point offset{std::copysign(excess.x, center.at.x), std::copysign(excess.y, center.at.y)};
  return {offset, square, square, true, half, box_feature(right, up, out.x > 0.0, out.y > 0.0)};
}

// Lines.

template <typename Line>
NearestOnCore find_nearest(const Line& line, const CircleCenter& center) {
  const Point edge = to_point(line.b) - to_point(line.a);
  const Point right{edge.y, -edge.x};
  const double edge2 = dot(edge, edge);
  const Point from_start = center.at - center.axis2 * to_point(line.a);
  const Point from_end = center.at - center.axis2 * to_point(line.b);
  const double out = dot(right, from_start);
  const bool is_beyond = dot(edge, from_end) >= 0.0;
  const Point extent{std::abs(edge.x), std::abs(edge.y)};
  NearestOnCore nearest;
  if (dot(edge, from_start) > 0.0 && !is_beyond) {
    const bool is_left = out < 0.0;
    nearest = {sign(is_left) * right, edge2, std::abs(out), false, extent, face_feature(is_left ? 1 : 0)};
  } else {
    const Point from = is_beyond ? from_end : from_start;
    const double square = dot(from, from);
    nearest = {from, square, square, true, extent, corner_feature(is_beyond ? 1 : 0)};
  }
  if (!(nearest.length2 > 0.0)) {
    // The center is on an end: the normal is perpendicular to the line, or any direction if its length is 0.
    const bool is_point = edge2 == 0.0;
    nearest.direction = is_point ? Point{1.0, 0.0} : right;
    nearest.length2 = is_point ? 1.0 : edge2;
    nearest.feature = face_feature(0);
  }
  return nearest;
}

// Polygons.

/// Tests all faces: exact if the products are.
inline NearestOnCore find_nearest_of_all(const Polygon& polygon, const CircleCenter& center) {
  const auto vertices = polygon.vertices();
  const std::size_t size = vertices.size();
  Point farthest;
  for (const Vec2 vertex : vertices) {
    const Point offset = to_point(vertex) - to_point(vertices[0]);
    if (length_along_axes(offset) > farthest.x + farthest.y) {
      farthest = {std::abs(offset.x), std::abs(offset.y)};
    }
  }
  const double slack = face_slack * std::min(farthest.x + farthest.y, center.radius);
  NearestOnCore nearest;
  bool is_inside = true;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t end = i + 1 == size ? 0 : i + 1;
    const Point edge = to_point(vertices[end]) - to_point(vertices[i]);
    const double out = cross(center.at - center.axis2 * to_point(vertices[i]), edge);
    if (out > 0.0) {
      NearestOnCore on_edge = find_nearest(Segment{vertices[i], vertices[end]}, center);
      if (is_inside ||
          on_edge.out * on_edge.out * nearest.length2 < nearest.out * nearest.out * on_edge.length2) {
        on_edge.feature = on_edge.feature == corner_feature(0)   ? corner_feature(i)
                          : on_edge.feature == corner_feature(1) ? corner_feature(end)
                                                                 : face_feature(i);
        nearest = on_edge;
      }
      is_inside = false;
    } else if (is_inside) {
      const double length2 = dot(edge, edge);
      if (i == 0 || out > (nearest.out / std::sqrt(nearest.length2) + slack) * std::sqrt(length2)) {
        nearest = {{edge.y, -edge.x}, length2, out, false, farthest, face_feature(i)};
      }
    }
  }
  return nearest;
}

/// Finds the nearest point on the face that has the center furthest in front, or at an end of it. At an end,
/// the center must be beyond the end of the neighboring face as well; otherwise the guessed face is wrong,
/// and all are tested.
inline NearestOnCore find_nearest(const Polygon& polygon, const CircleCenter& center) {
  const std::size_t face = FacePrefilter::place(polygon, center.at).face;
  const auto* corners = FacePrefilter::corners_around(polygon, face);
  const auto corner = [&](std::size_t number) { return Point{corners[number][0], corners[number][1]}; };
  const Point start = corner(1);
  const Point end = corner(2);
  const Point edge = end - start;
  const Point from_start = center.at - center.axis2 * start;
  const Point from_end = center.at - center.axis2 * end;
  const bool is_beyond = dot(edge, from_end) >= 0.0;
  const bool is_between = dot(edge, from_start) > 0.0 && !is_beyond;
  const Point from = is_beyond ? from_end : from_start;
  const Point neighbor = is_beyond ? corner(3) - end : corner(0) - start;
  const Point direction = is_between ? Point{edge.y, -edge.x} : from;
  const double out = dot(direction, from);  // for a corner, its square: 0 at the corner itself
  if (!(out > 0.0 && (is_between || dot(neighbor, from) <= 0.0))) {
    return find_nearest_of_all(polygon, center);
  }
  const std::size_t number = is_beyond ? face + 1 : face;
  const auto largest = static_cast<double>(FacePrefilter::largest(polygon));
  return {direction,
          dot(direction, direction),
          out,
          !is_between,
          {largest, largest},
          is_between ? face_feature(face) : corner_feature(number == polygon.vertices().size() ? 0 : number)};
}

}  // namespace broadside::inline v0_2::detail
