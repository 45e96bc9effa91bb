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

/// The other box as seen from one: where its middle is and how far out it is on both axes, times the length
/// of the axis.
struct SeenBox {
  P at;
  P out;
  V length2;  ///< of the axis
};

HWY_INLINE Cut select(M mask, const Cut& yes, const Cut& no) {
  return {select(mask, yes.along, no.along), select(mask, yes.height, no.height),
          select(mask, yes.feature, no.feature)};
}

/// @param cosine of the angle between the axes, without its sign, times the lengths of both
/// @param sine the same
HWY_INLINE SeenBox see(const Frame& box, const Frame& other, P way, V cosine, V sine) {
  const V length2 = dot(box.axis, box.axis);
  const P at{dot(way, box.axis), cross(box.axis, way)};
  return {at,
          {hn::Abs(at.x) - box.half_x * length2 - (other.half_x * cosine + other.half_y * sine),
           hn::Abs(at.y) - box.half_y * length2 - (other.half_x * sine + other.half_y * cosine)},
          length2};
}

/// The face of a box to the right or left where `on_x`, else above or below; right or above where `positive`.
HWY_INLINE Side side_of(const Frame& box, M on_x, M positive) {
  const P axis = select(on_x, box.axis, left_of(box.axis));
  const V index = select(positive, select(on_x, set(1.0), set(2.0)), select(on_x, set(3.0), set(0.0)));
  return {index, select(positive, axis, negative(axis)), select(on_x, box.half_x, box.half_y),
          select(on_x, box.half_y, box.half_x)};
}

HWY_INLINE V next_corner(V corner) {
  return select(hn::Eq(corner, set(3.0)), set(0.0), corner + set(1.0));
}

HWY_INLINE P load_center(const BoxLanes& box, P turn, std::size_t i) {
  return rotate(turn, {load(box.center_x, i), load(box.center_y, i)});
}
HWY_INLINE Frame load_frame(const BoxLanes& box, P turn, std::size_t i) {
  return {rotate(turn, {load(box.own_cos, i), load(box.own_sin, i)}), load(box.half_x, i),
          load(box.half_y, i)};
}

/// Two boxes where it is known which face is met.
struct Met {
  M is_b;       ///< it is a face of b
  M on_second;  ///< of the two in the order of features
  Side side;
  Frame other;
  P way;   ///< from the middle of the box with the face to that of the other
  P from;  ///< the middle of the box with the face (world)
  V unit;  ///< 1 / length of its axis
};

