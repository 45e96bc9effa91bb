// `PairFinder`, pairs without those of two static boxes, and pairs of few boxes and many.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/broad_phase/find_pairs.hpp"

namespace broadside::test::pair_finder_test {
namespace {

std::vector<Aabb> draw_boxes(Random& random) {
  return test::draw_boxes(random, random.below(8) == 0 ? 3000 : 300);
}

/// Returns a flag for each of n boxes; none, few, half, most or all are static.
std::vector<std::uint8_t> draw_flags(Random& random, std::size_t n) {
  const float share = static_cast<float>(random.below(5)) / 4.0F;
  std::vector<std::uint8_t> flags(n);
  std::generate(flags.begin(), flags.end(), [&] {
    return random.unit() < share ? static_cast<std::uint8_t>(1 + random.below(255)) : std::uint8_t{0};
  });
  return flags;
}

std::vector<Pair> sorted(std::vector<Pair> pairs) {
  sort_pairs(pairs);
  return pairs;
}

TEST(PairFinder, returns_what_find_pairs_returns_whatever_came_before) {
  Random random(71);
  PairFinder finder;
  std::size_t errors = 0;
  for (int call = 0; call < 600; ++call) {
    auto left = draw_boxes(random);
    const auto right = draw_boxes(random);
    if (!left.empty() && random.below(10) == 0) {
      const auto bad = bad_boxes();
      left[random.below(static_cast<std::uint32_t>(left.size()))] =
          bad[random.below(static_cast<std::uint32_t>(bad.size()))].box;
    }
    const auto flags = random.below(3) == 0
                           ? draw_flags(random, left.size() + (random.below(20) == 0 ? 1 : 0))
                           : std::vector<std::uint8_t>();
    FindPairsOptions options{
        .sorted = random.below(2) == 0, .threads = 1 + random.below(3), .is_static = flags};
    if (random.below(4) == 0) {
      options.max_pairs = random.below(1000);
    }
    const bool between = random.below(3) == 0;
    const auto expected = between ? find_pairs(left, right, options) : find_pairs(left, options);
    const auto found = between ? finder.find_pairs(left, right, options) : finder.find_pairs(left, options);
    ASSERT_EQ(found.error().code, expected.error().code) << "call " << call;
    ASSERT_EQ(found.error().message, expected.error().message) << "call " << call;
    if (!expected.has_value()) {
      ++errors;
      continue;
    }
    ASSERT_TRUE(std::equal(found->begin(), found->end(), expected->begin(), expected->end()))
        << "call " << call;
    if (options.sorted) {
      ASSERT_TRUE(std::is_sorted(found->begin(), found->end())) << "call " << call;
    }
    if (random.below(16) == 0) {
      PairFinder moved(std::move(finder));
      finder = random.below(2) == 0 ? std::move(moved) : PairFinder();
    }
  }
  EXPECT_GT(errors, 20U);
}

TEST(PairFinder, allocates_only_if_it_has_to_grow) {
  Random random(72);
  for (const BoxMaker& maker : box_makers()) {
    PairFinder finder;
    const auto boxes = maker.make(2000, random);
    const auto others = maker.make(700, random);
    const auto flags = draw_flags(random, boxes.size());
    const auto find = [&] {
      ASSERT_TRUE(finder.find_pairs(boxes, {.sorted = true}).has_value());
      ASSERT_TRUE(finder.find_pairs(boxes, {.is_static = flags}).has_value());
      ASSERT_TRUE(finder.find_pairs(boxes, others, {.sorted = true}).has_value());
    };
    find();
    const SharedAllocationLimit none(0, Failing::from_there_on);
    find();
    ASSERT_FALSE(none.struck()) << maker.name;
  }
}

TEST(FindPairsOfStaticBoxes, are_all_but_those_of_two_static_boxes) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const auto boxes = draw_boxes(random);
    const auto flags = draw_flags(random, boxes.size());
    auto expected = sorted(find_pairs(boxes).value());
    std::erase_if(expected, [&](Pair pair) { return flags[pair.a] != 0 && flags[pair.b] != 0; });
    const std::size_t threads = seed % 4 == 0 ? 2 + random.below(2) : 1;  // starting threads takes longest
    ASSERT_EQ(sorted(find_pairs(boxes, {.threads = threads, .is_static = flags}).value()), expected)
        << "seed " << seed;
    ASSERT_EQ(find_pairs(boxes, {.sorted = true, .max_pairs = expected.size(), .is_static = flags}).value(),
              expected)
        << "seed " << seed;
  }
}

TEST(FindPairsOfStaticBoxes, refuse_flags_of_another_number_and_of_two_sets) {
  for (std::size_t n = 0; n < 6; ++n) {
    for (std::size_t flag_count = 1; flag_count < 6; ++flag_count) {
      const std::vector<Aabb> boxes(n, Aabb{{0, 0}, {1, 1}});
      const std::vector<std::uint8_t> flags(flag_count);
      const auto found = find_pairs(boxes, {.is_static = flags});
      ASSERT_EQ(found.error().code, n == flag_count ? ErrorCode::none : ErrorCode::invalid_argument);
      if (n != flag_count) {
        ASSERT_TRUE(mentions(found.error().message,
                             std::to_string(flag_count) + " values for " + std::to_string(n) + " boxes"))
            << found.error().message;
      }
      ASSERT_EQ(find_pairs(boxes, boxes, {.is_static = flags}).error().code, ErrorCode::invalid_argument);
    }
  }
}

TEST(FindPairsOfTwoSets, few_and_many_have_the_pairs_that_overlap) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const auto few = draw_boxes(random, 9);
    const auto many = draw_boxes(random, 2000);
    std::vector<Pair> expected;
    for (std::size_t a = 0; a < few.size(); ++a) {
      for (std::size_t b = 0; b < many.size(); ++b) {
        if (overlaps(few[a], many[b])) {
          expected.push_back({static_cast<BoxIndex>(a), static_cast<BoxIndex>(b)});
        }
      }
    }
    ASSERT_EQ(find_pairs(few, many, {.sorted = true}).value(), expected) << "seed " << seed;
    for (Pair& pair : expected) {
      std::swap(pair.a, pair.b);
    }
    sort_pairs(expected);
    ASSERT_EQ(find_pairs(many, few, {.sorted = true}).value(), expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace broadside::test::pair_finder_test
