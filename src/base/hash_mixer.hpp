#pragma once

#include <cstdint>

namespace broadside::inline v0_2::detail {

/// Mixes numbers into a hash that is the same on every machine.
///
/// Each step is a bijection in the hash and in the number: a change of one number always changes the hash,
/// any other change fails to do so with a probability of about 2^-64.
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

  /// Returns the upper half of one more product, so that every input bit affects it.
  [[nodiscard]] std::uint32_t short_hash() const {
    return static_cast<std::uint32_t>((hash_ * 0xD1B54A32D192ED03U) >> 32U);
  }

 private:
  std::uint64_t hash_;
};

}  // namespace broadside::inline v0_2::detail
