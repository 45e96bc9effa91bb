#pragma once

namespace broadside::detail {

/// Returns an object with the bits of another of the same size, as `std::bit_cast` does, which Emscripten
/// lacks up to version 3.1.6 (Debian 12).
template <typename To, typename From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

}  // namespace broadside::detail
