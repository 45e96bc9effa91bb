// Bugs that the simulator found, each reduced to the shortest sequence of calls.

#include <gtest/gtest.h>

#include <new>
#include <vector>

#include "broadside/world/recording.hpp"
#include "broadside/world/world.hpp"
#include "each_allocation.hpp"

namespace broadside::test::simulator_finds_test {
namespace {

// Bodies that listeners add or enable take part in the motion of that step.
TEST(SimulatorFinds, a_body_that_a_listener_adds_falls_in_the_same_step) {
  World world = World::create({.gravity = {0, -32}}).value();
  for (int i = 0; i < 2; ++i) {
    world.add({.shape = Circle{.radius = 1}}).value();
  }
  BodyId added;
  BodyId enabled = world.add({.shape = Circle{.radius = 1}, .position = {8, 0}, .enabled = false}).value();
  world.on_begin(World::any, World::any, [&](const BodyContact&) {
    added = world.add({.shape = Circle{.radius = 1}, .position = {16, 0}}).value();
    world.set_enabled(enabled, true).value();
  });
  Recording recording;
  world.record(&recording).value();
  world.step(0.25F).value();
  EXPECT_EQ(world.position(added).value(), (Vec2{16, -1}));
  EXPECT_EQ(world.position(enabled).value(), (Vec2{8, -1}));
  world.record(nullptr).value();
  World again;
  replay(recording, again).value();
  EXPECT_EQ(again.hash(), world.hash());
}

TEST(SimulatorFinds, a_step_that_was_taken_back_leaves_the_length_of_the_last_one) {
  World world = World::create({.order = StepOrder::motion_first}).value();
  const BodyId body = world.add({.shape = Circle{.radius = 1}}).value();
  world.add({.shape = Circle{.radius = 1}}).value();
  world.step(0.5F).value();
  bool throws = true;
  world
      .set_predicate([&](BodyId, BodyId) {
        if (throws) {
          throw 1;
        }
        return true;
      })
      .value();
  const std::uint64_t before = world.hash();
  EXPECT_THROW(static_cast<void>(world.step(0.25F)), int);
  EXPECT_EQ(world.hash(), before);
  throws = false;
  world.push(body, {1, 0}).value();
  EXPECT_EQ(world.velocity(body).value(), (Vec2{2, 0}));
}

// By their types, a kinematic player and a static floor do not touch: only `move_and_slide` makes the
// contact.
TEST(SimulatorFinds, a_player_that_leaves_its_floor_has_parted_whatever_else_changed) {
  for (const bool has_new_tag : {false, true}) {
    World world;
    world.add({.shape = Box::of_half_size({8, 1}), .type = BodyType::static_body}).value();
    const BodyId player =
        world.add({.shape = Circle{.radius = 1}, .type = BodyType::kinematic, .position = {0, 4}}).value();
    world.move_and_slide(player, {0, -4}, {.up = {0, 1}}).value();
    world.step(0).value();
    ASSERT_EQ(world.contacts().size(), 1U);
    world.move(player, Vec2{0, 8}).value();
    if (has_new_tag) {
      world.set_tag(player, "flying").value();
    }
    world.step(0).value();
    ASSERT_EQ(world.ended().size(), 1U);
    EXPECT_EQ(world.ended()[0].cause, EndCause::parted) << has_new_tag;
  }
}

TEST(SimulatorFinds, a_contact_of_a_former_sensor_ends_as_filtered_in_a_restored_world_too) {
  World world;
  world.add({.shape = Circle{.radius = 1}, .type = BodyType::static_body}).value();
  const BodyId sensor =
      world.add({.shape = Circle{.radius = 1}, .type = BodyType::static_body, .sensor = true}).value();
  world.step(0).value();
  ASSERT_EQ(world.contacts().size(), 1U);
  world.set_sensor(sensor, false).value();
  World again;
  again.restore(world.snapshot()).value();
  again.step(0).value();
  ASSERT_EQ(again.ended().size(), 1U);
  EXPECT_EQ(again.ended()[0].cause, EndCause::filtered);
}

TEST(SimulatorFinds, a_step_that_was_taken_back_leaves_each_shape_of_a_body_as_it_was) {
  World world = World::create({.order = StepOrder::motion_first}).value();
  const BodyId body =
      world
          .add({.shape = Circle{.radius = 1}, .more_shapes = {Box::of_half_size({1, 1})}, .velocity = {1, 0}})
          .value();
  world.add({.shape = Circle{.radius = 1}}).value();
  world.step(0.5F).value();
  world.set_predicate([](BodyId, BodyId) -> bool { throw 1; }).value();
  world.set_shape(body, Circle{.radius = 2}).value();
  const std::uint64_t before = world.hash();
  EXPECT_THROW(static_cast<void>(world.step(0.25F)), int);
  EXPECT_EQ(world.hash(), before);
}

/// Calls `change` with more and more allocations allowed until it succeeds; returns the number of failures.
template <typename Change>
std::size_t failures(World& world, Change change) {
  const std::uint64_t before = world.hash();
  return static_cast<std::size_t>(fail_each_allocation(change, [&] { EXPECT_EQ(world.hash(), before); }));
}

TEST(SimulatorFinds, changes_of_a_restored_world_fail_whole_where_memory_runs_out) {
  for (const Response response : {Response::none, Response::bounce}) {
    World world = World::create({.response = response, .gravity = {0, -4}}).value();
    for (int i = 0; i < 40; ++i) {
      const auto x = static_cast<float>(i);
      world.add({.shape = Circle{.radius = 1}, .position = {x, 0}, .velocity = {x, 1}}).value();
    }
    world.step(0.25F).value();
    const auto bytes = world.snapshot();
    const auto bodies = world.bodies();
    const std::vector<Vec2> places(bodies.size(), Vec2{5, 5});
    const auto restore = [&] { world.restore(bytes).value(); };
    restore();
    EXPECT_LT(failures(world, [&] { world.move(bodies, places).value(); }), 9U);
    restore();
    failures(world, [&] { world.set_ignored(bodies[0], bodies[1], true).value(); });
    restore();
    failures(world, [&] { world.integrate(0.5F).value(); });
    restore();
    failures(world, [&] { world.detect().value(); });
  }
}

// Also if its place is free or is reused by a shape of another body.
TEST(SimulatorFinds, a_restored_world_knows_the_speed_of_a_contact_whose_body_was_removed) {
  for (const std::size_t shapes_added : {0U, 1U, 2U}) {
    World world;
    const BodyId fast = world.add({.shape = Circle{.radius = 1}, .velocity = {-3, 4}}).value();
    const BodyId other =
        world.add({.shape = Circle{.radius = 1}, .position = {1, 0}, .velocity = {2, 1}}).value();
    world.detect().value();
    const float speed = world.contacts()[0].approach_speed;
    world.remove(other).value();
    world.remove(fast).value();
    if (shapes_added > 0) {
      const std::vector<Shape> more(shapes_added - 1, Box::of_half_size({1, 1}));
      world.add({.shape = Circle{.radius = 1}, .more_shapes = more}).value();
    }
    World restored;
    restored.restore(world.snapshot()).value();
    ASSERT_EQ(restored.contacts().size(), 1U);
    EXPECT_EQ(restored.contacts()[0].approach_speed, speed);
    const auto go_on = [](World& one) {
      one.add({.shape = Circle{.radius = 2}, .velocity = {1, 1}}).value();
      EXPECT_FALSE(one.contacts().empty());
      const std::uint64_t hash = one.hash();
      one.step(0.25F).value();
      return hash ^ one.hash();
    };
    EXPECT_EQ(go_on(restored), go_on(world));
    EXPECT_EQ(restored.snapshot(), world.snapshot());
  }
}

// Regardless of whether the step tests all pairs, the pairs of changed bodies, or none.
TEST(SimulatorFinds, a_contact_on_the_path_of_a_fast_body_ends_in_the_next_step) {
  for (const int others : {0, 100}) {
    for (const bool moves : {false, true}) {
      World world = World::create({.response = Response::bounce}).value();
      const BodyId fast =
          world.add({.shape = Circle{.radius = 1}, .position = {-10, 0}, .velocity = {1280, 0}}).value();
      world.add({.shape = Circle{.radius = 1}, .sensor = true}).value();
      BodyId other;
      for (int i = 0; i < others; ++i) {
        const auto x = static_cast<float>(4 * i);
        other = world.add({.shape = Circle{.radius = 1}, .position = {x, 50}}).value();
      }
      world.step(1.0F / 64).value();
      EXPECT_EQ(world.position(fast).value(), (Vec2{10, 0}));
      ASSERT_EQ(world.contacts().size(), 1U);
      if (moves && others > 0) {
        world.move(other, Vec2{0, 90}).value();
      }
      world.step(0).value();
      EXPECT_TRUE(world.contacts().empty()) << others << ' ' << moves;
      EXPECT_EQ(world.ended().size(), 1U) << others << ' ' << moves;
    }
  }
}

TEST(SimulatorFinds, a_body_cannot_skip_the_response_to_itself) {
  World world;
  const BodyId body = world.add({.shape = Circle{.radius = 1}}).value();
  EXPECT_EQ(world.skip_response(body, body).error().code, ErrorCode::invalid_argument);
  World other;
  EXPECT_FALSE(other.restore(world.snapshot()).error());
}

TEST(SimulatorFinds, a_listener_removed_after_a_restore_is_removed_in_the_replay) {
  World world = World::create({.interest = Interest::listeners}).value();
  for (int i = 0; i < 2; ++i) {
    world.add({.shape = Circle{.radius = 1}}).value();
  }
  Recording recording;
  world.record(&recording).value();
  const auto listener = world.on_begin(World::any, World::any, [](const BodyContact&) {});
  world.step(0).value();
  EXPECT_EQ(world.contacts().size(), 1U);
  world.restore(world.snapshot()).value();
  world.remove_listener(listener);
  world.step(0).value();
  EXPECT_EQ(world.contacts().size(), 0U);
  world.record(nullptr).value();
  World again;
  replay(recording, again).value();
  EXPECT_EQ(again.contacts().size(), 0U);
}

TEST(SimulatorFinds, a_predicate_that_throws_after_a_new_listener_changes_nothing) {
  World world = World::create({.interest = Interest::listeners}).value();
  world.add({.shape = Circle{.radius = 1}}).value();
  world.on_begin(World::any, World::any, [](const BodyContact&) {});
  world.add({.shape = Circle{.radius = 1}}).value();
  world.set_predicate([](BodyId, BodyId) -> bool { throw 1; }).value();
  const std::uint64_t before = world.hash();
  EXPECT_THROW(static_cast<void>(world.step(0)), int);
  EXPECT_EQ(world.hash(), before);
}

}  // namespace
}  // namespace broadside::test::simulator_finds_test
