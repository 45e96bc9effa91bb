#include "world/ended_contacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"

namespace broadside::test::ended_contacts_test {
namespace {

TEST(EndedContacts, hold_their_tags_until_the_next_step) {
  Tags tags;
  tags.use(std::string_view());
  EndedContacts ended(tags);
  const std::uint32_t tag = tags.use("gone");
  ended.begin_listing();
  ended.add({{1, 1, 1}, {2, 1, 1}, EndCause::removed}, {tag, 0});
  EXPECT_TRUE(ended.ends().empty());  // not before `commit`: a step may fail
  ended.commit();
  tags.release_number(tag);
  ASSERT_EQ(ended.ends().size(), 1U);
  EXPECT_EQ(tags[ended.tags()[0].first], "gone");
  ended.begin_listing();
  ended.add({{1, 1, 1}, {3, 1, 1}, EndCause::parted}, {tag, tag});
  ended.commit();
  EXPECT_EQ(tags[ended.tags()[0].second], "gone");
  EXPECT_EQ(ended.ends().front().cause, EndCause::parted);
  ended.clear();
  EXPECT_TRUE(ended.ends().empty());
  EXPECT_EQ(tags.size(), 1U);
}

/// A list of ends with their tags.
using Ends = std::vector<std::pair<ContactEnd, EndedContacts::TagPair>>;

/// Compares the ends, and the tags that exist with those that the caller or an end uses.
void expect_same(const EndedContacts& ended, const Ends& expected, const Tags& tags,
                 const std::map<std::uint32_t, std::string>& texts, const std::vector<std::uint32_t>& used) {
  ASSERT_EQ(ended.ends().size(), expected.size());
  ASSERT_EQ(ended.tags().size(), expected.size());
  std::map<std::uint32_t, int> uses = {{0, 1}};
  for (const std::uint32_t tag : used) {
    ++uses[tag];
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(ended.ends()[i], expected[i].first);
    ASSERT_EQ(ended.tags()[i], expected[i].second);
    ++uses[expected[i].second.first];
    ++uses[expected[i].second.second];
  }
  ASSERT_EQ(tags.size(), uses.size());
  for (const auto& [tag, count] : uses) {
    ASSERT_EQ(tags[tag], texts.at(tag));
  }
}

// Bodies get and lose tags, of which the ends of contacts keep some in use.
TEST(EndedContacts, agree_with_vectors_over_any_calls) {
  int failed = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Tags tags;
    tags.use(std::string_view());
    std::map<std::uint32_t, std::string> texts = {{0, ""}};  // latest of each number
    std::vector<std::uint32_t> used;                         // by bodies, once for each use
    EndedContacts ended(tags);
    Ends expected;
    Ends listed;
    for (int call = 0; call < 150; ++call) {
      switch (random.below(10)) {
        case 0:
        case 1: {
          const std::string text = "tag " + std::to_string(random.below(12));
          used.push_back(tags.use(text));
          texts[used.back()] = text;
          break;
        }
        case 2:
          if (!used.empty()) {
            const std::size_t at = random.below(static_cast<std::uint32_t>(used.size()));
            const auto is_listed = [&](const auto& end) {
              return end.second.first == used[at] || end.second.second == used[at];
            };
            if (std::ranges::none_of(listed, is_listed)) {  // a step commits before it gives back tags
              tags.release_number(used[at]);
              used.erase(used.begin() + static_cast<std::ptrdiff_t>(at));
            }
          }
          break;
        case 3: {
          const AllocationLimit none(0);
          ended.begin_listing();
          listed.clear();
          break;
        }
        case 4: {
          {
            const AllocationLimit none(0);
            ended.commit();
          }
          expected.swap(listed);
          listed.clear();
          ended.begin_listing();
          break;
        }
        case 5:
          if (random.below(3) == 0) {
            const AllocationLimit none(0);
            ended.clear();
            expected.clear();
          }
          break;
        default: {
          const auto drawn_tag = [&] {
            return used.empty() || random.below(3) == 0
                       ? 0
                       : used[random.below(static_cast<std::uint32_t>(used.size()))];
          };
          const ContactEnd end{{random.below(9), 1 + random.below(3), 1},
                               {random.below(9), 1 + random.below(3), 1},
                               static_cast<EndCause>(random.below(4))};
          const std::uint32_t tag_a = drawn_tag();
          const EndedContacts::TagPair tag_pair = {tag_a, drawn_tag()};
          for (bool fails = random.below(3) == 0;; fails = false) {
            try {
              const AllocationLimit limit(fails ? random.below(2) : 1000);
              ended.add(end, tag_pair);
              break;
            } catch (const std::bad_alloc&) {  // the step fails, and the next one lists all again
              ++failed;
            }
            ASSERT_NO_FATAL_FAILURE(expect_same(ended, expected, tags, texts, used)) << "seed " << seed;
            ended.begin_listing();
            listed.clear();
          }
          listed.emplace_back(end, tag_pair);
          break;
        }
      }
      ASSERT_NO_FATAL_FAILURE(expect_same(ended, expected, tags, texts, used))
          << "seed " << seed << ", call " << call;
      ASSERT_GE(ended.bytes(),
                (expected.size() + listed.size()) * (sizeof(ContactEnd) + sizeof(EndedContacts::TagPair)));
    }
  }
  EXPECT_GT(failed, 100);
}

// An array that grows requests at most twice the memory that it then holds.
TEST(EndedContacts, count_the_bytes_that_they_allocate) {
  Random random(63);
  for (int round = 0; round < 100; ++round) {
    Tags tags;
    const std::uint32_t tag = tags.use("gone");
    const MemoryWatch watch;
    EndedContacts ended(tags);
    EXPECT_EQ(ended.bytes(), 0U);
    for (std::uint32_t step = 0; step < 6; ++step) {
      ended.begin_listing();
      for (std::uint32_t ends = random.below(300); ends > 0; --ends) {
        ended.add({{1, 1, 1}, {2, 1, 1}, EndCause::parted}, {tag, tag});
      }
      if (random.below(4) != 0) {
        ended.commit();
      }
      ASSERT_LE(ended.bytes(), watch.bytes()) << round;
      ASSERT_LE(watch.bytes(), 2 * ended.bytes()) << round;
    }
    ended.clear();
  }
}

}  // namespace
}  // namespace broadside::test::ended_contacts_test
