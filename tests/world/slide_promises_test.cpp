// The guarantees of `World::move_and_slide`, on random scenes: shapes, sizes, skins, speeds, four directions
// of `up`, and origins up to 1e7 along both axes and with both signs.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "boxes.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/world/recording.hpp"
#include "broadside/world/world.hpp"
#include "damages.hpp"
#include "world/worlds.hpp"

namespace broadside::test::slide_promises_test {
namespace {

/// A local coordinate system: x to the right, y up.
struct Place {
  Vec2 origin;
  Vec2 up;
  float size;  ///< of a tile and of the player

  [[nodiscard]] Vec2 direction(float x, float y) const {
    return (x * size) * Vec2{up.y, -up.x} + (y * size) * up;
  }
  [[nodiscard]] Vec2 operator()(float x, float y) const { return origin + direction(x, y); }
  [[nodiscard]] Shape box(float width, float height) const {
    const Vec2 half = direction(0.5F * width, 0.5F * height);
    return Box::of_half_size({std::abs(half.x), std::abs(half.y)});
  }
};

Place draw_place(Random& random, float most = 1e7F) {
  constexpr std::array ups{Vec2{0, 1}, Vec2{0, -1}, Vec2{1, 0}, Vec2{-1, 0}};
  constexpr std::array distances{0.0F, 100.0F, 1e4F, 3e5F, 1e6F, 1e7F};
  Place place{};
  place.up = ups[random.below(4)];
  const auto coordinate = [&] {
    const float distance = std::min(distances[random.below(6)], most);
    const float sign = random.below(2) == 0 ? -1.0F : 1.0F;
    return sign * 64.0F * std::floor(distance / 64.0F);
  };
  place.origin.x = coordinate();
  place.origin.y = coordinate();
  const float far = std::max(std::abs(place.origin.x), std::abs(place.origin.y));
  place.size = far > 2e6F ? 64.0F : far > 2e4F ? 16.0F : random.below(2) == 0 ? 1.0F : 16.0F;
  return place;
}

/// Returns a player for the scene: about `width` wide and 1 high, in units of the size.
Shape draw_player(Random& random, const Place& place, float width) {
  const float radius = 0.5F * width * place.size;
  switch (random.below(3)) {
    case 0:
      return place.box(width, 1);
    case 1:
      return Circle{.radius = radius};
    default: {
      const Vec2 end = (0.5F * place.size - 0.5F * radius) * place.up;
      return width == 1.0F ? Shape(Circle{.radius = radius})
                           : Shape(Capsule{.a = -end, .b = end, .radius = 0.5F * radius});
    }
  }
}

/// Returns a rotated shape, or one that is not convex.
Shape draw_obstacle(Random& random, const Place& place) {
  const Vec2 a = place.direction(-0.3F, -0.2F);
  const Vec2 b = place.direction(0.4F, 0.1F);
  switch (random.below(4)) {
    case 0:
      return Capsule{.a = a, .b = b, .radius = 0.1F * place.size};
    case 1:
      return Segment{.a = a, .b = b};
    case 2:
      return Box::of_half_size({0.3F * place.size, 0.2F * place.size}, {}, Rotation::by(0.5F));
    default: {
      constexpr std::array<std::string_view, 3> rows{"#..#", "##.#", "####"};
      return Mask::from_rows(rows, {.pixel_size = 0.25F * place.size, .origin = {}}).value();
    }
  }
}

float half_height(const Shape& shape, Vec2 up) {
  const Aabb box = bounds(shape, {});
  return std::max(dot(box.max, up), dot(box.min, up));
}

double ulp_of(const World& world, BodyId body) {
  const Aabb box = world.bounds(body).value();
  const float largest =
      std::max({std::abs(box.min.x), std::abs(box.min.y), std::abs(box.max.x), std::abs(box.max.y)});
  return static_cast<double>(std::nextafter(largest, std::numeric_limits<float>::infinity())) -
         static_cast<double>(largest);
}

/// Returns the depth of the body in the others (unit: ulp).
double overlap(const World& world, BodyId body, std::optional<BodyId> except = {}) {
  double deepest = 0.0;
  for (const BodyId other : world.bodies()) {
    if (other == body || other == except) {
      continue;
    }
    const Manifold manifold = collide(world.shapes(body).value()[0], world.transform(body).value(),
                                      world.shapes(other).value()[0], world.transform(other).value());
    for (const ManifoldPoint& point : manifold.in_use()) {
      deepest = std::max(deepest, -static_cast<double>(point.separation));
    }
  }
  return deepest / ulp_of(world, body);
}

BodyId add(World& world, const Shape& shape, Vec2 at, BodyType type = BodyType::static_body,
           std::string tag = "") {
  return world.add({.shape = shape, .type = type, .position = at, .tag = std::move(tag)}).value();
}

/// Adds tiles side by side along x, from `first` on.
void add_tiles_in_any_order(World& world, const Place& place, int first, std::size_t count, Random& random) {
  std::vector<int> tiles(count);
  std::iota(tiles.begin(), tiles.end(), first);
  shuffle(tiles, random);
  for (const int x : tiles) {
    add(world, place.box(1, 1), place(static_cast<float>(x), 0));
  }
}

std::string text(const Place& place, const Shape& shape, int round) {
  return "round " + std::to_string(round) + ": a " + std::string(name(shape)) + " of " +
         std::to_string(place.size) + " at " + std::to_string(place.origin.x) + ", " +
         std::to_string(place.origin.y) + ", up " + std::to_string(place.up.x) + ", " +
         std::to_string(place.up.y);
}

TEST(SlidePromises, walks_over_flush_tiles_as_far_as_wanted) {
  Random random(1);
  for (int round = 0; round < 150; ++round) {
    const Place place = draw_place(random);
    World world;
    add_tiles_in_any_order(world, place, 0, 40, random);
    const Shape shape = draw_player(random, place, 0.875F);
    const float height = random.between(0, 0.5F);
    const BodyId player = add(
        world, shape, place(2, 0.5F) + (half_height(shape, place.up) * place.up) + place.direction(0, height),
        BodyType::dynamic);
    const bool falls = random.below(2) == 0;
    SlideOptions options{.up = place.up};
    options.skin = random.below(2) == 0 ? 0.0F : random.between(1e-5F, 0.01F) * place.size;
    EXPECT_TRUE(world.move_and_slide(player, place.direction(0, -1), options)->ground.has_value());
    const float speed = std::array{0.005F, 0.03F, 0.2F, 1.3F}[random.below(4)];
    const int steps = static_cast<int>(std::min(200.0F, 30.0F / speed));
    const Vec2 before = world.position(player).value();
    for (int step = 0; step < steps; ++step) {
      const auto result =
          world.move_and_slide(player, place.direction(speed, falls ? -0.1F : 0.0F), options).value();
      ASSERT_TRUE(result.ground.has_value()) << text(place, shape, round) << " step " << step;
      ASSERT_LE(overlap(world, player), 2.0) << text(place, shape, round);
      world.step(0).value();
      ASSERT_TRUE(world.touching(player, result.ground->body).value()) << text(place, shape, round);
    }
    const Vec2 walked = world.position(player).value() - before;
    const float wanted = static_cast<float>(steps) * speed * place.size;
    ASSERT_NEAR(dot(walked, {place.up.y, -place.up.x}), wanted,
                std::max(0.01F * wanted, static_cast<float>(ulp_of(world, player))))
        << text(place, shape, round) << " speed " << speed << " skin " << options.skin;
  }
}

// Falls onto the floor, or is pushed along a wall in a world without up, at slants where it meets the seams
// of tiles and their tops at one distance. The tiles are in any order.
TEST(SlidePromises, falls_onto_flush_tiles_and_gets_as_far_as_wanted) {
  Random random(2912);
  for (int round = 0; round < 400; ++round) {
    const Place place = draw_place(random);
    World world;
    add_tiles_in_any_order(world, place, -3, 46, random);
    const Shape shape = draw_player(random, place, 0.25F * static_cast<float>(1 + random.below(4)));
    const auto drawn = [&](float least, float most) {
      const bool is_even = random.below(2) == 0;
      const float any = random.between(least, most);
      return is_even ? std::max(least, std::round(20.0F * any) / 20.0F) : any;
    };
    const float speed = drawn(0.05F, 1.0F);
    const float fall = speed * drawn(0.05F, 4.0F);
    const float height = drawn(0.05F, 2.0F);
    // Most land where their right side meets a seam.
    const Vec2 right{place.up.y, -place.up.x};
    const float to_seam = 3.5F - half_height(shape, right) / place.size - height * speed / fall;
    const float close = random.below(2) == 0 ? random.between(-0.003F, 0.003F) : 0.0F;
    const float x = random.below(4) == 0 ? drawn(-1.0F, 1.0F) : to_seam - std::floor(to_seam) + close;
    const BodyId player = add(world, shape, place(x, 0.5F + height) + half_height(shape, place.up) * place.up,
                              BodyType::kinematic);
    const SlideOptions options{.up = random.below(3) == 0 ? Vec2{} : place.up};
    const int steps = static_cast<int>(36.0F / speed);
    const Vec2 before = world.position(player).value();
    for (int step = 0; step < steps; ++step) {
      world.move_and_slide(player, place.direction(speed, -fall), options).value();
      world.step(0).value();
    }
    const Vec2 walked = world.position(player).value() - before;
    const float wanted = static_cast<float>(steps) * speed * place.size;
    ASSERT_NEAR(dot(walked, right), wanted,
                std::max(0.01F * wanted, static_cast<float>(ulp_of(world, player))))
        << text(place, shape, round) << " speed " << speed << " fall " << fall;
  }
}

TEST(SlidePromises, platforms_carry_the_bodies_on_them) {
  Random random(2);
  for (int round = 0; round < 400; ++round) {
    const Place place = draw_place(random, 1e6F);
    World world;
    const bool one_way = random.below(2) == 0;
    const bool is_driven = random.below(2) == 0;  // by a velocity, in `step`
    const float rise = std::array{0.0F, 1.0F, -1.0F}[random.below(3)];
    const float side = std::array{0.0F, 1.0F, -1.0F}[random.below(3)];
    const float way = std::array{0.005F, 0.05F, 0.5F, 2.0F}[random.below(4)];
    const Vec2 motion = place.direction(side * way, rise * way);
    // Three bodies in a row that move together.
    std::vector<BodyId> platform;
    for (int i = -1; i <= 1; ++i) {
      platform.push_back(add(world, place.box(2, 0.25F), place(2.0F * static_cast<float>(i), -0.125F),
                             BodyType::kinematic, "platform"));
      if (is_driven) {
        world.set_velocity(platform.back(), 64.0F * motion).value();
      }
    }
    const Shape shape = draw_player(random, place, 0.875F);
    const float offset = random.between(-1.5F, 1.5F);
    const BodyId player = add(world, shape, place(offset, 0.01F) + half_height(shape, place.up) * place.up,
                              BodyType::dynamic, "player");
    std::size_t told = 0;
    world.on_contact("player", "platform", [&](const BodyContact&) { ++told; });
    SlideOptions options{.up = place.up};
    if (one_way) {
      options.respond = [&](const Obstacle& obstacle) { return one_way_response(obstacle, place.up); };
    }
    const bool falls = random.below(2) == 0;
    const auto slide = [&] {
      return world.move_and_slide(player, place.direction(0, falls ? -0.05F : 0.0F), options).value();
    };
    const auto move = [&] {
      for (const BodyId part : is_driven ? std::vector<BodyId>() : platform) {
        world.move(part, world.position(part).value() + motion).value();
      }
    };
    const auto first = world.move_and_slide(player, place.direction(0, -0.05F), options).value();
    ASSERT_TRUE(first.ground.has_value()) << text(place, shape, round);
    // Pieces at different coordinates round differently: measure from the piece that the player stands on.
    BodyId stood_on = first.ground->body;
    const auto between = [&] { return world.position(player).value() - world.position(stood_on).value(); };
    Vec2 before = between();
    const std::uint32_t order = random.below(3);
    const std::string what = text(place, shape, round) + (one_way ? ", one-way" : ", solid") +
                             (is_driven ? ", driven" : ", moved") + ", order " + std::to_string(order) +
                             ", by " + std::to_string(side * way) + ", " + std::to_string(rise * way);
    for (int frame = 0; frame < 200; ++frame) {
      std::optional<SlideResult> result;
      Vec2 after;
      Vec2 next;
      const auto go = [&] {
        result = slide();
        after = between();
        stood_on = result->ground ? result->ground->body : stood_on;
        next = between();
      };
      told = 0;
      if (order == 0) {
        move();
        go();
        world.step(1.0F / 64).value();
      } else if (order == 1) {
        go();
        world.step(1.0F / 64).value();
        move();
      } else {
        world.step(1.0F / 64).value();
        move();
        go();
      }
      ASSERT_TRUE(result->ground.has_value()) << what << " frame " << frame;
      ASSERT_NE(std::find(platform.begin(), platform.end(), result->ground->body), platform.end());
      ASSERT_GE(told, 1U) << what << " frame " << frame;
      const double ulp = ulp_of(world, player);
      ASSERT_NEAR(dot(after - before, place.up), 0.0, 3.0 * ulp) << what << " frame " << frame;
      ASSERT_NEAR(dot(after - before, {place.up.y, -place.up.x}), 0.0, 2.0 * ulp)
          << what << " frame " << frame;
      before = next;
    }
  }
}

// In a shaft of exactly its width, a body touches the walls. The walls may be thin and the ground may move
// far in a step, but static walls do not count as pieces of the moving ground.
TEST(SlidePromises, platforms_carry_nothing_through_static_walls) {
  Random random(9);
  for (int round = 0; round < 200; ++round) {
    const Place place = draw_place(random, 1e6F);
    World world;
    const float thick = std::array{0.0625F, 0.125F, 1.0F}[random.below(3)];
    for (const float x : {-0.5F - 0.5F * thick, 0.5F + 0.5F * thick}) {
      add(world, place.box(thick, 6), place(x, 3.25F));
    }
    const BodyId platform = add(world, place.box(60, 0.25F), place(0, -0.125F), BodyType::kinematic);
    const Shape shape = draw_player(random, place, 1);
    const BodyId player =
        add(world, shape, place(0, 0) + half_height(shape, place.up) * place.up, BodyType::dynamic);
    const SlideOptions options{.up = place.up};
    const auto slide = [&] {
      return world.move_and_slide(player, place.direction(0, -0.05F), options).value();
    };
    ASSERT_TRUE(slide().ground.has_value()) << text(place, shape, round);
    for (int frame = 0; frame < 10; ++frame) {
      const float way = std::array{0.05F, 1.0F, 1.25F, 2.0F, 7.0F}[random.below(5)];
      const float side = random.below(2) == 0 ? way : -way;
      world.move(platform, world.position(platform).value() + place.direction(side, 0)).value();
      const SlideResult result = slide();
      const Vec2 inside = result.position - place.origin;
      ASSERT_LE(std::abs(dot(inside, {place.up.y, -place.up.x})), 0.01F * place.size)
          << text(place, shape, round) << ", walls of " << thick << ", frame " << frame << " by " << side;
      ASSERT_TRUE(result.ground.has_value()) << text(place, shape, round) << " frame " << frame;
      world.move(platform, place(0, -0.125F)).value();
      static_cast<void>(slide());
    }
  }
}

// A body beside or above a surface at any angle, at a gap below or a little above the skin; it does not move,
// or moves along the surface.
TEST(SlidePromises, ground_carries_the_body_and_is_neither_a_wall_nor_bounced_off) {
  Random random(10);
  std::size_t stands = 0;
  for (int round = 0; round < 2000; ++round) {
    const Place place = draw_place(random, 100.0F);
    const float angle = random.between(-1.5F, 1.5F);
    const bool is_ground = std::abs(angle) < 1.04F;  // 60 degrees are 1.0472
    if (std::abs(std::abs(angle) - 1.0472F) < 0.01F) {
      continue;
    }
    const Rotation turn = Rotation::by(angle);
    const Vec2 out = place.direction(turn.sin, turn.cos);  // outward from the surface; its length is the size
    const Vec2 along = place.direction(turn.cos, -turn.sin);
    World world;
    const std::array corners{-4.0F * along, 4.0F * along, 4.0F * along - 3.0F * out,
                             -4.0F * along - 3.0F * out};
    const BodyId ground = add(world, Polygon::hull(corners).value(), place.origin);
    const float skin = 0.01F;
    const float gap = random.between(0.1F, 1.9F) * skin * (is_ground ? turn.cos : 1.0F);
    const BodyId player =
        add(world, Circle{.radius = 0.5F * place.size}, place.origin + (0.5F + gap) * out, BodyType::dynamic);
    const SlideResponse response = std::array{SlideResponse::slide, SlideResponse::bounce,
                                              SlideResponse::cross, SlideResponse::touch}[random.below(4)];
    SlideOptions options{.skin = skin * place.size, .up = place.up};
    options.respond = [&](const Obstacle&) { return response; };
    const Vec2 motion = std::array{Vec2{}, 0.01F * along, -0.01F * along}[random.below(3)];
    // Without a motion the body finds the ground; with one, it may rise beyond the reach of the ground probe.
    const SlideResult result = world.move_and_slide(player, motion, options).value();
    const bool may_stand =
        is_ground && (response == SlideResponse::slide || response == SlideResponse::touch);
    const std::string what = text(place, Circle{}, round) + ", angle " + std::to_string(angle) + ", gap " +
                             std::to_string(gap) + ", answer " + std::to_string(static_cast<int>(response));
    ASSERT_TRUE(may_stand || !result.ground.has_value()) << what;
    if (may_stand && motion == Vec2{}) {
      ASSERT_TRUE(result.ground.has_value()) << what;
      EXPECT_EQ(result.ground->body, ground);
      ++stands;
    }
    if (!is_ground && response == SlideResponse::slide) {
      const float left = dot(result.position - place.origin, out) / (place.size * place.size) - 0.5F;
      EXPECT_GE(left, 0.9F * std::min(gap, skin)) << what;  // it does not snap down to a wall
    }
  }
  EXPECT_GT(stands, 100U);
}

// Points and lines have no thickness: at most places no float position lets them touch. The body still stops
// next to its ground, and does not pass through it.
TEST(SlidePromises, a_body_without_thickness_stops_next_to_ground_without_thickness) {
  Random random(77);
  int stands = 0;
  for (int round = 0; round < 2000; ++round) {
    const float far = random.below(3) == 0 ? 0.0F : std::ldexp(1.0F, static_cast<int>(random.below(20)));
    const Vec2 origin{far + random.between(-1, 1), -far + random.between(-1, 1)};
    const auto thin = [&]() -> Shape {
      const float slope = random.between(-0.4F, 0.4F);
      return random.below(3) == 0 ? Shape(Circle{}) : Shape(Segment{{-2, -2 * slope}, {2, 2 * slope}});
    };
    World world;
    const Shape body_shape = thin();
    const Shape ground_shape = thin();
    const BodyId ground =
        world.add({.shape = ground_shape, .type = BodyType::static_body, .position = origin}).value();
    const BodyId player = world.add({.shape = body_shape, .position = origin + Vec2{0.25F, 2}}).value();
    const auto result = world.move_and_slide(player, {0, -4}, {.up = {0, 1}}).value();
    if (!result.ground) {
      continue;
    }
    ++stands;
    const float ulp = std::nextafter(4.0F + far, 2.0e9F) - (4.0F + far);
    const Distance apart =
        distance(body_shape, world.transform(player).value(), ground_shape, world.transform(ground).value());
    ASSERT_LE(apart.distance, 2.0F * ulp) << round << ", at " << origin.x << " " << origin.y;
  }
  EXPECT_GT(stands, 300);
}

// `respond` is called again for the ground of a falling body only if the body bounced off it.
TEST(SlidePromises, respond_is_called_again_for_the_ground_of_a_fall_only_after_a_bounce) {
  constexpr std::array responses{SlideResponse::slide, SlideResponse::bounce, SlideResponse::cross,
                                 SlideResponse::touch};
  Random random(12);
  for (int round = 0; round < 300; ++round) {
    const Place place = draw_place(random, 1e6F);
    const SlideResponse first = responses[random.below(4)];
    const SlideResponse second = responses[random.below(4)];
    World world;
    const BodyId ground = add(world, place.box(4, 1), place(0, -0.5F));
    const Shape shape = draw_player(random, place, 0.875F);
    const BodyId player = add(world, shape, place(0, 0.5F + random.between(0.1F, 1.0F)));
    int asked = 0;
    const auto respond = [&](const Obstacle& met) {
      EXPECT_EQ(met.body, ground);
      return asked++ == 0 ? first : second;
    };
    const SlideOptions options{.respond = respond, .max_hits = 1, .up = place.up};
    const SlideResult result = world.move_and_slide(player, place.direction(0, -1.5F), options).value();
    const std::string what = text(place, shape, round) + ", answers " +
                             std::to_string(static_cast<int>(first)) + " and " +
                             std::to_string(static_cast<int>(second));
    ASSERT_EQ(asked, first == SlideResponse::bounce ? 2 : 1) << what;
    const SlideResponse last = result.hits.back().response;
    ASSERT_EQ(result.ground.has_value(), last == SlideResponse::slide || last == SlideResponse::touch)
        << what;
  }
}

// The answer for a wall does not count for the floor, whether both belong to one body or not.
TEST(SlidePromises, respond_is_called_separately_for_the_ground_below_a_wall) {
  Random random(13);
  for (int round = 0; round < 200; ++round) {
    const Place place = draw_place(random, 100.0F);
    const auto box_at = [&](Vec2 middle, Vec2 half) {
      const std::array corners{place.direction(middle.x - half.x, middle.y - half.y),
                               place.direction(middle.x + half.x, middle.y - half.y),
                               place.direction(middle.x + half.x, middle.y + half.y),
                               place.direction(middle.x - half.x, middle.y + half.y)};
      return Shape(Polygon::hull(corners).value());
    };
    const Shape floor = box_at({0, -0.5F}, {4, 0.5F});
    const Shape wall = box_at({2, 2}, {0.5F, 2});
    const bool is_one_body = random.below(2) == 0;
    World world;
    BodyDef level{.shape = floor, .type = BodyType::static_body, .position = place.origin};
    if (is_one_body) {
      level.more_shapes.push_back(wall);
    } else {
      add(world, wall, place.origin);
    }
    const BodyId ground = world.add(level).value();
    const Shape shape = draw_player(random, place, 0.875F);
    constexpr float skin = 0.01F;
    const BodyId player =
        add(world, shape, place(0, half_height(shape, place.up) / place.size + 1.5F * skin));
    const bool is_floor_crossed = random.below(2) == 0;
    const auto respond = [&](const Obstacle& met) {
      return is_floor_crossed && dot(met.normal, place.up) > 0.5F ? SlideResponse::cross
                                                                  : SlideResponse::slide;
    };
    const SlideOptions options{.respond = respond, .skin = skin * place.size, .up = place.up};
    const SlideResult result = world.move_and_slide(player, place.direction(3, 0), options).value();
    ASSERT_EQ(result.hits.size(), 2U) << text(place, shape, round) << ", one body " << is_one_body;
    EXPECT_EQ(result.hits[1].obstacle.body, ground);
    EXPECT_GT(dot(result.hits[1].obstacle.normal, place.up), 0.5F);
    ASSERT_EQ(result.ground.has_value(), !is_floor_crossed) << text(place, shape, round);
  }
}

TEST(SlidePromises, respond_is_called_separately_for_each_tile_of_a_floor) {
  Random random(15);
  for (int round = 0; round < 100; ++round) {
    const Place place = draw_place(random, 1e6F);
    World world;
    const BodyId before = add(world, place.box(4, 1), place(-2, -0.5F));
    const BodyId last = add(world, place.box(4, 1), place(2, -0.5F));
    const Shape shape = draw_player(random, place, 0.875F);
    const BodyId player = add(world, shape, place(-1.5F, 0.5F + random.between(0.1F, 0.3F)));
    const bool is_last_crossed = random.below(2) == 0;
    const auto respond = [&](const Obstacle& met) {
      return is_last_crossed && met.body == last ? SlideResponse::cross : SlideResponse::slide;
    };
    const SlideOptions options{.respond = respond, .up = place.up};
    const SlideResult result = world.move_and_slide(player, place.direction(3, -3), options).value();
    ASSERT_EQ(result.hits.size(), 2U) << text(place, shape, round);
    EXPECT_EQ(result.hits[0].obstacle.body, before);
    EXPECT_EQ(result.hits[1].obstacle.body, last);
    EXPECT_EQ(result.ground.has_value(), !is_last_crossed) << text(place, shape, round);
  }
}

// A body that just touches a wall or a ceiling is moved away by the skin, even without a motion; a body that
// crosses the obstacle stays at its place.
TEST(SlidePromises, a_body_that_just_touches_a_wall_is_moved_away_by_the_skin) {
  Random random(14);
  for (int round = 0; round < 300; ++round) {
    const Place place = draw_place(random, 100.0F);
    constexpr std::array sides{Vec2{1, 0}, Vec2{-1, 0}, Vec2{0, 1}};
    const Vec2 side = sides[random.below(3)];
    World world;
    add(world, place.box(1, 1), place(side.x, side.y));
    const Shape shape = random.below(2) == 0 ? place.box(1, 1) : Shape(Circle{.radius = 0.5F * place.size});
    const BodyId player = add(world, shape, place.origin, BodyType::dynamic);
    const SlideResponse response = std::array{SlideResponse::slide, SlideResponse::bounce,
                                              SlideResponse::cross, SlideResponse::touch}[random.below(4)];
    const float skin = random.between(0.001F, 0.05F) * place.size;
    const auto respond = [&](const Obstacle&) { return response; };
    const SlideResult result =
        world.move_and_slide(player, {}, {.respond = respond, .skin = skin, .up = place.up}).value();
    const float gap = dot(place.origin - result.position, place.direction(side.x, side.y)) / place.size;
    const float wanted = response == SlideResponse::cross ? 0.0F : skin;
    EXPECT_NEAR(gap, wanted, 4.0 * ulp_of(world, player)) << text(place, shape, round) << ", skin " << skin;
    EXPECT_EQ(result.hits.size(), 1U) << text(place, shape, round);
    EXPECT_FALSE(result.ground.has_value());
  }
}

// The ground that a slide found since the last step is a contact of the step, for all types and even if the
// ground moves before detection. Without a slide, contacts follow from shapes and types alone.
TEST(SlidePromises, contacts_with_the_ground_reach_listeners) {
  constexpr std::array types{BodyType::static_body, BodyType::kinematic, BodyType::dynamic};
  Random random(7);
  for (int round = 0; round < 400; ++round) {
    const Place place = draw_place(random, 1e6F);
    WorldOptions options{.order =
                             std::array{StepOrder::detect_first, StepOrder::motion_first}[random.below(2)]};
    if (random.below(2) == 0) {
      options.interest = Interest::listeners;
    }
    World world = World::create(options).value();
    const auto all = techniques();
    world.set_technique(all[random.below(static_cast<std::uint32_t>(all.size()))].name).value();
    const BodyType type = types[1 + random.below(2)];
    const BodyType ground_type = types[random.below(3)];
    const BodyId ground = add(world, place.box(8, 0.25F), place(0, -0.125F), ground_type, "ground");
    const Shape shape = draw_player(random, place, 0.875F);
    const BodyId player =
        add(world, shape, place(0, 0.01F) + half_height(shape, place.up) * place.up, type, "player");
    for (std::uint32_t i = random.below(2) * 60; i > 0; --i) {  // enough for steps that process changes only
      add(world, place.box(1, 1), place(static_cast<float>(2 * i), 20), BodyType::dynamic);
    }
    std::size_t begun = 0;
    std::size_t contacts = 0;
    std::vector<EndCause> ended;
    world.on_begin("player", "ground", [&](const BodyContact&) { ++begun; });
    world.on_contact("player", "ground", [&](const BodyContact&) { ++contacts; });
    world.on_end("player", "ground", [&](const ContactEnd& end) { ended.push_back(end.cause); });
    const std::string what =
        text(place, shape, round) + ", " + std::string(name(type)) + " on " + std::string(name(ground_type));
    bool touched = false;
    for (int frame = 0; frame < 12; ++frame) {
      const bool is_called = random.below(3) != 0;
      if (is_called) {
        const auto result = world.move_and_slide(player, place.direction(0, -4), {.up = place.up}).value();
        ASSERT_TRUE(result.ground.has_value()) << what;
      }
      if (random.below(2) == 0) {
        const float way = std::array{0.005F, 0.05F, 0.5F}[random.below(3)];
        const Vec2 motion = place.direction(way * std::array{0.0F, 1.0F, -1.0F}[random.below(3)],
                                            -way * static_cast<float>(random.below(2)));
        if (random.below(2) == 0 && ground_type != BodyType::static_body) {
          world.set_velocity(ground, 64.0F * motion).value();
        } else {
          world.move(ground, world.position(ground).value() + motion).value();
        }
      }
      if (random.below(4) == 0) {
        World other;
        other.restore(world.snapshot()).value();
        ASSERT_EQ(other.hash(), world.hash()) << what;
      }
      begun = 0;
      contacts = 0;
      ended.clear();
      world.step(1.0F / 64).value();
      world.set_velocity(player, {}).value();
      if (ground_type != BodyType::static_body) {
        world.set_velocity(ground, {}).value();
      }
      bool touches = is_called;
      if (!is_called && can_touch(type, ground_type)) {
        // In the order `detect_first`, the ground may have moved since.
        touches = world.touching(player, ground).value();
      }
      ASSERT_EQ(contacts, touches ? 1U : 0U) << what << " frame " << frame;
      ASSERT_EQ(world.touching(player, ground).value(), touches) << what << " frame " << frame;
      ASSERT_EQ(begun, touches && !touched ? 1U : 0U) << what << " frame " << frame;
      ASSERT_EQ(ended.size(), touched && !touches ? 1U : 0U) << what << " frame " << frame;
      if (!ended.empty()) {
        ASSERT_EQ(ended.front(), EndCause::parted) << what << " frame " << frame;
      }
      if (touches && !can_touch(type, ground_type)) {
        ASSERT_NE(world.why(player, ground).find("move_and_slide"), std::string::npos);
      }
      touched = touches;
    }
  }
}

TEST(SlidePromises, one_way_platforms_are_passed_from_below) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const Place place = draw_place(random, 1e6F);
    World world;
    const BodyId platform = add(world, place.box(4, 0.25F), place(0, -0.125F), BodyType::kinematic);
    const Shape shape = draw_player(random, place, 0.875F);
    const BodyId player = add(world, shape, place(0, -2));
    const SlideOptions options{
        .respond = [&](const Obstacle& obstacle) { return one_way_response(obstacle, place.up); },
        .up = place.up};
    const float drift = std::array{0.0F, 0.005F, -0.005F, 0.05F, -0.05F}[random.below(5)];
    float speed = 0.4F;
    bool was_above = false;
    for (int step = 0; step < 120; ++step) {
      world.move(platform, world.position(platform).value() + place.direction(0, drift)).value();
      speed -= 0.01F;
      const auto result = world.move_and_slide(player, place.direction(0, speed), options).value();
      const Vec2 between = world.position(player).value() - world.position(platform).value();
      was_above = was_above || dot(between, place.up) > 1.0F * place.size;
      speed = result.ground ? 0.0F : speed;
      ASSERT_TRUE(was_above || !result.ground) << text(place, shape, round) << " step " << step;
    }
    EXPECT_TRUE(was_above) << text(place, shape, round) << " drift " << drift;
    const auto result = world.move_and_slide(player, {}, options).value();
    EXPECT_TRUE(result.ground.has_value()) << text(place, shape, round) << " drift " << drift;
  }
}

