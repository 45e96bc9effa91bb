// The guarantees of a world, one test for each.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/world/world.hpp"

namespace broadside::test::promises_test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float frame = 1.0F / 64;

const Circle unit{.radius = 1};

/// The bodies of a crowd besides circles and boxes.
struct Crowd {
  bool parts = false;
  bool bullets = false;
  bool sensors = false;
};

std::vector<BodyId> add_crowd(World& world, std::size_t count, const Crowd& crowd, Random& random) {
  std::vector<BodyId> ids;
  const float side = 2.5F * std::sqrt(static_cast<float>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<Shape> more{Circle{.center = {1, 0}, .radius = 0.5F}};
    const bool is_static = i % 5 == 0;
    BodyDef body{.shape = i % 2 == 0 ? Shape(unit) : Shape(Box::of_half_size({0.75F, 0.75F})),
                 .type = is_static ? BodyType::static_body : BodyType::dynamic,
                 .position = {random.between(0, side), random.between(0, side)},
                 .rotation = Rotation::by(random.between(0, 6)),
                 .tag = std::array{"", "a", "b"}[i % 3],
                 .sensor = crowd.sensors && i % 11 == 0,
                 .bullet = crowd.bullets && i % 13 == 1};
    if (crowd.parts && i % 6 == 0) {
      body.more_shapes = more;
    }
    if (!is_static) {
      body.velocity = {random.between(-9, 9), random.between(-9, 9)};
    }
    ids.push_back(world.add(body).value());
  }
  return ids;
}

TEST(WorldPromises, numbers_closed_shapes_and_errors_that_name_the_body) {
  World world;
  std::vector<BodyDef> bodies(5, BodyDef{.shape = unit});
  bodies[3].position.y = nan;
  const auto refused = world.add(bodies);
  EXPECT_EQ(refused.error().code, ErrorCode::not_finite);
  EXPECT_TRUE(mentions(refused.error().message, "body 3 ")) << refused.error().message;
  EXPECT_EQ(world.size(), 0U);
  bodies[3].position.y = 2;
  const auto ids = world.add(bodies).value();
  world.step(0).value();
  EXPECT_TRUE(world.touching(ids[3], ids[4]).value());  // they touch at a point
  const auto moved = world.move(ids[2], Vec2{nan, 0});
  EXPECT_TRUE(mentions(moved.error().message, "body 2 ")) << moved.error().message;
  EXPECT_EQ(world.position(ids[2]).value(), Vec2{});
}

