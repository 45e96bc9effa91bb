// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/lanes/box_pair_kernel.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include "base/tolerances.hpp"
#include "contact/lanes/pair_kernels.hpp"
#include "contact/lanes/pair_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

// One pair at a time, the general way is as fast.
std::size_t collide_box_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out) {
  return collide_one_by_one(pairs, prefetcher, out);
}

#else

/// See box_pair.cpp for these types.
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
struct InFront {
  V height;
  V along;
};
struct Cut {
  InFront at;
  V feature;
};

/// The other box in the frame of a box, scaled by the length of its axis: its center, and the separation on
/// both axes.
struct BoxInFrame {
  P at;
  P out;
  V length2;  ///< of the axis
};

HWY_INLINE Cut select(M mask, const Cut& yes, const Cut& no) {
  return {{select(mask, yes.at.height, no.at.height), select(mask, yes.at.along, no.at.along)},
          select(mask, yes.feature, no.feature)};
}

/// @param cosine absolute cosine of the angle between the axes, scaled by the lengths of both
/// @param sine absolute sine of the same
HWY_INLINE BoxInFrame box_in_frame(const Frame& box, const Frame& other, P offset, V cosine, V sine) {
  const V length2 = dot(box.axis, box.axis);
  const P at{dot(offset, box.axis), cross(box.axis, offset)};
  return {at,
          {hn::Abs(at.x) - box.half_x * length2 - (other.half_x * cosine + other.half_y * sine),
           hn::Abs(at.y) - box.half_y * length2 - (other.half_x * sine + other.half_y * cosine)},
          length2};
}

/// Returns the index of the right or left face if `on_x`, else of the upper or lower one; right or upper if
/// `positive`.
HWY_INLINE V index_of(M on_x, M positive) {
  return select(positive, select(on_x, set(1.0), set(2.0)), select(on_x, set(3.0), set(0.0)));
}
HWY_INLINE Side side_of(const Frame& box, M on_x, M positive) {
  const P axis = select(on_x, box.axis, rotate_ccw(box.axis));
  return {index_of(on_x, positive), select(positive, axis, negative(axis)),
          select(on_x, box.half_x, box.half_y), select(on_x, box.half_y, box.half_x)};
}
HWY_INLINE InFront in_front(P p, M on_x, M positive) {
  const V height = select(on_x, p.x, p.y);
  const V along = select(on_x, p.y, hn::Neg(p.x));
  return {select(positive, height, hn::Neg(height)), select(positive, along, hn::Neg(along))};
}

HWY_INLINE P load_center(const BoxLanes& box, P turn, std::size_t i) {
  return rotate(turn, {load(box.center_x, i), load(box.center_y, i)});
}
HWY_INLINE Frame load_frame(const BoxLanes& box, P turn, std::size_t i) {
  return {rotate(turn, {load(box.own_cos, i), load(box.own_sin, i)}), load(box.half_x, i),
          load(box.half_y, i)};
}

/// Two boxes and their reference face.
struct FaceContact {
  M is_b;       ///< it is a face of b
  M on_second;  ///< it belongs to the second box in the canonical order, which features use
  Side side;
  P middle;      ///< center of the box with the face (world)
  V length2;     ///< of its axis
  InFront at;    ///< center of the other box, from that of the one with the face
  InFront axis;  ///< of the other box
  V other_half_x;
  V other_half_y;
};

