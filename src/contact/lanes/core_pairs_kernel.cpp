// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/lanes/core_pairs_kernel.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include "base/select.hpp"
#include "base/tolerances.hpp"
#include "body/convex.hpp"
#include "contact/lanes/clip_lanes.hpp"
#include "contact/lanes/core_lanes.hpp"
#include "contact/lanes/pair_kernels.hpp"
#include "contact/lanes/pair_lanes.hpp"
#include "contact/order.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

// A single lane gains nothing.
std::size_t collide_core_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out) {
  return collide_one_by_one(pairs, prefetcher, out);
}

#else

// The algorithm of the engine (gap.cpp, convex_pairs.cpp), one pair per lane.

/// The separating axis of a core relative to another core.
struct WidestFace {
  V max_separation;  ///< largest separation of all faces
  V face;            ///< the first face within the slack of the largest separation
  V separation;      ///< separation of that face
  P normal;
  M is_sure;
};

template <class A, class B>
HWY_INLINE WidestFace choose(const A& core, const B& other, V slack, V rounding) {
  V separations[A::face_count];
  WidestFace choice;
  for (std::size_t k = 0; k < A::face_count; ++k) {
    const P normal = core.normals[k];
    // Two independent chains, as each minimum depends on the one before.
    V even = dot(normal, other.corners[0]);
    V odd = dot(normal, other.corners[1]);
    for (std::size_t j = 2; j < B::corner_count; j += 2) {
      even = hn::Min(even, dot(normal, other.corners[j]));
      odd = hn::Min(odd, dot(normal, other.corners[j + 1]));
    }
    separations[k] = hn::Min(even, odd) - dot(normal, core.corners[k]);
    choice.max_separation = k == 0 ? separations[0] : hn::Max(choice.max_separation, separations[k]);
  }
  const V threshold = choice.max_separation - slack;
  choice.face = choice.separation = hn::Zero(D());
  choice.normal = {hn::Zero(D()), hn::Zero(D())};
  V surely = set(-1.0);
  for (std::size_t k = A::face_count; k-- > 0;) {
    const M is_wide = hn::Ge(separations[k], threshold - rounding);
    choice.face = select(is_wide, whole(k), choice.face);
    choice.separation = select(is_wide, separations[k], choice.separation);
    choice.normal = select(is_wide, core.normals[k], choice.normal);
    surely = select(hn::Ge(separations[k], threshold + rounding), whole(k), surely);
  }
  choice.is_sure = hn::Eq(choice.face, surely);
  return choice;
}

/// Sets the incident edge, of b or else of a: the one most opposite to a direction. Returns whether it is
/// that by more than rounding.
template <class A, class B>
HWY_INLINE M find_facing_edge(M of_b, const A& a, const B& b, V last, P direction, V& edge) {
  static_assert(A::face_count <= B::face_count);
  V against[B::face_count];
  V max_against = set(-2.0);
  for (std::size_t k = 0; k < B::face_count; ++k) {
    const P normal = k < A::face_count ? select(of_b, b.normals[k], a.normals[k]) : b.normals[k];
    const M is_used = hn::Le(whole(k), last);
    against[k] = select(is_used, hn::Neg(dot(normal, direction)), set(-2.0));
    max_against = hn::Max(max_against, against[k]);
  }
  const V threshold = max_against - set(clear_of_rounding);
  V as_good = hn::Zero(D());
  edge = hn::Zero(D());
  for (std::size_t k = 0; k < B::face_count; ++k) {
    const M is_best = hn::Ge(against[k], threshold);
    edge = select(is_best, whole(k), edge);
    as_good = as_good + select(is_best, set(1.0), hn::Zero(D()));
  }
  return hn::Eq(as_good, set(1.0));
}

