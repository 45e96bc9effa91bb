#include "world/listeners.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"

namespace broadside::test {
namespace {

TEST(Listeners, that_are_removed_during_dispatch_are_kept_uncalled_until_it_ends) {
  Random random(62);
  for (int round = 0; round < 100; ++round) {
    Tags tags;
    tags.use(std::string_view());
    Listeners listeners(tags);
    std::vector<ListenerId> ids;
    const std::uint32_t count = 1 + random.below(6);
    for (std::uint32_t i = 0; i < count; ++i) {
      auto one = std::make_unique<Listeners::Listener>();
      one->tag_a = tags.use("a");
      one->tag_b = random.below(2) == 0 ? tags.use("b") : Listeners::any_tag;
      listeners.reserve_one();
      ids.push_back(listeners.add(std::move(one)));
    }
    const std::uint32_t removed = random.below(count);
    const std::uint32_t a = tags.find(std::string_view("a")).value();
    const std::uint32_t b = tags.use("b");
    listeners.prepare();
    EXPECT_TRUE(listeners.may_match(a, b));
    EXPECT_FALSE(listeners.may_match(b, b));
    listeners.begin_dispatch();
    std::vector<ListenerId> told;
    const BodyId body_a{1, 1, 1};
    const BodyId body_b{2, 1, 1};
    listeners.for_each_match(ContactEnd{body_b, body_a, EndCause::parted}, b, a, count,
                             [&](const Listeners::Listener& one, const ContactEnd& end) {
                               EXPECT_EQ(end.a, body_a);  // turned as the tags are
                               told.push_back(one.id);
                               if (told.size() == 1) {
                                 listeners.remove(ids[removed]);
                               }
                             });
    EXPECT_EQ(listeners.all().size(), count);
    EXPECT_FALSE(listeners.contains(ids[removed]));
    std::vector<ListenerId> expected = ids;
    if (removed > 0) {
      std::erase(expected, ids[removed]);
    }
    EXPECT_EQ(told, expected);
    listeners.end_dispatch();
    EXPECT_EQ(listeners.all().size(), count - 1);
    for (const ListenerId id : ids) {
      if (listeners.contains(id)) {
        listeners.remove(id);
      }
    }
    tags.release_number(b);
    EXPECT_EQ(tags.size(), 1U);  // no use is left but that of no tag
  }
}

// An array that grows by halves requests at most three times the memory that it then holds.
TEST(Listeners, count_the_bytes_that_they_allocate) {
  Random random(63);
  for (int round = 0; round < 100; ++round) {
    Tags tags;
    const std::uint32_t a = tags.use("a");
    const MemoryWatch watch;
    Listeners listeners(tags);
    EXPECT_EQ(listeners.bytes(), 0U);
    std::vector<ListenerId> ids;
    ids.reserve(60);
    const std::size_t of_test = watch.bytes();
    for (std::uint32_t count = random.below(60); count > 0; --count) {
      auto one = std::make_unique<Listeners::Listener>();
      one->tag_a = a;
      one->tag_b = Listeners::any_tag;
      tags.add_reference(a);
      listeners.reserve_one();
      ids.push_back(listeners.add(std::move(one)));
      if (random.below(8) == 0) {
        listeners.prepare();
      }
    }
    const std::size_t allocated = watch.bytes() - of_test;
    ASSERT_LE(listeners.bytes(), allocated) << round;
    ASSERT_LE(allocated, 3 * listeners.bytes()) << round;
    for (const ListenerId id : ids) {
      const std::size_t before = listeners.bytes();
      listeners.remove(id);
      ASSERT_EQ(listeners.bytes() + sizeof(Listeners::Listener), before) << round;
    }
  }
}

}  // namespace
}  // namespace broadside::test
