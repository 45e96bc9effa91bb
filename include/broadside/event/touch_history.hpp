#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/pair.hpp"

namespace broadside {

/// Remembers which pairs touched in the last step, and tells which began to, still do, and ended.
///
/// Between the first step in which a pair touches and the last there is exactly one begin and one end.
class TouchHistory {
 public:
  /// Takes the pairs [p] that touch now, sorted by (a, b), each once: `prepare`, then `commit`.
  ///
  /// @param renewed [boxes] whose bit 0 is set for a box that is not the one of the last step, though it has
  /// its index: its pairs of then end, those of now begin. May be empty where there is none.
  /// @par Complexity
  /// O(p + pairs of the last step); allocates only where there are more than ever before.
  void advance(std::span<const Pair> touching, std::span<const std::uint8_t> renewed = {}) {
    prepare(touching, renewed);
    commit();
  }

  /// Finds out what `commit` will report; until then all that can be asked stays as it is.
  void prepare(std::span<const Pair> touching, std::span<const std::uint8_t> renewed = {});
  /// Returns the pairs that end with the next `commit`, sorted.
  [[nodiscard]] std::span<const Pair> ending() const { return next_.ended; }
  /// Makes the prepared step the last one. It cannot fail.
  void commit();

  /// Says that the same pairs touch as in the last step: what began stays, nothing begins or ends.
  void advance_unchanged();

  /// Forgets all pairs, without an end.
  void clear();

  /// Returns the pairs that touch, sorted. All of these are valid until the next call that changes anything.
  [[nodiscard]] std::span<const Pair> touching() const { return last_.touching; }
  /// Returns the places in `touching` of those that did not touch before, ascending.
  [[nodiscard]] std::span<const std::uint32_t> begun() const {
    return {last_.begun.data(), last_.begun_count};
  }
  /// Returns the places in `touching` of those that did before, ascending.
  [[nodiscard]] std::span<const std::uint32_t> stayed() const {
    return {last_.stayed.data(), last_.stayed_count};
  }
  /// Returns the pairs that touched before and do not now, sorted.
  [[nodiscard]] std::span<const Pair> ended() const { return last_.ended; }

  [[nodiscard]] std::size_t bytes() const { return last_.bytes() + next_.bytes(); }

 private:
  struct Step {
    std::vector<Pair> touching;
    std::vector<Pair> ended;
    std::vector<std::uint32_t> begun;   ///< longer than what is in use
    std::vector<std::uint32_t> stayed;  ///< longer than what is in use
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

}  // namespace broadside
