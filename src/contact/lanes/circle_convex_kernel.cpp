// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/lanes/circle_convex_kernel.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include <limits>

#include "base/select.hpp"
#include "base/tolerances.hpp"
#include "body/face_prefilter.hpp"
#include "contact/feature.hpp"
#include "contact/lanes/pair_kernels.hpp"
#include "contact/lanes/pair_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

/// The transforms of polygons.
struct PolygonPlaceLanes {
  Lanes position_x, position_y, cos, sin;
};

/// For each polygon, the face that has a circle's center furthest in front, as guessed by `FacePrefilter`.
struct FaceGuessLanes {
  struct Corner {
    DoubleLanes x, y;
  };
  Corner before, start, end, after;  ///< consecutive corners; the face is between the middle two
  Lanes start_number, end_number;
  Lanes apart;
  Lanes inside;   ///< 1 if the center is inside and this is the face of least penetration, else 0
  Lanes largest;  ///< largest coordinate of the polygon
  Lanes radius;   ///< of the polygon

  void set(std::size_t i, const Polygon& polygon, double x, double y) {
    const FacePrefilter::Place nearest = FacePrefilter::place(polygon, Point{x, y});
    const auto* corners = FacePrefilter::corners_around(polygon, nearest.face);
    const std::size_t end_at = nearest.face + 1;
    const auto set_corner = [i](Corner& corner, const std::array<double, 2>& at) {
      corner.x.values[i] = at[0];
      corner.y.values[i] = at[1];
    };
    set_corner(before, corners[0]);
    set_corner(start, corners[1]);
    set_corner(end, corners[2]);
    set_corner(after, corners[3]);
    start_number.values[i] = static_cast<float>(nearest.face);
    end_number.values[i] =
        static_cast<float>(detail::select<std::size_t>(end_at == polygon.vertices().size(), end_at, 0));
    apart.values[i] = static_cast<float>(nearest.apart);
    inside.values[i] = nearest.is_inside ? 1.0F : 0.0F;
    largest.values[i] = FacePrefilter::largest(polygon);
    radius.values[i] = polygon.radius();
  }
};

#if HWY_TARGET == HWY_SCALAR

// A single lane gains nothing.
std::size_t collide_circle_convex_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out) {
  return collide_one_by_one(pairs, prefetcher, out);
}

#else

template <class PlaceOf>
HWY_INLINE void fill(PolygonPlaceLanes& lanes, std::size_t count, const Shape* /*shapes*/,
                     const Transform* transforms, PlaceOf place_of) {
  fill_transforms(lanes, count, transforms, place_of);
}

// See circle_convex.cpp and circle_nearest.hpp for these types.

struct CoreFrame {
  P center;
  P axis;
};
struct CircleInFrame {
  P position_circle;
  P position_other;
  P center_circle;
  CoreFrame frame;
  P at;
  V axis2;
  V radius_circle;
  M are_unit;  ///< both rotations
};
struct Nearest {
  P direction;
  V length2;
  V out;
  M is_corner;
  V extent;
  V feature_bits_of;
};

HWY_INLINE CoreFrame frame_of(const BoxLanes& box, P turn, std::size_t i) {
  return {rotate(turn, {load(box.center_x, i), load(box.center_y, i)}),
          rotate(turn, {load(box.own_cos, i), load(box.own_sin, i)})};
}
template <class L>
HWY_INLINE CoreFrame frame_of(const L& /*line_or_polygon*/, P turn, std::size_t /*i*/) {
  return {{hn::Zero(D()), hn::Zero(D())}, turn};
}

template <class L>
HWY_INLINE CircleInFrame to_frame(const CircleLanes& circle, const L& other, std::size_t i) {
  const P position_circle{load(circle.position_x, i), load(circle.position_y, i)};
  const P position_other{load(other.position_x, i), load(other.position_y, i)};
  const P turn_circle{load(circle.cos, i), load(circle.sin, i)};
  const P turn_other{load(other.cos, i), load(other.sin, i)};
  const P center = rotate(turn_circle, {load(circle.center_x, i), load(circle.center_y, i)});
  const CoreFrame frame = frame_of(other, turn_other, i);
  const P offset = (position_circle - position_other) + (center - frame.center);
  return {position_circle,
          position_other,
          center,
          frame,
          {dot(frame.axis, offset), cross(frame.axis, offset)},
          dot(frame.axis, frame.axis),
          load(circle.radius, i),
          hn::And(is_unit(turn_circle), is_unit(turn_other))};
}

