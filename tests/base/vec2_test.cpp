#include "broadside/base/vec2.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace broadside
