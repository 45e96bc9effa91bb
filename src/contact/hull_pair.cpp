#include "contact/hull_pair.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "contact/clip.hpp"
#include "contact/gap.hpp"
#include "contact/hull_faces.hpp"
#include "contact/order.hpp"
#include "contact/pick.hpp"
#include "contact/two.hpp"

namespace broadside::detail {

namespace {

Point point(const HullFaces& faces, std::size_t number) {
  return {faces.x[number], faces.y[number]};
}

std::size_t number_after(std::size_t number, std::size_t size) {
  const std::size_t after = number + 1;
  return after & (0 - static_cast<std::size_t>(after != size));
}

/// Tells whether the whole core lies behind one of its corners, seen along a way.
bool is_last(const HullFaces& faces, std::size_t size, std::size_t number, Point way, double rounding) {
  const Point at = point(faces, number);
  const Point before = point(faces, number == 0 ? size - 1 : number - 1);
  const Point after = point(faces, number_after(number, size));
  return std::max(dot(before - at, way), dot(after - at, way)) < -rounding;
}

/// Two shapes in the order of `Placed`, around the same anchor. What cannot be guessed is an index here, not
/// a branch.
class HullPair {
 public:
  /// @param swapped whether the second was given first
  HullPair(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b, bool swapped)
      : pair_{{swapped ? &b : &a, swapped ? &at_b : &at_a}, {swapped ? &a : &b, swapped ? &at_a : &at_b}},
        swapped_(swapped) {
    glance(pair_, faces_, glance_);
  }

  [[nodiscard]] Answer touch() {
    if (glance_.answer != Answer::touching) {
      return glance_.answer;
    }
    return glance_.widest < -glance_.rounding && is_deep(glance_.widest) ? Answer::touching : meet();
  }

  [[nodiscard]] Answer collide(Manifold& manifold) {
    if (glance_.answer != Answer::touching) {
      return glance_.answer;
    }
    const Answer answer = meet();
    if (answer == Answer::touching) {
      write(manifold);
    }
    return answer;
  }

 private:
  /// Tells whether what is in each other by this is so by more than rounding, that of the boxes too.
  [[nodiscard]] bool is_deep(double separation) const {
    constexpr double relative_rounding = 2e-12;  // twice as much as makes `collide` ask the boxes
    const Vec2 p = pair_[0].at->position;
    const Vec2 q = pair_[1].at->position;
    const auto far_out =
        static_cast<double>((std::fabs(p.x) + std::fabs(p.y)) + (std::fabs(q.x) + std::fabs(q.y)));
    const double lengths = glance_.lengths + far_out;
    return separation + glance_.rounding < -relative_rounding * lengths &&
           lengths < std::numeric_limits<float>::max();
  }

  [[nodiscard]] double radius() const { return faces_[0].radius + faces_[1].radius; }

  /// Writes what was found: both points, whether there is a second or not, as that cannot be guessed.
  void write(Manifold& manifold) const {
    using Bits [[gnu::vector_size(sizeof(FourFloats))]] = std::uint32_t;
    const std::uint32_t all = ~0U;
    const std::uint32_t second = 0U - (found_.size >> 1U);
    const Two x = both_first(glance_.anchor) + found_.x;
    const Two y = both_second(glance_.anchor) + found_.y;
    const Two normal = sign(swapped_) * normal_;
    // None is beyond the largest float: what is deep is made of less.
    const FourDoubles positions = __builtin_shufflevector(x, y, 0, 2, 1, 3);
    const FourDoubles others = __builtin_shufflevector(normal, found_.separation, 0, 1, 2, 3);
    const Bits position_bits = reinterpret_cast<Bits>(__builtin_convertvector(positions, FourFloats) + 0.0F);
    const Bits other_bits = reinterpret_cast<Bits>(__builtin_convertvector(others, FourFloats) + 0.0F);
    const Two at = reinterpret_cast<Two>(position_bits & Bits{all, all, second, second});
    const FourFloats rest = reinterpret_cast<FourFloats>(other_bits & Bits{all, all, all, second});
    manifold.normal = {rest[0], rest[1]};
    manifold.points[0] = {std::bit_cast<Vec2>(at[0]), rest[2], found_.features[0]};
    manifold.points[1] = {std::bit_cast<Vec2>(at[1]), rest[3], found_.features[1] & second};
    manifold.size = found_.size;
  }

