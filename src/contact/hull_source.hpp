#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/frame.hpp"
#include "contact/hull_faces.hpp"
#include "contact/pick.hpp"
#include "contact/two.hpp"

namespace broadside::detail {

inline bool is_rigid(Point axis) {
  return std::fabs(dot(axis, axis) - 1.0) < most_stretch;
}

/// Returns a unit vector, from one that is rigid: by the first two terms of its series.
inline Point unit(Point axis) {
  return (1.5 - 0.5 * dot(axis, axis)) * axis;
}

/// Makes it of a line (local).
[[gnu::always_inline]] inline HullSource of_line(Vec2 a, Vec2 b, double radius, const Transform& at,
                                                 Point offset) {
  const Point start = rotate(at.rotation, to_point(a)) + offset;
  const Point end = rotate(at.rotation, to_point(b)) + offset;
  const Point edge = end - start;
  const double along_axes = length_along_axes(edge);
  constexpr double least_square =
      std::numeric_limits<double>::min();  // of a line of no length, which is not fit
  const double length2 = std::max(dot(edge, edge), least_square);
  return {.kind = HullSource::Kind::line,
          .size = 2,
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

[[gnu::always_inline]] inline HullSource HullSource::of(const Capsule& capsule, const Transform& at,
                                                        Point offset) {
  return of_line(capsule.a, capsule.b, static_cast<double>(capsule.radius), at, offset);
}

[[gnu::always_inline]] inline HullSource HullSource::of(const Segment& segment, const Transform& at,
                                                        Point offset) {
  return of_line(segment.a, segment.b, 0.0, at, offset);
}

[[gnu::always_inline]] inline HullSource HullSource::of(const Box& box, const Transform& at, Point offset) {
  const auto half_x = static_cast<double>(box.half_size.x);
  const auto half_y = static_cast<double>(box.half_size.y);
  const Frame frame = frame_of(box, at.rotation);
  const Point center = frame.center + offset;
  return {.kind = Kind::box,
          .size = 4,
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
          .is_fit = is_unit(at.rotation) && is_rigid(frame.axis)};
}

[[gnu::always_inline]] inline HullSource HullSource::of(const Polygon& polygon, const Transform& at,
                                                        Point offset) {
  const Polygon::Data& data = *polygon.data_;
  const Point turn{static_cast<double>(at.rotation.cos), static_cast<double>(at.rotation.sin)};
  const auto radius = static_cast<double>(data.radius);
  const double far_out = length_along_axes(offset);
  return {.kind = Kind::polygon,
          .size = data.size,
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
          .is_fit = is_rigid(turn) && far_out <= data.sound_within};
}

[[gnu::always_inline]] inline HullSource HullSource::of(const Shape& shape, const Transform& at, Two anchor) {
  const Point offset = to_point(to_two(at.position) - anchor);
  if (const Box* box = std::get_if<Box>(&shape)) {
    return HullSource::of(*box, at, offset);
  }
  if (const Polygon* polygon = std::get_if<Polygon>(&shape)) {
    return HullSource::of(*polygon, at, offset);
  }
  if (const Capsule* capsule = std::get_if<Capsule>(&shape)) {
    return HullSource::of(*capsule, at, offset);
  }
  return HullSource::of(*std::get_if<Segment>(&shape), at, offset);
}

}  // namespace broadside::detail
