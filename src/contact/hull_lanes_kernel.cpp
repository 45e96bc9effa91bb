// Compiled once for each SIMD target by Highway, which picks the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/hull_lanes_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "base/convex.hpp"
#include "contact/clip_lanes.hpp"
#include "contact/hull_faces.hpp"
#include "contact/order.hpp"
#include "contact/pair_kernels.hpp"
#include "contact/pair_lanes.hpp"

#ifndef BROADSIDE_HULL_LANES
#define BROADSIDE_HULL_LANES

namespace broadside::detail {

/// Polygons of few corners where they stand. Those of more are not sound anywhere.
struct HullLanes {
  static constexpr std::size_t corners = EdgeLanes::size;

  Lanes position_x, position_y, cos, sin;
  Lanes x_and_y[2 * corners];  ///< (local)
  DoubleLanes inverse_length[corners];
  Lanes last;  ///< the number of the last corner
  Lanes radius;
  DoubleLanes reach, extent, shortest, sound_within;

  /// Sets all but what is made of its corners.
  void set(std::size_t i, const Polygon& polygon) {
    const Polygon::Data& data = *polygon.data_;
    for (std::size_t k = 0; k < corners; ++k) {
      inverse_length[k].values[i] = data.edges[0].inverse_length[k];
    }
    last.values[i] = static_cast<float>(data.size - 1);
    radius.values[i] = data.radius;
    reach.values[i] = data.reach;
    extent.values[i] = data.extent;
    shortest.values[i] = data.shortest;
    sound_within.values[i] = data.size <= corners ? data.sound_within : -1.0;
  }
};

}  // namespace broadside::detail

#endif

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

// Where each number is worked on alone, lanes gain nothing.
std::size_t collide_polygon_pairs(std::span<const Pair> pairs, const Shape* shapes,
                                  const Transform* transforms, Ahead& ahead, Contact* out) {
  return collide_one_by_one(pairs, shapes, transforms, ahead, out);
}

#else

// The steps of hull_pair.cpp for boxes and polygons, a lane for each pair. Which features meet is found where
// rounding cannot make it others, so it does not matter how; what is made of these is the same to the bit.

using DI = hn::RebindToSigned<D>;

constexpr std::size_t most_corners = HullLanes::corners;

HWY_INLINE V load(const DoubleLanes& lanes, std::size_t i) {
  return hn::Load(D(), lanes.values + i);
}
/// A small whole number, for each lane.
HWY_INLINE V whole(std::size_t number) {
  return set(static_cast<double>(number));
}

/// A core in lanes, with `size` corners: beyond the last come copies of it, and of its face.
template <std::size_t size>
struct Core {
  static constexpr std::size_t count = size;

  P corners[size];
  P normals[size];  ///< unit vectors, but for rounding
  V last;           ///< the number of the last corner
  V radius;
  V reach;
  V extent;
  V shortest;
  M is_fit;
};

HWY_INLINE P unit(P axis) {
  return (set(1.5) - set(0.5) * dot(axis, axis)) * axis;
}
HWY_INLINE M is_rigid(P axis) {
  return hn::Lt(hn::Abs(dot(axis, axis) - set(1.0)), set(most_stretch));
}

HWY_INLINE void place(const BoxLanes& box, P anchor, std::size_t i, Core<4>& core) {
  const P turn{load(box.cos, i), load(box.sin, i)};
  const P axis = rotate(turn, {load(box.own_cos, i), load(box.own_sin, i)});
  const P offset = P{load(box.position_x, i), load(box.position_y, i)} - anchor;
  const P center = rotate(turn, {load(box.center_x, i), load(box.center_y, i)}) + offset;
  const V half_x = load(box.half_x, i);
  const V half_y = load(box.half_y, i);
  const P way = half_x * axis;
  const P up = half_y * left_of(axis);
  core.corners[0] = (center - way) - up;
  core.corners[1] = (center + way) - up;
  core.corners[2] = (center + way) + up;
  core.corners[3] = (center - way) + up;
  const P right = unit(axis);
  core.normals[0] = negative(left_of(right));
  core.normals[1] = right;
  core.normals[2] = left_of(right);
  core.normals[3] = negative(right);
  core.last = whole(3);
  core.radius = hn::Zero(D());
  core.reach = length_of(center) + set(most_by_turning) * (half_x + half_y);
  core.extent = set(2.0) * (half_x + half_y);
  core.shortest = hn::Min(half_x, half_y);
  core.is_fit = hn::And(is_unit(turn), is_rigid(axis));
}

