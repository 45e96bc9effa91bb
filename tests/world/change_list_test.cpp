#include "world/change_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"

namespace broadside::test::change_list_test {
namespace {

using Place = ChangeList::Place;
using Replaced = ChangeList::Replaced;

/// The expected contents of a list of changes.
struct Known {
  std::map<Place, std::uint32_t> bits;
  std::set<Place> box_outdated;
  std::map<Place, Replaced> replaced;
};

void expect_same(const ChangeList& list, const Known& known, std::size_t places) {
  std::vector<Place> changed(list.changed().begin(), list.changed().end());
  std::sort(changed.begin(), changed.end());
  std::vector<Place> expected;
  for (const auto& [place, bits] : known.bits) {
    expected.push_back(place);
  }
  ASSERT_EQ(changed, expected);
  for (Place place = 0; place < places; ++place) {
    const auto found = known.bits.find(place);
    const std::uint32_t bits = found == known.bits.end() ? 0 : found->second;
    ASSERT_EQ(list.bits(place), bits);
    ASSERT_EQ(list.bits()[place] & 31U, bits);
    for (std::uint8_t bit = 1; bit <= ChangeList::sensor_changed; bit = static_cast<std::uint8_t>(2 * bit)) {
      ASSERT_EQ(list.has(place, bit), (bits & bit) != 0);
      ASSERT_EQ(list.has(Pair{place, 0}, bit), ((bits | list.bits(0)) & bit) != 0);
    }
    const Replaced* replaced = list.find_replaced(place);
    const auto before = known.replaced.find(place);
    ASSERT_EQ(replaced != nullptr, before != known.replaced.end()) << "place " << place;
    if (replaced != nullptr) {
      ASSERT_EQ(replaced->generation, before->second.generation);
      ASSERT_EQ(replaced->tag, before->second.tag);
    }
  }
  const std::vector<Replaced> in_order = list.replaced_in_order();
  ASSERT_EQ(in_order.size(), known.replaced.size());
  ASSERT_EQ(list.replaced().size(), known.replaced.size());
  ASSERT_EQ(list.bits_if_renewed().empty(), known.replaced.empty());
  auto next = in_order.begin();
  for (const auto& [place, body] : known.replaced) {
    ASSERT_EQ((next++)->place, place);
  }
}

TEST(ChangeList, lists_what_was_marked_since_it_was_cleared) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    ChangeList list;
    Known known;
    std::size_t places = 0;
    for (int step = 0; step < 400; ++step) {
      const std::uint32_t action = random.below(20);
      if (places == 0 || action == 0) {
        places += 1 + random.below(5);
        list.reserve(places);
        list.grow_to(places);
        continue;
      }
      const Place place = random.below(static_cast<std::uint32_t>(places));
      if (action < 12) {
        const auto bits = static_cast<std::uint8_t>(1 + random.below(31));
        const bool was_boxed = known.box_outdated.count(place) == 0;
        ASSERT_EQ(list.mark(place, bits), (bits & ChangeList::box_outdated) != 0 && was_boxed);
        known.bits[place] |= bits;
        if ((bits & ChangeList::box_outdated) != 0) {
          known.box_outdated.insert(place);
        }
      } else if (action < 15) {
        if (!list.has(place, ChangeList::reassigned)) {
          const std::uint32_t generation = random.below(1000);
          const Replaced body{place, generation, random.below(10)};
          list.reserve_replaced(1);
          list.add_replaced(body);
          list.mark(place, ChangeList::reassigned);
          known.replaced[place] = body;
          known.bits[place] |= ChangeList::reassigned;
        }
      } else if (action == 15 && known.bits.count(place) != 0) {
        list.unmark_moved(place);
        known.bits[place] &= ~std::uint32_t{ChangeList::moved};
      } else if (action == 16) {
        list.clear();
        known.bits.clear();
        known.replaced.clear();
      } else if (action == 17) {
        const std::span<const Place> box_outdated = list.unboxed_places();
        ASSERT_TRUE(std::equal(box_outdated.begin(), box_outdated.end(), known.box_outdated.begin(),
                               known.box_outdated.end()));
        list.clear_unboxed();
        ASSERT_TRUE(list.unboxed_places().empty());
        known.box_outdated.clear();
      }
      ASSERT_NO_FATAL_FAILURE(expect_same(list, known, places)) << "seed " << seed << ", step " << step;
    }
    EXPECT_GE(list.bytes(), places);
  }
}

TEST(ChangeList, allocates_nothing_for_places_that_were_reserved) {
  constexpr Place places = 100;
  ChangeList list;
  list.reserve(places);
  list.grow_to(places);
  list.reserve_replaced(places);
  const AllocationWatch watch;
  for (int step = 0; step < 3; ++step) {
    for (Place place = places; place-- > 0;) {
      list.add_replaced({place, 1, 0});
      list.mark(place, ChangeList::reassigned | ChangeList::box_outdated);
    }
    static_cast<void>(list.unboxed_places());
    list.clear_unboxed();
    list.clear();
  }
  EXPECT_EQ(watch.count(), 0U);
}

}  // namespace
}  // namespace broadside::test::change_list_test
