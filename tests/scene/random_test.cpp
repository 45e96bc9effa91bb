#include "broadside/scene/random.hpp"

#include <gtest/gtest.h>

namespace broadside {
namespace {

// The first numbers of seed 1 on any machine: the shipped scenes and workloads depend on them.
TEST(Random, is_the_same_on_every_machine) {
  Random random(1);
  EXPECT_EQ(random.below(1'000'000'007), 2469588189546311528U % 1'000'000'007U);
  Random again(1);
  EXPECT_DOUBLE_EQ(again.uniform(), static_cast<double>(2469588189546311528U >> 11U) * 0x1p-53);
}

TEST(Random, stays_in_range_and_has_the_moments_it_claims) {
  Random random(7);
  double sum = 0.0;
  double squares = 0.0;
  constexpr int n = 20'000;
  for (int i = 0; i < n; ++i) {
    const double u = random.uniform(-2.0, 3.0);
    ASSERT_GE(u, -2.0);
    ASSERT_LT(u, 3.0);
    const double z = random.normal();
    sum += z;
    squares += z * z;
  }
  EXPECT_NEAR(sum / n, 0.0, 0.03);
  EXPECT_NEAR(squares / n, 1.0, 0.05);
}

}  // namespace
}  // namespace broadside
