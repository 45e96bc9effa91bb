#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "broadside/base/export.h"
#include "broadside/base/pair.hpp"

namespace broadside::inline v0_2 {

/// Remembers which pairs touched in the last step, and reports which began, stayed and ended.
///
/// A pair begins once and ends once, however many consecutive steps it touches in.
class BROADSIDE_API TouchHistory {
 public:
  /// Sets the pairs [p] that touch now, sorted by (a, b), without duplicates: `prepare`, then `commit`.
  ///
  /// @param reassigned [boxes] bit 0 is set if the index now belongs to another box than in the last step:
  /// the previous pairs of that index end, the current ones begin. Empty if there is none, else longer than
  /// every index in both lists of pairs.
  /// @par Complexity
  /// O(p + pairs of the last step). Allocates only until both of its buffers have held as many pairs.
  void advance(std::span<const Pair> touching, std::span<const std::uint8_t> reassigned = {}) {
    prepare(touching, reassigned);
    commit();
  }

  /// Computes what `commit` will report. Until then, and on `std::bad_alloc`, all getters except `ending`
  /// return the previous step.
  void prepare(std::span<const Pair> touching, std::span<const std::uint8_t> reassigned = {});
  /// Returns the pairs that end with the next `commit`, sorted.
  [[nodiscard]] std::span<const Pair> ending() const { return next_.ended; }
  /// Makes the prepared step the current one. Cannot fail.
  /// @pre `prepare` was called since the last `commit` or `clear`
  void commit() { std::swap(last_, next_); }

  /// Advances by a step in which the same pairs touch: those that began now stay; none begins or ends.
  void advance_unchanged();

  /// Removes all pairs, without reporting an end.
  void clear();

  /// Returns the pairs that touch, sorted. All spans here are valid until the next non-const call.
  [[nodiscard]] std::span<const Pair> touching() const { return last_.touching; }
  /// Returns the indices in `touching` of pairs that did not touch in the last step, ascending.
  [[nodiscard]] std::span<const std::uint32_t> begun() const {
    return {last_.begun.data(), last_.begun_count};
  }
  /// Returns the indices in `touching` of pairs that touched in the last step, ascending.
  [[nodiscard]] std::span<const std::uint32_t> stayed() const {
    return {last_.stayed.data(), last_.stayed_count};
  }
  /// Returns the pairs that touched in the last step and no longer do, sorted.
  [[nodiscard]] std::span<const Pair> ended() const { return last_.ended; }

  [[nodiscard]] std::size_t bytes() const { return last_.bytes() + next_.bytes(); }

 private:
  struct Step {
    std::vector<Pair> touching;
    std::vector<Pair> ended;
    std::vector<std::uint32_t> begun;   ///< may be longer than `begun_count`
    std::vector<std::uint32_t> stayed;  ///< may be longer than `stayed_count`
    std::size_t begun_count = 0;
    std::size_t stayed_count = 0;

    [[nodiscard]] std::size_t bytes() const {
      return (touching.capacity() + ended.capacity()) * sizeof(Pair) +
             (begun.capacity() + stayed.capacity()) * sizeof(std::uint32_t);
    }
  };

  Step last_;
  Step next_;
};

}  // namespace broadside::inline v0_2
