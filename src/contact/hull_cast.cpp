#include "contact/hull_cast.hpp"

#include <algorithm>
#include <cmath>

#include "contact/hull_source.hpp"
#include "contact/order.hpp"
#include "contact/to_vec2.hpp"
#include "contact/touch.hpp"

namespace broadside::detail {

namespace {

[[gnu::always_inline]] inline HullSource source_of(const Standing& standing, Point anchor) {
  if (const Box* box = std::get_if<Box>(standing.shape)) {
    return HullSource::of(*box, *standing.at, anchor);
  }
  if (const Polygon* polygon = std::get_if<Polygon>(standing.shape)) {
    return HullSource::of(*polygon, *standing.at, anchor);
  }
  return HullSource::of_line(*standing.shape, *standing.at, anchor);
}

bool is_line(const HullSource& core) {
  return core.size == 2;
}

/// Two shapes in the order of `Placed`, around the same anchor; the first moves. What cannot be guessed is an
/// index here, not a branch.
class HullCast {
 public:
  HullCast(const Standing& a, const Standing& b, bool swapped, Point motion)
      : swapped_(swapped),
        anchor_(to_point(anchor_of(to_two(a.at->position), to_two(b.at->position)))),
        motion_(sign(swapped) * motion),
        cores_{source_of(a, anchor_), source_of(b, anchor_)},
        radius_(cores_[0].radius + cores_[1].radius),
        lengths_(cores_[0].reach + cores_[1].reach + length_along_axes(motion)),
        clear_(clear_share * (lengths_ + reach_of(*a.at, *b.at))) {}

  Answer find(CastHit& hit) {
    if (!are_fit(cores_[0], cores_[1], lengths_)) {
      return Answer::unsure;
    }
    if (is_line(cores_[0]) && is_line(cores_[1])) {
      find_entrance_of_lines();
    } else {
      find_entrance(cores_, motion_, clear_, faces_, entrance_);
    }
    if (entrance_.passes) {
      return Answer::apart;
    }
    const Answer answer = enter();
    if (answer == Answer::touching) {
      const Point moved = pick(swapped_, 0.0, -found_.time) * motion_;
      hit = {to_time(found_.time), to_direction(sign(swapped_) * found_.normal),
             to_vec2(anchor_ + (found_.point + moved))};
    }
    return answer;
  }

 private:
  // Of the numbers: a length that is clear of rounding.
  static constexpr double clear_share = 1e-8;

  [[nodiscard]] std::size_t after(std::size_t core, std::size_t corner) const {
    return corner + 1 == cores_[core].size ? 0 : corner + 1;
  }
  [[nodiscard]] std::size_t before(std::size_t core, std::size_t corner) const {
    return (corner == 0 ? cores_[core].size : corner) - 1;
  }

  /// What a line tells of another that comes nearer to one of its sides.
  struct Side {
    bool is_left;
    bool at_end;  ///< the deepest corner is where the other line ends
    double gap;
    double nearing;
    bool passes;  ///< the side, or the one behind, keeps the two apart all the way
  };

  [[nodiscard]] Side see_from(std::size_t core) const {
    const HullSource& line = cores_[core];
    const HullSource& other = cores_[1 - core];
    const Point right{line.axis.y, -line.axis.x};
    const double to_right = dot(right, sign(core == 1) * motion_);
    const bool is_left = to_right < 0.0;
    const double unit = sign(is_left) * line.inverse_length;
    const double to_start = unit * dot(right, other.origin - line.origin);
    const double to_end = unit * dot(right, other.way - line.origin);
    const double gap = std::min(to_start, to_end) - radius_;
    const double nearing = unit * to_right;
    const double behind = -std::max(to_start, to_end) - radius_;
    const bool at_end = to_end < to_start - share_of_clear * clear_;
    const bool passes = std::max(gap - nearing, behind) > clear_;
    return {is_left, at_end, gap, nearing, passes};
  }

  /// Does what `find_entrance` does, for two lines: only one side of each can be nearer in the end.
  void find_entrance_of_lines() {
    for (std::size_t i = 0; i < 2; ++i) {
      faces_[i].x[0] = cores_[i].origin.x;
      faces_[i].y[0] = cores_[i].origin.y;
      faces_[i].x[1] = cores_[i].way.x;
      faces_[i].y[1] = cores_[i].way.y;
    }
    const Side sides[] = {see_from(0), see_from(1)};
    entrance_.passes = sides[0].passes | sides[1].passes;
    // Which is reached later, told without divisions: all that follows would wait for them. As `is_later`.
    const double later = sides[1].gap * sides[0].nearing - sides[0].gap * sides[1].nearing;
    entrance_.on_b =
        later * length_along_axes(motion_) > share_of_clear * clear_ * (sides[0].nearing * sides[1].nearing);
    const Side& last = sides[entrance_.on_b];
    entrance_.face = last.is_left ? 1 : 0;
    entrance_.corner = last.at_end ? 1 : 0;
  }

