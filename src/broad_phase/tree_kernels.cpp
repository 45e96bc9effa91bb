// Compiled once for each SIMD target by Highway, which picks the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/tree_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/rounding.hpp"
#include "squeeze.hpp"
#include "tree_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::CappedTag<float, BoxTree::fanout>;
using U32 = hn::RebindToUnsigned<F32>;
using I32 = hn::RebindToSigned<F32>;

/// One bit for each lane.
template <class D, class M>
HWY_INLINE std::uint32_t bits_of(D d, M mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return bytes[0] | std::uint32_t{bytes[1]} << 8U;
}

/// Names on their way to a list, gathered in a small room, so that the list grows by many at once.
class Outbox {
 public:
  explicit Outbox(std::vector<BoxIndex>& list) : list_(list) {}
  ~Outbox() { flush(); }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  template <class M>
  HWY_INLINE void push(U32 d, const BoxIndex* names, M which) {
    if (size_ + hn::Lanes(d) > room) {
      flush();
    }
    hn::StoreU(squeeze(d, hn::LoadU(d, names), which), d, room_ + size_);
    size_ += hn::CountTrue(d, which);
  }
  void push_all(const BoxIndex* names, std::size_t count) {
    if (size_ + count > room) {
      flush();
      if (count > room / 4) {
        list_.insert(list_.end(), names, names + count);
        return;
      }
    }
    std::memcpy(room_ + size_, names, count * sizeof(BoxIndex));
    size_ += count;
  }

 private:
  static constexpr std::size_t room = 256;

  void flush() {
    list_.insert(list_.end(), room_, room_ + size_);
    size_ = 0;
  }

  std::vector<BoxIndex>& list_;
  std::size_t size_ = 0;
  std::uint32_t room_[room];
};

/// Has a node brought near that is needed soon.
HWY_INLINE void fetch(const BoxTree::Node& node) {
  hwy::Prefetch(node.min_x.data());
  hwy::Prefetch(node.max_x.data());
  hwy::Prefetch(node.min_y.data());
  hwy::Prefetch(node.max_y.data());
}

/// Goes down to all that overlaps an area. `within` gets what lies in it wholly, `crossing` the rest; they
/// may be the same.
HWY_INLINE void search(const BoxTree::View& view, const Aabb& area, Outbox& within, Outbox& crossing) {
  struct Place {
    std::uint32_t node;  ///< of its level
    std::uint32_t level;
  };
  constexpr std::size_t fanout = BoxTree::fanout;
  const F32 d;
  const U32 du;
  const auto left = hn::Set(d, area.min.x);
  const auto right = hn::Set(d, area.max.x);
  const auto bottom = hn::Set(d, area.min.y);
  const auto top = hn::Set(d, area.max.y);
  Place places[BoxTree::most_height * fanout];
  std::size_t waiting = 1;
  places[0] = {0, static_cast<std::uint32_t>(view.height) - 1};
  while (waiting > 0) {
    const Place place = places[--waiting];
    const BoxTree::Node& node = view.nodes[view.level_begin[place.level] + place.node];
    const std::uint32_t first_child = static_cast<std::uint32_t>(fanout) * place.node;
    for (std::size_t i = 0; i < fanout; i += hn::Lanes(d)) {
      const auto min_x = hn::Load(d, node.min_x.data() + i);
      const auto max_x = hn::Load(d, node.max_x.data() + i);
      const auto min_y = hn::Load(d, node.min_y.data() + i);
      const auto max_y = hn::Load(d, node.max_y.data() + i);
      const auto on_x = hn::And(hn::Le(min_x, right), hn::Le(left, max_x));
      const auto on_y = hn::And(hn::Le(min_y, top), hn::Le(bottom, max_y));
      const auto hit = hn::RebindMask(du, hn::And(on_x, on_y));
      if (hn::AllFalse(du, hit)) {
        continue;
      }
      const auto within_x = hn::And(hn::Le(left, min_x), hn::Le(max_x, right));
      const auto within_y = hn::And(hn::Le(bottom, min_y), hn::Le(max_y, top));
      const auto inside = hn::And(hit, hn::RebindMask(du, hn::And(within_x, within_y)));
      if (place.level == 0) {
        const BoxIndex* names = view.names + first_child + i;
        if (&within == &crossing) {
          within.push(du, names, hit);
        } else {
          within.push(du, names, inside);
          crossing.push(du, names, hn::AndNot(inside, hit));
        }
        continue;
      }
      const std::uint32_t child = first_child + static_cast<std::uint32_t>(i);
      const std::uint32_t insides = bits_of(du, inside);
      for (std::uint32_t bits = insides; bits != 0; bits &= bits - 1) {
        const std::size_t number = child + static_cast<std::uint32_t>(std::countr_zero(bits));
        const std::size_t begin = number << (4 * place.level);
        const std::size_t end = (number + 1) << (4 * place.level);
        within.push_all(view.names + begin, std::min(end, view.size) - begin);
      }
      for (std::uint32_t bits = bits_of(du, hit) & ~insides; bits != 0; bits &= bits - 1) {
        const std::uint32_t number = child + static_cast<std::uint32_t>(std::countr_zero(bits));
        fetch(view.nodes[view.level_begin[place.level - 1] + number]);
        places[waiting++] = {number, place.level - 1};
      }
    }
  }
}

