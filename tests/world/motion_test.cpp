#include "world/motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/world/world.hpp"
#include "each_allocation.hpp"

namespace broadside::motion_test {
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

// All numbers are small multiples of powers of 2, so the velocity is exactly zero for a moment.
TEST(WorldMotion, a_body_without_velocity_for_a_moment_falls_on) {
  Random random(20261133);
  for (int round = 0; round < 500; ++round) {
    const float seconds = std::ldexp(1.0F, -static_cast<int>(random.below(8)));
    const auto eighths = [&] { return (static_cast<float>(random.below(65)) - 32.0F) / 8.0F; };
    const Vec2 pull{eighths(), eighths()};
    const int steps = 1 + static_cast<int>(random.below(20));
    const bool by_gravity = random.below(2) == 0;
    const int pauses = static_cast<int>(random.below(3));
    World world = World::create({.gravity = by_gravity ? pull : Vec2{}}).value();
    const Vec2 start{eighths(), eighths()};
    const Vec2 velocity = (-seconds * static_cast<float>(steps)) * pull;
    const BodyId body = world
                            .add({.shape = Circle{.radius = 1},
                                  .position = start,
                                  .velocity = velocity,
                                  .acceleration = by_gravity ? Vec2{} : pull})
                            .value();
    for (int i = 0; i < steps; ++i) {
      world.step(seconds).value();
    }
    ASSERT_EQ(world.velocity(body).value(), Vec2{}) << round;
    const Vec2 apex = world.transform(body)->position;
    world.set_enabled(body, pauses == 0).value();
    for (int i = 0; i < pauses; ++i) {
      world.step(seconds).value();
    }
    world.set_enabled(body, true).value();
    ASSERT_EQ(world.transform(body)->position, apex) << round;
    for (int i = 0; i < steps; ++i) {
      world.step(seconds).value();
    }
    ASSERT_EQ(world.velocity(body).value(), -velocity) << round;
    ASSERT_EQ(world.transform(body)->position, start) << round;
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

// The class `Motion` alone.

using Place = Motion::Place;

/// A motion of bodies, with the expected values by place.
class TestedMotion {
 public:
  explicit TestedMotion(std::uint64_t seed) : random_(seed), may_be_huge_(seed % 4 == 0) {
    for (std::uint32_t bodies = 1 + random_.below(12); bodies > 0; --bodies) {
      add_body(static_cast<Place>(table_.places()));
    }
  }

  void do_one();
  void expect_same(const Motion& motion, bool is_copy = false) const;
  void expect_next();
  void expect_copy_by_bytes();

  [[nodiscard]] const Motion& motion() const { return motion_; }

  int failed = 0;
  int left_range = 0;
  int moved = 0;

 private:
  struct Body {
    Vec2 velocity;
    Vec2 remainder;
    Vec2 acceleration;
    Vec2 at_contact;
  };

  Vec2 drawn(double most) {
    const float x = random_.below(4) == 0 ? 0.0F : drawn_float(random_, -most, most);
    return {x, drawn_float(random_, -most, most)};
  }
  void add_body(Place place);
  void list(Place place) {
    if (std::find(moving_.begin(), moving_.end(), place) == moving_.end()) {
      moving_.push_back(place);
    }
  }
  [[nodiscard]] bool moves(Place place) const { return is_used_[place] != 0 && table_.slot(place).enabled; }
  [[nodiscard]] std::array<double, 4> after(Place place, double seconds) const;
  /// Calls a function with every number of allowed allocations until it succeeds.
  template <typename Call>
  void with_failures(Call call) {
    failed += test::fail_each_allocation(call, [this] { expect_same(motion_); });
  }

  Random random_;
  bool may_be_huge_;
  BodyTable table_{1};
  Vec2 gravity_ = drawn(10);
  Motion motion_{table_, gravity_};
  float seconds_ = 1.0F / 60.0F;
  std::vector<Body> bodies_;           // by place
  std::vector<std::uint8_t> is_used_;  // by place
  std::vector<Place> moving_;
  bool has_been_huge_ = false;  // some velocity may lead out of the range of float
};

void TestedMotion::add_body(Place place) {
  BodyDef body{.shape = Circle{}, .type = test::random_type(random_), .position = drawn(100)};
  table_.reserve({&body, 1}, 1);
  table_.add(body, {.type = body.type, .used = true, .enabled = random_.below(4) != 0}, {&place, 1});
  bodies_.resize(table_.places());
  is_used_.resize(table_.places());
  is_used_[place] = 1;
}

void TestedMotion::do_one() {
  const Place place = random_.below(static_cast<std::uint32_t>(bodies_.size()));
  Body& body = bodies_[place];
  const std::uint32_t action = random_.below(16);
  if (action < 5) {
    ASSERT_NO_FATAL_FAILURE(with_failures([&] { motion_.reserve(table_.capacity()); }));
  }
  const bool is_huge = may_be_huge_ && random_.below(3) == 0;
  switch (action) {
    case 0:
    case 1: {
      const Vec2 velocity = random_.below(5) == 0 ? Vec2{} : drawn(is_huge ? 3.4e38 : 50);
      const test::AllocationLimit none(0);
      motion_.set_velocity(place, velocity);
      body.velocity = velocity;
      has_been_huge_ = has_been_huge_ || is_huge;
      break;
    }
    case 2: {
      const Vec2 remainder = random_.below(3) == 0 ? Vec2{} : drawn(1e-3);
      const test::AllocationLimit none(0);
      motion_.set_remainder(place, remainder);
      body.remainder = remainder;
      break;
    }
    case 3: {
      const Vec2 acceleration = random_.below(3) == 0 ? Vec2{} : drawn(is_huge ? 3.4e38 : 20);
      has_been_huge_ = has_been_huge_ || is_huge;
      ASSERT_NO_FATAL_FAILURE(with_failures([&] { motion_.reserve_accelerations(bodies_.size()); }));
      const test::AllocationLimit none(0);
      motion_.set_acceleration(place, acceleration);
      body.acceleration = acceleration;
      break;
    }
    case 4: {
      const test::AllocationLimit none(0);
      motion_.add_moving(place);
      break;
    }
    case 5:
      if (is_used_[place] != 0) {
        table_.reserve_free(1);
        table_.remove(place);
        is_used_[place] = 0;
        const test::AllocationLimit none(0);
        motion_.clear(place);
        body = {{}, {}, {}, body.at_contact};
      }
      break;
    case 6:
      add_body(table_.free_places().empty() ? static_cast<Place>(table_.places())
                                            : table_.free_places().back());
      break;
    case 7:
      ASSERT_NO_FATAL_FAILURE(with_failures([&] { motion_.list_falling(); }));
      for (Place each = 0; each < bodies_.size() && gravity_ != Vec2{}; ++each) {
        if (moves(each) && table_.slot(each).type == BodyType::dynamic) {
          list(each);
        }
      }
      break;
    case 8:
      gravity_ = random_.below(2) == 0 ? Vec2{} : drawn(10);
      motion_.set_gravity(gravity_);
      break;
    case 9:
      seconds_ = drawn_float(random_, 0.001, 0.1);
      motion_.set_seconds(seconds_);
      break;
    case 10: {
      const test::AllocationLimit none(0);
      motion_.remember_contact();
      for (Body& each : bodies_) {
        each.at_contact = each.velocity;
      }
      break;
    }
    case 11:
      if (is_used_[place] != 0) {
        table_.change_slots(place, [](BodyTable::Slot& slot) { slot.enabled = !slot.enabled; });
      }
      break;
    case 12: {
      const Vec2 velocity = drawn(30);
      motion_.set_velocity_at_contact(place, table_.capacity(), velocity);
      body.at_contact = velocity;
      break;
    }
    default: {  // a step, some bodies of which stop
      std::vector<Place> visited;
      std::vector<Place> kept;
      const std::vector<Place> expected = moving_;
      motion_.move_each([&](Place each) {
        visited.push_back(each);
        const auto next = motion_.after(each, static_cast<double>(seconds_));
        if (next) {
          ++moved;
          motion_.set(each, *next);
          table_.set_transform(each, {next->position, {}}, [](Place) {});
          bodies_[each].velocity = next->velocity;
          bodies_[each].remainder = next->remainder;
        }
        const bool stays = random_.below(3) != 0;
        if (stays || bodies_[each].velocity != Vec2{}) {
          kept.push_back(each);
        }
        return stays;
      });
      ASSERT_EQ(visited, expected);
      moving_ = kept;
      break;
    }
  }
  if ((action < 2 && body.velocity != Vec2{}) || action == 3 || action == 4) {
    list(place);
  }
}

/// @param is_copy whether only what snapshots hold is the same
void TestedMotion::expect_same(const Motion& motion, bool is_copy) const {
  std::vector<Place> with_motion;
  for (Place place = 0; place < bodies_.size(); ++place) {
    const Body& body = bodies_[place];
    ASSERT_EQ(motion.velocity(place), body.velocity);
    ASSERT_EQ(motion.remainder(place), body.remainder);
    ASSERT_EQ(motion.acceleration(place), body.acceleration);
    ASSERT_EQ(motion.velocity_at_contact(place), body.at_contact) << place;
    if (body.velocity != Vec2{} || body.remainder != Vec2{} || body.acceleration != Vec2{} ||
        body.at_contact != Vec2{}) {
      with_motion.push_back(place);
    }
    const Vec2 position = table_.transform(place).position;
    const detail::Point exact = motion.exact_position(place);
    ASSERT_EQ(exact.x, static_cast<double>(position.x) + static_cast<double>(body.remainder.x));
    ASSERT_EQ(exact.y, static_cast<double>(position.y) + static_cast<double>(body.remainder.y));
  }
  if (is_copy) {
    ASSERT_TRUE(std::ranges::equal(motion.moving(), with_motion));
    return;
  }
  ASSERT_TRUE(std::ranges::equal(motion.moving(), moving_));
  ASSERT_EQ(motion.gravity(), gravity_);
  ASSERT_EQ(motion.seconds(), seconds_);
  ASSERT_GE(motion.bytes(), moving_.size() * (sizeof(Place) + 2 * sizeof(Vec2)));
}

/// Returns position, with remainder, and velocity after `seconds`, by the formulas.
std::array<double, 4> TestedMotion::after(Place place, double seconds) const {
  const Body& body = bodies_[place];
  const bool falls = table_.slot(place).type == BodyType::dynamic;
  const Vec2 position = table_.transform(place).position;
  const auto along = [&](float p, float r, float v, float a, float g) {
    const double pull = static_cast<double>(a) + (falls ? static_cast<double>(g) : 0.0);
    return std::array<double, 2>{static_cast<double>(p) + static_cast<double>(r) +
                                     static_cast<double>(v) * seconds + pull * seconds * seconds / 2.0,
                                 static_cast<double>(v) + pull * seconds};
  };
  const auto x = along(position.x, body.remainder.x, body.velocity.x, body.acceleration.x, gravity_.x);
  const auto y = along(position.y, body.remainder.y, body.velocity.y, body.acceleration.y, gravity_.y);
  return {x[0], y[0], x[1], y[1]};
}

void TestedMotion::expect_next() {
  constexpr auto most = static_cast<double>(std::numeric_limits<float>::max());
  for (const double seconds : {0.0, 1e-3, static_cast<double>(seconds_), 10.0}) {
    std::optional<Place> lost;
    for (const Place place : moving_) {
      const std::array<double, 4> expected = after(place, seconds);
      const bool leaves =
          std::any_of(expected.begin(), expected.end(), [](double value) { return std::abs(value) > most; });
      const auto next = motion_.after(place, seconds);
      ASSERT_EQ(next.has_value(), moves(place) && !leaves);
      if (moves(place) && leaves && !lost) {
        lost = place;
      }
      if (!next) {
        continue;
      }
      const std::array<std::array<double, 2>, 4> found = {
          {{static_cast<double>(next->position.x), static_cast<double>(next->remainder.x)},
           {static_cast<double>(next->position.y), static_cast<double>(next->remainder.y)},
           {static_cast<double>(next->velocity.x), 0.0},
           {static_cast<double>(next->velocity.y), 0.0}}};
      for (std::size_t i = 0; i < 4; ++i) {
        ASSERT_NEAR(found[i][0], expected[i], std::abs(expected[i]) * 0x1p-24 + 1e-30);
        if (i < 2) {
          ASSERT_NEAR(found[i][0] + found[i][1], expected[i], std::abs(expected[i]) * 0x1p-46 + 1e-13);
        }
      }
    }
    ASSERT_EQ(motion_.find_out_of_range(seconds), lost);
    if (lost) {
      ASSERT_FALSE(motion_.all_stay_in_range(seconds, table_.farthest()));
      ++left_range;
    } else if (!has_been_huge_) {  // its bounds never get smaller
      ASSERT_TRUE(motion_.all_stay_in_range(seconds, table_.farthest()));
    }
  }
}

void TestedMotion::expect_copy_by_bytes() {
  detail::ByteWriter out;
  for (Place place = 0; place < bodies_.size(); ++place) {
    motion_.write(out, place);
  }
  const std::vector<std::byte> bytes = out.take();
  const auto read = [&](std::span<const std::byte> from, Motion& motion) {
    detail::ByteReader in(from);
    for (Place place = 0; place < bodies_.size(); ++place) {
      motion.read(in, place, bodies_.size());
    }
    return !in.failed() && in.rest() == 0;
  };
  Motion copy(table_, gravity_);
  ASSERT_TRUE(read(bytes, copy));
  ASSERT_NO_FATAL_FAILURE(expect_same(copy, true));
  Motion cut(table_, gravity_);
  ASSERT_FALSE(read(std::span(bytes).first(random_.below(static_cast<std::uint32_t>(bytes.size()))), cut));
  std::vector<std::byte> damaged = bytes;
  damaged[random_.below(static_cast<std::uint32_t>(bytes.size()))] = std::byte{0xFF};
  Motion spoilt(table_, gravity_);
  if (read(damaged, spoilt)) {  // then all numbers are finite
    for (Place place = 0; place < bodies_.size(); ++place) {
      for (const Vec2 value : {spoilt.velocity(place), spoilt.remainder(place), spoilt.acceleration(place),
                               spoilt.velocity_at_contact(place)}) {
        ASSERT_TRUE(std::isfinite(value.x) && std::isfinite(value.y));
      }
    }
  }
}

TEST(Motion, agrees_with_arrays_over_any_calls) {
  int failed = 0;
  int left_range = 0;
  int moved = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    TestedMotion tested(seed);
    for (int call = 0; call < 100; ++call) {
      ASSERT_NO_FATAL_FAILURE(tested.do_one()) << "seed " << seed << ", call " << call;
      ASSERT_NO_FATAL_FAILURE(tested.expect_same(tested.motion())) << "seed " << seed << ", call " << call;
      if (call % 4 == 0) {
        ASSERT_NO_FATAL_FAILURE(tested.expect_next()) << "seed " << seed << ", call " << call;
      }
      if (call % 8 == 0) {
        ASSERT_NO_FATAL_FAILURE(tested.expect_copy_by_bytes()) << "seed " << seed << ", call " << call;
      }
    }
    failed += tested.failed;
    left_range += tested.left_range;
    moved += tested.moved;
  }
  EXPECT_GT(failed, 200);
  EXPECT_GT(left_range, 100);
  EXPECT_GT(moved, 5000);
}

}  // namespace
}  // namespace broadside::motion_test
