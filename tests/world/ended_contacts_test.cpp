#include "world/ended_contacts.hpp"

#include <gtest/gtest.h>

#include <string_view>

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

}  // namespace
}  // namespace broadside::test