/// Returns the corner with an index. Not gathered from memory: that would wait for the stores of all corners.
template <class A>
HWY_INLINE P corner_at(const A& core, V number) {
  P corner = core.corners[0];
  for (std::size_t k = 1; k < A::corner_count; ++k) {
    corner = select(hn::Eq(number, whole(k)), core.corners[k], corner);
  }
  return corner;
}

/// Magnitudes of the numbers of two cores.
struct Scale {
  V radius;  ///< sum of both radii
  V lengths;
  V rounding;
  V far_out;  ///< distance from the origin

  /// Returns where they are deep enough in each other that the bounds need no test.
  HWY_INLINE M is_deep(V separation) const { return is_certain(separation + rounding, lengths + far_out); }
};

/// Returns where a corner is the support point of a core in a direction, by more than `margin`.
template <class A>
HWY_INLINE M is_last(const A& core, V number, P at, P direction, V margin) {
  const V number_before = select(hn::Eq(number, hn::Zero(D())), core.last, number - set(1.0));
  const V before = dot(corner_at(core, number_before) - at, direction);
  const V after = dot(corner_at(core, number_after(number, core.last)) - at, direction);
  return hn::Lt(hn::Max(before, after), hn::Neg(margin));
}

/// Finds the contact of two cores that are apart, though their radii may bridge the gap: at the corner
/// closest to the face or, if that is beside the face, between it and the nearest corner of the face.
/// @param where the lanes to process, in which the face and the edge are certain
/// @param max_separation separation of the cores at the face
/// @param contact the contact at the face; replaced where corners meet
/// @return where the corners are further apart than the radii
template <class A, class B>
HWY_INLINE M meet_apart(M where, const A& a, const B& b, const Scale& scale, const Facing& facing,
                        const EdgeInFaceFrame& in_frame, V max_separation, CoreContact& contact) {
  constexpr double surely_sloped = 0.1 * parallel;
  constexpr double surely_not_straight =
      1.0 - 10.0 * (1.0 - straight);  // otherwise the corner stands on the face
  const V zero = hn::Zero(D());
  const V one = set(1.0);
  const M to_is_deepest = hn::Lt(in_frame.height_to, in_frame.height_from);
  const V along = select(to_is_deepest, in_frame.along_to, in_frame.along_from);
  const V height = select(to_is_deepest, in_frame.height_to, in_frame.height_from);
  const M is_sloped = hn::And(hn::Gt(height, scale.rounding),
                              hn::Gt(hn::Abs(in_frame.height_to - in_frame.height_from),
                                     set(surely_sloped) * (in_frame.along_to - in_frame.along_from)));
  const M is_beside =
      hn::Not(hn::And(hn::Gt(along, scale.rounding), hn::Lt(along, in_frame.length - scale.rounding)));
  const M at_face = hn::And(hn::AndNot(is_beside, is_sloped), scale.is_deep(height - scale.radius));

  const V of_core = select(hn::Gt(along, zero), facing.face_end, facing.face_start);
  const V of_other = select(to_is_deepest, facing.edge, facing.edge_end);
  const V of_a = select(facing.on_b, of_other, of_core);
  const V of_b = select(facing.on_b, of_core, of_other);
  const P corner_a = corner_at(a, of_a);
  const P corner_b = corner_at(b, of_b);
  const P offset = corner_b - corner_a;
  const V distance = hn::Sqrt(dot(offset, offset));
  const V margin = scale.rounding * scale.lengths;
  const M at_corners = hn::And(hn::And(hn::And(where, is_sloped), is_beside),
                               hn::And(is_last(a, of_a, corner_a, offset, margin),
                                       is_last(b, of_b, corner_b, negative(offset), margin)));
  const M is_clear = hn::And(scale.is_deep(distance - scale.radius),
                             hn::Lt(max_separation, set(surely_not_straight) * distance - scale.rounding));
  const P normal = divide(one, distance) * offset;
  const V between = set(0.5) * (a.radius + distance - b.radius);
  contact.normal = select(at_corners, normal, contact.normal);
  contact.points[0] = select(at_corners, corner_a + between * normal, contact.points[0]);
  contact.separations[0] = select(at_corners, distance - a.radius - b.radius, contact.separations[0]);
  contact.features[0] =
      select(at_corners, of_a * set(feature(Meeting::corners, 1, 0)) + of_b, contact.features[0]);
  contact.are_two = hn::AndNot(at_corners, contact.are_two);
  const M is_known = hn::Or(hn::And(at_face, contact.is_known), hn::And(at_corners, is_clear));
  contact.is_known = hn::Or(hn::And(where, is_known), hn::AndNot(where, contact.is_known));
  return hn::And(at_corners, hn::Gt(distance, scale.radius + scale.rounding));
}

