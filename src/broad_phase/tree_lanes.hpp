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
namespace broadside::detail::HWY_NAMESPACE {

/// Returns a mask of up to sixteen lanes as bits.
template <class D, class M>
HWY_INLINE std::uint32_t bits_of(D d, M mask) {
  std::uint8_t bytes[8] = {};
  hwy::HWY_NAMESPACE::StoreMaskBits(d, mask, bytes);
  return bytes[0] | std::uint32_t{bytes[1]} << 8U;
}

/// Prefetches a node.
HWY_INLINE void fetch(const BoxTree::Node& node) {
  hwy::Prefetch(node.min_x.data());
  hwy::Prefetch(node.max_x.data());
  hwy::Prefetch(node.min_y.data());
  hwy::Prefetch(node.max_y.data());
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