  /// Finds what is hit where the last face in the way is reached: does what `meet_entry` of cast.cpp does,
  /// where rounding is little beside all that counts.
  Answer enter() {
    const std::size_t core = entrance_.on_b ? 1 : 0;
    const Point start = point(faces_[core], entrance_.face);
    const Point edge = point(faces_[core], after(core, entrance_.face)) - start;
    const Point right{edge.y, -edge.x};
    const double length2 = dot(edge, edge);
    const double length = std::sqrt(length2);
    const Point corner = point(faces_[1 - core], entrance_.corner);
    const double nearing = dot(right, sign(entrance_.on_b) * motion_);
    const double gap = dot(right, corner - start) - radius_ * length;
    // Nearly along the face, little of a gap takes long.
    constexpr double least_sine = 1e-3;
    if (!(gap > clear_ * length) || !(nearing > least_sine * length * length_along_axes(motion_))) {
      return Answer::unsure;
    }
    found_.time = gap / nearing;
    if (found_.time > 1.0) {
      return Answer::unsure;  // by no more than rounding, else a face would part the two to the end
    }
    found_.normal = (sign(entrance_.on_b) / length) * right;
    const double along = along_at_hit(start, edge, corner);
    const double rounding = clear_ * length;
    if ((along > rounding) & (along < length2 - rounding)) {
      return meet(corner);
    }
    if ((along >= -rounding) & (along <= length2 + rounding)) {
      return Answer::unsure;
    }
    return pass_beside(along > 0.0, start, edge);
  }

  /// Returns how far along a face a corner of the other core is when it is hit, times the length of the face.
  [[nodiscard]] double along_at_hit(Point start, Point edge, Point corner) const {
    return dot(edge, (corner - (found_.time * sign(entrance_.on_b)) * motion_) - start);
  }

  /// Fills in where a corner hits the face.
  Answer meet(Point corner) {
    found_.point = entrance_.on_b ? corner + found_.time * motion_ + cores_[0].radius * found_.normal
                                  : corner - cores_[1].radius * found_.normal;
    return Answer::touching;
  }

  /// Does it where the deepest corner comes to the line of a face beside its end: what is left is to hit that
  /// end, or its round.
  Answer pass_beside(bool beside_end, Point start, Point edge) {
    // Edges that are nearly in line with the face make it longer.
    constexpr double parallel = 1e-3;
    const std::size_t core = entrance_.on_b ? 1 : 0;
    const std::size_t other = 1 - core;
    const Point right{edge.y, -edge.x};
    const double length2 = dot(edge, edge);
    const auto leaves = [&](Point way, double outward) {
      const double out = outward * dot(right, way);
      return out > 0.0 && out * out > parallel * parallel * length2 * dot(way, way);
    };
    const Point corner = point(faces_[other], entrance_.corner);
    for (const std::size_t number : {before(other, entrance_.corner), after(other, entrance_.corner)}) {
      const Point neighbor = point(faces_[other], number);
      if (!leaves(neighbor - corner, 1.0)) {
        return meet_flat(start, edge, corner, neighbor);
      }
    }
    const std::size_t end_number = beside_end ? after(core, entrance_.face) : entrance_.face;
    const Point end = point(faces_[core], end_number);
    const Point beyond = point(faces_[core], beside_end ? after(core, end_number) : before(core, end_number));
    if (!is_line(cores_[core]) && !leaves(beyond - end, -1.0)) {
      return Answer::unsure;
    }
    if (radius_ == 0.0) {
      return Answer::apart;
    }
    if (!(radius_ > clear_)) {
      return Answer::unsure;
    }
    const Point target = pick(entrance_.on_b, corner, end);
    const std::optional<ConvexHit> hit =
        cast_point(pick(entrance_.on_b, end, corner), motion_, target, radius_);
    if (!hit) {
      return Answer::apart;
    }
    found_ = *hit;
    found_.point = target - cores_[1].radius * found_.normal;
    return Answer::touching;
  }

  /// Does it where an edge comes flat onto the face: its other end may be beside the end of the face as well.
  Answer meet_flat(Point start, Point edge, Point corner, Point neighbor) {
    const Point right{edge.y, -edge.x};
    const double length2 = dot(edge, edge);
    const double rounding = clear_ * std::sqrt(length2);
    const double along = along_at_hit(start, edge, neighbor);
    const bool is_flat = std::abs(dot(right, neighbor - corner)) <= share_of_clear * rounding;
    const bool is_on_face = (along > rounding) & (along < length2 - rounding);
    return is_flat && is_on_face ? meet(neighbor) : Answer::unsure;
  }

  bool swapped_;
  Point anchor_;
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
  const double order = order_of(a, at_a, b, at_b);
  if (order == 0.0) {
    return Answer::unsure;
  }
  const Standing both[] = {{&a, &at_a}, {&b, &at_b}};
  const bool swapped = order < 0.0;
  return HullCast(both[swapped], both[!swapped], swapped, motion).find(hit);
}

}  // namespace broadside::detail
