#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "broadside/base/tasks.hpp"
#include "broadside/world/world.hpp"
#include "world/worlds.hpp"

namespace broadside {
namespace {

std::size_t first_difference(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).second - b.begin());
}

TEST(Snapshot, goes_on_bit_for_bit) {
  World world = test::make_world();
  for (unsigned step = 0; step < 40; ++step) {
    const auto bytes = world.snapshot();
    World other;
    other.restore(bytes).value();
    EXPECT_EQ(first_difference(other.snapshot(), bytes), bytes.size()) << step;
    EXPECT_EQ(other.hash(), world.hash());
    EXPECT_EQ(other.bodies(), world.bodies());
    EXPECT_EQ(other.contacts().size(), world.contacts().size());
    for (unsigned further = 0; further < 3; ++further) {
      test::disturb(other, step + further);
      other.step(1.0F / 60).value();
    }
    World original;
    original.restore(bytes).value();
    original.set_technique("uniform-grid").value();
    for (unsigned further = 0; further < 3; ++further) {
      test::disturb(original, step + further);
      original.step(1.0F / 60).value();
    }
    EXPECT_EQ(original.hash(), other.hash()) << step;
    test::disturb(world, step);
    world.step(1.0F / 60).value();
  }
}

TEST(Snapshot, has_the_same_hash_with_any_technique_and_threads) {
  ThreadPool pool(3);
  std::vector<std::uint64_t> expected;
  for (const Technique& technique : techniques()) {
    for (TaskRunner* runner : {static_cast<TaskRunner*>(nullptr), static_cast<TaskRunner*>(&pool)}) {
      World world = test::make_world();
      world.set_technique(technique.name).value();
      world.use_threads(runner).value();
      std::vector<std::uint64_t> hashes;
      for (unsigned step = 0; step < 50; ++step) {
        test::disturb(world, step);
        world.step(1.0F / 60).value();
        hashes.push_back(world.hash());
      }
      if (expected.empty()) {
        expected = hashes;
      }
      EXPECT_EQ(hashes, expected) << technique.name;
    }
  }
}

TEST(Snapshot, keeps_listeners_and_takes_back_what_happened) {
  World world = World::create({.interest = Interest::listeners}).value();
  int begun = 0;
  world.on_begin("a", "b", [&](const BodyContact&) { ++begun; });
  const BodyId a = world.add({.shape = Circle{.radius = 1}, .tag = "a"}).value();
  const auto before = world.snapshot();
  world.add({.shape = Circle{.radius = 1}, .tag = "b"}).value();
  world.step(0).value();
  EXPECT_EQ(begun, 1);
  world.restore(before).value();
  EXPECT_EQ(world.size(), 1U);
  EXPECT_TRUE(world.contains(a));
  EXPECT_TRUE(world.contacts().empty());
  world.add({.shape = Circle{.radius = 1}, .tag = "b"}).value();
  world.step(0).value();
  EXPECT_EQ(begun, 2);
}

TEST(Snapshot, refuses_what_is_none) {
  World world = test::make_world();
  world.step(1.0F / 60).value();
  const std::uint64_t hash = world.hash();
  const auto bytes = world.snapshot();
  EXPECT_EQ(world.restore({}).error().code, ErrorCode::parse);
  auto other_version = bytes;
  other_version[4] = std::byte{9};
  EXPECT_EQ(world.restore(other_version).error().code, ErrorCode::version_mismatch);
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    EXPECT_EQ(world.restore(std::span(bytes).first(size)).error().code, ErrorCode::parse) << size;
  }
  EXPECT_EQ(world.hash(), hash);
}

}  // namespace
}  // namespace broadside