TEST(SlidePromises, gaps_exactly_as_wide_are_entered) {
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    const Place place = draw_place(random);
    World world;
    for (int i = 1; i < 6; ++i) {  // walls of tiles, a gap of 1 between, and a floor
      add(world, place.box(1, 1), place(-1, -static_cast<float>(i)));
      add(world, place.box(1, 1), place(1, -static_cast<float>(i)));
    }
    add(world, place.box(3, 1), place(0, -6));
    const bool along_wall = random.below(2) == 0;
    if (along_wall) {  // flush with the wall of the gap
      add(world, place.box(1, 4), place(-1, 1.5F));
    }
    const Shape shape = draw_player(random, place, 1);
    const BodyId player = add(world, shape, place(along_wall ? 0.25F : 0.0F, 1));
    SlideOptions options{};
    if (random.below(2) == 0) {
      options.up = place.up;
    }
    if (random.below(2) == 0) {
      options.skin = random.between(1e-5F, 0.01F) * place.size;
    }
    if (along_wall) {
      static_cast<void>(world.move_and_slide(player, place.direction(-1, 0), options).value());
    }
    const float speed = std::array{0.05F, 0.4F, 3.0F}[random.below(3)];
    for (int step = 0; step < 200; ++step) {
      static_cast<void>(world.move_and_slide(player, place.direction(0, -speed), options).value());
      ASSERT_LE(overlap(world, player), 2.0) << text(place, shape, round) << " step " << step;
    }
    EXPECT_LT(dot(world.position(player).value() - place.origin, place.up), -4.5F * place.size)
        << text(place, shape, round) << " along wall " << along_wall << " speed " << speed << " skin "
        << options.skin;
  }
}

