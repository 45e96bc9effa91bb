#pragma once

#include <atomic>
#include <cstddef>

namespace broadside::detail {

/// Counts the pairs of several buffers together, so that they stop storing pairs beyond a limit.
class PairLimit {
 public:
  explicit PairLimit(std::size_t max_pairs) : max_pairs_(max_pairs) {}

  /// Adds to the count; returns whether it is still within the limit.
  bool count(std::size_t pairs) {
    return found_.fetch_add(pairs, std::memory_order_relaxed) + pairs <= max_pairs_;
  }
  [[nodiscard]] bool is_exceeded() const { return found() > max_pairs_; }
  [[nodiscard]] std::size_t found() const { return found_.load(std::memory_order_relaxed); }

 private:
  std::size_t max_pairs_;
  std::atomic<std::size_t> found_ = 0;
};

}  // namespace broadside::detail
