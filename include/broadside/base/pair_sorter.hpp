#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/pair.hpp"

namespace broadside {

/// Sorts pairs by (a, b), as events need them, step after step.
///
///     pairs    (3,9) (0,4) (3,5) (0,2)
///     count    a = 0: 2, a = 3: 2             where the pairs of each a begin
///     deal     (0,4) (0,2) | (3,9) (3,5)      one pass, no comparison
///     order    (0,2) (0,4) | (3,5) (3,9)      a handful each: insertion sort
///
/// Where there are far more boxes than pairs, some boxes side by side count as one. Pairs that come in order
/// but for a few behind stay, and those are merged into them.
class PairSorter {
 public:
  /// Sorts pairs [p], whose `a` are below `boxes` [n].
  ///
  /// Complexity: O(p) expected where a box is `a` of few pairs, O(p log p) at worst; allocates only where
  /// there are more pairs or boxes than ever before. Source: D. E. Knuth, The Art of Computer Programming 3,
  /// 1973, section 5.2 (distribution counting).
  void sort(std::span<Pair> pairs, std::size_t boxes);

 private:
  void deal(std::span<Pair> pairs, std::size_t boxes);
  void merge(std::span<Pair> pairs, std::size_t second);

  std::vector<std::uint32_t> ends_;   ///< [boxes]
  std::vector<std::uint32_t> dealt_;  ///< [pairs] b, and above it the place of a in its stretch
  std::vector<Pair> behind_;          ///< what is merged
};

}  // namespace broadside