TEST(WorldPromises, errors_leave_the_world_as_it_was) {
  World world = World::create({.interest = Interest::listeners}).value();
  World other;
  Random random(3);
  const auto ids = add_crowd(world, 40, {.parts = true, .bullets = true, .sensors = true}, random);
  const BodyId gone = ids[7];
  world.remove(gone).value();
  world.step(frame).value();
  const BodyId foreign = other.add({.shape = unit}).value();
  const BodyId fixed = ids[5];
  const BodyId free = ids[6];
  using Call = std::function<ErrorCode()>;
  std::vector<Call> calls;
  for (const BodyId bad : {gone, foreign, BodyId{}, BodyId{12345, 1, gone.world}}) {
    const std::array both{free, bad};
    const std::array<Vec2, 2> places{Vec2{1, 1}, Vec2{2, 2}};
    const std::array<Transform, 2> transforms{};
    const std::vector<std::function<Result<void>()>> changes{
        [&, bad] { return world.remove(bad); },
        [&, bad] { return world.move(bad, Vec2{}); },
        [&, both, places] { return world.move(both, places); },
        [&, both, transforms] { return world.move(both, transforms); },
        [&, bad] { return world.teleport(bad, Vec2{}); },
        [&, bad] {
          return world.push(bad, {1, 0});
        },
        [&, bad] {
          return world.set_velocity(bad, {1, 0});
        },
        [&, bad] { return world.set_shape(bad, unit); },
        [&, bad] { return world.set_enabled(bad, false); },
        [&, bad] { return world.set_sensor(bad, true); },
        [&, bad] { return world.set_bullet(bad, true); },
        [&, bad] { return world.set_user_data(bad, 5); },
        [&, bad] { return world.set_filter(bad, {.layer = 2}); },
        [&, bad] { return world.set_tag(bad, "new"); },
        [&, bad] { return world.set_ignored(free, bad, true); },
        [&, bad] { return world.set_ignored(bad, free, true); }};
    const ErrorCode expected = bad == foreign ? ErrorCode::wrong_world : ErrorCode::stale_id;
    const std::uint64_t before = world.hash();
    for (std::size_t i = 0; i < changes.size(); ++i) {
      EXPECT_EQ(changes[i]().error().code, expected) << i;
      EXPECT_EQ(world.hash(), before) << i;
    }
    std::array<Vec2, 2> positions;
    std::array<Transform, 2> read;
    EXPECT_EQ(world.contacts_of(bad).error().code, expected);
    EXPECT_EQ(world.positions(both, positions).error().code, expected);
    EXPECT_EQ(world.transforms(both, read).error().code, expected);
    EXPECT_EQ(world.velocities(both, positions).error().code, expected);
    EXPECT_EQ(world.touching(free, bad).error().code, expected);
    EXPECT_EQ(world.bounds(bad).error().code, expected);
    EXPECT_EQ(world.velocity(bad).error().code, expected);
  }
  const std::vector<std::function<ErrorCode()>> senseless{
      [&] { return world.add({.shape = Circle{.radius = -1}}).error().code; },
      [&] {
        return world.add({.shape = unit, .rotation = {1, 1}, .tag = "new"}).error().code;
      },
      [&] {
        return world.add({.shape = unit, .type = BodyType::static_body, .velocity = {1, 0}}).error().code;
      },
      [&] { return world.add({.shape = unit, .mass = 0.0F}).error().code; },
      [&] {
        return world.move(free, {1, 1}, {0.1F, 0.1F}).error().code;
      },
      [&] {
        return world.move(std::array{free, fixed}, std::array{Vec2{}}).error().code;
      },
      [&] {
        return world.push(fixed, {1, 0}).error().code;
      },
      [&] {
        return world.set_velocity(fixed, {1, 0}).error().code;
      },
      [&] {
        return world.set_shape(free, Box::of_half_size({-1, 1})).error().code;
      },
      [&] { return world.set_ignored(free, free, true).error().code; },
      [&] { return world.step(-1).error().code; },
      [&] { return world.set_technique("magic").error().code; },
      [&] {
        return world.set_technique("uniform-grid", {.cell_size = Vec2{-1, 1}}).error().code;
      },
      [&] { return world.query_shape(Circle{.radius = -1}, {}).error().code; },
      [&] { return world.nearest({}, 1, -1).error().code; }};
  for (std::size_t i = 0; i < senseless.size(); ++i) {
    const std::uint64_t before = world.hash();
    EXPECT_EQ(senseless[i](), ErrorCode::invalid_argument) << i;
    EXPECT_EQ(world.hash(), before) << i;
  }
  EXPECT_EQ(world.query_area({{1, 0}, {0, 0}}).error().code, ErrorCode::inverted_box);
  EXPECT_EQ(world.query_point({nan, 0}).error().code, ErrorCode::not_finite);
  EXPECT_EQ(world.cast_ray({}, {0, nan}).error().code, ErrorCode::not_finite);
}

