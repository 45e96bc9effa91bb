#include <array>
#include <cmath>

#include "base/select.hpp"
#include "base/tolerances.hpp"
#include "contact/box/box_frames.hpp"
#include "contact/box/box_pair.hpp"

namespace broadside::inline v0_2::detail {

namespace {

/// A corner of one box in the frame of the other box, scaled by the length of its axis.
struct CornerInFrame {
  Point at;
  Point from_closest;  ///< vector from the closest point of that other box
  bool is_closest;     ///< the corner is the point of its own box closest to that point
};

/// Another box in the frame of a box, scaled by the length of its axis.
struct View {
  View(const BoxFrame& box, const BoxFrame& other, Point offset_to_other)
      : half(dot(box.axis, box.axis) * Point{box.half_x, box.half_y}),
        offset{dot(box.axis, offset_to_other), cross(box.axis, offset_to_other)},
        axis{dot(box.axis, other.axis), cross(box.axis, other.axis)},
        half_of_other{other.half_x, other.half_y} {}

  [[nodiscard]] CornerInFrame corner_in_frame(bool right, bool up) const {
    const Point to_right = sign(!right) * axis;
    const Point to_up = sign(!up) * rotate_ccw(axis);
    const Point at = offset + (half_of_other.x * to_right + half_of_other.y * to_up);
    const Point from_closest{larger(at.x - half.x, 0.0) - larger(-at.x - half.x, 0.0),
                             larger(at.y - half.y, 0.0) - larger(-at.y - half.y, 0.0)};
    const double tolerance = rounding_of_verdict * length_along_axes(from_closest);
    return {at, from_closest, larger(dot(from_closest, to_right), dot(from_closest, to_up)) <= tolerance};
  }

  Point half;
  Point offset;
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
  const std::array offsets{boxes.offset, -1.0 * boxes.offset};
  const std::array in_frame{boxes.b_in_frame_of_a(), boxes.a_in_frame_of_b()};
  const std::size_t second = 1 - first;
  double separation;
  const std::size_t best =
      find_max_separation(in_frame[first], in_frame[second], slack_of(boxes), separation);
  const bool touching = separation <= 0.0;
  const bool on_y = (best & 1U) != 0;
  const std::size_t has_face = best >= 2 ? second : first;
  const View view{*frames[has_face], *frames[1 - has_face], offsets[has_face]};
  const double outward = sign(!(select(on_y, view.offset.x, view.offset.y) >= 0.0));
  const Point facing =
      from_frame(*frames[has_face], {select(on_y, outward, 0.0), select(on_y, 0.0, outward)});
  const auto fits = [&](const CornerInFrame& placed) {
    return touching ? placed.from_closest == Point{} : placed.is_closest;
  };
  // The deepest corner in front of the face, or else the nearest corner of the box with the face.
  CornerInFrame placed = view.corner_in_frame(outward * select(on_y, view.axis.x, view.axis.y) < 0.0,
                                              outward * select(on_y, -view.axis.y, view.axis.x) < 0.0);
  std::size_t by = has_face;
  if (!fits(placed)) {
    by = 1 - has_face;
    placed =
        View{*frames[by], *frames[1 - by], offsets[by]}.corner_in_frame(placed.at.x > 0.0, placed.at.y > 0.0);
    if (!fits(placed)) {
      return false;
    }
  }
  const bool is_by_b = by == 1;
  const BoxFrame& box = *frames[by];
  const double length2 = dot(box.axis, box.axis);
  const double distance2 = dot(placed.from_closest, placed.from_closest);
  const double square =
      select(touching, distance2 * length2, dot(frames[has_face]->axis, frames[has_face]->axis));
  if (!(square > 0.0)) {
    return false;  // apart by rounding only
  }
  const double inverse = 1.0 / std::sqrt(square);
  const Point normal = inverse * select(touching, sign(is_by_b) * from_frame(box, placed.from_closest),
                                        sign(has_face == 1) * facing);
  const Point middle = to_point(*positions[by]) + box.center;
  const double unit2 = 1.0 / length2;
  const Point corner = middle + unit2 * from_frame(box, placed.at);
  const Point on_box = middle + unit2 * from_frame(box, placed.at - placed.from_closest);
  found = {select(touching, distance2 * inverse, separation), select(is_by_b, on_box, corner),
           select(is_by_b, corner, on_box), normal, boxes.reach()};
  return true;
}

}  // namespace broadside::inline v0_2::detail
