#include "world/listeners.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <vector>

#include "boxes.hpp"

namespace broadside::test {
namespace {

TEST(Listeners, that_are_removed_while_told_stay_uncalled_until_all_are_told) {
  Random random(62);
  for (int round = 0; round < 100; ++round) {
    Tags tags;
    tags.use(std::string_view());
    Listeners listeners(tags);
    std::vector<World::ListenerId> ids;
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
    std::vector<World::ListenerId> told;
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
    std::vector<World::ListenerId> expected = ids;
    if (removed > 0) {
      std::erase(expected, ids[removed]);
    }
    EXPECT_EQ(told, expected);
    listeners.end_dispatch();
    EXPECT_EQ(listeners.all().size(), count - 1);
    for (const World::ListenerId id : ids) {
      if (listeners.contains(id)) {
        listeners.remove(id);
      }
    }
    tags.release_number(b);
    EXPECT_EQ(tags.size(), 1U);  // no use is left but that of no tag
  }
}

}  // namespace
}  // namespace broadside::test
