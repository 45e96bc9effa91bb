// What users of other libraries complained about: one test for each, named after the complaint.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/world/world.hpp"
#include "damages.hpp"

namespace broadside::test::complaints_test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float most = std::numeric_limits<float>::max();

/// Runs a test once with each technique.
void with_each_technique(const std::function<void(World&)>& test) {
  for (const TechniqueEntry& technique : techniques()) {
    SCOPED_TRACE(technique.name);
    World world;
    world.set_technique(technique.name).value();
    test(world);
  }
}

BodyId add(World& world, const Shape& shape, Vec2 at, BodyType type = BodyType::dynamic) {
  return world.add({.shape = shape, .type = type, .position = at}).value();
}

const Circle unit{.radius = 1};

TEST(WorldComplaints, nan_in_one_velocity_crashes_many_frames_later) {
  with_each_technique([](World& world) {
    const BodyId body = add(world, unit, {0, 0});
    add(world, unit, {1, 0});
    world.step(0).value();
    const std::uint64_t before = world.hash();
    for (const float bad : {nan, infinity, -infinity}) {
      for (const Vec2 v : {Vec2{bad, 0}, Vec2{0, bad}}) {
        EXPECT_EQ(world.set_velocity(body, v).error().code, ErrorCode::not_finite);
        EXPECT_EQ(world.push(body, v).error().code, ErrorCode::not_finite);
        EXPECT_EQ(world.move(body, v).error().code, ErrorCode::not_finite);
        EXPECT_EQ(world.teleport(body, v).error().code, ErrorCode::not_finite);
        EXPECT_EQ(world.set_gravity(v).error().code, ErrorCode::not_finite);
        EXPECT_EQ(world.add({.shape = unit, .velocity = v}).error().code, ErrorCode::not_finite);
        EXPECT_EQ(world.add({.shape = unit, .position = v}).error().code, ErrorCode::not_finite);
      }
      EXPECT_EQ(world.set_shape(body, Circle{.radius = bad}).error().code, ErrorCode::not_finite);
      EXPECT_EQ(world.add({.shape = unit, .mass = bad}).error().code, ErrorCode::invalid_argument);
      EXPECT_EQ(world.step(bad).error().code, ErrorCode::invalid_argument);
    }
    EXPECT_EQ(world.hash(), before);
    EXPECT_EQ(world.query_point({0.5F, 0}).value().size(), 2U);
  });
}

TEST(WorldComplaints, huge_boxes_and_endless_falls_eat_all_memory) {
  with_each_technique([](World& world) {
    const Random seed(1);
    Random random = seed;
    for (int i = 0; i < 100; ++i) {
      add(world, unit, {random.between(-50, 50), random.between(-50, 50)});
    }
    const BodyId plane =
        add(world, Box::of_half_size({most / 4, most / 4}), {0, -most / 4}, BodyType::static_body);
    const BodyId falling = add(world, Box::of_half_size({1, 1}), {1000, 1000});
    world.step(0).value();
    const AllocationWatch watch;
    for (float y = 1000; y > -1e37F; y *= y > 0 ? -1.0F : 1.5F) {
      world.move(falling, Vec2{1000, y}).value();
      world.step(0).value();
      ASSERT_EQ(world.touching(plane, falling).value(), y < 1);
    }
    EXPECT_LT(watch.largest(), std::size_t{1} << 18U);
    EXPECT_LT(world.bytes(), std::size_t{1} << 20U);
  });
}

TEST(WorldComplaints, a_body_that_falls_for_ever_stops_the_world) {
  World world = World::create({.gravity = {0, -1e35F}}).value();
  const BodyId falling = add(world, unit, {0, 0});
  for (int i = 0; i < 2000; ++i) {
    world.step(1.0F / 60).value();
  }
  EXPECT_TRUE(std::isfinite(world.position(falling).value().y));
  EXPECT_TRUE(std::isfinite(world.velocity(falling).value().y));
  EXPECT_EQ(world.query_area({{-most, -most}, {most, most}}).value().size(), 1U);
}

