#include "contact/box_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/box_frames.hpp"
#include "contact/feature.hpp"
#include "contact/to_vec2.hpp"

namespace broadside::detail {

namespace {

/// One face of a box. Faces are numbered from the lower, counter-clockwise; face i goes from corner i to i
/// + 1.
struct Side {
  std::size_t index = 0;
  Point normal;        ///< outward
  double half_normal;  ///< half the size along the normal
  double half_along;   ///< half the length of the face
};

Side side_x(const BoxFrame& box, bool right) {
  constexpr std::size_t right_face = 1;
  constexpr std::size_t left_face = 3;
  return {right ? right_face : left_face, right ? box.axis : -1.0 * box.axis, box.half_x, box.half_y};
}

Side side_y(const BoxFrame& box, bool up) {
  constexpr std::size_t upper_face = 2;
  constexpr std::size_t lower_face = 0;
  const Point axis = left_of(box.axis);
  return {up ? upper_face : lower_face, up ? axis : -1.0 * axis, box.half_y, box.half_x};
}

std::size_t next_corner(std::size_t corner) {
  return (corner + 1) & 3U;
}

/// A point of the other box's face, in front of the face that it is clipped at.
struct Cut {
  double along = 0.0;   ///< from the middle of the face, counter-clockwise
  double height = 0.0;  ///< in front of it
  std::uint32_t feature = 0;
};

/// The box whose face is met, and the other one.
struct Clip {
  const BoxFrame& box;
  const BoxFrame& other;
  Point way;       ///< from the box to the other one
  double unit;     ///< 1 / length of the box's axis
  bool is_second;  ///< whether the box is the second of the pair
  Side side;       ///< of the box

