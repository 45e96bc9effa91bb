#pragma once

#include <cstddef>
#include <memory>

#include "broadside/base/export.h"
#include "broadside/base/function_ref.hpp"

namespace broadside::inline v0_2 {

/// A non-owning reference to a callable that takes the number of a task.
using TaskRef = FunctionRef<void(std::size_t)>;

/// The interface through which the library uses threads other than the caller's.
///
/// Derive from it to run the work on a scheduler that a program already has (with oneTBB, `run` is one
/// `tbb::parallel_for`), or use `ThreadPool`. Results never depend on the number of threads, nor on which
/// thread runs which task.
class BROADSIDE_API TaskRunner {
 public:
  TaskRunner() = default;
  virtual ~TaskRunner() = default;
  TaskRunner(const TaskRunner&) = delete;
  TaskRunner& operator=(const TaskRunner&) = delete;

  /// Returns how many tasks can run in parallel, the caller's thread included; at least 1. The library reads
  /// the number only in the call that receives the runner, and refuses a runner that returns 0.
  [[nodiscard]] virtual std::size_t threads() const = 0;

  /// Calls task(0) to task(count - 1), each once, in any order, on any thread; returns when all are done.
  /// Tasks of the library neither throw nor call `run`.
  ///
  /// @par Threads
  /// Called concurrently only if a program shares one runner between objects that it uses concurrently.
  virtual void run(std::size_t count, TaskRef task) = 0;
};

/// A pool of worker threads; the thread that calls `run` works too.
///
/// After a call the workers spin for some microseconds, in case another call follows soon; then they sleep.
///
/// @par Threads
/// Any number of threads may share a pool. Its workers serve one call of `run` at a time; a concurrent call
/// does not wait for them, but runs all its tasks in the caller's thread. So does a call from within a task.
/// The pool must outlive all calls.
class BROADSIDE_API ThreadPool final : public TaskRunner {
 public:
  static constexpr std::size_t max_threads = 1024;  ///< more than any machine runs in parallel

  /// @param threads number of threads, the caller's included, at most `max_threads`; 0 for as many as the
  /// machine has. If the system refuses a thread, there are fewer: see `threads()`. If memory runs out,
  /// throws `std::bad_alloc` and leaves no thread behind.
  explicit ThreadPool(std::size_t threads = 0);
  ~ThreadPool() override;

  [[nodiscard]] std::size_t threads() const override;
  void run(std::size_t count, TaskRef task) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace broadside::inline v0_2