TEST(WorldComplaints, far_away_and_negative_bodies_miss_each_other) {
  with_each_technique([](World& world) {
    std::size_t expected = 0;
    for (const float at :
         {-3e38F, -1e30F, -16777217.0F, -1e6F, -150.0F, -0.5F, 0.0F, 150.0F, 2147483648.0F, 1e19F, 3e38F}) {
      const float size = std::max(1.0F, std::abs(at) * 1e-5F);
      add(world, Box::of_half_size({size, size}), {at, at});
      add(world, Box::of_half_size({size, size}), {at, at});
      ++expected;
    }
    world.step(0).value();
    // -0.5 and 0 touch crosswise, and 150 and the others are alone.
    EXPECT_EQ(world.contacts().size(), expected + 4);
  });
}

TEST(WorldComplaints, touching_edges_and_bodies_of_no_size_are_lost) {
  with_each_technique([](World& world) {
    add(world, Box::of_half_size({5, 5}), {145, 0});  // 140 to 150
    add(world, Box::of_half_size({5, 5}), {155, 0});  // 150 to 160
    add(world, Circle{}, {150, 5});                   // a point on both edges
    add(world, Segment{{0, 0}, {0, 0}}, {150, 5});
    world.step(0).value();
    EXPECT_EQ(world.contacts().size(), 6U);
    EXPECT_EQ(world.add({.shape = Box::of_half_size({-1, 1})}).error().code, ErrorCode::invalid_argument);
  });
}

TEST(WorldComplaints, everything_at_one_point_gives_duplicates_or_drops_pairs) {
  with_each_technique([](World& world) {
    constexpr std::size_t n = 250;
    for (std::size_t i = 0; i < n; ++i) {
      add(world, Box::of_half_size({300, 300}), {1e4F, 1e4F});
    }
    std::size_t calls = 0;
    world.on_begin(World::any, World::any, [&](const BodyContact&) { ++calls; });
    world.step(0).value();
    EXPECT_EQ(world.contacts().size(), n * (n - 1) / 2);
    EXPECT_EQ(calls, n * (n - 1) / 2);
    EXPECT_EQ(world.query_point({1e4F, 1e4F}).value().size(), n);
    EXPECT_EQ(world.nearest({0, 0}, 1000).value().size(), n);
    for (std::size_t i = 1; i < world.contacts().size(); ++i) {
      const BodyContact before = world.contacts()[i - 1];
      const BodyContact now = world.contacts()[i];
      ASSERT_LT(std::pair(before.a, before.b), std::pair(now.a, now.b));
    }
  });
}

TEST(WorldComplaints, a_body_destroyed_in_a_callback_crashes) {
  for (int victim = 0; victim < 3; ++victim) {
    World world;
    std::vector<BodyId> bodies;
    for (int i = 0; i < 10; ++i) {
      bodies.push_back(add(world, unit, {0.1F * static_cast<float>(i), 0}));
    }
    const auto act = [&](BodyId a, BodyId b) {
      const std::array<BodyId, 3> whom{a, b, world.bodies().front()};
      world.remove(whom[static_cast<std::size_t>(victim)]).value();
      bodies.push_back(add(world, unit, {0, 0}));
    };
    world.on_contact(World::any, World::any, [&](const BodyContact& contact) {
      ASSERT_TRUE(world.contains(contact.a));
      ASSERT_TRUE(world.contains(contact.b));
      act(contact.a, contact.b);
    });
    world.on_end(World::any, World::any, [&](const ContactEnd& end) { ASSERT_TRUE(world.contains(end.a)); });
    for (int i = 0; i < 5; ++i) {
      world.step(0).value();
      ASSERT_EQ(world.size(), 10U);
      ASSERT_EQ(world.contacts().size(), 45U);
    }
  }
}

