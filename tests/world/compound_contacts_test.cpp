#include "world/compound_contacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <set>
#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"

namespace broadside::test::compound_contacts_test {
namespace {

using Place = BodyTable::Place;

/// Bodies of drawn numbers of shapes, whose places are mixed.
struct Bodies {
  BodyTable table{1};
  std::vector<Place> owners;  ///< by place

  explicit Bodies(Random& random) {
    const std::uint32_t most = random.below(5) == 0 ? 1 : 1 + random.below(6);
    for (std::uint32_t bodies = 2 + random.below(12); bodies > 0; --bodies) {
      add(1 + random.below(most));
      if (random.below(3) == 0) {  // its places are used again, the last one first
        table.reserve_free(table.places());
        remove_one(random);
        add(1 + random.below(most));
      }
    }
  }

  void add(std::uint32_t shapes) {
    BodyDef body{.shape = Circle{}};
    body.more_shapes.assign(shapes - 1, Circle{});
    table.reserve({&body, 1}, shapes);
    std::vector<Place> free(table.free_places().begin(), table.free_places().end());
    std::vector<Place> places;
    while (places.size() < shapes) {
      if (free.empty()) {
        places.push_back(static_cast<Place>(owners.size()));
        owners.push_back(0);
      } else {
        places.push_back(free.back());
        free.pop_back();
      }
    }
    for (const Place place : places) {
      owners[place] = places.front();
    }
    table.add(body, {.used = true}, places);
  }

  void remove_one(Random& random) {
    std::vector<Place> all;
    table.for_each_body([&](Place body) { all.push_back(body); });
    table.remove(all[random.below(static_cast<std::uint32_t>(all.size()))]);
  }
};

/// Returns contacts of shapes of different bodies, each pair at most once, in any order.
std::vector<Contact> drawn_contacts(const Bodies& bodies, Random& random) {
  std::set<Pair> pairs;
  std::vector<Contact> contacts;
  const auto places = static_cast<std::uint32_t>(bodies.owners.size());
  for (std::uint32_t i = random.below(60); i > 0; --i) {
    const Pair pair = ordered_pair(random.below(places), random.below(places));
    const bool is_used = bodies.table.slot(pair.a).used && bodies.table.slot(pair.b).used;
    if (!is_used || bodies.owners[pair.a] == bodies.owners[pair.b] || !pairs.insert(pair).second) {
      continue;
    }
    Manifold manifold;
    manifold.normal = {random.between(-1, 1), random.between(-1, 1)};
    manifold.size = 1 + random.below(2);
    for (std::uint32_t n = 0; n < manifold.size; ++n) {  // few values: some are equally deep
      manifold.points[n] = {
          {random.unit(), random.unit()}, -static_cast<float>(random.below(6)), random.bits()};
    }
    contacts.push_back({pair, manifold});
  }
  if (random.below(2) == 0) {
    std::ranges::sort(contacts, {}, &Contact::pair);
  }
  return contacts;
}

bool are_equal(const Contact& x, const Contact& y) {
  return x.pair == y.pair && x.manifold.normal == y.manifold.normal &&
         x.manifold.points == y.manifold.points && x.manifold.size == y.manifold.size;
}
bool are_same(std::span<const Contact> contacts, const std::vector<Contact>& expected) {
  return std::ranges::equal(contacts, expected, are_equal);
}

/// Returns for each pair of bodies the deepest contact, of several the first, sorted by pair.
std::vector<Contact> merged_in_a_map(const Bodies& bodies, const std::vector<Contact>& of_shapes) {
  std::map<Pair, std::pair<float, Manifold>> deepest_of;
  for (const Contact& contact : of_shapes) {
    const Place a = bodies.owners[contact.pair.a];
    const Place b = bodies.owners[contact.pair.b];
    Manifold manifold = contact.manifold;
    if (a > b) {
      manifold.normal = {-manifold.normal.x, -manifold.normal.y};
    }
    const float depth = manifold.size == 1
                            ? manifold.points[0].separation
                            : std::min(manifold.points[0].separation, manifold.points[1].separation);
    const auto [known, is_new] = deepest_of.try_emplace({std::min(a, b), std::max(a, b)}, depth, manifold);
    if (!is_new && depth < known->second.first) {
      known->second = {depth, manifold};
    }
  }
  std::vector<Contact> contacts;
  for (const auto& [pair, deepest] : deepest_of) {
    contacts.push_back({pair, deepest.second});
  }
  return contacts;
}

TEST(CompoundContacts, are_the_deepest_of_each_two_bodies_over_any_calls) {
  int failed = 0;
  std::size_t merged = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const Bodies bodies(random);
    CompoundContacts compound(bodies.table);
    std::vector<Contact> last;
    for (int step = 0; step < 20; ++step) {
      if (random.below(10) == 0) {
        last = merged_in_a_map(bodies, drawn_contacts(bodies, random));
        std::vector<Contact> stored = last;
        const AllocationLimit none(0);
        compound.restore(std::move(stored));
      } else {
        const std::vector<Contact> of_shapes = drawn_contacts(bodies, random);
        const std::vector<Contact> expected = merged_in_a_map(bodies, of_shapes);
        for (std::size_t allowed = 0;; ++allowed) {
          try {
            const AllocationLimit limit(random.below(2) == 0 ? allowed : allowed + 1000);
            compound.merge(of_shapes);
            break;
          } catch (const std::bad_alloc&) {
            ++failed;
          }
          ASSERT_TRUE(are_same(compound.of_last_step(), last)) << "seed " << seed << ", step " << step;
        }
        ASSERT_TRUE(are_same(compound.merged(), expected)) << "seed " << seed << ", step " << step;
        merged += of_shapes.size() - expected.size();
        ASSERT_TRUE(are_same(compound.of_last_step(), last)) << "seed " << seed << ", step " << step;
        if (random.below(4) != 0) {  // else the step failed
          {
            const AllocationLimit none(0);
            compound.commit();
          }
          last = expected;
        }
      }
      ASSERT_TRUE(are_same(compound.of_last_step(), last)) << "seed " << seed << ", step " << step;
      ASSERT_GE(compound.bytes(), last.size() * sizeof(Contact));
    }
  }
  EXPECT_GT(failed, 1000);
  EXPECT_GT(merged, 10'000U);
}

// An array that grows requests at most twice the memory that it then holds.
TEST(CompoundContacts, count_the_bytes_that_they_allocate) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const Bodies bodies(random);
    CompoundContacts compound(bodies.table);
    EXPECT_EQ(compound.bytes(), 0U);
    std::size_t requested = 0;
    for (int step = 0; step < 6; ++step) {
      const std::vector<Contact> of_shapes = drawn_contacts(bodies, random);
      const MemoryWatch watch;
      compound.merge(of_shapes);
      compound.commit();
      requested += watch.bytes();
      ASSERT_LE(compound.bytes(), requested) << "seed " << seed;
      ASSERT_LE(requested, 2 * compound.bytes()) << "seed " << seed;
    }
    const std::size_t own = compound.bytes();
    const Contact contact{{0, 1}, {}};
    const std::vector<std::uint8_t> reassigned(2, 0);
    compound.log().prepare({&contact, 1}, {&contact.pair, 1}, reassigned);
    compound.log().commit();
    ASSERT_EQ(std::as_const(compound).log().size(), 1U);
    ASSERT_EQ(compound.bytes(), own + compound.log().bytes());
    ASSERT_GT(compound.log().bytes(), 0U);
  }
}

}  // namespace
}  // namespace broadside::test::compound_contacts_test
