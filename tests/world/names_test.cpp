// Filters and tags are kept exactly as long as something uses them; results do not depend on names that were
// used before.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "boxes.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "broadside/world/world.hpp"
#include "variants.hpp"

namespace broadside::test::names_test {
namespace {

std::string long_tag(std::uint32_t number) {
  return "a tag too long for a small string, number " + std::to_string(number);
}

TEST(WorldNames, every_cause_of_an_end_has_a_name) {
  std::set<std::string_view> names;
  for (const EndCause cause : {EndCause::parted, EndCause::removed, EndCause::disabled, EndCause::filtered}) {
    names.insert(name(cause));
  }
  EXPECT_EQ(names.size(), 4U);
  EXPECT_EQ(names.count("unknown"), 0U);
  EXPECT_EQ(name(static_cast<EndCause>(9)), "unknown");
}

TEST(WorldNames, a_million_bodies_with_filters_and_tags_of_their_own_come_and_go) {
  for (const Interest interest : {Interest::all, Interest::listeners}) {
    World world = World::create({.interest = interest}).value();
    const BodyId still = world.add({.tag = "still"}).value();
    std::size_t heard = 0;
    std::size_t expected = 0;
    world.on_begin("still", World::any, [&](const BodyContact&) { ++heard; });
    std::size_t bytes = 0;
    for (std::uint32_t i = 0; i < 500'000; ++i) {
      const Filter filter{.layer = 1, .group = -static_cast<std::int32_t>(i) - 1};
      const bool steps = i % 100 == 0;
      const auto added = world.add({.tag = long_tag(i), .filter = filter});
      ASSERT_EQ(added.error().message, "") << i;
      if (i % 3 == 0) {
        world.set_tag(*added, long_tag(i + 1'000'000)).value();
        world.set_filter(*added, {.mask = i | 1U}).value();
      }
      if (steps) {
        world.step(0).value();
        ++expected;
        ASSERT_EQ(heard, expected) << i;
        ASSERT_EQ(world.tag(still).value(), "still");
      }
      world.remove(*added).value();
      bytes = i == 1000 ? world.bytes() : bytes;
      if (steps && i > 1000) {
        ASSERT_LE(world.bytes(), bytes + 16) << i;  // numbers in tags get longer
      }
    }
    EXPECT_LT(bytes, 100'000U);
  }
}

TEST(WorldNames, listeners_keep_their_tags_and_release_them) {
  World world;
  std::size_t bytes = 0;
  for (std::uint32_t i = 0; i < 50'000; ++i) {
    const auto listener = world.on_begin(long_tag(i), long_tag(i + 1), [](const BodyContact&) {});
    ASSERT_TRUE(world.remove_listener(listener));
    bytes = i == 1000 ? world.bytes() : bytes;
  }
  EXPECT_LE(world.bytes(), bytes + 16);
}

TEST(WorldNames, too_many_filters_at_once_are_refused_until_some_are_released) {
  World world;
  std::vector<BodyId> bodies;
  const auto with = [](std::int32_t group) {
    return BodyDef{.type = static_cast<BodyType>(group % 3), .tag = "t", .filter = {.group = group}};
  };
  for (std::int32_t i = 1; i < 20'000; ++i) {
    bodies.push_back(world.add(with(i)).value());
  }
  const std::uint64_t before = world.hash();
  const BodyId one = bodies[17];
  EXPECT_EQ(world.add(with(20'000)).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(world.set_filter(one, {.group = 30'000}).error().code, ErrorCode::invalid_argument);
  const std::array<BodyDef, 2> two{with(1), with(20'000)};
  EXPECT_EQ(world.add(two).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(world.hash(), before);
  world.add(with(5)).value();
  world.remove(bodies[3]).value();
  world.add(with(20'000)).value();
  EXPECT_EQ(world.add(with(20'001)).error().code, ErrorCode::invalid_argument);
}

class BroadPhaseClasses : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Techniques, BroadPhaseClasses, testing::ValuesIn(test::technique_names()),
                         test::technique_name);

std::unique_ptr<BroadPhase> make_technique(const std::string& name) {
  auto made = find_technique(name).value()->create({}).value();
  made->keep_sorted(true);
  return made;
}

TEST_P(BroadPhaseClasses, any_number_of_filters_may_come_and_go) {
  const auto boxes = make_technique(GetParam());
  std::size_t bytes = 0;
  for (std::int32_t i = 1; i <= 200'000; ++i) {
    const auto added = boxes->add(Aabb{{0, 0}, {1, 1}}, BodyType::dynamic, {.group = i});
    ASSERT_EQ(added.error().message, "") << i;
    boxes->set_filter(*added, {.group = -i}).value();
    boxes->remove(*added).value();
    bytes = i == 1000 ? boxes->statistics().bytes : bytes;
  }
  EXPECT_LE(boxes->statistics().bytes, bytes);
}

/// The expected data of a box.
struct Known {
  Aabb box;
  BodyType type = BodyType::dynamic;
  Filter filter;
};

/// Draws one of `filters` filters; some exclude each other.
Filter draw_filter(Random& random, std::uint32_t filters) {
  const std::uint32_t n = random.below(filters);
  return {.layer = std::uint64_t{1} << (n % 7),
          .mask = n % 5 == 0 ? ~std::uint64_t{0} : std::uint64_t{n} * 0x9E3779B97F4A7C15U,
          .group = n % 11 == 0 ? static_cast<std::int32_t>(n % 3) - 1 : 0};
}

// Each of few classes has its own bit; many classes share bits; very many classes are not compared by bits.
TEST_P(BroadPhaseClasses, reused_classes_let_through_what_their_filters_say) {
  for (const std::uint32_t filters : {6U, 30U, 200U, 5000U}) {
    Random random(filters);
    const auto boxes = make_technique(GetParam());
    std::vector<std::optional<Known>> known;
    const auto add = [&] {
      const Vec2 at{random.between(0, 12), random.between(0, 12)};
      const Known one{{at, at + Vec2{random.between(0, 3), random.between(0, 3)}},
                      random_type(random),
                      draw_filter(random, filters)};
      const BoxIndex index = boxes->add(one.box, one.type, one.filter).value();
      known.resize(std::max<std::size_t>(known.size(), index + 1));
      known[index] = one;
    };
    for (int i = 0; i < 40; ++i) {
      add();
    }
    for (int frame = 0; frame < 400; ++frame) {
      for (std::uint32_t change = random.below(6); change > 0; --change) {
        const BoxIndex index = random.below(static_cast<std::uint32_t>(known.size()));
        if (!known[index]) {
          add();
        } else if (random.below(3) == 0) {
          boxes->remove(index).value();
          known[index].reset();
        } else {
          known[index]->filter = draw_filter(random, filters);
          boxes->set_filter(index, known[index]->filter).value();
        }
      }
      std::vector<Pair> expected;
      for (BoxIndex a = 0; a < known.size(); ++a) {
        for (BoxIndex b = a + 1; b < known.size(); ++b) {
          if (known[a] && known[b] && can_touch(known[a]->type, known[b]->type) &&
              may_touch(known[a]->filter, known[b]->filter) && overlaps(known[a]->box, known[b]->box)) {
            expected.push_back({a, b});
          }
        }
      }
      const auto found = boxes->find_pairs();
      ASSERT_EQ(std::vector<Pair>(found.begin(), found.end()), expected)
          << filters << " filters, frame " << frame;
    }
  }
}

// With more than 64 tags, some tags share a bit in the filters of the broad phase.
TEST(WorldNames, a_sensor_reports_only_layers_that_it_wants_whatever_tags_there_are) {
  World world = World::create({.interest = Interest::listeners}).value();
  world.on_begin("ball", "brick", [](const BodyContact&) {});
  const BodyId ball = world.add({.shape = Circle{.radius = 1}, .tag = "ball"}).value();
  for (std::uint32_t i = 0; i < 200; ++i) {
    const bool wants = i % 3 == 0;
    const BodyDef sensor{.shape = Circle{.radius = 1},
                         .tag = long_tag(i),
                         .filter = {.wants = wants ? ~std::uint64_t{0} : 0},
                         .sensor = true};
    const BodyId added = world.add(sensor).value();
    world.step(0).value();
    ASSERT_EQ(world.touching(ball, added).value(), wants) << i << " other tags";
    ASSERT_EQ(world.why(ball, added) == "they touch", wants) << i << " other tags";
    world.set_filter(added, {.layer = 0, .mask = 0}).value();  // its tag stays in use
  }
}

// The second world is restored from the first again and again; in the third each name is set after other
// names. So the worlds use different numbers for the same tags and filters.
TEST(WorldNames, results_do_not_depend_on_earlier_names) {
  struct Heard {
    char kind;
    std::uint32_t a;
    std::uint32_t b;
    std::string tag_a;
    bool operator==(const Heard&) const = default;
  };
  for (const Interest interest : {Interest::all, Interest::listeners}) {
    for (const std::uint32_t tags : {3U, 40U, 300U}) {
      Random random(tags);
      std::array<World, 3> worlds{World::create({.interest = interest}).value(),
                                  World::create({.interest = interest}).value(),
                                  World::create({.interest = interest}).value()};
      std::array<std::vector<Heard>, 3> heard;
      const auto listen = [&](std::uint32_t tag) {
        const std::string name = tag % 4 == 0 ? std::string(World::any) : long_tag(tag);
        for (std::size_t w = 0; w < worlds.size(); ++w) {
          const auto told = [&heard, &worlds, w](const BodyContact& contact) {
            heard[w].push_back({'b', contact.a.index, contact.b.index, worlds[w].tag(contact.a).value()});
          };
          worlds[w].on_begin(name, long_tag(tag + 1), told);
          worlds[w].on_end(long_tag(tag + 1), name, [&heard, &worlds, w](const ContactEnd& end) {
            heard[w].push_back({'e', end.a.index, end.b.index, worlds[w].tag(end.a).value()});
          });
        }
      };
      for (std::uint32_t i = 0; i < 6; ++i) {
        listen(random.below(tags));
      }
      std::size_t events = 0;
      for (std::uint32_t round = 0; round < 400; ++round) {
        for (std::uint32_t change = 0; change < 4; ++change) {
          const auto bodies = worlds[0].bodies();
          const Filter filter{.layer = 1, .mask = ~std::uint64_t{0}, .wants = 1 + random.below(tags)};
          const std::string tag = long_tag(random.below(tags));
          const std::uint32_t what = bodies.size() < 30 ? 0 : random.below(6);
          const BodyDef body{.shape = Circle{.radius = 1},
                             .position = {random.between(0, 8), random.between(0, 8)},
                             .tag = tag,
                             .filter = filter,
                             .sensor = random.below(8) == 0};
          const BodyId one =
              bodies.empty() ? BodyId{} : bodies[random.below(static_cast<std::uint32_t>(bodies.size()))];
          for (std::size_t w = 0; w < worlds.size(); ++w) {
            World& world = worlds[w];
            const BodyId id{one.index, one.generation, world.number()};
            const bool passes_through = w == 2;
            if (what == 0 || what == 5) {
              world.add(body).value();
            } else if (what == 1 || what == 4) {
              world.remove(id).value();
            } else if (what == 2) {
              if (passes_through) {
                world.set_tag(id, long_tag(1'000'000 + 9 * round + change)).value();
              }
              world.set_tag(id, tag).value();
            } else {
              if (passes_through) {
                world.set_filter(id, {.group = -static_cast<std::int32_t>(9 * round + change) - 1}).value();
              }
              world.set_filter(id, filter).value();
            }
          }
        }
        if (round % 3 == 0) {
          for (World& world : worlds) {
            world.step(0).value();
          }
        }
        if (round % 7 == 0) {
          worlds[1].restore(worlds[0].snapshot()).value();
        }
        ASSERT_EQ(worlds[1].hash(), worlds[0].hash()) << round;
        ASSERT_EQ(worlds[2].hash(), worlds[0].hash()) << round;
        ASSERT_EQ(worlds[2].snapshot().size(), worlds[0].snapshot().size());
        ASSERT_EQ(heard[1], heard[0]);
        ASSERT_EQ(heard[2], heard[0]);
        events += worlds[0].begun().size() + worlds[0].ended().size();
      }
      EXPECT_GT(events, 100U);
      EXPECT_GT(heard[0].size(), 10U) << tags;
    }
  }
}

TEST(WorldNames, a_body_outlives_the_strings_and_shapes_that_it_was_made_of) {
  World world;
  std::vector<BodyDef> bodies;
  for (std::uint32_t i = 0; i < 100; ++i) {
    std::string tag = long_tag(i);
    std::vector<Shape> more(i % 4, Shape(Circle{.radius = static_cast<float>(i)}));
    bodies.push_back({.more_shapes = more, .tag = tag});
    tag.assign(tag.size(), '#');
    std::fill(more.begin(), more.end(), Shape(Box::of_half_size({1, 1})));
  }
  const std::vector<BodyDef> copies = bodies;
  bodies.clear();
  const auto ids = world.add(copies).value();
  std::vector<std::string> tags;
  for (std::uint32_t i = 0; i < 100; ++i) {
    tags.push_back(world.tag(ids[i]).value());
    EXPECT_EQ(world.shapes(ids[i]).value().size(), 1 + i % 4);
    world.remove(ids[i]).value();
  }
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(tags[i], long_tag(i)) << "a tag that was asked for outlives its body";
  }
}

}  // namespace
}  // namespace broadside::test::names_test
