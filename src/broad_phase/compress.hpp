// Included once for each SIMD target, after Highway; the toggle serves as include guard.

#if defined(BROADSIDE_BROAD_PHASE_COMPRESS) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADSIDE_BROAD_PHASE_COMPRESS
#undef BROADSIDE_BROAD_PHASE_COMPRESS
#else
#define BROADSIDE_BROAD_PHASE_COMPRESS
#endif

#include <hwy/highway.h>

#ifndef BROADSIDE_COMPRESS_TABLE
#define BROADSIDE_COMPRESS_TABLE

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "broadside/base/pair.hpp"

namespace broadside::inline v0_2::detail {

/// [mask] the numbers of the bits that are set, lowest first, four bits each.
inline constexpr std::array<std::uint32_t, 256> numbers_of_set_bits = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t mask = 0; mask < 256; ++mask) {
    std::uint32_t place = 0;
    for (std::uint32_t bit = 0; bit < 8; ++bit) {
      if ((mask >> bit & 1U) != 0) {
        table[mask] |= bit << place;
        place += 4;
      }
    }
  }
  return table;
}();

/// [mask][byte] a byte shuffle that moves those of four lanes of four bytes that are set to the front, in
/// order.
inline constexpr auto bytes_of_set_lanes = [] {
  std::array<std::array<std::uint8_t, 16>, 16> table{};
  for (std::uint32_t mask = 0; mask < 16; ++mask) {
    for (std::uint32_t byte = 0; byte < 16; ++byte) {
      const std::uint32_t lane = numbers_of_set_bits[mask] >> (byte / 4 * 4) & 7U;
      table[mask][byte] = static_cast<std::uint8_t>(4 * lane + byte % 4);
    }
  }
  return table;
}();

}  // namespace broadside::inline v0_2::detail

#endif

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

/// Counts the four-byte lanes that are set in a mask.
///
/// WebAssembly has an instruction that returns a mask as bits; Highway 1.0.3 stores the mask, and reads it
/// piece by piece.
template <class D, class M>
HWY_INLINE std::size_t count_true(D d, M mask) {
#if HWY_TARGET == HWY_WASM
  static_cast<void>(d);
  return static_cast<std::size_t>(std::popcount(wasm_i32x4_bitmask(mask.raw)));
#else
  return hwy::HWY_NAMESPACE::CountTrue(d, mask);
#endif
}

/// Moves the lanes that are set in a mask to the front, in order; the lanes after them are unspecified.
///
/// AVX2 has no instruction for it, and Highway 1.0.3 has its table of 1 KiB inside the function, so that g++
/// copies the table for each call: ours is outside. WebAssembly has a byte shuffle, but Highway 1.0.3 moves
/// bytes one by one.
template <class D, class V, class M>
HWY_INLINE V compress(D d, V lanes, M mask) {
#if HWY_TARGET == HWY_AVX2
  HWY_ALIGN static constexpr std::uint32_t places[8] = {0, 4, 8, 12, 16, 20, 24, 28};
  std::uint8_t bits[8];
  hwy::HWY_NAMESPACE::StoreMaskBits(d, mask, bits);
  const auto numbers =
      hwy::HWY_NAMESPACE::Set(d, numbers_of_set_bits[bits[0]]) >> hwy::HWY_NAMESPACE::Load(d, places);
  const auto within = hwy::HWY_NAMESPACE::And(numbers, hwy::HWY_NAMESPACE::Set(d, 7));
  return hwy::HWY_NAMESPACE::TableLookupLanes(lanes, hwy::HWY_NAMESPACE::IndicesFromVec(d, within));
#elif HWY_TARGET == HWY_WASM
  static_cast<void>(d);
  const auto* const bytes = bytes_of_set_lanes[wasm_i32x4_bitmask(mask.raw)].data();
  return V{wasm_i8x16_swizzle(lanes.raw, wasm_v128_load(bytes))};
#else
  static_cast<void>(d);
  return hwy::HWY_NAMESPACE::Compress(lanes, mask);
#endif
}

/// Buffers compressed names, so that the list grows by many at once. The user calls `flush` at the end; a
/// destructor cannot do it, since the list may run out of memory.
class BufferedWriter {
 public:
  explicit BufferedWriter(std::vector<BoxIndex>& list) : list_(list) {}
  BufferedWriter(const BufferedWriter&) = delete;
  BufferedWriter& operator=(const BufferedWriter&) = delete;

  /// Adds those of a vector of names that a mask selects.
  template <class D, class M>
  HWY_INLINE void push(D d, const BoxIndex* names, M which) {
    namespace hn = hwy::HWY_NAMESPACE;
    if (size_ + hn::Lanes(d) > buffer_size) {
      flush();
    }
    hn::StoreU(compress(d, hn::LoadU(d, names), which), d, buffer_ + size_);
    size_ += count_true(d, which);
  }
  /// Adds names [count].
  void push_all(const BoxIndex* names, std::size_t count) {
    flush();
    list_.insert(list_.end(), names, names + count);
  }

  void flush() {
    list_.insert(list_.end(), buffer_, buffer_ + size_);
    size_ = 0;
  }

 private:
  static constexpr std::size_t buffer_size = 256;

  std::vector<BoxIndex>& list_;
  std::size_t size_ = 0;
  std::uint32_t buffer_[buffer_size];
};

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
