// Compiled once for each SIMD target by Highway, which picks the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/neighbor_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "neighbor_kernels.hpp"

#ifndef BROADSIDE_GROWTH
#define BROADSIDE_GROWTH

namespace broadside::detail::growth {

// How far a box may grow is a share of its size, so that it has few more candidates than neighbors. The
// margin is for what does not go on like this.
inline constexpr float farthest = 0.4F;  // of the size
inline constexpr float least_frames = 4.0F;
inline constexpr float most_frames = 16.0F;
inline constexpr float margin_of_size = 0.03F;
inline constexpr float margin_of_way = 0.1F;
inline constexpr float thinnest = 1.0F / 32.0F;  // of the larger side: as what a segment counts across
inline constexpr float huge = 1.0e36F;           // beyond, sums may overflow
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

std::size_t find_leavers(std::span<const BoxIndex> indices, const Aabb* boxes, const Aabb* grown,
                         const std::uint8_t* places, std::uint8_t place, std::uint32_t* out) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Aabb& outer = grown[indices[i]];
    const bool inside = outer.min.x <= boxes[i].min.x && outer.min.y <= boxes[i].min.y &&
                        boxes[i].max.x <= outer.max.x && boxes[i].max.y <= outer.max.y;
    out[count] = static_cast<std::uint32_t>(i);
    count += inside && places[indices[i]] == place ? 0U : 1U;
  }
  return count;
}

HWY_INLINE bool grow_one(const Aabb& before, const Aabb& now, float small_size, Aabb& grown) {
  const float larger = std::max(now.max.x - now.min.x, now.max.y - now.min.y);
  const float least = larger < 0.5F * small_size ? 0.5F * small_size : growth::thinnest * larger;
  const float width = std::max(now.max.x - now.min.x, least);
  const float height = std::max(now.max.y - now.min.y, least);
  const float step_x = std::max(std::abs(now.min.x - before.min.x), std::abs(now.max.x - before.max.x));
  const float step_y = std::max(std::abs(now.min.y - before.min.y), std::abs(now.max.y - before.max.y));
  const auto frames_of = [](float size, float step) {
    const float reach = growth::farthest * size;
    return step * growth::most_frames > reach ? reach / step : growth::most_frames;
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
    return growth::margin_of_size * size + growth::margin_of_way * std::min(way, growth::farthest * size);
  };
  const auto low = [frames](float from, float to, float room) {
    return std::max(std::min(to, to + (to - from) * frames) - room, -growth::largest);
  };
  const auto high = [frames](float from, float to, float room) {
    return std::min(std::max(to, to + (to - from) * frames) + room, growth::largest);
  };
  const float room_x = margin(width);
  const float room_y = margin(height);
  grown = {{low(before.min.x, now.min.x, room_x), low(before.min.y, now.min.y, room_y)},
           {high(before.max.x, now.max.x, room_x), high(before.max.y, now.max.y, room_y)}};
  return true;
}

#else

/// One box in one register: min x, min y, max x, max y.
using Box4 = hn::FixedTag<float, 4>;

/// -0 where the maxima are, so that an exclusive or turns them round and "lies below" holds for all four
/// sides.
HWY_INLINE auto signs_of_max(Box4 d) {
  return hn::ConcatLowerLower(d, hn::Set(d, -0.0F), hn::Zero(d));
}

/// A box overlaps another if (min, -max) of the one is nowhere above (max, -min) of the other. No branch: the
/// pair is copied anyhow, and the place moves on by one or by nothing. Where there are so many that boxes are
/// not in the nearest cache, they are called for ahead.
template <bool kMany>
HWY_INLINE std::size_t keep_overlapping_of(const Pair* pairs, std::size_t n, const Aabb* boxes, Pair* out) {
  constexpr std::size_t ahead = 32;
  const Box4 d;
  const auto signs = signs_of_max(d);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Pair pair = pairs[i];
    if constexpr (kMany) {
      const Pair later = pairs[i + ahead < n ? i + ahead : i];
      hwy::Prefetch(&boxes[later.a]);
      hwy::Prefetch(&boxes[later.b]);
    }
    const auto a = hn::Xor(hn::LoadU(d, &boxes[pair.a].min.x), signs);
    const auto b = hn::Xor(hn::Shuffle1032(hn::LoadU(d, &boxes[pair.b].min.x)), signs);
    out[kept] = pair;
    kept += hn::AllTrue(d, hn::Le(a, b)) ? 1U : 0U;
  }
  return kept;
}

