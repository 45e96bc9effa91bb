#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "boxes.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/world/world.hpp"
#include "world/worlds.hpp"

namespace broadside::bounce_test {
namespace {

using test::Random;

float drawn_between(Random& random, float low, float high) {
  return low + (high - low) * static_cast<float>(random.below(1U << 20)) / static_cast<float>(1U << 20);
}

/// 100 balls of mixed radii and masses in a box whose floor has space for all of them side by side.
class BallBox {
 public:
  BallBox(std::uint64_t seed, float restitution, float gravity, float scale, bool with_bullets)
      : world_(World::create(
                   {.response = Response::bounce, .restitution = restitution, .gravity = {0, -gravity}})
                   .value()),
        gravity_(static_cast<double>(gravity)) {
    Random random(seed);
    width_ = 0.0F;
    for (std::size_t i = 0; i < count; ++i) {
      radii_.push_back(scale * drawn_between(random, 0.1F, 0.5F));
      width_ += 2.4F * radii_.back();
    }
    height_ = 20.0F * scale;
    const float thick = 2.0F * scale;
    add_wall({width_ / 2, -thick}, {width_, thick});
    add_wall({width_ / 2, height_ + thick}, {width_, thick});
    add_wall({-thick, height_ / 2}, {thick, height_});
    add_wall({width_ + thick, height_ / 2}, {thick, height_});
    float left = 0.0F;
    for (const float radius : radii_) {
      const float high = drawn_between(random, 0.0F, 6.0F) * scale;
      const float speed_x = drawn_between(random, -2.0F, 2.0F) * scale;
      const float speed_y = drawn_between(random, -2.0F, 2.0F) * scale;
      masses_.push_back(radius * radius * drawn_between(random, 1.0F, 20.0F));
      balls_.push_back(world_
                           .add({.shape = Circle{.radius = radius},
                                 .position = {left + 1.2F * radius, radius + high},
                                 .velocity = {speed_x, speed_y},
                                 .bullet = with_bullets && random.below(4) == 0,
                                 .mass = masses_.back()})
                           .value());
      left += 2.4F * radius;
    }
  }

  World& world() { return world_; }

  [[nodiscard]] double energy() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const Vec2 v = world_.velocity(balls_[i]).value();
      const auto x = static_cast<double>(v.x);
      const auto y = static_cast<double>(v.y);
      const auto high = static_cast<double>(world_.position(balls_[i]).value().y);
      sum += static_cast<double>(masses_[i]) * (0.5 * (x * x + y * y) + gravity_ * high);
    }
    return sum;
  }

  /// Returns the largest overlap of a ball with a wall or another ball, as a share of the smaller diameter.
  [[nodiscard]] float deepest() const {
    float worst = 0.0F;
    for (std::size_t i = 0; i < count; ++i) {
      const Vec2 at = world_.position(balls_[i]).value();
      const float r = radii_[i];
      const float wall = std::max({r - at.x, r - at.y, at.x + r - width_, at.y + r - height_});
      worst = std::max(worst, wall / (2 * r));
      for (std::size_t k = 0; k < i; ++k) {
        const Vec2 other = world_.position(balls_[k]).value();
        const float inside = r + radii_[k] - std::hypot(at.x - other.x, at.y - other.y);
        worst = std::max(worst, inside / (2 * std::min(r, radii_[k])));
      }
    }
    return worst;
  }

  [[nodiscard]] bool are_all_inside() const {
    return std::all_of(balls_.begin(), balls_.end(), [this](BodyId ball) {
      const Vec2 at = world_.position(ball).value();
      return at.x > 0.0F && at.y > 0.0F && at.x < width_ && at.y < height_;
    });
  }

 private:
  static constexpr std::size_t count = 100;

  void add_wall(Vec2 center, Vec2 half_size) {
    world_.add({.shape = Box::of_half_size(half_size), .type = BodyType::static_body, .position = center})
        .value();
  }

  World world_;
  double gravity_;
  float width_ = 0.0F;
  float height_ = 0.0F;
  std::vector<float> radii_;
  std::vector<float> masses_;
  std::vector<BodyId> balls_;
};

using Setting = std::tuple<int, float, float>;

class Bounce : public testing::TestWithParam<Setting> {};

