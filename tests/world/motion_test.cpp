#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "boxes.hpp"
#include "broadside/world/world.hpp"

namespace broadside {
namespace {

using test::Random;

double drawn_between(Random& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random.below(1U << 24)) / static_cast<double>(1U << 24);
}

float drawn_float(Random& random, double low, double high) {
  return static_cast<float>(drawn_between(random, low, high));
}

/// Draws a number whose logarithm is uniform, with a random sign.
float drawn_magnitude(Random& random, double low, double high) {
  const double exponent = drawn_between(random, std::log10(low), std::log10(high));
  const double sign = random.below(2) == 0 ? 1.0 : -1.0;
  return static_cast<float>(sign * std::pow(10.0, exponent));
}

double ulp(float value) {
  const float magnitude = std::abs(value);
  return static_cast<double>(std::nextafter(magnitude, std::numeric_limits<float>::infinity())) -
         static_cast<double>(magnitude);
}

/// Returns step lengths: 1 to 3 fixed ones in turn from 20 to 1,000 Hz, or all random.
std::vector<float> drawn_steps(Random& random, double seconds) {
  const std::size_t kinds = 1 + random.below(3);
  std::vector<float> lengths;
  for (std::size_t i = 0; i < kinds; ++i) {
    lengths.push_back(static_cast<float>(1.0 / drawn_between(random, 20, 1000)));
  }
  const bool is_any = random.below(4) == 0;
  std::vector<float> steps;
  for (double passed = 0; passed < seconds; passed += static_cast<double>(steps.back())) {
    steps.push_back(is_any ? drawn_float(random, 1e-4, 0.05) : lengths[steps.size() % kinds]);
  }
  return steps;
}

// Along an axis: p0 + v t + a t^2 / 2, v + a t. Bodies with and without an acceleration of their own, bullets
// and bodies of every type, with each order of a step.
TEST(WorldMotion, follows_the_formulas_at_any_place_and_for_any_steps) {
  Random random(1);
  for (int round = 0; round < 400; ++round) {
    const Vec2 gravity{random.below(3) == 0 ? 0.0F : drawn_magnitude(random, 0.1, 1e3),
                       drawn_magnitude(random, 0.1, 1e3)};
    const StepOrder order = random.below(2) == 0 ? StepOrder::detect_first : StepOrder::motion_first;
    World world = World::create({.order = order, .gravity = gravity}).value();
    BodyDef body{.shape = Circle{.radius = 0.5F}};
    body.position.x = random.below(4) == 0 ? 0.0F : drawn_magnitude(random, 1e-2, 1e6);
    body.position.y = random.below(4) == 0 ? 0.0F : drawn_magnitude(random, 1e-2, 1e6);
    body.velocity.x = drawn_magnitude(random, 1e-2, 1e3);
    body.velocity.y = random.below(2) == 0 ? 0.0F : drawn_magnitude(random, 1e-2, 1e3);
    body.type = random.below(3) == 0 ? BodyType::kinematic : BodyType::dynamic;
    body.bullet = random.below(3) == 0;
    if (random.below(2) == 0) {
      body.acceleration = {drawn_magnitude(random, 0.1, 100), drawn_magnitude(random, 0.1, 100)};
    }
    const BodyId id = world.add(body).value();
    EXPECT_EQ(world.velocity(id).value(), body.velocity);
    EXPECT_EQ(world.acceleration(id).value(), body.acceleration);
    const Vec2 pull = body.type == BodyType::dynamic ? gravity : Vec2{};
    std::vector<std::byte> halfway;
    double time = 0.0;
    for (const float seconds : drawn_steps(random, 1.0)) {
      world.step(seconds).value();
      time += static_cast<double>(seconds);
      const Vec2 position = world.position(id).value();
      const Vec2 velocity = world.velocity(id).value();
      const auto check = [&](float from, float speed, float own, float falling, float at, float moving) {
        const double a = static_cast<double>(own) + static_cast<double>(falling);
        const double v = static_cast<double>(speed);
        const double way = v * time + 0.5 * a * time * time;
        const double path = std::abs(v) * time + 0.5 * std::abs(a) * time * time;
        EXPECT_NEAR(static_cast<double>(at), static_cast<double>(from) + way, std::max(1e-3 * path, ulp(at)))
            << round;
        EXPECT_NEAR(static_cast<double>(moving), v + a * time, 1e-3 * (std::abs(v) + std::abs(a) * time))
            << round;
      };
      check(body.position.x, body.velocity.x, body.acceleration.x, pull.x, position.x, velocity.x);
      check(body.position.y, body.velocity.y, body.acceleration.y, pull.y, position.y, velocity.y);
      if (time > 0.5 && halfway.empty()) {
        halfway = world.snapshot();
        world.restore(halfway).value();
      }
    }
  }
}

TEST(WorldMotion, a_jump_is_as_high_at_any_rate) {
  for (const float hz : {30.0F, 60.0F, 144.0F, 240.0F, 1000.0F}) {
    World world = World::create({.gravity = {0, -9.81F}}).value();
    const BodyId body = world.add({.shape = Circle{.radius = 0.5F}, .velocity = {0, 5}}).value();
    float highest = 0.0F;
    for (int i = 0; i < static_cast<int>(hz); ++i) {
      world.step(1.0F / hz).value();
      // Between steps the path is a parabola: its top is where the velocity is 0.
      const float speed = world.velocity(body).value().y;
      if (std::abs(speed) <= 9.81F / hz) {
        highest = std::max(highest, world.position(body).value().y + speed * speed / (2 * 9.81F));
      }
    }
    EXPECT_NEAR(highest, 1.2742F, 1.2742e-3F) << hz;
  }
}

TEST(WorldMotion, push_moves_and_adds_to_the_velocity) {
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    World world;
    const Vec2 at{drawn_magnitude(random, 1, 1e6), drawn_magnitude(random, 1, 1e6)};
    const Vec2 velocity{drawn_magnitude(random, 1e-2, 100), drawn_magnitude(random, 1e-2, 100)};
    const BodyId body =
        world.add({.shape = Circle{.radius = 1}, .position = at, .velocity = velocity}).value();
    const bool has_stepped = random.below(2) == 0;
    const float seconds = has_stepped ? drawn_float(random, 1e-3, 0.05) : 1.0F / 60;
    Vec2 before = at;
    if (has_stepped) {
      world.step(seconds).value();
      before = world.position(body).value();
    }
    const Vec2 way{drawn_magnitude(random, 1e-3, 10), drawn_magnitude(random, 1e-3, 10)};
    world.push(body, way).value();
    const Vec2 after = world.position(body).value();
    EXPECT_NEAR(after.x, before.x + way.x, 2.01 * ulp(std::max(std::abs(before.x), std::abs(way.x))));
    EXPECT_NEAR(after.y, before.y + way.y, 2.01 * ulp(std::max(std::abs(before.y), std::abs(way.y))));
    const Vec2 faster = world.velocity(body).value();
    EXPECT_NEAR(faster.x, velocity.x + way.x / seconds,
                1e-5 * (std::abs(velocity.x) + std::abs(way.x) / seconds));
    EXPECT_NEAR(faster.y, velocity.y + way.y / seconds,
                1e-5 * (std::abs(velocity.y) + std::abs(way.y) / seconds));
  }
}

