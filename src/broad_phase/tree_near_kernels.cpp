// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/tree_near_kernels.cpp"
#include "base/foreach_target.hpp"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "box_tree.hpp"
#include "broadside/base/bit_cast.hpp"
#include "tree_lanes.hpp"
#include "tree_order_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Finds the boxes nearest to a point. The place of a box in their order is a number: its key in the high
/// half, its position in the tree in the low half.
class NearSearch {
 public:
  NearSearch(const BoxTree::View& view, const NearQuery& query, std::vector<std::uint64_t>& best)
      : view_(view), point_(query.point), on_layers_(view, query.layers), best_(best) {}

  /// Lists the places of up to `count` boxes in order, or of more if these contain the point, from `first` on
  /// and within a limit. Returns the smallest key of the boxes beyond that were left out.
  std::int32_t find(std::size_t count, std::uint64_t first, std::int32_t limit) {
    best_.clear();
    auto left_out = hn::Set(I32(), no_key);
    const auto measure = [this](const BoxTree::Node& node, std::int32_t* keys, std::size_t first_child) {
      return find_keys(keys, [&](std::size_t i) {
        const F32 d;
        const auto min_x = hn::Load(d, node.min_x.data() + i);
        const auto max_x = hn::Load(d, node.max_x.data() + i);
        const auto wanted = on_layers_.restrict(d, node, i, hn::Le(min_x, max_x));
        return make_keys(squared_distances(node, i), wanted, first_child + i);
      });
    };
    const auto visit = [&](const BoxTree::Node&, std::uint32_t leaf, const std::int32_t* keys, Keys minima) {
      // If one box is wanted, only the nearest ones of the leaf count, up to the precision of keys.
      const std::int32_t highest = count == 1 ? std::min(limit, min_key(minima) | child_mask) : limit;
      left_out = hn::Min(left_out, keys_above(keys, 1, highest));
      for (std::uint32_t bits = bits_up_to(keys, highest); bits != 0; bits &= bits - 1) {
        const std::int32_t key = keys[std::countr_zero(bits)];
        const std::uint64_t place =
            static_cast<std::uint64_t>(key) << 32U |
            (BoxTree::fanout * std::uint64_t{leaf} + static_cast<std::uint32_t>(key & child_mask));
        if (key > limit) {
          left_out = hn::Min(left_out, hn::Set(I32(), key));
        } else if (place >= first) {
          add(place, count, limit, left_out);
        }
      }
    };
    const auto current_limit = [&limit] { return limit; };
    const std::int32_t unopened = visit_leaves(view_, measure, current_limit, visit);
    left_out = hn::Min(left_out, hn::Set(I32(), unopened));
    std::sort_heap(best_.begin(), best_.end());
    return min_key(left_out);
  }

  /// The first place that `find_containing` leaves out.
  static constexpr std::uint64_t first_outside = static_cast<std::uint64_t>(child_mask + 1) << 32U;

  /// Lists the boxes that contain the point, or nearly so, by ascending index. Descends level by level, so
  /// that all nodes of a level are prefetched at once.
  ///
  /// @param nodes scratch
  void find_containing(std::vector<std::uint32_t>& nodes, std::vector<Near>& found) const {
    constexpr std::uint32_t fanout = BoxTree::fanout;
    nodes.clear();
    for (std::uint32_t i = 0; i < view_.roots; ++i) {
      nodes.push_back(i);
    }
    std::size_t at = 0;
    for (std::size_t level = view_.height - 1; level > 0; --level) {
      const BoxTree::Node* const below = view_.nodes + view_.level_begin[level - 1];
      for (const std::size_t end = nodes.size(); at < end; ++at) {
        const std::uint32_t node = nodes[at];
        for (std::uint32_t bits = bits_containing(level, node); bits != 0; bits &= bits - 1) {
          const std::uint32_t child = fanout * node + static_cast<std::uint32_t>(std::countr_zero(bits));
          fetch(below[child]);
          if (level == 1) {
            hwy::Prefetch(view_.names + std::size_t{fanout} * child);
          }
          nodes.push_back(child);
        }
      }
    }
    found.clear();
    for (; at < nodes.size(); ++at) {
      const BoxIndex* const names = view_.names + std::size_t{fanout} * nodes[at];
      for (std::uint32_t bits = bits_containing(0, nodes[at]); bits != 0; bits &= bits - 1) {
        found.push_back({0.0, names[std::countr_zero(bits)]});
      }
    }
    std::sort(found.begin(), found.end(), [](const Near& a, const Near& b) { return a.index < b.index; });
  }

