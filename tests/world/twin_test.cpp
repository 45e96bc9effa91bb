#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "broadside/world/world.hpp"

// web/package/test/twin.test.ts makes the same calls line by line, and expects the same hash.

namespace broadside::twin_test {
namespace {

/// Source: G. Marsaglia, Xorshift RNGs, 2003.
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}
  double operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_ / 4294967296.0;
  }
  float between(double low, double high) { return static_cast<float>(low + (*this)() * (high - low)); }

 private:
  std::uint32_t state_;
};

Shape some_shape(std::size_t kind, Random& random) {
  const float size = random.between(2, 9);
  switch (kind) {
    case 0:
      return Circle{.radius = size};
    case 1:
      return Box::of_half_size({size, random.between(2, 9)});
    case 2:
      return Capsule{{-size, 0}, {size, 1}, 2};
    case 3:
      return Segment{{-size, 0}, {size, 1}};
    default:
      return Polygon::hull(std::array<Vec2, 3>{{{0, 0}, {size, 1}, {1, size}}}, 0.5F).value();
  }
}

TEST(Twin, has_the_hash_of_the_same_world_in_javascript) {
  Random random(7);
  World world =
      World::create({.response = Response::bounce, .restitution = 0.9F, .gravity = {0, -30}}).value();
  std::vector<BodyId> bodies;
  for (std::size_t i = 0; i < 300; ++i) {
    BodyDef body;
    body.type = i % 10 == 0 ? BodyType::static_body : BodyType::dynamic;
    body.position = {random.between(0, 300), 0};
    body.position.y = random.between(0, 300);
    body.rotation = Rotation::by(random.between(-3, 3));
    if (i % 10 != 0) {
      body.velocity = {random.between(-50, 50), 0};
      body.velocity.y = random.between(-50, 50);
    }
    body.tag = i % 3 == 0 ? "food" : "player";
    body.filter.layer = i % 7 == 0 ? 2 : 1;
    body.bullet = i % 11 == 1;
    body.sensor = i % 13 == 2;
    body.shape = some_shape(i % 5, random);
    bodies.push_back(world.add(body).value());
  }
  std::size_t begun = 0;
  std::size_t ended = 0;
  world.on_begin("food", "player", [&](const BodyContact& contact) {
    ++begun;
    if (begun % 50 == 0) {
      world.remove(contact.b).value();
    }
  });
  world.on_end(World::any, World::any, [&](const ContactEnd&) { ++ended; });
  for (int step = 0; step < 200; ++step) {
    world.step(1.0F / 60).value();
  }
  EXPECT_EQ(world.size(), 286U);
  EXPECT_EQ(begun, 729U);
  EXPECT_EQ(ended, 1586U);
  EXPECT_EQ(world.contacts().size(), 9U);
  EXPECT_EQ(world.hash(), 13726687753873746370U);
}

}  // namespace
}  // namespace broadside::twin_test
