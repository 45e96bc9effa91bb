#include "broadside/base/pair_sorter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace broadside::pair_sorter_test {
namespace {

TEST(PairSorter, sorts_like_std_sort) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same pairs in each run
  PairSorter sorter;
  for (const unsigned bits_of_a : {0U, 1U, 4U, 10U, 11U, 17U, 32U}) {
    for (const unsigned bits_of_b : {0U, 1U, 5U, 12U, 17U, 32U}) {
      for (const std::size_t count : {0U, 1U, 10U, 256U, 257U, 1000U, 20'000U}) {
        const auto draw = [&](unsigned bits) {
          return static_cast<BoxIndex>(std::uint64_t{random()} & ((std::uint64_t{1} << bits) - 1));
        };
        std::vector<Pair> pairs(count);
        for (Pair& pair : pairs) {
          pair = {draw(bits_of_a), draw(bits_of_b)};
        }
        std::vector<Pair> expected = pairs;
        std::sort(expected.begin(), expected.end());
        sorter.sort(pairs);
        ASSERT_EQ(pairs, expected) << count << " pairs, a with " << bits_of_a << " bits, b with "
                                   << bits_of_b;
      }
    }
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
      sorter.sort(pairs);
      EXPECT_EQ(pairs, expected) << count << " pairs, one in " << share << " behind";
    }
  }
}

}  // namespace
}  // namespace broadside::pair_sorter_test
