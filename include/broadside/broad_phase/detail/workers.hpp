#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/detail/pair_buffer.hpp"
#include "broadside/broad_phase/detail/try_alloc.hpp"
#include "broadside/broad_phase/detail/work.hpp"

namespace broadside::detail {

/// Runs parts of a range on several threads, and joins their results in order; without a runner, runs all in
/// the caller's thread. The result is the same.
class Workers {
 public:
  /// Sets the runner; null for the caller's thread alone. Stores its number of threads, since a number that
  /// changed during a call would leave some chunks without scratch memory.
  void use(TaskRunner* runner) {
    runner_ = runner;
    threads_ = runner == nullptr ? 1 : std::max<std::size_t>(runner->threads(), 1);
  }

  [[nodiscard]] std::size_t threads() const { return threads_; }

  /// Returns into how many chunks a range of n is divided, none much smaller than `least`.
  [[nodiscard]] std::size_t chunks(std::size_t n, std::size_t least) const;

  /// Calls `work(chunk, begin, end)` for all chunks of [0, n). Chunks begin at multiples of 64, so that
  /// kernels may write whole vectors.
  template <typename Task>
  void for_chunks(std::size_t n, std::size_t count, const Task& work) const {
    if (count <= 1) {
      work(std::size_t{0}, std::size_t{0}, n);
      return;
    }
    const std::size_t size = ((n + count - 1) / count + 63) / 64 * 64;
    std::atomic<bool> failed = false;  // no exception may leave a thread
    const auto task = [&](std::size_t chunk) {
      if (!try_alloc([&] { work(chunk, std::min(n, chunk * size), std::min(n, (chunk + 1) * size)); })) {
        failed = true;
      }
    };
    runner_->run(count, TaskRef(task));
    if (failed) {
      out_of_memory();
    }
  }

  /// Calls `search(chunk, begin, end, pairs)` for all chunks of [0, n), each with its own buffer, appends all
  /// pairs to `pairs` in the order of the chunks, and returns the sum of the results of `search`.
  template <typename Search>
  Work collect(std::size_t n, std::size_t least, PairBuffer& pairs, const Search& search) {
    const std::size_t count = chunks(n, least);
    if (count == 1) {
      return search(std::size_t{0}, std::size_t{0}, n, pairs);
    }
    if (parts_.size() < count) {
      parts_.resize(count);
    }
    for_chunks(n, count, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      Part& part = parts_[chunk];
      part.pairs.clear();
      part.pairs.set_limit(pairs.limit());
      part.sum = search(chunk, begin, end, part.pairs);
      part.pairs.count();
    });
    std::size_t found = 0;
    Work sum;
    for (std::size_t chunk = 0; chunk < count; ++chunk) {
      found += parts_[chunk].pairs.size();
      sum += parts_[chunk].sum;
    }
    if (pairs.limit() != nullptr && pairs.limit()->is_exceeded()) {
      return sum;
    }
    Pair* const out = pairs.tail(found);
    const auto copy = [&](std::size_t chunk) {
      std::size_t before = 0;
      for (std::size_t k = 0; k < chunk; ++k) {
        before += parts_[k].pairs.size();
      }
      const auto part = parts_[chunk].pairs.pairs();
      std::copy(part.begin(), part.end(), out + before);
    };
    runner_->run(count, TaskRef(copy));
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
  };

  TaskRunner* runner_ = nullptr;
  std::size_t threads_ = 1;
  std::vector<Part> parts_;
};

}  // namespace broadside::detail
