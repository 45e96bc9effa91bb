#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "base/mutex.hpp"
#include "broadside/base/tasks.hpp"

namespace broadside::inline v0_2 {

namespace {

/// A round of tasks in one number, so that one atomic operation takes a task:
///
///     │ round, 16 bits │ tasks of the round, 24 bits │ next task, 24 bits │
///
/// A thread that takes an existing task can rely on the data of the round, which does not end before that
/// task. A thread that comes late finds no task, and nothing waits for it.
constexpr unsigned count_shift = 24;
constexpr unsigned round_shift = 48;
constexpr std::uint64_t low_24 = (std::uint64_t{1} << 24U) - 1U;

// A late thread still increments the next task, so the field must hold numbers beyond the last task.
constexpr std::size_t max_tasks = std::size_t{1} << (count_shift - 1);

bool has_task(std::uint64_t ticket) {
  return (ticket & low_24) < ((ticket >> count_shift) & low_24);
}

}  // namespace

struct ThreadPool::State {
  std::atomic<std::uint64_t> ticket = 0;
  std::atomic<std::size_t> done = 0;
  std::atomic<bool> stop = false;
  std::atomic_flag is_running = ATOMIC_FLAG_INIT;  ///< some call of `run` uses the threads
  std::optional<TaskRef> task;
  std::mutex sleep_mutex;
  std::condition_variable woken;
  std::vector<std::thread> threads;

  // Here and not in the pool's destructor, so that a constructor that throws ends the threads it has started.
  ~State() {
    stop.store(true);
    wake();
    for (std::thread& thread : threads) {
      thread.join();
    }
  }

  void run_tasks() {
    while (has_task(ticket.load(std::memory_order_acquire))) {
      const std::uint64_t own_ticket = ticket.fetch_add(1, std::memory_order_acq_rel);
      if (has_task(own_ticket)) {
        (*task)(own_ticket & low_24);
        done.fetch_add(1, std::memory_order_acq_rel);
      }
    }
  }

  /// Whether a worker has something to do, or is to end.
  [[nodiscard]] bool is_called() const { return has_task(ticket.load()) || stop.load(); }

  /// Wakes the workers, after a change of what `is_called` reads. A worker that saw no call before the change
  /// holds the mutex until it sleeps, so the notification does not come too early.
  ///
  /// `std::atomic::wait` would be shorter, but that of libstdc++ 12 can miss a notification where the system
  /// has no futexes, as on Windows: it compares the value before it locks its mutex.
  void wake() {
    { const std::lock_guard lock(sleep_mutex); }
    woken.notify_all();
  }

  /// Spins for a moment, since the next stage of a frame comes soon; then sleeps.
  void wait_for_call() {
    constexpr auto spin_time = std::chrono::microseconds(200);
    const auto start = std::chrono::steady_clock::now();
    do {
      for (int i = 0; i < 64; ++i) {
        if (is_called()) {
          return;
        }
      }
    } while (std::chrono::steady_clock::now() - start < spin_time);
    std::unique_lock lock(sleep_mutex);
    woken.wait(lock, [this] { return is_called(); });
  }

  void work() {
    while (!stop.load()) {
      wait_for_call();
      run_tasks();
    }
  }
};

ThreadPool::ThreadPool(std::size_t threads) : state_(std::make_unique<State>()) {
  const std::size_t of_machine = std::max(std::thread::hardware_concurrency(), 1U);
  constexpr std::size_t max_of_system = BROADSIDE_HAS_THREADS ? max_threads : 1;
  const std::size_t wanted = std::min(threads == 0 ? of_machine : threads, max_of_system);
  state_->threads.reserve(wanted - 1);
#if defined(__cpp_exceptions)
  try {
#endif
    for (std::size_t i = 1; i < wanted; ++i) {
      state_->threads.emplace_back([state = state_.get()] { state->work(); });
    }
#if defined(__cpp_exceptions)
  } catch (const std::system_error&) {
    // The system refuses more threads; those that were started do the work.
  }
#endif
}

ThreadPool::~ThreadPool() = default;

std::size_t ThreadPool::threads() const {
  return state_->threads.size() + 1;
}

void ThreadPool::run(std::size_t count, TaskRef task) {
  if (state_->is_running.test_and_set(std::memory_order_acquire)) {
    for (std::size_t i = 0; i < count; ++i) {
      task(i);
    }
    return;
  }
  for (std::size_t first = 0; first < count; first += max_tasks) {
    const std::size_t now = std::min(count - first, max_tasks);
    const auto part = [&](std::size_t i) { task(first + i); };
    state_->task.emplace(TaskRef(part));
    state_->done.store(0);
    const std::uint64_t round = (state_->ticket.load() >> round_shift) + 1;
    state_->ticket.store((round << round_shift) | (std::uint64_t{now} << count_shift));
    state_->wake();
    state_->run_tasks();
    while (state_->done.load(std::memory_order_acquire) != now) {
      std::this_thread::yield();
    }
  }
  state_->is_running.clear(std::memory_order_release);
}

}  // namespace broadside::inline v0_2
