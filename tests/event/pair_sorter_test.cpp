#include "broadside/event/pair_sorter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace broadside {
namespace {

TEST(PairSorter, sorts_as_comparing_does) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same pairs in each run
  PairSorter sorter;
  for (const std::size_t boxes : {1U, 2U, 10U, 1000U, 100'000U}) {
    for (const std::size_t count : {0U, 1U, 10U, 1000U, 50'000U}) {
      std::vector<Pair> pairs(count);
      for (Pair& pair : pairs) {
        const auto draw = [&] { return static_cast<BoxIndex>(random() % boxes); };
        pair = ordered_pair(draw(), count % 2 == 0 ? draw() : draw() / 100);  // many of one box, too
      }
      std::vector<Pair> expected = pairs;
      std::sort(expected.begin(), expected.end());
      sorter.sort(pairs, boxes);
      EXPECT_EQ(pairs, expected) << boxes << " boxes, " << count << " pairs";
    }
  }
}

}  // namespace
}  // namespace broadside
