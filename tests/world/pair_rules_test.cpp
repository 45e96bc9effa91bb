#include "world/pair_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"

namespace broadside::test::pair_rules_test {
namespace {

/// Bodies with random tags and filters, and listeners.
struct Drawn {
  using Place = PairRules::Place;

  explicit Drawn(Interest interest) { options.interest = interest; }

  void add(Random& random, std::uint32_t kinds) {
    const auto place = static_cast<Place>(bodies.places());
    constexpr std::array types{BodyType::static_body, BodyType::kinematic, BodyType::dynamic};
    const BodyDef body{.shape = Circle{.radius = 1.0F}};
    Filter filter;
    filter.layer = std::uint64_t{1} << random.below(4);
    filter.mask = random.bits() | 1U;
    filter.wants = random.below(2) == 0 ? 0 : filter.layer;
    filter.group = static_cast<std::int32_t>(random.below(5)) - 2;
    PairRules::Uses uses(rules);
    const std::uint32_t tag = uses.hold_tag("tag " + std::to_string(random.below(kinds)));
    const std::uint32_t number = uses.hold_filter(filter).value();
    uses.keep();
    bodies.reserve({&body, 1}, 1);
    bodies.add(body,
               {.type = types[random.below(3)],
                .used = true,
                .enabled = random.below(8) != 0,
                .sensor = random.below(4) == 0,
                .tag = tag,
                .filter = number},
               {&place, 1});
  }

  ListenerId listen(std::uint32_t tag_a, std::uint32_t tag_b) {
    auto listener = std::make_unique<Listeners::Listener>();
    for (const auto& [name, to] : {std::pair{tag_a, &listener->tag_a}, std::pair{tag_b, &listener->tag_b}}) {
      *to = name == Listeners::any_tag ? name : tags.use("tag " + std::to_string(name));
    }
    listeners.reserve_one();
    return listeners.add(std::move(listener));
  }

