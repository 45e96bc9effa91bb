// Compiled once for each SIMD target by Highway, which picks the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/tree_order_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/rounding.hpp"
#include "tree_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::CappedTag<float, BoxTree::fanout>;
using I32 = hn::RebindToSigned<F32>;
using Keys = hn::Vec<I32>;

// Keys tell in which order children are visited: the bits of a float that is not above what it stands for
// (of numbers above 0 they are in the order of the numbers), less the last ones, which name the child: of
// those at the top there are more than of a node.
constexpr std::int32_t child_mask = static_cast<std::int32_t>(BoxTree::most_roots * BoxTree::fanout) - 1;
constexpr std::int32_t no_key = std::numeric_limits<std::int32_t>::max();

/// Returns a key that is above that of all children whose value is at most `limit`, and hardly more.
/// @pre limit >= 0
std::int32_t key_limit(double limit) {
  constexpr double most = std::numeric_limits<float>::max();
  const float value = limit < most ? round_up(limit) : std::numeric_limits<float>::infinity();
  return std::bit_cast<std::int32_t>(value) | child_mask;
}

/// Makes keys of values that are 0, of any sign, or more, and by far less wrong than what this takes from
/// them.
template <class V, class M>
HWY_INLINE Keys make_keys(V values, M there, std::size_t first_child) {
  const I32 d;
  const auto bits = hn::Sub(hn::BitCast(d, hn::Abs(values)), hn::Set(d, child_mask + 1));
  const auto low = hn::AndNot(hn::Set(d, child_mask), hn::Max(bits, hn::Zero(d)));
  const auto keys = hn::Or(low, hn::Iota(d, static_cast<std::int32_t>(first_child)));
  return hn::IfThenElse(hn::RebindMask(d, there), keys, hn::Set(d, no_key));
}

/// Writes the keys of a node's children, which `measure(i)` makes of those from i on; returns the least of
/// each lane.
template <class Measure>
HWY_INLINE Keys find_keys(std::int32_t* keys, const Measure& measure) {
  const I32 d;
  auto least = hn::Set(d, no_key);
  for (std::size_t i = 0; i < BoxTree::fanout; i += hn::Lanes(d)) {
    const auto some = measure(i);
    hn::Store(some, d, keys + i);
    least = hn::Min(least, some);
  }
  return least;
}

/// Returns the least of each lane of those keys of some nodes that are above one, or `no_key`.
HWY_INLINE Keys keys_above(const std::int32_t* keys, std::size_t nodes, std::int32_t above) {
  const I32 d;
  const auto none = hn::Set(d, no_key);
  const auto last = hn::Set(d, above);
  auto least = none;
  for (std::size_t i = 0; i < nodes * BoxTree::fanout; i += hn::Lanes(d)) {
    const auto some = hn::Load(d, keys + i);
    least = hn::Min(least, hn::IfThenElse(hn::Gt(some, last), some, none));
  }
  return least;
}

HWY_INLINE std::int32_t least_of(Keys keys) {
  return hn::GetLane(hn::MinOfLanes(I32(), keys));
}

/// Sorts those of a node's keys that are named by bits, none of them twice; returns how many they are. No
/// branch depends on any but whether they are more than one.
HWY_INLINE std::size_t sort_keys(const std::int32_t* keys, std::uint32_t which, std::int32_t* sorted) {
  const auto size = static_cast<std::size_t>(std::popcount(which));
  if (size == 1) {
    sorted[0] = keys[std::countr_zero(which)];
  }
  if (size < 2) {
    return size;
  }
  const I32 d;
  alignas(64) std::int32_t less[BoxTree::fanout];
  for (std::size_t i = 0; i < BoxTree::fanout; i += hn::Lanes(d)) {
    const auto some = hn::Load(d, keys + i);
    auto count = hn::Zero(d);
    for (std::size_t k = 0; k < BoxTree::fanout; ++k) {
      count = hn::Sub(count, hn::VecFromMask(d, hn::Gt(some, hn::Set(d, keys[k]))));
    }
    hn::Store(count, d, less + i);
  }
  for (std::size_t i = 0; i < BoxTree::fanout; ++i) {
    sorted[less[i]] = keys[i];
  }
  return size;
}

