// Compiled once for each SIMD target by Highway, which picks the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/pair_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "broadside/contact/collide.hpp"
#include "contact/feature.hpp"
#include "contact/order.hpp"
#include "contact/pair_kernels.hpp"

#ifndef BROADSIDE_PAIR_LANES
#define BROADSIDE_PAIR_LANES

namespace broadside::detail {

// Pairs are taken eight by eight, whatever fits into a register, and their numbers turned from one shape
// after the other to one number after the other.

inline constexpr std::size_t chunk = 8;

struct alignas(64) Lanes {
  float values[chunk];
};

struct CircleLanes {
  Lanes position_x, position_y, cos, sin;
  Lanes center_x, center_y, radius, unused;
};
struct BoxLanes {
  Lanes position_x, position_y, cos, sin;
  Lanes half_x, half_y, center_x, center_y;
  Lanes unused_x, unused_y, own_cos, own_sin;
};

/// A contact, number by number, and whether it is one.
struct ContactLanes {
  struct Point {
    Lanes x, y, separation, feature;
  };
  Lanes name_a, name_b, normal_x, normal_y;
  Point points[2];
  Lanes size;
  bool touching[chunk];
  bool unsure[chunk];
};

static_assert(sizeof(Contact) == 13 * sizeof(float), "contacts are written as 13 numbers of four bytes");

}  // namespace broadside::detail

#endif

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using F = hn::Rebind<float, D>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

HWY_INLINE V set(double value) {
  return hn::Set(D(), value);
}
HWY_INLINE V load(const Lanes& lanes, std::size_t i) {
  return hn::PromoteTo(D(), hn::LoadU(F(), lanes.values + i));
}
HWY_INLINE V select(M mask, V yes, V no) {
  return hn::IfThenElse(mask, yes, no);
}

/// A point or direction in each lane.
struct P {
  V x;
  V y;
};
HWY_INLINE P operator+(P a, P b) {
  return {a.x + b.x, a.y + b.y};
}
HWY_INLINE P operator-(P a, P b) {
  return {a.x - b.x, a.y - b.y};
}
HWY_INLINE P operator*(V s, P p) {
  return {s * p.x, s * p.y};
}
HWY_INLINE P negative(P p) {
  return {hn::Neg(p.x), hn::Neg(p.y)};
}
HWY_INLINE V dot(P a, P b) {
  return a.x * b.x + a.y * b.y;
}
HWY_INLINE V cross(P a, P b) {
  return a.x * b.y - a.y * b.x;
}
HWY_INLINE P left_of(P p) {
  return {hn::Neg(p.y), p.x};
}
HWY_INLINE P select(M mask, P yes, P no) {
  return {select(mask, yes.x, no.x), select(mask, yes.y, no.y)};
}
HWY_INLINE P rotate(P rotation, P p) {
  return {rotation.x * p.x - rotation.y * p.y, rotation.y * p.x + rotation.x * p.y};
}
/// The absolute value in a lane where it counts, else 0.
HWY_INLINE V length_of(P p) {
  return hn::Abs(p.x) + hn::Abs(p.y);
}
HWY_INLINE M is_unit(P rotation) {
  const V length2 = dot(rotation, rotation);
  return hn::And(hn::Ge(length2, set(0.99)), hn::Le(length2, set(1.01)));
}

// As `to_number`: to the nearest float, the largest at most, 0 without a sign.
HWY_INLINE void store_number(V value, Lanes& lanes, std::size_t i) {
  const V most = set(std::numeric_limits<float>::max());
  const auto rounded = hn::DemoteTo(F(), hn::Min(hn::Max(value, hn::Neg(most)), most));
  hn::StoreU(rounded + hn::Zero(F()), F(), lanes.values + i);
}
/// A small whole number, as an integer.
HWY_INLINE void store_whole(V value, Lanes& lanes, std::size_t i) {
  const hn::Rebind<std::int32_t, D> di;
  hn::StoreU(hn::BitCast(F(), hn::DemoteTo(di, value)), F(), lanes.values + i);
}
HWY_INLINE void store_point(P position, V separation, V feature, ContactLanes::Point& point, std::size_t i) {
  store_number(position.x, point.x, i);
  store_number(position.y, point.y, i);
  store_number(separation, point.separation, i);
  store_whole(feature, point.feature, i);
}