TEST(SlidePromises, closed_rooms_are_never_left) {
  Random random(5);
  for (int round = 0; round < 60; ++round) {
    const Place place = draw_place(random, 1e6F);
    World world;
    for (int i = -4; i <= 4; ++i) {
      const auto along = static_cast<float>(i);
      for (const auto& [x, y] : {std::pair{along, -4.0F}, {along, 4.0F}, {-4.0F, along}, {4.0F, along}}) {
        add(world, place.box(1, 1), place(x, y));
      }
    }
    for (int i = 0; i < 3; ++i) {
      const float x = random.between(-3, 3);
      const float y = random.between(1.5F, 3);
      add(world, draw_obstacle(random, place), place(x, y));
    }
    const Shape shape = draw_player(random, place, 0.875F);
    const BodyId player = add(world, shape, place(0, -1), BodyType::dynamic);
    const SlideOptions options{.up = random.below(2) == 0 ? place.up : Vec2{}};
    for (int step = 0; step < 300; ++step) {
      const float most = std::array{0.01F, 0.5F, 100.0F}[random.below(3)];
      const float x = random.between(-most, most);
      const float y = random.between(-most, most);
      const auto result = world.move_and_slide(player, place.direction(x, y), options).value();
      const Vec2 inside = result.position - place.origin;
      ASSERT_LT(std::max(std::abs(inside.x), std::abs(inside.y)), 3.5F * place.size)
          << text(place, shape, round) << " step " << step;
      ASSERT_LE(overlap(world, player), 2.0) << text(place, shape, round) << " step " << step;
    }
  }
}

