#include "world/ended_contacts.hpp"

#include <gtest/gtest.h>

#include <string_view>

#include "allocation_watch.hpp"
#include "boxes.hpp"

namespace broadside::test {
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
}  // namespace broadside::test
