#include "world/extra_contacts.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"

namespace broadside::test::extra_contacts_test {
namespace {

Pair drawn_pair(Random& random) {
  const BoxIndex a = random.below(20);
  return {a, a + 1 + random.below(5)};
}

TEST(ExtraContacts, are_sorted_by_pair_and_know_which_were_found) {
  Random random(4);
  ExtraContacts extra;
  for (int round = 0; round < 500; ++round) {
    std::vector<Pair> found;
    std::vector<Contact> of_shapes;
    for (std::uint32_t i = 0; i < random.below(40); ++i) {
      found.push_back(drawn_pair(random));
      of_shapes.push_back({{found.back().a + 7, found.back().b + 7}, {}});
    }
    extra.reset(of_shapes, [](const Contact& contact) {
      return Pair{contact.pair.a - 7, contact.pair.b - 7};
    });
    std::set<Pair> expected;
    for (std::uint32_t i = 0; i < random.below(40); ++i) {
      const Pair pair = drawn_pair(random);
      ASSERT_EQ(extra.is_found(pair), std::find(found.begin(), found.end(), pair) != found.end());
      extra.add({pair, {}});
      expected.insert(pair);
    }
    std::vector<Pair> pairs;
    for (const Contact& contact : extra.sorted()) {
      pairs.push_back(contact.pair);
    }
    ASSERT_EQ(pairs, std::vector<Pair>(expected.begin(), expected.end()));
    ASSERT_GE(extra.bytes(), pairs.size() * sizeof(Contact) + found.size() * sizeof(Pair));
  }
}

}  // namespace
}  // namespace broadside::test::extra_contacts_test