TEST(WorldPromises, each_contact_begins_once_and_ends_once) {
  World world;
  Random random(11);
  auto ids = add_crowd(world, 150, {.parts = true, .bullets = true, .sensors = true}, random);
  std::set<std::pair<BodyId, BodyId>> open;
  std::size_t begins = 0;
  for (int step = 0; step < 300; ++step) {
    for (int k = 0; k < 6; ++k) {
      BodyId& body = ids[random.below(static_cast<std::uint32_t>(ids.size()))];
      switch (random.below(6)) {
        case 0:
          world.remove(body).value();
          body = add_crowd(world, 1, {}, random).front();
          break;
        case 1:
          world.set_enabled(body, random.below(2) == 0).value();
          break;
        case 2:
          world.set_filter(body, {.layer = 1 + random.below(3), .mask = 1 + random.below(3)}).value();
          break;
        case 3:
          world.set_ignored(ids[0], ids[1 + random.below(100)], random.below(2) == 0).value();
          break;
        default:
          world.move(body, Vec2{random.between(0, 30), random.between(0, 30)}).value();
          break;
      }
    }
    world.step(frame).value();
    for (const ContactEnd& end : world.ended()) {
      ASSERT_EQ(open.erase({end.a, end.b}), 1U);
    }
    for (const BodyContact& contact : world.begun()) {
      ASSERT_LT(contact.a, contact.b);
      ASSERT_TRUE(open.insert({contact.a, contact.b}).second);
      ++begins;
    }
    ASSERT_EQ(world.contacts().size(), open.size());
    for (const BodyContact& contact : world.contacts()) {
      ASSERT_TRUE(open.contains({contact.a, contact.b}));
    }
  }
  EXPECT_GT(begins, 500U);
}

TEST(WorldPromises, adding_and_removing_bodies_changes_no_contact_of_the_last_step) {
  Random random(10);
  std::size_t contacts = 0;
  for (int round = 0; round < 60; ++round) {
    World world;
    add_crowd(world, 30, {.parts = random.below(2) == 0}, random);
    for (int steps = 0; steps < 4; ++steps) {
      world.step(frame).value();
      const auto of_last_step = [&world] {
        std::vector<std::tuple<BodyId, BodyId, float, bool, float>> all;
        for (const BodyContact& contact : world.contacts()) {
          const float separation = contact.manifold.points[0].separation;
          all.emplace_back(contact.a, contact.b, separation, contact.begun, contact.approach_speed);
        }
        return all;
      };
      const auto before = of_last_step();
      add_crowd(world, 1 + random.below(8), {.parts = random.below(2) == 0}, random);
      ASSERT_EQ(of_last_step(), before) << round;
      world.remove(world.bodies()[random.below(static_cast<std::uint32_t>(world.size()))]).value();
      ASSERT_EQ(of_last_step(), before) << round;
      contacts += before.size();
    }
  }
  EXPECT_GT(contacts, 3000U);
}

TEST(WorldPromises, contacts_tell_at_which_speed_both_bodies_approach) {
  Random random(11);
  std::size_t contacts = 0;
  for (int round = 0; round < 40; ++round) {
    World world;
    add_crowd(world, 60, {.parts = random.below(2) == 0, .sensors = true}, random);
    world.detect().value();
    std::vector<std::pair<float, float>> expected;
    for (const BodyContact& contact : world.contacts()) {
      const Vec2 relative = world.velocity(contact.a).value() - world.velocity(contact.b).value();
      expected.emplace_back(contact.approach_speed, dot(relative, contact.manifold.normal));
    }
    for (const auto& [speed, of_both] : expected) {
      ASSERT_NEAR(speed, of_both, 1e-4F) << round;
    }
    // A change of velocity after the step changes nothing: the speed is that of the contact.
    for (const BodyId body : world.bodies()) {
      if (world.type(body).value() != BodyType::static_body) {
        world.set_velocity(body, {random.between(-9, 9), 0}).value();
      }
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(world.contacts()[i].approach_speed, expected[i].first) << round;
    }
    contacts += expected.size();
  }
  EXPECT_GT(contacts, 1000U);
}

