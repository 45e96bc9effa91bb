#include "broadside/base/vec2.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "boxes.hpp"

namespace broadside {
namespace {

constexpr Vec2 a{3.0F, -2.0F};
constexpr Vec2 b{0.5F, 7.0F};

TEST(Vec2, is_zero_by_default) {
  EXPECT_EQ(Vec2{}, (Vec2{0.0F, 0.0F}));
}

TEST(Vec2, computes_by_coordinate) {
  EXPECT_EQ(a + b, (Vec2{3.5F, 5.0F}));
  EXPECT_EQ(a - b, (Vec2{2.5F, -9.0F}));
  EXPECT_EQ(2.0F * a, (Vec2{6.0F, -4.0F}));
  EXPECT_EQ(dot(a, b), -12.5F);
}

TEST(Vec2, is_equal_only_in_both_coordinates) {
  EXPECT_NE(a, (Vec2{3.0F, 2.0F}));
  EXPECT_NE(a, (Vec2{-3.0F, -2.0F}));
}

// All floats but NaN, infinity and denormal numbers among them. Compared by their bits, as 0 equals -0.
TEST(Vec2, negated_has_the_other_sign_and_never_a_zero_below_zero) {
  constexpr std::uint32_t sign = std::uint32_t{1} << 31U;
  test::Random random(1);
  const auto draw = [&] {
    const float number = std::bit_cast<float>(random.bits());
    const std::uint32_t kind = random.below(8);
    return kind == 0 ? 0.0F : kind == 1 || std::isnan(number) ? -0.0F : number;
  };
  const auto negated = [](float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    return number == 0.0F ? std::uint32_t{0} : bits ^ sign;
  };
  for (int round = 0; round < 100'000; ++round) {
    const float x = draw();
    const float y = draw();
    const Vec2 found = -Vec2{x, y};
    ASSERT_EQ(std::bit_cast<std::uint32_t>(found.x), negated(x)) << x;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(found.y), negated(y)) << y;
  }
}

}  // namespace
}  // namespace broadside
