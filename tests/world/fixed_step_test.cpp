// Converts frames of any length into steps of a fixed length; compared with a clock that counts whole ticks.

#include "broadside/world/fixed_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "boxes.hpp"

namespace broadside::test::fixed_step_test {
namespace {

constexpr std::uint64_t ticks = 8;  // per step

TEST(FixedStep, makes_the_steps_that_are_due_and_drops_those_beyond_the_limit_of_a_frame) {
  Random random(20261123);
  for (int i = 0; i < 2000; ++i) {
    const float seconds = std::ldexp(1.0F, static_cast<int>(random.below(41)) - 20);
    const std::uint64_t most = 1 + random.below(12);
    FixedStep clock = FixedStep::create(seconds, most).value();
    std::uint64_t rest = 0;
    for (int frame = 0; frame < 20; ++frame) {
      const std::uint64_t longer = random.below(random.below(4) == 0 ? 200 : 20);
      rest = std::min(rest + longer, (most + 1) * ticks);
      const std::uint64_t due = std::min(rest / ticks, most);
      rest = std::min(rest - due * ticks, ticks);
      std::uint64_t made = 0;
      const double frame_seconds = static_cast<double>(seconds) * static_cast<double>(longer) / ticks;
      EXPECT_EQ(clock.advance(frame_seconds,
                              [&](float step) {
                                ++made;
                                EXPECT_EQ(step, seconds);
                              }),
                due);
      EXPECT_EQ(made, due);
      ASSERT_EQ(clock.alpha(), static_cast<float>(rest) / ticks) << "frame " << frame << ", most " << most;
    }
  }
}

TEST(FixedStep, makes_steps_of_a_sixtieth_second_and_8_a_frame_by_default) {
  FixedStep clock;
  const auto step = [](float seconds) { EXPECT_EQ(seconds, 1.0F / 60); };
  EXPECT_EQ(clock.advance(1.0, step), 8U);
  EXPECT_EQ(clock.alpha(), 1.0F);
  EXPECT_EQ(clock.advance(0.0, step), 1U);
  EXPECT_EQ(clock.alpha(), 0.0F);
}

TEST(FixedStep, ignores_nan_and_seconds_that_are_not_above_0) {
  FixedStep clock = FixedStep::create(0.25F).value();
  const auto none = [](float) { FAIL(); };
  clock.advance(0.125, none);
  for (const double seconds :
       {0.0, -0.0, -1.0, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(),
        std::numeric_limits<double>::denorm_min()}) {
    EXPECT_EQ(clock.advance(seconds, none), 0U);
    EXPECT_EQ(clock.alpha(), 0.5F);
  }
}

}  // namespace
}  // namespace broadside::test::fixed_step_test