TEST(SlidePromises, squeezed_bodies_end_between) {
  Random random(6);
  for (int round = 0; round < 100; ++round) {
    const Place place = draw_place(random, 1e6F);
    World world;
    add(world, place.box(4, 1), place(0, 2));
    const BodyId lift = add(world, place.box(4, 0.5F), place(0, -0.25F), BodyType::kinematic);
    const Shape shape = draw_player(random, place, 0.875F);
    const BodyId player = add(world, shape, place(0, 0.6F));
    const SlideOptions options{.up = place.up};
    const auto slide = [&] {
      return world.move_and_slide(player, place.direction(0, -0.05F), options).value();
    };
    static_cast<void>(slide());
    const float way = std::array{0.005F, 0.05F, 0.25F}[random.below(3)];
    const int steps = static_cast<int>(1.25F / way);
    for (const float sign : {1.0F, -1.0F}) {
      for (int step = 0; step < steps; ++step) {
        world.move(lift, world.position(lift).value() + place.direction(0, sign * way)).value();
        static_cast<void>(slide());
        const float height = dot(world.position(player).value() - place.origin, place.up);
        const float floor = dot(world.position(lift).value() - place.origin, place.up) + 0.25F * place.size;
        ASSERT_GT(height, floor) << text(place, shape, round) << " step " << step;
        ASSERT_LT(height, 1.5F * place.size) << text(place, shape, round) << " step " << step;
      }
    }
    EXPECT_LE(overlap(world, player), 2.0) << text(place, shape, round);
    EXPECT_TRUE(slide().ground.has_value()) << text(place, shape, round);
  }
}