// In meters and in pixels; gravity on and off.
TEST_P(Bounce, keeps_balls_in_their_box_apart_and_without_more_energy) {
  const auto [hz, restitution, gravity] = GetParam();
  const float scale = gravity > 100.0F ? 32.0F : 1.0F;
  BallBox box(static_cast<std::uint64_t>(hz), restitution, gravity, scale, hz == 60);
  const double start = box.energy();
  for (int step = 0; step < 60 * hz; ++step) {
    box.world().step(1.0F / static_cast<float>(hz)).value();
    const double share = box.energy() / start;
    ASSERT_LE(share, 1.01) << step;
    ASSERT_TRUE(gravity > 0.0F || restitution < 1.0F || share >= 0.99) << step << ": " << share;
    ASSERT_TRUE(box.are_all_inside()) << step;
    if (step >= 10 * hz && step % 7 == 0) {
      ASSERT_LE(box.deepest(), 0.01F) << step;
    }
  }
}

std::string name_of(const testing::TestParamInfo<Setting>& info) {
  const auto [hz, restitution, gravity] = info.param;
  return "hz_" + std::to_string(hz) + "_restitution_" + std::to_string(static_cast<int>(100 * restitution)) +
         "_gravity_" + std::to_string(static_cast<int>(gravity));
}

INSTANTIATE_TEST_SUITE_P(Settings, Bounce,
                         testing::Combine(testing::Values(30, 60, 240), testing::Values(0.0F, 0.5F, 1.0F),
                                          testing::Values(0.0F, 9.8F, 980.0F)),
                         name_of);

// Regression test: each of these balls fell through the floor within 3 to 41 seconds, or gained height as a
// bullet.
TEST(BounceFloor, one_ball_stays_on_the_floor_at_any_place) {
  for (const float place : {0.0F, 1e3F, 1e5F}) {
    for (const float restitution : {0.0F, 0.5F, 0.8F, 1.0F}) {
      for (const bool bullet : {false, true}) {
        World world =
            World::create({.response = Response::bounce, .restitution = restitution, .gravity = {0, 980}})
                .value();
        world
            .add({.shape = Box::of_half_size({400, 20}),
                  .type = BodyType::static_body,
                  .position = {place, place + 20}})
            .value();
        const BodyId ball =
            world.add({.shape = Circle{{}, 16}, .position = {place, place - 316}, .bullet = bullet}).value();
        float highest = 0.0F;
        for (int step = 0; step < 60 * 60; ++step) {
          world.step(1.0F / 60).value();
          const float high = place - world.position(ball).value().y;
          ASSERT_GE(high, 15.6F) << step;
          highest = step > 100 ? std::max(highest, high) : highest;
        }
        EXPECT_LE(highest, 317.0F);
        EXPECT_GE(highest, restitution == 1.0F ? 290.0F : 15.9F) << bullet;
      }
    }
  }
}

// The ball bounces unless a listener skips the response or ignores the pair.
TEST(BounceFloor, a_listener_keeps_a_contact_from_being_answered_in_the_same_step) {
  for (const int verdict : {0, 1, 2}) {
    World world = World::create({.response = Response::bounce}).value();
    const BodyId ball = world.add({.shape = Circle{.radius = 1}, .velocity = {6, 0}}).value();
    const BodyId wall =
        world
            .add({.shape = Box::of_half_size({1, 10}), .type = BodyType::static_body, .position = {2.05F, 0}})
            .value();
    world.on_begin(World::any, World::any, [&](const BodyContact& contact) {
      EXPECT_NEAR(contact.approach_speed, 6.0F, 1e-4F);
      if (verdict == 1) {
        world.skip_response(contact.a, contact.b).value();
      } else if (verdict == 2) {
        world.set_ignored(contact.a, contact.b, true).value();
      }
    });
    world.step(1.0F / 60).value();
    ASSERT_EQ(world.begun().size(), 1U);
    EXPECT_NEAR(world.contacts()[0].approach_speed, 6.0F, 1e-4F) << "as it was when they met";
    EXPECT_EQ(world.velocity(ball).value().x, verdict == 0 ? -6.0F : 6.0F);
    EXPECT_EQ(world.skip_response(ball, BodyId{}).error().code, ErrorCode::stale_id);
    world.step(1.0F / 60).value();
    EXPECT_EQ(world.velocity(ball).value().x, verdict == 2 ? 6.0F : -6.0F);
    static_cast<void>(wall);
  }
}

