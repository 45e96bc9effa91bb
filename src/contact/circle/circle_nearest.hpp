#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/select.hpp"
#include "base/tolerances.hpp"
#include "base/vec2d.hpp"
#include "body/convex.hpp"
#include "contact/feature.hpp"

namespace broadside::detail {

// The nearest point of a core to the center of a circle: boxes and lines.

/// The center of a circle in the frame of a core. Lengths in the frame are scaled by the length of the axis;
/// local corners have to be multiplied by its square, `axis2`.
struct CircleCenter {
  Vec2d at;
  Vec2d axis2;    ///< in both lanes
  double radius;  ///< of the circle
};

/// The vector from the nearest point of a core to the center of a circle. Values that are compared are in
/// both lanes.
struct NearestOnCore {
  Vec2d way{};            ///< of any length except 0; points out of the core if the center is inside
  Vec2d length2{};        ///< of `way`, squared
  Vec2d out{};            ///< distance from the core to the center times |way|; 0 or negative inside
  Vec2dMask is_corner{};  ///< `way` reaches from the nearest point to the center, and `out` is its square
  Vec2d extent{};         ///< size of the tested part of the core, on both axes
  std::uint32_t feature_bits_of = 0;
  Vec2dMask is_known = ~Vec2dMask{};  ///< false: all faces have to be tested

  /// Returns whether the core is within a distance, given its square. Without a root, and branch-free, as the
  /// result cannot be predicted.
  [[nodiscard]] bool is_within(Vec2d distance2) const {
    const Vec2dMask of_corner = as_mask(out <= distance2);
    const Vec2dMask of_face = as_mask(out * absolute(out) <= distance2 * length2);
    return holds((is_corner & of_corner) | (~is_corner & of_face));
  }
};

constexpr std::uint32_t corner_feature(std::size_t corner) {
  return feature(Meeting::corners, corner, 0);
}
constexpr std::uint32_t face_feature(std::size_t face) {
  return feature(Meeting::face_of_a, face, 0);
}
/// Returns the feature of a face, or else of a corner, by its index.
inline std::uint32_t line_feature(Vec2dMask is_face, std::size_t number) {
  static_assert(corner_feature(0) == 0);
  return corner_feature(number) + face_feature(0) * as_number(is_face);
}

// Boxes.

/// Faces and corners are numbered counter-clockwise from the lower face and the lower left corner.
constexpr std::uint32_t make_box_feature(bool right, bool up, bool on_x, bool on_y) {
  const std::uint32_t corner = up ? (right ? 2 : 3) : (right ? 1 : 0);
  const std::uint32_t face = on_x ? (right ? 1 : 3) : (up ? 2 : 0);
  return on_x && on_y ? corner_feature(corner) : face_feature(face);
}

/// Looks up the feature in a table: otherwise it would take four unpredictable branches.
/// @param is_positive whether the center is to the right, and whether it is above
/// @param is_on whether x, and whether y, determined the nearest point
inline std::uint32_t box_feature(Vec2dBits is_positive, Vec2dBits is_on) {
  static constexpr auto all = [] {
    std::array<std::uint32_t, 16> features{};
    for (std::size_t i = 0; i < features.size(); ++i) {
      features[i] = make_box_feature((i & 1U) != 0, (i & 2U) != 0, (i & 4U) != 0, (i & 8U) != 0);
    }
    return features;
  }();
  const Vec2dBits bits = (is_positive & Vec2dBits{1, 2}) | (is_on & Vec2dBits{4, 8});
  return all[static_cast<std::size_t>(bits[0] | bits[1])];
}

[[gnu::always_inline]] inline NearestOnCore find_nearest(const Box& box, const CircleCenter& center) {
  const Vec2d half = to_vec2d(box.half_size);
  const Vec2d out = absolute(center.at) - half * center.axis2;
  const Vec2dBits is_positive = center.at >= 0.0;
  const Vec2d beyond = larger(out, Vec2d{});
  const Vec2d square = both_dot(beyond, beyond);
  if (square[0] == 0.0) {
    const double slack = face_slack * std::min(half[0] + half[1], center.radius);
    const Vec2dBits by_y = both_second(out) > both_first(out) + slack;
    const Vec2dBits on{~by_y[0], by_y[1]};
    const Vec2d outward = on ? (is_positive ? both(1.0) : both(-1.0)) : Vec2d{};
    return {outward,     both(1.0), larger(both_first(out), both_second(out)),
            Vec2dMask{}, half,      box_feature(is_positive, on)};
  }
  return {flip_signs(center.at, beyond),      square, square, ~Vec2dMask{}, half,
          box_feature(is_positive, out > 0.0)};
}

// Lines.

/// A line, and the part of it that is nearest to the center of a circle. Everything that may be needed is
/// computed at once, and selected at the end: latency is what costs time.
struct LineSeen {
  [[gnu::always_inline]] LineSeen(Vec2d first, Vec2d second, const CircleCenter& center)
      : start(first), end(second), edge(end - start), edge2(both_dot(edge, edge)), right(rotate_cw(edge)) {
    const Vec2d from_start = center.at - center.axis2 * start;
    const Vec2d from_end = center.at - center.axis2 * end;
    out = both_dot(right, from_start);
    is_beyond = as_mask(both_dot(edge, from_end) >= 0.0);
    is_between = as_mask(both_dot(edge, from_start) > 0.0) & ~is_beyond;
    from = select(is_beyond, from_end, from_start);
    square = select(is_beyond, both_dot(from_end, from_end), both_dot(from_start, from_start));
  }