TEST(SlidePromises, the_state_of_slides_is_part_of_snapshots_and_recordings) {
  const Place place{{1000, 0}, {0, 1}, 16};
  World world;
  Recording recording;
  const BodyId lift = add(world, place.box(4, 1), place(0, -0.5F), BodyType::kinematic);
  const BodyId ghost = add(world, place.box(1, 1), place(0, 0.5F));
  const BodyId player = add(world, place.box(0.875F, 1), place(0, 0.51F), BodyType::dynamic);
  const auto frame = [&](World& of) {
    const auto is = [&](BodyId body) {
      return
          [&of, body](const Obstacle& met) { return met.body.index == body.index && of.contains(met.body); };
    };
    const auto respond = [&](const Obstacle& met) {
      return is(ghost)(met) ? SlideResponse::cross : SlideResponse::slide;
    };
    const auto id = [&](BodyId body) { return BodyId{body.index, body.generation, of.number()}; };
    static_cast<void>(
        of.move_and_slide(id(player), {0.3F, -0.1F}, {.respond = respond, .up = {0, 1}}).value());
    of.move(id(lift), of.position(id(lift)).value() + Vec2{-0.1F, 0.7F}).value();
    of.step(0.01F).value();
  };
  frame(world);
  const std::uint64_t forgetful = world.hash();
  world.record(&recording).value();
  World copy;
  copy.restore(world.snapshot()).value();
  for (int i = 0; i < 20; ++i) {
    frame(world);
    frame(copy);
    ASSERT_EQ(world.hash(), copy.hash()) << i;
  }
  world.record(nullptr).value();
  World again;
  replay(recording, again, {}).value();
  EXPECT_EQ(again.hash(), world.hash());
  EXPECT_NE(forgetful, world.hash());
  world.remove(player).value();
  const auto one = world.snapshot();
  for (std::size_t at = 0; at < one.size(); ++at) {  // a damaged snapshot is refused, or can be restored
    auto damaged = one;
    damaged[at] ^= std::byte{0x55};
    renew_checksums(damaged);
    if (copy.restore(damaged).has_value()) {
      EXPECT_EQ(copy.snapshot(), damaged) << at;
    }
  }
}

