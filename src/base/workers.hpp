#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "base/switches.hpp"
#include "broadside/base/tasks.hpp"
#include "try_alloc.hpp"

namespace broadside::inline v0_2::detail {

/// Runs parts of a range on several threads; without a runner, runs all in the caller's thread. The result is
/// the same.
class Workers {
 public:
  /// Sets the runner; null for the caller's thread alone.
  /// @param threads from `threads_of`: not read again, since a number that changed during a call would leave
  /// some chunks without scratch memory
  void use(TaskRunner* runner, std::size_t threads) {
    runner_ = runner;
    threads_ = threads;
  }

  [[nodiscard]] std::size_t threads() const { return threads_; }

  /// Returns into how many chunks a range of n is divided, none much smaller than `min_chunk`.
  [[nodiscard]] std::size_t chunks(std::size_t n, std::size_t min_chunk) const {
    constexpr std::size_t each = 4;  // chunks per thread, to balance the load
    const std::size_t max_chunks = each * (std::min)(threads_, n);
    return threads_ < 2 ? 1
                        : (std::max<std::size_t>)((std::min)(worthwhile_tasks(n, min_chunk), max_chunks), 1);
  }

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
      if (!try_alloc([&] { work(chunk, (std::min)(n, chunk * size), (std::min)(n, (chunk + 1) * size)); })) {
        failed = true;
      }
    };
    runner_->run(count, TaskRef(task));
    if (failed) {
      out_of_memory();
    }
  }

 protected:
  /// Returns the runner; null for the caller's thread alone.
  [[nodiscard]] TaskRunner* runner() const { return runner_; }

 private:
  TaskRunner* runner_ = nullptr;
  std::size_t threads_ = 1;
};

}  // namespace broadside::inline v0_2::detail
