// Many steps of a world while bodies are added and removed. `BROADSIDE_SOAK_STEPS=1000000` makes it a million
// steps.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "boxes.hpp"
#include "broadside/world/world.hpp"

namespace broadside::test::soak_test {
namespace {

std::size_t steps_to_run() {
  return number_from_environment("BROADSIDE_SOAK_STEPS", 20'000, 100);
}

constexpr float side = 60.0F;
constexpr std::array<std::string_view, 4> tags{"", "a", "b", "c"};

/// Adds a body of any kind somewhere.
BodyId add_any(World& world, Random& random) {
  const std::vector<Shape> more{Circle{.center = {1, 0}, .radius = 0.5F}};
  const std::array<Shape, 3> shapes{Shape(Circle{.radius = 1}), Box::of_half_size({1, 0.5F}),
                                    Capsule{{-1, 0}, {1, 0}, 0.5F}};
  const BodyType type = random_type(random);
  BodyDef body{.shape = shapes[random.below(3)],
               .type = type,
               .position = {random.between(0, side), random.between(0, side)},
               .rotation = Rotation::by(random.between(0, 6)),
               .tag = std::string(tags[random.below(4)]),
               .filter = {.layer = 1 + random.below(3)},
               .sensor = random.below(10) == 0,
               .bullet = random.below(20) == 0};
  if (type != BodyType::static_body) {
    body.velocity = {random.between(-20, 20), random.between(-20, 20)};
  }
  if (random.below(6) == 0) {
    body.more_shapes = more;
  }
  return world.add(body).value();
}

void change_any(World& world, std::vector<BodyId>& ids, Random& random) {
  BodyId& body = ids[random.below(static_cast<std::uint32_t>(ids.size()))];
  const BodyId other = ids[random.below(static_cast<std::uint32_t>(ids.size()))];
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
      world.remove(body).value();
      body = add_any(world, random);
      break;
    case 3:
      world.set_tag(body, tags[random.below(4)]).value();
      break;
    case 4:
      world.set_filter(body, {.layer = 1 + random.below(3), .mask = 1 + random.below(3)}).value();
      break;
    case 5:
      world.set_enabled(body, random.below(4) != 0).value();
      break;
    case 6:
      if (body != other) {
        world.set_ignored(body, other, random.below(2) == 0).value();
      }
      break;
    default:
      world.teleport(body, {random.between(0, side), random.between(0, side)}, {}).value();
      break;
  }
}

TEST(WorldSoak, memory_stays_level_and_events_even) {
  const std::size_t steps = steps_to_run();
  World world = World::create({.response = Response::bounce}).value();
  Random random(2026);
  std::vector<BodyId> ids;
  for (int i = 0; i < 60; ++i) {
    ids.push_back(add_any(world, random));
  }
  std::size_t begins = 0;
  std::size_t ends = 0;
  std::size_t told = 0;
  world.on_begin("a", World::any, [&](const BodyContact&) { ++told; });
  std::size_t bytes = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    change_any(world, ids, random);
    world.step(1.0F / 60).value();
    begins += world.begun().size();
    ends += world.ended().size();
    ASSERT_EQ(begins - ends, world.contacts().size()) << step;
    if (step % 16 == 0) {
      // Bring back bodies that left the area, so that there is always something to hit.
      for (const BodyId body : ids) {
        const Vec2 at = world.position(body).value();
        if (at.x < 0 || at.y < 0 || at.x > side || at.y > side) {
          world.teleport(body, {random.between(0, side), random.between(0, side)}, {}).value();
        }
      }
      ASSERT_EQ(world.query_area({{-1e9F, -1e9F}, {1e9F, 1e9F}}, {.filter = {.layer = ~std::uint64_t{0}}})
                    .value()
                    .size(),
                static_cast<std::size_t>(std::count_if(
                    ids.begin(), ids.end(), [&](BodyId body) { return world.enabled(body).value(); })));
    }
    if (step == steps / 2) {
      bytes = world.bytes();
    }
  }
  EXPECT_LE(world.bytes(), bytes + bytes / 8);
  EXPECT_LT(world.bytes(), std::size_t{1} << 18U);
  EXPECT_EQ(world.size(), ids.size());
  EXPECT_GT(told, 0U);
  RecordProperty("begins", std::to_string(begins));
  RecordProperty("bytes_half_way", std::to_string(bytes));
  RecordProperty("bytes_at_the_end", std::to_string(world.bytes()));
}

}  // namespace
}  // namespace broadside::test::soak_test