TEST(WorldMotion, pushes_add_up_wherever_the_body_is) {
  Random random(20261125);
  for (int i = 0; i < 500; ++i) {
    World world;
    const auto far = static_cast<float>(drawn_magnitude(random, 1e-3, 1e8));
    const BodyId body = world.add({.shape = Circle{.radius = 1}, .position = {far, -far}}).value();
    std::array<double, 2> exact{static_cast<double>(far), -static_cast<double>(far)};
    const double small = drawn_magnitude(random, 1e-6, 1.0) * ulp(far);
    for (int pushes = 0; pushes < 40; ++pushes) {
      const Vec2 way{drawn_float(random, -small, 3.0 * small), drawn_float(random, -small, 3.0 * small)};
      world.push(body, way).value();
      exact[0] += static_cast<double>(way.x);
      exact[1] += static_cast<double>(way.y);
    }
    const Vec2 at = world.position(body).value();
    // The remainder between two floats is rounded to 24 bits at each push.
    const double rounding = 0.5 * ulp(far) * (1.0 + 1e-4);
    EXPECT_NEAR(static_cast<double>(at.x), exact[0], rounding) << far << ", " << small;
    EXPECT_NEAR(static_cast<double>(at.y), exact[1], rounding) << far << ", " << small;
  }
}

