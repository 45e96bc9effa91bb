// Included once per SIMD target, after Highway; a toggle that follows Highway's replaces the include guard.

#if defined(BROADSIDE_BASE_BOX_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADSIDE_BASE_BOX_LANES
#undef BROADSIDE_BASE_BOX_LANES
#else
#define BROADSIDE_BASE_BOX_LANES
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

// Boxes in memory order, four floats each, as many as fit into a register.

#if HWY_TARGET != HWY_SCALAR

/// Returns -0 at the maxima, 0 at the minima: XOR with it negates the maxima, so that one comparison ("less
/// or equal") serves all four sides.
template <class D>
HWY_INLINE auto signs_of_max(D d) {
  HWY_ALIGN static constexpr float pattern[16] = {0.0F, 0.0F, -0.0F, -0.0F, 0.0F, 0.0F, -0.0F, -0.0F,
                                                  0.0F, 0.0F, -0.0F, -0.0F, 0.0F, 0.0F, -0.0F, -0.0F};
  return hwy::HWY_NAMESPACE::Load(d, pattern);
}

/// Tells for each side whether it is in order with the opposite one: min <= max. False for NaN.
template <class V>
HWY_INLINE auto is_min_le_max(V sides, V signs) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::Le(hn::Xor(sides, signs), hn::Xor(hn::Shuffle1032(sides), signs));
}

/// Four registers, of one or more blocks of four floats each.
template <class V>
struct Four {
  V of[4];
};

/// Transposes each 4 x 4 block: rows become columns.
template <class V>
HWY_INLINE Four<V> turned(const Four<V>& rows) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::DFromV<V> d;
  const hn::RepartitionToWide<decltype(d)> wide;
  const auto low_ab = hn::BitCast(wide, hn::InterleaveLower(d, rows.of[0], rows.of[1]));  // a0 b0 a1 b1
  const auto low_ce = hn::BitCast(wide, hn::InterleaveLower(d, rows.of[2], rows.of[3]));
  const auto high_ab = hn::BitCast(wide, hn::InterleaveUpper(d, rows.of[0], rows.of[1]));
  const auto high_ce = hn::BitCast(wide, hn::InterleaveUpper(d, rows.of[2], rows.of[3]));
  return {{hn::BitCast(d, hn::InterleaveLower(wide, low_ab, low_ce)),
           hn::BitCast(d, hn::InterleaveUpper(wide, low_ab, low_ce)),
           hn::BitCast(d, hn::InterleaveLower(wide, high_ab, high_ce)),
           hn::BitCast(d, hn::InterleaveUpper(wide, high_ab, high_ce))}};
}

#endif

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
