#include "event/contact_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "each_allocation.hpp"

namespace broadside::test::contact_set_test {
namespace {

using At = ContactSet::At;

/// The separation of each pair that touches.
using Touching = std::map<Pair, float>;

std::vector<Contact> contacts_of(const Touching& touching) {
  std::vector<Contact> contacts;
  for (const auto& [pair, separation] : touching) {
    contacts.push_back({pair, {}});
    contacts.back().manifold.size = 1;
    contacts.back().manifold.points[0].separation = separation;
  }
  return contacts;
}

/// The expected state of a set.
struct Expected {
  Touching touching;
  std::set<Pair> begun;
  bool is_patched = false;
};

void expect_same(ContactSet& set, const Expected& expected) {
  ASSERT_EQ(set.is_patched(), expected.is_patched);
  ASSERT_EQ(set.size(), expected.touching.size());
  if (set.is_patched()) {
    set.make_order();
    ASSERT_EQ(set.order().size(), expected.touching.size());
  } else {
    ASSERT_EQ(set.entries().size(), expected.touching.size());
  }
  std::vector<At> begun;
  std::vector<At> stayed;
  std::size_t n = 0;
  for (const auto& [pair, separation] : expected.touching) {
    const At at = set.nth(n++);
    ASSERT_LT(at, set.entries().size());
    ASSERT_EQ(set[at].pair, pair);
    ASSERT_EQ(set.entries()[at].pair, pair);
    ASSERT_EQ(set[at].manifold.points[0].separation, separation);
    if (set.is_patched()) {
      ASSERT_EQ(set.order()[n - 1], at);
      ASSERT_EQ(set.has_begun(at), expected.begun.contains(pair));
      (expected.begun.contains(pair) ? begun : stayed).push_back(at);
    }
  }
  if (set.is_patched()) {
    ASSERT_TRUE(std::ranges::equal(set.begun(), begun));
    ASSERT_TRUE(std::ranges::equal(set.stayed(), stayed));
  }
}

/// Boxes of which each step changes some.
class Steps {
 public:
  Steps(std::uint64_t seed, BoxIndex boxes) : random_(seed), boxes_(boxes) {
    const std::uint32_t neighbors = 1 + random_.below(std::min(boxes - 1, 24U));
    reach_ = neighbors;
  }

  /// Returns pairs that touch, of all boxes or of the changed ones.
  Touching draw(bool only_of_changed) {
    const std::uint32_t density = random_.below(101);
    Touching touching;
    for (BoxIndex a = 0; a < boxes_; ++a) {
      for (BoxIndex b = a + 1; b < boxes_ && b <= a + reach_; ++b) {
        if ((!only_of_changed || (is_in[a] | is_in[b]) != 0) && random_.below(100) < density) {
          touching[{a, b}] = next_separation_++;
        }
      }
    }
    return touching;
  }

  /// Draws the changed boxes, in any order, and which of them are new.
  void change() {
    is_in.assign(boxes_, 0);
    reassigned.assign(boxes_, 0);
    changed.clear();
    const std::uint32_t one_of = 1 + random_.below(random_.below(2) == 0 ? 4 : boxes_);
    for (BoxIndex box = 0; box < boxes_; ++box) {
      if (random_.below(one_of) == 0) {
        changed.push_back(box);
        is_in[box] = 1;
        reassigned[box] = static_cast<std::uint8_t>(random_.below(4) == 0 ? 3 : 2 * random_.below(2));
      }
    }
    test::shuffle(changed, random_);
  }

  std::vector<BoxIndex> changed;
  std::vector<std::uint8_t> is_in;
  std::vector<std::uint8_t> reassigned;

