// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/neighbor_kernels.cpp"
#include "base/foreach_target.hpp"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/box_lanes.hpp"
#include "compress.hpp"
#include "neighbor_kernels.hpp"

#ifndef BROADSIDE_GROWTH
#define BROADSIDE_GROWTH

namespace broadside::detail::growth {

// A box grows by at most a share of its size, so that it has few more candidates than neighbors. The margin
// is for motion that is not even.
inline constexpr float farthest = 0.5F;  // as a share of the size
inline constexpr float least_frames = 4.0F;
inline constexpr float max_frames = 16.0F;
inline constexpr float margin_of_size = 0.03F;
inline constexpr float margin_of_motion = 0.1F;
inline constexpr float min_aspect = 1.0F / 32.0F;  // of the larger side: the width of a segment
inline constexpr float huge = 1.0e36F;             // sums of more may overflow
inline constexpr float largest = std::numeric_limits<float>::max();

}  // namespace broadside::detail::growth

#endif

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

std::size_t keep_overlapping(const Pair* pairs, std::size_t n, const Aabb* boxes, Pair* out) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Pair pair = pairs[i];
    out[kept] = pair;
    kept += overlaps(boxes[pair.a], boxes[pair.b]) ? 1U : 0U;
  }
  return kept;
}

std::size_t find_leavers(const Moves& moves, const Aabb* grown, const std::uint8_t* places,
                         std::uint8_t place, std::uint32_t* out) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < moves.indices.size(); ++i) {
    const Aabb& box = moves.boxes[i];
    const Aabb& outer = grown[moves.indices[i]];
    const bool in_order = box.min.x <= box.max.x && box.min.y <= box.max.y;
    const bool inside = outer.min.x <= box.min.x && outer.min.y <= box.min.y && box.max.x <= outer.max.x &&
                        box.max.y <= outer.max.y;
    out[count] = static_cast<std::uint32_t>(i);
    count += in_order && inside && places[moves.indices[i]] == place ? 0U : 1U;
  }
  return count;
}

HWY_INLINE bool grow_one(const Aabb& before, const Aabb& now, float small_size, Aabb& grown) {
  const float larger = std::max(now.max.x - now.min.x, now.max.y - now.min.y);
  const float least = larger < 0.5F * small_size ? 0.5F * small_size : growth::min_aspect * larger;
  const float width = std::max(now.max.x - now.min.x, least);
  const float height = std::max(now.max.y - now.min.y, least);
  const float step_x = std::max(std::abs(now.min.x - before.min.x), std::abs(now.max.x - before.max.x));
  const float step_y = std::max(std::abs(now.min.y - before.min.y), std::abs(now.max.y - before.max.y));
  const auto frames_of = [](float size, float step) {
    const float reach = growth::farthest * size;
    return step * growth::max_frames > reach ? reach / step : growth::max_frames;
  };
  const auto fits = [](float size, float step) {
    return size <= growth::huge && step <= growth::huge &&
           step * growth::least_frames <= growth::farthest * size;
  };
  if (!fits(width, step_x) || !fits(height, step_y)) {
    return false;
  }
  const float frames = std::min(frames_of(width, step_x), frames_of(height, step_y));
  const float way = frames * std::max(step_x, step_y);
  const auto margin = [way](float size) {
    return growth::margin_of_size * size + growth::margin_of_motion * std::min(way, growth::farthest * size);
  };
  const auto low = [frames](float from, float to, float by) {
    return std::max(std::min(to, to + (to - from) * frames) - by, -growth::largest);
  };
  const auto high = [frames](float from, float to, float by) {
    return std::min(std::max(to, to + (to - from) * frames) + by, growth::largest);
  };
  const float margin_x = margin(width);
  const float margin_y = margin(height);
  grown = {{low(before.min.x, now.min.x, margin_x), low(before.min.y, now.min.y, margin_y)},
           {high(before.max.x, now.max.x, margin_x), high(before.max.y, now.max.y, margin_y)}};
  return true;
}

#else

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

#if HWY_TARGET == HWY_WASM

/// A pair at a time: one instruction compares all four sides, while a maximum of floats takes eight.
///
///     a max x  a max y  b max x  b max y     any of these less than the one below it: no overlap
///     b min x  b min y  a min x  a min y
std::size_t keep_overlapping(const Pair* pairs, std::size_t n, const Aabb* boxes, Pair* out) {
  const Box4 d;
  std::size_t kept = 0;
  const auto look_at = [&](Pair pair) HWY_ATTR {
    const auto first = hn::LoadU(d, &boxes[pair.a].min.x);
    const auto second = hn::LoadU(d, &boxes[pair.b].min.x);
    const auto apart = hn::Lt(hn::ConcatUpperUpper(d, second, first), hn::ConcatLowerLower(d, first, second));
    out[kept] = pair;
    kept += wasm_i32x4_bitmask(apart.raw) == 0 ? 1U : 0U;
  };
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    look_at(pairs[i]);
    look_at(pairs[i + 1]);
    look_at(pairs[i + 2]);
    look_at(pairs[i + 3]);
  }
  for (; i < n; ++i) {
    look_at(pairs[i]);
  }
  return kept;
}

