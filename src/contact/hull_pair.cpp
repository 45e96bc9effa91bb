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
#include "contact/to_vec2.hpp"
#include "contact/two.hpp"

namespace broadside::detail {

namespace {

std::size_t number_after(std::size_t number, std::size_t size) {
  const std::size_t after = number + 1;
  return after & (0 - static_cast<std::size_t>(after != size));
}

Point edge_from(const HullFaces& faces, std::size_t size, std::size_t number) {
  return point(faces, number_after(number, size)) - point(faces, number);
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
  /// @param for_distance what is asked for; else how they touch
  HullPair(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b, bool swapped,
           bool for_distance)
      : pair_{{swapped ? &b : &a, swapped ? &at_b : &at_a}, {swapped ? &a : &b, swapped ? &at_a : &at_b}},
        swapped_(swapped) {
    glance_.for_distance = for_distance;
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

  [[nodiscard]] Answer distance(Distance& found) {
    if (glance_.edge == no_edge) {
      return Answer::unsure;
    }
    const FacingEdge facing = facing_edge();
    Closest closest;
    closest.distance = glance_.widest;
    closest.normal = sign(glance_.on_b) * facing.outward;
    const bool are_apart = glance_.widest > glance_.rounding;
    if (are_apart ? !find_closest(facing, see(facing), closest) : !(glance_.widest < -glance_.rounding)) {
      return Answer::unsure;
    }
    if (are_apart && !closest.are_corners) {
      const Point corner = pick(closest.to_is_deepest, facing.from, facing.to);
      const Point foot = corner - closest.distance * facing.outward;
      closest.point_a = pick(facing.on_b, foot, corner);
      closest.point_b = pick(facing.on_b, corner, foot);
    }
    const double separation = closest.distance - radius();
    const Vec2 normal = to_direction(sign(swapped_) * closest.normal);
    if (is_clearly_apart(separation, glance_.lengths + reach_of(*pair_[0].at, *pair_[1].at))) {
      const Point on_a = closest.point_a + faces_[0].radius * closest.normal;
      const Point on_b = closest.point_b - faces_[1].radius * closest.normal;
      found = {to_distance(separation), in_world(pick(swapped_, on_a, on_b)),
               in_world(pick(swapped_, on_b, on_a)), normal};
      return Answer::apart;
    }
    if (glance_.answer != Answer::touching || !is_deep(separation) ||
        !(are_apart ? closest.is_kept : find_common(facing, closest))) {
      return Answer::unsure;
    }
    // Between the cores: a's surface at the most, b's at the least.
    const double least = std::max(closest.distance - faces_[1].radius, 0.0);
    const double most = std::min(faces_[0].radius, closest.distance);
    const double beyond = are_apart ? 0.5 * (least + most) : 0.0;
    const Vec2 common = in_world(closest.point_a + beyond * closest.normal);
    found = {0.0F, common, common, normal};
    return Answer::touching;
  }

 private:
  /// The closest points of two cores that are apart.
  struct Closest {
    double distance = 0.0;  ///< (unit: length)
    Point normal;           ///< from a to b
    Point point_a;          ///< of a, or of both where the cores are not apart
    Point point_b;
    bool is_kept = false;        ///< the normal is that of `collide`
    bool to_is_deepest = false;  ///< of the facing edge
    bool are_corners = false;
    std::size_t of_a = 0;  ///< where corners meet
    std::size_t of_b = 0;
  };

  [[nodiscard]] Vec2 in_world(Point p) const { return to_vec2(to_point(glance_.anchor) + p); }

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

  /// Makes the face that the cores meet at, and the edge that faces it.
  [[nodiscard, gnu::always_inline]] FacingEdge facing_edge() const {
    const std::size_t on_b = glance_.on_b ? 1 : 0;
    const HullFaces& core = faces_[on_b];
    const HullFaces& other = faces_[1 - on_b];
    const std::size_t size = faces_[on_b].size;
    const std::size_t face = glance_.face;
    const bool is_end = face >= size;
    const std::size_t face_start = is_end ? end_corner(face) : face;
    const std::size_t face_end = is_end ? face_start : number_after(face, size);
    const std::size_t edge = glance_.edge;
    const std::size_t edge_end = number_after(edge, faces_[1 - on_b].size);
    const Point start = point(core, face_start);
    const Point way = is_end ? start - point(core, 1 - face_start) : point(core, face_end) - start;
    const Point right = is_end ? way : Point{way.y, -way.x};
    const double length = std::sqrt(dot(right, right));
    return {.on_b = glance_.on_b,
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
            .radius = faces_[on_b].radius,
            .radius_of_other = faces_[1 - on_b].radius};
  }

  /// Finds the closest features of cores that are apart: the face and the deepest corner in front of it, or
  /// two corners, and their points. Returns false where it is neither of these for sure.
  [[gnu::always_inline]] bool find_closest(const FacingEdge& facing, const Sight& sight,
                                           Closest& closest) const {
    constexpr double parallel = 1e-7;
    const TwoMask to_is_deepest = as_mask(both_second(sight.height) < sight.height);
    const double along = select(to_is_deepest, both_second(sight.along), sight.along)[0];
    const double height = select(to_is_deepest, both_second(sight.height), sight.height)[0];
    if (!(height > glance_.rounding)) {
      return false;
    }
    closest.to_is_deepest = holds(to_is_deepest);
    closest.is_kept =
        std::abs(sight.height[1] - sight.height[0]) > parallel * (sight.along[1] - sight.along[0]);
    if ((along > glance_.rounding) & (along < facing.length - glance_.rounding)) {
      closest.distance = height;
      closest.normal = sign(facing.on_b) * facing.outward;
      return true;
    }
    const std::size_t of_core = pick(along > 0.0, facing.face_start, facing.face_end);
    const std::size_t of_other = pick(holds(to_is_deepest), facing.edge_end, facing.edge);
    closest.are_corners = true;
    closest.of_a = pick(facing.on_b, of_core, of_other);
    closest.of_b = pick(facing.on_b, of_other, of_core);
    return find_closest_corners(closest);
  }

  /// Does it for two corners, if these are it.
  [[gnu::always_inline]] bool find_closest_corners(Closest& closest) const {
    closest.point_a = point(faces_[0], closest.of_a);
    closest.point_b = point(faces_[1], closest.of_b);
    const Point way = closest.point_b - closest.point_a;
    const double least = glance_.rounding * glance_.lengths;
    if (!is_last(faces_[0], faces_[0].size, closest.of_a, way, least) ||
        !is_last(faces_[1], faces_[1].size, closest.of_b, -1.0 * way, least)) {
      return false;
    }
    // Straight in front of a face the corner stands on it.
    constexpr double surely_not_straight = 1.0 - 1e-9;
    closest.distance = std::sqrt(dot(way, way));
    closest.normal = (1.0 / closest.distance) * way;
    closest.is_kept &= glance_.widest < surely_not_straight * closest.distance - glance_.rounding;
    return true;
  }

  /// Finds a point of both cores, which overlap, if it is easily found.
  bool find_common(const FacingEdge& facing, Closest& closest) const {
    for (std::size_t i = 0; i < 2; ++i) {
      if (faces_[i].size == 2) {
        return find_common_of_line(faces_[i], faces_[1 - i], faces_[1 - i].size, closest.point_a);
      }
    }
    const std::size_t on_b = facing.on_b ? 1 : 0;
    const Point corner = pick(dot(facing.to - facing.from, facing.outward) < 0.0, facing.from, facing.to);
    closest.point_a = corner;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < faces_[on_b].size; ++i) {
      const Point start = point(faces_[on_b], i);
      most = larger(most, cross(corner - start, edge_from(faces_[on_b], faces_[on_b].size, i)));
    }
    return most <= 0.0;
  }

  /// Does it for a line: the middle of what the faces of a core leave of it. Source: M. Cyrus, J. Beck,
  /// Generalized two- and three-dimensional clipping, 1978.
  static bool find_common_of_line(const HullFaces& line, const HullFaces& core, std::size_t size,
                                  Point& common) {
    const Point start = point(line, 0);
    const Point way = point(line, 1) - start;
    double first = 0.0;
    double last = 1.0;
    for (std::size_t i = 0; i < size; ++i) {
      const Point edge = edge_from(core, size, i);
      const double out = cross(start - point(core, i), edge);
      const double rate = cross(way, edge);
      const double time = rate == 0.0 ? 0.5 : -out / rate;
      first = larger(first, pick(rate < 0.0, 0.0, time));
      last = -larger(-last, -pick(rate < 0.0, time, 1.0));
    }
    common = start + (0.5 * (first + last)) * way;
    return first <= last;
  }

  /// Finds how they meet, or that they are apart after all.
  [[gnu::always_inline]] Answer meet() {
    const FacingEdge facing = facing_edge();
    const Sight sight = see(facing);
    if (glance_.widest >= -glance_.rounding) {
      // The cores are apart: it is the closest features that count.
      Closest closest;
      if (!find_closest(facing, sight, closest)) {
        return Answer::unsure;
      }
      if (closest.are_corners) {
        return meet_at_corners(closest);
      }
      if (!closest.is_kept || !is_deep(closest.distance - radius())) {
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
  [[gnu::always_inline]] Answer meet_at_corners(const Closest& closest) {
    if (closest.distance > radius() + glance_.rounding) {
      return Answer::apart;
    }
    if (!closest.is_kept || !is_deep(closest.distance - radius())) {
      return Answer::unsure;
    }
    const double radius_a = faces_[0].radius;
    const double radius_b = faces_[1].radius;
    const Point at = closest.point_a + (0.5 * (radius_a + closest.distance - radius_b)) * closest.normal;
    normal_ = to_two(closest.normal);
    found_ = {both(at.x),
              both(at.y),
              both(closest.distance - radius_a - radius_b),
              {feature(Meeting::corners, closest.of_a, closest.of_b)},
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
Answer ask_pair(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b,
                bool for_distance, Ask ask) {
  if (are_lines(a, b)) {
    return Answer::unsure;
  }
  const double order = order_of(a, at_a, b, at_b);
  if (order == 0.0) {
    return Answer::unsure;
  }
  // As the order says; by kind it is known sooner.
  const bool swapped = a.index() != b.index() ? b.index() < a.index() : order < 0.0;
  HullPair pair(a, at_a, b, at_b, swapped, for_distance);
  return ask(pair);
}

}  // namespace

Answer touch_hulls(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  return ask_pair(a, at_a, b, at_b, false, [](HullPair& pair) { return pair.touch(); });
}

Answer collide_hulls(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b,
                     Manifold& manifold) {
  return ask_pair(a, at_a, b, at_b, false, [&](HullPair& pair) { return pair.collide(manifold); });
}

Answer distance_of_hulls(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b,
                         Distance& found) {
  return ask_pair(a, at_a, b, at_b, true, [&](HullPair& pair) { return pair.distance(found); });
}

}  // namespace broadside::detail