  // Values that are compared are in both lanes.
  Vec2d start;
  Vec2d end;
  Vec2d edge;
  Vec2d edge2;
  Vec2d right;           ///< perpendicular to the edge, to its right, of the same length
  Vec2d out;             ///< distance of the center to the right, scaled by the length of the edge
  Vec2dMask is_beyond;   ///< the end is nearest
  Vec2dMask is_between;  ///< neither end is nearest
  Vec2d from;            ///< vector to the center, from the nearest end
  Vec2d square;          ///< squared length of `from`
};

[[gnu::always_inline]] inline NearestOnCore find_nearest(const Vec2& first, const Vec2& second,
                                                         const CircleCenter& center) {
  const LineSeen line{to_vec2d(first), to_vec2d(second), center};
  const Vec2dMask is_left = as_mask(line.out < 0.0);
  // The second of two faces, or of two corners: beyond an end, no face is nearest.
  const Vec2dMask is_second = line.is_beyond | (line.is_between & is_left);
  NearestOnCore nearest{
      select(line.is_between, flip_signs(reinterpret_cast<Vec2d>(is_left), line.right), line.from),
      select(line.is_between, line.edge2, line.square),
      select(line.is_between, absolute(line.out), line.square),
      ~line.is_between,
      absolute(line.edge),
      line_feature(line.is_between, as_number(is_second))};
  if (!(nearest.length2[0] > 0.0)) {
    // The center is on an end: the normal is perpendicular to the line, or any direction if its length is 0.
    const bool is_point = line.edge2[0] == 0.0;
    nearest.way = is_point ? Vec2d{1.0, 0.0} : line.right;
    nearest.length2 = is_point ? both(1.0) : line.edge2;
    nearest.feature_bits_of = face_feature(0);
  }
  return nearest;
}

[[gnu::always_inline]] inline NearestOnCore find_nearest(const Capsule& capsule, const CircleCenter& center) {
  return find_nearest(capsule.a, capsule.b, center);
}
[[gnu::always_inline]] inline NearestOnCore find_nearest(const Segment& segment, const CircleCenter& center) {
  return find_nearest(segment.a, segment.b, center);
}

}  // namespace broadside::detail
