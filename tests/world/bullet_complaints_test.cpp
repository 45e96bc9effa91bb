// What users of other libraries complained about: bodies that pass through each other, or stumble over
// nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "boxes.hpp"
#include "broadside/world/world.hpp"

namespace broadside::test::bullet_complaints_test {
namespace {

constexpr float frame = 1.0F / 60;

struct Thing {
  std::string name;
  Shape shape;
};

std::vector<Thing> bullets() {
  return {{"circle", Circle{.radius = 0.25F}},
          {"point", Circle{}},
          {"box", Box::of_half_size({0.25F, 0.125F})},
          {"turned box", Box::of_half_size({0.25F, 0.125F}, {}, Rotation::by(0.7F))},
          {"capsule", Capsule{{0, -0.25F}, {0, 0.25F}, 0.1F}}};
}

std::vector<Thing> walls() {
  return {{"line", Segment{{0, -50}, {0, 50}}},
          {"sheet", Box::of_half_size({1e-4F, 50})},
          {"wall", Box::of_half_size({1, 50})},
          {"slanted line", Segment{{-20, -50}, {20, 50}}}};
}

TEST(WorldComplaints, fast_bodies_tunnel_through_thin_walls) {
  for (const Thing& wall : walls()) {
    for (const Thing& bullet : bullets()) {
      if (bullet.name == "point" && !std::holds_alternative<Box>(wall.shape)) {
        continue;  // neither has thickness: a point on the line has no side
      }
      for (const float speed : {1e2F, 1e3F, 12345.0F, 1e5F, 1e7F}) {
        for (const float slope : {0.0F, 0.3F, -1.0F}) {
          SCOPED_TRACE(wall.name + ", " + bullet.name + ", " + std::to_string(speed) + ", " +
                       std::to_string(slope));
          World world = World::create({.response = Response::bounce}).value();
          world.add({.shape = wall.shape, .type = BodyType::static_body, .position = {30, 0}}).value();
          const BodyId flying =
              world.add({.shape = bullet.shape, .velocity = {speed, slope * speed}, .bullet = true}).value();
          bool hit = false;
          for (int i = 0; i < 60 && !hit; ++i) {
            world.step(frame).value();
            hit = !world.begun().empty();
          }
          EXPECT_TRUE(hit);
          for (int i = 0; i < 5; ++i) {
            world.step(frame).value();
          }
          const Vec2 at = world.position(flying).value();
          EXPECT_LT(at.x, 30 + 0.4F * std::abs(at.y) + 0.1F);
        }
      }
    }
  }
}

TEST(WorldComplaints, bullets_pass_through_each_other) {
  for (const Response response : {Response::none, Response::bounce}) {
    for (const Thing& first : bullets()) {
      for (const Thing& second : bullets()) {
        if (first.name == "point" && second.name == "point") {
          continue;
        }
        for (const float speed : {1e3F, 1e5F, 1e7F}) {
          SCOPED_TRACE(first.name + ", " + second.name + ", " + std::to_string(speed));
          World world = World::create({.response = response}).value();
          const BodyId a =
              world.add({.shape = first.shape, .velocity = {speed, 0}, .bullet = true, .mass = 1.0F}).value();
          const BodyId b = world
                               .add({.shape = second.shape,
                                     .position = {40, 0},
                                     .velocity = {-speed, 0},
                                     .bullet = true,
                                     .mass = 1.0F})
                               .value();
          bool hit = false;
          for (int i = 0; i < 5 && !hit; ++i) {
            world.step(frame).value();
            for (const BodyContact& contact : world.begun()) {
              hit = true;
              EXPECT_EQ(contact.a, a);
              EXPECT_EQ(contact.b, b);
              EXPECT_GT(contact.manifold.normal.x, 0.5F);
            }
            if (response == Response::bounce && !hit) {  // after an off-center hit they may pass each other
              EXPECT_LT(world.position(a).value().x, world.position(b).value().x);
            }
          }
          EXPECT_TRUE(hit);
        }
      }
    }
  }
}

TEST(WorldComplaints, a_moved_bullet_touches_bodies_on_its_path_and_a_teleported_one_does_not) {
  World world;
  world.add({.shape = Segment{{50, -1}, {50, 1}}, .type = BodyType::static_body}).value();
  const BodyId bullet = world.add({.shape = Circle{.radius = 0.25F}, .bullet = true}).value();
  world.step(0).value();
  world.move(bullet, Vec2{100, 0}).value();
  world.step(0).value();
  ASSERT_EQ(world.begun().size(), 1U);
  EXPECT_NEAR(world.begun()[0].fraction, 0.4975F, 1e-4F);
  EXPECT_LE(world.begun()[0].fraction, 0.4975F);
  world.step(0).value();
  EXPECT_EQ(world.ended().size(), 1U);
  world.teleport(bullet, {0, 0}, {}).value();
  world.step(0).value();
  EXPECT_TRUE(world.contacts().empty());
}

TEST(WorldComplaints, ghost_hits_at_the_seams_of_tiles) {
  for (const Thing& thing : bullets()) {
    if (thing.name == "turned box") {
      continue;  // it has no side to slide on
    }
    for (const float speed : {20.0F, 137.0F, 2500.0F}) {
      for (const bool upright : {false, true}) {
        SCOPED_TRACE(thing.name + ", " + std::to_string(speed) + (upright ? ", wall" : ", floor"));
        World world = World::create({.response = Response::bounce}).value();
        const auto turned = [upright](Vec2 v) { return upright ? Vec2{v.y, v.x} : v; };
        for (int i = 0; i < 200; ++i) {
          world
              .add({.shape = Box::of_half_size({0.5F, 0.5F}),
                    .type = BodyType::static_body,
                    .position = turned({static_cast<float>(i), 0})})
              .value();
        }
        const Aabb box = bounds(thing.shape, {});
        const float low = 0.5F - (upright ? box.min.x : box.min.y);
        const BodyId body = world
                                .add({.shape = thing.shape,
                                      .position = turned({0, low}),
                                      .velocity = turned({speed, 0}),
                                      .bullet = true})
                                .value();
        for (int i = 0; i < 60; ++i) {
          world.step(frame).value();
          for (const BodyContact& contact : world.contacts()) {
            ASSERT_NEAR(turned(contact.manifold.normal).x, 0.0F, 1e-3F) << i;
          }
        }
        EXPECT_NEAR(turned(world.velocity(body).value()).x, speed, 1e-3F * speed);
      }
    }
  }
}

TEST(WorldComplaints, ghost_hits_at_the_seams_of_tiles_that_move_on_below_a_bullet_that_has_landed) {
  Random random(20261124);
  for (int i = 0; i < 300; ++i) {
    const Thing thing = bullets()[random.below(static_cast<std::uint32_t>(bullets().size()))];
    if (thing.name == "turned box") {
      continue;  // it has no side to stand on
    }
    const bool upright = random.below(2) == 0;
    const auto turned = [upright](Vec2 v) { return upright ? Vec2{v.y, v.x} : v; };
    const float belt = random.between(-200, 200);
    SCOPED_TRACE(thing.name + ", " + std::to_string(belt) + (upright ? ", wall" : ", floor"));
    World world = World::create({.response = Response::bounce}).value();
    for (int k = -20; k <= 20; ++k) {
      world
          .add({.shape = Box::of_half_size({0.5F, 0.5F}),
                .type = BodyType::kinematic,
                .position = turned({static_cast<float>(k), 0}),
                .velocity = turned({belt, 0})})
          .value();
    }
    const Aabb box = bounds(thing.shape, {});
    const float low = 0.5F - (upright ? box.min.x : box.min.y);
    const float height = random.between(0, 3);
    world
        .add({.shape = thing.shape,
              .position = turned({random.between(-1, 1), low + height}),
              .velocity = turned({random.between(-200, 200), -random.between(1, 3) * 60 * height - 1}),
              .bullet = true})
        .value();
    for (int k = 0; k < 2; ++k) {
      world.step(frame).value();
      for (const BodyContact& contact : world.contacts()) {
        ASSERT_NEAR(turned(contact.manifold.normal).x, 0.0F, 1e-3F) << i << ", step " << k;
      }
    }
  }
}

// A bullet has stopped at a wall; a body that moves on through the wall grazes it afterwards. It moves
// differently from the wall, so it is no seam of that.
TEST(WorldComplaints, a_stopped_bullet_is_missed_by_a_body_that_grazes_it) {
  Random random(21);
  for (int round = 0; round < 500; ++round) {
    const float radius = random.between(0.5F, 2.0F);
    const float graze =
        random.between(2e-4F, 1.8e-3F) * radius;  // less than a bullet is lifted off a surface
    const Rotation turn = Rotation::by(random.between(-4.0F, 4.0F));
    World world;
    const auto place = [&](Vec2 at) {
      return Vec2{turn.cos * at.x - turn.sin * at.y, turn.sin * at.x + turn.cos * at.y};
    };
    world
        .add({.shape = Box::of_half_size({1, 30}),
              .type = BodyType::static_body,
              .position = place({5, 0}),
              .rotation = turn})
        .value();
    // It stops where its center is at 4 - radius.
    const BodyId bullet =
        world.add({.shape = Circle{.radius = radius}, .position = place({-6, 0}), .bullet = true}).value();
    const float half = random.between(0.2F, 1.0F);
    const BodyId passing = world
                               .add({.shape = Box::of_half_size({half, half}),
                                     .type = BodyType::kinematic,
                                     .position = place({4 - graze + half, -40}),
                                     .rotation = turn})
                               .value();
    world.step(0).value();
    world.push(bullet, place({40, 0})).value();
    world.push(passing, place({0, 80})).value();
    world.step(0).value();
    ASSERT_TRUE(
        world.touching(bullet, passing).value() ||
        std::any_of(world.contacts().begin(), world.contacts().end(),
                    [&](const BodyContact& contact) { return contact.a == bullet && contact.b == passing; }))
        << round << ", " << graze;
  }
}

TEST(WorldComplaints, wrong_normals_at_corners) {
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const float angle = random.between(0.01F, 1.56F);
    const Rotation way = Rotation::by(angle);
    const float apart = random.between(0.5F, 0.999F);
    World world;
    const BodyId box = world.add({.shape = Box::of_half_size({2, 3}), .type = BodyType::static_body}).value();
    const BodyId ball =
        world.add({.shape = Circle{.radius = 1}, .position = {2 + apart * way.cos, 3 + apart * way.sin}})
            .value();
    world.step(0).value();
    ASSERT_EQ(world.contacts().size(), 1U);
    const BodyContact contact = world.contacts()[0];
    EXPECT_EQ(contact.a, box);
    EXPECT_EQ(contact.b, ball);
    EXPECT_NEAR(contact.manifold.normal.x, way.cos, 1e-4F);
    EXPECT_NEAR(contact.manifold.normal.y, way.sin, 1e-4F);
    EXPECT_NEAR(contact.manifold.points[0].separation, apart - 1, 1e-5F);
    std::vector<BodyContact> of_ball;
    of_ball = world.contacts_of(ball).value();
    EXPECT_NEAR(of_ball.at(0).manifold.normal.x, -way.cos, 1e-4F);
  }
}

}  // namespace
}  // namespace broadside::test::bullet_complaints_test
