#include "world/place_set.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"

namespace broadside::test::place_set_test {
namespace {

TEST(PlaceSet, holds_each_place_once_and_is_emptied_at_once) {
  Random random(3);
  PlaceSet set;
  std::size_t end = 0;
  for (int round = 0; round < 500; ++round) {
    end += random.below(20);
    set.reset(end);
    std::set<BoxIndex> expected;
    std::vector<BoxIndex> order;
    for (std::uint32_t i = 0; i < random.below(30) && end > 0; ++i) {
      const BoxIndex place = random.below(static_cast<std::uint32_t>(end));
      const bool is_new = expected.insert(place).second;
      ASSERT_EQ(set.add(place), is_new);
      if (is_new) {
        order.push_back(place);
      }
    }
    ASSERT_EQ(std::vector<BoxIndex>(set.places().begin(), set.places().end()), order);
    for (BoxIndex place = 0; place < end; ++place) {
      ASSERT_EQ(set.contains(place), expected.contains(place));
    }
    ASSERT_GE(set.bytes(), end + order.size() * sizeof(BoxIndex));
    ASSERT_FALSE(set.is_all());
    if (random.below(3) == 0) {
      set.set_all();
      ASSERT_TRUE(set.is_all());
      for (BoxIndex place = 0; place < end; ++place) {
        ASSERT_TRUE(set.contains(place));
      }
    }
  }
}

}  // namespace
}  // namespace broadside::test::place_set_test
