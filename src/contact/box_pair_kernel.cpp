// Compiled once for each SIMD target by Highway, which picks the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/box_pair_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "contact/feature.hpp"
#include "contact/order.hpp"
#include "contact/pair_kernels.hpp"
#include "contact/pair_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

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

HWY_INLINE void collide_lanes(const BoxLanes& lanes_a, const BoxLanes& lanes_b, std::size_t i,
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
  const V unit = divide(set(1.0), hn::Sqrt(dot(box.axis, box.axis)));

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
  const V slope = divide(high.height - low.height, high.along - low.along);
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

std::size_t collide_box_pairs(std::span<const Pair> pairs, const Shape* shapes, const Transform* transforms,
                              Ahead& ahead, Contact* out) {
  const auto collide_filled = [](const BoxLanes& a, const BoxLanes& b, std::size_t i, ContactLanes& found)
                                  HWY_ATTR { collide_lanes(a, b, i, found); };
  return collide_pairs<BoxLanes>(pairs, shapes, transforms, ahead, out, collide_filled);
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(collide_box_pairs);

std::size_t collide_box_pairs(std::span<const Pair> pairs, const Shape* shapes, const Transform* transforms,
                              Ahead& ahead, Contact* out) {
  return HWY_DYNAMIC_DISPATCH(collide_box_pairs)(pairs, shapes, transforms, ahead, out);
}

}  // namespace broadside::detail

#endif