HWY_INLINE void place(const HullLanes& polygon, P anchor, std::size_t i, Core<most_corners>& core) {
  const P turn{load(polygon.cos, i), load(polygon.sin, i)};
  const P axis = unit(turn);
  const P offset = P{load(polygon.position_x, i), load(polygon.position_y, i)} - anchor;
  core.last = load(polygon.last, i);
  const auto local_at = [&](std::size_t k) HWY_ATTR {
    return P{load(polygon.x_and_y[2 * k], i), load(polygon.x_and_y[2 * k + 1], i)};
  };
  const P first = local_at(0);
  P local = first;
  for (std::size_t k = 0; k < most_corners; ++k) {
    core.corners[k] = rotate(turn, local) + offset;
    const P after = local_at(k + 1 < most_corners ? k + 1 : 0);
    const P edge = select(hn::Ge(whole(k), core.last), first, after) - local;
    const P normal = load(polygon.inverse_length[k], i) * P{edge.y, hn::Neg(edge.x)};
    core.normals[k] = rotate(axis, normal);
    local = after;
  }
  const V far_out = length_of(offset);
  core.radius = load(polygon.radius, i);
  core.reach = far_out + set(most_by_turning) * load(polygon.reach, i) + core.radius;
  core.extent = load(polygon.extent, i) + core.radius;
  core.shortest = load(polygon.shortest, i);
  core.is_fit = hn::And(is_rigid(turn), hn::Le(far_out, load(polygon.sound_within, i)));
}

/// What the faces of a core tell of another.
struct WidestFace {
  V widest;      ///< how far the other is in front of the face that sees most of it
  V face;        ///< the first that no other beats by more than the slack
  V separation;  ///< the same at this face
  P normal;
  M is_sure;
};

template <class A, class B>
HWY_INLINE WidestFace choose(const A& core, const B& other, V slack, V rounding) {
  V separations[A::count];
  WidestFace choice;
  for (std::size_t k = 0; k < A::count; ++k) {
    const P normal = core.normals[k];
    // Two at a time, as each minimum has to wait for the one before.
    V even = dot(normal, other.corners[0]);
    V odd = dot(normal, other.corners[1]);
    for (std::size_t j = 2; j < B::count; j += 2) {
      even = hn::Min(even, dot(normal, other.corners[j]));
      odd = hn::Min(odd, dot(normal, other.corners[j + 1]));
    }
    separations[k] = hn::Min(even, odd) - dot(normal, core.corners[k]);
    choice.widest = k == 0 ? separations[0] : hn::Max(choice.widest, separations[k]);
  }
  const V least = choice.widest - slack;
  choice.face = choice.separation = hn::Zero(D());
  choice.normal = {hn::Zero(D()), hn::Zero(D())};
  V surely = set(-1.0);
  for (std::size_t k = A::count; k-- > 0;) {
    const M is_wide = hn::Ge(separations[k], least - rounding);
    choice.face = select(is_wide, whole(k), choice.face);
    choice.separation = select(is_wide, separations[k], choice.separation);
    choice.normal = select(is_wide, core.normals[k], choice.normal);
    surely = select(hn::Ge(separations[k], least + rounding), whole(k), surely);
  }
  choice.is_sure = hn::Eq(choice.face, surely);
  return choice;
}

/// Sets the edge of a core that faces a direction the most; returns whether it does by more than rounding.
template <class A>
HWY_INLINE M find_facing_edge(const A& other, P direction, V& edge) {
  constexpr double more_than_rounding = 1e-9;
  V against[A::count];
  V most = set(-2.0);
  for (std::size_t k = 0; k < A::count; ++k) {
    const M is_used = hn::Le(whole(k), other.last);
    against[k] = select(is_used, hn::Neg(dot(other.normals[k], direction)), set(-2.0));
    most = hn::Max(most, against[k]);
  }
  const V least = most - set(more_than_rounding);
  V as_good = hn::Zero(D());
  edge = hn::Zero(D());
  for (std::size_t k = 0; k < A::count; ++k) {
    const M is_best = hn::Ge(against[k], least);
    edge = select(is_best, whole(k), edge);
    as_good = as_good + select(is_best, set(1.0), hn::Zero(D()));
  }
  return hn::Eq(as_good, set(1.0));
}

