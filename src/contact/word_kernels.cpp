// Compiled once for each SIMD target by Highway, which picks the best one at run time: not for its registers,
// but for the instruction that counts bits.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/word_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "contact/pixel_bits.hpp"
#include "contact/word_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

#if defined(__POPCNT__) || !(defined(__x86_64__) || defined(__i386__)) || HWY_TARGET <= HWY_SSE4
#define BROADSIDE_COUNT(bits) static_cast<std::uint64_t>(__builtin_popcountll(bits))
#else
#define BROADSIDE_COUNT(bits) count_bits(bits)
#endif

std::uint64_t count_common(WordRows a, WordRows b, std::uint32_t bits, std::size_t words, std::size_t rows) {
  std::uint64_t count = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint64_t* of_a = a.first + row * a.stride;
    const std::uint64_t* of_b = b.first + row * b.stride;
    for (std::size_t word = 0; word < words; ++word) {
      // In two steps, since 0 bits would leave a shift by 64.
      const std::uint64_t next = (of_b[word + 1] << 1U) << (63U - bits);
      count += BROADSIDE_COUNT(of_a[word] & ((of_b[word] >> bits) | next));
    }
  }
  return count;
}

#undef BROADSIDE_COUNT

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(count_common);

std::uint64_t count_common(WordRows a, WordRows b, std::uint32_t bits, std::size_t words, std::size_t rows) {
  return HWY_DYNAMIC_DISPATCH(count_common)(a, b, bits, words, rows);
}

}  // namespace broadside::detail

#endif
