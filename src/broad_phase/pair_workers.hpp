#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/workers.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/pair_buffer.hpp"

namespace broadside::inline v0_2::detail {

/// What a search for pairs did, in counts that are the same on every machine.
struct Work {
  std::uint64_t tests = 0;  ///< one box against one box
  std::uint64_t cells = 0;  ///< rows visited, including empty ones

  Work& operator+=(const Work& other) {
    tests += other.tests;
    cells += other.cells;
    return *this;
  }
};

/// Counts the pairs of several buffers together, so that they stop storing pairs beyond a limit.
class PairLimit {
 public:
  explicit PairLimit(std::size_t max_pairs) : max_pairs_(max_pairs) {}

  /// Adds to the count; returns whether it is still within the limit.
  bool count(std::size_t pairs) {
    return found_.fetch_add(pairs, std::memory_order_relaxed) + pairs <= max_pairs_;
  }
  /// Makes a buffer respect this limit. @pre the buffer is empty
  void apply_to(PairBuffer& pairs) { pairs.limit_ = this; }
  /// Adds the pairs of a buffer that are not counted yet, and drops all its pairs if there are too many.
  static void count_rest(PairBuffer& pairs) { pairs.count(); }
  [[nodiscard]] bool is_exceeded() const { return found() > max_pairs_; }
  [[nodiscard]] std::size_t found() const { return found_.load(std::memory_order_relaxed); }

 private:
  std::size_t max_pairs_;
  std::atomic<std::size_t> found_ = 0;
};

/// Workers that search parts of a range for pairs, and join these in order.
class PairWorkers : public Workers {
 public:
  /// Calls `search(chunk, begin, end, pairs)` for all chunks of [0, n), each with its own buffer, appends all
  /// pairs to `pairs` in the order of the chunks, and returns the sum of the results of `search`.
  template <typename Search>
  Work collect(std::size_t n, std::size_t min_chunk, PairBuffer& pairs, const Search& search) {
    const std::size_t count = chunks(n, min_chunk);
    if (count == 1) {
      return search(std::size_t{0}, std::size_t{0}, n, pairs);
    }
    parts_.resize(std::max(parts_.size(), count));
    for_chunks(n, count, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      Part& part = parts_[chunk];
      part.pairs.clear();
      part.pairs.limit_ = pairs.limit_;
      part.sum = search(chunk, begin, end, part.pairs);
      part.pairs.count();
    });
    std::size_t found = 0;
    Work sum;
    for (std::size_t chunk = 0; chunk < count; ++chunk) {
      parts_[chunk].begin = found;
      found += parts_[chunk].pairs.size();
      sum += parts_[chunk].sum;
    }
    if (pairs.limit_ != nullptr && pairs.limit_->is_exceeded()) {
      return sum;
    }
    Pair* const out = pairs.tail(found);
    const auto copy = [&](std::size_t chunk) {
      const auto part = parts_[chunk].pairs.pairs();
      std::copy(part.begin(), part.end(), out + parts_[chunk].begin);
    };
    runner()->run(count, TaskRef(copy));
    pairs.advance_counted(found);
    return sum;
  }

  /// Returns the bytes held, without the pairs.
  [[nodiscard]] std::size_t bytes() const { return parts_.capacity() * sizeof(Part); }

 private:
  /// Aligned to avoid false sharing: a thread writes here with each hit.
  struct alignas(128) Part {
    PairBuffer pairs;
    Work sum;
    std::size_t begin = 0;  ///< of its pairs among all
  };

  std::vector<Part> parts_;
};

}  // namespace broadside::inline v0_2::detail
