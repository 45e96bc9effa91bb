#include "broadside/world/move_and_slide.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "boxes.hpp"
#include "broadside/world/fixed_step.hpp"
#include "broadside/world/world.hpp"

namespace broadside::move_and_slide_test {
namespace {

const Shape unit_box = Box::of_half_size({0.5F, 0.5F});

float half_width(const Shape& shape) {
  return bounds(shape, {}).max.x;
}

BodyId add_player(World& world, const Shape& shape, Vec2 at) {
  return world.add({.shape = shape, .type = BodyType::kinematic, .position = at, .tag = "player"}).value();
}

BodyId add_tile(World& world, Vec2 at) {
  return world.add({.shape = unit_box, .type = BodyType::static_body, .position = at}).value();
}

class MoveAndSlide : public testing::TestWithParam<Shape> {};

// y points up: a floor of tiles whose tops are at 0.5, a wall at the end.
TEST_P(MoveAndSlide, walks_over_the_seams_of_a_floor_up_to_a_wall) {
  World world;
  for (int i = 0; i < 30; ++i) {
    add_tile(world, {static_cast<float>(i), 0});
  }
  const BodyId wall = add_tile(world, {29, 1});
  const BodyId player = add_player(world, GetParam(), {1, 3});
  std::size_t walls = 0;
  for (int step = 0; step < 400; ++step) {
    const SlideResult result = world.move_and_slide(player, {0.1F, -0.05F}).value();
    for (const SlideHit& hit : result.hits) {
      const bool is_floor = std::abs(hit.obstacle.normal.x) < 1e-3F;
      EXPECT_TRUE(is_floor || hit.obstacle.body == wall) << "at " << result.position.x;
      walls += is_floor ? 0U : 1U;
    }
  }
  const Vec2 end = world.position(player).value();
  EXPECT_NEAR(end.x, 28.5F - half_width(GetParam()), 0.01F);
  EXPECT_NEAR(end.y, 1.0F, 0.01F);
  EXPECT_GT(walls, 10U);
}

// In a wedge the second wall turns the motion back into the first one: the slide ends there.
TEST(MoveAndSlide, ends_between_two_walls_of_any_angle) {
  test::Random random(8);
  for (int round = 0; round < 300; ++round) {
    World world;
    const float half_angle = random.between(0.1F, 0.7F);
    for (const float side : {1.0F, -1.0F}) {
      const Vec2 far{20.0F * std::cos(half_angle), side * 20.0F * std::sin(half_angle)};
      world.add({.shape = Segment{{0, 0}, far}, .type = BodyType::static_body}).value();
    }
    const float aside = random.between(-0.2F, 0.2F);
    const BodyId player = add_player(world, Circle{.radius = 0.25F}, {10, aside});
    const SlideResult result = world.move_and_slide(player, {-40, 10 * aside}).value();
    ASSERT_LE(result.hits.size(), 2U) << round << ", " << half_angle << ", " << aside;
    ASSERT_GE(result.position.x, 0.25F) << round;
  }
}

TEST_P(MoveAndSlide, gets_through_nothing_at_any_speed) {
  World world;
  add_tile(world, {10, 0});
  const BodyId player = add_player(world, GetParam(), {0, 0});
  EXPECT_NEAR(world.move_and_slide(player, {1e6F, 0}).value().position.x, 9.5F - half_width(GetParam()),
              0.01F);
}

TEST_P(MoveAndSlide, moves_out_of_the_body_that_it_starts_in) {
  World world;
  add_tile(world, {0, 0});
  const BodyId player = add_player(world, GetParam(), {0.1F, 0.9F});
  const SlideResult result = world.move_and_slide(player, {}).value();
  EXPECT_NEAR(result.position.y, 1.0F, 0.01F);
  world.step(0).value();
  EXPECT_TRUE(world.query_shape(GetParam(), {result.position, {}}, {.except = player}).value().empty());
}

INSTANTIATE_TEST_SUITE_P(Shapes, MoveAndSlide,
                         testing::Values(unit_box, Shape(Circle{.radius = 0.5F}),
                                         Shape(Capsule{.a = {0, -0.25F}, .b = {0, 0.25F}, .radius = 0.25F})),
                         [](const auto& instance) { return std::string(name(instance.param)); });

TEST(MoveAndSlide, bounces_crosses_and_touches_as_respond_returns) {
  World world;
  const BodyId tile = add_tile(world, {5, 0});
  const BodyId player = add_player(world, unit_box, {0, 0});
  const auto go = [&](SlideResponse response) {
    world.move(player, Vec2{0, 0}).value();
    return world.move_and_slide(player, {10, 2}, {.respond = [=](const Obstacle&) { return response; }})
        .value();
  };
  const SlideResult bounced = go(SlideResponse::bounce);
  EXPECT_NEAR(bounced.position.x, -2.0F, 0.01F);
  EXPECT_NEAR(bounced.position.y, 2.0F, 0.01F);
  const SlideResult crossed = go(SlideResponse::cross);
  EXPECT_EQ(crossed.position, (Vec2{10, 2}));
  ASSERT_EQ(crossed.hits.size(), 1U);
  EXPECT_EQ(crossed.hits[0].obstacle.body, tile);
  const SlideResult touched = go(SlideResponse::touch);
  EXPECT_NEAR(touched.position.x, 4.0F, 0.01F);
  EXPECT_NEAR(touched.position.y, 0.8F, 0.01F);
  EXPECT_NEAR(touched.remaining.x, 6.0F, 0.01F);
  const SlideResult slid = go(SlideResponse::slide);
  EXPECT_NEAR(slid.position.x, 4.0F, 0.01F);
  EXPECT_NEAR(slid.position.y, 2.0F, 0.01F);
}

TEST(MoveAndSlide, is_carried_by_one_way_platforms_from_above_alone) {
  World world;
  const BodyId platform =
      world.add({.shape = Box::of_half_size({2, 0.1F}), .type = BodyType::static_body, .tag = "platform"})
          .value();
  const BodyId player = add_player(world, unit_box, {0, -2});
  const SlideOptions options{.respond = [](const Obstacle& obstacle) {
    return one_way_response(obstacle, {0, 1});
  }};
  float speed = 0.3F;
  float highest = -2;
  for (int step = 0; step < 60; ++step) {
    speed -= 0.01F;
    const SlideResult result = world.move_and_slide(player, {0, speed}, options).value();
    highest = std::max(highest, result.position.y);
    speed =
        result.position.y > 0 && !result.hits.empty() && result.hits.back().response == SlideResponse::slide
            ? 0
            : speed;
  }
  EXPECT_GT(highest, 1.0F);
  EXPECT_NEAR(world.position(player).value().y, 0.6F, 0.01F);
  world.remove(platform).value();
  EXPECT_LT(world.move_and_slide(player, {0, -1}, options).value().position.y, 0.0F);
}

// Boundary cases: surfaces at exactly 60 degrees, level motions, and the floats next to both.
TEST(MoveAndSlide, flat_enough_one_way_platforms_carry_bodies_that_do_not_rise_and_are_not_inside) {
  constexpr float least = std::numeric_limits<float>::denorm_min();
  const std::array rises{-1.0F, -least, -0.0F, 0.0F, least, 1.0F};
  const std::array ups{Vec2{0, 1}, Vec2{0, -1}, Vec2{1, 0}, Vec2{-1, 0}};
  const std::array slopes{-1.0F, std::nextafter(-0.5F, -1.0F), -0.5F, std::nextafter(-0.5F, 0.0F), 0.0F, 0.5F,
                          1.0F};
  for (const Vec2 up : ups) {
    const Vec2 side{up.y, -up.x};
    for (const float slope : slopes) {
      for (const float rise : rises) {
        for (const bool was_inside : {false, true}) {
          const Obstacle obstacle{.body = {},
                                  .normal = std::sqrt(1.0F - slope * slope) * side + slope * up,
                                  .point = {},
                                  .motion = 3.0F * side + rise * up,
                                  .was_inside = was_inside};
          const bool carries = slope > 0.5F && rise <= 0.0F && !was_inside;
          EXPECT_EQ(one_way_response(obstacle, up), carries ? SlideResponse::slide : SlideResponse::cross)
              << slope << ' ' << rise << ' ' << was_inside;
        }
      }
    }
  }
}

TEST(MoveAndSlide, ignores_bodies_that_its_filter_excludes_and_crosses_sensors) {
  World world;
  world.add({.shape = unit_box, .type = BodyType::static_body, .position = {3, 0}, .filter = {.layer = 2}})
      .value();
  const BodyId coin =
      world.add({.shape = unit_box, .type = BodyType::static_body, .position = {6, 0}, .sensor = true})
          .value();
  const BodyId player = add_player(world, unit_box, {0, 0});
  world.set_filter(player, {.mask = 1}).value();
  const SlideResult result = world.move_and_slide(player, {10, 0}).value();
  EXPECT_EQ(result.position, (Vec2{10, 0}));
  ASSERT_EQ(result.hits.size(), 1U);
  EXPECT_EQ(result.hits[0].obstacle.body, coin);
  EXPECT_EQ(world.move_and_slide(player, {std::nanf(""), 0}).error().code, ErrorCode::not_finite);
}

// The k-th call of `respond`, for each k in turn, returns an invalid `SlideResponse` or removes the body: the
// slide returns an error, and the body is not moved.
TEST(MoveAndSlide, an_invalid_response_ends_it_wherever_it_is_given) {
  test::Random random(20261126);
  std::size_t refused = 0;
  for (int i = 0; i < 60; ++i) {
    World world = World::create({.gravity = {0, -10}}).value();
    const auto add = [&](BodyType type, Vec2 at, Vec2 half_size, Vec2 velocity) {
      return world
          .add({.shape = Box::of_half_size(half_size), .type = type, .position = at, .velocity = velocity})
          .value();
    };
    const BodyId player = add(BodyType::kinematic, {0, 1.0F}, {0.5F, 0.5F}, {});
    const float ground_width = random.between(0.5F, 4);
    add(BodyType::kinematic, {0, 0}, {ground_width, 0.5F}, {random.between(-30, 30), 0});
    const std::uint32_t others = 2 + random.below(6);
    for (std::uint32_t k = 0; k < others; ++k) {
      const BodyType type = random.below(2) == 0 ? BodyType::static_body : BodyType::kinematic;
      const Vec2 at{random.between(-3, 3), random.between(0.5F, 3)};
      add(type, at, {random.between(0.1F, 1), random.between(0.1F, 1)}, {});
    }
    static_cast<void>(world.move_and_slide(player, {0, 0}));
    world.step(1.0F / 60).value();
    const std::vector<std::byte> before = world.snapshot();
    const Vec2 motion{random.between(-4, 4), random.between(-2, 2)};
    bool is_over = false;
    for (std::size_t last = 0; !is_over; ++last) {
      for (const bool removes : {false, true}) {
        World one;
        one.restore(before).value();
        const BodyId body = one.bodies().front();
        const std::uint64_t hash = one.hash();
        std::size_t asked = 0;
        const SlideOptions options{.respond = [&](const Obstacle&) {
          if (asked++ != last) {
            return SlideResponse::slide;
          }
          if (removes) {
            one.remove(body).value();
            return SlideResponse::slide;
          }
          return static_cast<SlideResponse>(77);
        }};
        const auto result = one.move_and_slide(body, motion, options);
        is_over = asked <= last;
        if (is_over) {
          EXPECT_TRUE(result.has_value()) << result.error().message;
          continue;
        }
        ASSERT_EQ(asked, last + 1);
        ++refused;
        ASSERT_EQ(result.error().code, removes ? ErrorCode::stale_id : ErrorCode::invalid_argument);
        EXPECT_TRUE(removes || one.hash() == hash);
        EXPECT_EQ(one.contains(body), !removes);
      }
    }
  }
  EXPECT_GT(refused, 100U);
}

TEST(MoveAndSlide, may_remove_the_bodies_that_it_hits) {
  World world;
  std::vector<BodyId> coins;
  for (int i = 0; i < 5; ++i) {
    coins.push_back(
        world.add({.shape = unit_box, .type = BodyType::static_body, .position = {3, 0}}).value());
  }
  const BodyId player = add_player(world, unit_box, {0, 0});
  const SlideOptions take{.respond = [&](const Obstacle& obstacle) {
    EXPECT_TRUE(world.contains(obstacle.body));
    for (const BodyId coin : {obstacle.body, coins[2], coins[4]}) {
      EXPECT_TRUE(!world.contains(coin) || world.remove(coin).has_value());
    }
    return SlideResponse::cross;
  }};
  const SlideResult result = world.move_and_slide(player, {10, 0}, take).value();
  EXPECT_EQ(result.position, (Vec2{10, 0}));
  EXPECT_EQ(result.hits.size(), 3U);
  EXPECT_EQ(world.size(), 1U);

  add_tile(world, {12, 0});
  const SlideOptions leave{.respond = [&](const Obstacle&) {
    EXPECT_TRUE(!world.contains(player) || world.remove(player).has_value());
    return SlideResponse::slide;
  }};
  EXPECT_EQ(world.move_and_slide(player, {10, 0}, leave).error().code, ErrorCode::stale_id);
}

TEST(MoveAndSlide, accepts_motions_up_to_the_limits_of_float) {
  constexpr float most = std::numeric_limits<float>::max();
  constexpr float least = std::numeric_limits<float>::denorm_min();
  for (const float size : {least, 1e-30F, 1e-20F, 1e19F, 1e30F, 0.99F * most}) {
    for (const SlideResponse response : {SlideResponse::slide, SlideResponse::bounce, SlideResponse::touch}) {
      World world;
      add_tile(world, {1, 0});
      const BodyId player = add_player(world, unit_box, {0, 0});
      const SlideOptions options{.respond = [=](const Obstacle&) { return response; }};
      const auto result = world.move_and_slide(player, {size, size}, options);
      ASSERT_TRUE(result.has_value()) << size;
      EXPECT_TRUE(is_finite(result->position) && is_finite(result->remaining));
      EXPECT_TRUE(response != SlideResponse::slide || size > 1e30F || result->position.x < 0.01F) << size;
    }
  }
}

TEST(MoveAndSlide, a_body_inside_another_at_the_limit_of_float_stays_there) {
  constexpr float most = std::numeric_limits<float>::max();
  World world;
  world.add({.shape = Circle{.radius = most}, .type = BodyType::static_body, .position = {0.5F * most, 0}})
      .value();
  const BodyId player = add_player(world, Circle{.radius = 1}, {most, 0});
  const auto result = world.move_and_slide(player, {-1, 0});
  EXPECT_TRUE(result.has_value() && is_finite(result->position));
}

// The body is pushed out if the end position is within the range of float; otherwise it stays.
TEST(MoveAndSlide, a_body_inside_another_near_the_limit_of_float_is_pushed_out_if_there_is_space) {
  constexpr float most = std::numeric_limits<float>::max();
  const float ulp = most - std::nextafter(most, 0.0F);
  for (const Vec2 axis : {Vec2{1, 0}, Vec2{-1, 0}, Vec2{0, 1}, Vec2{0, -1}}) {
    for (const float depth : {32.0F, 100.0F, 1000.0F}) {
      for (int beyond = -200; beyond < 32; beyond += std::abs(beyond) <= 4 ? 1 : 7) {
        World world;
        const auto box = [ulp](float half) { return Box::of_half_size({half * ulp, half * ulp}); };
        const float half = 4096.0F;
        // Position of the player when the two just touch: `beyond` ulps past the largest float.
        const float player_at = depth - static_cast<float>(beyond);  // before the largest, in ulps
        const float wall_at = player_at + 2.0F * half - depth;
        world
            .add({.shape = box(half),
                  .type = BodyType::static_body,
                  .position = (most - wall_at * ulp) * axis})
            .value();
        const Vec2 start = (most - player_at * ulp) * axis;
        const BodyId player = add_player(world, box(half), start);
        const auto result = world.move_and_slide(player, {}).value();
        const float gone = dot((1.0F / ulp) * (result.position - start), axis);
        if (beyond > 0) {
          EXPECT_EQ(gone, 0.0F) << depth << " " << beyond;
        } else {
          EXPECT_GE(gone, depth) << depth << " " << beyond;
        }
      }
    }
  }
}

TEST(MoveAndSlide, accepts_a_body_wider_than_the_largest_float) {
  constexpr float most = std::numeric_limits<float>::max();
  World world;
  world.add({.shape = unit_box, .type = BodyType::static_body}).value();
  const BodyId player = add_player(world, Box::of_half_size({0.75F * most, 0.75F * most}), {0, 0});
  const auto result = world.move_and_slide(player, {1, 0}, {.up = {0, 1}});
  EXPECT_TRUE(result.has_value() && is_finite(result->position));
}

TEST(FixedStep, makes_all_steps_without_a_limit) {
  FixedStep clock = FixedStep::create(0.25F, std::numeric_limits<std::size_t>::max()).value();
  EXPECT_EQ(clock.advance(10.0, [](float) {}), 40U);
}

TEST(FixedStep, makes_steps_of_frames) {
  FixedStep clock = FixedStep::create(0.01F, 4).value();
  std::size_t steps = 0;
  const auto count = [&](float seconds) {
    EXPECT_EQ(seconds, 0.01F);
    ++steps;
  };
  EXPECT_EQ(clock.advance(0.025, count), 2U);
  EXPECT_NEAR(clock.alpha(), 0.5F, 1e-4F);
  EXPECT_EQ(clock.advance(0.005, count), 1U);
  EXPECT_EQ(clock.advance(100.0, count), 4U);
  EXPECT_LE(clock.alpha(), 1.0F);
  EXPECT_EQ(clock.advance(-1.0, count) + clock.advance(std::nan(""), count), 1U);
  EXPECT_EQ(steps, 8U);
}

}  // namespace
}  // namespace broadside::move_and_slide_test