// `Interest` applies to contacts only. From the 65th tag on, tags share bits.
TEST(SlidePromises, obstacles_do_not_depend_on_listeners) {
  for (const Interest interest : {Interest::all, Interest::listeners}) {
    for (const int tags : {1, 63, 64, 65, 200}) {
      for (const bool listens : {false, true}) {
        World world = World::create({.interest = interest}).value();
        for (int i = 0; i < tags; ++i) {
          world.add({.shape = Circle{.radius = 1}, .position = {0, 1000}, .tag = "tag " + std::to_string(i)})
              .value();
        }
        if (listens) {
          world.on_begin("player", "wall", [](const BodyContact&) {});
        }
        const BodyId player = world.add({.shape = Circle{.radius = 1}, .tag = "player"}).value();
        world
            .add({.shape = Box::of_half_size({1, 9}),
                  .type = BodyType::static_body,
                  .position = {5, 0},
                  .tag = "wall"})
            .value();
        const auto slid = world.move_and_slide(player, {100, 0}).value();
        EXPECT_EQ(slid.hits.size(), 1U) << tags << ' ' << listens;
        EXPECT_LE(slid.position.x, 3.0F) << tags << ' ' << listens;
      }
    }
  }
}

/// A player among obstacles.
struct Crowd {
  Crowd(std::string_view technique, std::uint64_t seed) : random(seed), place(draw_place(random)) {
    world.set_technique(technique).value();
    player = add(world, draw_player(random, place, 0.9F), place(0, 2), BodyType::kinematic);
    add(world, place.box(16, 1), place(0, 0));
    for (int i = 0; i < 14; ++i) {
      const Shape shape = random.below(3) == 0 ? place.box(1, 1) : draw_obstacle(random, place);
      add(world, shape, place(random.between(-4, 4), random.between(1, 4)), random_type(random));
    }
  }

  Random random;
  Place place;
  World world;
  BodyId player;
};