// Separation may move a body into another one whose contact has not been reported: the other body is moved
// too, but keeps its velocity until the step that reports the contact.
TEST(BounceFloor, only_reported_contacts_change_velocities) {
  Random random(20261124);
  std::size_t moved = 0;
  for (int round = 0; round < 200; ++round) {
    World world =
        World::create({.response = Response::bounce, .restitution = random.below(2) == 0 ? 1.0F : 0.5F})
            .value();
    for (int i = 0; i < 12; ++i) {
      const float x = drawn_between(random, -3.0F, 3.0F);
      const float y = drawn_between(random, -3.0F, 3.0F);
      const float speed_x = drawn_between(random, -2.0F, 2.0F);
      const float speed_y = drawn_between(random, -2.0F, 2.0F);
      world
          .add({.shape = random.below(2) == 0 ? Shape(Circle{.radius = 0.5F})
                                              : Shape(Box::of_half_size({0.5F, 0.75F})),
                .position = {x, y},
                .velocity = {speed_x, speed_y},
                .mass = drawn_between(random, 0.5F, 4.0F)})
          .value();
    }
    std::vector<Vec2> positions;
    std::vector<Vec2> velocities;
    for (const BodyId body : world.bodies()) {
      positions.push_back(world.position(body).value());
      velocities.push_back(world.velocity(body).value());
    }
    world.detect().value();
    std::vector<bool> is_reported(positions.size());
    for (const BodyContact contact : world.contacts()) {
      is_reported[contact.a.index] = true;
      is_reported[contact.b.index] = true;
    }
    world.respond().value();
    for (const BodyId body : world.bodies()) {
      if (!is_reported[body.index]) {
        ASSERT_EQ(world.velocity(body).value(), velocities[body.index]) << round;
        moved += world.position(body).value() != positions[body.index] ? 1U : 0U;
      }
    }
  }
  EXPECT_GT(moved, 50U);
}

TEST(BounceFloor, a_skipped_response_is_part_of_snapshots_and_recordings) {
  World world = World::create({.response = Response::bounce}).value();
  Recording recording;
  const BodyId a = world.add({.shape = Circle{.radius = 1}, .velocity = {6, 0}}).value();
  const BodyId b = world.add({.shape = Circle{.radius = 1}, .position = {2.05F, 0}}).value();
  world.record(&recording).value();
  world.integrate(1.0F / 60).value();
  world.detect().value();
  ASSERT_EQ(world.contacts().size(), 1U);
  world.skip_response(a, b).value();
  World other;
  other.restore(world.snapshot()).value();
  for (World* one : {&world, &other}) {
    one->respond().value();
    one->step(1.0F / 60).value();
  }
  EXPECT_EQ(other.hash(), world.hash());
  world.record(nullptr).value();
  World again;
  replay(recording, again).value();
  EXPECT_EQ(again.hash(), world.hash());
}

/// Circles that touch in a row, added in a drawn order, with drawn velocities along the row.
class Row {
 public:
  Row(Random& random, float restitution)
      : world_(World::create({.response = Response::bounce, .restitution = restitution}).value()) {
    const std::size_t count = 3 + random.below(3);
    bodies_.resize(count);
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    test::shuffle(order, random);
    for (const std::size_t i : order) {
      const float speed = random.below(2) == 0 ? 0.0F : drawn_between(random, -4.0F, 4.0F);
      bodies_[i] = world_
                       .add({.shape = Circle{.radius = 0.5F},
                             .position = {static_cast<float>(i), 0},
                             .velocity = {speed, 0},
                             .mass = 1.0F})
                       .value();
    }
  }

  World& world() { return world_; }

  [[nodiscard]] std::size_t size() const { return bodies_.size(); }

  [[nodiscard]] double speed(std::size_t i) const {
    return static_cast<double>(world_.velocity(bodies_[i]).value().x);
  }

  [[nodiscard]] double energy() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < size(); ++i) {
      sum += 0.5 * speed(i) * speed(i);
    }
    return sum;
  }

 private:
  World world_;
  std::vector<BodyId> bodies_;
};

