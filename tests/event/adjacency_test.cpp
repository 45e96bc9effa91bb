#include "event/adjacency.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"

namespace broadside::test::adjacency_test {
namespace {

TEST(Adjacency, lists_the_contacts_of_each_box_and_counts_its_bytes) {
  Random random(31);
  Adjacency adjacency;
  std::size_t most = 0;
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t boxes = 2 + random.below(60);
    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < boxes; ++a) {
      for (std::uint32_t b = a + 1; b < boxes; ++b) {
        if (random.below(5) == 0) {
          pairs.push_back({a, b});
        }
      }
    }
    adjacency.make([&](auto visit) {
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        visit(pairs[i], static_cast<Adjacency::At>(i));
      }
    });
    std::size_t end = 0;
    for (BoxIndex box = 0; box < boxes + 3; ++box) {
      std::vector<std::pair<BoxIndex, Adjacency::At>> expected;  // by the other box
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (pairs[i].a == box || pairs[i].b == box) {
          expected.emplace_back(pairs[i].a == box ? pairs[i].b : pairs[i].a, static_cast<Adjacency::At>(i));
          end = std::max<std::size_t>(end, pairs[i].b + 1);
        }
      }
      std::sort(expected.begin(), expected.end());
      const auto found = adjacency.of(box);
      ASSERT_EQ(found.size(), expected.size()) << box;
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i], expected[i].second) << box;
      }
    }
    most = std::max(most, end + 2 * pairs.size());  // numbers of 4 bytes
    ASSERT_GE(adjacency.bytes(), 4 * (end + 2 * pairs.size()));
    ASSERT_LE(adjacency.bytes(), 2 * 4 * (most + 120));
  }
}

}  // namespace
}  // namespace broadside::test::adjacency_test
