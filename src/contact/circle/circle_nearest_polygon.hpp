#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/optimize_for_size.hpp"
#include "base/select.hpp"
#include "base/tolerances.hpp"
#include "base/vec2d.hpp"
#include "body/face_prefilter.hpp"
#include "contact/circle/circle_nearest.hpp"
#include "contact/feature.hpp"

namespace broadside::detail {

// The nearest point of a polygon's core to the center of a circle. In a header, because a call would be a
// large part of its time.

/// Finds the face of least penetration for a center inside a polygon. Returns false if that is not certain.
/// @param nearest set if the result is true
inline bool find_exit_face(const Polygon& polygon, const CircleCenter& center, NearestOnCore& nearest) {
  const FacePrefilter::Place place = FacePrefilter::place(polygon, center.at);
  if (!place.is_inside || !(std::fabs(center.axis2[0] - 1.0) < rotation_slack)) {
    return false;
  }
  const auto* corners = FacePrefilter::corners_around(polygon, place.face);
  const Vec2d start{corners[1][0], corners[1][1]};
  const Vec2d edge = Vec2d{corners[2][0], corners[2][1]} - start;
  nearest = {rotate_cw(edge),
             both_dot(edge, edge),
             both(cross(center.at - center.axis2 * start, edge)),
             Vec2dMask{},
             both(static_cast<double>(FacePrefilter::largest(polygon))),
             face_feature(place.face)};
  return true;
}

/// Tests all faces: exact if the products are.
inline NearestOnCore find_nearest_of_all(const Polygon& polygon, const CircleCenter& center) {
  NearestOnCore nearest;
  if (!optimize_for_size && find_exit_face(polygon, center, nearest)) {
    return nearest;
  }
  const std::span<const Vec2> vertices = polygon.vertices();
  const std::size_t size = vertices.size();
  Vec2d farthest{};
  double most = 0.0;
  for (const Vec2 vertex : vertices) {
    const Vec2d way = absolute(to_vec2d(vertex) - to_vec2d(vertices[0]));
    farthest = way[0] + way[1] > most ? way : farthest;
    most = farthest[0] + farthest[1];
  }
  const double slack = face_slack * std::min(most, center.radius);
  bool is_inside = true;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t end = i + 1 == size ? 0 : i + 1;
    const Vec2d edge = to_vec2d(vertices[end]) - to_vec2d(vertices[i]);
    const double out = cross(center.at - center.axis2 * to_vec2d(vertices[i]), edge);
    if (out > 0.0) {
      NearestOnCore on_edge = find_nearest(vertices[i], vertices[end], center);
      if (is_inside || on_edge.out[0] * on_edge.out[0] * nearest.length2[0] <
                           nearest.out[0] * nearest.out[0] * on_edge.length2[0]) {
        on_edge.feature_bits_of = on_edge.feature_bits_of == corner_feature(0)   ? corner_feature(i)
                                  : on_edge.feature_bits_of == corner_feature(1) ? corner_feature(end)
                                                                                 : face_feature(i);
        nearest = on_edge;
      }
      is_inside = false;
    } else if (is_inside) {
      const double length2 = dot(edge, edge);
      if (i == 0 || out > (nearest.out[0] / std::sqrt(nearest.length2[0]) + slack) * std::sqrt(length2)) {
        nearest = {rotate_cw(edge), both(length2), both(out), Vec2dMask{}, farthest, face_feature(i)};
      }
    }
  }
  return nearest;
}

/// The center of a circle in the frame of a polygon, rounded to float, in all four lanes.
struct RoughCenter {
  /// Computes the frame from fewer numbers if the center is at the position of the transform, the most
  /// frequent case: the search for the face, on the critical path, starts sooner.
  [[gnu::always_inline]] RoughCenter(const Transform& at_polygon, const Circle& circle,
                                     const Transform& at_circle, const CircleCenter& center) {
    if (std::bit_cast<std::uint64_t>(circle.center) == 0) {
      const FourFloats frame = first_four(at_polygon);
      const FourFloats way = first_four(at_circle) - frame;
      const FourFloats way_x = __builtin_shufflevector(way, way, 0, 0, 0, 0);
      const FourFloats way_y = __builtin_shufflevector(way, way, 1, 1, 1, 1);
      const FourFloats cos = __builtin_shufflevector(frame, frame, 2, 2, 2, 2);
      const FourFloats sin = __builtin_shufflevector(frame, frame, 3, 3, 3, 3);
      x = cos * way_x + sin * way_y;
      y = cos * way_y - sin * way_x;
    } else {
      x = FourFloats{} + static_cast<float>(center.at[0]);
      y = FourFloats{} + static_cast<float>(center.at[1]);
    }
  }

  FourFloats x;
  FourFloats y;
};

/// Finds the nearest point on the face that has the center furthest in front, or at an end of it. At an end,
/// the center must be beyond the end of the neighboring face as well; otherwise the guessed face is wrong,
/// and `is_known` is false.
[[gnu::always_inline]] inline NearestOnCore find_nearest(const Polygon& polygon, const CircleCenter& center,
                                                         const RoughCenter& rough) {
  const std::size_t face = FacePrefilter::nearest(polygon, rough.x, rough.y);
  const auto* corners = FacePrefilter::corners_around(polygon, face);
  const auto corner = [&](std::size_t number) { return Vec2d{corners[number][0], corners[number][1]}; };
  const Vec2d start = corner(1);
  const Vec2d end = corner(2);
  const Vec2d edge = end - start;
  const Vec2d from_start = center.at - center.axis2 * start;
  const Vec2d from_end = center.at - center.axis2 * end;
  const Vec2dMask is_beyond = as_mask(both_dot(edge, from_end) >= 0.0);
  const Vec2dMask is_between = as_mask(both_dot(edge, from_start) > 0.0) & ~is_beyond;
  const Vec2d from = select(is_beyond, from_end, from_start);
  const Vec2d neighbor = select(is_beyond, corner(3) - end, corner(0) - start);
  const Vec2d way = select(is_between, rotate_cw(edge), from);
  const Vec2d out = both_dot(way, from);  // for a corner, its square: 0 at the corner itself
  const Vec2dMask is_past_both = as_mask(both_dot(neighbor, from) <= 0.0);
  const std::size_t number = face + as_number(is_beyond);
  return {way,
          both_dot(way, way),
          out,
          ~is_between,
          both(static_cast<double>(FacePrefilter::largest(polygon))),
          line_feature(is_between, number == polygon.vertices().size() ? 0 : number),
          as_mask(out > 0.0) & (is_between | is_past_both)};
}

}  // namespace broadside::detail
