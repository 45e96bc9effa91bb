#include "contact/circle_convex.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "contact/circle_pair.hpp"
#include "contact/feature.hpp"
#include "contact/frame.hpp"
#include "contact/order.hpp"
#include "contact/pick.hpp"
#include "contact/to_vec2.hpp"

namespace broadside::detail {

namespace {

/// The center of a circle in the frame of a core: lengths there are those of the world times the length of
/// the axis, which is squared to `axis2`; corners have to be multiplied by it.
struct Center {
  Point at;
  double axis2;
  double radius;  ///< of the circle
};

constexpr double any_distance = std::numeric_limits<double>::infinity();

/// The way from the nearest point of a core to the center of a circle.
struct Nearest {
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
std::uint32_t box_feature(bool right, bool up, bool on_x, bool on_y) {
  static constexpr auto all = [] {
    std::array<std::uint32_t, 16> features{};
    for (std::size_t i = 0; i < features.size(); ++i) {
      features[i] = make_box_feature((i & 1U) != 0, (i & 2U) != 0, (i & 4U) != 0, (i & 8U) != 0);
    }
    return features;
  }();
  return all[std::size_t{right} + 2 * std::size_t{up} + 4 * std::size_t{on_x} + 8 * std::size_t{on_y}];
}

[[gnu::always_inline]] inline Nearest find_nearest(const Box& box, const Center& center) {
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
struct Line {
  [[gnu::always_inline]] Line(const Vec2& first, const Vec2& second, const Center& center)
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

[[gnu::always_inline]] inline Nearest find_nearest(const Vec2& first, const Vec2& second,
                                                   const Center& center) {
  const Line line{first, second, center};
  const double right = cross(line.from_first, line.edge);
  const double side = std::copysign(1.0, right);
  const double square = line.square();
  Nearest nearest;
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

[[gnu::always_inline]] inline Nearest find_nearest(const Capsule& capsule, const Center& center) {
  return find_nearest(capsule.a, capsule.b, center);
}
[[gnu::always_inline]] inline Nearest find_nearest(const Segment& segment, const Center& center) {
  return find_nearest(segment.a, segment.b, center);
}

// Polygons.

/// Looks at all faces: what is found is exact where the numbers are.
Nearest find_nearest_of_all(std::span<const Vec2> vertices, Center center) {
  const std::size_t size = vertices.size();
  double farthest = 0.0;
  for (const Vec2 vertex : vertices) {
    const Point way = to_point(vertex) - to_point(vertices[0]);
    farthest = std::max(farthest, std::abs(way.x) + std::abs(way.y));
  }
  const double slack = face_slack * std::min(farthest, center.radius);
  Nearest nearest;
  bool is_inside = true;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t end = i + 1 == size ? 0 : i + 1;
    const Point edge = to_point(vertices[end]) - to_point(vertices[i]);
    const double out = cross(center.at - center.axis2 * to_point(vertices[i]), edge);
    if (out > 0.0) {
      Nearest on_edge = find_nearest(vertices[i], vertices[end], center);
      if (is_inside ||
          on_edge.out * on_edge.out * nearest.length2 < nearest.out * nearest.out * on_edge.length2) {
        on_edge.made_by = on_edge.made_by == corner_feature(0)   ? corner_feature(i)
                          : on_edge.made_by == corner_feature(1) ? corner_feature(end)
                                                                 : face_feature(i);
        nearest = on_edge;
      }
      is_inside = false;
    } else if (is_inside) {
      const double length = std::sqrt(dot(edge, edge));
      if (i == 0 || out > (nearest.out / std::sqrt(nearest.length2) + slack) * length) {
        nearest = {{edge.y, -edge.x}, length * length, out, false, farthest, face_feature(i)};
      }
    }
  }
  return nearest;
}

/// The nearest point is on the face that has the center the furthest in front, or at an end of it: then the
/// next face must see it beyond its own end. Where that does not hold the guess was not right.
/// @param asked beyond this distance nobody asks how far the center is (world)
[[gnu::always_inline]] inline Nearest find_nearest(const Polygon& polygon, const Center& center,
                                                   double asked) {
  const std::span<const Vec2> vertices = polygon.vertices();
  const std::size_t size = vertices.size();
  constexpr double unit_axis = 0x1p-20;
  const auto [face, apart] = FaceGuess::nearest(polygon, center.at);
  if (apart > asked && std::abs(center.axis2 - 1.0) < unit_axis) {
    Nearest nearest;
    nearest.is_corner = true;
    nearest.out = any_distance;
    return nearest;
  }
  const std::size_t after = pick<std::size_t>(face + 1 == size, face + 1, 0);
  const Line line{vertices[face], vertices[after], center};
  const std::size_t corner = pick(line.is_beyond, face, after);
  const std::size_t step = corner + pick<std::size_t>(line.is_beyond, size - 1, 1);
  const std::size_t neighbor = step - pick<std::size_t>(step >= size, 0, size);
  const Point from = line.from();
  const double along_neighbor = dot(to_point(vertices[neighbor]) - to_point(vertices[corner]), from);
  const double out = cross(line.from_first, line.edge);
  const bool is_past_both = along_neighbor <= 0.0;
  if (!((out > 0.0) & (!line.is_end | is_past_both))) {
    // Copied number by number, as a whole it would be kept in memory for those above as well.
    const Nearest found = find_nearest_of_all(vertices, center);
    return {found.way, found.length2, found.out, found.is_corner, found.extent, found.made_by};
  }
  const double square = line.square();
  return {pick(line.is_end, {line.edge.y, -line.edge.x}, from),
          pick(line.is_end, line.edge2, square),
          pick(line.is_end, out, square),
          line.is_end,
          std::abs(line.edge.x) + std::abs(line.edge.y),
          pick(line.is_end, face_feature(face), corner_feature(corner))};
}

/// A circle and another shape: how they lie to each other, in the frame of the other.
template <typename S>
struct Pair {
  /// @param asked beyond the radii, and this distance, nobody asks how far they are apart
  [[gnu::always_inline]] Pair(const S& other, const Transform& at_other, const Circle& circle,
                              const Transform& at_circle, double asked)
      : frame(frame_of(other, at_other.rotation)),
        place_circle(at_circle),
        place_other(at_other),
        circle_center(turned(circle.center, at_circle.rotation)),
        radius_circle(static_cast<double>(circle.radius)),
        radius(radius_circle + radius_of(other)),
        center{frame.to_frame(to_point(place_circle.position - place_other.position) +
                              (circle_center - frame.center)),
               dot(frame.axis, frame.axis), radius_circle},
        nearest(look(other, center, std::max(asked, radius))) {}

  /// Tells whether nobody asks how far they are apart.
  [[nodiscard]] bool is_far() const {
    if constexpr (std::is_same_v<S, Polygon>) {
      return nearest.out == any_distance;
    }
    return false;
  }
  /// Not yet whether what they are made of is valid.
  [[nodiscard]] bool is_near() const { return nearest.is_within(radius * radius * center.axis2); }

  /// Returns 1 by the length of the way in the world; anything if the rotation is none.
  [[nodiscard]] double unit() const {
    return 1.0 / std::sqrt(larger(nearest.length2 * center.axis2, std::numeric_limits<double>::denorm_min()));
  }

  /// Returns how large the lengths were that all of it is made of.
  [[nodiscard]] double lengths() const {
    const Two positions = absolute(place_circle.position) + absolute(place_other.position);
    return reach() + (positions[0] + positions[1]);
  }

  [[nodiscard]] double reach() const {
    const Point lengths{(std::abs(frame.center.x) + std::abs(circle_center.x)) + std::abs(center.at.x),
                        (std::abs(frame.center.y) + std::abs(circle_center.y)) + std::abs(center.at.y)};
    return (lengths.x + lengths.y) + (nearest.extent + radius);
  }

  /// Returns how far they are apart, negative where they overlap.
  [[nodiscard]] double gap(double unit) const { return nearest.out * unit - radius; }

  /// Returns the unit normal from the other to the circle (world).
  [[nodiscard]] Point normal(double unit) const { return frame.to_world(unit * nearest.way); }

  Frame frame;
  Placement place_circle;
  Placement place_other;
  Point circle_center;  ///< relative to its transform
  double radius_circle;
  double radius;  ///< of both
  Center center;
  Nearest nearest;

 private:
  [[gnu::always_inline]] static Nearest look(const S& other, const Center& center, double asked) {
    if constexpr (std::is_same_v<S, Polygon>) {
      return find_nearest(other, center, asked);
    } else {
      return find_nearest(other, center);
    }
  }
};

// What is not finite shows in the reach: here is what does not.
bool are_sizes_valid(const Box& box) {
  return box.half_size.x >= 0.0F && box.half_size.y >= 0.0F && is_unit(box.rotation);
}
bool are_sizes_valid(const Capsule& capsule) {
  return capsule.radius >= 0.0F;
}
bool are_sizes_valid(const Segment& /*segment*/) {
  return true;
}
bool are_sizes_valid(const Polygon& /*polygon*/) {
  return true;
}

/// Tells whether both are valid, given what was made of them.
template <typename S>
[[gnu::always_inline]] inline bool are_valid(const S& other, const Pair<S>& pair) {
  constexpr double beyond_floats = 1e42;
  return pair.lengths() < beyond_floats && pair.radius_circle >= 0.0 && is_unit(pair.place_other.rotation) &&
         is_unit(pair.place_circle.rotation) && are_sizes_valid(other);
}

template <typename S>
[[gnu::always_inline]] inline bool are_touching(const S& other, const Pair<S>& pair) {
  const bool are_both_valid = are_valid(other, pair);
  return are_both_valid & pair.is_near();
}

}  // namespace

template <typename S>
Touch touch_circle(const S& other, const Transform& at_other, const Circle& circle,
                   const Transform& at_circle) {
  const Pair<S> pair{other, at_other, circle, at_circle, 0.0};
  if (pair.is_far()) {
    return {};
  }
  const bool touching = are_touching(other, pair);
  return {touching, pair.gap(pair.unit()), pair.reach()};
}

template <typename S>
Manifold collide_circle(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  const bool circle_is_a = std::holds_alternative<Circle>(a);
  const S& other = *std::get_if<S>(circle_is_a ? &b : &a);
  const Circle& circle = *std::get_if<Circle>(circle_is_a ? &a : &b);
  const Transform& at_other = circle_is_a ? at_b : at_a;
  const Transform& at_circle = circle_is_a ? at_a : at_b;
  const Pair<S> pair{other, at_other, circle, at_circle, 0.0};
  Manifold manifold;
  if (pair.is_far()) {
    return manifold;
  }
  const bool touching = are_touching(other, pair);
  const double unit = pair.unit();
  const double gap = pair.gap(unit);
  const double separation = lesser(gap, 0.0);
  const Point normal = pair.normal(unit);
  // From the center of the circle: its surface is a radius off, that of the other half of the depth before.
  const Two middle = (pair.place_circle.position + to_two(pair.circle_center)) -
                     (pair.radius_circle + 0.5 * separation) * to_two(normal);
  const double lengths = pair.lengths();
  write_contact(touching, sign(circle_is_a) * to_two(normal), middle, separation, lengths,
                pair.nearest.made_by, manifold);
  confirm(is_sure(gap, lengths), a, at_a, b, at_b, manifold);
  return manifold;
}

template <typename S>
CircleDistance distance_to_circle(const S& other, const Transform& at_other, const Circle& circle,
                                  const Transform& at_circle) {
  const Pair<S> pair{other, at_other, circle, at_circle, any_distance};
  if (!are_valid(other, pair)) {
    return CircleDistance::of_invalid();
  }
  const bool touching = pair.is_near();
  const double unit = pair.unit();
  const double out = pair.nearest.out * unit;
  const double radius_other = pair.radius - pair.radius_circle;
  const Point normal = pair.normal(unit);
  const Point center = to_point(at_circle.position) + pair.circle_center;
  Point common;
  if (touching) {
    // How far from the core the other begins to be in the circle, and where it ends.
    const double least = std::max(out - pair.radius_circle, 0.0);
    const double most = std::min(out, radius_other);
    common = center - (out - (out > 0.0 ? 0.5 * (least + most) : out)) * normal;
  }
  return {.touching = touching,
          .distance = out - pair.radius,
          .reach = pair.reach(),
          .normal = normal,
          .on_other = center - (out - radius_other) * normal,
          .on_circle = center - pair.radius_circle * normal,
          .common = common};
}

template Touch touch_circle(const Box&, const Transform&, const Circle&, const Transform&);
template Touch touch_circle(const Capsule&, const Transform&, const Circle&, const Transform&);
template Touch touch_circle(const Segment&, const Transform&, const Circle&, const Transform&);
template Touch touch_circle(const Polygon&, const Transform&, const Circle&, const Transform&);

template Manifold collide_circle<Box>(const Shape&, const Transform&, const Shape&, const Transform&);
template Manifold collide_circle<Capsule>(const Shape&, const Transform&, const Shape&, const Transform&);
template Manifold collide_circle<Segment>(const Shape&, const Transform&, const Shape&, const Transform&);
template Manifold collide_circle<Polygon>(const Shape&, const Transform&, const Shape&, const Transform&);

template CircleDistance distance_to_circle(const Box&, const Transform&, const Circle&, const Transform&);
template CircleDistance distance_to_circle(const Capsule&, const Transform&, const Circle&, const Transform&);
template CircleDistance distance_to_circle(const Segment&, const Transform&, const Circle&, const Transform&);
template CircleDistance distance_to_circle(const Polygon&, const Transform&, const Circle&, const Transform&);

}  // namespace broadside::detail