/// Finds out whether boxes touch, and where one may `met`.
HWY_INLINE void find_face(const BoxLanes& lanes_a, const BoxLanes& lanes_b, std::size_t i,
                          ContactLanes& found, Met& met) {
  const V zero = hn::Zero(D());
  const P position_a{load(lanes_a.position_x, i), load(lanes_a.position_y, i)};
  const P position_b{load(lanes_b.position_x, i), load(lanes_b.position_y, i)};
  const P turn_a{load(lanes_a.cos, i), load(lanes_a.sin, i)};
  const P turn_b{load(lanes_b.cos, i), load(lanes_b.sin, i)};
  const P center_a = load_center(lanes_a, turn_a, i);
  const P center_b = load_center(lanes_b, turn_b, i);
  const Frame a = load_frame(lanes_a, turn_a, i);
  const Frame b = load_frame(lanes_b, turn_b, i);
  const P way = (position_b - position_a) + (center_b - center_a);
  const P back = negative(way);
  const auto unit_of = [](P axis) HWY_ATTR { return divide(set(1.0), hn::Sqrt(dot(axis, axis))); };
  const V unit_a = unit_of(a.axis);
  const V unit_b = unit_of(b.axis);
  const V cosine = hn::Abs(dot(a.axis, b.axis));
  const V sine = hn::Abs(cross(a.axis, b.axis));
  const SeenBox from_a = see(a, b, way, cosine, sine);
  const SeenBox from_b = see(b, a, back, cosine, sine);
  const V size_a = a.half_x + a.half_y;
  const V size_b = b.half_x + b.half_y;
  const V lengths = length_of(center_a) + length_of(center_b) + size_a + size_b + length_of(position_a) +
                    length_of(position_b);
  // Nearer to 1 than need be: so those of the boxes' own rotations do not have to be looked at. NaN shows in
  // the lengths, or in all that is compared.
  const V turn2_a = dot(turn_a, turn_a);
  const V turn2_b = dot(turn_b, turn_b);
  const V least2 = hn::Min(hn::Min(turn2_a, turn2_b), hn::Min(from_a.length2, from_b.length2));
  const V most2 = hn::Max(hn::Max(turn2_a, turn2_b), hn::Max(from_a.length2, from_b.length2));
  const V least_half = hn::Min(hn::Min(a.half_x, a.half_y), hn::Min(b.half_x, b.half_y));
  const M valid = hn::And(hn::And(hn::Ge(least2, set(0.999)), hn::Le(most2, set(1.001))),
                          hn::And(hn::Ge(least_half, zero), hn::Lt(lengths, set(most_lengths_of_lanes))));
  const V widest = hn::Max(hn::Max(from_a.out.x, from_a.out.y), hn::Max(from_b.out.x, from_b.out.y));
  const M apart = hn::And(valid, hn::Gt(widest, zero));
  if (hn::AllTrue(D(), apart)) {
    store_verdict(apart, hn::Not(apart), found, i);
    return;
  }

  // Which of the two is the first counts where a face is preferred to another, and in features.
  const V key = dot(way, {set(0.9), set(0.4)});
  const M swapped = hn::Lt(key, zero);
  const M touching = hn::And(hn::And(valid, hn::Ne(key, zero)), is_certain(widest, lengths));
  store_verdict(apart, touching, found, i);
  const V slack = set(face_slack) * hn::Min(size_a, size_b);
  const auto nearly_unit = [](V length2) HWY_ATTR { return set(1.5) - set(0.5) * length2; };
  const P on_a = nearly_unit(from_a.length2) * from_a.out;
  const P on_b = nearly_unit(from_b.length2) * from_b.out;
  const P on_first = select(swapped, on_b, on_a);
  const P on_last = select(swapped, on_a, on_b);
  const M first_y = hn::Gt(on_first.y, on_first.x + slack);
  const V best_first = select(first_y, on_first.y, on_first.x);
  const M last_x = hn::Gt(on_last.x, best_first + slack);
  const V best_x = select(last_x, on_last.x, best_first);
  const M last_y = hn::Gt(on_last.y, best_x + slack);
  const M on_second = hn::Or(last_x, last_y);
  const M on_x = hn::AndNot(last_y, hn::Or(last_x, hn::Not(first_y)));

  const M is_b = hn::Xor(swapped, on_second);
  const auto select_frame = [&](const Frame& yes, const Frame& no) HWY_ATTR {
    return Frame{select(is_b, yes.axis, no.axis), select(is_b, yes.half_x, no.half_x),
                 select(is_b, yes.half_y, no.half_y)};
  };
  const Frame box = select_frame(b, a);
  const P way_out = select(is_b, back, way);
  const P at = select(is_b, from_b.at, from_a.at);
  const P middle = select(swapped, position_b + center_b, position_a + center_a);
  met = {is_b,
         on_second,
         side_of(box, on_x, hn::Ge(select(on_x, at.x, at.y), zero)),
         select_frame(a, b),
         way_out,
         select(on_second, middle - way_out, middle),
         select(is_b, unit_b, unit_a)};
}

