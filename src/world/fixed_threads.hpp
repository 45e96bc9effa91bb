#pragma once

#include <cstddef>

#include "broadside/base/tasks.hpp"

namespace broadside::inline v0_2 {

/// The caller's task runner, with the number of threads that it had when it was set.
///
/// A world passes its runner to other objects at several times. Each of them reads the number of threads;
/// this class makes sure that they all get the same one.
class FixedThreads final : public TaskRunner {
 public:
  /// @param runner may be null; then so is `get`
  void set(TaskRunner* runner, std::size_t threads) {
    runner_ = runner;
    threads_ = threads;
  }
  void set(const FixedThreads& other) { set(other.runner_, other.threads_); }
  /// Returns this object, or null if no runner is set.
  [[nodiscard]] TaskRunner* get() { return runner_ == nullptr ? nullptr : this; }

  [[nodiscard]] std::size_t threads() const override { return threads_; }
  void run(std::size_t count, TaskRef task) override { runner_->run(count, task); }

 private:
  TaskRunner* runner_ = nullptr;
  std::size_t threads_ = 1;
};

}  // namespace broadside::inline v0_2
