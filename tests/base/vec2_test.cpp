#include "broadside/base/vec2.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/base/aabb.hpp"

namespace broadside::vec2_test {
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

// Of every magnitude that a float can have, against long double.
TEST(Vec2, computes_as_long_double_does_to_one_unit_in_the_last_place) {
  test::Random random(5);
  const auto draw = [&] {
    return random.below(6) == 0
               ? 0.0F
               : std::ldexp(random.between(-1, 1), static_cast<int>(random.below(250)) - 125);
  };
  for (int round = 0; round < 100'000; ++round) {
    const Vec2 v{draw(), draw()};
    const long double exact = std::hypot(static_cast<long double>(v.x), static_cast<long double>(v.y));
    const float found = length(v);
    const float ulp = std::nextafter(found, 3.0e38F) - found;
    ASSERT_LE(std::fabs(static_cast<long double>(found) - exact), static_cast<long double>(ulp))
        << v.x << " " << v.y;
    const Vec2 unit = normalized(v);
    if (v == Vec2{}) {
      ASSERT_EQ(unit, Vec2{});
      continue;
    }
    for (const auto& [part, whole] : {std::pair{unit.x, v.x}, std::pair{unit.y, v.y}}) {
      const float last_place = std::nextafter(std::fabs(part), 2.0F) - std::fabs(part);
      ASSERT_LE(std::fabs(static_cast<long double>(part) - static_cast<long double>(whole) / exact),
                static_cast<long double>(last_place))
          << v.x << " " << v.y;
    }
    const Vec2 w{draw(), draw()};
    const float s = 1.0F + random.between(0, 1);
    Vec2 sum = v;
    sum += w;
    ASSERT_EQ(sum, v + w);
    sum -= w;
    ASSERT_EQ(sum, (v + w) - w);
    sum *= s;
    ASSERT_EQ(sum, s * ((v + w) - w));
    sum /= s;
    ASSERT_EQ(sum, (((v + w) - w) * s) / s);
    if (is_finite(dot(v, v)) && is_finite(dot(w, w))) {
      ASSERT_EQ(cross(v, w), -cross(w, v));
      ASSERT_EQ(cross(v, v), 0.0F);
    }
  }
  constexpr float most = std::numeric_limits<float>::max();
  EXPECT_EQ(length({most, most}), most);
  EXPECT_EQ(normalized({most, std::numeric_limits<float>::infinity()}), Vec2{});
  EXPECT_EQ(normalized({std::numeric_limits<float>::quiet_NaN(), 1}), Vec2{});
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
}  // namespace broadside::vec2_test
