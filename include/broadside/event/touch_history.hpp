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
  /// Takes the pairs [p] that touch now, sorted by (a, b), each once.
  ///
  /// @param renewed [boxes] whose bit 0 is set for a box that is not the one of the last step, though it has
  /// its index: its pairs of then end, those of now begin. May be empty where there is none. Complexity: O(p
  /// + pairs of the last step); allocates only where there are more than ever before.
  void advance(std::span<const Pair> touching, std::span<const std::uint8_t> renewed = {});

  /// Says that the same pairs touch as in the last step: what began stays, nothing begins or ends.
  void advance_unchanged();

  /// Forgets all pairs, without an end.
  void clear();

  /// Returns the pairs that touch, sorted. All of these are valid until the next call that changes anything.
  [[nodiscard]] std::span<const Pair> touching() const { return now_; }
  /// Returns the places in `touching` of those that did not touch before, ascending.
  [[nodiscard]] std::span<const std::uint32_t> begun() const { return {begun_.data(), begun_count_}; }
  /// Returns the places in `touching` of those that did before, ascending.
  [[nodiscard]] std::span<const std::uint32_t> stayed() const { return {stayed_.data(), stayed_count_}; }
  /// Returns the pairs that touched before and do not now, sorted.
  [[nodiscard]] std::span<const Pair> ended() const { return ended_; }

  [[nodiscard]] std::size_t bytes() const {
    return (now_.capacity() + before_.capacity() + ended_.capacity()) * sizeof(Pair) +
           (begun_.capacity() + stayed_.capacity()) * sizeof(std::uint32_t);
  }

 private:
  std::vector<Pair> now_;
  std::vector<Pair> before_;
  std::vector<Pair> ended_;
  std::vector<std::uint32_t> begun_;   ///< longer than what is in use
  std::vector<std::uint32_t> stayed_;  ///< longer than what is in use
  std::size_t begun_count_ = 0;
  std::size_t stayed_count_ = 0;
};

}  // namespace broadside