template <class LanesA, class LanesB>
HWY_INLINE void collide_lanes(const LanesA& lanes_a, const LanesB& lanes_b, const Lanes& signs, std::size_t i,
                              ContactLanes& found) {
  const V zero = hn::Zero(D());
  const P at_a{load(lanes_a.position_x, i), load(lanes_a.position_y, i)};
  const P at_b{load(lanes_b.position_x, i), load(lanes_b.position_y, i)};
  const M a_is_less = hn::Or(hn::Lt(at_a.x, at_b.x), hn::And(hn::Eq(at_a.x, at_b.x), hn::Lt(at_a.y, at_b.y)));
  const P anchor = select(a_is_less, at_a, at_b);
  const auto a = place(lanes_a, anchor, i);
  const auto b = place(lanes_b, anchor, i);
  const V lengths = a.reach + b.reach;
  const V rounding = set(rounding_share) * lengths;
  const Scale scale{a.radius + b.radius, lengths, rounding, length_of(at_a) + length_of(at_b)};
  const V shortest = hn::Min(a.shortest, b.shortest);
  const M is_supported = hn::And(hn::And(hn::And(a.is_supported, b.is_supported), hn::Gt(shortest, zero)),
                                 hn::And(hn::Ge(shortest, set(shortest_share) * lengths),
                                         hn::Lt(lengths + scale.far_out, set(max_lengths_of_lanes))));
  const V slack = set(face_slack) * hn::Min(a.extent, b.extent);
  const WidestFace on_a = choose(a, b, slack, rounding);
  const WidestFace on_b = choose(b, a, slack, rounding);
  const V max_separation = hn::Max(on_a.max_separation, on_b.max_separation);
  M apart = hn::And(is_supported, hn::Gt(max_separation, scale.radius + rounding));
  if (hn::AllTrue(D(), apart)) {
    store_verdict(apart, hn::Not(apart), found, i);
    return;
  }

  const V gain = on_b.separation - on_a.separation - slack;
  const M is_certain_gain = hn::Gt(hn::Abs(gain), rounding);
  const M face_on_b = hn::Gt(gain, zero);
  const P normal = select(face_on_b, on_b.normal, on_a.normal);
  const V other_last = select(face_on_b, a.last, b.last);
  V edge;
  const M is_clear = find_facing_edge(hn::Not(face_on_b), a, b, other_last, normal, edge);
  const auto own_at = [&](V number)
                          HWY_ATTR { return select(face_on_b, corner_at(b, number), corner_at(a, number)); };
  const auto other_at = [&](V number) HWY_ATTR {
    return select(face_on_b, corner_at(a, number), corner_at(b, number));
  };
  const V own_last = select(face_on_b, b.last, a.last);
  const V face = select(face_on_b, on_b.face, on_a.face);
  const V edge_end = number_after(edge, other_last);
  // The ends of a line are faces 2 and 3, at corners 1 and 0.
  const M is_end = hn::Gt(face, own_last);
  const V start = select(is_end, set(3.0) - face, face);
  const V next = number_after(start, own_last);
  const Facing facing{face_on_b,
                      is_end,
                      face,
                      start,
                      select(is_end, start, next),
                      edge,
                      edge_end,
                      own_at(start),
                      own_at(next),
                      other_at(edge_end),
                      other_at(edge),
                      select(face_on_b, b.radius, a.radius),
                      select(face_on_b, a.radius, b.radius)};
  const EdgeInFaceFrame in_frame = edge_in_face_frame(facing);
  const V sign = load(signs, i);
  const M is_sure = hn::And(hn::And(is_supported, hn::And(on_a.is_sure, on_b.is_sure)),
                            hn::And(hn::And(is_certain_gain, is_clear), hn::Ne(sign, zero)));
  const M are_apart = hn::And(hn::AndNot(apart, is_sure), hn::Ge(max_separation, hn::Neg(rounding)));
  CoreContact contact = clip(facing, in_frame);
  contact.is_known =
      hn::And(hn::And(contact.is_known, is_sure), scale.is_deep(max_separation - scale.radius));
  if (!hn::AllFalse(D(), are_apart)) {
    apart = hn::Or(apart, meet_apart(are_apart, a, b, scale, facing, in_frame, max_separation, contact));
  }
  store(contact, anchor, sign, found, i);
  store_verdict(apart, hn::AndNot(apart, contact.is_known), found, i);
}