HWY_INLINE void store_verdict(M apart, M touching, ContactLanes& found, std::size_t i) {
  HWY_ALIGN double of_touching[HWY_LANES(double)];
  HWY_ALIGN double of_apart[HWY_LANES(double)];
  hn::Store(select(touching, set(1.0), set(0.0)), D(), of_touching);
  hn::Store(select(apart, set(1.0), set(0.0)), D(), of_apart);
  for (std::size_t lane = 0; lane < hn::Lanes(D()); ++lane) {
    found.touching[i + lane] = of_touching[lane] > 0.0;
    found.unsure[i + lane] = of_touching[lane] + of_apart[lane] == 0.0;
  }
}

// Deeper than any rounding, so that nobody has to ask the boxes; more than `is_confirmed` demands.
HWY_INLINE M is_certain(V separation, V lengths) {
  return hn::Lt(separation, set(-2e-12) * lengths);
}

HWY_INLINE void collide_lanes(const CircleLanes& a, const CircleLanes& b, ContactLanes& found) {
  const V zero = hn::Zero(D());
  for (std::size_t i = 0; i < chunk; i += hn::Lanes(D())) {
    const P position_a{load(a.position_x, i), load(a.position_y, i)};
    const P position_b{load(b.position_x, i), load(b.position_y, i)};
    const P turn_a{load(a.cos, i), load(a.sin, i)};
    const P turn_b{load(b.cos, i), load(b.sin, i)};
    const auto turned_center = [&](const CircleLanes& c, P turn) HWY_ATTR {
      const P center{load(c.center_x, i), load(c.center_y, i)};
      return select(hn::And(hn::Eq(center.x, zero), hn::Eq(center.y, zero)), P{zero, zero},
                    rotate(turn, center));
    };
    const P center_a = turned_center(a, turn_a);
    const P center_b = turned_center(b, turn_b);
    const V radius_a = load(a.radius, i);
    const V radius_b = load(b.radius, i);
    const P way = (position_b - position_a) + (center_b - center_a);
    const V radius = radius_a + radius_b;
    const V distance2 = dot(way, way);
    const V distance = hn::Sqrt(distance2);
    const V separation = distance - radius;
    const V lengths =
        radius + length_of(center_a) + length_of(center_b) + length_of(position_a) + length_of(position_b);
    const M valid = hn::And(hn::And(is_unit(turn_a), is_unit(turn_b)),
                            hn::And(hn::Ge(hn::Min(radius_a, radius_b), zero), hn::Lt(lengths, set(1e42))));
    const M touching = hn::And(hn::And(valid, hn::Gt(distance2, zero)), is_certain(separation, lengths));
    store_verdict(hn::And(valid, hn::Gt(distance2, radius * radius)), touching, found, i);

    const P normal = (set(1.0) / distance) * way;
    const P centers = (position_a + center_a) + (position_b + center_b);
    const P between = set(0.5) * (centers + (radius_a - radius_b) * normal);
    store_number(normal.x, found.normal_x, i);
    store_number(normal.y, found.normal_y, i);
    store_point(between, separation, zero, found.points[0], i);
    store_whole(set(1.0), found.size, i);
  }
}

/// See box_pair.cpp for what these are.
struct Frame {
  P center;
  P axis;
  V half_x;
  V half_y;
};
struct Side {
  V index;
  P normal;
  V half_normal;
  V half_along;
};
struct Cut {
  V along;
  V height;
  V feature;
};

HWY_INLINE Frame select(M mask, const Frame& yes, const Frame& no) {
  return {select(mask, yes.center, no.center), select(mask, yes.axis, no.axis),
          select(mask, yes.half_x, no.half_x), select(mask, yes.half_y, no.half_y)};
}
HWY_INLINE Cut select(M mask, const Cut& yes, const Cut& no) {
  return {select(mask, yes.along, no.along), select(mask, yes.height, no.height),
          select(mask, yes.feature, no.feature)};
}

