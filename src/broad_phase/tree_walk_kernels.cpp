// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/tree_walk_kernels.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "base/rounding.hpp"
#include "box_tree.hpp"
#include "tree_order_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Finds when a moving box overlaps others on one axis: an interval that is never too short.
class AxisClip {
 public:
  explicit AxisClip(const SweptBox::Axis& axis) {
    // Outside of this range a float cannot represent the time; then all boxes on the path count as hit at 0.
    constexpr double max_inverse = 0x1p120;
    const double inverse = std::abs(axis.inverse);
    moves_ = 1.0 / max_inverse < inverse && inverse < max_inverse;
    low_ = round_down(axis.low + (moves_ ? 0.0 : std::min(axis.motion, 0.0)));
    high_ = round_up(axis.high + (moves_ ? 0.0 : std::max(axis.motion, 0.0)));
    inverse_ = static_cast<float>(moves_ ? axis.inverse : 1.0);
  }

  /// Clips [in, out] to the times of overlap on this axis.
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

void walk(const BoxTree::View& view, const SweptBox& path, std::uint64_t layers, VisitSwept visit) {
  constexpr float wider = 1.0F + 0x1p-20F;
  const AxisClip on_x(path.x());
  const AxisClip on_y(path.y());
  const LayerTest on_layers(view, layers);
  double limit = 1.0;
  std::int32_t highest = key_limit(limit);
  const auto measure = [&](const BoxTree::Node& node, std::int32_t* keys, std::size_t first_child) {
    return find_keys(keys, [&](std::size_t i) {
      const F32 d;
      auto in = hn::Zero(d);
      auto out = hn::Set(d, 2.0F);
      on_x.clip(hn::Load(d, node.min_x.data() + i), hn::Load(d, node.max_x.data() + i), in, out);
      on_y.clip(hn::Load(d, node.min_y.data() + i), hn::Load(d, node.max_y.data() + i), in, out);
      const auto touched = hn::Le(in, hn::Mul(out, hn::Set(d, wider)));
      return make_keys(in, on_layers.restrict(d, node, i, touched), first_child + i);
    });
  };
  const auto visit_leaf = [&](const BoxTree::Node& leaf, std::uint32_t number, const std::int32_t* keys,
                              Keys minima) {
    const auto next = [keys](std::int32_t last) { return min_key(keys_above(keys, 1, last)); };
    for (std::int32_t key = min_key(minima); key <= highest; key = next(key)) {
      const auto child = static_cast<std::uint32_t>(key & child_mask);
      const double entry =
          path.entry({{leaf.min_x[child], leaf.min_y[child]}, {leaf.max_x[child], leaf.max_y[child]}});
      if (entry <= limit) {
        BoxHit hit{entry, view.names[BoxTree::fanout * number + child]};
        limit = std::min(limit, visit({&hit, 1}));
        highest = key_limit(limit);
      }
    }
  };
  visit_leaves(
      view, measure, [&highest] { return highest; }, visit_leaf);
}

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::inline v0_2::detail {

HWY_EXPORT(walk);

void walk(const BoxTree::View& view, const SweptBox& path, std::uint64_t layers, VisitSwept visit) {
  HWY_DYNAMIC_DISPATCH(walk)(view, path, layers, visit);
}

}  // namespace broadside::inline v0_2::detail

#endif