TEST(WorldComplaints, recursive_use_and_a_lock_that_is_lost) {
  World world;
  const BodyId body = add(world, unit, {0, 0});
  add(world, unit, {1, 0});
  int seen = 0;
  world
      .visit_point(
          {0.5F, 0},
          [&](BodyId) {
            EXPECT_EQ(world.query_point({0.5F, 0}).value().size(), 2U);  // releases only its own lock
            EXPECT_EQ(world.remove(body).error().code, ErrorCode::locked);
            EXPECT_EQ(world.step(0).error().code, ErrorCode::locked);
            ++seen;
            return true;
          })
      .value();
  EXPECT_EQ(seen, 2);
  int told = 0;
  world.on_begin(World::any, World::any, [&](const BodyContact&) {
    EXPECT_EQ(world.step(0).error().code, ErrorCode::locked);
    EXPECT_EQ(world.detect().error().code, ErrorCode::locked);
    EXPECT_EQ(world.dispatch().error().code, ErrorCode::locked);
    EXPECT_EQ(world.restore(world.snapshot()).error().code, ErrorCode::locked);
    EXPECT_EQ(world.query_point({0.5F, 0}).value().size(), 2U);
    ++told;
  });
  world.step(0).value();
  EXPECT_EQ(told, 1);
  world.remove(body).value();
}

TEST(WorldComplaints, no_end_event_on_removal_disabling_refilter_retag_or_loss_of_a_sensor) {
  struct Way {
    EndCause cause;
    std::function<void(World&, BodyId)> part;
  };
  const std::array<Way, 7> ways{
      Way{EndCause::removed, [](World& world, BodyId body) { world.remove(body).value(); }},
      Way{EndCause::disabled, [](World& world, BodyId body) { world.set_enabled(body, false).value(); }},
      Way{EndCause::filtered, [](World& world, BodyId body) { world.set_filter(body, {.mask = 0}).value(); }},
      Way{EndCause::filtered, [](World& world, BodyId body) { world.set_tag(body, "nobody").value(); }},
      Way{EndCause::filtered,
          [](World& world, BodyId body) { world.set_ignored(world.bodies().front(), body, true).value(); }},
      Way{EndCause::parted,
          [](World& world, BodyId body) {
            world.move(body, Vec2{99, 0}).value();
          }},
      Way{EndCause::parted, [](World& world, BodyId body) { world.set_shape(body, Circle{}).value(); }},
  };
  for (const bool several_shapes : {false, true}) {
    for (const Way& way : ways) {
      World world = World::create({.interest = Interest::listeners}).value();
      int begins = 0;
      std::vector<EndCause> ends;
      world.on_begin("a", "b", [&](const BodyContact&) { ++begins; });
      world.on_end("a", World::any, [&](const ContactEnd& end) { ends.push_back(end.cause); });
      world.add({.shape = unit, .tag = "a"}).value();
      const std::vector<Shape> more{Circle{.center = {0, 9}, .radius = 1}};
      BodyDef body{.shape = unit, .position = {1.5F, 0}, .tag = "b"};
      body.more_shapes = several_shapes ? more : std::vector<Shape>();
      const BodyId b = world.add(body).value();
      world.step(0).value();
      way.part(world, b);
      world.step(0).value();
      world.step(0).value();
      EXPECT_EQ(begins, 1);
      // The end listener matches any tag, so a new tag does not end the contact.
      const bool still = way.cause == EndCause::filtered && world.tag(b).value() == "nobody";
      EXPECT_EQ(ends, still ? std::vector<EndCause>{} : std::vector{way.cause});
    }
  }
}

TEST(WorldComplaints, the_contacts_of_a_former_sensor_never_end) {
  World world = World::create({.interest = Interest::listeners}).value();
  const BodyId sensor = world.add({.shape = unit, .sensor = true}).value();
  const BodyId other = add(world, unit, {1, 0});
  world.step(0).value();
  ASSERT_EQ(world.begun().size(), 1U);
  world.set_sensor(sensor, false).value();
  world.step(0).value();
  ASSERT_EQ(world.ended().size(), 1U);
  EXPECT_EQ(world.ended()[0], (ContactEnd{sensor, other, EndCause::filtered}));
  world.step(0).value();
  EXPECT_TRUE(world.ended().empty());
}

