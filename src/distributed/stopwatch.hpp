#pragma once

#include <chrono>
#include <ctime>
#include <utility>

namespace broadside::inline v0_2::detail {

/// Measures the stages of a step.
class Stopwatch {
 public:
  /// Returns the seconds since the last call, or since it was made.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> passed = now - last_;
    last_ = now;
    return passed.count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Measures the work of this thread: processor time where the system tells it, which other threads and
/// processes on the same cores do not lengthen. Windows tells it in steps of 16 ms, longer than a step.
class WorkClock {
 public:
  /// Returns the seconds since the last call, or since it was made.
  double lap() {
    const double now = seconds();
    return now - std::exchange(last_, now);
  }

 private:
  static double seconds() {
#if defined(CLOCK_THREAD_CPUTIME_ID) && !defined(_WIN32)
    std::timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
#else
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    return now.count();
#endif
  }

  double last_ = seconds();
};

}  // namespace broadside::inline v0_2::detail
