// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/lanes/circle_pair_kernel.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include "contact/lanes/pair_kernels.hpp"
#include "contact/lanes/pair_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

// One pair at a time, the general way is as fast.
std::size_t collide_circle_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out) {
  return collide_one_by_one(pairs, prefetcher, out);
}

#else

HWY_INLINE void collide_lanes(const CircleLanes& a, const CircleLanes& b, std::size_t i,
                              ContactLanes& found) {
  const V zero = hn::Zero(D());
  const P position_a{load(a.position_x, i), load(a.position_y, i)};
  const P position_b{load(b.position_x, i), load(b.position_y, i)};
  const P turn_a{load(a.cos, i), load(a.sin, i)};
  const P turn_b{load(b.cos, i), load(b.sin, i)};
  const P center_a = rotate(turn_a, {load(a.center_x, i), load(a.center_y, i)});
  const P center_b = rotate(turn_b, {load(b.center_x, i), load(b.center_y, i)});
  const V radius_a = load(a.radius, i);
  const V radius_b = load(b.radius, i);
  const P offset = (position_b - position_a) + (center_b - center_a);
  const V radius = radius_a + radius_b;
  const V distance2 = dot(offset, offset);
  const V distance = hn::Sqrt(distance2);
  const V separation = distance - radius;
  const V lengths =
      radius + length_of(center_a) + length_of(center_b) + length_of(position_a) + length_of(position_b);
  const M valid =
      hn::And(hn::And(is_unit(turn_a), is_unit(turn_b)),
              hn::And(hn::Ge(hn::Min(radius_a, radius_b), zero), hn::Lt(lengths, set(max_lengths_of_lanes))));
  const M touching = hn::And(hn::And(valid, hn::Gt(distance2, zero)), is_certain(separation, lengths));
  store_verdict(hn::And(valid, hn::Gt(distance2, radius * radius)), touching, found, i);

  const P normal = divide(set(1.0), distance) * offset;
  const P centers = (position_a + center_a) + (position_b + center_b);
  const P between = set(0.5) * (centers + (radius_a - radius_b) * normal);
  store_number(normal.x, found.normal_x, i);
  store_number(normal.y, found.normal_y, i);
  store_point(between, separation, zero, found.points[0], i);
  store_whole(set(1.0), found.size, i);
}

std::size_t collide_circle_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out) {
  const auto collide_filled = [](const CircleLanes& a, const CircleLanes& b, std::size_t i,
                                 ContactLanes& found) HWY_ATTR { collide_lanes(a, b, i, found); };
  return collide_pairs<CircleLanes>(pairs, prefetcher, out, collide_filled);
}

#endif

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::inline v0_2::detail {

HWY_EXPORT(collide_circle_pairs);

std::size_t collide_circle_pairs(std::span<const Pair> pairs, Prefetcher& prefetcher, Contact* out) {
  return HWY_DYNAMIC_DISPATCH(collide_circle_pairs)(pairs, prefetcher, out);
}

}  // namespace broadside::inline v0_2::detail

#endif
