#pragma once

#include <algorithm>
#include <cstddef>

namespace broadside {

/// Turns frames of any length into steps of one length, so that a game runs alike on every machine.
///
///     FixedStep clock(1.0F / 120);
///     clock.advance(seconds_of_this_frame, [&](float seconds) { world.step(seconds).value(); });
///     draw_at(clock.alpha());  // between the last step but one and the last
///
/// Source: G. Fiedler, Fix your timestep, 2004.
class FixedStep {
 public:
  /// @param seconds of one step, above 0
  /// @param most steps of one frame; what a slow frame would need beyond is dropped, so that it cannot cause
  /// slower ones
  explicit FixedStep(float seconds, std::size_t most = 8)
      : seconds_(seconds > 0.0F ? static_cast<double>(seconds) : 1.0 / 60.0),
        most_(std::max<std::size_t>(most, 1)) {}

  /// Calls `step(seconds)` for each step that is due after `seconds` more; returns how many there were. What
  /// is not a number above 0 is no time.
  template <typename Step>
  std::size_t advance(double seconds, Step step) {
    if (seconds > 0.0) {
      rest_ = std::min(rest_ + seconds, (static_cast<double>(most_) + 1.0) * seconds_);
    }
    std::size_t steps = 0;
    for (; rest_ >= seconds_ && steps < most_; ++steps) {
      rest_ -= seconds_;
      step(static_cast<float>(seconds_));
    }
    rest_ = std::min(rest_, seconds_);
    return steps;
  }

  /// Returns how far it is from the last step to the next, in [0, 1].
  [[nodiscard]] float alpha() const { return static_cast<float>(rest_ / seconds_); }

 private:
  double seconds_;
  std::size_t most_;
  double rest_ = 0.0;
};

}  // namespace broadside
