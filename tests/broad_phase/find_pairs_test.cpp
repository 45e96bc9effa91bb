#include "broadside/broad_phase/find_pairs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "model.hpp"

namespace broadside::find_pairs_test {
namespace {

using test::mentions;

Aabb square(float x, float y, float side) {
  return {{x, y}, {x + side, y + side}};
}

TEST(FindPairs, finds_what_overlaps_and_what_touches) {
  const std::vector<Aabb> boxes{square(0.0F, 0.0F, 1.0F), square(2.0F, 0.0F, 1.0F), square(0.5F, 0.5F, 1.0F),
                                square(1.5F, 1.0F, 0.5F)};
  const auto pairs = find_pairs(boxes, {.sorted = true});
  ASSERT_TRUE(pairs.has_value());
  EXPECT_EQ(*pairs, (std::vector<Pair>{{0, 2}, {1, 3}, {2, 3}}));
}

TEST(FindPairs, of_nothing_is_nothing) {
  EXPECT_TRUE(find_pairs(std::span<const Aabb>()).value().empty());
  const std::vector<Aabb> one{square(0.0F, 0.0F, 1.0F)};
  EXPECT_TRUE(find_pairs(one).value().empty());
}

TEST(FindPairs, sorted_is_sorted_by_a_then_b) {
  const auto boxes = test::make_boxes("clustered", 300, 7);
  const auto pairs = find_pairs(boxes, {.sorted = true}).value();
  ASSERT_GT(pairs.size(), 100U);
  EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
  EXPECT_EQ(test::sorted_pairs_of(pairs), test::all_pairs(test::rects_of(boxes)));
}

TEST(FindPairs, order_is_fixed_by_the_boxes) {
  const auto boxes = test::make_boxes("mixed_sizes", 300, 7);
  EXPECT_EQ(find_pairs(boxes).value(), find_pairs(boxes).value());
}

TEST(FindPairs, limit_is_the_number_of_pairs_allowed) {
  const std::vector<Aabb> boxes(10, square(0.0F, 0.0F, 1.0F));
  EXPECT_EQ(find_pairs(boxes, {.max_pairs = 45}).value().size(), 45U);
  EXPECT_EQ(find_pairs(boxes, {.max_pairs = 46}).value().size(), 45U);
  for (const std::size_t limit : {0U, 1U, 44U}) {
    const auto cut = find_pairs(boxes, {.max_pairs = limit});
    ASSERT_FALSE(cut.has_value());
    EXPECT_EQ(cut.error().code, ErrorCode::too_many_pairs);
    EXPECT_TRUE(mentions(cut.error().message, " 45 pairs")) << cut.error().message;
    EXPECT_TRUE(mentions(cut.error().message, "limit of " + std::to_string(limit))) << cut.error().message;
  }
}

TEST(FindPairs, no_pairs_keep_to_a_limit_of_none) {
  const std::vector<Aabb> apart{square(0.0F, 0.0F, 1.0F), square(2.0F, 2.0F, 1.0F)};
  EXPECT_TRUE(find_pairs(apart, {.max_pairs = 0}).value().empty());
}

TEST(FindPairs, refuses_bad_boxes_and_names_the_first) {
  for (const test::BadBox& bad : test::bad_boxes()) {
    std::vector<Aabb> boxes(5, square(0.0F, 0.0F, 1.0F));
    boxes[3] = bad.box;
    const auto pairs = find_pairs(boxes);
    ASSERT_FALSE(pairs.has_value()) << bad.name;
    EXPECT_EQ(pairs.error().code, bad.code) << bad.name;
    EXPECT_TRUE(pairs.error().message.starts_with("box 3: ")) << pairs.error().message;
    EXPECT_TRUE(mentions(pairs.error().message, bad.field)) << pairs.error().message;
  }
}

TEST(FindPairsOfTwoSets, finds_pairs_of_one_and_the_other) {
  const std::vector<Aabb> left{square(0.0F, 0.0F, 1.0F), square(0.0F, 0.0F, 1.0F), square(9.0F, 9.0F, 1.0F)};
  const std::vector<Aabb> right{square(5.0F, 5.0F, 1.0F), square(1.0F, 1.0F, 1.0F)};
  const auto pairs = find_pairs(left, right, {.sorted = true});
  ASSERT_TRUE(pairs.has_value());
  EXPECT_EQ(*pairs, (std::vector<Pair>{{0, 1}, {1, 1}}))
      << "left ones overlap each other, which does not count";
}

TEST(FindPairsOfTwoSets, either_may_be_empty) {
  const std::vector<Aabb> some(3, square(0.0F, 0.0F, 1.0F));
  const std::span<const Aabb> empty;
  EXPECT_TRUE(find_pairs(some, empty).value().empty());
  EXPECT_TRUE(find_pairs(empty, some).value().empty());
  EXPECT_TRUE(find_pairs(empty, empty).value().empty());
}

TEST(FindPairsOfTwoSets, may_be_the_same_set_twice) {
  const std::vector<Aabb> boxes{square(0.0F, 0.0F, 1.0F), square(0.5F, 0.0F, 1.0F), square(7.0F, 0.0F, 1.0F)};
  const auto pairs = find_pairs(boxes, boxes, {.sorted = true}).value();
  EXPECT_EQ(pairs, (std::vector<Pair>{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}}));
}

TEST(FindPairsOfTwoSets, agrees_with_the_oracle_on_sets_of_different_kinds) {
  const auto small = test::make_boxes("scattered", 150, 11);
  const auto large = test::make_boxes("mixed_sizes", 90, 12);
  EXPECT_EQ(test::sorted_pairs_of(find_pairs(small, large).value()),
            test::pairs_between(test::rects_of(small), test::rects_of(large)));
  EXPECT_EQ(test::sorted_pairs_of(find_pairs(large, small).value()),
            test::pairs_between(test::rects_of(large), test::rects_of(small)));
}

TEST(FindPairsOfTwoSets, limit_counts_all_pairs) {
  const std::vector<Aabb> left(4, square(0.0F, 0.0F, 1.0F));
  const std::vector<Aabb> right(5, square(1.0F, 1.0F, 1.0F));
  EXPECT_EQ(find_pairs(left, right, {.max_pairs = 20}).value().size(), 20U);
  const auto cut = find_pairs(left, right, {.max_pairs = 19});
  ASSERT_FALSE(cut.has_value());
  EXPECT_EQ(cut.error().code, ErrorCode::too_many_pairs);
  EXPECT_TRUE(mentions(cut.error().message, " 20 pairs")) << cut.error().message;
}

TEST(FindPairsOfTwoSets, refuses_bad_boxes_and_names_the_side) {
  const std::vector<Aabb> good(3, square(0.0F, 0.0F, 1.0F));
  std::vector<Aabb> bad = good;
  bad[2].min.y = std::numeric_limits<float>::quiet_NaN();
  const auto left = find_pairs(bad, good);
  ASSERT_FALSE(left.has_value());
  EXPECT_EQ(left.error().code, ErrorCode::not_finite);
  EXPECT_TRUE(left.error().message.starts_with("left box 2: min_y")) << left.error().message;
  const auto right = find_pairs(good, bad);
  ASSERT_FALSE(right.has_value());
  EXPECT_TRUE(right.error().message.starts_with("right box 2: min_y")) << right.error().message;
}

// Around the widths of vectors, and around the threshold between few boxes and many.
TEST(FindPairs, any_number_of_boxes_from_0_to_70) {
  for (const test::BoxMaker& maker : test::box_makers()) {
    for (std::size_t n = 0; n <= 70; ++n) {
      test::Random random(500 + n);
      const auto boxes = maker.make(n, random);
      ASSERT_EQ(test::sorted_pairs_of(find_pairs(boxes).value()), test::all_pairs(test::rects_of(boxes)))
          << maker.name << ' ' << n;
    }
  }
}

// Sizes and places on both sides of the powers of two that separate the levels.
TEST(FindPairs, sizes_and_places_at_powers_of_two) {
  std::vector<Aabb> boxes;
  for (int exponent = -12; exponent <= 12; ++exponent) {
    const float power = std::ldexp(1.0F, exponent);
    for (const float size : {std::nextafter(power, 0.0F), power, std::nextafter(power, 2.0F * power)}) {
      for (const float x : {-power, 0.0F, power, std::nextafter(power, 0.0F)}) {
        boxes.push_back(square(x, x, size));
        boxes.push_back(square(x - size, 3.0F * x, size));
      }
    }
  }
  EXPECT_EQ(test::sorted_pairs_of(find_pairs(boxes).value()), test::all_pairs(test::rects_of(boxes)));
}

TEST(FindPairs, more_different_x_than_a_float_has_digits_for) {
#if defined(BROADSIDE_UNDER_SANITIZER)
  GTEST_SKIP() << "needs a gigabyte without a sanitizer";
#else
  constexpr std::uint32_t n = (1U << 24U) + 1000U;
  const auto at = [](std::uint32_t i) { return std::bit_cast<float>(0x3F800000U + i); };
  std::vector<Aabb> boxes(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    boxes[i] = {{at(i), 0.0F}, {at(i + 1), 0.0F}};  // each touches the next
  }
  const auto pairs = find_pairs(boxes, {.sorted = true}).value();
  ASSERT_EQ(pairs.size(), n - 1U);
  for (std::uint32_t i = 0; i + 1 < n; ++i) {
    ASSERT_EQ(pairs[i], (Pair{i, i + 1}));
  }
#endif
}

}  // namespace
}  // namespace broadside::find_pairs_test
