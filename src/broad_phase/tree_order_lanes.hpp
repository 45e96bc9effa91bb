// Included once for each SIMD target, after Highway; the toggle serves as include guard.

#if defined(BROADSIDE_BROAD_PHASE_TREE_ORDER_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADSIDE_BROAD_PHASE_TREE_ORDER_LANES
#undef BROADSIDE_BROAD_PHASE_TREE_ORDER_LANES
#else
#define BROADSIDE_BROAD_PHASE_TREE_ORDER_LANES
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <limits>

#include "base/rounding.hpp"
#include "box_tree.hpp"
#include "broadside/base/bit_cast.hpp"
#include "tree_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::CappedTag<float, BoxTree::fanout>;
using I32 = hn::RebindToSigned<F32>;
using Keys = hn::Vec<I32>;

// Children are visited by ascending key: the bits of a float that is not above the value of the child (bits
// of positive floats are in the order of the floats), where the last bits are replaced by the number of the
// child: up to 64 at the top, 16 in any other node.
constexpr std::int32_t child_mask = static_cast<std::int32_t>(BoxTree::max_roots * BoxTree::fanout) - 1;
constexpr std::int32_t no_key = std::numeric_limits<std::int32_t>::max();

/// Returns a key that is not below those of all children whose value is at most `limit`, and hardly above.
/// @pre limit >= 0
inline std::int32_t key_limit(double limit) {
  constexpr double max_float = std::numeric_limits<float>::max();
  const float value = limit < max_float ? round_up(limit) : std::numeric_limits<float>::infinity();
  return detail::bit_cast<std::int32_t>(value) | child_mask;
}

/// Makes keys of values; `no_key` for lanes that are not `valid`.
/// @pre values are at least 0 (or -0), with errors far below the 64 units in the last place subtracted here
template <class V, class M>
HWY_INLINE Keys make_keys(V values, M valid, std::size_t first_child) {
  const I32 d;
  const auto bits = hn::Sub(hn::BitCast(d, hn::Abs(values)), hn::Set(d, child_mask + 1));
  const auto low = hn::AndNot(hn::Set(d, child_mask), hn::Max(bits, hn::Zero(d)));
  const auto keys = hn::Or(low, hn::Iota(d, static_cast<std::int32_t>(first_child)));
  return hn::IfThenElse(hn::RebindMask(d, valid), keys, hn::Set(d, no_key));
}

/// Writes the keys of a node's children, where `measure(i)` returns those from child i on; returns the
/// minimum of each lane.
template <class Measure>
HWY_INLINE Keys find_keys(std::int32_t* keys, const Measure& measure) {
  const I32 d;
  auto minima = hn::Set(d, no_key);
  for (std::size_t i = 0; i < BoxTree::fanout; i += hn::Lanes(d)) {
    const auto some = measure(i);
    hn::Store(some, d, keys + i);
    minima = hn::Min(minima, some);
  }
  return minima;
}

/// Returns the minimum of each lane among those keys of some nodes that are higher than `above`, or `no_key`.
HWY_INLINE Keys keys_above(const std::int32_t* keys, std::size_t nodes, std::int32_t above) {
  const I32 d;
  const auto none = hn::Set(d, no_key);
  const auto last = hn::Set(d, above);
  auto minima = none;
  for (std::size_t i = 0; i < nodes * BoxTree::fanout; i += hn::Lanes(d)) {
    const auto some = hn::Load(d, keys + i);
    minima = hn::Min(minima, hn::IfThenElse(hn::Gt(some, last), some, none));
  }
  return minima;
}

HWY_INLINE std::int32_t min_key(Keys keys) {
  return hn::GetLane(hn::MinOfLanes(I32(), keys));
}

/// Returns one bit for each key that is not above a limit.
HWY_INLINE std::uint32_t bits_up_to(const std::int32_t* keys, std::int32_t limit) {
  const I32 d;
  const auto highest = hn::Set(d, limit);
  std::uint32_t all = 0;
  for (std::size_t i = 0; i < BoxTree::fanout; i += hn::Lanes(d)) {
    all |= bits_of(d, hn::Not(hn::Gt(hn::Load(d, keys + i), highest))) << i;
  }
  return all;
}

/// Visits leaves depth-first, the children of each node by ascending key, and none above a limit. Returns the
/// smallest key that was left out.
///
/// @param measure writes the keys of a node's children, given the number of the first of them; returns the
///   minimum of each lane
/// @param limit returns the key above which nothing is wanted any more
/// @param visit receives a leaf, its number, the keys of its boxes, and the minimum of each lane
template <class Measure, class Limit, class VisitLeaf>
HWY_INLINE std::int32_t visit_leaves(const BoxTree::View& view, const Measure& measure, const Limit& limit,
                                     const VisitLeaf& visit) {
  constexpr std::size_t fanout = BoxTree::fanout;
  struct Open {
    std::uint32_t first_child;  ///< its number within the level below
    std::int32_t last;          ///< key of the child that was visited last
  };
  const I32 d;
  alignas(64) std::int32_t keys[(BoxTree::max_height + BoxTree::max_roots - 1) * fanout];
  Open opened[BoxTree::max_height];
  const std::size_t top = view.height - 1;
  const BoxTree::Node* const roots = view.nodes + view.level_begin[top];
  opened[top] = {};
  const auto open = [&](const BoxTree::Node& node, std::int32_t* children, std::size_t first_child) {
    count_visit(view, node);
    return measure(node, children, first_child);
  };
  auto left_out = hn::Set(d, no_key);
  auto waiting = left_out;  // minimum of the keys left in this node
  for (std::size_t i = 0; i < view.roots; ++i) {
    waiting = hn::Min(waiting, open(roots[i], keys + fanout * (top + i), fanout * i));
  }
  std::size_t level = top;
  const auto go_up = [&] {
    ++level;
    waiting = keys_above(keys + fanout * level, level == top ? view.roots : 1, opened[level].last);
  };
  for (;;) {
    // Finding the next child is slow, so the limit is tested before.
    if (hn::AllTrue(d, hn::Gt(waiting, hn::Set(d, limit())))) {
      left_out = hn::Min(left_out, waiting);
      if (level == top) {
        return min_key(left_out);
      }
      go_up();
      continue;
    }
    Open& here = opened[level];
    here.last = min_key(waiting);
    const auto child = static_cast<std::uint32_t>(here.last & child_mask);
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
      opened[level].first_child = static_cast<std::uint32_t>(fanout) * number;
    }
  }
}

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
