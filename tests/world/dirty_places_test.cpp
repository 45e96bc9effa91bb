#include "world/dirty_places.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"

namespace broadside::test {
namespace {

TEST(DirtyPlaces, are_a_set_that_is_emptied_at_once) {
  Random random(3);
  DirtyPlaces dirty;
  std::size_t end = 0;
  for (int round = 0; round < 500; ++round) {
    end += random.below(20);
    dirty.reset(end);
    std::set<BoxIndex> expected;
    std::vector<BoxIndex> order;
    for (std::uint32_t i = 0; i < random.below(30) && end > 0; ++i) {
      const BoxIndex place = random.below(static_cast<std::uint32_t>(end));
      dirty.add(place);
      if (expected.insert(place).second) {
        order.push_back(place);
      }
    }
    ASSERT_EQ(std::vector<BoxIndex>(dirty.places().begin(), dirty.places().end()), order);
    for (BoxIndex place = 0; place < end; ++place) {
      ASSERT_EQ(dirty.contains(place), expected.contains(place));
    }
    ASSERT_GE(dirty.bytes(), end + order.size() * sizeof(BoxIndex));
  }
}

}  // namespace
}  // namespace broadside::test
