#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "broadside/base/tasks.hpp"

namespace broadside {

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable wake;
  std::atomic<std::size_t> round = 0;  ///< goes up with each call of `run`
  std::atomic<std::size_t> next = 0;   ///< task not yet taken
  std::atomic<std::size_t> working = 0;
  std::atomic<bool> stop = false;
  std::size_t count = 0;
  std::optional<TaskRef> task;
  std::vector<std::thread> threads;

  void take_tasks() {
    for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      (*task)(i);
    }
  }

  void wait_for_rounds() {
    constexpr int patience = 20'000;
    std::size_t seen = 0;
    while (true) {
      for (int i = 0; i < patience && round.load(std::memory_order_acquire) == seen; ++i) {
      }
      if (round.load(std::memory_order_acquire) == seen) {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return round.load(std::memory_order_acquire) != seen; });
      }
      seen = round.load(std::memory_order_acquire);
      if (stop.load(std::memory_order_acquire)) {
        return;
      }
      take_tasks();
      working.fetch_sub(1, std::memory_order_release);
    }
  }

  void start_round() {
    {
      const std::lock_guard lock(mutex);
      round.fetch_add(1, std::memory_order_release);
    }
    wake.notify_all();
  }
};

ThreadPool::ThreadPool(std::size_t threads) : state_(std::make_unique<State>()) {
  const std::size_t wanted = threads == 0 ? std::max(std::thread::hardware_concurrency(), 1U) : threads;
  state_->threads.reserve(wanted - 1);
#if defined(__cpp_exceptions)
  try {
#endif
    for (std::size_t i = 1; i < wanted; ++i) {
      state_->threads.emplace_back([state = state_.get()] { state->wait_for_rounds(); });
    }
#if defined(__cpp_exceptions)
  } catch (const std::system_error&) {
    // The system has no more; those that there are do the work.
  }
#endif
}

ThreadPool::~ThreadPool() {
  state_->stop.store(true, std::memory_order_release);
  state_->start_round();
  for (std::thread& thread : state_->threads) {
    thread.join();
  }
}

std::size_t ThreadPool::threads() const {
  return state_->threads.size() + 1;
}

void ThreadPool::run(std::size_t count, TaskRef task) {
  state_->task = task;
  state_->count = count;
  state_->next.store(0);
  state_->working.store(state_->threads.size());
  state_->start_round();
  state_->take_tasks();
  while (state_->working.load(std::memory_order_acquire) != 0) {
    std::this_thread::yield();
  }
}

}  // namespace broadside