// `respond` may return any value, also an invalid one, and change the world: removed bodies are not met.
TEST(SlidePromises, every_technique_does_the_same_whatever_respond_returns_and_removes) {
  std::array<int, 5> answers{};
  int refused = 0;
  for (std::uint64_t round = 0; round < 500; ++round) {
    Crowd crowd("hierarchical-grid", round);
    Crowd other("brute-force", round);
    for (int call = 0; call < 6; ++call) {
      std::array<ErrorCode, 2> codes{};
      std::array<Vec2, 2> rests{};
      std::array<std::size_t, 2> met{};
      for (std::size_t i = 0; i < 2; ++i) {
        Crowd& one = i == 0 ? crowd : other;
        World& world = one.world;
        Random random(one.random.bits());
        const auto respond = [&](const Obstacle& obstacle) {
          EXPECT_TRUE(world.contains(obstacle.body));
          ++met[i];
          if (random.below(5) == 0) {
            const auto bodies = world.bodies();
            const BodyId gone = random.below(2) == 0
                                    ? obstacle.body
                                    : bodies[random.below(static_cast<std::uint32_t>(bodies.size()))];
            if (gone != one.player || random.below(4) == 0) {
              world.remove(gone).value();
            }
          }
          const std::uint32_t answer = random.below(30);
          ++answers[answer == 0 ? 4 : answer % 4];
          return static_cast<SlideResponse>(answer == 0 ? 9U : answer % 4);
        };
        SlideOptions options{.max_hits = random.below(5) == 0 ? 1U : 8U,
                             .skin = 0.01F * one.place.size * static_cast<float>(random.below(3)),
                             .up = random.below(4) == 0 ? Vec2{} : one.place.up};
        if (random.below(8) != 0) {
          options.respond = respond;
        }
        const Vec2 way = one.place.direction(random.between(-3, 3), random.between(-3, 1));
        const auto before = world.transform(one.player);
        const auto slid = world.move_and_slide(one.player, way, options);
        codes[i] = slid.error().code;
        if (slid.has_value()) {
          rests[i] = slid->remaining;
        } else if (world.contains(one.player)) {
          EXPECT_EQ(codes[i], ErrorCode::invalid_argument);
          EXPECT_EQ(world.transform(one.player).value(), before.value());
        }
        // Some bodies move, and some are disabled.
        const auto bodies = world.bodies();
        for (const BodyId body : bodies) {
          if (world.type(body).value() != BodyType::static_body && random.below(2) == 0) {
            const Vec2 at = world.position(body).value() + one.place.direction(random.between(-1, 1), 0);
            world.move(body, Transform{at, Rotation::by(random.between(-1, 1))}).value();
          } else if (random.below(8) == 0) {
            world.set_enabled(body, body == one.player).value();
          }
        }
      }
      ASSERT_EQ(codes[0], codes[1]) << round;
      ASSERT_EQ(rests[0], rests[1]) << round;
      ASSERT_EQ(met[0], met[1]) << round;
      ASSERT_EQ(crowd.world.hash(), other.world.hash()) << round;
      refused += codes[0] == ErrorCode::invalid_argument ? 1 : 0;
      if (!crowd.world.contains(crowd.player)) {
        break;
      }
    }
  }
  EXPECT_GT(*std::min_element(answers.begin(), answers.end()), 100);
  EXPECT_GT(refused, 50);
}

// A ball flies to and fro between two walls. The walls that it reaches follow from its motion, as if it flew
// straight through mirrored rooms; what it crosses on its way does not count.
TEST(SlidePromises, max_hits_counts_what_deflects_and_stops_at_the_last) {
  Random random(16);
  int stopped = 0;
  int finished = 0;
  for (int round = 0; round < 1000; ++round) {
    constexpr double radius = 0.5;
    constexpr double skin = 0.01;
    const double half = static_cast<double>(random.between(1.0F, 5.0F));  // of the way between the walls
    World world;
    const auto wall_at = static_cast<float>(half + radius + skin) + 1.0F;
    for (const float x : {-wall_at, wall_at}) {
      add(world, Box::of_half_size({1, 1000}), {x, 0}, BodyType::static_body, "wall");
    }
    const double start = static_cast<double>(random.between(-0.9F, 0.9F)) * half;
    const BodyId ball = add(world, Circle{.radius = 0.5F}, {static_cast<float>(start), 0}, BodyType::dynamic);
    const std::uint32_t coins = random.below(4);
    for (std::uint32_t i = 0; i < coins; ++i) {
      const float x = random.between(-0.5F, 0.5F) * static_cast<float>(half);
      const float y = random.between(-3, 3);
      world.add({.shape = Circle{.radius = 0.25F}, .position = {x, y}, .tag = "coin", .sensor = true})
          .value();
    }
    const float way = random.between(-12.0F, 12.0F) * static_cast<float>(half);
    const Vec2 motion{way, 0.5F * random.between(-1, 1) * way};
    const double sign = way < 0.0F ? -1.0 : 1.0;
    const double to_first = half - sign * start;
    const double beyond = (std::abs(static_cast<double>(way)) - to_first) / (2.0 * half);
    if (std::abs(beyond - std::round(beyond)) < 0.01) {
      continue;  // rounding decides whether the last wall is reached
    }
    const auto walls = static_cast<std::size_t>(std::max(0.0, std::floor(beyond) + 1.0));
    const std::size_t max_hits = random.below(10);
    SlideOptions options{.max_hits = max_hits, .skin = static_cast<float>(skin)};
    options.respond = [&](const Obstacle& obstacle) {
      return world.tag(obstacle.body).value() == "coin" ? SlideResponse::cross : SlideResponse::bounce;
    };
    const SlideResult result = world.move_and_slide(ball, motion, options).value();
    const auto bounces = static_cast<std::size_t>(
        std::count_if(result.hits.begin(), result.hits.end(),
                      [](const SlideHit& hit) { return hit.response == SlideResponse::bounce; }));
    const std::string what =
        std::to_string(round) + ": " + std::to_string(walls) + " walls, at most " + std::to_string(max_hits);
    ASSERT_EQ(bounces, std::min(walls, max_hits)) << what;
    if (max_hits == 0) {
      ASSERT_EQ(result.remaining, motion) << what;
      ASSERT_EQ(result.position, (Vec2{static_cast<float>(start), 0})) << what;
    } else if (walls >= max_hits) {
      ++stopped;
      const double side = max_hits % 2 == 1 ? sign : -sign;
      const double gone = to_first + 2.0 * half * static_cast<double>(max_hits - 1);
      ASSERT_NEAR(result.position.x, side * half, 1e-3) << what;
      ASSERT_NEAR(result.remaining.x, -side * (std::abs(static_cast<double>(way)) - gone), 1e-3 * (1 + gone))
          << what;
    } else {
      ++finished;
      // The place in the mirrored room, which is reversed at each wall.
      const double through =
          std::abs(static_cast<double>(way)) - to_first - 2.0 * half * (static_cast<double>(walls) - 1.0);
      const double side = walls % 2 == 1 ? sign : -sign;
      const double end = walls == 0 ? start + static_cast<double>(way) : side * (half - through);
      ASSERT_NEAR(result.position.x, end, 2e-3) << what;
      ASSERT_EQ(result.remaining, Vec2{}) << what;
    }
  }
  EXPECT_GT(stopped, 200);
  EXPECT_GT(finished, 200);
}

TEST(SlidePromises, an_invalid_up_is_refused) {
  World world;
  const BodyId player = add(world, Circle{.radius = 1}, {});
  const std::uint64_t before = world.hash();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Vec2 up : {Vec2{nan, 0}, Vec2{0, std::numeric_limits<float>::infinity()}}) {
    EXPECT_EQ(world.move_and_slide(player, {1, 0}, {.up = up}).error().code, ErrorCode::not_finite);
  }
  for (const Vec2 up : {Vec2{0, 0.5F}, Vec2{1, 1}, Vec2{0, 1.1F}, Vec2{1e-30F, 0}, Vec2{3e38F, 3e38F}}) {
    EXPECT_EQ(world.move_and_slide(player, {1, 0}, {.up = up}).error().code, ErrorCode::invalid_argument);
  }
  EXPECT_EQ(world.hash(), before);
  EXPECT_TRUE(world.move_and_slide(player, {1, 0}, {.up = {0.6F, 0.8F}}).has_value());
}

