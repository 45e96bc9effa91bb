#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>

namespace broadside::inline v0_2 {

/// Index of a box in the caller's array, or the index that a broad phase assigned to it.
using BoxIndex = std::uint32_t;

/// Two boxes that touch. `a < b` if both belong to one set; in a pair of two sets, `a` is of the left set.
struct Pair {
  BoxIndex a = 0;
  BoxIndex b = 0;

  // clang-tidy 14 takes the 0 behind this operator for a null pointer.
  friend constexpr auto operator<=>(const Pair&, const Pair&) = default;  // NOLINT(modernize-use-nullptr)
};

/// Returns the pair of two boxes of one set, with `a < b`.
constexpr Pair ordered_pair(BoxIndex i, BoxIndex j) {
  return i < j ? Pair{i, j} : Pair{j, i};
}

/// Sorts pairs by (a, b): the order of files and events, in which every technique gives the same bytes.
///
/// @par Complexity
/// O(p log p) for p pairs, in place.
inline void sort_pairs(std::span<Pair> pairs) {
  std::sort(pairs.begin(), pairs.end());
}

}  // namespace broadside::inline v0_2
