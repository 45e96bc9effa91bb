// Bugs found by review and by random programs: the smallest case of each.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "boxes.hpp"
#include "broadside/world/world.hpp"

namespace broadside::corner_cases_test {
namespace {

constexpr float frame = 1.0F / 60;

BodyId add_circle(World& world, Vec2 at, float radius = 1.0F) {
  return world.add({.shape = Circle{.radius = radius}, .position = at}).value();
}

bool is_number(Vec2 v) {
  return std::isfinite(v.x) && std::isfinite(v.y);
}

TEST(WorldCornerCases, a_shape_in_the_place_of_a_fast_body_stays_with_its_own) {
  World world;
  const BodyId first = add_circle(world, {0, 0});
  const BodyId fast = world.add({.shape = Circle{.radius = 1}, .velocity = {60, 0}}).value();
  world.remove(fast).value();
  world.remove(first).value();
  const std::vector<Shape> more{Circle{.center = {5, 0}, .radius = 1}};
  const BodyId body = world.add({.shape = Circle{.radius = 1}, .more_shapes = more}).value();
  world.move(body, Vec2{100, 0}).value();
  world.step(frame).value();
  EXPECT_EQ(world.query_point({105, 0}).value(), std::vector<BodyId>{body});
  EXPECT_EQ(world.query_point({205, 0}).value(), std::vector<BodyId>{});
}

TEST(WorldCornerCases, a_very_short_step_keeps_velocities_finite) {
  World world;
  const BodyId still = add_circle(world, {3, 4});
  world.step(1e-45F).value();
  EXPECT_EQ(world.velocity(still).value(), Vec2{});
}

TEST(WorldCornerCases, a_motion_beyond_the_range_of_float_is_refused) {
  World world;
  const BodyId body = world.add({.shape = Circle{}, .position = {3e38F, 0}, .velocity = {-3e38F, 0}}).value();
  const std::uint64_t before = world.hash();
  EXPECT_EQ(world.step(100.0F).error().code, ErrorCode::not_finite);
  EXPECT_EQ(world.integrate(100.0F).error().code, ErrorCode::not_finite);
  EXPECT_EQ(world.hash(), before);
  world.step(2.0F).value();
  EXPECT_EQ(world.position(body).value(), (Vec2{-3e38F, 0}));
  EXPECT_EQ(world.velocity(body).value(), (Vec2{-3e38F, 0}));
}

TEST(WorldCornerCases, moving_across_the_range_of_float_keeps_the_velocity_finite) {
  World world;
  const BodyId body = add_circle(world, {0, 0});
  world.set_velocity(body, {1e38F, 0}).value();
  world.move(body, Vec2{-3.4e38F, 0}).value();
  EXPECT_TRUE(is_number(world.velocity(body).value()));
  world.step(frame).value();
  EXPECT_TRUE(is_number(world.velocity(body).value()));
  EXPECT_EQ(world.push(body, {3.4e38F, 0}).error().code, ErrorCode::not_finite);
  EXPECT_EQ(world.velocity(body).value(), (Vec2{1e38F, 0}));
}

TEST(WorldCornerCases, bodies_of_hardly_any_mass_bounce) {
  for (const float mass : {1e-45F, 1e-38F, 1.0F, 1e38F}) {
    World world = World::create({.response = Response::bounce}).value();
    const BodyId a = world.add({.shape = Circle{.radius = 1}, .velocity = {6, 0}, .mass = mass}).value();
    const BodyId b = world.add({.shape = Circle{.radius = 1}, .position = {1.5F, 0}, .mass = mass}).value();
    world.step(frame).value();
    EXPECT_NEAR(world.velocity(a).value().x, 0.0F, 1e-3F) << mass;
    EXPECT_NEAR(world.velocity(b).value().x, 6.0F, 1e-3F) << mass;
  }
}

TEST(WorldCornerCases, a_predicate_may_not_change_the_world_while_a_bullet_flies) {
  World world = World::create({.response = Response::bounce}).value();
  world.add({.shape = Box::of_half_size({1, 10}), .type = BodyType::static_body, .position = {50, 0}})
      .value();
  const BodyId bullet =
      world.add({.shape = Circle{.radius = 1}, .velocity = {6000, 0}, .bullet = true}).value();
  int asked = 0;
  world
      .set_predicate([&](BodyId, BodyId) {
        ++asked;
        EXPECT_EQ(world.set_user_data(bullet, 7).error().code, ErrorCode::locked);
        return true;
      })
      .value();
  world.step(frame).value();
  world.step(frame).value();
  EXPECT_GT(asked, 1);
}

TEST(WorldCornerCases, an_empty_listener_is_not_called) {
  World world;
  world.on_begin(World::any, World::any, {});
  world.on_contact(World::any, World::any, {});
  world.on_end(World::any, World::any, {});
  int called = 0;
  world.on_contact(World::any, World::any, [&](const BodyContact&) { ++called; });
  const BodyId body = add_circle(world, {0, 0});
  add_circle(world, {1, 0});
  EXPECT_TRUE(world.step(frame).has_value());
  world.remove(body).value();
  EXPECT_TRUE(world.step(frame).has_value());
  EXPECT_EQ(called, 1);
}

TEST(WorldCornerCases, a_bullet_hits_the_body_that_it_touches_for_a_motion_of_any_length) {
  for (const float way : {1e3F, 1e18F, 1e20F, 1e30F}) {
    World world;
    world.add({.shape = Box::of_half_size({1, 10}), .type = BodyType::static_body, .position = {50, 0}})
        .value();
    const BodyId bullet =
        world.add({.shape = Circle{.radius = 1}, .position = {48, 0}, .bullet = true}).value();
    world.step(0).value();
    world.move(bullet, Vec2{way, 0}).value();
    world.step(0).value();
    EXPECT_EQ(world.contacts().size(), 1U) << way;
  }
}

// Found by fuzzing.
TEST(WorldCornerCases, a_world_without_its_stopped_bullet_can_be_restored) {
  for (const bool removed : {false, true}) {
    World world;
    world.add({.shape = Box::of_half_size({1, 10}), .type = BodyType::static_body, .position = {50, 0}})
        .value();
    const BodyId bullet = world.add({.shape = Circle{.radius = 1}, .bullet = true}).value();
    world.step(0).value();
    world.move(bullet, Vec2{100, 0}).value();
    world.step(0).value();
    ASSERT_EQ(world.contacts().size(), 1U);
    EXPECT_TRUE((removed ? world.remove(bullet) : world.set_bullet(bullet, false)).has_value());
    World other;
    EXPECT_TRUE(other.restore(world.snapshot()).has_value());
    EXPECT_EQ(other.hash(), world.hash());
  }
}

TEST(WorldCornerCases, a_predicate_may_query_the_world) {
  World world;
  std::vector<BodyId> ids;
  for (int i = 0; i < 20; ++i) {
    ids.push_back(add_circle(world, {static_cast<float>(i), 0}));
  }
  world.step(0).value();
  std::vector<BodyContact> contacts;
  world
      .set_predicate([&](BodyId a, BodyId b) {
        EXPECT_EQ(world.query_point(world.position(a).value()).value().empty(), false);
        contacts = world.contacts_of(b).value();
        return true;
      })
      .value();
  for (const BodyId body : ids) {
    world.move(body, Vec2{10.0F * static_cast<float>(body.index / 2), 0}).value();
  }
  world.step(0).value();
  EXPECT_EQ(world.contacts().size(), 10U);
  world.set_predicate({}).value();
  contacts = world.contacts_of(ids[4]).value();
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_EQ(contacts[0].b, ids[5]);
}

// The second shape of `wide` has a lower place than its first.
TEST(WorldCornerCases, queries_visit_bodies_of_several_shapes_in_the_order_of_bodies) {
  World world;
  const BodyId zero = add_circle(world, {0, 100});
  const BodyId plain = add_circle(world, {0, 0});
  const BodyId two = add_circle(world, {0, 100});
  world.remove(zero).value();
  world.remove(two).value();
  const std::vector<Shape> more{Circle{.radius = 1}};
  const BodyId wide = world.add({.shape = Circle{.radius = 0.5F}, .more_shapes = more}).value();
  ASSERT_EQ(wide.index, 2U);
  const std::vector<BodyId> both{plain, wide};
  std::vector<BodyId> order;
  const auto take = [&](BodyId body) {
    order.push_back(body);
    return true;
  };
  world.visit_area({{-1, -1}, {1, 1}}, take).value();
  EXPECT_EQ(order, both);
  order.clear();
  world.visit_ray({-5, 0}, {5, 0}, [&](const BodyHit& hit) { return take(hit.body); }).value();
  EXPECT_EQ(order, both);
  order.clear();
  world
      .visit_cast(Circle{.radius = 1}, {{-5, 0}, {}}, {5, 0},
                  [&](const BodyHit& hit) { return take(hit.body); })
      .value();
  EXPECT_EQ(order, both);
  const auto near = world.nearest({0, 0}, 1).value();
  ASSERT_EQ(near.size(), 1U);
  EXPECT_EQ(near[0].body, plain);
  EXPECT_TRUE(world.nearest({0, 0}, 0).value().empty());
}

TEST(WorldCornerCases, a_snapshot_knows_the_contacts_of_a_removed_body_of_several_shapes) {
  World world;
  const std::vector<Shape> more{Circle{.radius = 2}};
  const BodyId body = world.add({.shape = Circle{.radius = 1}, .more_shapes = more}).value();
  const BodyId other = add_circle(world, {0, 0});
  world.step(0).value();
  world.remove(body).value();
  World copy;
  copy.restore(world.snapshot()).value();
  EXPECT_EQ(copy.hash(), world.hash());
  ASSERT_EQ(copy.contacts().size(), 1U);
  copy.step(0).value();
  ASSERT_EQ(copy.ended().size(), 1U);
  EXPECT_EQ(copy.ended()[0], (ContactEnd{body, other, EndCause::removed}));
}

TEST(WorldCornerCases, a_listener_that_throws_does_not_lock_the_world) {
  World world;
  add_circle(world, {0, 0});
  add_circle(world, {1, 0});
  const auto listener = world.on_begin(World::any, World::any, [](const BodyContact&) { throw 1; });
  EXPECT_THROW(world.step(0).value(), int);
  EXPECT_TRUE(world.remove_listener(listener));
  world.step(0).value();
  EXPECT_EQ(world.stayed().size(), 1U);
}

BodyId add_any(World& world, test::Random& random) {
  const bool is_round = random.below(2) == 0;
  const std::vector<Shape> more{Circle{.center = {0.5F, 0}, .radius = 0.5F}};
  BodyDef body{.shape = is_round ? Shape(Circle{.radius = 0.5F}) : Shape(Box::of_half_size({0.5F, 0.5F})),
               .position = {random.between(0, 19), 1.0F + static_cast<float>(random.below(3))},
               .velocity = {random.between(-30, 30), random.below(2) == 0 ? 0.0F : random.between(-30, 30)},
               .sensor = random.below(8) == 0,
               .bullet = random.below(2) == 0};
  if (random.below(4) == 0) {
    body.more_shapes = more;
  }
  return world.add(body).value();
}

void change_any(World& world, test::Random& random) {
  const auto all = world.bodies();
  const BodyId body = all[random.below(static_cast<std::uint32_t>(all.size()))];
  const float along = static_cast<float>(random.below(20));
  switch (random.below(6)) {
    case 0:
      world.remove(body).value();
      add_any(world, random);
      break;
    case 1:
      world.set_enabled(body, random.below(3) != 0).value();
      break;
    case 2:
      world.set_bullet(body, random.below(2) == 0).value();
      break;
    case 3:
      world.move(body, Vec2{along, 1}).value();
      break;
    case 4:
      world.set_sensor(body, random.below(2) == 0).value();
      break;
    default:
      world.teleport(body, {along, 2}, {}).value();
      break;
  }
}

// A world that is restored before each step must give the same results as one that is not: data kept from
// step to step must not show.
TEST(WorldCornerCases, a_restored_world_with_bullets_continues_like_the_original) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    test::Random random(seed);
    World world = World::create({.response = random.below(2) == 0 ? Response::bounce : Response::none,
                                 .restitution = random.below(2) == 0 ? 1.0F : 0.0F,
                                 .gravity = {0, random.below(2) == 0 ? -10.0F : 0.0F}})
                      .value();
    for (int i = 0; i < 20; ++i) {
      world
          .add({.shape = Box::of_half_size({0.5F, 0.5F}),
                .type = BodyType::static_body,
                .position = {static_cast<float>(i), 0}})
          .value();
    }
    for (int i = 0; i < 15; ++i) {
      add_any(world, random);
    }
    for (int step = 0; step < 50; ++step) {
      World other;
      other.restore(world.snapshot()).value();
      const std::uint32_t changes = random.below(3);
      const float seconds = random.below(7) == 0 ? 0.0F : frame;
      const std::uint64_t next = random.bits();
      for (World* one : {&world, &other}) {
        test::Random same(next);
        for (std::uint32_t k = 0; k < changes; ++k) {
          change_any(*one, same);
        }
        one->step(seconds).value();
      }
      ASSERT_EQ(other.hash(), world.hash()) << "seed " << seed << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace broadside::corner_cases_test
