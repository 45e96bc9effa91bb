#include "broadside/base/pair_sorter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace broadside::pair_sorter_test {
namespace {

TEST(PairSorter, sorts_like_std_sort) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same pairs in each run
  PairSorter sorter;
  for (const std::size_t boxes : {1U, 2U, 10U, 1000U, 100'000U}) {
    for (const std::size_t count : {0U, 1U, 10U, 1000U, 50'000U}) {
      std::vector<Pair> pairs(count);
      for (Pair& pair : pairs) {
        const auto draw = [&] { return static_cast<BoxIndex>(random() % boxes); };
        pair = ordered_pair(draw(), count % 2 == 0 ? draw() : draw() / 100);  // also many pairs of one box
      }
      std::vector<Pair> expected = pairs;
      std::sort(expected.begin(), expected.end());
      sorter.sort(pairs, boxes);
      EXPECT_EQ(pairs, expected) << boxes << " boxes, " << count << " pairs";
    }
  }
}

// As for pairs of two sets: only the first index of a pair is below the number of boxes.
TEST(PairSorter, accepts_any_second_index) {
  PairSorter sorter;
  for (const BoxIndex highest : {BoxIndex{5}, BoxIndex{1} << 21U, ~BoxIndex{0}}) {
    std::vector<Pair> pairs = {{9000, highest}, {9000, 1}, {3, highest - 1}, {0, highest}, {3, 2}};
    std::vector<Pair> expected = pairs;
    std::sort(expected.begin(), expected.end());
    sorter.sort(pairs, 1'000'000);
    EXPECT_EQ(pairs, expected) << "up to " << highest;
  }
}

TEST(PairSorter, merges_unsorted_pairs_behind_sorted_ones) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same pairs in each run
  PairSorter sorter;
  for (const std::size_t count : {1U, 10U, 1000U, 50'000U}) {
    for (const std::size_t share : {1U, 3U, 5U, 10U, 100U}) {
      std::vector<Pair> pairs(count);
      for (Pair& pair : pairs) {
        pair = ordered_pair(static_cast<BoxIndex>(random() % count), static_cast<BoxIndex>(random() % count));
      }
      std::sort(pairs.begin(), pairs.end() - static_cast<std::ptrdiff_t>(count / share));
      std::vector<Pair> expected = pairs;
      std::sort(expected.begin(), expected.end());
      sorter.sort(pairs, count);
      EXPECT_EQ(pairs, expected) << count << " pairs, one in " << share << " behind";
    }
  }
}

}  // namespace
}  // namespace broadside::pair_sorter_test