HWY_INLINE V corner_feature(V corner) {
  return set(feature(Meeting::corners, 0, 0)) + corner * set(256.0);
}
HWY_INLINE V face_feature(V face) {
  return set(feature(Meeting::face_of_a, 0, 0)) + face * set(256.0);
}

/// Stores the verdicts and contacts of circles with their nearest points on other shapes.
/// @param sign -1 if the circle is the first of the pair
/// @param is_known `nearest` is really the nearest point, of a valid shape
/// @param is_far they are apart, whatever the other arguments
HWY_INLINE void store(const CircleInFrame& placed, const Nearest& nearest, V radius_other, V sign, M is_known,
                      M is_far, ContactLanes& found, std::size_t i) {
  const V zero = hn::Zero(D());
  const V radius = placed.radius_circle + radius_other;
  const V lengths = length_of(placed.frame.center) + length_of(placed.center_circle) + length_of(placed.at) +
                    nearest.extent + radius + length_of(placed.position_circle) +
                    length_of(placed.position_other);
  const M is_supported =
      hn::And(hn::And(is_known, placed.are_unit),
              hn::And(hn::Ge(placed.radius_circle, zero), hn::Lt(lengths, set(max_lengths_of_lanes))));
  const V distance2 = radius * radius * placed.axis2;
  const M of_corner = hn::Le(nearest.out, distance2);
  const M of_face = hn::Le(nearest.out * hn::Abs(nearest.out), distance2 * nearest.length2);
  const M is_near = hn::Or(hn::And(nearest.is_corner, of_corner), hn::AndNot(nearest.is_corner, of_face));
  const V unit = set(1.0) / hn::Sqrt(hn::Max(nearest.length2 * placed.axis2,
                                             set(std::numeric_limits<double>::denorm_min())));
  const V gap = nearest.out * unit - radius;
  store_verdict(hn::Or(is_far, hn::AndNot(is_near, is_supported)),
                hn::And(hn::AndNot(is_far, is_supported), hn::And(is_near, is_certain(gap, lengths))), found,
                i);

  const P axis = placed.frame.axis;
  const P direction{nearest.direction.x * axis.x - nearest.direction.y * axis.y,
                    nearest.direction.x * axis.y + nearest.direction.y * axis.x};
  const P normal = unit * direction;
  const V separation = set(0.5) * (gap - hn::Abs(gap));
  const V to_middle = set(0.5) * (nearest.out * unit) + (placed.radius_circle - set(0.5) * radius);
  const P middle = (placed.position_circle + placed.center_circle) - to_middle * normal;
  store_number(sign * normal.x, found.normal_x, i);
  store_number(sign * normal.y, found.normal_y, i);
  store_point(middle, separation, nearest.feature_bits_of, found.points[0], i);
  store_whole(set(1.0), found.size, i);
}

HWY_INLINE Nearest find_nearest_of_box(const CircleInFrame& placed, V half_x, V half_y) {
  const V zero = hn::Zero(D());
  const V one = set(1.0);
  const P out{hn::Abs(placed.at.x) - half_x * placed.axis2, hn::Abs(placed.at.y) - half_y * placed.axis2};
  const M right = hn::Ge(placed.at.x, zero);
  const M up = hn::Ge(placed.at.y, zero);
  const P excess{set(0.5) * (out.x + hn::Abs(out.x)), set(0.5) * (out.y + hn::Abs(out.y))};
  const V square = dot(excess, excess);
  const M is_inside = hn::Eq(square, zero);
  const V extent = half_x + half_y;
  const V slack = set(face_slack) * hn::Min(extent, placed.radius_circle);
  const M by_y = hn::Gt(out.y, out.x + slack);
  const P inside_direction{select(by_y, zero, select(right, one, set(-1.0))),
                           select(by_y, select(up, one, set(-1.0)), zero)};
  const P outside_direction{hn::CopySign(excess.x, placed.at.x), hn::CopySign(excess.y, placed.at.y)};
  const M on_x = hn::Or(hn::AndNot(is_inside, hn::Gt(out.x, zero)), hn::AndNot(by_y, is_inside));
  const M on_y = hn::Or(hn::AndNot(is_inside, hn::Gt(out.y, zero)), hn::And(by_y, is_inside));
  const V corner = select(up, select(right, set(2.0), set(3.0)), select(right, one, zero));
  const V face = select(on_x, select(right, one, set(3.0)), select(up, set(2.0), zero));
  return {select(is_inside, inside_direction, outside_direction),
          select(is_inside, one, square),
          select(is_inside, hn::Max(out.x, out.y), square),
          hn::Not(is_inside),
          extent,
          select(hn::And(on_x, on_y), corner_feature(corner), face_feature(face))};
}

