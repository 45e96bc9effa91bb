#include "base/rounding.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "boxes.hpp"

namespace broadside::test::rounding_test {
namespace {

constexpr float most = std::numeric_limits<float>::max();
constexpr float infinity = std::numeric_limits<float>::infinity();

/// Compares the roundings of a number within the range of float with the neighboring floats.
void expect_neighbors(double value) {
  const float low = detail::round_down(value);
  const float high = detail::round_up(value);
  ASSERT_LE(static_cast<double>(low), value) << value;
  ASSERT_GE(static_cast<double>(high), value) << value;
  if (static_cast<double>(low) == value) {
    ASSERT_EQ(high, low) << value;
  } else {
    ASSERT_EQ(std::nextafter(low, infinity), high) << value;
  }
  const float nearest = detail::to_float(value);
  ASSERT_EQ(nearest, static_cast<float>(value)) << value;
  ASSERT_TRUE(nearest == low || nearest == high) << value;
}

TEST(Rounding, goes_to_the_floats_beside_a_number) {
  Random random(1);
  for (int round = 0; round < 200000; ++round) {
    // Any float, and doubles beside it that are less than a float's step away.
    const auto at = std::bit_cast<float>(random.bits());
    if (std::isfinite(at) && std::fabs(at) < most) {
      const auto exact = static_cast<double>(at);
      ASSERT_NO_FATAL_FAILURE(expect_neighbors(exact));
      ASSERT_NO_FATAL_FAILURE(expect_neighbors(std::nextafter(exact, 1e300)));
      ASSERT_NO_FATAL_FAILURE(expect_neighbors(std::nextafter(exact, -1e300)));
      ASSERT_NO_FATAL_FAILURE(expect_neighbors(exact * (1.0 + 0x1p-25 * static_cast<double>(random.unit()))));
    }
  }
  expect_neighbors(0.0);
  expect_neighbors(1e-300);
  expect_neighbors(-1e-300);
}

TEST(Rounding, ends_at_the_largest_float) {
  for (const double beyond : {1e39, 1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(detail::to_float(beyond), most);
    EXPECT_EQ(detail::to_float(-beyond), -most);
    EXPECT_EQ(detail::round_down(beyond), most);
    EXPECT_EQ(detail::round_down(-beyond), -most);
    EXPECT_EQ(detail::round_up(beyond), most);
    EXPECT_EQ(detail::round_up(-beyond), -most);
  }
}

TEST(Rounding, converts_nan_to_0) {
  EXPECT_EQ(detail::to_float(std::numeric_limits<double>::quiet_NaN()), 0.0F);
}

}  // namespace
}  // namespace broadside::test::rounding_test