TEST(BounceRow, with_restitution_1_keeps_the_energy_of_bodies_that_touch_in_a_row) {
  Random random(11);
  for (int round = 0; round < 500; ++round) {
    Row row(random, 1.0F);
    const double before = row.energy();
    for (int step = 0; step < 10; ++step) {
      row.world().step(1.0F / 64).value();
      ASSERT_NEAR(row.energy(), before, 1e-4 * before) << round << ", step " << step;
    }
  }
}

TEST(BounceRow, with_restitution_0_leaves_no_bodies_that_touch_approaching_each_other) {
  Random random(12);
  for (int round = 0; round < 500; ++round) {
    Row row(random, 0.0F);
    row.world().step(0).value();
    for (std::size_t i = 1; i < row.size(); ++i) {
      ASSERT_GE(row.speed(i) - row.speed(i - 1), -0.1) << round << ", body " << i;
    }
  }
}

// GB4: a body that hits two others in one step must not forget the first hit.
TEST(Checklist, GB4_a_world_counts_both_hits_of_a_body_in_one_step) {
  Random random(13);
  for (int round = 0; round < 500; ++round) {
    World world = World::create({.response = Response::bounce}).value();
    const auto [cos, sin] = Rotation::by(drawn_between(random, -3, 3));
    const Vec2 velocity =
        drawn_between(random, 1, 5) * Vec2{cos, sin} + drawn_between(random, 1, 5) * Vec2{-sin, cos};
    const Shape circle = Circle{.radius = 1};
    const BodyId body = world.add({.shape = circle, .velocity = velocity}).value();
    for (const Vec2 way : {Vec2{cos, sin}, Vec2{-sin, cos}}) {
      world.add({.shape = circle, .type = BodyType::static_body, .position = 1.9999F * way}).value();
    }
    world.step(0).value();
    EXPECT_EQ(world.contacts().size(), 2U);
    const Vec2 after = world.velocity(body).value();
    EXPECT_NEAR(after.x, -velocity.x, 1e-3) << round;
    EXPECT_NEAR(after.y, -velocity.y, 1e-3) << round;
  }
}

// GB4: bodies that already separate are left alone, so one hit is not resolved twice.
TEST(Checklist, GB4_a_world_leaves_the_velocities_of_a_pair_that_separates_alone) {
  Random random(14);
  for (int round = 0; round < 500; ++round) {
    World world = World::create({.response = Response::bounce}).value();
    const auto [cos, sin] = Rotation::by(drawn_between(random, -3, 3));
    const Vec2 way{cos, sin};
    const Vec2 common{drawn_between(random, -5, 5), drawn_between(random, -5, 5)};
    const Vec2 velocities[] = {common - drawn_between(random, 0.1F, 5) * way,
                               common + drawn_between(random, 0.1F, 5) * way};
    std::vector<BodyId> bodies;
    for (const Vec2 velocity : velocities) {
      bodies.push_back(
          world
              .add({.shape = Circle{.radius = 1},
                    .position = drawn_between(random, 0.5F, 0.9F) * (bodies.empty() ? Vec2{} - way : way),
                    .velocity = velocity,
                    .mass = drawn_between(random, 1, 9)})
              .value());
    }
    world.step(0).value();
    EXPECT_EQ(world.contacts().size(), 1U);
    EXPECT_EQ(world.velocity(bodies[0]).value(), velocities[0]) << round;
    EXPECT_EQ(world.velocity(bodies[1]).value(), velocities[1]) << round;
  }
}