/// What a player hit or stands on, with the number of the body instead of its id.
struct Answer {
  std::size_t body;
  Vec2 normal;
  Vec2 point;
  Vec2 motion;
  float depth;
  bool was_inside;
  SlideResponse response;

  friend bool operator==(const Answer& a, const Answer& b) = default;
};

// Obstacles at one distance and equally deep overlaps: which of them is taken first must not depend on the
// places of the bodies. Tiles, slopes, lifts and coins in a lattice, so that many are at one distance.
TEST(SlidePromises, the_order_in_which_bodies_were_added_changes_nothing) {
  Random random(2911);
  std::size_t hits = 0;
  std::size_t grounds = 0;
  for (int round = 0; round < 400; ++round) {
    const Place place = draw_place(random);
    std::vector<BodyDef> bodies;
    for (int y = -4; y <= 4; ++y) {
      for (int x = -4; x <= 4; ++x) {
        if ((x != 0 || y != 0) && random.below(3) == 0) {
          const float width = 0.25F * static_cast<float>(1 + random.below(8));
          const bool is_tile = random.below(4) != 0;
          BodyDef body{.shape = is_tile ? place.box(width, 1) : draw_obstacle(random, place)};
          body.type = random.below(4) == 0 ? BodyType::kinematic : BodyType::static_body;
          body.position = place(static_cast<float>(x), static_cast<float>(y));
          body.sensor = random.below(8) == 0;
          bodies.push_back(std::move(body));
        }
      }
    }
    bodies.push_back({.shape = draw_player(random, place, 0.5F * static_cast<float>(1 + random.below(4))),
                      .type = BodyType::kinematic,
                      .position = place(0, 0)});
    if (random.below(4) == 0) {
      bodies.back().more_shapes = {place.box(0.5F, 1.5F)};
    }
    const std::size_t player = bodies.size() - 1;
    std::vector<std::size_t> order(bodies.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    NumberedWorld first = add_in_order(bodies, order);
    shuffle(order, random);
    std::array<NumberedWorld, 2> worlds{std::move(first), add_in_order(bodies, order)};
    for (int call = 0; call < 12; ++call) {
      const auto drawn = [&] { return 0.25F * static_cast<float>(static_cast<int>(random.below(17)) - 8); };
      const Vec2 motion = place.direction(drawn(), drawn());
      const auto response = static_cast<SlideResponse>(random.below(4));
      const std::size_t lift = random.below(static_cast<std::uint32_t>(bodies.size()));
      const Vec2 lifted = place.direction(drawn(), random.between(-2.0F, 2.0F));
      std::array<SlideResult, 2> results;
      std::array<std::vector<Answer>, 2> answers;
      for (std::size_t w = 0; w < 2; ++w) {
        World& world = worlds[w].world;
        const std::vector<BodyId>& ids = worlds[w].ids;
        if (call % 3 == 2 && lift != player && bodies[lift].type == BodyType::kinematic) {
          world.push(ids[lift], lifted).value();
        }
        SlideOptions options{.up = place.up};
        if (call % 2 == 1) {
          options.respond = [&](const Obstacle& obstacle) {
            return world.sensor(obstacle.body).value() ? SlideResponse::cross : response;
          };
        }
        results[w] = world.move_and_slide(ids[player], motion, options).value();
        const auto add_answer = [&](const Obstacle& one, SlideResponse given) {
          answers[w].push_back({worlds[w].numbers[one.body], one.normal, one.point, one.motion, one.depth,
                                one.was_inside, given});
        };
        for (const SlideHit& hit : results[w].hits) {
          add_answer(hit.obstacle, hit.response);
        }
        if (results[w].ground) {
          add_answer(*results[w].ground, SlideResponse::slide);
          grounds += w;
        }
        hits += results[w].hits.size();
        world.step(0.0F).value();
      }
      const std::string what = text(place, bodies[player].shape, round) + ", call " + std::to_string(call);
      ASSERT_EQ(results[0].position, results[1].position) << what;
      ASSERT_EQ(results[0].remaining, results[1].remaining) << what;
      ASSERT_EQ(answers[0], answers[1]) << what;
    }
  }
  EXPECT_GT(hits, 15'000U);
  EXPECT_GT(grounds, 600U);
}

// The ground may rotate and jump far in one step, and obstacles may be in the path of the carried body.
TEST(SlidePromises, a_free_body_is_carried_into_nothing) {
  Random random(2026);
  const auto turn = [&] {
    const double angle = static_cast<double>(random.between(0.0F, 6.2831853F));
    return Rotation{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  };
  std::size_t carried = 0;
  std::size_t calls = 0;
  for (int repeat = 0; repeat < 3000; ++repeat) {
    const Vec2 origin{random.between(-1000.0F, 1000.0F), random.between(-1000.0F, 1000.0F)};
    World world;
    std::vector<BodyId> others;
    const BodyId ground = world
                              .add({.shape = Box::of_half_size({random.between(1, 6), 0.5F}),
                                    .type = BodyType::kinematic,
                                    .position = origin})
                              .value();
    others.push_back(ground);
    const Vec2 above{origin.x + random.between(-1.0F, 1.0F), origin.y + 1.6F};
    const Shape shape =
        random.below(2) == 0 ? Shape(Circle{.radius = 1.0F}) : Shape(Box::of_half_size({1.0F, 1.0F}));
    const BodyId body = world.add({.shape = shape, .position = above}).value();
    for (std::uint32_t i = random.below(6); i > 0; --i) {
      const Vec2 place{origin.x + random.between(-8, 8), origin.y + random.between(-8, 8)};
      others.push_back(world
                           .add({.shape = Box::of_half_size(
                                     {random.between(0.2F, 3), random.between(0.2F, 3)}, {}, turn()),
                                 .position = place})
                           .value());
    }
    const auto is_free = [&](float tolerance) {
      return std::none_of(others.begin(), others.end(), [&](BodyId other) {
        const Manifold manifold = collide(world.shapes(body).value()[0], world.transform(body).value(),
                                          world.shapes(other).value()[0], world.transform(other).value());
        return manifold.touching() && std::min(manifold.points[0].separation,
                                               manifold.points[manifold.size - 1].separation) < -tolerance;
      });
    };
    world.step(0).value();
    for (int frame = 0; frame < 4; ++frame) {
      const bool was_free = is_free(0.0F);
      const auto result =
          world.move_and_slide(body, {random.between(-2, 2), random.between(-2, 1)}, {.up = {0, 1}}).value();
      ++calls;
      carried += result.ground && result.ground->body == ground ? 1U : 0U;
      if (was_free) {
        ASSERT_TRUE(is_free(1e-3F)) << repeat << ", frame " << frame;
      }
      const Vec2 at = world.position(ground).value();
      const bool turns = random.below(2) == 0;
      world
          .move(ground, Transform{{at.x + random.between(-2, 2), at.y + random.between(-2, 2)},
                                  turns ? turn() : Rotation{}})
          .value();
      world.step(0).value();
    }
  }
  EXPECT_GT(carried, calls / 8);
}

}  // namespace
}  // namespace broadside::test::slide_promises_test