 private:
  Random random_;
  BoxIndex boxes_;
  std::uint32_t reach_;
  float next_separation_ = 1.0F;
};

/// How often the programs took a path that few of them take.
struct Paths {
  int failed = 0;
  int compacted = 0;
  int kept = 0;  ///< steps in which all entries kept their index
};

/// Draws calls, and compares the set with the expected state after each.
void agrees_with_maps(std::uint64_t seed, Paths& paths) {
  Random random(seed);
  const BoxIndex boxes = 2 + random.below(seed % 4 == 0 ? 90 : 25);
  Steps steps(seed, boxes);
  ContactSet set;
  Expected expected;
  std::vector<Contact> replaced;  // to which the set refers
  for (int step = 0; step < 100; ++step) {
    const std::uint32_t action = random.below(12);
    if (action == 0) {
      expected = {steps.draw(false), {}, false};
      std::vector<Contact> contacts = contacts_of(expected.touching);
      set.replace(contacts);
      replaced.swap(contacts);
    } else if (action == 1) {
      if (expected.is_patched) {
        const AllocationLimit none(0);
        set.advance_unchanged();
        expected.begun.clear();
      }
    } else {
      steps.change();
      const Touching now = steps.draw(true);
      const std::vector<Contact> contacts = contacts_of(now);
      Expected after{expected.touching, {}, true};
      std::vector<Pair> ending;
      const auto is_renewed = [&](Pair pair) {
        return ((steps.reassigned[pair.a] | steps.reassigned[pair.b]) & 1U) != 0;
      };
      for (const auto& [pair, separation] : expected.touching) {
        if ((steps.is_in[pair.a] | steps.is_in[pair.b]) != 0) {
          after.touching.erase(pair);
          if (!now.contains(pair) || is_renewed(pair)) {
            ending.push_back(pair);
          }
        }
      }
      for (const auto& [pair, separation] : now) {
        after.touching[pair] = separation;
        if (!expected.touching.contains(pair) || is_renewed(pair)) {
          after.begun.insert(pair);
        }
      }
      const auto prepare = [&] { set.prepare(contacts, {steps.changed, steps.is_in}, steps.reassigned); };
      if (random.below(4) == 0) {
        ASSERT_NO_FATAL_FAILURE(paths.failed +=
                                fail_each_allocation(prepare, [&] { expect_same(set, expected); }));
      } else {
        prepare();
      }
      ASSERT_TRUE(std::ranges::equal(set.ending(), ending));
      if (random.below(4) == 0) {
        ASSERT_NO_FATAL_FAILURE(expect_same(set, expected)) << "before the commit";
        ASSERT_TRUE(std::ranges::equal(set.ending(), ending));
      }
      if (random.below(6) == 0) {  // as after a callback that throws
        ASSERT_NO_FATAL_FAILURE(expect_same(set, expected)) << "without a commit";
        continue;
      }
      const std::size_t touched = set.size();
      std::vector<Pair> entries;
      for (const Contact& contact : set.entries()) {
        entries.push_back(contact.pair);
      }
      {
        const AllocationLimit none(0);
        set.commit();
        set.make_order();
      }
      expected = after;
      // Entries keep their index, unless they were sorted again: then none of them is gone.
      const bool keeps = set.entries().size() >= entries.size() &&
                         std::equal(entries.begin(), entries.end(), set.entries().begin(),
                                    [](Pair pair, const Contact& contact) { return contact.pair == pair; });
      const std::size_t gone = entries.size() - touched;
      ASSERT_FALSE(keeps && gone > 64 + entries.size() / 8) << "many are gone, but were kept";
      ++(keeps ? paths.kept : paths.compacted);
      if (!keeps) {
        ASSERT_EQ(set.entries().size(), expected.touching.size() + ending.size() -
                                            static_cast<std::size_t>(std::ranges::count_if(
                                                ending, [&](Pair pair) { return now.contains(pair); })));
      }
    }
    ASSERT_NO_FATAL_FAILURE(expect_same(set, expected)) << "step " << step;
    ASSERT_GE(set.bytes(), set.is_patched() ? set.entries().size_bytes() : 0);
  }
}

TEST(ContactSet, agrees_with_maps_over_any_calls) {
  Paths paths;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    ASSERT_NO_FATAL_FAILURE(agrees_with_maps(seed, paths)) << "seed " << seed;
  }
  EXPECT_GT(paths.failed, 500);
  EXPECT_GT(paths.compacted, 100);
  EXPECT_GT(paths.kept, 1000);
}

// What the set holds was requested, and grows only by a request.
TEST(ContactSet, counts_the_bytes_that_it_allocates) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const BoxIndex boxes = 2 + random.below(60);
    Steps steps(seed, boxes);
    const std::vector<Contact> first = contacts_of(steps.draw(false));
    ContactSet set;
    std::size_t requested = 0;
    set.replace(first);
    EXPECT_EQ(set.bytes(), 0U);
    for (int step = 0; step < 20; ++step) {
      steps.change();
      const std::vector<Contact> contacts = contacts_of(steps.draw(true));
      const std::size_t before = set.bytes();
      const MemoryWatch watch;
      set.prepare(contacts, {steps.changed, steps.is_in}, steps.reassigned);
      set.commit();
      set.make_order();
      requested += watch.bytes();
      ASSERT_EQ(set.bytes() > before, watch.bytes() > 0) << seed;
      ASSERT_LE(set.bytes(), requested) << seed;
    }
  }
}

}  // namespace
}  // namespace broadside::test::contact_set_test
