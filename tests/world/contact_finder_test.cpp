#include "world/contact_finder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/contact/collide.hpp"

namespace broadside::test::contact_finder_test {
namespace {

std::vector<Pair> pairs_in(std::span<const Contact> contacts) {
  std::vector<Pair> pairs;
  for (const Contact& contact : contacts) {
    pairs.push_back(contact.pair);
  }
  return pairs;
}

// Drawn steps of circles, some partial, some with joined and added contacts: the contacts are those of the
// narrow phase, and those of the last step stay where they are until the next commit.
TEST(ContactFinder, finds_joins_and_adds_and_keeps_the_last_step) {
  Random random(5);
  ContactFinder finder;
  std::span<const Contact> last;
  std::vector<Pair> last_pairs;
  for (int step = 0; step < 400; ++step) {
    const std::uint32_t count = 2 + random.below(25);
    std::vector<Shape> shapes;
    std::vector<Transform> transforms;
    for (std::uint32_t i = 0; i < count; ++i) {
      shapes.emplace_back(Circle{{}, 1.0F});
      transforms.push_back({{random.between(0, 8), random.between(0, 8)}, {}});
    }
    std::vector<Pair> pairs;
    std::vector<Pair> expected;
    for (std::uint32_t a = 0; a < count; ++a) {
      for (std::uint32_t b = a + 1; b < count; ++b) {
        pairs.push_back({a, b});
        if (overlaps(shapes[a], transforms[a], shapes[b], transforms[b])) {
          expected.push_back({a, b});
        }
      }
    }
    finder.find(pairs, shapes, transforms);
    ASSERT_EQ(pairs_in(finder.found()), expected);
    if (random.below(2) == 0) {
      const bool replaces = random.below(2) == 0;
      finder.replace_if([&](std::span<const Contact> found, std::vector<Contact>& joined) {
        joined.assign(found.begin(), found.end());
        if (replaces && !joined.empty()) {
          joined.pop_back();
        }
        return replaces;
      });
      if (replaces && !expected.empty()) {
        expected.pop_back();
      }
    }
    if (random.below(2) == 0) {
      std::vector<Contact> added;
      for (std::uint32_t i = 0; i < random.below(3); ++i) {
        added.push_back({{count + i, count + i + 1}, {}});
        expected.push_back(added.back().pair);
      }
      finder.add(added);
    }
    ASSERT_EQ(pairs_in(finder.found()), expected);
    const auto found_pairs = finder.pairs_found();
    ASSERT_EQ(std::vector<Pair>(found_pairs.begin(), found_pairs.end()), expected);
    ASSERT_EQ(pairs_in(last), last_pairs) << "the contacts of the last step changed before the commit";
    if (random.below(4) != 0) {  // else the step failed
      last = finder.found();
      last_pairs = expected;
      finder.commit_all();
      ASSERT_EQ(pairs_in(last), last_pairs);
    }
  }
  EXPECT_GT(finder.bytes(), 0U);
}

bool are_equal(const Contact& x, const Contact& y) {
  return x.pair == y.pair && x.manifold.normal == y.manifold.normal && x.manifold.size == y.manifold.size &&
         x.manifold.points == y.manifold.points;
}

// Each step runs out of memory at every allocation in turn, before it succeeds. Until it is committed, the
// contacts of the last step stay as they are, or those of a snapshot.
TEST(ContactFinder, keeps_the_last_step_where_an_allocation_fails) {
  int failed = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    ContactFinder finder;
    std::span<const Contact> last;
    std::vector<Contact> expected_last;
    for (int step = 0; step < 12; ++step) {
      const std::uint32_t count = 2 + random.below(14);
      std::vector<Shape> shapes;
      std::vector<Transform> transforms;
      std::vector<Pair> pairs;
      std::vector<Contact> expected;
      for (std::uint32_t b = 0; b < count; ++b) {
        shapes.emplace_back(Circle{{}, random.between(0.2F, 2.0F)});
        transforms.push_back({{random.between(0, 8), random.between(0, 8)}, {}});
        for (std::uint32_t a = 0; a < b; ++a) {
          pairs.push_back({a, b});
        }
      }
      std::sort(pairs.begin(), pairs.end());
      for (const auto& [a, b] : pairs) {
        const Manifold manifold = collide(shapes[a], transforms[a], shapes[b], transforms[b]);
        if (manifold.touching()) {
          expected.push_back({{a, b}, manifold});
        }
      }
      const bool replaces = random.below(2) == 0;
      if (replaces) {
        std::erase_if(expected, [](const Contact& contact) { return contact.pair.a % 3 == 1; });
      }
      std::vector<Contact> added;
      for (std::uint32_t i = random.below(4); i > 0; --i) {
        const Pair pair{random.below(20), 20 + random.below(9)};
        if (std::ranges::find(added, pair, &Contact::pair) == added.end()) {
          added.push_back({pair, {}});
        }
      }
      std::ranges::sort(added, {}, &Contact::pair);
      expected.insert(expected.end(), added.begin(), added.end());
      std::ranges::sort(expected, {}, &Contact::pair);
      for (std::size_t allowed = 0;; ++allowed) {
        try {
          const AllocationLimit limit(allowed);
          finder.find(pairs, shapes, transforms);
          finder.replace_if([&](std::span<const Contact> found, std::vector<Contact>& joined) {
            joined.assign(found.begin(), found.end());
            std::erase_if(joined, [](const Contact& contact) { return contact.pair.a % 3 == 1; });
            return replaces;
          });
          finder.add(added);
          static_cast<void>(finder.pairs_found());
          break;
        } catch (const std::bad_alloc&) {
          ++failed;
        }
        ASSERT_TRUE(std::ranges::equal(last, expected_last, are_equal))
            << "seed " << seed << ", step " << step;
      }
      ASSERT_TRUE(std::ranges::equal(finder.found(), expected, are_equal))
          << "seed " << seed << ", step " << step;
      ASSERT_TRUE(std::ranges::equal(finder.pairs_found(), expected, {}, {}, &Contact::pair));
      ASSERT_TRUE(std::ranges::equal(finder.pairs_of(expected), expected, {}, {}, &Contact::pair));
      ASSERT_TRUE(std::ranges::equal(last, expected_last, are_equal)) << "seed " << seed << ", step " << step;
      const std::uint32_t end = random.below(4);
      if (end == 0) {  // a snapshot is restored
        std::vector<Contact> stored = expected;
        {
          const AllocationLimit none(0);
          finder.restore(std::move(stored));
        }
        last = finder.kept();
        expected_last = expected;
      } else if (end < 3) {
        last = finder.found();
        {
          const AllocationLimit none(0);
          finder.commit_all();
        }
        expected_last = expected;
      }
      ASSERT_TRUE(std::ranges::equal(last, expected_last, are_equal)) << "seed " << seed << ", step " << step;
    }
    ASSERT_GE(finder.bytes(), expected_last.size() * sizeof(Contact));
  }
  EXPECT_GT(failed, 200);
}

}  // namespace
}  // namespace broadside::test::contact_finder_test