/// Finds whether boxes touch and, if so, which is the reference face.
HWY_INLINE void find_face(const BoxLanes& lanes_a, const BoxLanes& lanes_b, std::size_t i,
                          ContactLanes& found, FaceContact& contact) {
  const V zero = hn::Zero(D());
  const P position_a{load(lanes_a.position_x, i), load(lanes_a.position_y, i)};
  const P position_b{load(lanes_b.position_x, i), load(lanes_b.position_y, i)};
  const P turn_a{load(lanes_a.cos, i), load(lanes_a.sin, i)};
  const P turn_b{load(lanes_b.cos, i), load(lanes_b.sin, i)};
  const P center_a = load_center(lanes_a, turn_a, i);
  const P center_b = load_center(lanes_b, turn_b, i);
  const Frame a = load_frame(lanes_a, turn_a, i);
  const Frame b = load_frame(lanes_b, turn_b, i);
  const P offset = (position_b - position_a) + (center_b - center_a);
  const V cosine = dot(a.axis, b.axis);
  const V sine = cross(a.axis, b.axis);
  const BoxInFrame from_a = box_in_frame(a, b, offset, hn::Abs(cosine), hn::Abs(sine));
  const BoxInFrame from_b = box_in_frame(b, a, negative(offset), hn::Abs(cosine), hn::Abs(sine));
  const V size_a = a.half_x + a.half_y;
  const V size_b = b.half_x + b.half_y;
  const V lengths = length_of(center_a) + length_of(center_b) + size_a + size_b + length_of(position_a) +
                    length_of(position_b);
  // Stricter than `is_unit`, so that the boxes' own rotations need no test. NaN shows in `lengths`, or in all
  // comparisons.
  const V turn2_a = dot(turn_a, turn_a);
  const V turn2_b = dot(turn_b, turn_b);
  const V min_length2 = hn::Min(hn::Min(turn2_a, turn2_b), hn::Min(from_a.length2, from_b.length2));
  const V max_length2 = hn::Max(hn::Max(turn2_a, turn2_b), hn::Max(from_a.length2, from_b.length2));
  const V min_half = hn::Min(hn::Min(a.half_x, a.half_y), hn::Min(b.half_x, b.half_y));
  const M valid = hn::And(hn::And(hn::Ge(min_length2, set(0.999)), hn::Le(max_length2, set(1.001))),
                          hn::And(hn::Ge(min_half, zero), hn::Lt(lengths, set(max_lengths_of_lanes))));
  const V max_separation = hn::Max(hn::Max(from_a.out.x, from_a.out.y), hn::Max(from_b.out.x, from_b.out.y));
  const M apart = hn::And(valid, hn::Gt(max_separation, zero));
  if (hn::AllTrue(D(), apart)) {
    store_verdict(apart, hn::Not(apart), found, i);
    return;
  }

  // The canonical order decides which of two faces is preferred, and the order in features.
  const V key = dot(offset, {set(0.9), set(0.4)});
  const M swapped = hn::Lt(key, zero);
  const M touching = hn::And(hn::And(valid, hn::Ne(key, zero)), is_certain(max_separation, lengths));
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
  const Frame box{select(is_b, b.axis, a.axis), select(is_b, b.half_x, a.half_x),
                  select(is_b, b.half_y, a.half_y)};
  const P at = select(is_b, from_b.at, from_a.at);
  const M positive = hn::Ge(select(on_x, at.x, at.y), zero);
  // Assigned one by one: g++ would build a temporary and copy it.
  contact.is_b = is_b;
  contact.on_second = on_second;
  contact.side = side_of(box, on_x, positive);
  contact.middle = select(is_b, position_b + center_b, position_a + center_a);
  contact.length2 = select(is_b, from_b.length2, from_a.length2);
  contact.at = in_front(at, on_x, positive);
  contact.axis = in_front({cosine, select(is_b, hn::Neg(sine), sine)}, on_x, positive);
  contact.other_half_x = select(is_b, a.half_x, b.half_x);
  contact.other_half_y = select(is_b, a.half_y, b.half_y);
}