/// The center of a circle relative to a line.
struct CenterAtLine {
  P edge;
  V edge2;
  P from_start;
  P from;  ///< vector to the center, from the nearest end
  V square;
  M is_beyond;
  M is_end;
};

HWY_INLINE CenterAtLine center_at_line(const CircleInFrame& placed, P start, P end) {
  const P edge = end - start;
  const V edge2 = dot(edge, edge);
  const P from_start = placed.at - placed.axis2 * start;
  const P from_end = placed.at - placed.axis2 * end;
  const V behind_end = hn::Neg(dot(edge, from_end));
  const M is_beyond = hn::Le(behind_end, hn::Zero(D()));
  const P from = select(is_beyond, from_end, from_start);
  return {edge,
          edge2,
          from_start,
          from,
          dot(from, from),
          is_beyond,
          hn::Not(hn::Gt(hn::Min(dot(edge, from_start), behind_end), hn::Zero(D())))};
}

/// Returns whether the frame is precise enough for the guessed face.
HWY_INLINE M is_guess_sure(const CircleInFrame& placed) {
  return hn::Lt(hn::Abs(placed.axis2 - set(1.0)), set(rotation_slack));
}

/// Finds the nearest point of a polygon on the guessed face.
/// @param is_known set to whether the guess was right
HWY_INLINE Nearest find_nearest_of_face(const CircleInFrame& placed, const FaceGuessLanes& guess,
                                        std::size_t i, M& is_known) {
  const V zero = hn::Zero(D());
  const auto corner_at = [&](const FaceGuessLanes::Corner& corner) HWY_ATTR {
    return P{hn::Load(D(), corner.x.values + i), hn::Load(D(), corner.y.values + i)};
  };
  const P start = corner_at(guess.start);
  const P end = corner_at(guess.end);
  const CenterAtLine line = center_at_line(placed, start, end);
  const P neighbor = select(line.is_beyond, corner_at(guess.after) - end, corner_at(guess.before) - start);
  const M is_past_both = hn::And(hn::Le(dot(neighbor, line.from), zero), hn::Gt(line.square, zero));
  const V out = cross(line.from_start, line.edge);
  const M is_inside = hn::And(hn::And(hn::Gt(load(guess.inside, i), zero), is_guess_sure(placed)),
                              hn::Not(hn::Or(line.is_end, hn::Gt(out, zero))));
  is_known = hn::Or(is_inside, hn::And(hn::Gt(out, zero), hn::Or(hn::Not(line.is_end), is_past_both)));
  const V corner = select(line.is_beyond, load(guess.end_number, i), load(guess.start_number, i));
  return {select(line.is_end, line.from, P{line.edge.y, hn::Neg(line.edge.x)}),
          select(line.is_end, line.square, line.edge2),
          select(line.is_end, line.square, out),
          line.is_end,
          set(4.0) * load(guess.largest, i),
          select(line.is_end, corner_feature(corner), face_feature(load(guess.start_number, i)))};
}

/// Finds the nearest point of a line.
/// @param is_known set to false where the center is at an end
HWY_INLINE Nearest find_nearest_of_line(const CircleInFrame& placed, P start, P end, M& is_known) {
  const V zero = hn::Zero(D());
  const V one = set(1.0);
  const CenterAtLine line = center_at_line(placed, start, end);
  const V right = cross(line.from_start, line.edge);
  const V side = select(hn::Lt(right, zero), hn::Neg(one), one);
  const V length2 = select(line.is_end, line.square, line.edge2);
  is_known = hn::Gt(length2, zero);
  return {select(line.is_end, line.from, P{side * line.edge.y, hn::Neg(side) * line.edge.x}),
          length2,
          select(line.is_end, line.square, hn::Abs(right)),
          line.is_end,
          length_of(line.edge),
          select(line.is_end, corner_feature(select(line.is_beyond, one, zero)),
                 face_feature(select(hn::Lt(side, zero), one, zero)))};
}

HWY_INLINE M none() {
  return hn::Ne(hn::Zero(D()), hn::Zero(D()));
}

struct CirclesAndBoxes {
  using Others = BoxLanes;

  HWY_INLINE void collide(std::span<const Pair> ordered, Prefetcher& prefetcher, const CircleLanes& circles,
                          const BoxLanes& boxes, V sign, ContactLanes& found) {
    for (std::size_t i = 0; i < ordered.size(); i += hn::Lanes(D())) {
      prefetcher.advance(hn::Lanes(D()));
      const V zero = hn::Zero(D());
      const CircleInFrame placed = to_frame(circles, boxes, i);
      const V half_x = load(boxes.half_x, i);
      const V half_y = load(boxes.half_y, i);
      const M valid = hn::And(is_unit({load(boxes.own_cos, i), load(boxes.own_sin, i)}),
                              hn::Ge(hn::Min(half_x, half_y), zero));
      store(placed, find_nearest_of_box(placed, half_x, half_y), zero, sign, valid, none(), found, i);
    }
  }
};