TEST(WorldPromises, queries_see_the_latest_change_and_are_never_cut_off) {
  for (const TechniqueEntry& technique : techniques()) {
    World world;
    world.set_technique(technique.name).value();
    std::vector<BodyDef> bodies(3000, BodyDef{.shape = unit, .type = BodyType::static_body});
    const auto ids = world.add(bodies).value();
    EXPECT_EQ(world.query_area({{-1, -1}, {1, 1}}).value(), ids);
    EXPECT_EQ(world.query_point({}).value(), ids);
    EXPECT_EQ(world.query_shape(unit, {}).value(), ids);
    EXPECT_EQ(world.nearest({}, ids.size() + 1).value().size(), ids.size());
    std::size_t met = 0;
    world.visit_ray({-9, 0}, {9, 0}, [&](const BodyHit&) { return ++met > 0; }).value();
    world.visit_cast(unit, {{-9, 0}, {}}, {9, 0}, [&](const BodyHit&) { return ++met > 0; }).value();
    EXPECT_EQ(met, 2 * ids.size());
    world.move(ids[9], Vec2{50, 0}).value();
    EXPECT_EQ(world.query_point({50, 0}).value(), std::vector{ids[9]});
    world.set_shape(ids[9], Circle{.radius = 5}).value();
    EXPECT_EQ(world.query_point({54, 0}).value(), std::vector{ids[9]});
    world.set_enabled(ids[9], false).value();
    EXPECT_TRUE(world.query_point({50, 0}).value().empty());
    world.set_enabled(ids[9], true).value();
    EXPECT_EQ(world.query_point({50, 0}, {.sensors = false}).value().size(), 1U);
    world.set_sensor(ids[9], true).value();
    EXPECT_TRUE(world.query_point({50, 0}, {.sensors = false}).value().empty());
    world.remove(ids[9]).value();
    EXPECT_TRUE(world.query_point({50, 0}).value().empty());
    EXPECT_EQ(world.query_point({}).value().size(), ids.size() - 1);
  }
}

class WarmStep : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(WorldPromises, WarmStep,
                         testing::Values("plain", "parts", "listeners", "only_listeners", "predicate",
                                         "bullets", "bounce", "bouncing_bullets", "ignored", "gravity",
                                         "asked", "few", "few_parts", "few_bullets", "few_asked"),
                         [](const auto& test) { return test.param; });

TEST_P(WarmStep, allocates_nothing) {
  const std::string& kind = GetParam();
  const bool bounces = mentions(kind, "bounc");
  World world = World::create({.interest = kind == "only_listeners" ? Interest::listeners : Interest::all,
                               .response = bounces ? Response::bounce : Response::none,
                               .gravity = {0, kind == "gravity" ? 1.0F : 0.0F}})
                    .value();
  Random random(5);
  const auto ids =
      add_crowd(world, 300, {.parts = mentions(kind, "parts"), .bullets = mentions(kind, "bullets")}, random);
  if (mentions(kind, "listeners")) {
    world.on_contact("a", World::any, [](const BodyContact&) {});
    world.on_end("b", World::any, [](const ContactEnd&) {});
  } else if (kind == "predicate") {
    world.set_predicate([](BodyId a, BodyId b) { return (a.index + b.index) % 5 != 0; }).value();
  } else if (kind == "ignored") {
    world.set_ignored(ids[0], ids[1], true).value();
  }
  std::vector<Vec2> start(ids.size());
  world.positions(ids, start).value();
  std::vector<Vec2> speeds;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool rests = mentions(kind, "few") && i % 13 != 1;
    if (rests && world.type(ids[i]).value() != BodyType::static_body) {
      world.set_velocity(ids[i], {}).value();
    }
    speeds.push_back(world.velocity(ids[i]).value());
  }
  const auto round = [&] {
    for (int step = 0; step < 8; ++step) {
      world.step(frame).value();
      if (mentions(kind, "asked")) {
        EXPECT_EQ(world.shape_contacts().size(), world.contacts().size());
        world.visit_contacts(ids[3], [](const BodyContact&) { return true; }).value();
        world.visit_area({{0, 0}, {9, 9}}, [](BodyId) { return true; }).value();
        world.visit_ray({0, 0}, {40, 40}, [](const BodyHit&) { return true; }).value();
      }
    }
    world.move(ids, start).value();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (world.type(ids[i]).value() != BodyType::static_body) {
        world.set_velocity(ids[i], speeds[i]).value();
      }
    }
    world.step(frame).value();
  };
  for (int warm = 0; warm < 5; ++warm) {
    round();
  }
  // No round of bullets that bounce is like another, and now and then one has more contacts than all before.
  const bool is_steady = kind != "bouncing_bullets";
  int that_allocate = 0;
  for (int warm = 0; warm < 10; ++warm) {
    const AllocationWatch watch;
    round();
    that_allocate += watch.count() > 0 ? 1 : 0;
  }
  EXPECT_LE(that_allocate, is_steady ? 0 : 4);
}

