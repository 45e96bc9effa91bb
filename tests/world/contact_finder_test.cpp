#include "world/contact_finder.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/contact/collide.hpp"

namespace broadside::test {
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

}  // namespace
}  // namespace broadside::test
