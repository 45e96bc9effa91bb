#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace broadside::detail {

/// Sorts (key, value) pairs by the lowest `bits` bits of the keys, stably: least significant digit first,
/// digits of at most 11 bits, so that the counters stay in the first-level cache.
///
/// Complexity: O(passes n), passes = ceil(bits / 11). Only the first n entries of each array take part.
/// Source: D. Knuth, The Art of Computer Programming 3, section 5.2.5.
inline void radix_sort(std::vector<std::uint32_t>& keys, std::vector<std::uint32_t>& values,
                       std::vector<std::uint32_t>& spare_keys, std::vector<std::uint32_t>& spare_values,
                       std::size_t n, unsigned bits) {
  constexpr unsigned max_digit = 11;
  const unsigned passes = (bits + max_digit - 1) / max_digit;
  const unsigned digit = passes == 0 ? 0 : (bits + passes - 1) / passes;
  const std::uint32_t mask = (1U << digit) - 1U;
  std::array<std::array<std::uint32_t, std::size_t{1} << max_digit>, 3> counts;
  for (unsigned p = 0; p < passes; ++p) {
    std::fill_n(counts[p].begin(), mask + 1, 0U);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (unsigned p = 0; p < passes; ++p) {
      ++counts[p][(keys[i] >> (p * digit)) & mask];
    }
  }
  for (unsigned p = 0; p < passes; ++p) {
    std::uint32_t start = 0;
    for (std::uint32_t d = 0; d <= mask; ++d) {
      const std::uint32_t count = counts[p][d];
      counts[p][d] = start;
      start += count;
    }
    const unsigned shift = p * digit;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t place = counts[p][(keys[i] >> shift) & mask]++;
      spare_keys[place] = keys[i];
      spare_values[place] = values[i];
    }
    keys.swap(spare_keys);
    values.swap(spare_values);
  }
}

}  // namespace broadside::detail
