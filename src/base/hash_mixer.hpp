#pragma once

#include <cstdint>

namespace broadside::detail {

/// Mixes numbers into a hash that is the same on every machine.
///
/// Each step is a bijection, of the hash as of the number: a change of one number always changes the hash,
/// any other change except with a chance of about 2^-64.
///
/// @par Source
/// Multiplication by the golden ratio: D. E. Knuth, The Art of Computer Programming 3, 1973, section 6.4.
class HashMixer {
 public:
  explicit HashMixer(std::uint64_t start = 0) : hash_(start) {}

  HashMixer& add(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0x9E3779B97F4A7C15U;
    hash_ ^= hash_ >> 32U;
    return *this;
  }

  [[nodiscard]] std::uint64_t hash() const { return hash_; }

  /// Returns the upper half of a last product: each bit of what was added decides on its bits.
  [[nodiscard]] std::uint32_t short_hash() const {
    return static_cast<std::uint32_t>((hash_ * 0xD1B54A32D192ED03U) >> 32U);
  }

 private:
  std::uint64_t hash_;
};

}  // namespace broadside::detail
