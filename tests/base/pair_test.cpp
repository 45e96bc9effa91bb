#include "broadside/base/pair.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace broadside::pair_test {
namespace {

TEST(Pair, ordered_pair_puts_the_smaller_index_first) {
  EXPECT_EQ(ordered_pair(3, 8), (Pair{3, 8}));
  EXPECT_EQ(ordered_pair(8, 3), (Pair{3, 8}));
  EXPECT_EQ(ordered_pair(0, 0xFFFFFFFFU), (Pair{0, 0xFFFFFFFFU}));
}

TEST(Pair, sort_pairs_sorts_by_a_then_b) {
  std::vector<Pair> pairs{{2, 3}, {0, 9}, {2, 1}, {0, 4}, {1, 1}};
  sort_pairs(pairs);
  EXPECT_EQ(pairs, (std::vector<Pair>{{0, 4}, {0, 9}, {1, 1}, {2, 1}, {2, 3}}));
}

TEST(Pair, sort_pairs_takes_an_empty_list) {
  std::vector<Pair> pairs;
  sort_pairs(pairs);
  EXPECT_TRUE(pairs.empty());
}

}  // namespace
}  // namespace broadside::pair_test
