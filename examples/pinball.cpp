// The table of "Pinball performance, part 2": many small static shapes, densely packed; two flippers; a fast
// ball. Static shapes are inserted once, only pairs with the ball are tested, and the ball cannot tunnel
// through a wall.

#include <broadside/broadside.hpp>
#include <chrono>
#include <cstdio>
#include <vector>

#include "steps.hpp"

namespace {

using broadside::BodyDef, broadside::BodyContact, broadside::BodyId, broadside::BodyType, broadside::Vec2;

enum Layer : std::uint64_t { ball_layer = 1, table_layer = 2, flipper_layer = 4 };

constexpr Vec2 plunger{26, 8};

struct Table {
  Table() {
    line({-24, 0}, {-24, 100}, 200);
    line({28, 0}, {28, 100}, 200);
    line({-24, 100}, {28, 100}, 104);
    line({24, 5}, {24, 84}, 160);  // the lane of the plunger; the segment deflects the ball at its end
    statics.push_back(fixed(broadside::Segment{{28, 88}, {16, 100}}, {}, "table"));
    line({-23, 24}, {-8, 13}, 60);  // towards the flippers
    line({23, 24}, {8, 13}, 60);
    for (const float x : {-15.0F, -9.0F, -3.0F, 3.0F, 9.0F, 15.0F}) {
      line({x, 82}, {x, 88}, 20);
    }
    for (const Vec2 at : {Vec2{-9, 52}, {10, 50}, {0, 70}, {-12, 74}, {13, 72}, {1, 36}}) {
      for (int i = 0; i < 84; ++i) {
        const auto [cos, sin] = broadside::Rotation::by(6.2831855F * static_cast<float>(i % 42) / 42);
        const float radius = i < 42 ? 2.0F : 1.2F;
        const Vec2 on_ring = at + Vec2{radius * cos, radius * sin};
        statics.push_back(fixed(broadside::Circle{.radius = 0.35F}, on_ring, "bumper"));
      }
    }
    world.add(statics).value();
    for (const float side : {-1.0F, 1.0F}) {
      const broadside::Capsule blade{.a = {}, .b = {-6 * side, 0}, .radius = 0.6F};
      BodyDef flipper = fixed(blade, {8 * side, 11.5F}, "flipper");
      flipper.type = BodyType::kinematic;
      flipper.filter.layer = flipper_layer;
      flippers.push_back(world.add(flipper).value());
    }
    BodyDef body = fixed(broadside::Circle{.radius = 1.0625F}, plunger, "ball");
    body.type = BodyType::dynamic;
    body.filter = {.layer = ball_layer, .mask = table_layer | flipper_layer};
    body.bullet = true;
    ball = world.add(body).value();
    world.set_velocity(ball, shot).value();
    world.on_begin("ball", "bumper", [this](const BodyContact&) { score += 100; });
    world.on_begin("ball", "table", [this](const BodyContact&) { ++knocks; });
    world.on_begin("flipper", "ball", [this](const BodyContact& contact) {
      ++kicks;  // the normal points from the flipper to the ball
      world.set_velocity(ball, world.velocity(ball).value() + 90.0F * contact.manifold.normal).value();
    });
  }

  void step(int number) {
    const float swing = number % 48 < 12 ? 0.5F : -0.4F;
    for (std::size_t i = 0; i < 2; ++i) {
      const Vec2 pivot = world.position(flippers[i]).value();
      world.move(flippers[i], pivot, broadside::Rotation::by(i == 0 ? swing : -swing)).value();
    }
    world.step(1.0F / 240).value();
    tests += world.broad_phase().statistics().tests;
    if (world.position(ball).value().y < 0) {  // lost: a new ball, launched a little harder
      ++lost;
      shot.y += 7;
      world.teleport(ball, {plunger}).value();
      world.set_velocity(ball, shot).value();
    }
  }

  static BodyDef fixed(const broadside::Shape& shape, Vec2 at, const char* tag) {
    BodyDef result{.shape = shape, .type = BodyType::static_body, .position = at, .tag = tag};
    result.filter.layer = table_layer;
    return result;
  }

  void line(Vec2 from, Vec2 to, int count) {
    for (int i = 0; i <= count; ++i) {
      const Vec2 at = from + static_cast<float>(i) / static_cast<float>(count) * (to - from);
      statics.push_back(fixed(broadside::Box::of_size({0.5F, 0.5F}), at, "table"));
    }
  }

  broadside::World world =
      broadside::World::create(
          {.response = broadside::Response::bounce, .restitution = 0.8F, .gravity = {0, -60}})
          .value();
  std::vector<BodyDef> statics;
  std::vector<BodyId> flippers;
  BodyId ball;
  Vec2 shot{0, 115};
  int score = 0, knocks = 0, kicks = 0, lost = 0;
  std::uint64_t tests = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const int steps = steps_of(argc, argv, 4800);
  Table table;
  std::printf("seconds   score  knocks  kicks  lost   the ball is at\n");
  const auto start = std::chrono::steady_clock::now();
  for (int step = 1; step <= steps; ++step) {
    table.step(step);
    if (step % 480 == 0 || step == steps) {
      const Vec2 at = table.world.position(table.ball).value();
      std::printf("%7.2f  %6d  %6d  %5d  %4d   (%6.1f, %5.1f)\n", step / 240.0, table.score, table.knocks,
                  table.kicks, table.lost, static_cast<double>(at.x), static_cast<double>(at.y));
    }
  }
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  std::printf("\n%zu static shapes, 2 flippers, 1 ball: %.1f boxes tested a step, %.1f us a step.\n",
              table.statics.size(), static_cast<double>(table.tests) / steps, time.count() / steps);
}