#else

/// Reads, compares, compresses and stores as many pairs at once as fill a register. If there are so many that
/// their boxes are not in the L1 cache, prefetches these.
template <bool kMany>
HWY_INLINE std::size_t keep_overlapping_of(const Pair* pairs, std::size_t n, const Aabb* boxes, Pair* out) {
  constexpr std::size_t ahead = 96;
  const Wide d;
  const hn::ScalableTag<std::int64_t> d64;
  const hn::ScalableTag<std::uint32_t> du;
  const auto signs = signs_of_max(d);
  constexpr std::size_t half = hn::MaxLanes(Wide()) / 4;
  std::size_t kept = 0;
  std::size_t i = 0;
  for (; i + 2 * half <= n; i += 2 * half) {
    if constexpr (kMany) {
      for (std::size_t k = i + ahead; k < std::min(i + ahead + 2 * half, n); ++k) {
        hwy::Prefetch(&boxes[pairs[k].a]);
        hwy::Prefetch(&boxes[pairs[k].b]);
      }
    }
    const auto low = hn::BitCast(d64, max_separations(d, signs, pairs + i, boxes));
    const auto high = hn::BitCast(d64, max_separations(d, signs, pairs + i + half, boxes));
    const auto worst = hn::BitCast(d, hn::ConcatEven(d64, high, low));  // two lanes for each pair
    const auto overlap = hn::RebindMask(du, hn::Le(worst, hn::Zero(d)));
    const auto names = hn::LoadU(du, reinterpret_cast<const std::uint32_t*>(pairs + i));
    hn::StoreU(compress(du, names, overlap), du, reinterpret_cast<std::uint32_t*>(out + kept));
    kept += count_true(du, overlap) / 2;
  }
  for (; i < n; ++i) {
    const Pair pair = pairs[i];
    out[kept] = pair;
    kept += overlaps(boxes[pair.a], boxes[pair.b]) ? 1U : 0U;
  }
  return kept;
}

std::size_t keep_overlapping(const Pair* pairs, std::size_t n, const Aabb* boxes, Pair* out) {
  constexpr std::size_t many = 100'000;
  return n < many ? keep_overlapping_of<false>(pairs, n, boxes, out)
                  : keep_overlapping_of<true>(pairs, n, boxes, out);
}

#endif

/// Returns whether a box is not inverted and lies in `grown`; false if it is not finite.
/// @pre `grown` is not inverted, or `no_box` or `retired_box`
HWY_INLINE bool lies_in(const Aabb& box, const Aabb& grown) {
  const Box4 d;
  const auto signs = signs_of_max(d);
  const auto side = hn::LoadU(d, &box.min.x);
  const auto inner = hn::Xor(side, signs);
  return hn::AllTrue(
      d, hn::And(is_min_le_max(side, signs), hn::Le(hn::Xor(hn::LoadU(d, &grown.min.x), signs), inner)));
}

std::size_t find_leavers(const Moves& moves, const Aabb* grown, const std::uint8_t* places,
                         std::uint8_t place, std::uint32_t* out) {
  const Wide d;
  const auto signs = signs_of_max(d);
  constexpr std::size_t at_once = 4;
  constexpr std::size_t in_register = hn::MaxLanes(Wide()) / 4;
  constexpr std::size_t ahead = 128;  // the caller's boxes are hardly ever in the cache
  const auto& [indices, boxes, consecutive] = moves;
  const std::uint32_t all_here = 0x01010101U * place;
  std::size_t count = 0;
  std::size_t i = 0;
  while (i < indices.size()) {
    // Usually the indices are consecutive and no box leaves: four at once.
    while (consecutive && i + at_once <= indices.size()) {
      const BoxIndex first = indices[i];
      hwy::Prefetch(&boxes[std::min(i + ahead, boxes.size() - 1)]);
      auto stay = hn::Eq(signs, signs);
      for (std::size_t k = 0; k < at_once; k += in_register) {
        const auto side = hn::LoadU(d, &boxes[i + k].min.x);
        const auto inner = hn::Xor(side, signs);
        const auto outer = hn::Xor(hn::LoadU(d, &grown[first + k].min.x), signs);
        stay = hn::And(stay, hn::And(is_min_le_max(side, signs), hn::Le(outer, inner)));
      }
      std::uint32_t here = 0;
      std::memcpy(&here, places + first, sizeof(here));
      if (!hn::AllTrue(d, stay) || here != all_here) {
        break;
      }
      i += at_once;
    }
    // Then one by one: the next four, or all if the indices are not consecutive.
    const std::size_t end = std::min(consecutive ? i + at_once : indices.size(), indices.size());
    for (; i < end; ++i) {
      const BoxIndex index = indices[i];
      out[count] = static_cast<std::uint32_t>(i);
      count += (lies_in(boxes[i], grown[index]) & (places[index] == place)) ? 0U : 1U;
    }
  }
  return count;
}