TEST(WorldPromises, memory_stays_level_while_bodies_come_and_go) {
  for (const TechniqueEntry& technique : techniques()) {
    World world;
    world.set_technique(technique.name).value();
    Random random(5);
    auto ids = add_crowd(world, 200, {.parts = true}, random);
    std::size_t bytes = 0;
    for (int step = 0; step < 1200; ++step) {
      for (int k = 0; k < 10; ++k) {
        BodyId& body = ids[random.below(200)];
        world.remove(body).value();
        body = add_crowd(world, 1, {.parts = true}, random).front();
        world.move(body, Vec2{random.between(0, 35), random.between(0, 35)}).value();
      }
      world.step(frame).value();
      if (step == 300) {
        bytes = world.bytes();
      }
    }
    EXPECT_LT(world.bytes(), bytes + bytes / 4) << technique.name;
    EXPECT_EQ(world.size(), 200U);
  }
}

TEST(WorldPromises, each_body_takes_140_to_230_bytes_without_its_contacts) {
  Random random(8);
  for (int round = 0; round < 9; ++round) {
    const std::size_t count = 12'000 + random.below(8000);
    const float side = 2.5F * std::sqrt(static_cast<float>(count));
    std::vector<BodyDef> bodies(count);
    for (BodyDef& body : bodies) {
      body.shape = random.below(2) == 0 ? Shape(unit) : Shape(Box::of_half_size({0.75F, 0.75F}));
      body.type = round % 3 == 0 ? BodyType::static_body : BodyType::dynamic;
      body.position.x = random.between(0, side);
      body.position.y = random.between(0, side);
      body.tag = std::array{"", "a", "b"}[random.below(3)];
      if (round % 3 == 1) {
        body.velocity.x = random.between(-3, 3);
        body.velocity.y = random.between(-3, 3);
      }
    }
    World world;
    const auto ids = world.add(bodies).value();
    const auto expect_bytes = [&](std::size_t more) {
      EXPECT_GE(world.bytes(), 140 * count) << round;
      EXPECT_LE(world.bytes(), (230 + more) * count) << round;
    };
    for (int step = 0; step < 4; ++step) {
      for (std::size_t i = 0; i < count && round % 3 == 2; ++i) {  // all move, or few of them
        if (step < 2 || i % 10 == 0) {
          world.move(ids[i], world.position(ids[i]).value() + Vec2{0.02F, 0.01F}).value();
        }
      }
      world.step(frame).value();
      expect_bytes(0);
    }
    world.watch_queries(true);  // the tree is built at once
    static_cast<void>(world.query_area({{0, 0}, {9, 9}}).value());
    world.watch_queries(false);
    expect_bytes(58);
  }
}