/// The corners of both cores in memory, to be read by their numbers.
struct CornersOfBoth {
  template <class A>
  HWY_INLINE void write(std::size_t of, const A& core) {
    for (std::size_t k = 0; k < A::count; ++k) {
      const std::size_t at = (of * most_corners + k) * hn::Lanes(D());
      hn::Store(core.corners[k].x, D(), x + at);
      hn::Store(core.corners[k].y, D(), y + at);
    }
  }
  HWY_INLINE P read(V of, V number) const {
    const V lanes = whole(hn::Lanes(D()));
    const V at = (of * whole(most_corners) + number) * lanes + hn::Iota(D(), 0.0);
    const auto index = hn::ConvertTo(DI(), at);
    return {hn::GatherIndex(D(), x, index), hn::GatherIndex(D(), y, index)};
  }

  alignas(64) double x[2 * most_corners * widest];
  alignas(64) double y[2 * most_corners * widest];
};

HWY_INLINE V number_after(V number, V last) {
  return select(hn::Eq(number, last), hn::Zero(D()), number + set(1.0));
}

template <class PlaceOf>
HWY_INLINE void fill(HullLanes& lanes, std::size_t count, const Shape* shapes, const Transform* transforms,
                     PlaceOf place_of) {
  fill_transforms(lanes, count, transforms, place_of);
  const Vec2* corners[chunk];
  for (std::size_t i = 0; i < count; ++i) {
    const Polygon& polygon = *std::get_if<Polygon>(&shapes[place_of(i)]);
    corners[i] = polygon.vertices().data();
    lanes.set(i, polygon);
  }
  for (std::size_t first = 0; first < count; first += 4) {
    for (std::size_t k = 0; k < most_corners; k += 2) {
      turn_in<4>([&](std::size_t i) HWY_ATTR { return &corners[i][k].x; }, first, &lanes.x_and_y[2 * k]);
    }
  }
}

template <class LanesA, std::size_t corners_a>
HWY_INLINE void collide_lanes(const LanesA& lanes_a, const HullLanes& lanes_b, const Lanes& signs,
                              std::size_t i, CornersOfBoth& corners, ContactLanes& found) {
  const V zero = hn::Zero(D());
  const P at_a{load(lanes_a.position_x, i), load(lanes_a.position_y, i)};
  const P at_b{load(lanes_b.position_x, i), load(lanes_b.position_y, i)};
  const M a_is_less = hn::Or(hn::Lt(at_a.x, at_b.x), hn::And(hn::Eq(at_a.x, at_b.x), hn::Lt(at_a.y, at_b.y)));
  const P anchor = select(a_is_less, at_a, at_b);
  Core<corners_a> a;
  Core<most_corners> b;
  place(lanes_a, anchor, i, a);
  place(lanes_b, anchor, i, b);
  const V radius = a.radius + b.radius;
  const V lengths = a.reach + b.reach;
  const V rounding = set(rounding_share) * lengths;
  const V shortest = hn::Min(a.shortest, b.shortest);
  const M is_fit =
      hn::And(hn::And(hn::And(a.is_fit, b.is_fit), hn::Gt(shortest, zero)),
              hn::And(hn::Ge(shortest, set(shortest_share) * lengths), hn::Lt(lengths, set(most_lengths))));
  const V slack = set(face_slack) * hn::Min(a.extent, b.extent);
  const WidestFace on_a = choose(a, b, slack, rounding);
  const WidestFace on_b = choose(b, a, slack, rounding);
  const V widest = hn::Max(on_a.widest, on_b.widest);
  const M apart = hn::And(is_fit, hn::Gt(widest, radius + rounding));
  if (hn::AllTrue(D(), apart)) {
    store_verdict(apart, hn::Not(apart), found, i);
    return;
  }

  const V gain = on_b.separation - on_a.separation - slack;
  const M is_certain_gain = hn::Gt(hn::Abs(gain), rounding);
  const M face_on_b = hn::Gt(gain, zero);
  const P normal = select(face_on_b, on_b.normal, on_a.normal);
  V edge_of_a;
  V edge_of_b;
  const M is_clear_a = find_facing_edge(a, normal, edge_of_a);
  const M is_clear_b = find_facing_edge(b, normal, edge_of_b);
  const M is_clear = hn::Or(hn::And(face_on_b, is_clear_a), hn::AndNot(face_on_b, is_clear_b));
  corners.write(0, a);
  corners.write(1, b);
  const V one = set(1.0);
  const V own = select(face_on_b, one, zero);
  const V other = select(face_on_b, zero, one);
  const V face = select(face_on_b, on_b.face, on_a.face);
  const V edge = select(face_on_b, edge_of_a, edge_of_b);
  const V face_end = number_after(face, select(face_on_b, b.last, a.last));
  const V edge_end = number_after(edge, select(face_on_b, a.last, b.last));
  const Facing facing{face_on_b,
                      face,
                      face_end,
                      edge,
                      edge_end,
                      corners.read(own, face),
                      corners.read(own, face_end),
                      corners.read(other, edge_end),
                      corners.read(other, edge),
                      select(face_on_b, b.radius, a.radius),
                      select(face_on_b, a.radius, b.radius)};
  const V sign = load(signs, i);
  const M meets = clip(facing, anchor, sign, found, i);
  const M is_sure = hn::And(hn::And(is_fit, hn::And(on_a.is_sure, on_b.is_sure)),
                            hn::And(hn::And(is_certain_gain, is_clear), hn::Ne(sign, zero)));
  // Cores that are in each other, and by so much that nobody has to ask the boxes.
  const V far_out = length_of(at_a) + length_of(at_b);
  const M is_deep =
      hn::And(hn::Lt(widest, hn::Neg(rounding)), is_certain((widest - radius) + rounding, lengths + far_out));
  store_verdict(apart, hn::And(hn::And(is_sure, is_deep), meets), found, i);
}