  /// Finds how they meet, or that they are apart after all.
  Answer meet() {
    const std::size_t on_b = glance_.on_b ? 1 : 0;
    const HullFaces& core = faces_[on_b];
    const HullFaces& other = faces_[1 - on_b];
    const std::size_t size = core.size;
    const std::size_t face = glance_.face;
    const bool is_end = face >= size;
    const std::size_t face_start = is_end ? end_corner(face) : face;
    const std::size_t face_end = is_end ? face_start : number_after(face, size);
    const std::size_t edge = glance_.edge;
    const std::size_t edge_end = number_after(edge, other.size);
    const Point start = point(core, face_start);
    const Point way = is_end ? start - point(core, 1 - face_start) : point(core, face_end) - start;
    const Point right = is_end ? way : Point{way.y, -way.x};
    const double length = std::sqrt(dot(right, right));
    const FacingEdge facing{.on_b = glance_.on_b,
                            .face = face,
                            .face_start = face_start,
                            .face_end = face_end,
                            .edge = edge,
                            .edge_end = edge_end,
                            .start = start,
                            .outward = (1.0 / length) * right,
                            .length = is_end ? 0.0 : length,
                            .from = point(other, edge_end),
                            .to = point(other, edge),
                            .radius = core.radius,
                            .radius_of_other = other.radius};
    const Sight sight = see(facing);
    if (glance_.widest >= -glance_.rounding) {
      // The cores are apart: it is the closest features that count.
      constexpr double parallel = 1e-7;
      const TwoMask to_is_deepest = as_mask(both_second(sight.height) < sight.height);
      const double along = select(to_is_deepest, both_second(sight.along), sight.along)[0];
      const double height = select(to_is_deepest, both_second(sight.height), sight.height)[0];
      if (!(height > glance_.rounding) ||
          !(std::abs(sight.height[1] - sight.height[0]) > parallel * (sight.along[1] - sight.along[0]))) {
        return Answer::unsure;
      }
      if (!((along > glance_.rounding) & (along < facing.length - glance_.rounding))) {
        return meet_at_corners(pick(along > 0.0, face_start, face_end),
                               pick(holds(to_is_deepest), edge_end, edge));
      }
      if (!is_deep(height - radius())) {
        return Answer::unsure;
      }
    } else if (!is_deep(glance_.widest - radius())) {
      return Answer::unsure;
    }
    normal_ = sign(glance_.on_b) * to_two(facing.outward);
    found_ = clip_edge(facing, sight);
    return found_.size > 0 ? Answer::touching : Answer::unsure;
  }

  /// Does it where two corners are the closest features.
  Answer meet_at_corners(std::size_t of_core, std::size_t of_other) {
    const std::size_t of_a = pick(glance_.on_b, of_core, of_other);
    const std::size_t of_b = pick(glance_.on_b, of_other, of_core);
    const Point corner_a = point(faces_[0], of_a);
    const Point way = point(faces_[1], of_b) - corner_a;
    const double least = glance_.rounding * glance_.lengths;
    if (!is_last(faces_[0], faces_[0].size, of_a, way, least) ||
        !is_last(faces_[1], faces_[1].size, of_b, -1.0 * way, least)) {
      return Answer::unsure;
    }
    const double distance = std::sqrt(dot(way, way));
    if (distance > radius() + glance_.rounding) {
      return Answer::apart;
    }
    // Straight in front of a face the corner stands on it.
    constexpr double surely_not_straight = 1.0 - 1e-9;
    if (!is_deep(distance - radius()) ||
        !(glance_.widest < surely_not_straight * distance - glance_.rounding)) {
      return Answer::unsure;
    }
    const double radius_a = faces_[0].radius;
    const double radius_b = faces_[1].radius;
    const Point normal = (1.0 / distance) * way;
    const Point at = corner_a + (0.5 * (radius_a + distance - radius_b)) * normal;
    normal_ = to_two(normal);
    found_ = {both(at.x),
              both(at.y),
              both(distance - radius_a - radius_b),
              {feature(Meeting::corners, of_a, of_b)},
              1};
    return Answer::touching;
  }

  HullFaces faces_[2];
  Glance glance_;
  Two normal_;
  Clipped found_;
  Standing pair_[2];
  bool swapped_;
};

/// Tells whether two shapes are both lines: these have a way of their own.
bool are_lines(const Shape& a, const Shape& b) {
  const auto is_line = [](const Shape& shape) {
    return std::holds_alternative<Capsule>(shape) || std::holds_alternative<Segment>(shape);
  };
  return is_line(a) && is_line(b);
}

/// Asks two shapes that are not both lines: these have a way of their own.
template <class Ask>
Answer ask_pair(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b, Ask ask) {
  if (are_lines(a, b)) {
    return Answer::unsure;
  }
  const double order = order_of(a, at_a, b, at_b);
  if (order == 0.0) {
    return Answer::unsure;
  }
  // As the order says; by kind it is known sooner.
  const bool swapped = a.index() != b.index() ? b.index() < a.index() : order < 0.0;
  HullPair pair(a, at_a, b, at_b, swapped);
  return ask(pair);
}

}  // namespace

Answer touch_hulls(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  return ask_pair(a, at_a, b, at_b, [](HullPair& pair) { return pair.touch(); });
}

Answer collide_hulls(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b,
                     Manifold& manifold) {
  return ask_pair(a, at_a, b, at_b, [&](HullPair& pair) { return pair.collide(manifold); });
}

}  // namespace broadside::detail