// A body that moves more than a quarter of its smallest shape in a step might pass the middle of an obstacle,
// so it is swept: the time of its contact shows this.
TEST(BounceFast, sweeps_bodies_that_move_more_than_a_quarter_of_their_size) {
  Random random(12);
  for (int round = 0; round < 2000; ++round) {
    World world = World::create({.response = Response::bounce}).value();
    const float size = std::exp2(drawn_between(random, -6.0F, 6.0F));
    const float thin = drawn_between(random, 0.2F, 1.0F);
    const float share = random.below(2) == 0 ? drawn_between(random, 0.2F, 0.3F)
                                             : std::exp2(drawn_between(random, -6.0F, 4.0F));
    if (std::abs(share - 0.25F) < 1e-4F) {
      continue;
    }
    const Rotation turn = Rotation::by(drawn_between(random, 0.0F, 6.28F));
    const Vec2 ahead{turn.cos, turn.sin};
    const float way = share * thin * size;
    // Either one thin shape, or a thin one that follows a thick one.
    BodyDef body{.shape = Circle{.radius = 0.5F * size}};
    if (random.below(2) == 0) {
      body.shape = Circle{.radius = 0.5F * thin * size};
    } else {
      body.more_shapes = {Circle{.center = (-2.0F * size) * ahead, .radius = 0.5F * thin * size}};
    }
    const float radius = std::get<Circle>(body.shape).radius;
    const std::uint32_t kind = random.below(4);
    body.type = kind == 1 ? BodyType::kinematic : BodyType::dynamic;
    body.sensor = kind == 2;
    body.bullet = kind == 3;
    body.velocity = (64.0F * way) * ahead;
    const BodyId mover = world.add(body).value();
    const BodyId target =
        world.add({.shape = Circle{.radius = size}, .position = (radius + size + 0.5F * way) * ahead})
            .value();
    world.step(1.0F / 64).value();
    const bool is_swept = kind == 3 || (kind == 0 && share > 0.25F);
    const bool is_inside = way < 4.0F * (radius + size);  // at the end of the step
    ASSERT_TRUE(world.contacts().size() == 1 || !(is_swept || is_inside)) << share << " of kind " << kind;
    for (const BodyContact& contact : world.contacts()) {
      EXPECT_EQ(contact.a, mover);
      EXPECT_EQ(contact.b, target);
      EXPECT_NEAR(contact.fraction, is_swept ? 0.5F : 1.0F, 0.01F) << share << " of kind " << kind;
    }
  }
}

/// Returns 0 or a number of any magnitude up to `largest`, among few, so that some are equal or cancel.
float drawn_magnitude(Random& random, float largest) {
  constexpr int smallest_exponent = -149;
  const std::uint32_t kind = random.below(4);
  if (kind == 0) {
    return 0.0F;
  }
  const int exponent = kind == 1   ? -126
                       : kind == 2 ? -20
                                   : smallest_exponent + static_cast<int>(random.below(150));
  return largest * std::ldexp(random.below(2) == 0 ? 1.0F : -1.0F, exponent);
}

// Bodies between others push from opposite sides, with normals that cancel except for rounding.
TEST(BounceFast, gives_finite_velocities_and_normals_of_length_1_to_bodies_of_all_sizes_in_one_place) {
  Random random(31);
  std::size_t contacts = 0;
  for (int round = 0; round < 8000; ++round) {
    World world = World::create({.response = Response::bounce}).value();
    for (std::uint32_t body = 2 + random.below(4); body > 0; --body) {
      const float radius = random.below(2) == 0 ? 16.0F : std::abs(drawn_magnitude(random, 32.0F));
      const float side = random.below(3) == 0 ? radius : drawn_magnitude(random, 1.0F);
      world
          .add(
              {.shape = Circle{.center = {random.below(2) == 0 ? side : -side, drawn_magnitude(random, 1.0F)},
                               .radius = radius},
               .type = random.below(4) == 0 ? BodyType::static_body : BodyType::dynamic,
               .position = {drawn_magnitude(random, 1.0F), drawn_magnitude(random, 1.0F)},
               .bullet = random.below(3) == 0})
          .value();
    }
    for (const BodyId body : world.bodies()) {
      if (world.type(body).value() == BodyType::dynamic) {
        world.set_velocity(body, {drawn_magnitude(random, 64.0F), drawn_magnitude(random, 64.0F)}).value();
      }
    }
    for (int step = 0; step < 3; ++step) {
      world.step(random.below(2) == 0 ? 1.0F / 64 : std::abs(drawn_magnitude(random, 16.0F))).value();
      for (const BodyContact& contact : world.contacts()) {
        const Vec2 normal = contact.manifold.normal;
        ASSERT_NEAR(normal.x * normal.x + normal.y * normal.y, 1.0F, 1e-5F) << round;
      }
      contacts += world.contacts().size();
      for (const BodyId body : world.bodies()) {
        ASSERT_TRUE(is_finite(world.velocity(body).value()) && is_finite(world.position(body).value()))
            << round;
      }
    }
  }
  EXPECT_GT(contacts, 8000U);
}