/// Returns one bit for each key that is not above a limit.
HWY_INLINE std::uint32_t bits_up_to(const std::int32_t* keys, std::int32_t limit) {
  const I32 d;
  const auto highest = hn::Set(d, limit);
  std::uint32_t all = 0;
  for (std::size_t i = 0; i < BoxTree::fanout; i += hn::Lanes(d)) {
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Not(hn::Gt(hn::Load(d, keys + i), highest)), bytes);
    all |= (bytes[0] | std::uint32_t{bytes[1]} << 8U) << i;
  }
  return all;
}

/// Visits leaves, those with the lower key first as far as one node tells, and none above a limit. Returns
/// the least key of what was left out.
///
/// @param measure writes the keys of a node's children, given the number of the first of them; returns the
///   least of each lane
/// @param limit returns the key above which nothing is wanted any more
/// @param visit is shown a leaf, its number, the keys of its boxes, and the least of each lane
template <class Measure, class Limit, class VisitLeaf>
HWY_INLINE std::int32_t visit_leaves(const BoxTree::View& view, const Measure& measure, const Limit& limit,
                                     const VisitLeaf& visit) {
  constexpr std::size_t fanout = BoxTree::fanout;
  struct Open {
    std::uint32_t first_child;  ///< of all nodes of the level below
    std::int32_t last;          ///< key of the child that was visited last, once none comes first
    std::uint64_t first;        ///< bits of the children that come first, and wait still
  };
  const I32 d;
  alignas(64) std::int32_t keys[(BoxTree::most_height + BoxTree::most_roots - 1) * fanout];
  Open opened[BoxTree::most_height];
  const std::size_t top = view.height - 1;
  const BoxTree::Node* const roots = view.nodes + view.level_begin[top];
  opened[top] = {0, child_mask, 0};
  const auto open = [&](const BoxTree::Node& node, std::int32_t* children, std::size_t first_child) {
    note_look(view, node);
    return measure(node, children, first_child);
  };
  auto left_out = hn::Set(d, no_key);
  auto waiting = left_out;  // of the children of this level, unless some come first
  for (std::size_t i = 0; i < view.roots; ++i) {
    std::int32_t* const here = keys + fanout * (top + i);
    waiting = hn::Min(waiting, open(roots[i], here, fanout * i));
    opened[top].first |= std::uint64_t{bits_up_to(here, child_mask)} << (fanout * i);
  }
  std::size_t level = top;
  const auto go_up = [&] {
    const Open& above = opened[++level];
    if (above.first == 0) {
      waiting = keys_above(keys + fanout * level, level == top ? view.roots : 1, above.last);
    }
  };
  for (;;) {
    Open& here = opened[level];
    std::uint32_t child = 0;
    if (here.first != 0) {
      // Their keys are as low as can be, so no limit leaves them out; and bits are told sooner than the
      // least.
      child = static_cast<std::uint32_t>(std::countr_zero(here.first));
      here.first &= here.first - 1;
    } else {
      // Which is the next takes long to tell, and is only asked where one is wanted.
      if (hn::AllTrue(d, hn::Gt(waiting, hn::Set(d, limit())))) {
        left_out = hn::Min(left_out, waiting);
        if (level == top) {
          return least_of(left_out);
        }
        go_up();
        continue;
      }
      here.last = least_of(waiting);
      child = static_cast<std::uint32_t>(here.last & child_mask);
    }
    const std::uint32_t number = here.first_child + child;
    const BoxTree::Node& node = view.nodes[view.level_begin[--level] + number];
    if (level == 0) {
      hwy::Prefetch(view.names + fanout * number);
    }
    waiting = open(node, keys + fanout * level, 0);
    if (level == 0) {
      visit(node, number, keys, waiting);
      go_up();
    } else {
      opened[level] = {static_cast<std::uint32_t>(fanout) * number, child_mask,
                       bits_up_to(keys + fanout * level, child_mask)};
    }
  }
}

/// Finds those boxes that are nearest to a point. The place of a box in their order is its key and its
/// number.
class NearSearch {
 public:
  NearSearch(const BoxTree::View& view, Vec2 point, std::vector<std::uint64_t>& best)
      : view_(view), point_(point), best_(best) {}

