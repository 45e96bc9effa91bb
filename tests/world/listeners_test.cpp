#include "world/listeners.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "each_allocation.hpp"

namespace broadside::test::listeners_test {
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

constexpr std::string_view any = "any";

/// The expected record of a listener.
struct Known {
  ListenerId id;
  std::string tag_a;  ///< or `any`
  std::string tag_b;
  Listeners::Wants wants;
  bool removed = false;

  [[nodiscard]] bool fits(std::string_view a, std::string_view b) const {
    return !removed && (tag_a == any || tag_a == a) && (tag_b == any || tag_b == b);
  }
};

/// The listeners of a world, and the expected ones in the order in which they were added.
class TestedListeners {
 public:
  explicit TestedListeners(std::uint64_t seed) : random_(seed) {
    const std::uint32_t tags = 2 + random_.below(80);  // or more than there are bits in a word
    for (std::uint32_t tag = 0; tag < tags; ++tag) {
      texts_.push_back(tag == 0 ? "" : "tag " + std::to_string(tag));
    }
    world_ = make_world();
  }

  void do_one();
  void expect_same();

  int matched = 0;
  int failed = 0;

 private:
  struct TestedWorld {
    Tags tags;
    Listeners listeners{tags};
  };

  /// Returns a world without listeners, in which bodies use all tags.
  std::unique_ptr<TestedWorld> make_world() {
    auto world = std::make_unique<TestedWorld>();
    world->tags.use(std::string_view());
    std::vector<std::string> in_any_order(texts_.begin() + 1, texts_.end());
    test::shuffle(in_any_order, random_);
    for (const std::string& text : in_any_order) {
      world->tags.use(text);
    }
    return world;
  }
  std::string drawn_tag() {
    return random_.below(4) == 0 ? std::string(any)
                                 : texts_[random_.below(static_cast<std::uint32_t>(texts_.size()))];
  }
  [[nodiscard]] std::uint32_t number(std::string_view text) const {
    return text == any ? Listeners::any_tag : world_->tags.find(text).value();
  }

