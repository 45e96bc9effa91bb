#pragma once

namespace broadside::inline v0_2::detail {

/// Does what `std::bit_cast` does, which Emscripten up to 3.1.6 (Debian 12) lacks.
template <typename To, typename From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

}  // namespace broadside::inline v0_2::detail