std::size_t keep_overlapping(const Pair* pairs, std::size_t n, const Aabb* boxes, Pair* out) {
  constexpr std::size_t many = 100'000;
  return n < many ? keep_overlapping_of<false>(pairs, n, boxes, out)
                  : keep_overlapping_of<true>(pairs, n, boxes, out);
}

std::size_t find_leavers(std::span<const BoxIndex> indices, const Aabb* boxes, const Aabb* grown,
                         const std::uint8_t* places, std::uint8_t place, std::uint32_t* out) {
  const Box4 d;
  const auto signs = signs_of_max(d);
  std::size_t count = 0;
  // Mostly all are in a row and nobody leaves: as many boxes at once as fit into a register, then one by one
  // from where that is not so.
  const hn::ScalableTag<float> many;
  const std::size_t at_once = hn::Lanes(many) / 4;
  HWY_ALIGN float pattern[HWY_LANES(float)];
  for (std::size_t lane = 0; lane < 4 * at_once; ++lane) {
    pattern[lane] = lane % 4 < 2 ? 0.0F : -0.0F;
  }
  const auto all_signs = hn::Load(many, pattern);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    while (i + at_once <= indices.size() && indices[i + at_once - 1] == indices[i] + at_once - 1) {
      const BoxIndex first = indices[i];
      std::uint8_t elsewhere = 0;
      for (std::size_t k = 0; k < at_once; ++k) {
        elsewhere |= static_cast<std::uint8_t>(places[first + k] ^ place);
        elsewhere |= indices[i + k] == first + k ? 0U : 1U;
      }
      const auto inner = hn::Xor(hn::LoadU(many, &boxes[i].min.x), all_signs);
      const auto outer = hn::Xor(hn::LoadU(many, &grown[first].min.x), all_signs);
      if (elsewhere != 0 || !hn::AllTrue(many, hn::Le(outer, inner))) {
        break;
      }
      i += at_once;
    }
    if (i == indices.size()) {
      break;
    }
    const auto inner = hn::Xor(hn::LoadU(d, &boxes[i].min.x), signs);
    const auto outer = hn::Xor(hn::LoadU(d, &grown[indices[i]].min.x), signs);
    const bool inside = hn::AllTrue(d, hn::Le(outer, inner));
    out[count] = static_cast<std::uint32_t>(i);
    count += (inside & (places[indices[i]] == place)) ? 0U : 1U;
  }
  return count;
}

HWY_INLINE bool grow_one(const Aabb& before, const Aabb& now, float small_size, Aabb& grown) {
  const Box4 d;
  const auto to = hn::LoadU(d, &now.min.x);
  const auto way = hn::Sub(to, hn::LoadU(d, &before.min.x));
  // Twice (along x, along y): the size of the box, and the longer way of its two sides.
  const auto sides = hn::Abs(hn::Sub(hn::Shuffle1032(to), to));
  const auto larger = hn::MaxOfLanes(d, sides);
  const auto small = hn::Set(d, 0.5F * small_size);
  const auto least =
      hn::IfThenElse(hn::Lt(larger, small), small, hn::Mul(hn::Set(d, growth::thinnest), larger));
  const auto size = hn::Max(sides, least);
  const auto step = hn::Max(hn::Abs(way), hn::Shuffle1032(hn::Abs(way)));
  const auto reach = hn::Mul(hn::Set(d, growth::farthest), size);
  const auto huge = hn::Set(d, growth::huge);
  const auto slow = hn::Le(hn::Mul(step, hn::Set(d, growth::least_frames)), reach);
  if (!hn::AllTrue(d, hn::And(slow, hn::And(hn::Le(size, huge), hn::Le(step, huge))))) {
    return false;
  }
  const auto most = hn::Set(d, growth::most_frames);
  const auto frames =
      hn::MinOfLanes(d, hn::IfThenElse(hn::Gt(hn::Mul(step, most), reach), hn::Div(reach, step), most));
  const auto farthest = hn::Min(hn::Mul(frames, hn::MaxOfLanes(d, step)), reach);
  const auto margin = hn::Add(hn::Mul(hn::Set(d, growth::margin_of_size), size),
                              hn::Mul(hn::Set(d, growth::margin_of_way), farthest));
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
    const bool calm = grow_one(before[index], now[i], small_size, grown[index]);
    fast[count] = static_cast<std::uint32_t>(i);
    count += calm ? 0U : 1U;
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

std::size_t find_leavers(std::span<const BoxIndex> indices, const Aabb* boxes, const Aabb* grown,
                         const std::uint8_t* places, std::uint8_t place, std::uint32_t* out) {
  return HWY_DYNAMIC_DISPATCH(find_leavers)(indices, boxes, grown, places, place, out);
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