TEST(WorldMotion, a_disabled_body_keeps_its_velocity_and_stays) {
  World world = World::create({.gravity = {0, 5}}).value();
  const BodyId body = world.add({.shape = Circle{.radius = 1}, .velocity = {3, 0}, .enabled = false}).value();
  world.step(0.5F).value();
  EXPECT_EQ(world.position(body).value(), Vec2{});
  EXPECT_EQ(world.velocity(body).value(), (Vec2{3, 0}));
  world.set_enabled(body, true).value();
  world.step(0.5F).value();
  EXPECT_EQ(world.position(body).value(), (Vec2{1.5F, 0.625F}));
}

TEST(WorldMotion, refuses_invalid_arguments) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  World world;
  const BodyId body = world.add({.shape = Circle{.radius = 1}, .velocity = {1, 2}}).value();
  const BodyId wall = world.add({.shape = Circle{.radius = 1}, .type = BodyType::static_body}).value();
  const std::uint64_t before = world.hash();
  for (const float bad : {std::nanf(""), inf, -inf}) {
    for (const Vec2 v : {Vec2{bad, 0}, Vec2{0, bad}, Vec2{bad, bad}}) {
      EXPECT_EQ(world.set_acceleration(body, v).error().code, ErrorCode::not_finite);
      EXPECT_EQ(world.set_velocity(body, v).error().code, ErrorCode::not_finite);
      EXPECT_EQ(world.push(body, v).error().code, ErrorCode::not_finite);
      EXPECT_EQ(world.add({.acceleration = v}).error().code, ErrorCode::not_finite);
    }
    EXPECT_EQ(world.step(bad).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(World::create({.end_margin = bad}).error().code, ErrorCode::invalid_argument);
  }
  EXPECT_EQ(world.set_acceleration(wall, {1, 0}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(world.add({.type = BodyType::static_body, .acceleration = {1, 0}}).error().code,
            ErrorCode::invalid_argument);
  EXPECT_EQ(World::create({.end_margin = -1.0F}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(World::create({.order = static_cast<StepOrder>(2)}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(World::create({.response = Response::bounce, .order = StepOrder::detect_first}).error().code,
            ErrorCode::invalid_argument);
  EXPECT_EQ(world.hash(), before);
}

// A step that would move any body out of the range of float changes nothing.
TEST(WorldMotion, a_step_out_of_the_range_of_float_is_refused) {
  Random random(3);
  constexpr float most = std::numeric_limits<float>::max();
  for (int round = 0; round < 300; ++round) {
    const StepOrder order = random.below(2) == 0 ? StepOrder::detect_first : StepOrder::motion_first;
    World world = World::create({.order = order}).value();
    for (int i = 0; i < 5; ++i) {
      world
          .add(
              {.shape = Circle{.radius = 1}, .position = {drawn_float(random, -9, 9), 0}, .velocity = {1, 1}})
          .value();
    }
    BodyDef fast{.shape = Circle{.radius = 1}};
    fast.position = {drawn_magnitude(random, 1e37, 3.4e38), drawn_magnitude(random, 1, 3.4e38)};
    fast.velocity = {drawn_magnitude(random, 1e35, 3.4e38), drawn_magnitude(random, 1, 3.4e38)};
    fast.acceleration = {drawn_magnitude(random, 1, 3.4e38), 0};
    world.add(fast).value();
    const float seconds = drawn_float(random, 1e-3, 2.0);
    const auto t = static_cast<double>(seconds);
    const auto end = [t](float p, float v, float a) {
      return static_cast<double>(p) + t * static_cast<double>(v) + 0.5 * t * t * static_cast<double>(a);
    };
    const auto end_speed = [t](float v, float a) {
      return static_cast<double>(v) + t * static_cast<double>(a);
    };
    const double farthest = std::max({std::abs(end(fast.position.x, fast.velocity.x, fast.acceleration.x)),
                                      std::abs(end(fast.position.y, fast.velocity.y, 0)),
                                      std::abs(end_speed(fast.velocity.x, fast.acceleration.x))});
    const std::uint64_t before = world.hash();
    const auto stepped = world.step(seconds);
    EXPECT_EQ(stepped.has_value(), farthest <= static_cast<double>(most)) << round;
    EXPECT_TRUE(stepped.has_value() || stepped.error().code == ErrorCode::not_finite);
    EXPECT_TRUE(stepped.has_value() || world.hash() == before);
  }
}

// The listener runs after the step was checked. Only the bodies that it sends out of range stay.
TEST(WorldMotion, a_body_that_a_listener_sends_out_of_range_stays_and_the_next_step_is_refused) {
  constexpr float seconds = 2.0F;
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    const bool moves_first = random.below(2) == 0;
    World world =
        World::create({.order = moves_first ? StepOrder::motion_first : StepOrder::detect_first}).value();
    std::vector<BodyId> lost;
    std::vector<BodyId> others;
    for (std::uint32_t i = 0; i < 8; ++i) {
      BodyDef body{.shape = Circle{.radius = 1}};
      body.position = {drawn_float(random, -9, 9), 10.0F * static_cast<float>(i)};
      body.type = random.below(3) == 0 ? BodyType::kinematic : BodyType::dynamic;
      const bool is_lost = i == 0 || random.below(3) == 0;
      body.velocity = is_lost ? Vec2{} : Vec2{drawn_float(random, -3, 3), 0};
      (is_lost ? lost : others).push_back(world.add(body).value());
    }
    for (const float x : {0.0F, 1.0F}) {  // two bodies that touch, so that the listener is called
      static_cast<void>(world.add({.shape = Circle{.radius = 1}, .position = {x, -100}}).value());
    }
    std::vector<Vec2> places;
    std::vector<Vec2> velocities;
    world.on_begin(World::any, World::any, [&](const BodyContact&) {
      for (const BodyId body : lost) {
        const float far = drawn_float(random, 2e38, 3.3e38) * (random.below(2) == 0 ? 1.0F : -1.0F);
        const std::uint32_t how = random.below(3);
        if (how == 0) {
          world.set_velocity(body, {0, far}).value();
        } else if (how == 1) {
          world.set_acceleration(body, {far, 0}).value();
        } else {
          world.move(body, Vec2{far, 0}).value();
          world.set_velocity(body, {far, 0}).value();
        }
        places.push_back(world.position(body).value());
        velocities.push_back(world.velocity(body).value());
      }
    });
    std::vector<Vec2> start;
    for (const BodyId body : others) {
      start.push_back(world.position(body).value());
    }
    world.step(seconds).value();
    ASSERT_EQ(places.size(), lost.size());
    for (std::size_t i = 0; i < lost.size(); ++i) {
      ASSERT_EQ(world.position(lost[i]).value(), places[i]) << round;
      ASSERT_EQ(world.velocity(lost[i]).value(), velocities[i]) << round;
    }
    for (std::size_t i = 0; i < others.size(); ++i) {
      const float way = seconds * world.velocity(others[i]).value().x;
      ASSERT_NEAR(world.position(others[i]).value().x, start[i].x + way, 1e-5) << round;
    }
    const std::uint64_t before = world.hash();
    ASSERT_EQ(world.step(seconds).error().code, ErrorCode::not_finite) << round;
    ASSERT_EQ(world.hash(), before) << round;
    for (const BodyId body : lost) {
      world.set_velocity(body, {}).value();
      world.set_acceleration(body, {}).value();
    }
    world.step(seconds).value();
  }
}

TEST(WorldMotion, contacts_are_found_before_or_after_the_motion_as_the_options_say) {
  for (const bool after : {false, true}) {
    World world = World::create({.order = after ? StepOrder::motion_first : StepOrder::detect_first}).value();
    world.add({.shape = Circle{.radius = 1}, .velocity = {60, 0}}).value();
    world.add({.shape = Circle{.radius = 1}, .position = {2.5F, 0}}).value();
    world.step(1.0F / 60).value();
    EXPECT_EQ(world.contacts().size(), after ? 1U : 0U);
    world.step(1.0F / 60).value();
    EXPECT_EQ(world.contacts().size(), 1U);
  }
}

}  // namespace
}  // namespace broadside
