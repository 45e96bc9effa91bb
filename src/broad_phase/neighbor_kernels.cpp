// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/neighbor_kernels.cpp"
#include "base/foreach_target.hpp"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "base/box_lanes.hpp"
#include "compress.hpp"
#include "neighbor_list.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

/// One box in one register: min x, min y, max x, max y.
using Box4 = hn::FixedTag<float, 4>;

/// As many boxes as fit into a register.
using Wide = hn::ScalableTag<float>;

/// Loads as many boxes as fit into a register.
template <class D, class SidesOf>
HWY_INLINE auto boxes_in(D d, SidesOf sides_of) {
  constexpr Box4 d4;
  if constexpr (hn::MaxLanes(D()) == 16) {
    const hn::Half<D> d8;
    return hn::Combine(d, hn::Combine(d8, hn::LoadU(d4, sides_of(3)), hn::LoadU(d4, sides_of(2))),
                       hn::Combine(d8, hn::LoadU(d4, sides_of(1)), hn::LoadU(d4, sides_of(0))));
  } else if constexpr (hn::MaxLanes(D()) == 8) {
    return hn::Combine(d, hn::LoadU(d4, sides_of(1)), hn::LoadU(d4, sides_of(0)));
  } else {
    return hn::LoadU(d4, sides_of(0));
  }
}

/// For as many pairs as fit into a register, four lanes each: the largest separation of four sides, in all
/// four lanes. Above 0 exactly if the boxes do not overlap, as a difference of floats has the right sign.
///
///     a            min x       min y       max x       max y
///   - b, swapped   max x       max y       min x       min y
///   * signs         +           +           -           -         all at most 0: overlap
template <class D, class V>
HWY_INLINE V max_separations(D d, V signs, const Pair* pairs, const Aabb* boxes) {
  const auto first = boxes_in(d, [&](std::size_t k) HWY_ATTR { return &boxes[pairs[k].a].min.x; });
  const auto second = boxes_in(d, [&](std::size_t k) HWY_ATTR { return &boxes[pairs[k].b].min.x; });
  const auto sides = hn::Xor(hn::Sub(first, hn::Shuffle1032(second)), signs);
  const auto worse = hn::Max(sides, hn::Shuffle1032(sides));
  return hn::Max(worse, hn::Shuffle2301(worse));
}

#endif

#if HWY_TARGET == HWY_WASM

/// A pair at a time: one instruction compares all four sides, while a maximum of floats takes eight.
///
///     a max x  a max y  b max x  b max y     any of these less than the one below it: no overlap
///     b min x  b min y  a min x  a min y
std::size_t keep_overlapping(std::span<const Pair> pairs, std::span<const Aabb> boxes, Pair* out) {
  const Box4 d;
  std::size_t kept = 0;
  const auto test_pair = [&](Pair pair) HWY_ATTR {
    const auto first = hn::LoadU(d, &boxes[pair.a].min.x);
    const auto second = hn::LoadU(d, &boxes[pair.b].min.x);
    const auto apart = hn::Lt(hn::ConcatUpperUpper(d, second, first), hn::ConcatLowerLower(d, first, second));
    out[kept] = pair;
    kept += wasm_i32x4_bitmask(apart.raw) == 0 ? 1U : 0U;
  };
  std::for_each(pairs.begin(), pairs.end(), test_pair);
  return kept;
}

#else

/// Reads, compares, compresses and stores as many pairs at once as fill a register. If there are so many
/// boxes that they are not in the L1 cache, prefetches these.
template <bool kMany>
HWY_INLINE std::size_t keep_overlapping_of(const Pair* pairs, std::size_t n, const Aabb* boxes, Pair* out) {
  std::size_t kept = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  constexpr std::size_t ahead = 96;
  const Wide d;
  const hn::ScalableTag<std::int64_t> d64;
  const hn::ScalableTag<std::uint32_t> du;
  const auto signs = signs_of_max(d);
  constexpr std::size_t half = hn::MaxLanes(Wide()) / 4;
  for (; i + 2 * half <= n; i += 2 * half) {
    for (std::size_t k = i + ahead; kMany && k < std::min(i + ahead + 2 * half, n); ++k) {
      hwy::Prefetch(&boxes[pairs[k].a]);
      hwy::Prefetch(&boxes[pairs[k].b]);
    }
    const auto low = hn::BitCast(d64, max_separations(d, signs, pairs + i, boxes));
    const auto high = hn::BitCast(d64, max_separations(d, signs, pairs + i + half, boxes));
    const auto worst = hn::BitCast(d, hn::ConcatEven(d64, high, low));  // two lanes for each pair
    const auto overlap = hn::RebindMask(du, hn::Le(worst, hn::Zero(d)));
    const auto names = hn::LoadU(du, reinterpret_cast<const std::uint32_t*>(pairs + i));
    hn::StoreU(compress(du, names, overlap), du, reinterpret_cast<std::uint32_t*>(out + kept));
    kept += count_true(du, overlap) / 2;
  }
#endif
  for (; i < n; ++i) {
    const Pair pair = pairs[i];
    out[kept] = pair;
    kept += overlaps(boxes[pair.a], boxes[pair.b]) ? 1U : 0U;
  }
  return kept;
}

