#include "broadside/body/transform.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace broadside::transform_test {
namespace {

constexpr long double half_last_bit = 0x1p-24L;

/// Returns the relative error of a number; the absolute one if the truth is 0.
long double relative_error(float number, long double truth) {
  return truth == 0 ? std::fabs(static_cast<long double>(number)) : std::fabs((number - truth) / truth);
}

testing::AssertionResult is_right(float angle) {
  const Rotation rotation = Rotation::by(angle);
  const long double off_cos = relative_error(rotation.cos, std::cos(static_cast<long double>(angle)));
  const long double off_sin = relative_error(rotation.sin, std::sin(static_cast<long double>(angle)));
  if (off_cos <= 1.001L * half_last_bit && off_sin <= 1.001L * half_last_bit) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "angle " << angle << ": cos " << rotation.cos << ", sin "
                                     << rotation.sin;
}

TEST(Rotation, is_right_to_the_last_bit_for_angles_of_every_size) {
  const auto first = std::bit_cast<std::uint32_t>(1e-30F);
  const auto last = std::bit_cast<std::uint32_t>(1e6F);
  for (std::uint32_t bits = first; bits < last; bits += 2003) {
    ASSERT_TRUE(is_right(std::bit_cast<float>(bits)));
  }
}

// Where sine or cosine is nearly 0, the reduction would lose all bits if it were done in one step.
TEST(Rotation, is_right_next_to_quarter_turns) {
  for (int quarters = 1; quarters < 600'000; quarters += quarters < 1000 ? 1 : 997) {
    const auto angle = static_cast<float>(1.57079632679489661923 * quarters);
    for (const float near : {angle, std::nextafter(angle, 0.0F), std::nextafter(angle, 1e7F)}) {
      ASSERT_TRUE(is_right(near));
      ASSERT_TRUE(is_right(-near));
    }
  }
}

TEST(Rotation, by_zero_is_the_identity) {
  EXPECT_EQ(Rotation::by(0.0F), (Rotation{1.0F, 0.0F}));
  EXPECT_EQ(Rotation::by(-0.0F), Rotation{});
  const float least = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(Rotation::by(least), (Rotation{1.0F, least}));
}

TEST(Rotation, goes_from_x_to_y) {
  const Rotation eighth = Rotation::by(0.785398163F);
  EXPECT_FLOAT_EQ(eighth.cos, 0.707106781F);
  EXPECT_FLOAT_EQ(eighth.sin, 0.707106781F);
}

TEST(Rotation, by_the_opposite_angle_is_its_mirror_image) {
  for (float angle = 0.001F; angle < 1e6F; angle *= 1.37F) {
    const Rotation there = Rotation::by(angle);
    EXPECT_EQ(Rotation::by(-angle), (Rotation{there.cos, -there.sin})) << angle;
  }
}

TEST(Rotation, is_a_rotation_however_large_the_angle) {
  for (float angle = 1e6F; angle < 3e38F; angle *= 1.7F) {
    const Rotation rotation = Rotation::by(angle);
    EXPECT_NEAR(rotation.cos * rotation.cos + rotation.sin * rotation.sin, 1.0F, 2e-7F) << angle;
  }
}

TEST(Rotation, by_a_non_finite_angle_is_the_identity) {
  EXPECT_EQ(Rotation::by(std::numeric_limits<float>::quiet_NaN()), Rotation{});
  EXPECT_EQ(Rotation::by(std::numeric_limits<float>::infinity()), Rotation{});
  EXPECT_EQ(Rotation::by(-std::numeric_limits<float>::infinity()), Rotation{});
}

// The same bits on every machine: a hash over many angles.
TEST(Rotation, has_the_same_bits_everywhere) {
  std::uint64_t hash = 14695981039346656037U;
  for (float angle = 1e-6F; angle < 1e7F; angle *= 1.0001F) {
    const Rotation rotation = Rotation::by(angle);
    for (const float value : {rotation.cos, rotation.sin}) {
      hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 1099511628211U;
    }
  }
  EXPECT_EQ(hash, 1128959295193474372U);
}

}  // namespace
}  // namespace broadside::transform_test