  /// Lists the places of up to `count` boxes in order, or more if so many hold the point, from `first` on and
  /// within a limit. Returns the least key of what was left out beyond.
  std::int32_t find(std::size_t count, std::uint64_t first, std::int32_t limit) {
    best_.clear();
    auto left_out = hn::Set(I32(), no_key);
    const auto measure_all = [this](const BoxTree::Node& node, std::int32_t* keys, std::size_t first_child) {
      return measure(node, keys, first_child);
    };
    const auto visit = [&](const BoxTree::Node&, std::uint32_t leaf, const std::int32_t* keys, Keys least) {
      // Of one that is wanted alone all others but those that are as near as can be told.
      const std::int32_t highest = count == 1 ? std::min(limit, least_of(least) | child_mask) : limit;
      left_out = hn::Min(left_out, keys_above(keys, 1, highest));
      alignas(64) std::int32_t sorted[BoxTree::fanout];
      const std::size_t size = sort_keys(keys, bits_up_to(keys, highest), sorted);
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint64_t place =
            static_cast<std::uint64_t>(sorted[i]) << 32U |
            (BoxTree::fanout * std::uint64_t{leaf} + static_cast<std::uint32_t>(sorted[i] & child_mask));
        if (sorted[i] > limit) {
          left_out = hn::Min(left_out, hn::Set(I32(), sorted[i]));
          break;
        }
        if (place >= first) {
          add(place, count, limit, left_out);
        }
      }
    };
    const auto current_limit = [&limit] { return limit; };
    const std::int32_t unopened = visit_leaves(view_, measure_all, current_limit, visit);
    left_out = hn::Min(left_out, hn::Set(I32(), unopened));
    if (count > few) {
      std::sort_heap(best_.begin(), best_.end());
    }
    return least_of(left_out);
  }

  static std::int32_t key_of(std::uint64_t place) { return static_cast<std::int32_t>(place >> 32U); }

 private:
  static constexpr std::size_t few = 16;

  /// Adds a place to the best, few of which are kept in order, more in a heap. `left_out` learns of the key
  /// of the one that is left out for it.
  HWY_INLINE void add(std::uint64_t place, std::size_t count, std::int32_t& limit, Keys& left_out) {
    const bool is_heap = count > few;
    const auto worst = [&] { return is_heap ? best_.front() : best_.back(); };
    // All that hold the point itself are as near, and whoever asks has to look at them all.
    if (best_.size() >= count && key_of(worst()) > child_mask) {
      left_out = hn::Min(left_out, hn::Set(I32(), key_of(std::max(worst(), place))));
      if (place > worst()) {
        return;
      }
      if (is_heap) {
        std::pop_heap(best_.begin(), best_.end());
      }
      best_.pop_back();
    }
    best_.push_back(place);
    if (is_heap) {
      std::push_heap(best_.begin(), best_.end());
    } else {
      for (std::size_t i = best_.size() - 1; i > 0 && best_[i - 1] > place; --i) {
        std::swap(best_[i - 1], best_[i]);
      }
    }
    limit = best_.size() < count ? limit : key_of(worst()) | child_mask;
  }

  HWY_INLINE Keys measure(const BoxTree::Node& node, std::int32_t* keys, std::size_t first_child) const {
    const F32 d;
    const auto x = hn::Set(d, point_.x);
    const auto y = hn::Set(d, point_.y);
    return find_keys(keys, [&](std::size_t i) {
      const auto min_x = hn::Load(d, node.min_x.data() + i);
      const auto max_x = hn::Load(d, node.max_x.data() + i);
      const auto min_y = hn::Load(d, node.min_y.data() + i);
      const auto max_y = hn::Load(d, node.max_y.data() + i);
      const auto beside = hn::Max(hn::Max(hn::Sub(min_x, x), hn::Sub(x, max_x)), hn::Zero(d));
      const auto above = hn::Max(hn::Max(hn::Sub(min_y, y), hn::Sub(y, max_y)), hn::Zero(d));
      const auto distance2 = hn::Add(hn::Mul(beside, beside), hn::Mul(above, above));
      return make_keys(distance2, hn::Le(min_x, max_x), first_child + i);
    });
  }

  const BoxTree::View& view_;
  Vec2 point_;
  std::vector<std::uint64_t>& best_;
};