  static std::int32_t key_of(std::uint64_t place) { return static_cast<std::int32_t>(place >> 32U); }

 private:
  /// Adds a place to the best ones, a heap. Adds the key of the place that is dropped for it to `left_out`.
  HWY_INLINE void add(std::uint64_t place, std::size_t count, std::int32_t& limit, Keys& left_out) {
    // All boxes that contain the point are equally near, and the caller has to test them all.
    if (best_.size() >= count && key_of(best_.front()) > child_mask) {
      left_out = hn::Min(left_out, hn::Set(I32(), key_of(std::max(best_.front(), place))));
      if (place > best_.front()) {
        return;
      }
      std::pop_heap(best_.begin(), best_.end());
      best_.pop_back();
    }
    best_.push_back(place);
    std::push_heap(best_.begin(), best_.end());
    limit = best_.size() < count ? limit : key_of(best_.front()) | child_mask;
  }

  /// Returns one bit for each child of a node whose key would be at most `child_mask`: whose squared distance
  /// is so small that `make_keys` reduces it to 0.
  HWY_INLINE std::uint32_t bits_containing(std::size_t level, std::uint32_t number) const {
    const I32 d;
    const BoxTree::Node& node = view_.nodes[view_.level_begin[level] + number];
    count_visit(view_, node);
    const auto bound = hn::Set(d, 2 * (child_mask + 1));
    std::uint32_t all = 0;
    for (std::size_t i = 0; i < BoxTree::fanout; i += hn::Lanes(d)) {
      const auto near = hn::Lt(hn::BitCast(d, squared_distances(node, i)), bound);
      all |= bits_of(d, on_layers_.restrict(d, node, i, near)) << i;
    }
    return all;
  }

  HWY_INLINE hn::Vec<F32> squared_distances(const BoxTree::Node& node, std::size_t i) const {
    const F32 d;
    const auto x = hn::Set(d, point_.x);
    const auto y = hn::Set(d, point_.y);
    const auto min_x = hn::Load(d, node.min_x.data() + i);
    const auto max_x = hn::Load(d, node.max_x.data() + i);
    const auto min_y = hn::Load(d, node.min_y.data() + i);
    const auto max_y = hn::Load(d, node.max_y.data() + i);
    const auto beside = hn::Max(hn::Max(hn::Sub(min_x, x), hn::Sub(x, max_x)), hn::Zero(d));
    const auto above = hn::Max(hn::Max(hn::Sub(min_y, y), hn::Sub(y, max_y)), hn::Zero(d));
    return hn::Add(hn::Mul(beside, beside), hn::Mul(above, above));
  }

  const BoxTree::View& view_;
  Vec2 point_;
  LayerTest on_layers_;
  std::vector<std::uint64_t>& best_;
};

// Shapes may be farther away than their boxes, so the first boxes may not be enough.
void visit_nearest(const BoxTree::View& view, const NearQuery& query, NearestScratch& scratch,
                   VisitNear visit) {
  constexpr std::size_t growth = 8;
  NearSearch search(view, query, scratch.places);
  std::uint64_t first = 0;
  double limit = query.limit;
  std::size_t count = query.count;
  if (count == 1) {
    // If a box contains the point, its shape usually does, too; then nothing has to be sorted.
    search.find_containing(scratch.nodes, scratch.found);
    if (!scratch.found.empty()) {
      limit = std::min(limit, visit(scratch.found));
      if (key_limit(limit * limit) <= child_mask) {
        return;
      }
      first = NearSearch::first_outside;
      count = growth;
    }
  }
  for (count = std::min(count, view.size);; count = std::min(growth * count, view.size)) {
    const std::int32_t left_out = search.find(count, first, key_limit(limit * limit));
    scratch.found.clear();
    for (const std::uint64_t place : scratch.places) {
      const auto distance2 = detail::bit_cast<float>(NearSearch::key_of(place) & ~child_mask);
      scratch.found.push_back(
          {static_cast<double>(distance2), view.names[static_cast<std::uint32_t>(place)]});
    }
    limit = std::min(limit, visit(scratch.found));
    if (scratch.places.empty() || left_out > key_limit(limit * limit)) {
      return;
    }
    first = scratch.places.back() + 1;
  }
}

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::inline v0_2::detail {

HWY_EXPORT(visit_nearest);

void visit_nearest(const BoxTree::View& view, const NearQuery& query, NearestScratch& scratch,
                   VisitNear visit) {
  HWY_DYNAMIC_DISPATCH(visit_nearest)(view, query, scratch, visit);
}

}  // namespace broadside::inline v0_2::detail

#endif
