#pragma once

#include <concepts>
#include <cstdint>

#include "broadside/base/bit_cast.hpp"
#include "broadside/base/vec2.hpp"

namespace broadside::test {

/// FNV-1a over 64-bit words instead of bytes.
/// Source: G. Fowler, L. C. Noll, K.-P. Vo, the FNV hash, 1991.
class FnvHash {
 public:
  template <std::unsigned_integral Number>
  void add(Number number) {
    value_ = (value_ ^ number) * 0x100000001B3U;
  }
  void add(float number) { add(detail::bit_cast<std::uint32_t>(number)); }
  void add(Vec2 vector) {
    add(vector.x);
    add(vector.y);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325U;
};

}  // namespace broadside::test