struct CirclesAndLines {
  using Others = LineLanes;

  HWY_INLINE void collide(std::span<const Pair> ordered, Prefetcher& prefetcher, const CircleLanes& circles,
                          const LineLanes& lines, V sign, ContactLanes& found) {
    for (std::size_t i = 0; i < ordered.size(); i += hn::Lanes(D())) {
      prefetcher.advance(hn::Lanes(D()));
      const CircleInFrame placed = to_frame(circles, lines, i);
      const P start{load(lines.start_x, i), load(lines.start_y, i)};
      const P end{load(lines.end_x, i), load(lines.end_y, i)};
      const V radius = load(lines.radius, i);
      M is_known;
      const Nearest nearest = find_nearest_of_line(placed, start, end, is_known);
      store(placed, nearest, radius, sign, hn::And(is_known, hn::Ge(radius, hn::Zero(D()))), none(), found,
            i);
    }
  }
};

struct CirclesAndPolygons {
  using Others = PolygonPlaceLanes;

  HWY_INLINE void collide(std::span<const Pair> ordered, Prefetcher& prefetcher, const CircleLanes& circles,
                          const PolygonPlaceLanes& polygons, V sign, ContactLanes& found) {
    for (std::size_t i = 0; i < ordered.size(); i += hn::Lanes(D())) {
      const P at = to_frame(circles, polygons, i).at;
      hn::Store(at.x, D(), center_x_ + i);
      hn::Store(at.y, D(), center_y_ + i);
    }
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      prefetcher.advance(1);
      guess_.set(i, *std::get_if<Polygon>(&prefetcher.shapes()[ordered[i].b]), center_x_[i], center_y_[i]);
    }
    for (std::size_t i = 0; i < ordered.size(); i += hn::Lanes(D())) {
      const CircleInFrame placed = to_frame(circles, polygons, i);
      const V radius = load(guess_.radius, i);
      const M is_far =
          hn::And(hn::Gt(load(guess_.apart, i), hn::Max(placed.radius_circle + radius, hn::Zero(D()))),
                  is_guess_sure(placed));
      M is_known;
      const Nearest nearest = find_nearest_of_face(placed, guess_, i, is_known);
      store(placed, nearest, radius, sign, is_known, is_far, found, i);
    }
  }

 private:
  FaceGuessLanes guess_;
  alignas(64) double center_x_[chunk];
  alignas(64) double center_y_[chunk];
};

template <class Both>
HWY_INLINE std::size_t collide_with_circle(std::span<const Pair> pairs, Prefetcher& prefetcher,
                                           Contact* out) {
  Both both;
  const bool circle_is_a = std::holds_alternative<Circle>(prefetcher.shapes()[pairs[0].a]);
  return collide_pairs<CircleLanes, typename Both::Others>(
      pairs, prefetcher, out,
      [=](std::size_t /*i*/, Pair pair) HWY_ATTR {
        return circle_is_a ? pair : Pair{pair.b, pair.a};
      },
      [&](std::span<const Pair> ordered, const CircleLanes& circles, const typename Both::Others& others,
          ContactLanes& found) HWY_ATTR {
        both.collide(ordered, prefetcher, circles, others, set(circle_is_a ? -1.0 : 1.0), found);
      });
}

std::size_t collide_circle_convex_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out) {
  const Shape& a = prefetcher.shapes()[pairs[0].a];
  const Shape& other = std::holds_alternative<Circle>(a) ? prefetcher.shapes()[pairs[0].b] : a;
  if (std::holds_alternative<Box>(other)) {
    return collide_with_circle<CirclesAndBoxes>(pairs, prefetcher, out);
  }
  if (std::holds_alternative<Polygon>(other)) {
    return collide_with_circle<CirclesAndPolygons>(pairs, prefetcher, out);
  }
  return collide_with_circle<CirclesAndLines>(pairs, prefetcher, out);
}

#endif

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::inline v0_2::detail {

HWY_EXPORT(collide_circle_convex_pairs);

std::size_t collide_circle_convex_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out) {
  return HWY_DYNAMIC_DISPATCH(collide_circle_convex_pairs)(pairs, prefetcher, out);
}

}  // namespace broadside::inline v0_2::detail

#endif
