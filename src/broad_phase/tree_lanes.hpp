// Included once for each SIMD target, after Highway; the toggle serves as include guard.

#if defined(BROADSIDE_BROAD_PHASE_TREE_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADSIDE_BROAD_PHASE_TREE_LANES
#undef BROADSIDE_BROAD_PHASE_TREE_LANES
#else
#define BROADSIDE_BROAD_PHASE_TREE_LANES
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>

#include "box_tree.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

/// Returns a mask of up to sixteen lanes as bits.
template <class D, class M>
HWY_INLINE std::uint32_t bits_of(D d, M mask) {
  std::uint8_t bytes[8] = {};
  hwy::HWY_NAMESPACE::StoreMaskBits(d, mask, bytes);
  return bytes[0] | std::uint32_t{bytes[1]} << 8U;
}

/// Finds the children below which some box is on a layer that a query wants.
class LayerTest {
 public:
  LayerTest(const BoxTree::View& view, std::uint64_t layers)
      : nodes_(view.nodes),
        layers_(layers == all_layers ? nullptr : view.layers),
        wanted_(layer_bits(layers)) {}

  /// Returns those of the children of a node, from number i on, that are `wanted` and have such a box.
  template <class D, class M>
  HWY_INLINE M restrict(D d, const BoxTree::Node& node, std::size_t i, M wanted) const {
    namespace hn = hwy::HWY_NAMESPACE;
    if (layers_ == nullptr) {
      return wanted;
    }
    const hn::RebindToUnsigned<D> du;
    const auto bits = hn::Load(du, layers_[&node - nodes_].of_child.data() + i);
    const auto shared = hn::And(bits, hn::Set(du, wanted_));
    return hn::And(wanted, hn::RebindMask(d, hn::Ne(shared, hn::Zero(du))));
  }

 private:
  const BoxTree::Node* nodes_;
  const BoxTree::Layers* layers_;
  std::uint32_t wanted_;
};

/// Prefetches a node.
HWY_INLINE void fetch(const BoxTree::Node& node) {
  hwy::Prefetch(node.min_x.data());
  hwy::Prefetch(node.max_x.data());
  hwy::Prefetch(node.min_y.data());
  hwy::Prefetch(node.max_y.data());
}

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