  WorldOptions options;
  BodyTable bodies{1};
  Tags tags;
  Listeners listeners{tags};
  PairRules rules{options, bodies, tags, listeners};
};

// The broad phase has the effective filters, and calls the rules for the pairs that these let through.
TEST(PairRules, allow_the_pairs_that_filters_listeners_and_the_caller_allow) {
  Random random(61);
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t kinds = round % 2 == 0 ? 5 : 150;  // more than the number of bits
    Drawn drawn(round % 3 == 0 ? Interest::all : Interest::listeners);
    for (int i = 0; i < 40; ++i) {
      drawn.add(random, kinds);
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> waited_for;
    for (int i = 0; i < 30; ++i) {
      const std::uint32_t a = random.below(30) == 0 ? Listeners::any_tag : random.below(kinds);
      const std::uint32_t b = random.below(4) == 0 ? Listeners::any_tag : random.below(kinds);
      const ListenerId id = drawn.listen(a, b);
      if (random.below(3) == 0) {
        drawn.listeners.remove(id);
        ASSERT_FALSE(drawn.listeners.contains(id));
      } else {
        ASSERT_TRUE(drawn.listeners.contains(id));
        waited_for.emplace(a, b);
      }
    }
    std::set<Pair> ignored;
    for (int i = 0; i < 60; ++i) {
      const std::uint32_t a = random.below(40);
      const std::uint32_t b = random.below(40);
      if (a != b) {
        const Pair pair = ordered_pair(a, b);
        const bool now = ignored.insert(pair).second || ignored.erase(pair) == 0;
        drawn.rules.set_ignored(pair, now);
      }
    }
    const Drawn::Place forgotten = random.below(40);
    drawn.rules.forget_ignored(forgotten);
    std::erase_if(ignored, [&](Pair pair) { return pair.a == forgotten || pair.b == forgotten; });
    ASSERT_TRUE(std::equal(ignored.begin(), ignored.end(), drawn.rules.ignored().begin(),
                           drawn.rules.ignored().end()));
    const std::uint32_t odd = random.below(3);  // 0: there is no predicate
    const auto says = [odd](BodyId a, BodyId b) {
      EXPECT_LT(a.index, b.index);
      return (a.index + b.index) % odd == 0;
    };
    if (odd != 0) {
      drawn.rules.set_predicate(says);
    }
    for (Drawn::Place a = 0; a < 40; ++a) {
      for (Drawn::Place b = 0; b < 40; ++b) {
        const PairRules::Slot& first = drawn.bodies.slot(a);
        const PairRules::Slot& second = drawn.bodies.slot(b);
        const auto name_of = [&](std::uint32_t tag) {
          return static_cast<std::uint32_t>(std::stoul(drawn.tags[tag].substr(4)));
        };
        const auto fits = [](std::uint32_t wanted, std::uint32_t tag) {
          return wanted == Listeners::any_tag || wanted == tag;
        };
        const std::uint32_t name_a = name_of(first.tag);
        const std::uint32_t name_b = name_of(second.tag);
        const bool is_heard = std::any_of(waited_for.begin(), waited_for.end(), [&](const auto& pair) {
          return (fits(pair.first, name_a) && fits(pair.second, name_b)) ||
                 (fits(pair.first, name_b) && fits(pair.second, name_a));
        });
        ASSERT_EQ(drawn.listeners.has_listener(first.tag, second.tag), is_heard);
        const Filter& filter_a = drawn.rules.filter(first);
        const Filter& filter_b = drawn.rules.filter(second);
        const bool is_sensed = (first.sensor && (filter_a.wants & filter_b.layer) != 0) ||
                               (second.sensor && (filter_b.wants & filter_a.layer) != 0);
        const bool is_wanted = drawn.options.interest == Interest::all || is_heard || is_sensed;
        const bool lets =
            a != b && ignored.count(ordered_pair(a, b)) == 0 && (odd == 0 || (a + b) % odd == 0);
        const bool is_masked = !first.enabled || !second.enabled || !may_touch(filter_a, filter_b);
        if (a != b) {
          ASSERT_EQ(drawn.rules.is_filtered({a, b}), is_masked || !is_wanted || !lets) << a << " " << b;
          const BodyType type_a = first.sensor ? BodyType::dynamic : first.type;
          const BodyType type_b = second.sensor ? BodyType::dynamic : second.type;
          ASSERT_EQ(drawn.rules.keeps_apart({a, b}),
                    !can_touch(type_a, type_b) || is_masked || !is_wanted || !lets);
        }
        ASSERT_EQ(drawn.rules.passes_predicate(a, b), lets);
        if (!drawn.rules.needs_may_meet()) {
          ASSERT_TRUE(a == b || drawn.rules.may_meet(a, b));
        }
      }
    }
    drawn.rules.abandon();  // the predicate is not called any more
    ASSERT_EQ(drawn.rules.passes_predicate(0, 1), ignored.count({0, 1}) == 0);
  }
}

TEST(PairRules, release_the_tags_and_filters_that_were_not_kept) {
  Drawn drawn(Interest::all);
  const std::size_t tags = drawn.tags.size();
  const std::size_t filters = drawn.rules.filters().size();
  {
    PairRules::Uses uses(drawn.rules);
    static_cast<void>(uses.hold_tag("one"));
    static_cast<void>(uses.hold_tag("one"));
    ASSERT_TRUE(uses.hold_filter({.layer = 2}).has_value());
    EXPECT_EQ(drawn.tags.size(), tags + 1);
    EXPECT_EQ(drawn.rules.filters().size(), filters + 1);
  }
  EXPECT_EQ(drawn.tags.size(), tags);
  EXPECT_EQ(drawn.rules.filters().size(), filters);
}

// Calls that hold drawn tags and filters, and keep them or not; some run out of memory.
TEST(PairRules, count_the_uses_that_are_kept_over_any_calls) {
  int failed = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    Drawn drawn(Interest::all);
    std::map<std::string, std::uint32_t> tags = {{"", 0}};  // those in use, with their numbers
    std::map<std::uint64_t, std::uint32_t> layers = {{Filter{}.layer, 0}};
    for (int call = 0; call < 40; ++call) {
      std::map<std::string, std::uint32_t> held_tags = tags;
      std::map<std::uint64_t, std::uint32_t> held_layers = layers;
      const bool keeps = random.below(3) == 0;
      try {
        PairRules::Uses uses(drawn.rules);
        for (std::uint32_t i = random.below(6); i > 0; --i) {
          const AllocationLimit limit(random.below(3) == 0 ? random.below(4) : 1000);
          if (random.below(2) == 0) {
            const char digit = static_cast<char>('a' + random.below(20));
            const std::string_view text(&digit, 1);
            const std::uint32_t number = uses.hold_tag(text);
            const AllocationLimit all(1000);
            const auto [known, is_new] = held_tags.emplace(text, number);
            ASSERT_EQ(known->second, number);
          } else {
            const std::uint64_t layer = std::uint64_t{1} << random.below(20);
            const std::uint32_t number = uses.hold_filter({.layer = layer}).value();
            const AllocationLimit all(1000);
            const auto [known, is_new] = held_layers.emplace(layer, number);
            ASSERT_EQ(known->second, number);
          }
          ASSERT_EQ(drawn.tags.size(), held_tags.size());
          ASSERT_EQ(drawn.rules.filters().size(), held_layers.size());
        }
        if (keeps) {
          const AllocationLimit none(0);
          uses.keep();
        }
      } catch (const std::bad_alloc&) {
        ++failed;
        held_tags = tags;
        held_layers = layers;
      }
      if (keeps) {
        tags = held_tags;
        layers = held_layers;
      }
      ASSERT_EQ(drawn.tags.size(), tags.size()) << "seed " << seed << ", call " << call;
      ASSERT_EQ(drawn.rules.filters().size(), layers.size()) << "seed " << seed << ", call " << call;
      for (const auto& [text, number] : tags) {
        ASSERT_EQ(drawn.tags[number], text);
      }
      for (const auto& [layer, number] : layers) {
        ASSERT_EQ(drawn.rules.filters()[number].layer, layer);
      }
    }
  }
  EXPECT_GT(failed, 100);
}

}  // namespace
}  // namespace broadside::test::pair_rules_test
