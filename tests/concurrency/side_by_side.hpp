#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

namespace broadside::test {

/// Lets other threads run for this time, without sleeping: the system would round so short a time up.
inline void yield_for(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
  }
}

/// Calls `work(0)` to `work(callers - 1)`, each in its own thread; all start at the same moment.
template <typename Work>
void side_by_side(std::size_t callers, const Work& work) {
  std::atomic<std::size_t> ready = 0;
  std::vector<std::thread> threads;
  for (std::size_t caller = 0; caller < callers; ++caller) {
    threads.emplace_back([&, caller] {
      ++ready;
      while (ready.load() < callers) {
        std::this_thread::yield();
      }
      work(caller);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace broadside::test