  [[nodiscard]] std::uint32_t own(std::size_t corner, std::size_t edge_of_other) const {
    return is_second ? feature(Meeting::face_of_a, edge_of_other, corner)
                     : feature(Meeting::face_of_b, corner, edge_of_other);
  }
  [[nodiscard]] std::uint32_t its(std::size_t corner_of_other) const {
    return is_second ? feature(Meeting::face_of_b, corner_of_other, side.index)
                     : feature(Meeting::face_of_a, side.index, corner_of_other);
  }
};

/// Clips the other box's face that faces `clip.side` to what is in front of it.
///
///        other  ------o=========o------      its face, from high to low
///                     |         |
///                     +---------+            the face, -half to half
///
/// Returns the normal, outward from `clip.box`. Positions are relative to the middle of that box.
/// Source: E. Catto, Contact manifolds, 2007.
Point clip_face(const Clip& clip, std::array<std::pair<Point, Cut>, 2>& kept, std::uint32_t& size) {
  const Point normal = clip.unit * clip.side.normal;
  const Point along = left_of(normal);
  // The axis is not quite of length 1: sizes in front of its face are longer by as much.
  const double length = dot(clip.side.normal, normal);
  const double half_normal = clip.side.half_normal * length;
  const double half_along = clip.side.half_along * length;
  const double on_x = dot(normal, clip.other.axis);
  const double on_y = cross(clip.other.axis, normal);
  const Side facing =
      std::abs(on_x) >= std::abs(on_y) ? side_x(clip.other, on_x < 0.0) : side_y(clip.other, on_y < 0.0);
  const Point middle = clip.way + facing.half_normal * facing.normal;
  const Point half_face = facing.half_along * left_of(facing.normal);
  const auto make_cut = [&](Point at, std::size_t corner) {
    return Cut{dot(at, along), dot(at, normal) - half_normal, clip.its(corner)};
  };
  Cut low = make_cut(middle + half_face, next_corner(facing.index));
  Cut high = make_cut(middle - half_face, facing.index);
  const Cut deepest = high.height < low.height ? high : low;
  if (low.along < high.along && low.along <= half_along && high.along >= -half_along) {
    const double slope = (high.height - low.height) / (high.along - low.along);
    const double low_along = low.along;
    const double low_height = low.height;
    if (low.along < -half_along) {
      low = {-half_along, low_height + slope * (-half_along - low_along),
             clip.own(clip.side.index, facing.index)};
    }
    if (high.along > half_along) {
      high = {half_along, low_height + slope * (half_along - low_along),
              clip.own(next_corner(clip.side.index), facing.index)};
    }
    const auto keep = [&](const Cut& cut) {
      const Point surface = cut.along * along + (half_normal + 0.5 * cut.height) * normal;
      kept[size++] = {surface, cut};
    };
    if (low.height <= 0.0) {
      keep(low);
    }
    if (high.height <= 0.0 && (size == 0 || low.along < high.along)) {
      keep(high);
    }
  }
  if (size == 0) {
    // The deepest corner is not in front of the face.
    const double height = std::min(deepest.height, 0.0);
    kept[size++] = {deepest.along * along + (half_normal + 0.5 * height) * normal,
                    {deepest.along, height, deepest.feature}};
  }
  return normal;
}

/// Tells whether the boxes touch; sets the four separations if so.
bool find_separations(const Boxes& boxes, Separation& on_a, Separation& on_b) {
  on_a = separate(boxes.a, boxes.b, boxes.way);
  if (on_a.x > 0.0 || on_a.y > 0.0) {
    return false;
  }
  on_b = separate(boxes.b, boxes.a, boxes.way);
  if (on_b.x > 0.0 || on_b.y > 0.0) {
    return false;
  }
  // False for NaN, infinity and sizes that are no sizes.
  constexpr double beyond_floats = 1e42;
  const double sum = on_a.x + on_a.y + on_b.x + on_b.y;
  return sum > -beyond_floats &&
         std::min({boxes.a.half_x, boxes.a.half_y, boxes.b.half_x, boxes.b.half_y}) >= 0.0;
}

}  // namespace

Touch touch_boxes(const Box& a, const Transform& at_a, const Box& b, const Transform& at_b) {
  Separation on_a;
  Separation on_b;
  const Boxes boxes{a, at_a, b, at_b};
  const bool touching = find_separations(boxes, on_a, on_b) && are_valid(a, at_a) && are_valid(b, at_b);
  return {touching, std::max({on_a.x, on_a.y, on_b.x, on_b.y}), boxes.reach()};
}

Touch collide_boxes(const Box& a, const Transform& at_a, const Box& b, const Transform& at_b,
                    Manifold& manifold) {
  Boxes boxes{a, at_a, b, at_b};
  Separation on_a;
  Separation on_b;
  if (!find_separations(boxes, on_a, on_b) || !are_valid(a, at_a) || !are_valid(b, at_b)) {
    return {};
  }
  const bool swapped = is_swapped(boxes, at_a, at_b);
  const Point middle =
      swapped ? to_point(at_b.position) + boxes.b.center : to_point(at_a.position) + boxes.a.center;
  if (swapped) {
    std::swap(boxes.a, boxes.b);
    std::swap(on_a, on_b);
    boxes.way = -1.0 * boxes.way;
  }
  const double slack = slack_of(boxes);
  const double unit_a = nearly_unit(boxes.a);
  const double unit_b = nearly_unit(boxes.b);
  const std::array<double, 4> separations{on_a.x * unit_a, on_a.y * unit_a, on_b.x * unit_b, on_b.y * unit_b};
  const std::size_t best = find_widest(separations, slack);
  const bool on_second = best >= 2;
  const BoxFrame& box = on_second ? boxes.b : boxes.a;
  const BoxFrame& other = on_second ? boxes.a : boxes.b;
  const Point way = on_second ? -1.0 * boxes.way : boxes.way;
  const bool on_x = (best & 1U) == 0;
  const Side side = on_x ? side_x(box, dot(way, box.axis) >= 0.0) : side_y(box, cross(box.axis, way) >= 0.0);
  const double unit = 1.0 / std::sqrt(dot(box.axis, box.axis));
  const Clip clip{box, other, way, unit, on_second, side};
  std::array<std::pair<Point, Cut>, 2> kept;
  std::uint32_t size = 0;
  const Point normal = clip_face(clip, kept, size);
  const Point from = on_second ? middle + boxes.way : middle;
  manifold.normal = to_direction(on_second != swapped ? -1.0 * normal : normal);
  manifold.size = size;
  for (std::uint32_t i = 0; i < size; ++i) {
    manifold.points[i] = {to_vec2(from + kept[i].first), to_number(kept[i].second.height),
                          kept[i].second.feature};
  }
  return {true, separations[best], boxes.reach()};
}

}  // namespace broadside::detail
