#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <variant>

#include "base/convex.hpp"
#include "contact/frame.hpp"
#include "contact/hull_faces.hpp"
#include "contact/pick.hpp"

namespace broadside::detail {

/// A core before its corners are placed. Always made where it is used: most of it never leaves the registers.
struct HullSource {
  std::size_t size;
  const EdgeLanes* edges;  ///< of a polygon; null if it is none
  Point origin;            ///< of a line: its start; of a box: its center; of a polygon: its offset
  Point way;   ///< of a line: its end; of a box: from its center to the right; of a polygon: its rotation
  Point up;    ///< of a box: from its center
  Point axis;  ///< along the line, to the right, or of the rotation
  double inverse_length;  ///< of the axis of a line
  double radius;          ///< (unit: length)
  double reach;           ///< as that of `Convex`
  double extent;          ///< as that of `Convex`
  double shortest;        ///< at most the length of any edge (unit: length)
  bool is_fit;            ///< valid, its angles are more than rounding, its rotation has a length of 1

  [[gnu::always_inline]] static HullSource of(const Box& box, const Transform& at, Point anchor);
  [[gnu::always_inline]] static HullSource of(const Polygon& polygon, const Transform& at, Point anchor);
  /// @pre line is a capsule or a segment
  [[gnu::always_inline]] static HullSource of_line(const Shape& line, const Transform& at, Point anchor);
};

inline bool is_rigid(Point axis) {
  return std::fabs(dot(axis, axis) - 1.0) < most_stretch;
}

/// Returns a unit vector, from one that is rigid: by the first two terms of its series.
inline Point unit(Point axis) {
  return (1.5 - 0.5 * dot(axis, axis)) * axis;
}

inline HullSource HullSource::of(const Box& box, const Transform& at, Point anchor) {
  const auto half_x = static_cast<double>(box.half_size.x);
  const auto half_y = static_cast<double>(box.half_size.y);
  const Frame frame = frame_of(box, at.rotation);
  const Point center = frame.center + (to_point(at.position) - anchor);
  // Not `&&`: its branch would cost more than both, here and below.
  const bool is_turn_unit = is_unit(at.rotation);
  const bool is_fit = is_turn_unit & is_rigid(frame.axis);
  return {.size = 4,
          .edges = nullptr,
          .origin = center,
          .way = half_x * frame.axis,
          .up = half_y * Point{-frame.axis.y, frame.axis.x},
          .axis = unit(frame.axis),
          .inverse_length = 1.0,
          .radius = 0.0,
          .reach = length_along_axes(center) + most_by_turning * (half_x + half_y),
          .extent = 2.0 * (half_x + half_y),
          .shortest = lesser(half_x, half_y),
          .is_fit = is_fit};
}

inline HullSource HullSource::of(const Polygon& polygon, const Transform& at, Point anchor) {
  const Polygon::Data& data = *polygon.data_;
  const Point offset = to_point(at.position) - anchor;
  const Point turn{static_cast<double>(at.rotation.cos), static_cast<double>(at.rotation.sin)};
  const auto radius = static_cast<double>(data.radius);
  const double far_out = length_along_axes(offset);
  const bool is_fit = is_rigid(turn) & (far_out <= data.sound_within);
  return {.size = data.size,
          .edges = data.edges.data(),
          .origin = offset,
          .way = turn,
          .up = {},
          .axis = unit(turn),
          .inverse_length = 1.0,
          .radius = radius,
          .reach = far_out + most_by_turning * data.reach + radius,
          .extent = data.extent + radius,
          .shortest = data.shortest,
          .is_fit = is_fit};
}

inline HullSource HullSource::of_line(const Shape& line, const Transform& at, Point anchor) {
  const Capsule* capsule = std::get_if<Capsule>(&line);
  const Segment* segment = std::get_if<Segment>(&line);
  assert(capsule != nullptr || segment != nullptr);
  const Vec2& a = capsule != nullptr ? capsule->a : segment->a;
  const Vec2& b = capsule != nullptr ? capsule->b : segment->b;
  const double radius = capsule != nullptr ? static_cast<double>(capsule->radius) : 0.0;
  const Point offset = to_point(at.position) - anchor;
  const Point start = rotate(at.rotation, to_point(a)) + offset;
  const Point end = rotate(at.rotation, to_point(b)) + offset;
  const Point edge = end - start;
  const double along_axes = length_along_axes(edge);
  constexpr double least_square =
      std::numeric_limits<double>::min();  // of a line of no length, which is not fit
  const double length2 = std::max(dot(edge, edge), least_square);
  return {.size = 2,
          .edges = nullptr,
          .origin = start,
          .way = end,
          .up = {},
          .axis = edge,
          .inverse_length = std::sqrt(length2) * (1.0 / length2),  // neither waits for the other
          .radius = radius,
          .reach = length_along_axes(start) + along_axes + radius,
          .extent = along_axes + radius,
          .shortest = 0.5 * along_axes,
          .is_fit = is_unit(at.rotation) && radius >= 0.0};
}

/// Tells whether rounding is little beside all that counts of two cores.
inline bool are_fit(const HullSource& a, const HullSource& b, double lengths) {
  const double shortest = std::min(a.shortest, b.shortest);
  return a.is_fit & b.is_fit & (shortest > 0.0) & (shortest >= shortest_share * lengths) &
         (lengths < most_lengths);
}

}  // namespace broadside::detail
