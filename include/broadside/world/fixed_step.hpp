#pragma once

#include <algorithm>
#include <cstddef>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"

namespace broadside::inline v0_2 {

/// Turns frames of any length into steps of a fixed length, for the same result on every machine.
///
///     FixedStep clock = FixedStep::create(1.0F / 120).value();
///     clock.advance(seconds_of_this_frame, [&](float seconds) { world.step(seconds).value(); });
///     draw_at(clock.alpha());  // between the last two steps
///
/// @par Source
/// G. Fiedler, Fix your timestep, 2004.
class FixedStep {
 public:
  /// Makes steps of 1/60 second, at most 8 per frame.
  FixedStep() = default;
  /// Makes steps of `seconds`.
  ///
  /// @param seconds of one step: finite and above 0
  /// @param max_steps maximum of steps per frame, at least 1; a slow frame drops the time beyond it, so that
  /// it cannot cause even slower frames ("spiral of death")
  /// @par Errors
  /// `invalid_argument` for other values.
  static Result<FixedStep> create(float seconds, std::size_t max_steps = 8) {
    if (!(is_finite(seconds) && seconds > 0.0F)) {
      return Error{ErrorCode::invalid_argument, "FixedStep: seconds must be a finite number above 0"};
    }
    if (max_steps == 0) {
      return Error{ErrorCode::invalid_argument, "FixedStep: a frame must be allowed 1 step or more"};
    }
    FixedStep made;
    made.seconds_ = static_cast<double>(seconds);
    made.max_steps_ = max_steps;
    return made;
  }

  /// Adds the time of a frame and calls `step(seconds)` for each step that is due; returns their number.
  ///
  /// A time that is NaN, zero or negative adds nothing, such as the difference of two readings of a clock
  /// that was set back. A step that throws counts as made; the steps due after it follow in the next call.
  template <typename Step>
  std::size_t advance(double seconds, Step step) {
    if (seconds > 0.0) {
      rest_ = (std::min)(rest_ + seconds, (static_cast<double>(max_steps_) + 1.0) * seconds_);
    }
    std::size_t steps = 0;
    for (; rest_ >= seconds_ && steps < max_steps_; ++steps) {
      rest_ -= seconds_;
      step(static_cast<float>(seconds_));
    }
    rest_ = (std::min)(rest_, seconds_);
    return steps;
  }

  /// Returns the interpolation factor: the remaining time as a fraction of a step, in [0, 1].
  [[nodiscard]] float alpha() const { return static_cast<float>((std::min)(rest_ / seconds_, 1.0)); }

 private:
  double seconds_ = static_cast<double>(1.0F / 60);
  std::size_t max_steps_ = 8;
  double rest_ = 0.0;
};

}  // namespace broadside::inline v0_2
