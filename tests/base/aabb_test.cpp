#include "broadside/base/aabb.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "boxes.hpp"

namespace broadside::aabb_test {
namespace {

using test::Random;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float most = std::numeric_limits<float>::max();
constexpr float least = std::numeric_limits<float>::denorm_min();

constexpr Aabb unit{{0.0F, 0.0F}, {1.0F, 1.0F}};

constexpr bool overlap_both_ways(const Aabb& a, const Aabb& b) {
  return overlaps(a, b) && overlaps(b, a);
}
constexpr bool apart_both_ways(const Aabb& a, const Aabb& b) {
  return !overlaps(a, b) && !overlaps(b, a);
}

static_assert(overlap_both_ways(unit, unit));
static_assert(is_valid(unit));

TEST(Aabb, overlaps_when_areas_intersect) {
  EXPECT_TRUE(overlap_both_ways(unit, {{0.5F, 0.5F}, {2.0F, 2.0F}}));
  EXPECT_TRUE(overlap_both_ways(unit, {{-1.0F, -1.0F}, {2.0F, 2.0F}})) << "one inside the other";
  EXPECT_TRUE(overlap_both_ways(unit, {{0.4F, -1.0F}, {0.6F, 2.0F}})) << "a cross, no corner inside";
}

TEST(Aabb, touching_edges_and_corners_overlap) {
  EXPECT_TRUE(overlap_both_ways(unit, {{1.0F, 0.0F}, {2.0F, 1.0F}}));
  EXPECT_TRUE(overlap_both_ways(unit, {{0.0F, 1.0F}, {1.0F, 2.0F}}));
  EXPECT_TRUE(overlap_both_ways(unit, {{1.0F, 1.0F}, {2.0F, 2.0F}}));
  EXPECT_TRUE(overlap_both_ways(unit, {{-1.0F, 1.0F}, {0.0F, 2.0F}}));
}

TEST(Aabb, does_not_overlap_beyond_each_of_the_four_sides) {
  const float beyond = std::nextafter(1.0F, 2.0F);
  EXPECT_TRUE(apart_both_ways(unit, {{beyond, 0.0F}, {2.0F, 1.0F}}));
  EXPECT_TRUE(apart_both_ways(unit, {{0.0F, beyond}, {1.0F, 2.0F}}));
  EXPECT_TRUE(apart_both_ways(unit, {{-1.0F, 0.0F}, {-least, 1.0F}}));
  EXPECT_TRUE(apart_both_ways(unit, {{0.0F, -1.0F}, {1.0F, -least}}));
}

TEST(Aabb, points_and_segments_overlap_what_they_lie_on) {
  EXPECT_TRUE(overlap_both_ways(unit, {{1.0F, 1.0F}, {1.0F, 1.0F}}));
  EXPECT_TRUE(overlap_both_ways(unit, {{0.5F, -3.0F}, {0.5F, 3.0F}}));
  EXPECT_TRUE(overlap_both_ways({{2.0F, 3.0F}, {2.0F, 3.0F}}, {{2.0F, 3.0F}, {2.0F, 3.0F}}));
  EXPECT_TRUE(apart_both_ways({{2.0F, 3.0F}, {2.0F, 3.0F}}, {{2.0F, 3.5F}, {2.0F, 3.5F}}));
}

TEST(Aabb, negative_zero_counts_as_zero) {
  EXPECT_TRUE(overlap_both_ways({{-1.0F, -1.0F}, {-0.0F, -0.0F}}, {{0.0F, 0.0F}, {1.0F, 1.0F}}));
  EXPECT_TRUE(is_valid(Aabb{{0.0F, 0.0F}, {-0.0F, -0.0F}}));
}

TEST(Aabb, overlaps_at_the_ends_of_the_float_range) {
  const Aabb everything{{-most, -most}, {most, most}};
  EXPECT_TRUE(overlap_both_ways(everything, {{most, most}, {most, most}}));
  EXPECT_TRUE(apart_both_ways({{-most, 0.0F}, {0.0F, 0.0F}}, {{least, 0.0F}, {most, 0.0F}}));
}

TEST(Aabb, contains_its_edges_and_nothing_beyond) {
  EXPECT_TRUE(contains(unit, {0.5F, 0.5F}));
  EXPECT_TRUE(contains(unit, {0.0F, 1.0F}));
  EXPECT_FALSE(contains(unit, {-least, 0.5F}));
  EXPECT_FALSE(contains(unit, {0.5F, -least}));
  EXPECT_FALSE(contains(unit, {std::nextafter(1.0F, 2.0F), 0.5F}));
  EXPECT_FALSE(contains(unit, {0.5F, std::nextafter(1.0F, 2.0F)}));
}

TEST(Aabb, encloses_the_boxes_whose_corners_it_contains) {
  Random random(1);
  std::size_t enclosed = 0;
  for (int round = 0; round < 100000; ++round) {
    const auto drawn = [&random] {
      const Vec2 a{random.between(-2, 2), random.between(-2, 2)};
      const Vec2 b{random.between(-2, 2), random.between(-2, 2)};
      const bool on_lattice = random.below(2) == 0;
      const auto at = [&](float x) { return on_lattice ? std::round(x) : x; };
      return Aabb{{at(std::min(a.x, b.x)), at(std::min(a.y, b.y))},
                  {at(std::max(a.x, b.x)), at(std::max(a.y, b.y))}};
    };
    const Aabb outer = drawn();
    const Aabb inner = drawn();
    const bool has_corners = contains(outer, inner.min) && contains(outer, inner.max);
    ASSERT_EQ(encloses(outer, inner), has_corners);
    ASSERT_EQ(encloses(outer, inner), merge(outer, inner) == outer);
    enclosed += has_corners ? 1U : 0U;
  }
  EXPECT_GT(enclosed, 5000U);
  EXPECT_FALSE(encloses(unit, {{std::nanf(""), 0.5F}, {0.5F, 0.5F}}));
}

TEST(Aabb, merge_is_the_smallest_box_around_both) {
  const Aabb a{{0.0F, -4.0F}, {5.0F, 1.0F}};
  const Aabb b{{-2.0F, 3.0F}, {1.0F, 9.0F}};
  const Aabb around{{-2.0F, -4.0F}, {5.0F, 9.0F}};
  EXPECT_EQ(merge(a, b), around);
  EXPECT_EQ(merge(b, a), around);
  EXPECT_EQ(merge(a, a), a);
  EXPECT_EQ(merge(around, a), around);
}

TEST(Aabb, each_bad_number_makes_a_box_invalid) {
  for (const test::BadBox& bad : test::bad_boxes()) {
    EXPECT_FALSE(is_valid(bad.box)) << bad.name;
    EXPECT_EQ(is_finite(bad.box), bad.code == ErrorCode::inverted_box) << bad.name;
  }
}

TEST(Aabb, zero_size_is_valid) {
  EXPECT_TRUE(is_valid(Aabb{}));
  EXPECT_TRUE(is_valid(Aabb{{7.0F, 7.0F}, {7.0F, 8.0F}}));
  EXPECT_TRUE(is_valid(Aabb{{-most, -most}, {most, most}}));
}

TEST(IsFinite, knows_every_class_of_float) {
  for (const float finite : {0.0F, -0.0F, least, -least, std::bit_cast<float>(0x007FFFFFU),
                             std::numeric_limits<float>::min(), 1.0F, -1.5F, most, -most}) {
    EXPECT_TRUE(is_finite(finite)) << finite;
  }
  for (const float other : {infinity, -infinity, nan, -nan, std::numeric_limits<float>::signaling_NaN(),
                            std::bit_cast<float>(0x7F800001U), std::bit_cast<float>(0xFFFFFFFFU)}) {
    EXPECT_FALSE(is_finite(other)) << std::bit_cast<std::uint32_t>(other);
  }
}

// The rule in terms of exponents: NaN and infinity, and nothing else, have the largest one.
TEST(IsFinite, agrees_with_the_exponent_over_all_bit_patterns) {
  constexpr std::uint64_t stride = 1021;
  for (std::uint64_t bits = 0; bits <= 0xFFFFFFFFU; bits += stride) {
    const auto pattern = static_cast<std::uint32_t>(bits);
    const std::uint32_t exponent = (pattern >> 23U) & 0xFFU;
    ASSERT_EQ(is_finite(std::bit_cast<float>(pattern)), exponent < 255U) << pattern;
  }
}

}  // namespace
}  // namespace broadside::aabb_test
