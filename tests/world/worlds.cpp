#include "world/worlds.hpp"

#include <array>
#include <vector>

namespace broadside::test {

Shape some_shape(std::mt19937& random) {
  const auto number = [&] { return 0.25F + static_cast<float>(random() % 64) / 64.0F; };
  switch (random() % 6) {
    case 0:
      return Box::of_half_size({number(), number()});
    case 1:
      return Capsule{.a = {-number(), 0}, .b = {number(), 0}, .radius = number()};
    case 2:
      return Segment{.a = {-number(), 0}, .b = {number(), number()}};
    case 3:
      return Polygon::hull(std::array<Vec2, 4>{Vec2{0, 0}, {number(), 0}, {1, number()}, {0, 1}}, number())
          .value();
    case 4:
      return Mask::from_rows(std::array<std::string_view, 2>{"#.#", "###"}, {}).value();
    default:
      return Circle{.radius = number()};
  }
}

World make_world() {
  World world =
      World::create({.response = Response::bounce, .restitution = 0.75F, .gravity = {0, 3}}).value();
  std::mt19937 random(5);  // NOLINT(cert-msc51-cpp): the same world in each run
  for (int i = 0; i < 120; ++i) {
    const auto coordinate = [&] { return static_cast<float>(random() % 640) / 32.0F; };
    const std::vector<Shape> more{some_shape(random)};
    const bool is_static = i % 5 == 0;
    BodyDef body{.shape = some_shape(random),
                 .type = is_static    ? BodyType::static_body
                         : i % 7 == 0 ? BodyType::kinematic
                                      : BodyType::dynamic,
                 .position = {coordinate(), coordinate()},
                 .rotation = Rotation::by(coordinate()),
                 .tag = std::array{"", "a", "b"}[random() % 3],
                 .filter = {.layer = random() % 3 + 1, .mask = random() % 7 + 1},
                 .sensor = i % 11 == 0,
                 .bullet = i % 13 == 1,
                 .user_data = random()};
    if (i % 6 == 0) {
      body.more_shapes = more;
    }
    if (!is_static) {
      body.velocity = {coordinate() - 10, coordinate() - 10};
    }
    const BodyId added = world.add(body).value();
    if (i % 17 == 3) {
      world.remove(added).value();
    }
  }
  return world;
}

void disturb(World& world, unsigned step) {
  std::mt19937 random(step);  // NOLINT(cert-msc51-cpp): the same in each run
  const std::vector<BodyId> bodies = world.bodies();
  const BodyId one = bodies[random() % bodies.size()];
  const BodyId other = bodies[random() % bodies.size()];
  static_cast<void>(world.set_enabled(one, random() % 3 != 0));
  static_cast<void>(world.set_tag(other, random() % 2 == 0 ? "a" : "c"));
  static_cast<void>(world.set_ignored(one, other, random() % 2 == 0));
  if (random() % 2 == 0) {
    world.remove(other).value();
    world.add({.shape = some_shape(random), .position = {10, 10}}).value();
  }
}

NumberedWorld add_in_order(std::span<const BodyDef> bodies, std::span<const std::size_t> order,
                           const WorldOptions& options) {
  NumberedWorld made{World::create(options).value(), std::vector<BodyId>(bodies.size()), {}};
  for (const std::size_t number : order) {
    made.ids[number] = made.world.add(bodies[number]).value();
    made.numbers[made.ids[number]] = number;
  }
  return made;
}

}  // namespace broadside::test