// All bodies are valid, or one at a drawn place of the list is not.
TEST(WorldPromises, many_bodies_added_in_one_call_are_the_same_as_one_after_the_other) {
  Random random(9);
  World together;
  World apart;
  for (int round = 0; round < 200; ++round) {
    std::vector<BodyDef> bodies(random.below(40));
    for (BodyDef& body : bodies) {
      body.shape = random.below(2) == 0 ? Shape(unit) : Shape(Box::of_half_size({0.75F, 0.75F}));
      body.type = random.below(3) == 0 ? BodyType::static_body : BodyType::dynamic;
      body.position.x = random.between(0, 60);
      body.position.y = random.between(0, 60);
      body.tag = "tag " + std::to_string(random.below(5));
      body.filter.layer = 1U + random.below(3);
      body.bullet = random.below(9) == 0;
      if (random.below(5) == 0) {
        body.more_shapes.assign(1 + random.below(2), Circle{.center = {1, 0}, .radius = 0.5F});
      }
    }
    const std::uint64_t before = together.hash();
    if (!bodies.empty() && random.below(2) == 0) {
      std::vector<BodyDef> bad = bodies;
      bad[random.below(static_cast<std::uint32_t>(bad.size()))].mass = -1.0F;
      ASSERT_EQ(together.add(bad).error().code, ErrorCode::invalid_argument);
      ASSERT_EQ(together.hash(), before) << round;
    }
    const auto ids = together.add(bodies).value();
    ASSERT_EQ(ids.size(), bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      ASSERT_EQ(apart.add(bodies[i]).value().index, ids[i].index) << round;
    }
    ASSERT_EQ(together.hash(), apart.hash()) << round;
    for (World* world : {&together, &apart}) {
      Random same(static_cast<std::uint64_t>(round));
      const auto all = world->bodies();
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (same.below(3) == 0) {
          world->remove(all[i]).value();
        }
      }
      world->step(frame).value();
    }
    ASSERT_EQ(together.hash(), apart.hash()) << round;
  }
}

// Bodies that bounce are put apart, as others would be moved apart in each step.
TEST(WorldPromises, a_step_in_which_nothing_changed_tests_no_pair_and_allocates_nothing) {
  Random random(10);
  for (int round = 0; round < 60; ++round) {
    const bool bounces = random.below(3) == 0;
    World world = World::create({.interest = random.below(2) == 0 ? Interest::all : Interest::listeners,
                                 .response = bounces ? Response::bounce : Response::none})
                      .value();
    const auto all = techniques();
    world.set_technique(all[random.below(static_cast<std::uint32_t>(all.size()))].name).value();
    world.measure_times(true);
    const bool parts = random.below(2) == 0;
    const bool bullets = random.below(2) == 0;
    const bool sensors = random.below(2) == 0;
    const auto ids = add_crowd(world, 50 + random.below(200),
                               {.parts = parts, .bullets = bullets, .sensors = sensors}, random);
    world.on_begin("a", World::any, [](const BodyContact&) {});
    world.on_contact("a", "b", [](const BodyContact&) {});
    world.on_end("b", World::any, [](const ContactEnd&) {});
    for (std::uint32_t step = random.below(4); step > 0; --step) {
      world.step(frame).value();
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (world.type(ids[i]).value() != BodyType::static_body) {
        world.set_velocity(ids[i], {}).value();
      }
      if (bounces) {
        world.teleport(ids[i], {8.0F * static_cast<float>(i), 0}, {}).value();
      }
    }
    for (int step = 0; step < 4; ++step) {  // the boxes of bullets cover their paths for one step more
      world.step(frame).value();
    }
    // The time of the last search would change if there were another.
    const Statistics before = world.broad_phase().statistics();
    const AllocationWatch watch;
    for (int step = 0; step < 3; ++step) {
      world.step(frame).value();
    }
    EXPECT_EQ(watch.count(), 0U) << round;
    const Statistics after = world.broad_phase().statistics();
    EXPECT_EQ(after.pairs_seconds, before.pairs_seconds) << round;
    EXPECT_EQ(after.tests, before.tests) << round;
    EXPECT_TRUE(world.begun().empty() && world.ended().empty()) << round;
  }
}

