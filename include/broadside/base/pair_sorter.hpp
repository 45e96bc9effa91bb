#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/export.h"
#include "broadside/base/pair.hpp"

namespace broadside::inline v0_2 {

/// Sorts pairs by (a, b), the order of events. Keeps its memory from step to step.
///
/// A radix sort, least significant digit first: the bits of a and b that occur are one number, a above b, and
/// its digits have up to eleven bits. If only the last few pairs are out of order, only those are sorted, and
/// then merged into the others.
class BROADSIDE_API PairSorter {
 public:
  /// Sorts pairs [p].
  ///
  /// @par Complexity
  /// O(p), O(p log p) from 2^32 pairs on; allocates only if there are more pairs than ever before.
  /// @par Source
  /// D. E. Knuth, The Art of Computer Programming 3, 1973, section 5.2.5 (sorting by distribution).
  void sort(std::span<Pair> pairs);

 private:
  void sort_by_digits(std::span<Pair> pairs);
  void merge(std::span<Pair> pairs, std::size_t second);
  std::span<Pair> spare_of(std::size_t pairs);

  std::vector<std::uint32_t> counts_;  ///< [passes][digits] then where the next pair with each digit goes
  std::vector<Pair> spare_;            ///< [pairs] scratch
};

}  // namespace broadside::inline v0_2
