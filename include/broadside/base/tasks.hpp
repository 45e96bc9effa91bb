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

  /// Returns how many tasks can run side by side, the caller's thread included; at least 1.
  [[nodiscard]] virtual std::size_t threads() const = 0;

  /// Calls task(0) to task(count - 1), each once, in any order, on any threads; returns when all are done.
  /// Tasks neither throw nor call `run`.
  virtual void run(std::size_t count, TaskRef task) = 0;
};

/// A few threads of its own that wait for work; the caller's thread works along. Between two calls in quick
/// succession they spin for some microseconds, then they sleep.
class ThreadPool final : public TaskRunner {
 public:
  /// @param threads how many work side by side, the caller's included, 1,024 at most; 0 for as many as the
  /// machine has. Where the system refuses a thread, there are fewer.
  explicit ThreadPool(std::size_t threads = 0);
  ~ThreadPool() override;

  [[nodiscard]] std::size_t threads() const override;
  void run(std::size_t count, TaskRef task) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace broadside