// Shapes are farther away than their boxes, so the first ones may not be enough.
void approach(const BoxTree::View& view, const NearQuery& query, NearRoom& room, TakeNear take) {
  NearSearch search(view, query.point, room.places);
  std::uint64_t first = 0;
  double limit = query.limit;
  for (std::size_t count = std::min(query.count, view.size);; count = std::min(8 * count, view.size)) {
    const std::int32_t left_out = search.find(count, first, key_limit(limit * limit));
    room.found.clear();
    for (const std::uint64_t place : room.places) {
      const auto distance2 = std::bit_cast<float>(NearSearch::key_of(place) & ~child_mask);
      room.found.push_back({static_cast<double>(distance2), view.names[static_cast<std::uint32_t>(place)]});
    }
    limit = std::min(limit, take(room.found));
    if (room.places.empty() || left_out > key_limit(limit * limit)) {
      return;
    }
    first = room.places.back() + 1;
  }
}

/// When a moving box is level with others along an axis; at least as long as it is.
class Side {
 public:
  explicit Side(const Path::Axis& axis) {
    // Beyond these a float cannot tell the time; then all on the way counts as met at once.
    constexpr double most = 0x1p120;
    const double inverse = std::abs(axis.inverse);
    moves_ = 1.0 / most < inverse && inverse < most;
    low_ = round_down(axis.low + (moves_ ? 0.0 : std::min(axis.way, 0.0)));
    high_ = round_up(axis.high + (moves_ ? 0.0 : std::max(axis.way, 0.0)));
    inverse_ = static_cast<float>(moves_ ? axis.inverse : 1.0);
  }

  /// Makes `in` later and `out` earlier where they are on this axis.
  template <class V>
  HWY_INLINE void clip(V low, V high, V& in, V& out) const {
    const F32 d;
    const auto before = hn::Sub(low, hn::Set(d, high_));
    const auto beyond = hn::Sub(high, hn::Set(d, low_));
    if (moves_) {
      const auto near = hn::Mul(before, hn::Set(d, inverse_));
      const auto far = hn::Mul(beyond, hn::Set(d, inverse_));
      in = hn::Max(in, inverse_ > 0.0F ? near : far);
      out = hn::Min(out, inverse_ > 0.0F ? far : near);
    } else {
      out = hn::IfThenElse(hn::And(hn::Le(before, hn::Zero(d)), hn::Le(hn::Zero(d), beyond)), out,
                           hn::Set(d, -1.0F));
    }
  }

 private:
  float low_;
  float high_;
  float inverse_;
  bool moves_;
};

void walk(const BoxTree::View& view, const Path& path, TakeMet take) {
  constexpr float wider = 1.0F + 0x1p-20F;
  const Side on_x(path.x());
  const Side on_y(path.y());
  double limit = 1.0;
  std::int32_t highest = key_limit(limit);
  const auto measure = [&](const BoxTree::Node& node, std::int32_t* keys, std::size_t first_child) {
    return find_keys(keys, [&](std::size_t i) {
      const F32 d;
      auto in = hn::Zero(d);
      auto out = hn::Set(d, 2.0F);
      on_x.clip(hn::Load(d, node.min_x.data() + i), hn::Load(d, node.max_x.data() + i), in, out);
      on_y.clip(hn::Load(d, node.min_y.data() + i), hn::Load(d, node.max_y.data() + i), in, out);
      return make_keys(in, hn::Le(in, hn::Mul(out, hn::Set(d, wider))), first_child + i);
    });
  };
  const auto visit = [&](const BoxTree::Node& leaf, std::uint32_t number, const std::int32_t* keys,
                         Keys least) {
    const auto next = [keys](std::int32_t last) { return least_of(keys_above(keys, 1, last)); };
    for (std::int32_t key = least_of(least); key <= highest; key = next(key)) {
      const auto child = static_cast<std::uint32_t>(key & child_mask);
      const double entry =
          path.entry({{leaf.min_x[child], leaf.min_y[child]}, {leaf.max_x[child], leaf.max_y[child]}});
      if (entry <= limit) {
        Met met{entry, view.names[BoxTree::fanout * number + child]};
        limit = std::min(limit, take({&met, 1}));
        highest = key_limit(limit);
      }
    }
  };
  visit_leaves(
      view, measure, [&highest] { return highest; }, visit);
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(approach);
HWY_EXPORT(walk);

void approach(const BoxTree::View& view, const NearQuery& query, NearRoom& room, TakeNear take) {
  HWY_DYNAMIC_DISPATCH(approach)(view, query, room, take);
}

void walk(const BoxTree::View& view, const Path& path, TakeMet take) {
  HWY_DYNAMIC_DISPATCH(walk)(view, path, take);
}

}  // namespace broadside::detail

#endif