/// How far out the second box is on the axes of the first, times the length of its axis.
HWY_INLINE P separate(const Frame& box, const Frame& other, P way) {
  const V length2 = dot(box.axis, box.axis);
  const V cosine = hn::Abs(dot(box.axis, other.axis));
  const V sine = hn::Abs(cross(box.axis, other.axis));
  return {
      hn::Abs(dot(way, box.axis)) - box.half_x * length2 - (other.half_x * cosine + other.half_y * sine),
      hn::Abs(cross(box.axis, way)) - box.half_y * length2 - (other.half_x * sine + other.half_y * cosine)};
}

/// The face of a box to the right or left where `on_x`, else above or below.
HWY_INLINE Side side_of(const Frame& box, M on_x, M right, M up) {
  const P axis = select(on_x, box.axis, left_of(box.axis));
  const M positive = hn::Or(hn::And(on_x, right), hn::AndNot(on_x, up));
  const V index = select(on_x, select(right, set(1.0), set(3.0)), select(up, set(2.0), set(0.0)));
  return {index, select(positive, axis, negative(axis)), select(on_x, box.half_x, box.half_y),
          select(on_x, box.half_y, box.half_x)};
}

HWY_INLINE V next_corner(V corner) {
  return select(hn::Eq(corner, set(3.0)), set(0.0), corner + set(1.0));
}

/// `feature` of face and corner numbers, where `face_is_b` tells which of the two boxes has the face.
HWY_INLINE V feature_of(M face_is_b, V of_a, V of_b) {
  const V kind =
      select(face_is_b, set(feature(Meeting::face_of_b, 0, 0)), set(feature(Meeting::face_of_a, 0, 0)));
  return kind + of_a * set(256.0) + of_b;
}

HWY_INLINE Frame load_frame(const BoxLanes& box, P turn, std::size_t i) {
  return {rotate(turn, {load(box.center_x, i), load(box.center_y, i)}),
          rotate(turn, {load(box.own_cos, i), load(box.own_sin, i)}), load(box.half_x, i),
          load(box.half_y, i)};
}

