// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/validate_kernel.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include <limits>

#include "base/box_lanes.hpp"
#include "validate_kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A number is finite if its magnitude is at most that of the largest float; false for NaN. Each register of
/// boxes is compared with itself, swapped by two numbers: minima with maxima.
bool all_valid(std::span<const Aabb> boxes) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto largest = hn::Set(d, std::numeric_limits<float>::max());
  const auto signs = signs_of_max(d);
  const auto* sides = reinterpret_cast<const float*>(boxes.data());
  auto good = hn::Eq(signs, signs);
  for (; (i + 1) * lanes <= 4 * boxes.size(); ++i) {
    const auto side = hn::LoadU(d, sides + i * lanes);
    good = hn::And(good, hn::And(is_min_le_max(side, signs), hn::Le(hn::Abs(side), largest)));
  }
  if (!hn::AllTrue(d, good)) {
    return false;
  }
  i = i * lanes / 4;
#endif
  for (; i < boxes.size(); ++i) {
    if (!is_valid(boxes[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::inline v0_2::detail {

HWY_EXPORT(all_valid);

bool all_valid(std::span<const Aabb> boxes) {
  return HWY_DYNAMIC_DISPATCH(all_valid)(boxes);
}

}  // namespace broadside::inline v0_2::detail

#endif
