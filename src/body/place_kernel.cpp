// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "body/place_kernel.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include "body/convex.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void place_corners(const Convex::Source& source, std::size_t size, Point* corners) {
  const hn::CappedTag<double, EdgeLanes::size> d;
  const hn::Rebind<float, decltype(d)> narrow;
  const auto c = hn::Set(d, static_cast<double>(source.rotation.cos));
  const auto s = hn::Set(d, static_cast<double>(source.rotation.sin));
  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    const EdgeLanes& edges = source.edges[i / EdgeLanes::size];
    const auto x = hn::PromoteTo(d, hn::LoadU(narrow, edges.x.data() + i % EdgeLanes::size));
    const auto y = hn::PromoteTo(d, hn::LoadU(narrow, edges.y.data() + i % EdgeLanes::size));
    hn::StoreInterleaved2((c * x - s * y) + hn::Set(d, source.offset.x),
                          (s * x + c * y) + hn::Set(d, source.offset.y), d, &corners[i].x);
  }
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(place_corners);

void place_corners(const Convex::Source& source, std::size_t size, Point* corners) {
  HWY_DYNAMIC_DISPATCH(place_corners)(source, size, corners);
}

}  // namespace broadside::detail

#endif