// Using up 2^32 generations takes too long, so the test writes the number into a snapshot. It finds the
// offset by comparing the snapshots of two worlds whose only body has generation 1 in one and 2 in the other.
TEST(WorldComplaints, handles_are_reused_and_generations_wrap) {
  World world;
  World second;
  second.remove(add(second, unit, {0, 0})).value();
  for (World* one : {&world, &second}) {
    add(*one, unit, {0, 0});
    one->step(0).value();
    one->step(0).value();
  }
  auto bytes = world.snapshot();
  const auto others = second.snapshot();
  ASSERT_EQ(bytes.size(), others.size());
  constexpr std::size_t header = 12;  // includes the number of the world
  const auto differs = std::mismatch(bytes.begin() + header, bytes.end(), others.begin() + header).first;
  ASSERT_EQ(*differs, std::byte{1});
  *differs = std::byte{0xFE};
  std::fill(differs + 1, differs + 4, std::byte{0xFF});
  renew_checksums(bytes);
  world.restore(bytes).value();
  const BodyId last_but_one = world.bodies().front();
  EXPECT_EQ(last_but_one.generation, 0xFFFFFFFEU);
  world.remove(last_but_one).value();
  const BodyId last = add(world, unit, {0, 0});
  EXPECT_EQ(last, (BodyId{0, 0xFFFFFFFFU, last_but_one.world}));
  world.step(0).value();
  world.remove(last).value();
  const BodyId fresh = add(world, unit, {0, 0});
  EXPECT_EQ(fresh, (BodyId{1, 1, last.world}));
  for (const BodyId stale : {last_but_one, last, BodyId{0, 0, last.world}, BodyId{}}) {
    EXPECT_FALSE(world.contains(stale));
    EXPECT_EQ(world.move(stale, Vec2{}).error().code, ErrorCode::stale_id);
  }
  for (const TechniqueEntry& technique : techniques()) {
    world.set_technique(technique.name).value();
    world.restore(world.snapshot()).value();
    world.step(0).value();
    EXPECT_EQ(world.query_point({0, 0}).value(), std::vector{fresh});
    const BodyId next = add(world, unit, {0, 0});
    EXPECT_EQ(next.index, 2U);
    world.remove(next).value();
  }
}

TEST(WorldComplaints, forty_thousand_static_shapes_crash_or_crawl) {
  for (const TechniqueEntry& technique : techniques()) {
    const bool is_default = technique.name == default_technique().name;
    World world;
    world.set_technique(technique.name).value();
    std::vector<BodyDef> tiles(is_default ? 40'000 : 5'000);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      tiles[i] = {.shape = Box::of_half_size({0.5F, 0.5F}),
                  .type = BodyType::static_body,
                  .position = {static_cast<float>(i % 200), static_cast<float>(i / 200)}};
    }
    auto ids = world.add(tiles).value();
    const BodyId ball = add(world, Circle{.radius = 1}, {100.5F, 20.5F});
    world.step(0).value();
    EXPECT_EQ(world.contacts().size(), 12U);
    world.move(ball, Vec2{10.5F, 10.5F}).value();
    world.step(0).value();
    EXPECT_EQ(world.contacts().size(), 12U);
    EXPECT_EQ(world.ended().size(), 12U);
    EXPECT_EQ(world.query_area({{-most, -most}, {most, most}}).value().size(), tiles.size() + 1);
    for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
      world.remove(*id).value();
    }
    world.step(0).value();
    EXPECT_EQ(world.ended().size(), 12U);
    EXPECT_EQ(world.size(), 1U);
  }
}

TEST(WorldComplaints, a_query_before_the_first_step_finds_nothing) {
  with_each_technique([](World& world) {
    const BodyId body = add(world, unit, {5, 0});
    const std::vector found{body};
    EXPECT_EQ(world.query_point({5, 0}).value(), found);
    EXPECT_EQ(world.query_area({{3, -1}, {4, 1}}).value(), found);
    EXPECT_EQ(world.query_shape(unit, {{4, 0}, {}}).value(), found);
    EXPECT_EQ(world.cast_ray({0, 0}, {9, 0}).value()->body, body);
    EXPECT_EQ(world.cast_shape(unit, {{0, 0}, {}}, {9, 0}).value()->body, body);
    EXPECT_EQ(world.nearest({0, 0}).value().front().body, body);
  });
}

}  // namespace
}  // namespace broadside::test::complaints_test
