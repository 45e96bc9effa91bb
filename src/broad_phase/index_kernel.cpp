// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/index_kernel.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "index_kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

bool are_consecutive(std::span<const BoxIndex> indices) {
  const hn::ScalableTag<std::uint32_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto step = hn::Set(d, static_cast<std::uint32_t>(lanes));
  auto expected = hn::Iota(d, indices.front());
  auto apart = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= indices.size(); i += lanes) {
    apart = hn::Or(apart, hn::Xor(hn::LoadU(d, indices.data() + i), expected));
    expected = hn::Add(expected, step);
  }
  bool consecutive = hn::AllTrue(d, hn::Eq(apart, hn::Zero(d)));
  for (; i < indices.size(); ++i) {
    consecutive = consecutive && indices[i] == indices.front() + static_cast<BoxIndex>(i);
  }
  return consecutive && indices.front() <= indices.back();  // no wrap-around to 0
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(are_consecutive);

bool are_consecutive(std::span<const BoxIndex> indices) {
  return HWY_DYNAMIC_DISPATCH(are_consecutive)(indices);
}

}  // namespace broadside::detail

#endif
