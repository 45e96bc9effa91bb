#include "contact/hull_cast.hpp"

#include <algorithm>
#include <cmath>

#include "contact/hull_faces.hpp"
#include "contact/order.hpp"
#include "contact/pick.hpp"
#include "contact/touch.hpp"

namespace broadside::detail {

namespace {

Point point(const HullFaces& faces, std::size_t number) {
  return {faces.x[number], faces.y[number]};
}

/// Two shapes in the order of `Placed`, the first of which moves.
class HullCast {
 public:
  HullCast(const Shape& a, const Transform& at_a, Point motion, const Shape& b, const Transform& at_b)
      : order_(order_of(a, at_a, b, at_b)),
        swapped_(order_ < 0.0),
        anchor_(anchor_of(to_two(at_a.position), to_two(at_b.position))),
        motion_(sign(swapped_) * motion),
        cores_{HullSource::of(*std::array{&a, &b}[swapped_], *std::array{&at_a, &at_b}[swapped_], anchor_),
               HullSource::of(*std::array{&b, &a}[swapped_], *std::array{&at_b, &at_a}[swapped_], anchor_)},
        radius_(cores_[0].radius + cores_[1].radius),
        lengths_(cores_[0].reach + cores_[1].reach + length_along_axes(motion)),
        clear_(clear_share * (lengths_ + reach_of(at_a, at_b))) {}

  Answer find(CastHit& hit) {
    const double shortest = std::min(cores_[0].shortest, cores_[1].shortest);
    if (!(cores_[0].is_fit & cores_[1].is_fit & (order_ != 0.0) & (shortest > 0.0) &
          (shortest >= shortest_share * lengths_) & (lengths_ < most_lengths))) {
      return Answer::unsure;
    }
    find_entrance(cores_, motion_, clear_, faces_, entrance_);
    if (entrance_.passes) {
      return Answer::apart;
    }
    const Answer answer = entrance_.time > 0.0 ? enter() : Answer::unsure;
    if (answer == Answer::touching) {
      const Point moved = pick(swapped_, 0.0, found_.time) * (sign(swapped_) * motion_);
      hit = {to_time(found_.time), to_direction(sign(swapped_) * found_.normal),
             to_vec2(to_point(anchor_) + (found_.point + moved))};
    }
    return answer;
  }

 private:
  // Of the numbers: a length that is clear of rounding.
  static constexpr double clear_share = 1e-8;

  [[nodiscard]] Point corner_after(std::size_t core, std::size_t number) const {
    return point(faces_[core], number + 1 == cores_[core].size ? 0 : number + 1);
  }
  [[nodiscard]] Point corner_before(std::size_t core, std::size_t number) const {
    return point(faces_[core], (number == 0 ? cores_[core].size : number) - 1);
  }

  /// Finds what is hit where the last face in the way is reached: see `meet_entry` of cast.cpp, which is less
  /// in a hurry.
  Answer enter() {
    const std::size_t on_b = entrance_.on_b ? 1 : 0;
    const Point start = point(faces_[on_b], entrance_.face);
    const Point end = corner_after(on_b, entrance_.face);
    const Point edge = end - start;
    const Point right{edge.y, -edge.x};
    const double length2 = dot(edge, edge);
    const double length = std::sqrt(length2);
    const Point corner = point(faces_[1 - on_b], entrance_.corner);
    const Point motion = sign(entrance_.on_b) * motion_;
    const double nearing = dot(right, motion);
    const double gap = dot(right, corner - start) - radius_ * length;
    // Nearly along the face, little of a gap takes long.
    constexpr double least_sine = 1e-3;
    if (!(gap > clear_ * length) || !(nearing > least_sine * length * length_along_axes(motion))) {
      return Answer::unsure;
    }
    found_.time = gap / nearing;
    if (found_.time > 1.0) {
      return Answer::unsure;  // by no more than rounding, else a face would part the two to the end
    }
    found_.normal = (sign(entrance_.on_b) / length) * right;
    const double along = dot(edge, (corner - found_.time * motion) - start);
    const double rounding = clear_ * length;
    if ((along > rounding) & (along < length2 - rounding)) {
      found_.point = entrance_.on_b ? corner + found_.time * motion_ + cores_[0].radius * found_.normal
                                    : corner - cores_[1].radius * found_.normal;
      return Answer::touching;
    }
    if ((along >= -rounding) & (along <= length2 + rounding)) {
      return Answer::unsure;
    }
    return pass_beside(along > 0.0, start, end, right, corner);
  }

  /// Does it where the deepest corner comes to the line of a face beside its end: what is left is to hit that
  /// end, or its round.
  Answer pass_beside(bool beside_end, Point start, Point end, Point right, Point corner) {
    constexpr double parallel = 1e-6;
    const std::size_t on_b = entrance_.on_b ? 1 : 0;
    const double length2 = dot(right, right);
    const auto rises = [&](Point edge, double sign) {
      const double out = sign * dot(right, edge);
      return out > 0.0 && out * out > parallel * parallel * length2 * dot(edge, edge);
    };
    const Point side = beside_end ? end : start;
    const Point neighbor = beside_end ? corner_after(on_b, (entrance_.face + 1) % cores_[on_b].size)
                                      : corner_before(on_b, entrance_.face);
    const bool is_line = cores_[on_b].size == 2;
    if (!rises(corner_after(1 - on_b, entrance_.corner) - corner, 1.0) ||
        !rises(corner_before(1 - on_b, entrance_.corner) - corner, 1.0) ||
        !(is_line || rises(neighbor - side, -1.0))) {
      return Answer::unsure;
    }
    if (radius_ == 0.0) {
      return Answer::apart;
    }
    if (!(radius_ > clear_)) {
      return Answer::unsure;
    }
    const Point target = pick(entrance_.on_b, corner, side);
    const std::optional<ConvexHit> hit =
        cast_point(pick(entrance_.on_b, side, corner), motion_, target, radius_);
    if (!hit) {
      return Answer::apart;
    }
    found_ = *hit;
    found_.point = target - cores_[1].radius * found_.normal;
    return Answer::touching;
  }

  double order_;  ///< above 0 where a is the first, below 0 where it is the second; 0 where neither tells
  bool swapped_;
  Two anchor_;
  Point motion_;
  HullSource cores_[2];
  double radius_;
  double lengths_;
  double clear_;
  HullFaces faces_[2];
  Entrance entrance_;
  ConvexHit found_;
};

}  // namespace

Answer cast_hulls(const Shape& a, const Transform& at_a, Point motion, const Shape& b, const Transform& at_b,
                  CastHit& hit) {
  return are_lines(a, b) ? Answer::unsure : HullCast(a, at_a, motion, b, at_b).find(hit);
}

}  // namespace broadside::detail