// The lists of a feature are counted when the feature is in use, each with all entries: contacts found by
// sweeps or by margins, and contacts of bodies with several shapes.
TEST(WorldPromises, bytes_count_bodies_and_contacts_in_each_list) {
  for (const std::size_t count : {500U, 3000U}) {
    struct Bytes {
      std::size_t bodies;
      std::size_t contacts;
      std::size_t least;  ///< minimum, for one list of contacts
    };
    const auto bytes_of = [count](bool with_parts, bool with_bullets, float end_margin) {
      World world = World::create({.end_margin = end_margin}).value();
      Random random(6);
      const float side = 2.0F * std::sqrt(static_cast<float>(count));
      for (std::size_t i = 0; i < count; ++i) {
        BodyDef body{.shape = unit, .bullet = with_bullets && i % 4 == 0};
        body.position = {random.between(0, side), random.between(0, side)};
        body.velocity = {random.between(-9, 9), random.between(-9, 9)};
        if (with_parts) {
          body.more_shapes = {Circle{.radius = 0.5F}};
        }
        world.add(body).value();
      }
      for (int step = 0; step < 5; ++step) {
        world.step(frame).value();
      }
      EXPECT_GT(world.contacts().size(), count / 2);
      return Bytes{world.bytes(), world.contact_bytes(), world.contacts().size() * sizeof(Contact)};
    };
    const Bytes plain = bytes_of(false, false, 0.0F);
    const Bytes parts = bytes_of(true, false, 0.0F);
    const Bytes bullets = bytes_of(false, true, 0.0F);
    const Bytes lasting = bytes_of(false, false, 0.05F);
    const std::size_t of_shape = sizeof(Shape) + sizeof(Transform) + sizeof(Aabb);
    EXPECT_GE(plain.bodies, count * of_shape);
    EXPECT_GE(parts.bodies, plain.bodies + count * of_shape);
    EXPECT_GE(bullets.bodies, plain.bodies + count * sizeof(Vec2));
    EXPECT_GE(plain.contacts, plain.least);
    EXPECT_GE(parts.contacts,
              plain.contacts + 4 * parts.least);  // twice the shapes, and two body lists
    EXPECT_GE(bullets.contacts, plain.contacts + 2 * bullets.least);
    EXPECT_GE(lasting.contacts, plain.contacts + 2 * lasting.least);
    for (const Bytes& bytes : {plain, parts, bullets, lasting}) {
      EXPECT_LE(bytes.bodies, count * 20 * of_shape);
      EXPECT_LE(bytes.contacts, 50 * bytes.least);
    }
  }
}

// Arrays keep their memory until the world is destroyed, so the bytes of what was counted before do not get
// fewer.
TEST(WorldPromises, bytes_count_ends_and_listeners_and_no_more_than_was_allocated) {
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    const std::uint32_t count = 1 + random.below(400);
    const MemoryWatch watch;
    World world = World::create({.end_margin = random.below(2) == 0 ? 0.0F : 0.125F}).value();
    world.set_technique(techniques()[random.below(static_cast<std::uint32_t>(techniques().size()))].name)
        .value();
    std::vector<BodyDef> bodies(2 * count, BodyDef{.shape = unit});
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
      bodies[i].position = {10.0F * static_cast<float>(i / 2) + static_cast<float>(i % 2), 0};
    }
    if (random.below(2) == 0) {
      bodies[random.below(2 * count)].more_shapes = {Circle{.radius = 0.5F}};
    }
    bodies[random.below(2 * count)].bullet = random.below(2) == 0;
    const std::vector<BodyId> ids = world.add(bodies).value();
    world.step(0).value();
    ASSERT_EQ(world.begun().size(), count);
    const std::size_t of_contacts = world.contact_bytes();
    for (std::uint32_t i = 1; i < bodies.size(); i += 2) {
      world.teleport(ids[i], {bodies[i].position.x, 5}, {}).value();
    }
    world.step(0).value();
    ASSERT_EQ(world.ended().size(), count);
    EXPECT_GE(world.contact_bytes(), of_contacts + count * sizeof(ContactEnd)) << round;
    const std::size_t of_bodies = world.bytes();
    const std::uint32_t listeners = random.below(40);
    for (std::uint32_t i = 0; i < listeners; ++i) {
      world.on_begin("a", World::any, [](const BodyContact&) {});
    }
    EXPECT_GE(world.bytes(), of_bodies + listeners * sizeof(World::ContactListener)) << round;
    EXPECT_LE(world.bytes() + world.contact_bytes(), watch.bytes()) << round;
  }
}