/// Clips the face of the other box that faces the one that is met.
HWY_INLINE void clip(const Met& met, std::size_t i, ContactLanes& found) {
  const V zero = hn::Zero(D());
  const Side& side = met.side;
  const Frame& other = met.other;
  const P normal = met.unit * side.normal;
  const P along = left_of(normal);
  const V length = dot(side.normal, normal);
  const V half_normal = side.half_normal * length;
  const V half_along = side.half_along * length;
  const V facing_x = dot(normal, other.axis);
  const V facing_y = cross(other.axis, normal);
  const M facing_on_x = hn::Ge(hn::Abs(facing_x), hn::Abs(facing_y));
  const Side facing = side_of(other, facing_on_x, hn::Lt(select(facing_on_x, facing_x, facing_y), zero));
  const P face_middle = met.way + facing.half_normal * facing.normal;
  const P half_face = facing.half_along * left_of(facing.normal);
  // Features: the number of the first box comes before that of the second.
  const V high_place = set(feature(Meeting::corners, 1, 0));
  const V place_of_box = select(met.on_second, set(1.0), high_place);
  const V place_of_other = select(met.on_second, high_place, set(1.0));
  const V at_a = set(feature(Meeting::face_of_a, 0, 0));
  const V at_b = set(feature(Meeting::face_of_b, 0, 0));
  const V of_face = select(met.on_second, at_b, at_a) + side.index * place_of_box;
  const V of_facing = select(met.on_second, at_a, at_b) + facing.index * place_of_other;
  const auto make_cut = [&](P point, V corner) HWY_ATTR {
    return Cut{dot(point, along), dot(point, normal) - half_normal, of_face + corner * place_of_other};
  };
  const Cut low = make_cut(face_middle + half_face, next_corner(facing.index));
  const Cut high = make_cut(face_middle - half_face, facing.index);
  const Cut deepest = select(hn::Lt(high.height, low.height), high, low);
  const M in_front = hn::And(hn::Lt(low.along, high.along),
                             hn::And(hn::Le(low.along, half_along), hn::Ge(high.along, hn::Neg(half_along))));
  const V slope = divide(high.height - low.height, high.along - low.along);
  const auto cut_at = [&](V end, V corner) HWY_ATTR {
    return Cut{end, low.height + slope * (end - low.along), of_facing + corner * place_of_box};
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

  const P out = select(met.is_b, negative(normal), normal);
  store_number(out.x, found.normal_x, i);
  store_number(out.y, found.normal_y, i);
  const auto store_cut = [&](const Cut& cut, ContactLanes::Point& point) HWY_ATTR {
    const P surface = cut.along * along + (half_normal + set(0.5) * cut.height) * normal;
    store_point(met.from + surface, cut.height, cut.feature, point, i);
  };
  store_cut(first, found.points[0]);
  store_cut(high_cut, found.points[1]);
  store_whole(select(hn::And(low_in, high_in), set(2.0), set(1.0)), found.size, i);
}

std::size_t collide_box_pairs(std::span<const Pair> pairs, const Shape* shapes, const Transform* transforms,
                              Ahead& ahead, Contact* out) {
  // In two rounds: where each step has to wait for the one before, the processor works on what comes after,
  // and there is more of that within its sight.
  constexpr std::size_t lanes = hn::MaxLanes(D());
  Met met[chunk / lanes];
  return collide_pairs<BoxLanes, BoxLanes>(
      pairs, shapes, transforms, out, [](std::size_t /*i*/, Pair pair) HWY_ATTR { return pair; },
      [&](std::span<const Pair> ordered, const BoxLanes& a, const BoxLanes& b, ContactLanes& found) HWY_ATTR {
        for_each_register(ordered.size(), [&](std::size_t i) HWY_ATTR {
          ahead.go_on(lanes / 2);
          find_face(a, b, i, found, met[i / lanes]);
        });
        for_each_register(ordered.size(), [&](std::size_t i) HWY_ATTR {
          ahead.go_on(lanes - lanes / 2);
          constexpr std::uint32_t all = (1U << lanes) - 1U;
          if (((found.touching >> i) & all) != 0) {
            clip(met[i / lanes], i, found);
          }
        });
      });
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