HWY_INLINE void collide_boxes_at(const BoxLanes& lanes_a, const BoxLanes& lanes_b, std::size_t i,
                                 ContactLanes& found) {
  const V zero = hn::Zero(D());
  const P position_a{load(lanes_a.position_x, i), load(lanes_a.position_y, i)};
  const P position_b{load(lanes_b.position_x, i), load(lanes_b.position_y, i)};
  const P turn_a{load(lanes_a.cos, i), load(lanes_a.sin, i)};
  const P turn_b{load(lanes_b.cos, i), load(lanes_b.sin, i)};
  Frame a = load_frame(lanes_a, turn_a, i);
  Frame b = load_frame(lanes_b, turn_b, i);
  P way = (position_b - position_a) + (b.center - a.center);
  P on_a = separate(a, b, way);
  P on_b = separate(b, a, way);
  const V lengths = length_of(a.center) + length_of(b.center) + (a.half_x + a.half_y) +
                    (b.half_x + b.half_y) + length_of(position_a) + length_of(position_b);
  const auto own_is_unit = [&](const BoxLanes& box) HWY_ATTR {
    return is_unit({load(box.own_cos, i), load(box.own_sin, i)});
  };
  const M rotations =
      hn::And(hn::And(is_unit(turn_a), is_unit(turn_b)), hn::And(own_is_unit(lanes_a), own_is_unit(lanes_b)));
  const V least_half = hn::Min(hn::Min(a.half_x, a.half_y), hn::Min(b.half_x, b.half_y));
  const M valid = hn::And(rotations, hn::And(hn::Ge(least_half, zero), hn::Lt(lengths, set(1e42))));
  const V widest = hn::Max(hn::Max(on_a.x, on_a.y), hn::Max(on_b.x, on_b.y));
  const M apart = hn::And(valid, hn::Gt(widest, zero));
  if (hn::AllTrue(D(), apart)) {
    store_verdict(apart, hn::Not(apart), found, i);
    return;
  }

  const V key = dot(way, {set(0.9), set(0.4)});
  const M swapped = hn::Lt(key, zero);
  const P middle = select(swapped, position_b + b.center, position_a + a.center);
  const Frame unswapped_a = a;
  a = select(swapped, b, a);
  b = select(swapped, unswapped_a, b);
  const P unswapped_on_a = on_a;
  on_a = select(swapped, on_b, on_a);
  on_b = select(swapped, unswapped_on_a, on_b);
  way = select(swapped, negative(way), way);

  const V slack = set(face_slack) * hn::Min(a.half_x + a.half_y, b.half_x + b.half_y);
  const auto nearly_unit = [](const Frame& frame)
                               HWY_ATTR { return set(1.5) - set(0.5) * dot(frame.axis, frame.axis); };
  const V unit_a = nearly_unit(a);
  const V unit_b = nearly_unit(b);
  V best = on_a.x * unit_a;
  M on_x = hn::Eq(best, best);
  M on_second = hn::Ne(best, best);
  const auto prefer = [&](V separation, bool x, bool second) HWY_ATTR {
    const M better = hn::Gt(separation, best + slack);
    best = select(better, separation, best);
    on_x = x ? hn::Or(better, on_x) : hn::AndNot(better, on_x);
    on_second = second ? hn::Or(better, on_second) : on_second;
  };
  prefer(on_a.y * unit_a, false, false);
  prefer(on_b.x * unit_b, true, true);
  prefer(on_b.y * unit_b, false, true);
  const M touching = hn::And(hn::And(valid, hn::Ne(key, zero)), is_certain(widest, lengths));
  store_verdict(apart, touching, found, i);

  const Frame box = select(on_second, b, a);
  const Frame other = select(on_second, a, b);
  const P way_out = select(on_second, negative(way), way);
  const Side side =
      side_of(box, on_x, hn::Ge(dot(way_out, box.axis), zero), hn::Ge(cross(box.axis, way_out), zero));
  const V unit = set(1.0) / hn::Sqrt(dot(box.axis, box.axis));

  // Clips the face of the other box that faces the side.
  const P normal = unit * side.normal;
  const P along = left_of(normal);
  const V length = dot(side.normal, normal);
  const V half_normal = side.half_normal * length;
  const V half_along = side.half_along * length;
  const V facing_x = dot(normal, other.axis);
  const V facing_y = cross(other.axis, normal);
  const Side facing = side_of(other, hn::Ge(hn::Abs(facing_x), hn::Abs(facing_y)), hn::Lt(facing_x, zero),
                              hn::Lt(facing_y, zero));
  const P face_middle = way_out + facing.half_normal * facing.normal;
  const P half_face = facing.half_along * left_of(facing.normal);
  const auto its = [&](V corner) HWY_ATTR {
    return feature_of(on_second, select(on_second, corner, side.index),
                      select(on_second, side.index, corner));
  };
  const auto own = [&](V corner) HWY_ATTR {
    const M face_is_b = hn::Not(on_second);
    return feature_of(face_is_b, select(on_second, facing.index, corner),
                      select(on_second, corner, facing.index));
  };
  const auto make_cut = [&](P at, V corner) HWY_ATTR {
    return Cut{dot(at, along), dot(at, normal) - half_normal, its(corner)};
  };
  const Cut low = make_cut(face_middle + half_face, next_corner(facing.index));
  const Cut high = make_cut(face_middle - half_face, facing.index);
  const Cut deepest = select(hn::Lt(high.height, low.height), high, low);
  const M in_front = hn::And(hn::Lt(low.along, high.along),
                             hn::And(hn::Le(low.along, half_along), hn::Ge(high.along, hn::Neg(half_along))));
  const V slope = (high.height - low.height) / (high.along - low.along);
  const auto cut_at = [&](V at, V corner) HWY_ATTR {
    return Cut{at, low.height + slope * (at - low.along), own(corner)};
  };
  const Cut low_cut =
      select(hn::Lt(low.along, hn::Neg(half_along)), cut_at(hn::Neg(half_along), side.index), low);
  const Cut high_cut =
      select(hn::Gt(high.along, half_along), cut_at(half_along, next_corner(side.index)), high);
  const M low_in = hn::And(in_front, hn::Le(low_cut.height, zero));
  const M high_in = hn::And(hn::And(in_front, hn::Le(high_cut.height, zero)),
                            hn::Or(hn::Not(low_in), hn::Lt(low_cut.along, high_cut.along)));
  const Cut fallen_back{deepest.along, hn::Min(deepest.height, zero), deepest.feature};
  const Cut first = select(low_in, low_cut, select(high_in, high_cut, fallen_back));

  const P from = select(on_second, middle + way, middle);
  const P out = select(hn::Xor(on_second, swapped), negative(normal), normal);
  store_number(out.x, found.normal_x, i);
  store_number(out.y, found.normal_y, i);
  const auto store_cut = [&](const Cut& cut, ContactLanes::Point& point) HWY_ATTR {
    const P surface = cut.along * along + (half_normal + set(0.5) * cut.height) * normal;
    store_point(from + surface, cut.height, cut.feature, point, i);
  };
  store_cut(first, found.points[0]);
  store_cut(high_cut, found.points[1]);
  store_whole(select(hn::And(low_in, high_in), set(2.0), set(1.0)), found.size, i);
}