/// Returns a world in which y points down, with a floor whose surface is y = 0.
World world_with_floor(float restitution, float gravity) {
  World world =
      World::create({.response = Response::bounce, .restitution = restitution, .gravity = {0, gravity}})
          .value();
  static_cast<void>(
      world.add({.shape = Box::of_half_size({100, 2}), .type = BodyType::static_body, .position = {0, 2}})
          .value());
  return world;
}

/// Returns a circle, an upright or a rotated box, or a capsule, about one unit large.
Shape drawn_solid(Random& random) {
  const float size = drawn_between(random, 0.25F, 1.0F);
  const float other = drawn_between(random, 0.25F, 1.0F);
  switch (random.below(4)) {
    case 0:
      return Circle{.radius = size};
    case 1:
      return Box::of_half_size({size, other});
    case 2:
      return Box::of_half_size({size, other}, {}, Rotation::by(drawn_between(random, 0.1F, 1.4F)));
    default:
      return Capsule{.a = {-other, 0}, .b = {other, 0.5F * size}, .radius = 0.5F * size};
  }
}

// Dropped bodies bounce lower and lower, until gravity alone reaches their speed within two steps.
TEST(BounceRest, slow_bodies_come_to_rest) {
  Random random(21);
  constexpr float gravity = 10.0F;
  for (int round = 0; round < 12; ++round) {
    World world = world_with_floor(drawn_between(random, 0.0F, 0.8F), gravity);
    const float seconds = 1.0F / static_cast<float>(30U << random.below(3));
    std::vector<BodyId> bodies;
    for (int i = 0; i < 4; ++i) {
      const Shape shape = drawn_solid(random);
      const float high = drawn_between(random, 0.0F, 2.0F);
      const Vec2 at{8.0F * static_cast<float>(i), -bounds(shape, {}).max.y - high};
      bodies.push_back(world.add({.shape = shape, .position = at}).value());
    }
    for (float time = 0.0F; time < 15.0F; time += seconds) {
      world.step(seconds).value();
    }
    std::vector<Vec2> places(bodies.size());
    world.positions(bodies, places).value();
    for (int step = 0; step < 30; ++step) {
      world.step(seconds).value();
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec2 speed = world.velocity(bodies[i]).value();
        ASSERT_LT(std::hypot(speed.x, speed.y), 0.02F * gravity * seconds) << round << ", body " << i;
        const Vec2 moved = world.position(bodies[i]).value() - places[i];
        ASSERT_LT(std::hypot(moved.x, moved.y), 1e-3F) << round << ", body " << i;
        ASSERT_NEAR(world.bounds(bodies[i]).value().max.y, 0.0F, 0.01F) << round << ", body " << i;
      }
    }
  }
}

// They touch each other, or leave a small gap. Circles have one radius, so that they touch at their sides.
TEST(BounceRest, bodies_side_by_side_on_a_floor_rest) {
  Random random(22);
  for (int round = 0; round < 60; ++round) {
    World world = world_with_floor(drawn_between(random, 0.0F, 1.0F), 10.0F);
    const float seconds = 1.0F / static_cast<float>(30U << random.below(3));
    const bool are_circles = random.below(2) == 0;
    const float radius = drawn_between(random, 0.25F, 1.0F);
    const float gap = random.below(2) == 0 ? 0.0F : drawn_between(random, 0.0F, 0.1F);
    std::vector<BodyId> bodies;
    std::vector<Vec2> places;
    float left = -8.0F;
    for (std::uint32_t count = 2 + random.below(7); count > 0; --count) {
      const Vec2 half{drawn_between(random, 0.25F, 1.0F), drawn_between(random, 0.25F, 1.0F)};
      const Shape shape = are_circles ? Shape(Circle{.radius = radius}) : Shape(Box::of_half_size(half));
      const Vec2 reach = bounds(shape, {}).max;
      places.push_back({left + reach.x, -reach.y});
      bodies.push_back(
          world.add({.shape = shape, .position = places.back(), .mass = drawn_between(random, 0.5F, 4.0F)})
              .value());
      left += 2.0F * reach.x + gap;
    }
    for (float time = 0.0F; time < 3.0F; time += seconds) {
      world.step(seconds).value();
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Vec2 moved = world.position(bodies[i]).value() - places[i];
        ASSERT_LT(std::hypot(moved.x, moved.y), 0.01F) << round << ", body " << i;
        const Vec2 speed = world.velocity(bodies[i]).value();
        ASSERT_LT(std::hypot(speed.x, speed.y), 0.02F * 10.0F * seconds) << round << ", body " << i;
      }
    }
  }
}

