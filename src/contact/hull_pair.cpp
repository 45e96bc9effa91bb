#include "contact/hull_pair.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "contact/clip.hpp"
#include "contact/frame.hpp"
#include "contact/gap.hpp"
#include "contact/hull_faces.hpp"
#include "contact/order.hpp"
#include "contact/pick.hpp"

namespace broadside::detail {

namespace {

bool is_rigid(Point axis) {
  return std::fabs(dot(axis, axis) - 1.0) < most_stretch;
}

/// Returns a unit vector, from one that is rigid: by the first two terms of its series.
Point unit(Point axis) {
  return (1.5 - 0.5 * dot(axis, axis)) * axis;
}

HullSource of_line(Vec2 a, Vec2 b, double radius, const Transform& at, Point offset) {
  const Point start = rotate(at.rotation, to_point(a)) + offset;
  const Point end = rotate(at.rotation, to_point(b)) + offset;
  const Point edge = end - start;
  const double along_axes = length_along_axes(edge);
  constexpr double least_square =
      std::numeric_limits<double>::min();  // of a line of no length, which is not fit
  const double length2 = std::max(dot(edge, edge), least_square);
  return {.kind = HullSource::Kind::line,
          .size = 2,
          .edges = nullptr,
          .origin = start,
          .way = end,
          .up = {},
          .axis = edge,
          .inverse_length = std::sqrt(length2) * (1.0 / length2),  // neither waits for the other
          .radius = radius,
          .reach = length_along_axes(start) + along_axes + radius,
          .extent = along_axes + radius,
          .shortest = 0.5 * along_axes,
          .is_fit = is_unit(at.rotation) && radius >= 0.0};
}

}  // namespace

HullSource HullSource::of(const Capsule& capsule, const Transform& at, Point offset) {
  return of_line(capsule.a, capsule.b, static_cast<double>(capsule.radius), at, offset);
}

HullSource HullSource::of(const Segment& segment, const Transform& at, Point offset) {
  return of_line(segment.a, segment.b, 0.0, at, offset);
}

HullSource HullSource::of(const Box& box, const Transform& at, Point offset) {
  const auto half_x = static_cast<double>(box.half_size.x);
  const auto half_y = static_cast<double>(box.half_size.y);
  const Frame frame = frame_of(box, at.rotation);
  const Point center = frame.center + offset;
  return {.kind = Kind::box,
          .size = 4,
          .edges = nullptr,
          .origin = center,
          .way = half_x * frame.axis,
          .up = half_y * Point{-frame.axis.y, frame.axis.x},
          .axis = unit(frame.axis),
          .inverse_length = 1.0,
          .radius = 0.0,
          .reach = length_along_axes(center) + most_by_turning * (half_x + half_y),
          .extent = 2.0 * (half_x + half_y),
          .shortest = lesser(half_x, half_y),
          .is_fit = is_unit(at.rotation) && is_rigid(frame.axis)};
}

HullSource HullSource::of(const Polygon& polygon, const Transform& at, Point offset) {
  const Polygon::Data& data = *polygon.data_;
  const Point turn{static_cast<double>(at.rotation.cos), static_cast<double>(at.rotation.sin)};
  const auto radius = static_cast<double>(data.radius);
  const double far_out = length_along_axes(offset);
  return {.kind = Kind::polygon,
          .size = data.size,
          .edges = data.edges.data(),
          .origin = offset,
          .way = turn,
          .up = {},
          .axis = unit(turn),
          .inverse_length = 1.0,
          .radius = radius,
          .reach = far_out + most_by_turning * data.reach + radius,
          .extent = data.extent + radius,
          .shortest = data.shortest,
          .is_fit = is_rigid(turn) && far_out <= data.sound_within};
}

namespace {

/// @pre shape is a box, a capsule, a segment or a polygon
HullSource source_of(const Shape& shape, const Transform& at, Two anchor) {
  const Point offset = to_point(to_two(at.position) - anchor);
  if (const Box* box = std::get_if<Box>(&shape)) {
    return HullSource::of(*box, at, offset);
  }
  if (const Polygon* polygon = std::get_if<Polygon>(&shape)) {
    return HullSource::of(*polygon, at, offset);
  }
  if (const Capsule* capsule = std::get_if<Capsule>(&shape)) {
    return HullSource::of(*capsule, at, offset);
  }
  return HullSource::of(*std::get_if<Segment>(&shape), at, offset);
}

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

/// A shape where it stands.
struct Standing {
  const Shape* shape;
  const Transform* at;
};

/// Two shapes in the order of `Placed`, around the same anchor. What cannot be guessed is an index here, not
/// a branch.
class HullPair {
 public:
  /// @param order of the two shapes as they were given: 0 where nothing tells
  /// @param swapped the second was given first
  HullPair(const Standing& a, const Standing& b, double order, bool swapped)
      : at_a_(*a.at),
        at_b_(*b.at),
        anchor_(anchor_of(to_two(at_a_.position), to_two(at_b_.position))),
        order_(order),
        swapped_(swapped),
        cores_{source_of(*a.shape, at_a_, anchor_), source_of(*b.shape, at_b_, anchor_)},
        radius_(cores_[0].radius + cores_[1].radius),
        lengths_(cores_[0].reach + cores_[1].reach),
        rounding_(rounding_share * lengths_) {}

