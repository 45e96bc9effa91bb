#include "broadside/world/recording.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "boxes.hpp"
#include "broadside/world/world.hpp"
#include "world/worlds.hpp"

namespace broadside::recording_test {
namespace {

TEST(Recording, is_replayed_bit_for_bit) {
  World world = test::make_world();
  world.on_begin("a", World::any, [&](const BodyContact& contact) {
    static_cast<void>(world.push(contact.b, {0.125F, 0}));
    if (contact.b.index % 3 == 0) {
      world.remove(contact.b).value();
    }
  });
  for (unsigned step = 0; step < 5; ++step) {
    world.step(1.0F / 60).value();
  }
  Recording recording;
  world.record(&recording).value();
  std::vector<std::uint64_t> hashes;
  for (unsigned step = 0; step < 60; ++step) {
    test::disturb(world, step);
    const std::vector<BodyId> bodies = world.bodies();
    const std::vector<Vec2> positions(bodies.size(), Vec2{static_cast<float>(step), 5});
    if (step % 20 == 10) {
      world.move(bodies, positions).value();
      world.set_gravity({static_cast<float>(step), 1}).value();
    }
    for (const BodyId body : {bodies[step % bodies.size()], bodies[7 * step % bodies.size()]}) {
      world.set_shape(body, Circle{.radius = 0.5F}).value();
      world.set_filter(body, {.group = static_cast<std::int32_t>(step % 4)}).value();
      world.set_sensor(body, step % 2 == 0).value();
      world.set_bullet(body, step % 3 == 0).value();
      world.set_user_data(body, step).value();
      world.teleport(body, {1, 2}, Rotation::by(1)).value();
      static_cast<void>(world.set_velocity(body, {static_cast<float>(step), -1}));
    }
    world.step(1.0F / 60).value();
    hashes.push_back(world.hash());
  }
  world.record(nullptr).value();
  world.step(1.0F / 60).value();

  World again;
  std::vector<std::uint64_t> hashes_again;
  replay(recording, again, [&] {
    hashes_again.push_back(again.hash());
    return true;
  }).value();
  EXPECT_EQ(hashes_again, hashes);

  World elsewhere;
  const auto bytes = recording.bytes();
  elsewhere.set_technique("sweep-and-prune").value();
  replay(Recording({bytes.begin(), bytes.end()}), elsewhere).value();
  EXPECT_EQ(elsewhere.hash(), hashes.back());
}

TEST(Recording, is_replayed_until_after_step_returns_false) {
  test::Random random(8);
  for (const StepOrder order : {StepOrder::detect_first, StepOrder::motion_first}) {
    World world = World::create({.order = order}).value();
    for (int i = 0; i < 30; ++i) {
      const Vec2 position{random.between(0, 20), random.between(0, 20)};
      const Vec2 velocity{random.between(-5, 5), random.between(-5, 5)};
      world.add({.shape = Circle{.radius = 1}, .position = position, .velocity = velocity}).value();
    }
    Recording recording;
    world.record(&recording).value();
    std::vector<std::uint64_t> hashes;
    for (int step = 0; step < 20; ++step) {
      world.step(1.0F / 60).value();
      hashes.push_back(world.hash());
    }
    world.record(nullptr).value();
    for (std::size_t last = 0; last < hashes.size(); ++last) {
      World again;
      std::size_t steps = 0;
      replay(recording, again, [&] {
        EXPECT_EQ(again.hash(), hashes.at(steps)) << steps;
        return steps++ < last;
      }).value();
      EXPECT_EQ(steps, last + 1);
      EXPECT_EQ(again.hash(), hashes[last]);
    }
  }
}

TEST(Recording, includes_which_tags_had_listeners) {
  World world = World::create({.interest = Interest::listeners}).value();
  const auto add = [&](std::string_view tag) {
    return world.add({.shape = Circle{.radius = 1}, .tag = std::string(tag)}).value();
  };
  const BodyId a = add("a");
  const BodyId b = add("b");
  const auto first = world.on_begin("a", "b", [](const BodyContact&) {});
  Recording recording;
  world.record(&recording).value();
  world.step(0).value();
  EXPECT_TRUE(world.touching(a, b).value());
  world.remove_listener(first);
  world.on_begin("b", "c", [](const BodyContact&) {});
  add("c");
  world.step(0).value();
  EXPECT_FALSE(world.touching(a, b).value());
  world.record(nullptr).value();
  World again;
  std::uint64_t hash = 0;
  replay(recording, again, [&] {
    hash = again.hash();
    return true;
  }).value();
  EXPECT_EQ(hash, world.hash());
  EXPECT_EQ(again.contacts().size(), 1U);
}

TEST(Recording, finds_the_contacts_of_the_recorded_listeners_and_calls_none) {
  World world = World::create({.interest = Interest::listeners}).value();
  for (const char* tag : {"a", "b", "c"}) {
    world.add({.shape = Circle{.radius = 1}, .tag = tag}).value();
  }
  world.on_begin("a", "b", [](const BodyContact&) {});
  Recording recording;
  world.record(&recording).value();
  world.step(0).value();
  world.record(nullptr).value();
  ASSERT_EQ(world.contacts().size(), 1U);
  World again;
  bool is_called = false;
  again.on_begin("b", "c", [&](const BodyContact&) { is_called = true; });
  std::size_t contacts = 0;
  replay(recording, again, [&] {
    contacts = again.contacts().size();
    return true;
  }).value();
  EXPECT_EQ(contacts, 2U);
  EXPECT_FALSE(is_called);
}

TEST(Recording, refuses_invalid_bytes) {
  World world = test::make_world();
  EXPECT_FALSE(replay(Recording(), world).error());
  EXPECT_EQ(replay(Recording(std::vector<std::byte>(5, std::byte{200})), world).error().code,
            ErrorCode::parse);
  Recording recording;
  world.record(&recording).value();
  for (unsigned step = 0; step < 3; ++step) {
    test::disturb(world, step);
    world.step(1.0F / 60).value();
  }
  world.record(nullptr).value();
  const auto bytes = recording.bytes();
  for (std::size_t at = 0; at < bytes.size(); at += 199) {
    std::vector<std::byte> flipped(bytes.begin(), bytes.end());
    flipped[at] ^= std::byte{0xFF};
    World other;
    const std::uint64_t before = other.hash();
    EXPECT_TRUE(replay(Recording(flipped), other).error()) << at;
    EXPECT_EQ(other.hash(), before);
  }
}

// A recording is filled when it ends. A world that is destroyed, or replaced by another, leaves the recording
// as it was, with what an earlier one wrote.
TEST(Recording, is_left_unchanged_by_a_world_that_is_destroyed) {
  test::Random random(20261205);
  for (int round = 0; round < 60; ++round) {
    auto world = std::make_unique<World>(test::make_world());
    Recording recording;
    if (random.below(2) == 0) {
      world->record(&recording).value();
      world->step(0.02F).value();
      world->record(nullptr).value();
      ASSERT_FALSE(recording.empty());
    }
    const std::vector<std::byte> before(recording.bytes().begin(), recording.bytes().end());
    world->record(&recording).value();
    for (std::uint32_t steps = random.below(4); steps > 0; --steps) {
      test::disturb(*world, random.bits());
      world->step(0.02F).value();
    }
    const std::uint32_t end = random.below(3);
    if (end == 0) {
      world.reset();
    } else if (end == 1) {
      *world = World();
    } else {  // with a new owner
      const World owner(std::move(*world));
      world.reset();
      ASSERT_GT(owner.size(), 0U);
    }
    const std::vector<std::byte> after(recording.bytes().begin(), recording.bytes().end());
    ASSERT_TRUE(after == before) << round << ", " << end;
  }
}

}  // namespace
}  // namespace broadside::recording_test