std::size_t keep_overlapping(std::span<const Pair> pairs, std::span<const Aabb> boxes, Pair* out) {
  constexpr std::size_t many = 30'000;
  return boxes.size() < many ? keep_overlapping_of<false>(pairs.data(), pairs.size(), boxes.data(), out)
                             : keep_overlapping_of<true>(pairs.data(), pairs.size(), boxes.data(), out);
}

#endif

/// Returns whether a box is not inverted and lies in `grown`, moved by `drift`, without touching its sides if
/// there is a drift; false if it is not finite.
/// @pre `grown` is not inverted, or `no_box` or `retired_box`
template <bool kDrifts>
HWY_INLINE bool lies_in(const Aabb& box, const Aabb& grown, Vec2 drift) {
  const bool in_order = (box.min.x <= box.max.x) & (box.min.y <= box.max.y);
  if constexpr (!kDrifts) {
    return in_order & encloses(grown, box);
  }
  const Aabb outer{grown.min + drift, grown.max + drift};
  const bool touches = (outer.min.x == box.min.x) | (outer.min.y == box.min.y) | (outer.max.x == box.max.x) |
                       (outer.max.y == box.max.y);
  return in_order & encloses(outer, box) & !touches;
}

template <bool kDrifts>
HWY_INLINE std::size_t find_leavers_of(const Moves& moves, const Aabb* grown, Vec2 drift,
                                       const std::uint8_t* places, std::uint8_t place, std::uint32_t* out) {
  const auto& [indices, boxes, consecutive] = moves;
  constexpr std::size_t at_once = 4;
  std::size_t count = 0;
  std::size_t i = 0;
  while (i < indices.size()) {
#if HWY_TARGET != HWY_SCALAR
    // Usually the indices are consecutive and no box leaves: four at once.
    const Wide d;
    const auto signs = signs_of_max(d);
    const Aabb twice{drift, drift};
    const auto by = boxes_in(d, [&](std::size_t) HWY_ATTR { return &twice.min.x; });
    constexpr std::size_t in_register = hn::MaxLanes(Wide()) / 4;
    constexpr std::size_t ahead = 128;  // the caller's boxes are hardly ever in the cache
    const std::uint32_t all_here = 0x01010101U * place;
    while (consecutive && i + at_once <= indices.size()) {
      const BoxIndex first = indices[i];
      hwy::Prefetch(&boxes[std::min(i + ahead, boxes.size() - 1)]);
      auto stay = hn::Eq(signs, signs);
      for (std::size_t k = 0; k < at_once; k += in_register) {
        const auto side = hn::LoadU(d, &boxes[i + k].min.x);
        const auto inner = hn::Xor(side, signs);
        const auto around = hn::LoadU(d, &grown[first + k].min.x);
        const auto in_order = is_min_le_max(side, signs);
        if constexpr (kDrifts) {
          stay = hn::And(stay, hn::And(in_order, hn::Lt(hn::Xor(hn::Add(around, by), signs), inner)));
        } else {
          stay = hn::And(stay, hn::And(in_order, hn::Le(hn::Xor(around, signs), inner)));
        }
      }
      std::uint32_t here = 0;
      std::memcpy(&here, places + first, sizeof(here));
      if (!hn::AllTrue(d, stay) || here != all_here) {
        break;
      }
      i += at_once;
    }
#endif
    // Then one by one: the next four, or all if the indices are not consecutive.
    const std::size_t end = std::min(consecutive ? i + at_once : indices.size(), indices.size());
    for (; i < end; ++i) {
      const BoxIndex index = indices[i];
      out[count] = static_cast<std::uint32_t>(i);
      count += (lies_in<kDrifts>(boxes[i], grown[index], drift) & (places[index] == place)) ? 0U : 1U;
    }
  }
  return count;
}

std::size_t find_leavers(const Moves& moves, const Aabb* grown, Vec2 drift, const std::uint8_t* places,
                         std::uint8_t place, std::uint32_t* out) {
  return drift == Vec2{} ? find_leavers_of<false>(moves, grown, drift, places, place, out)
                         : find_leavers_of<true>(moves, grown, drift, places, place, out);
}

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::inline v0_2::detail {

HWY_EXPORT(keep_overlapping);
HWY_EXPORT(find_leavers);

std::size_t keep_overlapping(std::span<const Pair> pairs, std::span<const Aabb> boxes, Pair* out) {
  return HWY_DYNAMIC_DISPATCH(keep_overlapping)(pairs, boxes, out);
}

std::size_t find_leavers(const Moves& moves, const Aabb* grown, Vec2 drift, const std::uint8_t* places,
                         std::uint8_t place, std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(find_leavers)(moves, grown, drift, places, place, out);
}

}  // namespace broadside::inline v0_2::detail

#endif