  [[nodiscard]] Answer touch() {
    if (!look()) {
      return answer_;
    }
    return (glance_.widest < -rounding_ && is_deep(glance_.widest)) || meet() ? Answer::touching : answer_;
  }

  [[nodiscard]] Answer collide(Manifold& manifold) {
    if (!look() || !meet()) {
      return answer_;
    }
    write(manifold);
    return Answer::touching;
  }

 private:
  /// Tells whether what is in each other by this is so by more than rounding, that of the boxes too.
  [[nodiscard]] bool is_deep(double separation) const {
    constexpr double relative_rounding = 2e-12;  // twice as much as makes `collide` ask the boxes
    const Vec2 p = at_a_.position;
    const Vec2 q = at_b_.position;
    const auto far_out =
        static_cast<double>((std::fabs(p.x) + std::fabs(p.y)) + (std::fabs(q.x) + std::fabs(q.y)));
    return separation + rounding_ < -relative_rounding * (lengths_ + far_out) &&
           lengths_ + far_out < std::numeric_limits<float>::max();
  }

  /// Writes what was found: both points, whether there is a second or not, as that cannot be guessed.
  void write(Manifold& manifold) const {
    using Bits [[gnu::vector_size(sizeof(FourFloats))]] = std::uint32_t;
    const std::uint32_t all = ~0U;
    const std::uint32_t second = 0U - (found_.size >> 1U);
    const Two x = both_first(anchor_) + found_.x;
    const Two y = both_second(anchor_) + found_.y;
    const Two normal = sign(swapped_) * normal_;
    // None is beyond the largest float: what is deep is made of less.
    const auto rounded = [](FourDoubles numbers) {
      return reinterpret_cast<Bits>(__builtin_convertvector(numbers, FourFloats) + 0.0F);
    };
    const Two positions = reinterpret_cast<Two>(rounded(__builtin_shufflevector(x, y, 0, 2, 1, 3)) &
                                                Bits{all, all, second, second});
    const FourFloats others =
        reinterpret_cast<FourFloats>(rounded(__builtin_shufflevector(normal, found_.separation, 0, 1, 2, 3)) &
                                     Bits{all, all, all, second});
    manifold.normal = {others[0], others[1]};
    manifold.points[0] = {std::bit_cast<Vec2>(positions[0]), others[2], found_.features[0]};
    manifold.points[1] = {std::bit_cast<Vec2>(positions[1]), others[3], found_.features[1] & second};
    manifold.size = found_.size;
  }

  /// Returns whether there may be a contact, else with an answer.
  bool look() {
    const double shortest = std::min(cores_[0].shortest, cores_[1].shortest);
    if (!(cores_[0].is_fit & cores_[1].is_fit & (order_ != 0.0) & (shortest > 0.0) &
          (shortest >= shortest_share * lengths_) & (lengths_ < most_lengths))) {
      return false;
    }
    const double slack = face_slack * std::min(cores_[0].extent, cores_[1].extent);
    glance(cores_, slack, rounding_, faces_, glance_);
    if (glance_.widest > radius_ + rounding_) {
      answer_ = Answer::apart;
      return false;
    }
    return glance_.is_sure;
  }