template <class LanesA, std::size_t corners_a>
HWY_INLINE std::size_t collide_with_polygon(std::span<const Pair> pairs, const Shape* shapes,
                                            const Transform* transforms, Ahead& ahead, Contact* out) {
  Lanes signs;  // of who comes first, as `order_of` tells: 1 where it is a, -1 where it is b, 0 if neither
  CornersOfBoth corners;
  return collide_pairs<LanesA, HullLanes>(
      pairs, shapes, transforms, ahead, out,
      [&](std::size_t i, Pair pair) HWY_ATTR {
        const double a_is_first =
            order_of(shapes[pair.a], transforms[pair.a], shapes[pair.b], transforms[pair.b]);
        signs.values[i] = static_cast<float>((a_is_first > 0.0) - (a_is_first < 0.0));
        return a_is_first < 0.0 ? Pair{pair.b, pair.a} : pair;
      },
      [&](std::span<const Pair> ordered, const LanesA& a, const HullLanes& b, ContactLanes& found) HWY_ATTR {
        for_each_register(ordered.size(), [&](std::size_t i) HWY_ATTR {
          ahead.call_inside(hn::Lanes(D()));
          collide_lanes<LanesA, corners_a>(a, b, signs, i, corners, found);
        });
      });
}

std::size_t collide_polygon_pairs(std::span<const Pair> pairs, const Shape* shapes,
                                  const Transform* transforms, Ahead& ahead, Contact* out) {
  const bool with_box =
      std::holds_alternative<Box>(shapes[pairs[0].a]) || std::holds_alternative<Box>(shapes[pairs[0].b]);
  return with_box ? collide_with_polygon<BoxLanes, 4>(pairs, shapes, transforms, ahead, out)
                  : collide_with_polygon<HullLanes, most_corners>(pairs, shapes, transforms, ahead, out);
}

#endif

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(collide_polygon_pairs);

std::size_t collide_polygon_pairs(std::span<const Pair> pairs, const Shape* shapes,
                                  const Transform* transforms, Ahead& ahead, Contact* out) {
  return HWY_DYNAMIC_DISPATCH(collide_polygon_pairs)(pairs, shapes, transforms, ahead, out);
}

}  // namespace broadside::detail

#endif