HWY_INLINE void collide_lanes(const BoxLanes& a, const BoxLanes& b, ContactLanes& found) {
  for (std::size_t i = 0; i < chunk; i += hn::Lanes(D())) {
    collide_boxes_at(a, b, i, found);
  }
}

#if HWY_TARGET == HWY_SCALAR

/// Turns four numbers of each of four lanes, from `from(lane)` to `to`.
template <class From>
HWY_INLINE void turn_in(From from, std::size_t first, Lanes* to) {
  for (std::size_t lane = 0; lane < 4; ++lane) {
    for (std::size_t k = 0; k < 4; ++k) {
      to[k].values[first + lane] = from(first + lane)[k];
    }
  }
}
/// Turns them back: all four numbers of one lane, to `to`.
HWY_INLINE void turn_out(const Lanes* from, std::size_t lane, float* to) {
  for (std::size_t k = 0; k < 4; ++k) {
    to[k] = from[k].values[lane];
  }
}
template <class Out>
HWY_INLINE void turn_out_four(const Lanes* from, std::size_t first, Out out) {
  for (std::size_t lane = 0; lane < 4; ++lane) {
    turn_out(from, first + lane, out(lane));
  }
}

#else

using F4 = hn::FixedTag<float, 4>;
struct Four {
  hn::Vec<F4> of[4];
};

/// Rows to columns.
HWY_INLINE Four turned(const Four& rows) {
  const F4 d;
  const auto low_ab = hn::InterleaveLower(d, rows.of[0], rows.of[1]);
  const auto low_ce = hn::InterleaveLower(d, rows.of[2], rows.of[3]);
  const auto high_ab = hn::InterleaveUpper(d, rows.of[0], rows.of[1]);
  const auto high_ce = hn::InterleaveUpper(d, rows.of[2], rows.of[3]);
  return {{hn::ConcatLowerLower(d, low_ce, low_ab), hn::ConcatUpperUpper(d, low_ce, low_ab),
           hn::ConcatLowerLower(d, high_ce, high_ab), hn::ConcatUpperUpper(d, high_ce, high_ab)}};
}

/// Turns four numbers of each of four lanes, from `from(lane)` to `to`.
template <class From>
HWY_INLINE void turn_in(From from, std::size_t first, Lanes* to) {
  const F4 d;
  const Four columns = turned({{hn::LoadU(d, from(first)), hn::LoadU(d, from(first + 1)),
                                hn::LoadU(d, from(first + 2)), hn::LoadU(d, from(first + 3))}});
  for (std::size_t k = 0; k < 4; ++k) {
    hn::StoreU(columns.of[k], d, to[k].values + first);
  }
}
/// Turns them back, to `out(lane)`.
template <class Out>
HWY_INLINE void turn_out_four(const Lanes* from, std::size_t first, Out out) {
  const F4 d;
  const Four rows = turned({{hn::LoadU(d, from[0].values + first), hn::LoadU(d, from[1].values + first),
                             hn::LoadU(d, from[2].values + first), hn::LoadU(d, from[3].values + first)}});
  for (std::size_t lane = 0; lane < 4; ++lane) {
    hn::StoreU(rows.of[lane], d, out(lane));
  }
}

#endif

