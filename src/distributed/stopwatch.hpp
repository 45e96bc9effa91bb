#pragma once

#include <chrono>

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

}  // namespace broadside::inline v0_2::detail
