#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace broadside {

/// Refers to something that can be called with the number of a task; owns nothing.
class TaskRef {
 public:
  template <typename Work>
  requires(!std::is_same_v<Work, TaskRef>) explicit TaskRef(const Work& work)
      : work_(&work),
        call_([](const void* object, std::size_t task) { (*static_cast<const Work*>(object))(task); }) {}

  void operator()(std::size_t task) const { call_(work_, task); }

 private:
  const void* work_;
  void (*call_)(const void*, std::size_t);
};

/// The hook by which the library uses other threads than the caller's. Derive from it to hand the work to the
/// scheduler that a program has already (with oneTBB, `run` is one `tbb::parallel_for`), or take
/// `ThreadPool`.
///
/// What is computed never depends on the number of threads, nor on which one takes which task.
class TaskRunner {
 public:
  TaskRunner() = default;
  virtual ~TaskRunner() = default;
  TaskRunner(const TaskRunner&) = delete;
  TaskRunner& operator=(const TaskRunner&) = delete;

  /// Returns how many tasks can run side by side, the caller's thread included; at least 1. The library asks
  /// once, when it is given the runner, and refuses one that says 0.
  [[nodiscard]] virtual std::size_t threads() const = 0;

  /// Calls task(0) to task(count - 1), each once, in any order, on any threads; returns when all are done.
  /// Tasks of the library neither throw nor call `run`.
  ///
  /// @par Threads
  /// Called from several threads at once only where a program shares one runner between objects that it uses
  /// side by side.
  virtual void run(std::size_t count, TaskRef task) = 0;
};

/// A few threads of its own that wait for work; the caller's thread works along. Between two calls in quick
/// succession they spin for some microseconds, then they sleep.
///
/// @par Threads
/// Any number of threads may share a pool. Its threads serve one call of `run` at a time; a call that comes
/// meanwhile does not wait for them, but runs all its tasks in the caller's thread. So does a call from
/// within a task. The pool must outlive all calls.
class ThreadPool final : public TaskRunner {
 public:
  static constexpr std::size_t max_threads = 1024;  ///< more than any machine runs side by side

  /// @param threads how many work side by side, the caller's included, `max_threads` at most; 0 for as many
  /// as the machine has. Where the system refuses a thread, there are fewer: `threads()` tells. Where memory
  /// runs out, throws `std::bad_alloc` and leaves no thread behind.
  explicit ThreadPool(std::size_t threads = 0);
  ~ThreadPool() override;

  [[nodiscard]] std::size_t threads() const override;
  void run(std::size_t count, TaskRef task) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace broadside