/// Brings the shapes and transforms of one side of the pairs into lanes.
template <class NameOf>
HWY_INLINE void fill(CircleLanes& lanes, const Shape* shapes, const Transform* transforms, NameOf name_of) {
  for (std::size_t first = 0; first < chunk; first += 4) {
    turn_in([&](std::size_t i) HWY_ATTR { return &transforms[name_of(i)].position.x; }, first,
            &lanes.position_x);
    for (std::size_t i = first; i < first + 4; ++i) {
      const Circle& circle = *std::get_if<Circle>(&shapes[name_of(i)]);
      lanes.center_x.values[i] = circle.center.x;
      lanes.center_y.values[i] = circle.center.y;
      lanes.radius.values[i] = circle.radius;
    }
  }
}
template <class NameOf>
HWY_INLINE void fill(BoxLanes& lanes, const Shape* shapes, const Transform* transforms, NameOf name_of) {
  const auto box_of = [&](std::size_t i) HWY_ATTR { return std::get_if<Box>(&shapes[name_of(i)]); };
  for (std::size_t first = 0; first < chunk; first += 4) {
    turn_in([&](std::size_t i) HWY_ATTR { return &transforms[name_of(i)].position.x; }, first,
            &lanes.position_x);
    turn_in([&](std::size_t i) HWY_ATTR { return &box_of(i)->half_size.x; }, first, &lanes.half_x);
    turn_in([&](std::size_t i) HWY_ATTR { return &box_of(i)->center.x; }, first, &lanes.unused_x);
  }
}

template <class L>
HWY_INLINE std::size_t collide_pairs(std::span<const Pair> pairs, const Shape* shapes,
                                     const Transform* transforms, Contact* out) {
  L a{};
  L b{};
  ContactLanes found{};
  std::size_t count = 0;
  for (std::size_t first = 0; first < pairs.size(); first += chunk) {
    const std::size_t n = std::min(chunk, pairs.size() - first);
    const auto pair_at = [&](std::size_t i) HWY_ATTR { return pairs[first + std::min(i, n - 1)]; };
    fill(a, shapes, transforms, [&](std::size_t i) HWY_ATTR { return pair_at(i).a; });
    fill(b, shapes, transforms, [&](std::size_t i) HWY_ATTR { return pair_at(i).b; });
    collide_lanes(a, b, found);
    for (std::size_t i = 0; i < chunk; ++i) {
      found.name_a.values[i] = std::bit_cast<float>(pair_at(i).a);
      found.name_b.values[i] = std::bit_cast<float>(pair_at(i).b);
    }
    // No branch on what touches: it is written anyhow, and the place moves on by one or by nothing.
    float turned_back[chunk][12];
    for (std::size_t four = 0; four < chunk; four += 4) {
      const Lanes* groups[] = {&found.name_a, &found.points[0].x, &found.points[1].x};
      for (std::size_t group = 0; group < 3; ++group) {
        turn_out_four(groups[group], four,
                      [&](std::size_t lane) HWY_ATTR { return turned_back[four + lane] + 4 * group; });
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      Contact& contact = out[count];
      std::memcpy(static_cast<void*>(&contact), turned_back[i], sizeof(turned_back[i]));
      contact.manifold.size = std::bit_cast<std::uint32_t>(found.size.values[i]);
      bool touching = found.touching[i];
      if (found.unsure[i]) {
        const Pair pair = pair_at(i);
        contact.manifold = collide(shapes[pair.a], transforms[pair.a], shapes[pair.b], transforms[pair.b]);
        touching = contact.manifold.touching();
      }
      count += touching ? 1U : 0U;
    }
  }
  return count;
}

std::size_t collide_circle_pairs(std::span<const Pair> pairs, const Shape* shapes,
                                 const Transform* transforms, Contact* out) {
  return collide_pairs<CircleLanes>(pairs, shapes, transforms, out);
}

std::size_t collide_box_pairs(std::span<const Pair> pairs, const Shape* shapes, const Transform* transforms,
                              Contact* out) {
  return collide_pairs<BoxLanes>(pairs, shapes, transforms, out);
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(collide_circle_pairs);
HWY_EXPORT(collide_box_pairs);

std::size_t collide_circle_pairs(std::span<const Pair> pairs, const Shape* shapes,
                                 const Transform* transforms, Contact* out) {
  return HWY_DYNAMIC_DISPATCH(collide_circle_pairs)(pairs, shapes, transforms, out);
}

std::size_t collide_box_pairs(std::span<const Pair> pairs, const Shape* shapes, const Transform* transforms,
                              Contact* out) {
  return HWY_DYNAMIC_DISPATCH(collide_box_pairs)(pairs, shapes, transforms, out);
}

}  // namespace broadside::detail

#endif