HWY_INLINE bool grow_one(const Aabb& before, const Aabb& now, float small_size, Aabb& grown) {
  const Box4 d;
  const auto to = hn::LoadU(d, &now.min.x);
  const auto way = hn::Sub(to, hn::LoadU(d, &before.min.x));
  // Twice (along x, along y): the size of the box, and the larger displacement of its two sides.
  const auto sides = hn::Abs(hn::Sub(hn::Shuffle1032(to), to));
  const auto larger = hn::Max(sides, hn::Shuffle2301(sides));
  const auto small = hn::Set(d, 0.5F * small_size);
  const auto least =
      hn::IfThenElse(hn::Lt(larger, small), small, hn::Mul(hn::Set(d, growth::min_aspect), larger));
  const auto size = hn::Max(sides, least);
  const auto step = hn::Max(hn::Abs(way), hn::Shuffle1032(hn::Abs(way)));
  const auto reach = hn::Mul(hn::Set(d, growth::farthest), size);
  const auto huge = hn::Set(d, growth::huge);
  const auto slow = hn::Le(hn::Mul(step, hn::Set(d, growth::least_frames)), reach);
  if (!hn::AllTrue(d, hn::And(slow, hn::And(hn::Le(size, huge), hn::Le(step, huge))))) {
    return false;
  }
  const auto most = hn::Set(d, growth::max_frames);
  const auto is_far = hn::Gt(hn::Mul(step, most), reach);
  const auto divisor = hn::IfThenElse(is_far, step, hn::Set(d, 1.0F));  // a body at rest has no step
  const auto in_reach = hn::IfThenElse(is_far, hn::Div(reach, divisor), most);
  const auto frames = hn::Min(in_reach, hn::Shuffle2301(in_reach));
  const auto longer = hn::Max(step, hn::Shuffle2301(step));
  const auto farthest = hn::Min(hn::Mul(frames, longer), reach);
  const auto margin = hn::Add(hn::Mul(hn::Set(d, growth::margin_of_size), size),
                              hn::Mul(hn::Set(d, growth::margin_of_motion), farthest));
  const auto ahead = hn::Add(to, hn::Mul(way, frames));
  const auto largest = hn::Set(d, growth::largest);
  const auto low = hn::Max(hn::Sub(hn::Min(to, ahead), margin), hn::Neg(largest));
  const auto high = hn::Min(hn::Add(hn::Max(to, ahead), margin), largest);
  hn::StoreU(hn::ConcatUpperLower(d, high, low), d, &grown.min.x);
  return true;
}

#endif

bool grow_box(const Aabb& before, const Aabb& now, float small_size, Aabb& grown) {
  return grow_one(before, now, small_size, grown);
}

std::size_t grow_boxes(std::span<const BoxIndex> indices, const Aabb* before, const Aabb* now,
                       float small_size, Aabb* grown, std::uint32_t* fast) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const BoxIndex index = indices[i];
    const bool stable = grow_one(before[index], now[i], small_size, grown[index]);
    fast[count] = static_cast<std::uint32_t>(i);
    count += stable ? 0U : 1U;
  }
  return count;
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(keep_overlapping);
HWY_EXPORT(find_leavers);
HWY_EXPORT(grow_box);
HWY_EXPORT(grow_boxes);

std::size_t keep_overlapping(const Pair* pairs, std::size_t n, const Aabb* boxes, Pair* out) {
  return HWY_DYNAMIC_DISPATCH(keep_overlapping)(pairs, n, boxes, out);
}

std::size_t find_leavers(const Moves& moves, const Aabb* grown, const std::uint8_t* places,
                         std::uint8_t place, std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(find_leavers)(moves, grown, places, place, out);
}

bool grow_box(const Aabb& before, const Aabb& now, float small_size, Aabb& grown) {
  return HWY_DYNAMIC_DISPATCH(grow_box)(before, now, small_size, grown);
}

std::size_t grow_boxes(std::span<const BoxIndex> indices, const Aabb* before, const Aabb* now,
                       float small_size, Aabb* grown, std::uint32_t* fast) {
  return HWY_DYNAMIC_DISPATCH(grow_boxes)(indices, before, now, small_size, grown, fast);
}

}  // namespace broadside::detail

#endif
