#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "broadside/base/pair.hpp"

namespace broadside::inline v0_2 {

/// The contacts of each box: compressed sparse rows, built by a counting sort.
///
///     contacts    0 (0,2)  1 (1,2)  2 (2,5)
///     adjacent    0 | 1 | 0 1 2 | | | 2        of boxes 0, 1, 2, 3, 4 and 5
class Adjacency {
 public:
  /// Index of a contact among all.
  using At = std::uint32_t;

  /// Replaces the contents by the contacts [c] that `for_each` visits, sorted by pair, with a < b in each.
  ///
  /// @param for_each calls its argument with the pair and the index of each contact; it is called three times
  /// @par Complexity
  /// O(c + boxes).
  template <typename ForEach>
  void make(ForEach for_each) {
    ends_.clear();
    for_each([this](Pair pair, At) {
      assert(pair.a < pair.b);
      ends_.resize(std::max<std::size_t>(ends_.size(), pair.b + std::size_t{1}));
      ++ends_[pair.a];
      ++ends_[pair.b];
    });
    std::uint32_t sum = 0;
    for (std::uint32_t& end : ends_) {
      sum += std::exchange(end, sum);
    }
    adjacent_.resize(sum);
    // Contacts in which a box is b come first in order: the other box has the lower index.
    for_each([this](Pair pair, At at) { adjacent_[ends_[pair.b]++] = at; });
    for_each([this](Pair pair, At at) { adjacent_[ends_[pair.a]++] = at; });
  }

  /// Returns the indices of the contacts of a box, ascending by the other box.
  [[nodiscard]] std::span<const At> of(BoxIndex box) const {
    if (box >= ends_.size()) {
      return {};
    }
    const std::uint32_t begin = box == 0 ? 0 : ends_[box - 1];
    return std::span(adjacent_).subspan(begin, ends_[box] - begin);
  }

  [[nodiscard]] std::size_t bytes() const { return (ends_.capacity() + adjacent_.capacity()) * sizeof(At); }

 private:
  std::vector<std::uint32_t> ends_;  ///< [boxes] end of the range of each in `adjacent_`
  std::vector<At> adjacent_;
};

}  // namespace broadside::inline v0_2
