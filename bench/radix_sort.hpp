#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace broadside::bench {

/// Sorts values by their 32-bit keys: three passes of 11 bits, least significant digit first. All arrays have
/// the same size; the spare ones are scratch.
inline void radix_sort(std::vector<std::uint32_t>& keys, std::vector<std::uint32_t>& values,
                       std::vector<std::uint32_t>& spare_keys, std::vector<std::uint32_t>& spare_values) {
  std::array<std::array<std::uint32_t, 2048>, 3> counts{};
  for (const std::uint32_t key : keys) {
    ++counts[0][key & 2047U];
    ++counts[1][(key >> 11U) & 2047U];
    ++counts[2][key >> 22U];
  }
  for (unsigned pass = 0; pass < 3; ++pass) {
    std::uint32_t start = 0;
    for (std::uint32_t& count : counts[pass]) {
      const std::uint32_t here = count;
      count = start;
      start += here;
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::uint32_t place = counts[pass][(keys[i] >> (11 * pass)) & 2047U]++;
      spare_keys[place] = keys[i];
      spare_values[place] = values[i];
    }
    keys.swap(spare_keys);
    values.swap(spare_values);
  }
}

}  // namespace broadside::bench
