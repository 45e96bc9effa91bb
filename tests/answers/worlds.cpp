#include "answers/worlds.hpp"

#include <cmath>
#include <vector>

#include "broadside/broad_phase/techniques.hpp"
#include "broadside/world/world.hpp"
#include "fnv_hash.hpp"
#include "random_shapes.hpp"

namespace broadside::test {

namespace {

void add(BodyId body, FnvHash& hash) {
  hash.add((std::uint64_t{body.index} << 32U) | body.generation);
}

Vec2 draw_vec2(float most, Random& random) {
  const float x = random.between(-most, most);
  return {x, random.between(-most, most)};
}

WorldOptions draw_options(Random& random) {
  WorldOptions options;
  options.response = random.below(2) == 0 ? Response::none : Response::bounce;
  options.restitution = random.unit();
  options.gravity = random.below(3) == 0 ? Vec2{} : draw_vec2(10, random);
  if (options.response == Response::none && random.below(2) == 0) {
    options.order = StepOrder::motion_first;
  }
  options.end_margin = random.below(2) == 0 ? 0.0F : 0.01F;
  return options;
}

BodyDef draw_body(float spread, Random& random) {
  const Family family = random.below(3) == 0 ? Family::lattice : Family::ordinary;
  BodyDef body;
  body.shape = random_shape(family, random.below(convex_kinds), random);
  if (random.below(5) == 0) {
    body.more_shapes.push_back(random_shape(family, random.below(convex_kinds), random));
  }
  body.position = draw_vec2(spread, random);
  body.rotation = Rotation::by(random.between(-3, 3));
  const std::uint32_t kind = random.below(8);
  body.type = kind == 0 ? BodyType::static_body : kind == 1 ? BodyType::kinematic : BodyType::dynamic;
  if (body.type != BodyType::static_body && random.below(3) != 0) {
    body.velocity = draw_vec2(20, random);
  }
  body.bullet = body.type == BodyType::dynamic && random.below(6) == 0;
  body.sensor = random.below(8) == 0;
  body.filter.layer = 1U << random.below(3);
  return body;
}

}  // namespace

std::uint64_t hash_of_world(std::uint32_t seed, TaskRunner& threads) {
  Random random(seed);
  World world = World::create(draw_options(random)).value();
  const auto all = techniques();
  world.set_technique(all[seed % all.size()].name).value();
  world.use_threads(&threads).value();
  FnvHash hash;
  const std::uint32_t count = 20 + random.below(400);
  const float spread = std::sqrt(static_cast<float>(count));
  for (std::uint32_t i = 0; i < count; ++i) {
    world.add(draw_body(spread, random)).value();
  }
  for (int step = 0; step < 30; ++step) {
    world.step(random.between(0.001F, 0.04F)).value();
    hash.add(world.hash());
    const std::vector<BodyId> bodies = world.bodies();
    const BodyId one = bodies[random.below(static_cast<std::uint32_t>(bodies.size()))];
    world.move(one, draw_vec2(spread, random)).value();
    world.set_shape(bodies.front(), random_shape(Family::ordinary, random.below(convex_kinds), random))
        .value();
    const auto slid = world.move_and_slide(bodies.back(), draw_vec2(3, random), {.up = {0, 1}}).value();
    hash.add(slid.position);
    hash.add(slid.remaining);
    const Vec2 way = draw_vec2(2 * spread, random);
    if (const auto hit = world.cast_ray(draw_vec2(spread, random), way).value()) {
      add(hit->body, hash);
      hash.add(hit->fraction);
      hash.add(hit->normal);
    }
    for (const Nearest& near : world.nearest(draw_vec2(spread, random), 5).value()) {
      add(near.body, hash);
      hash.add(near.distance);
    }
    if (random.below(3) == 0) {
      world.remove(one).value();
      world.add(draw_body(spread, random)).value();
    }
  }
  hash.add(world.hash());  // covers a whole snapshot except for the number of the world
  return hash.value();
}

}  // namespace broadside::test