void find_in(const BoxTree::View& view, const Aabb& area, std::vector<BoxIndex>& hits) {
  Outbox all(hits);
  search(view, area, all, all);
}

void find_apart(const BoxTree::View& view, const Aabb& area, std::vector<BoxIndex>& within,
                std::vector<BoxIndex>& crossing) {
  Outbox in(within);
  Outbox across(crossing);
  search(view, area, in, across);
}

// Keys tell in which order children are visited: the bits of a float that is not above what it stands for
// (of numbers above 0 they are in the order of the numbers), less the last ones, which name the child.
constexpr std::int32_t child_mask = static_cast<std::int32_t>(BoxTree::fanout) - 1;
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
HWY_INLINE auto make_keys(V values, M there, std::size_t first_child) {
  const I32 d;
  const auto bits = hn::Sub(hn::BitCast(d, hn::Abs(values)), hn::Set(d, child_mask + 1));
  const auto low = hn::AndNot(hn::Set(d, child_mask), hn::Max(bits, hn::Zero(d)));
  const auto keys = hn::Or(low, hn::Iota(d, static_cast<std::int32_t>(first_child)));
  return hn::IfThenElse(hn::RebindMask(d, there), keys, hn::Set(d, no_key));
}

/// Writes the keys of a node's children, which `measure(i)` makes of those from i on; returns the least.
template <class Measure>
HWY_INLINE std::int32_t find_keys(std::int32_t* keys, const Measure& measure) {
  const I32 d;
  auto least = hn::Set(d, no_key);
  for (std::size_t i = 0; i < BoxTree::fanout; i += hn::Lanes(d)) {
    const auto some = measure(i);
    hn::Store(some, d, keys + i);
    least = hn::Min(least, some);
  }
  return hn::GetLane(hn::MinOfLanes(d, least));
}

/// Returns the least key above one, or `no_key`.
HWY_INLINE std::int32_t next_key(const std::int32_t* keys, std::int32_t above) {
  const I32 d;
  const auto none = hn::Set(d, no_key);
  const auto last = hn::Set(d, above);
  auto least = none;
  for (std::size_t i = 0; i < BoxTree::fanout; i += hn::Lanes(d)) {
    const auto some = hn::Load(d, keys + i);
    least = hn::Min(least, hn::IfThenElse(hn::Gt(some, last), some, none));
  }
  return hn::GetLane(hn::MinOfLanes(d, least));
}

/// Visits leaves, those with the lower key first as far as one node tells, and none above a limit. Returns
/// the least key of what was left out.
///
/// @param open writes the keys of a node's children, and returns the least
/// @param limit returns the key above which nothing is wanted any more
/// @param visit is shown a leaf, its number, the keys of its boxes and the least of these
template <class OpenNode, class Limit, class VisitLeaf>
HWY_INLINE std::int32_t visit_leaves(const BoxTree::View& view, const OpenNode& open, const Limit& limit,
                                     const VisitLeaf& visit) {
  struct Open {
    alignas(64) std::int32_t keys[BoxTree::fanout];
    std::uint32_t node;  ///< of its level
    std::int32_t next;   ///< key of the child to visit
  };
  Open opened[BoxTree::most_height];
  std::size_t level = view.height - 1;
  std::uint32_t number = 0;
  std::int32_t left_out = no_key;
  for (;;) {
    Open* here = &opened[level];
    const BoxTree::Node& node = view.nodes[view.level_begin[level] + number];
    here->node = number;
    here->next = open(node, here->keys);
    if (level == 0) {
      visit(node, number, here->keys, here->next);
      here = &opened[++level];
      here->next = next_key(here->keys, here->next);
    }
    while (here->next > limit()) {
      left_out = std::min(left_out, here->next);
      if (++level == view.height) {
        return left_out;
      }
      ++here;
      here->next = next_key(here->keys, here->next);
    }
    number = static_cast<std::uint32_t>(BoxTree::fanout) * here->node +
             static_cast<std::uint32_t>(here->next & child_mask);
    --level;
  }
}

/// Finds those boxes that are nearest to a point. The place of a box in their order is its key and its
/// number.
class NearSearch {
 public:
  NearSearch(const BoxTree::View& view, Vec2 point, std::vector<std::uint64_t>& best)
      : view_(view), point_(point), best_(best) {}