// Also meant for runs with ThreadSanitizer.
TEST(WorldPromises, const_calls_may_run_side_by_side) {
  World world;
  ThreadPool pool(2);
  world.use_threads(&pool).value();
  Random random(9);
  const auto ids = add_crowd(world, 400, {.parts = true, .sensors = true}, random);
  for (int step = 0; step < 20; ++step) {
    for (std::size_t i = 0; step == 10 && i < ids.size(); ++i) {  // from here on hardly anything changes
      if (world.contains(ids[i]) && world.type(ids[i]).value() != BodyType::static_body) {
        world.set_velocity(ids[i], {}).value();
      }
    }
    world.step(frame).value();
    world.move(ids[1], Vec2{random.between(0, 20), random.between(0, 20)}).value();
    world.remove(ids[20 + static_cast<std::size_t>(step)]).value();
    const auto ask = [&world, &ids, step](std::vector<std::uint64_t>& answers) {
      std::vector<BodyContact> contacts;
      for (std::size_t i = 0; i < 20; ++i) {
        const BodyId body = ids[(i * 7) % 20];
        contacts = world.contacts_of(body).value();
        answers.push_back(contacts.size());
        answers.push_back(world.contacts().size());
        answers.push_back(world.stayed().size());
        answers.push_back(world.shape_contacts().size());
        answers.push_back(world.query_area({{0, 0}, {static_cast<float>(i), 20}}).value().size());
        answers.push_back(world.nearest({static_cast<float>(step), 5}, 3).value().front().body.index);
        answers.push_back(world.cast_ray({0, 0}, {40, static_cast<float>(i)}).value().has_value() ? 1 : 0);
        answers.push_back(world.touching(body, ids[60 + i]).value() ? 1 : 0);
        answers.push_back(world.why(body, ids[60 + i]).size());
        answers.push_back(world.broad_phase().size());
        answers.push_back(world.hash());
      }
    };
    std::array<std::vector<std::uint64_t>, 4> answers;
    std::vector<std::thread> threads;
    for (auto& one : answers) {
      threads.emplace_back(ask, std::ref(one));
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    for (const auto& one : answers) {
      ASSERT_EQ(one, answers[0]);
    }
  }
}

TEST(WorldPromises, the_same_bits_whatever_the_technique_the_threads_and_the_queries) {
  std::vector<std::uint64_t> expected;
  for (const TechniqueEntry& technique : techniques()) {
    for (const std::size_t threads : {1U, 2U, 4U}) {
      ThreadPool pool(threads);
      World world =
          World::create({.response = Response::bounce, .restitution = 0.9F, .gravity = {0, -5}}).value();
      world.set_technique(technique.name).value();
      world.use_threads(&pool).value();
      Random random(17);
      const auto ids = add_crowd(world, 250, {.parts = true, .bullets = true, .sensors = true}, random);
      std::vector<std::uint64_t> hashes;
      for (int step = 0; step < 40; ++step) {
        world.step(frame).value();
        if (threads == 2) {
          EXPECT_TRUE(world.query_area({{0, 0}, {20, 20}}).has_value());
        }
        if (step == 20) {
          world.set_enabled(ids[3], false).value();
          world.remove(ids[4]).value();
        }
        hashes.push_back(world.hash());
      }
      expected = expected.empty() ? hashes : expected;
      EXPECT_EQ(hashes, expected) << technique.name << " with " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace broadside::test::promises_test
