#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/export.h"
#include "broadside/base/pair.hpp"

namespace broadside {

/// Sorts pairs by (a, b), the order of events. Keeps its memory from step to step.
///
/// @verbatim
///     pairs    (3,9) (0,4) (3,5) (0,2)
///     count    a = 0: 2, a = 3: 2             where the pairs of each a begin
///     deal     (0,4) (0,2) | (3,9) (3,5)      one pass, no comparison
///     order    (0,2) (0,4) | (3,5) (3,9)      a handful each: insertion sort
/// @endverbatim
///
/// If there are far more boxes than pairs, a bucket covers several adjacent boxes. If only the last few pairs
/// are out of order, only those are sorted, and then merged into the others.
class BROADSIDE_API PairSorter {
 public:
  /// Sorts pairs [p], whose `a` are below `boxes` [n].
  ///
  /// @par Complexity
  /// O(p) expected if most boxes are `a` of few pairs, O(p log p) worst case; allocates only if there are
  /// more pairs or boxes than ever before.
  /// @par Source
  /// D. E. Knuth, The Art of Computer Programming 3, 1973, section 5.2 (distribution counting).
  void sort(std::span<Pair> pairs, std::size_t boxes);

 private:
  void distribute(std::span<Pair> pairs, std::size_t boxes);
  void merge(std::span<Pair> pairs, std::size_t second);

  std::vector<std::uint32_t> ends_;  ///< [buckets] where the pairs of each end
  std::vector<std::uint32_t>
      bucketed_;                     ///< [pairs] b in the low bits, above it the offset of a in its bucket
  std::vector<Pair> unsorted_tail_;  ///< copy of the pairs that are merged
};

}  // namespace broadside
