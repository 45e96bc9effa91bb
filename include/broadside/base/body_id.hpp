#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

#include "broadside/base/export.h"

namespace broadside::inline v0_2 {

/// Identifies a body of a world. The id of a removed body is never given to another one, except after
/// `World::restore` has reverted to a state in which that id was not in use yet.
struct BodyId {
  std::uint32_t index = 0;       ///< index of its first shape; reused after the body was removed
  std::uint32_t generation = 0;  ///< how often the index was assigned, this time included; 0 for no body
  std::uint32_t world = 0;       ///< number of the world that it belongs to

  /// Tells whether it identifies a body, or did so until that body was removed; false by default.
  explicit constexpr operator bool() const { return generation != 0; }

  // clang-tidy 14 takes the 0 behind this operator for a null pointer.
  friend constexpr auto operator<=>(const BodyId&, const BodyId&) = default;  // NOLINT(modernize-use-nullptr)
};

/// Returns a text as in error messages, such as "body 17 (generation 1)"; "no body" for generation 0.
[[nodiscard]] BROADSIDE_API std::string to_string(const BodyId& body);

/// Writes `to_string(body)`.
BROADSIDE_API std::ostream& operator<<(std::ostream& out, const BodyId& body);

}  // namespace broadside::inline v0_2

template <>
struct std::hash<broadside::BodyId> {
  std::size_t operator()(const broadside::BodyId& id) const noexcept {
    const std::uint64_t key =
        (std::uint64_t{id.generation} << 32) ^ (std::uint64_t{id.world} << 48) ^ id.index;
    return std::hash<std::uint64_t>()(key);
  }
};