template <class LanesA, class LanesB>
HWY_INLINE std::size_t collide_cores(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out) {
  const Shape* shapes = prefetcher.shapes();
  const Transform* transforms = prefetcher.transforms();
  Lanes signs;  // the canonical order, as by `canonical_order`: 1 if a is first, -1 if b is, 0 if neither
  return collide_pairs<LanesA, LanesB>(
      pairs, prefetcher, out,
      [&](std::size_t i, Pair pair) HWY_ATTR {
        const double a_is_first =
            canonical_order(shapes[pair.a], transforms[pair.a], shapes[pair.b], transforms[pair.b]);
        signs.values[i] = static_cast<float>((a_is_first > 0.0) - (a_is_first < 0.0));
        const bool is_swapped = a_is_first < 0.0;  // cannot be predicted
        return Pair{detail::select(is_swapped, pair.a, pair.b), detail::select(is_swapped, pair.b, pair.a)};
      },
      [&](std::span<const Pair> ordered, const LanesA& a, const LanesB& b, ContactLanes& found) HWY_ATTR {
        for (std::size_t i = 0; i < ordered.size(); i += hn::Lanes(D())) {
          prefetcher.advance(hn::Lanes(D()));
          collide_lanes(a, b, signs, i, found);
        }
      });
}

std::size_t collide_core_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out) {
  const Shape& a = prefetcher.shapes()[pairs[0].a];
  const Shape& b = prefetcher.shapes()[pairs[0].b];
  const bool with_box = std::holds_alternative<Box>(a) || std::holds_alternative<Box>(b);
  const bool a_is_polygon = std::holds_alternative<Polygon>(a);
  const bool b_is_polygon = std::holds_alternative<Polygon>(b);
  if (a_is_polygon && b_is_polygon) {
    return collide_cores<HullLanes, HullLanes>(pairs, prefetcher, out);
  }
  if (a_is_polygon || b_is_polygon) {
    return with_box ? collide_cores<BoxLanes, HullLanes>(pairs, prefetcher, out)
                    : collide_cores<LineLanes, HullLanes>(pairs, prefetcher, out);
  }
  return with_box ? collide_cores<BoxLanes, LineLanes>(pairs, prefetcher, out)
                  : collide_cores<LineLanes, LineLanes>(pairs, prefetcher, out);
}

#endif

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::inline v0_2::detail {

HWY_EXPORT(collide_core_pairs);

std::size_t collide_core_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out) {
  return HWY_DYNAMIC_DISPATCH(collide_core_pairs)(pairs, prefetcher, out);
}

}  // namespace broadside::inline v0_2::detail

#endif