// On a slope, gravity alone changes the speed along it: by its share in that direction.
TEST(BounceRest, nothing_slows_down_a_body_that_slides) {
  Random random(23);
  constexpr double gravity = 10.0;
  for (int round = 0; round < 100; ++round) {
    const float angle = random.below(4) == 0 ? 0.0F : drawn_between(random, -0.6F, 0.6F);
    const Rotation turn = Rotation::by(angle);
    const Vec2 along{turn.cos, turn.sin};
    const Vec2 out{turn.sin, -turn.cos};  // of the slope: up, where y points down
    World world = World::create({.response = Response::bounce,
                                 .restitution = drawn_between(random, 0.0F, 1.0F),
                                 .gravity = {0, static_cast<float>(gravity)}})
                      .value();
    static_cast<void>(world
                          .add({.shape = Box::of_half_size({1000, 1}),
                                .type = BodyType::static_body,
                                .position = -1.0F * out,
                                .rotation = turn})
                          .value());
    const float radius = drawn_between(random, 0.5F, 1.0F);
    const float speed = drawn_between(random, -5.0F, 5.0F);
    const Shape shape =
        random.below(2) == 0 ? Shape(Circle{.radius = radius}) : Shape(Box::of_half_size({radius, radius}));
    const BodyId body =
        world.add({.shape = shape, .position = radius * out, .rotation = turn, .velocity = speed * along})
            .value();
    for (int step = 0; step < 60; ++step) {
      world.step(1.0F / 60).value();
    }
    const double pull = gravity * static_cast<double>(turn.sin);
    const double expected = static_cast<double>(speed) + pull;
    EXPECT_NEAR(dot(world.velocity(body).value(), along), expected, 1e-3 * (5.0 + gravity)) << angle;
    EXPECT_NEAR(dot(world.position(body).value(), along), static_cast<double>(speed) + 0.5 * pull, 0.02)
        << angle;
    EXPECT_NEAR(dot(world.position(body).value(), out), radius, 0.01F) << angle;
  }
}

TEST(BounceRest, no_step_rotates_a_body) {
  for (int round = 0; round < 4; ++round) {
    World world = test::make_world();
    for (int i = 0; i < round; ++i) {
      test::disturb(world, static_cast<unsigned>(i));
    }
    const std::vector<BodyId> bodies = world.bodies();
    std::vector<Rotation> rotations;
    for (const BodyId body : bodies) {
      rotations.push_back(world.transform(body).value().rotation);
    }
    for (int step = 0; step < 100; ++step) {
      world.step(1.0F / 60).value();
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      ASSERT_EQ(world.transform(bodies[i]).value().rotation, rotations[i]) << round << ", body " << i;
    }
  }
}

TEST(EndMargin, touching_edges_do_not_begin_and_end_in_turn) {
  for (const float margin : {0.0F, 0.01F}) {
    World world = World::create({.end_margin = margin}).value();
    const BodyId a = world.add({.shape = Box::of_half_size({0.5F, 0.5F})}).value();
    const BodyId b = world.add({.shape = Box::of_half_size({0.5F, 0.5F}), .position = {1, 0}}).value();
    Random random(4);
    std::size_t events = 0;
    for (int step = 0; step < 1000; ++step) {
      const float x = drawn_between(random, -100, 100) / 3;
      const Vec2 at{x, drawn_between(random, -100, 100) / 3};
      world.move(a, at).value();
      world.move(b, at + Vec2{1, 0}).value();
      world.step(0).value();
      events += world.begun().size() + world.ended().size();
      for (const BodyContact& contact : world.contacts()) {
        EXPECT_LE(contact.manifold.points[0].separation, margin);
      }
    }
    EXPECT_EQ(events > 1, margin == 0.0F) << events;
  }
}

