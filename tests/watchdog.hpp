#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace broadside::test {

/// Ends the process with a failure if it lives longer than its time limit: a test that hangs must fail.
class Watchdog {
 public:
  explicit Watchdog(std::chrono::seconds patience)
      : thread_([this, patience] {
          std::unique_lock lock(mutex_);
          if (!done_.wait_for(lock, patience, [this] { return is_done_; })) {
            std::fputs("the test hangs\n", stderr);
            std::_Exit(EXIT_FAILURE);
          }
        }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      is_done_ = true;
    }
    done_.notify_all();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool is_done_ = false;
  std::thread thread_;
};

}  // namespace broadside::test