/// Clips the incident face of the other box to the side planes of the reference face.
HWY_INLINE void clip(const FaceContact& contact, std::size_t i, ContactLanes& found) {
  const V zero = hn::Zero(D());
  const Side& side = contact.side;
  const V unit = divide(set(1.0), hn::Sqrt(contact.length2));
  const M facing_on_x = hn::Ge(hn::Abs(contact.axis.height), hn::Abs(contact.axis.along));
  const V turned_back = select(facing_on_x, hn::Neg(contact.axis.height), contact.axis.along);
  const V aside = select(facing_on_x, contact.axis.along, contact.axis.height);
  const M facing_positive = hn::Gt(turned_back, zero);
  const V back = hn::Abs(turned_back);
  const V lean = select(facing_positive, aside, hn::Neg(aside));
  const V facing = index_of(facing_on_x, facing_positive);
  const V facing_half_normal = select(facing_on_x, contact.other_half_x, contact.other_half_y);
  const V facing_half_along = select(facing_on_x, contact.other_half_y, contact.other_half_x);
  const V half_along = side.half_along * contact.length2;
  const V half_normal = side.half_normal * contact.length2;
  const InFront middle{(contact.at.height - facing_half_normal * back) - half_normal,
                       contact.at.along + facing_half_normal * lean};
  const InFront half_face{facing_half_along * lean, facing_half_along * back};
  // Features: the index of the first box comes before that of the second.
  const V last = set(3.0);
  const Cut low{{middle.height - half_face.height, middle.along - half_face.along},
                feature_of(contact.on_second, false, side.index, number_after(facing, last))};
  const Cut high{{middle.height + half_face.height, middle.along + half_face.along},
                 feature_of(contact.on_second, false, side.index, facing)};
  const Cut deepest = select(hn::Lt(high.at.height, low.at.height), high, low);
  const M overlaps_face =
      hn::And(hn::Lt(low.at.along, high.at.along),
              hn::And(hn::Le(low.at.along, half_along), hn::Ge(high.at.along, hn::Neg(half_along))));
  const V slope = divide(lean, back);
  const auto cut_at = [&](V end, V corner) HWY_ATTR {
    return Cut{{low.at.height + slope * (end - low.at.along), end},
               feature_of(contact.on_second, true, corner, facing)};
  };
  const Cut low_cut =
      select(hn::Lt(low.at.along, hn::Neg(half_along)), cut_at(hn::Neg(half_along), side.index), low);
  const Cut high_cut =
      select(hn::Gt(high.at.along, half_along), cut_at(half_along, number_after(side.index, last)), high);
  const M low_in = hn::And(overlaps_face, hn::Le(low_cut.at.height, zero));
  const M high_in = hn::And(hn::And(overlaps_face, hn::Le(high_cut.at.height, zero)),
                            hn::Or(hn::Not(low_in), hn::Lt(low_cut.at.along, high_cut.at.along)));
  const Cut fallen_back{{hn::Min(deepest.at.height, zero), deepest.at.along}, deepest.feature};
  const Cut first = select(low_in, low_cut, select(high_in, high_cut, fallen_back));

  const P normal = unit * select(contact.is_b, negative(side.normal), side.normal);
  store_number(normal.x, found.normal_x, i);
  store_number(normal.y, found.normal_y, i);
  const V unit2 = unit * unit;
  const P along = rotate_ccw(side.normal);
  const auto position_of = [&](const Cut& cut) HWY_ATTR {
    return contact.middle + ((cut.at.along * unit2) * along +
                             (side.half_normal + (set(0.5) * cut.at.height) * unit2) * side.normal);
  };
  store_point(position_of(first), first.at.height * unit, first.feature, found.points[0], i);
  store_second(hn::And(low_in, high_in), position_of(high_cut), high_cut.at.height * unit, high_cut.feature,
               found, i);
}

std::size_t collide_box_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out) {
  // Two passes: within a pair each step depends on the one before, so the CPU overlaps pairs by out-of-order
  // execution; shorter passes fit more of them into its window.
  constexpr std::size_t lanes = hn::MaxLanes(D());
  FaceContact contacts[chunk / lanes];
  return collide_pairs<BoxLanes, BoxLanes>(
      pairs, prefetcher, out, [](std::size_t /*i*/, Pair pair) HWY_ATTR { return pair; },
      [&](std::span<const Pair> ordered, const BoxLanes& a, const BoxLanes& b, ContactLanes& found) HWY_ATTR {
        for (std::size_t i = 0; i < ordered.size(); i += hn::Lanes(D())) {
          prefetcher.advance(lanes / 2);
          find_face(a, b, i, found, contacts[i / lanes]);
        }
        for (std::size_t i = 0; i < ordered.size(); i += hn::Lanes(D())) {
          prefetcher.advance(lanes - lanes / 2);
          constexpr std::uint32_t all = (1U << lanes) - 1U;
          if (((found.touching >> i) & all) != 0) {
            clip(contacts[i / lanes], i, found);
          }
        }
      });
}

#endif

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::inline v0_2::detail {

HWY_EXPORT(collide_box_pairs);

std::size_t collide_box_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out) {
  return HWY_DYNAMIC_DISPATCH(collide_box_pairs)(pairs, prefetcher, out);
}

}  // namespace broadside::inline v0_2::detail

#endif