  /// Lists the places of up to `count` boxes in order, from `first` on and within a limit. Returns the least
  /// key of what was left out beyond.
  std::int32_t find(std::size_t count, std::uint64_t first, std::int32_t limit) {
    best_.clear();
    std::int32_t left_out = no_key;
    const auto open = [this](const BoxTree::Node& node, std::int32_t* keys) { return measure(node, keys); };
    const auto visit = [&](const BoxTree::Node&, std::uint32_t leaf, const std::int32_t* keys,
                           std::int32_t key) {
      for (; key <= limit; key = next_key(keys, key)) {
        const std::uint64_t place =
            static_cast<std::uint64_t>(key) << 32U |
            (std::uint64_t{leaf} * BoxTree::fanout + static_cast<std::uint32_t>(key & child_mask));
        if (place < first) {
          continue;
        }
        if (best_.size() == count) {
          const std::uint64_t worst = std::max(best_.front(), place);
          left_out = std::min(left_out, key_of(worst));
          if (worst == place) {
            break;
          }
          std::pop_heap(best_.begin(), best_.end());
          best_.pop_back();
        }
        best_.push_back(place);
        std::push_heap(best_.begin(), best_.end());
        limit = best_.size() < count ? limit : key_of(best_.front()) | child_mask;
      }
      left_out = std::min(left_out, key);
    };
    left_out = std::min(left_out, visit_leaves(
                                      view_, open, [&limit] { return limit; }, visit));
    std::sort_heap(best_.begin(), best_.end());
    return left_out;
  }

  static std::int32_t key_of(std::uint64_t place) { return static_cast<std::int32_t>(place >> 32U); }

 private:
  HWY_INLINE std::int32_t measure(const BoxTree::Node& node, std::int32_t* keys) const {
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
      return make_keys(distance2, hn::Le(min_x, max_x), i);
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
  const auto open = [&](const BoxTree::Node& node, std::int32_t* keys) {
    return find_keys(keys, [&](std::size_t i) {
      const F32 d;
      auto in = hn::Zero(d);
      auto out = hn::Set(d, 2.0F);
      on_x.clip(hn::Load(d, node.min_x.data() + i), hn::Load(d, node.max_x.data() + i), in, out);
      on_y.clip(hn::Load(d, node.min_y.data() + i), hn::Load(d, node.max_y.data() + i), in, out);
      return make_keys(in, hn::Le(in, hn::Mul(out, hn::Set(d, wider))), i);
    });
  };
  const auto visit = [&](const BoxTree::Node& leaf, std::uint32_t number, const std::int32_t* keys,
                         std::int32_t key) {
    for (; key <= highest; key = next_key(keys, key)) {
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
      view, open, [&highest] { return highest; }, visit);
}

Aabb bounds_of(const BoxTree::Node& node) {
  const F32 d;
  auto min_x = hn::Load(d, node.min_x.data());
  auto max_x = hn::Load(d, node.max_x.data());
  auto min_y = hn::Load(d, node.min_y.data());
  auto max_y = hn::Load(d, node.max_y.data());
  for (std::size_t i = hn::Lanes(d); i < BoxTree::fanout; i += hn::Lanes(d)) {
    min_x = hn::Min(min_x, hn::Load(d, node.min_x.data() + i));
    max_x = hn::Max(max_x, hn::Load(d, node.max_x.data() + i));
    min_y = hn::Min(min_y, hn::Load(d, node.min_y.data() + i));
    max_y = hn::Max(max_y, hn::Load(d, node.max_y.data() + i));
  }
  return {{hn::GetLane(hn::MinOfLanes(d, min_x)), hn::GetLane(hn::MinOfLanes(d, min_y))},
          {hn::GetLane(hn::MaxOfLanes(d, max_x)), hn::GetLane(hn::MaxOfLanes(d, max_y))}};
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(bounds_of);
HWY_EXPORT(find_in);
HWY_EXPORT(find_apart);
HWY_EXPORT(approach);
HWY_EXPORT(walk);

Aabb bounds_of(const BoxTree::Node& node) {
  return HWY_DYNAMIC_DISPATCH(bounds_of)(node);
}

void find_in(const BoxTree::View& view, const Aabb& area, std::vector<BoxIndex>& hits) {
  HWY_DYNAMIC_DISPATCH(find_in)(view, area, hits);
}

void find_apart(const BoxTree::View& view, const Aabb& area, std::vector<BoxIndex>& within,
                std::vector<BoxIndex>& crossing) {
  HWY_DYNAMIC_DISPATCH(find_apart)(view, area, within, crossing);
}

void approach(const BoxTree::View& view, const NearQuery& query, NearRoom& room, TakeNear take) {
  HWY_DYNAMIC_DISPATCH(approach)(view, query, room, take);
}

void walk(const BoxTree::View& view, const Path& path, TakeMet take) {
  HWY_DYNAMIC_DISPATCH(walk)(view, path, take);
}

}  // namespace broadside::detail

#endif
