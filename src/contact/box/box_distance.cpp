#include <array>
#include <cmath>

#include "base/select.hpp"
#include "base/tolerances.hpp"
#include "contact/box/box_frames.hpp"
#include "contact/box/box_pair.hpp"

namespace broadside::detail {

namespace {

/// A corner of one box in the frame of the other box, scaled by the length of its axis.
struct SeenCorner {
  Point at;
  Point beyond;     ///< vector from the closest point of that other box
  bool is_closest;  ///< the corner is the point of its own box closest to that point
};

/// Another box in the frame of a box, scaled by the length of its axis.
struct View {
  View(const BoxFrame& box, const BoxFrame& other, Point way_to_other)
      : half(dot(box.axis, box.axis) * Point{box.half_x, box.half_y}),
        way{dot(box.axis, way_to_other), cross(box.axis, way_to_other)},
        axis{dot(box.axis, other.axis), cross(box.axis, other.axis)},
        half_of_other{other.half_x, other.half_y} {}

  [[nodiscard]] SeenCorner see_corner(bool right, bool up) const {
    const Point to_right = sign(!right) * axis;
    const Point to_up = sign(!up) * rotate_ccw(axis);
    const Point at = way + (half_of_other.x * to_right + half_of_other.y * to_up);
    const Point beyond{larger(at.x - half.x, 0.0) - larger(-at.x - half.x, 0.0),
                       larger(at.y - half.y, 0.0) - larger(-at.y - half.y, 0.0)};
    const double most = rounding_of_verdict * length_along_axes(beyond);
    return {at, beyond, larger(dot(beyond, to_right), dot(beyond, to_up)) <= most};
  }

  Point half;
  Point way;
  Point axis;
  Point half_of_other;
};

Point from_frame(const BoxFrame& frame, Point p) {
  return p.x * frame.axis + p.y * rotate_ccw(frame.axis);
}

}  // namespace

bool find_distance(const Box& a, const Transform& at_a, const Box& b, const Transform& at_b,
                   BoxDistance& found) {
  const Boxes boxes{a, at_a, b, at_b};
  if (!is_valid(a) || !is_valid(at_a) || !is_valid(b) || !is_valid(at_b)) {
    return false;
  }
  // An index instead of a branch, as which box comes first cannot be predicted.
  const std::size_t first = is_swapped(boxes, at_a, at_b) ? 1 : 0;
  const std::array frames{&boxes.a, &boxes.b};
  const std::array positions{&at_a.position, &at_b.position};
  const std::array ways{boxes.way, -1.0 * boxes.way};
  const std::array seen_from{boxes.see_from_a(), boxes.see_from_b()};
  const std::size_t second = 1 - first;
  double separation;
  const std::size_t best = find_widest(seen_from[first], seen_from[second], slack_of(boxes), separation);
  const bool touching = separation <= 0.0;
  const bool on_y = (best & 1U) != 0;
  const std::size_t has_face = best >= 2 ? second : first;
  const View view{*frames[has_face], *frames[1 - has_face], ways[has_face]};
  const double outward = sign(!(select(on_y, view.way.x, view.way.y) >= 0.0));
  const Point facing =
      from_frame(*frames[has_face], {select(on_y, outward, 0.0), select(on_y, 0.0, outward)});
  const auto fits = [&](const SeenCorner& seen) {
    return touching ? seen.beyond == Point{} : seen.is_closest;
  };
  // The deepest corner in front of the face, or else the nearest corner of the box with the face.
  SeenCorner seen = view.see_corner(outward * select(on_y, view.axis.x, view.axis.y) < 0.0,
                                    outward * select(on_y, -view.axis.y, view.axis.x) < 0.0);
  std::size_t by = has_face;
  if (!fits(seen)) {
    by = 1 - has_face;
    seen = View{*frames[by], *frames[1 - by], ways[by]}.see_corner(seen.at.x > 0.0, seen.at.y > 0.0);
    if (!fits(seen)) {
      return false;
    }
  }
  const bool is_by_b = by == 1;
  const BoxFrame& box = *frames[by];
  const double length2 = dot(box.axis, box.axis);
  const double beyond2 = dot(seen.beyond, seen.beyond);
  const double square =
      select(touching, beyond2 * length2, dot(frames[has_face]->axis, frames[has_face]->axis));
  if (!(square > 0.0)) {
    return false;  // apart by rounding only
  }
  const double inverse = 1.0 / std::sqrt(square);
  const Point normal =
      inverse * select(touching, sign(is_by_b) * from_frame(box, seen.beyond), sign(has_face == 1) * facing);
  const Point middle = to_point(*positions[by]) + box.center;
  const double unit2 = 1.0 / length2;
  const Point corner = middle + unit2 * from_frame(box, seen.at);
  const Point on_box = middle + unit2 * from_frame(box, seen.at - seen.beyond);
  found = {select(touching, beyond2 * inverse, separation), select(is_by_b, on_box, corner),
           select(is_by_b, corner, on_box), normal, boxes.reach()};
  return true;
}

}  // namespace broadside::detail
