#pragma once

#include <compare>
#include <cstdint>

namespace broadside::inline v0_2 {

/// Identifies a box or a body of all parts together; it stays when the box moves from part to part.
struct GlobalId {
  std::uint64_t value = 0;  ///< 16 bits of the rank where it was made, and 48 bits of a counter there

  static constexpr unsigned counter_bits = 48;

  /// Returns the id with a number among those made by a rank.
  /// @pre 0 <= birth_rank < 65,536 and counter < 2^48
  static constexpr GlobalId of(int birth_rank, std::uint64_t counter) {
    return {static_cast<std::uint64_t>(birth_rank) << counter_bits | counter};
  }
  [[nodiscard]] constexpr int birth_rank() const { return static_cast<int>(value >> counter_bits); }
  [[nodiscard]] constexpr std::uint64_t counter() const {
    return value & ((std::uint64_t{1} << counter_bits) - 1);
  }

  // clang-tidy 14 takes the 0 behind this operator for a null pointer.
  friend constexpr auto operator<=>(const GlobalId&,
                                    const GlobalId&) = default;  // NOLINT(modernize-use-nullptr)
};

/// Two boxes that touch, with `a < b`.
struct GlobalPair {
  GlobalId a;
  GlobalId b;

  friend constexpr auto operator<=>(const GlobalPair&,
                                    const GlobalPair&) = default;  // NOLINT(modernize-use-nullptr)
};

/// Returns the pair of two ids, with `a < b`.
constexpr GlobalPair ordered_pair(GlobalId i, GlobalId j) {
  return i < j ? GlobalPair{i, j} : GlobalPair{j, i};
}

}  // namespace broadside::inline v0_2