  Random random_;
  std::vector<std::string> texts_;
  std::unique_ptr<TestedWorld> world_;
  std::vector<Known> known_;
  std::uint32_t last_id_ = 0;
  bool is_prepared_ = false;  // and no listener was added since
};

void TestedListeners::do_one() {
  Listeners& listeners = world_->listeners;
  const std::uint32_t action = random_.below(10);
  if (action < 4 && known_.size() < 12) {
    Known one{{}, drawn_tag(), drawn_tag(), static_cast<Listeners::Wants>(random_.below(4))};
    auto listener = std::make_unique<Listeners::Listener>();
    for (const auto& [tag, text] :
         {std::pair{&listener->tag_a, &one.tag_a}, std::pair{&listener->tag_b, &one.tag_b}}) {
      *tag = *text == any ? Listeners::any_tag : world_->tags.use(*text);
    }
    listener->wants = one.wants;
    failed += fail_each_allocation([&] { listeners.reserve_one(); }, [] {});
    {
      const AllocationLimit none(0);
      one.id = listeners.add(std::move(listener));
    }
    ASSERT_GT(one.id.number, last_id_);
    last_id_ = one.id.number;
    known_.push_back(one);
    is_prepared_ = false;
  } else if (action < 7) {
    if (!known_.empty()) {
      Known& one = known_[random_.below(static_cast<std::uint32_t>(known_.size()))];
      if (!one.removed) {
        const AllocationLimit none(0);
        listeners.remove(one.id);
        one.removed = true;
      }
    }
  } else if (action == 7) {
    const AllocationLimit none(0);
    listeners.is_dispatching() ? listeners.end_dispatch() : listeners.begin_dispatch();
  } else if (action == 8) {
    listeners.prepare();
    is_prepared_ = true;
  } else if (!listeners.is_dispatching() && random_.below(2) == 0) {  // another world gets them
    auto next = make_world();
    next->listeners.add_placeholders(listeners);
    {
      const AllocationLimit none(0);
      next->listeners.take_over(listeners);
    }
    ASSERT_TRUE(listeners.all().empty());
    world_ = std::move(next);
    is_prepared_ = false;
  }
  if (!world_->listeners.is_dispatching()) {
    std::erase_if(known_, [](const Known& one) { return one.removed; });
  }
}

void TestedListeners::expect_same() {
  const Listeners& listeners = world_->listeners;
  ASSERT_EQ(listeners.all().size(), known_.size());
  for (std::size_t i = 0; i < known_.size(); ++i) {
    ASSERT_EQ(listeners.all()[i]->id, known_[i].id);
    ASSERT_EQ(listeners.all()[i]->removed, known_[i].removed);
    ASSERT_EQ(listeners.all()[i]->wants, known_[i].wants);
    ASSERT_EQ(listeners.contains(known_[i].id), !known_[i].removed);
  }
  ASSERT_FALSE(listeners.contains({last_id_ + 1}));
  ASSERT_EQ(world_->tags.size(), texts_.size());
  for (std::uint32_t wants = 0; wants < 4 && !listeners.is_dispatching(); ++wants) {
    const auto kind = static_cast<Listeners::Wants>(wants);
    ASSERT_EQ(listeners.any_wants(kind),
              std::ranges::any_of(known_, [&](const Known& one) { return one.wants == kind; }));
  }
  for (int round = 0; round < 5; ++round) {
    const std::string& a = texts_[random_.below(static_cast<std::uint32_t>(texts_.size()))];
    const std::string& b = texts_[random_.below(static_cast<std::uint32_t>(texts_.size()))];
    const auto is_heard = [&](const Known& one) { return one.fits(a, b) || one.fits(b, a); };
    const bool is_heard_by_any = std::ranges::any_of(known_, is_heard);
    ASSERT_EQ(listeners.has_listener(number(a), number(b)), is_heard_by_any);
    std::uint64_t others = 0;
    for (const Known& one : known_) {
      for (const auto& [own, other] : {std::pair{one.tag_a, one.tag_b}, std::pair{one.tag_b, one.tag_a}}) {
        if (!one.removed && (own == any || own == a)) {
          others |= other == any ? ~std::uint64_t{0} : std::uint64_t{1} << (number(other) % 64);
        }
      }
    }
    ASSERT_EQ(listeners.tags_matching(number(a)), others);
    if (is_prepared_ && is_heard_by_any) {
      ASSERT_TRUE(listeners.may_match(number(a), number(b)));
    }
    // Each listener is called once for each order of the tags that it matches, at most once if its own two
    // are the same.
    using Call = std::tuple<std::uint32_t, BodyId, BodyId>;
    const ContactEnd end{{1, 1, 1}, {2, 1, 1}, EndCause::filtered};
    const std::size_t count = random_.below(static_cast<std::uint32_t>(known_.size() + 1));
    std::vector<Call> expected;
    for (std::size_t i = 0; i < count; ++i) {
      if (known_[i].fits(a, b)) {
        expected.emplace_back(known_[i].id.number, end.a, end.b);
      }
      if (known_[i].fits(b, a) && (known_[i].tag_a != known_[i].tag_b || !known_[i].fits(a, b))) {
        expected.emplace_back(known_[i].id.number, end.b, end.a);
      }
    }
    std::vector<Call> called;
    listeners.for_each_match(end, number(a), number(b), count,
                             [&](const Listeners::Listener& one, const ContactEnd& event) {
                               EXPECT_EQ(event.cause, end.cause);
                               called.emplace_back(one.id.number, event.a, event.b);
                             });
    ASSERT_EQ(called, expected);
    matched += static_cast<int>(called.size());
  }
}

TEST(Listeners, agree_with_a_list_over_any_calls) {
  int matched = 0;
  int failed = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    TestedListeners tested(seed);
    for (int call = 0; call < 80; ++call) {
      ASSERT_NO_FATAL_FAILURE(tested.do_one()) << "seed " << seed << ", call " << call;
      ASSERT_NO_FATAL_FAILURE(tested.expect_same()) << "seed " << seed << ", call " << call;
    }
    matched += tested.matched;
    failed += tested.failed;
  }
  EXPECT_GT(matched, 10'000);
  EXPECT_GT(failed, 200);
}

TEST(Listeners, of_a_world_are_unknown_to_all_others) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    std::vector<World> worlds(2 + random.below(4));
    std::vector<int> calls(worlds.size());
    std::vector<std::vector<ListenerId>> ids(worlds.size());
    std::vector<int> expected(worlds.size());
    for (std::uint32_t i = 0; i < 30; ++i) {
      const std::uint32_t w = random.below(static_cast<std::uint32_t>(worlds.size()));
      ids[w].push_back(
          worlds[w].on_contact(World::any, World::any, [&calls, w](const BodyContact&) { ++calls[w]; }));
      ++expected[w];
    }
    for (int i = 0; i < 60; ++i) {
      const std::uint32_t from = random.below(static_cast<std::uint32_t>(worlds.size()));
      const std::uint32_t in = random.below(static_cast<std::uint32_t>(worlds.size()));
      if (ids[from].empty()) {
        continue;
      }
      const std::uint32_t which = random.below(static_cast<std::uint32_t>(ids[from].size()));
      ASSERT_EQ(worlds[in].remove_listener(ids[from][which]), in == from) << "seed " << seed;
      if (in == from) {
        ids[from].erase(ids[from].begin() + which);
        --expected[from];
      }
    }
    for (World& world : worlds) {
      world.add({.shape = Circle{{}, 1.0F}}).value();
      world.add({.shape = Circle{{}, 1.0F}}).value();
      ASSERT_TRUE(world.step(1.0F).has_value());
    }
    ASSERT_EQ(calls, expected) << "seed " << seed;
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
}  // namespace broadside::test::listeners_test
