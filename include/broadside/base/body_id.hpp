#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace broadside {

/// Names a body of a world. The name of a removed body is never given to another one.
struct BodyId {
  std::uint32_t index = 0;       ///< place of its first shape; given out again once it is removed
  std::uint32_t generation = 0;  ///< how often the place was given out; 0 names no body
  std::uint32_t world = 0;       ///< which world it is of

  /// Tells whether it ever named a body.
  explicit constexpr operator bool() const { return generation != 0; }

  // clang-tidy 14 takes the 0 behind this operator for a null pointer.
  friend constexpr auto operator<=>(const BodyId&, const BodyId&) = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace broadside

template <>
struct std::hash<broadside::BodyId> {
  std::size_t operator()(const broadside::BodyId& id) const noexcept {
    const std::uint64_t key =
        (std::uint64_t{id.generation} << 32) ^ (std::uint64_t{id.world} << 48) ^ id.index;
    return std::hash<std::uint64_t>()(key);
  }
};
