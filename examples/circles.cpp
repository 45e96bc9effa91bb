// The demo of the circles tutorial: 2,000 circles of very different radii that bounce off each other and the
// walls.

#include <algorithm>
#include <broadside/broadside.hpp>
#include <broadside/scene/random.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "steps.hpp"

namespace {

using broadside::Vec2;
using broadside::World;

constexpr int count = 2000;
constexpr Vec2 window{1920, 1080};
constexpr int max_tries = 1000;

// The tutorial's distribution: e^(8u) / 23.3, rounded up, is 1 to 128, and mostly small. A product of equal
// factors is the same on every machine, which an exponential need not be.
float draw_radius(broadside::Random& random) {
  double radius = 1 / 23.2887;
  for (std::uint64_t i = random.below(1024); i > 0; --i) {
    radius *= 1.00784309720644798;  // e^(8 / 1024)
  }
  return static_cast<float>(std::ceil(radius));
}

/// Places circles without overlap; in a window that is too small it ends with fewer circles.
int fill(World& world, broadside::Random& random) {
  for (int made = 0; made < count; ++made) {
    for (int tries = 0;; ++tries) {
      if (tries == max_tries) {
        return made;
      }
      const float radius = draw_radius(random);
      const auto between = [&](float low, float high) {
        return static_cast<float>(random.uniform(low, high));
      };
      const Vec2 at{between(radius, window.x - radius), between(radius, window.y - radius)};
      const broadside::Circle circle{.radius = radius};
      if (world.query_shape(circle, {at}).value().empty()) {
        const Vec2 velocity{between(-50, 50), between(-50, 50)};
        world.add({.shape = circle, .position = at, .velocity = velocity, .mass = radius}).value();
        break;
      }
    }
  }
  return count;
}

void add_walls(World& world) {
  const Vec2 half = 0.5F * window;
  constexpr float thick = 500;
  for (const float side : {-1.0F, 1.0F}) {
    for (const bool upright : {false, true}) {
      const Vec2 size = upright ? Vec2{thick, half.y + 2 * thick} : Vec2{half.x + 2 * thick, thick};
      const Vec2 off = upright ? Vec2{side * (half.x + thick), 0} : Vec2{0, side * (half.y + thick)};
      world
          .add({.shape = broadside::Box::of_half_size(size),
                .type = broadside::BodyType::static_body,
                .position = half + off,
                .tag = "wall"})
          .value();
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = steps_of(argc, argv, 600);
  World world = World::create({.response = broadside::Response::bounce, .gravity = {0, 100}}).value();
  broadside::Random random(4);
  add_walls(world);
  const int made = fill(world, random);
  // Bounces alone would let heavy circles press small ones into a wall, so circles are also moved out of it.
  world.on_contact("wall", World::any, [&](const broadside::BodyContact& contact) {
    const float depth = contact.manifold.points[0].separation;
    world.move(contact.b, world.position(contact.b).value() - depth * contact.manifold.normal).value();
  });
  std::printf("%d circles in %.0f x %.0f, elastic, as heavy as their radius\n\n", made,
              static_cast<double>(window.x), static_cast<double>(window.y));
  std::printf("  step  contacts  begun  ended  tests of boxes  (every pair: %d)\n", made * (made - 1) / 2);

  std::uint64_t bounces = 0;
  double seconds = 0;
  for (int step = 1; step <= steps; ++step) {
    const auto start = std::chrono::steady_clock::now();
    world.step(1.0F / 60).value();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    bounces += world.begun().size();
    if (step % std::max(steps / 10, 1) == 0) {
      std::printf("%6d  %8zu  %5zu  %5zu  %14llu\n", step, world.contacts().size(), world.begun().size(),
                  world.ended().size(),
                  static_cast<unsigned long long>(world.broad_phase().statistics().tests));
    }
  }
  int caught = 0;  // the margin includes circles that have not been moved out of a wall yet
  for (const broadside::BodyId body : world.query_area({{-32, -32}, window + Vec2{32, 32}}).value()) {
    caught += world.tag(body).value() == "wall" ? 0 : 1;
  }
  std::printf("\n%d steps, %llu bounces; %d of %d circles are within the walls.\n", steps,
              static_cast<unsigned long long>(bounces), caught, made);
  std::printf("%.0f steps a second.\n", steps / seconds);
}