// Compared with the rule: a contact begins when the bodies touch and ends when the gap exceeds the margin.
TEST(EndMargin, contacts_last_until_the_gap_exceeds_it) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    const float margin = drawn_between(random, 0.05F, 0.5F);
    World world = World::create({.end_margin = margin}).value();
    const bool with_parts = random.below(2) == 0;
    std::vector<BodyId> bodies;
    for (int i = 0; i < 8; ++i) {
      BodyDef body{.shape = Circle{.radius = 0.5F}, .bullet = random.below(8) == 0};
      if (with_parts && random.below(2) == 0) {
        body.more_shapes.push_back(Box::of_half_size({0.5F, 0.2F}));
      }
      bodies.push_back(world.add(body).value());
    }
    for (int i = 0; i < 30; ++i) {  // far away, so that few bodies of many change
      world.add({.shape = Circle{.radius = 0.1F}, .position = {100.0F + static_cast<float>(i), 0}}).value();
    }
    std::vector<Pair> touching;
    for (int step = 0; step < 30; ++step) {
      for (const BodyId body : bodies) {
        if (random.below(3) == 0) {
          const float x = drawn_between(random, 0, 5);
          world.teleport(body, {x, drawn_between(random, 0, 5)}, {}).value();
        }
      }
      world.step(0).value();
      std::vector<Pair> expected;
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (std::size_t k = i + 1; k < bodies.size(); ++k) {
          float gap = 1e9F;
          for (const Shape& x : world.shapes(bodies[i]).value()) {
            for (const Shape& y : world.shapes(bodies[k]).value()) {
              gap = std::min(
                  gap, distance(x, world.transform(bodies[i]).value(), y, world.transform(bodies[k]).value())
                           .distance);
            }
          }
          const Pair pair{bodies[i].index, bodies[k].index};
          const bool before = std::binary_search(touching.begin(), touching.end(), pair);
          if (gap == 0.0F || (before && gap <= margin)) {
            expected.push_back(pair);
          }
        }
      }
      touching.clear();
      for (const BodyContact& contact : world.contacts()) {
        touching.push_back({contact.a.index, contact.b.index});
      }
      ASSERT_EQ(touching, expected) << round << " " << step;
    }
  }
}

// Compares the contacts with all overlapping pairs, while bodies become sensors or stop being sensors.
TEST(Sensors, detect_bodies_of_every_type) {
  constexpr std::array types{BodyType::static_body, BodyType::kinematic, BodyType::dynamic};
  Random random(6);
  for (const TechniqueEntry& technique : techniques()) {
    for (int round = 0; round < 100; ++round) {
      World world;
      world.set_technique(technique.name).value();
      std::vector<BodyId> bodies;
      for (int i = 0; i < 12; ++i) {
        const BodyType type = types[random.below(3)];
        const float x = drawn_between(random, 0, 6);
        const bool sensor = random.below(3) == 0;
        bodies.push_back(
            world.add({.shape = Circle{.radius = 1}, .type = type, .position = {x, 0}, .sensor = sensor})
                .value());
      }
      for (int step = 0; step < 8; ++step) {
        const BodyId changed = bodies[random.below(12)];
        if (random.below(2) == 0) {
          world.set_sensor(changed, !world.sensor(changed).value()).value();
        } else {
          world.move(changed, Vec2{drawn_between(random, 0, 6), 0}).value();
        }
        world.step(0).value();
        std::size_t expected = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
          for (std::size_t k = i + 1; k < bodies.size(); ++k) {
            const bool may = can_touch(world.type(bodies[i]).value(), world.type(bodies[k]).value()) ||
                             world.sensor(bodies[i]).value() || world.sensor(bodies[k]).value();
            const bool touch = overlaps(Circle{.radius = 1}, world.transform(bodies[i]).value(),
                                        Circle{.radius = 1}, world.transform(bodies[k]).value());
            expected += may && touch ? 1U : 0U;
            ASSERT_EQ(world.touching(bodies[i], bodies[k]).value(), may && touch) << technique.name;
          }
        }
        ASSERT_EQ(world.contacts().size(), expected) << technique.name;
      }
    }
  }
}

}  // namespace
}  // namespace broadside::bounce_test
