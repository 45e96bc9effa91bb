#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "broadside/base/result.hpp"

namespace broadside {

/// Turns frames of any length into steps of one length, so that a game runs alike on every machine.
///
///     FixedStep clock = FixedStep::create(1.0F / 120).value();
///     clock.advance(seconds_of_this_frame, [&](float seconds) { world.step(seconds).value(); });
///     draw_at(clock.alpha());  // between the last step but one and the last
///
/// Source: G. Fiedler, Fix your timestep, 2004.
class FixedStep {
 public:
  /// Makes steps of 1/60 second, 8 a frame at most.
  FixedStep() = default;
  /// Makes steps of `seconds`.
  ///
  /// @param seconds of one step: finite and above 0
  /// @param most steps of one frame, at least 1; what a slow frame would need beyond is dropped, so that it
  /// cannot cause slower ones
  /// @par Errors
  /// `invalid_argument` for anything else.
  static Result<FixedStep> create(float seconds, std::size_t most = 8) {
    if (!(std::isfinite(seconds) && seconds > 0.0F)) {
      return Error{ErrorCode::invalid_argument, "FixedStep: seconds must be a finite number above 0"};
    }
    if (most == 0) {
      return Error{ErrorCode::invalid_argument, "FixedStep: a frame must be allowed 1 step or more"};
    }
    FixedStep made;
    made.seconds_ = static_cast<double>(seconds);
    made.most_ = most;
    return made;
  }

  /// Calls `step(seconds)` for each step that is due after `seconds` more; returns how many there were. No
  /// time passes for what is not a number above 0, such as the difference of two readings of a clock that was
  /// set back. A step that throws counts as made; those that are due after it follow in the next call.
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
  [[nodiscard]] float alpha() const { return static_cast<float>(std::min(rest_ / seconds_, 1.0)); }

 private:
  double seconds_ = static_cast<double>(1.0F / 60);
  std::size_t most_ = 8;
  double rest_ = 0.0;
};

}  // namespace broadside