  /// Returns whether a manifold was found, else with an answer.
  bool meet() {
    const std::size_t on_b = glance_.on_b ? 1 : 0;
    const HullFaces& core = faces_[on_b];
    const HullFaces& other = faces_[1 - on_b];
    const std::size_t size = cores_[on_b].size;
    const std::size_t face = glance_.face;
    const bool is_end = face >= size;
    const std::size_t face_start = is_end ? end_corner(face) : face;
    const std::size_t face_end = is_end ? face_start : number_after(face, size);
    const std::size_t edge = glance_.edge;
    const std::size_t edge_end = number_after(edge, cores_[1 - on_b].size);
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
                            .radius = cores_[on_b].radius,
                            .radius_of_other = cores_[1 - on_b].radius};
    const Sight sight = see(facing);
    if (glance_.widest >= -rounding_) {
      // The cores are apart: it is the closest features that count.
      constexpr double parallel = 1e-7;
      const TwoMask to_is_deepest = as_mask(both_second(sight.height) < sight.height);
      const double along = select(to_is_deepest, both_second(sight.along), sight.along)[0];
      const double height = select(to_is_deepest, both_second(sight.height), sight.height)[0];
      if (!(height > rounding_) ||
          !(std::abs(sight.height[1] - sight.height[0]) > parallel * (sight.along[1] - sight.along[0]))) {
        return false;
      }
      if (!((along > rounding_) & (along < facing.length - rounding_))) {
        return meet_at_corners(pick(along > 0.0, face_start, face_end),
                               pick(holds(to_is_deepest), edge_end, edge));
      }
      if (!is_deep(height - radius_)) {
        return false;
      }
    } else if (!is_deep(glance_.widest - radius_)) {
      return false;
    }
    normal_ = sign(glance_.on_b) * to_two(facing.outward);
    found_ = clip_edge(facing, sight);
    return found_.size > 0;
  }

  /// Does it where two corners are the closest features.
  bool meet_at_corners(std::size_t of_core, std::size_t of_other) {
    const std::size_t of_a = pick(glance_.on_b, of_core, of_other);
    const std::size_t of_b = pick(glance_.on_b, of_other, of_core);
    const Point corner_a = point(faces_[0], of_a);
    const Point way = point(faces_[1], of_b) - corner_a;
    const double least = rounding_ * lengths_;
    if (!is_last(faces_[0], cores_[0].size, of_a, way, least) ||
        !is_last(faces_[1], cores_[1].size, of_b, -1.0 * way, least)) {
      return false;
    }
    const double distance = std::sqrt(dot(way, way));
    if (distance > radius_ + rounding_) {
      answer_ = Answer::apart;
      return false;
    }
    // Straight in front of a face the corner stands on it.
    constexpr double surely_not_straight = 1.0 - 1e-9;
    if (!is_deep(distance - radius_) || !(glance_.widest < surely_not_straight * distance - rounding_)) {
      return false;
    }
    const double radius_a = cores_[0].radius;
    const double radius_b = cores_[1].radius;
    const Point normal = (1.0 / distance) * way;
    const Point at = corner_a + (0.5 * (radius_a + distance - radius_b)) * normal;
    normal_ = to_two(normal);
    found_ = {both(at.x),
              both(at.y),
              both(distance - radius_a - radius_b),
              {feature(Meeting::corners, of_a, of_b)},
              1};
    return true;
  }

  const Transform& at_a_;
  const Transform& at_b_;
  Two anchor_;
  double order_;  ///< above 0 where a is the first, below 0 where it is the second; 0 where neither tells
  bool swapped_;
  HullSource cores_[2];
  double radius_;
  double lengths_;
  double rounding_;
  Answer answer_ = Answer::unsure;
  HullFaces faces_[2];
  Glance glance_;
  Two normal_;
  Clipped found_;
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
  // As the order says; by kind it is known sooner.
  const bool swapped = a.index() != b.index() ? b.index() < a.index() : order < 0.0;
  const Standing both[] = {{&a, &at_a}, {&b, &at_b}};
  HullPair pair(both[swapped], both[!swapped], order, swapped);
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
