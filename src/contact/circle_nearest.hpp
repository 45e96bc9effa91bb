#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/convex.hpp"
#include "contact/feature.hpp"
#include "contact/order.hpp"
#include "contact/pick.hpp"

namespace broadside::detail {

// How the center of a circle lies to the core of another shape: boxes and lines.

/// The center of a circle in the frame of a core: lengths there are those of the world times the length of
/// the axis, which is squared to `axis2`; corners have to be multiplied by it.
struct CircleCenter {
  Point at;
  double axis2;
  double radius;  ///< of the circle
};

inline constexpr double any_distance = std::numeric_limits<double>::infinity();

/// The way from the nearest point of a core to the center of a circle.
struct NearestOnCore {
  Point way;               ///< of any length but 0; out of the core, where the center is inside
  double length2 = 1.0;    ///< of the way, squared
  double out = 0.0;        ///< how far the center is from the core, times the length; 0 or negative inside
  bool is_corner = false;  ///< the way is all of it, and `out` its square
  double extent = 0.0;     ///< of what of the core was looked at
  std::uint32_t made_by = 0;

  /// Tells whether the core is within a distance, given its square. Without a root, and without a branch on
  /// what is as good as random.
  [[nodiscard]] bool is_within(double distance2) const {
    const bool of_corner = out <= distance2;
    const bool of_face = out * std::abs(out) <= distance2 * length2;
    return (is_corner & of_corner) | (!is_corner & of_face);
  }
};

constexpr std::uint32_t corner_feature(std::size_t corner) {
  return feature(Meeting::corners, corner, 0);
}
constexpr std::uint32_t face_feature(std::size_t face) {
  return feature(Meeting::face_of_a, face, 0);
}

// Boxes.

/// Both faces and corners are numbered counter-clockwise from the lower and the lower left.
constexpr std::uint32_t make_box_feature(bool right, bool up, bool on_x, bool on_y) {
  const std::uint32_t corner = up ? (right ? 2 : 3) : (right ? 1 : 0);
  const std::uint32_t face = on_x ? (right ? 1 : 3) : (up ? 2 : 0);
  return on_x && on_y ? corner_feature(corner) : face_feature(face);
}

/// Looks up what is as good as random: four branches that nobody could foresee.
inline std::uint32_t box_feature(bool right, bool up, bool on_x, bool on_y) {
  static constexpr auto all = [] {
    std::array<std::uint32_t, 16> features{};
    for (std::size_t i = 0; i < features.size(); ++i) {
      features[i] = make_box_feature((i & 1U) != 0, (i & 2U) != 0, (i & 4U) != 0, (i & 8U) != 0);
    }
    return features;
  }();
  return all[std::size_t{right} + 2 * std::size_t{up} + 4 * std::size_t{on_x} + 8 * std::size_t{on_y}];
}

[[gnu::always_inline]] inline NearestOnCore find_nearest(const Box& box, const CircleCenter& center) {
  const Point half{static_cast<double>(box.half_size.x), static_cast<double>(box.half_size.y)};
  const Point out{std::abs(center.at.x) - half.x * center.axis2,
                  std::abs(center.at.y) - half.y * center.axis2};
  const bool right = center.at.x >= 0.0;
  const bool up = center.at.y >= 0.0;
  // What is above 0, without a branch.
  const Point beyond{0.5 * (out.x + std::abs(out.x)), 0.5 * (out.y + std::abs(out.y))};
  const double square = dot(beyond, beyond);
  if (square == 0.0) {
    const double slack = face_slack * std::min(half.x + half.y, center.radius);
    const bool by_y = out.y > out.x + slack;
    const double sign = (by_y ? up : right) ? 1.0 : -1.0;
    return {by_y ? Point{0.0, sign} : Point{sign, 0.0}, 1.0, std::max(out.x, out.y), false, half.x + half.y,
            box_feature(right, up, !by_y, by_y)};
  }
  return {{std::copysign(beyond.x, center.at.x), std::copysign(beyond.y, center.at.y)},
          square,
          square,
          true,
          half.x + half.y,
          box_feature(right, up, out.x > 0.0, out.y > 0.0)};
}

// Lines.

/// A line, and from where on it the center of a circle is seen. All that may be needed is made at once, and
/// picked at the end: it is waiting that takes the time.
struct LineSeen {
  [[gnu::always_inline]] LineSeen(const Vec2& first, const Vec2& second, const CircleCenter& center)
      : edge(to_point(second) - to_point(first)),
        edge2(dot(edge, edge)),
        from_first(center.at - center.axis2 * to_point(first)),
        from_second(center.at - center.axis2 * to_point(second)) {
    const double full = center.axis2 * edge2;
    const double along = dot(edge, from_first);
    is_beyond = along >= full;
    is_end = !(std::min(along, full - along) > 0.0);
  }

  /// Returns the way to the center from the end that is seen.
  [[nodiscard]] Point from() const { return pick(is_beyond, from_first, from_second); }
  [[nodiscard]] double square() const {
    return pick(is_beyond, dot(from_first, from_first), dot(from_second, from_second));
  }

  Point edge;
  double edge2;
  Point from_first;
  Point from_second;
  bool is_beyond;  ///< from its second end
  bool is_end;     ///< from one of its ends
};

[[gnu::always_inline]] inline NearestOnCore find_nearest(const Vec2& first, const Vec2& second,
                                                         const CircleCenter& center) {
  const LineSeen line{first, second, center};
  const double right = cross(line.from_first, line.edge);
  const double side = std::copysign(1.0, right);
  const double square = line.square();
  NearestOnCore nearest;
  nearest.way = pick(line.is_end, {side * line.edge.y, -side * line.edge.x}, line.from());
  nearest.length2 = pick(line.is_end, line.edge2, square);
  nearest.out = pick(line.is_end, std::abs(right), square);
  nearest.is_corner = line.is_end;
  nearest.extent = std::abs(line.edge.x) + std::abs(line.edge.y);
  nearest.made_by =
      pick(line.is_end, face_feature(std::signbit(right) ? 1 : 0), corner_feature(line.is_beyond ? 1 : 0));
  if (!(nearest.length2 > 0.0)) {
    // On the end: the circle leaves across the line; of no length, any way.
    const bool is_point = line.edge2 == 0.0;
    nearest.way = is_point ? Point{1.0, 0.0} : Point{line.edge.y, -line.edge.x};
    nearest.length2 = is_point ? 1.0 : line.edge2;
    nearest.made_by = face_feature(0);
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
