// A step with few changes tests only the pairs of the changed bodies: the result equals that of a step that
// tests all pairs.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "boxes.hpp"
#include "broadside/world/world.hpp"
#include "world/worlds.hpp"

namespace broadside::test::quiet_step_test {
namespace {

constexpr float side = 30.0F;

using Told = std::tuple<BodyId, BodyId, float, float, std::uint32_t, float, bool>;

Told told(const BodyContact& contact) {
  const Manifold& manifold = contact.manifold;
  return {contact.a,     contact.b,        manifold.normal.x, manifold.points[0].separation,
          manifold.size, contact.fraction, contact.begun};
}

std::vector<Told> all_of(const ContactRange& range) {
  std::vector<Told> result;
  for (const BodyContact contact : range) {
    result.push_back(told(contact));
  }
  return result;
}

struct Kind {
  std::string name;
  bool parts = false;
  bool bullets = false;
  Response response = Response::none;
};

BodyId add_any(World& world, const Kind& kind, std::mt19937& random) {
  const auto number = [&] { return static_cast<float>(random() % 1024) / 1024.0F; };
  const std::vector<Shape> more{Circle{.center = {0.5F, 0}, .radius = 0.25F}};
  BodyDef body{.shape = some_shape(random),
               .type = random() % 9 == 0   ? BodyType::static_body
                       : random() % 9 == 0 ? BodyType::kinematic
                                           : BodyType::dynamic,
               .position = {side * number(), side * number()},
               .rotation = Rotation::by(6.0F * number()),
               .tag = random() % 2 == 0 ? "a" : "b",
               .sensor = random() % 8 == 0,
               .bullet = kind.bullets && random() % 20 == 0};
  if (kind.parts && random() % 4 == 0) {
    body.more_shapes = more;
  }
  return world.add(body).value();
}

void change_any(World& world, const Kind& kind, std::mt19937& random) {
  const std::vector<BodyId> bodies = world.bodies();
  const BodyId body = bodies[random() % bodies.size()];
  const BodyId other = bodies[random() % bodies.size()];
  const auto number = [&] { return static_cast<float>(random() % 1024) / 1024.0F; };
  switch (random() % 12) {
    case 0:
      world.remove(body).value();
      add_any(world, kind, random);
      break;
    case 1:
      world.set_tag(body, "c").value();
      break;
    case 2:
      world.set_filter(body, {.layer = 1 + random() % 3, .mask = 1 + random() % 7}).value();
      break;
    case 3:
      world.set_enabled(body, random() % 3 != 0).value();
      break;
    case 4:
      world.set_shape(body, some_shape(random)).value();
      break;
    case 5:
      if (body != other) {
        world.set_ignored(body, other, random() % 3 != 0).value();
      }
      break;
    case 6:
      if (world.type(body).value() != BodyType::static_body) {
        world.set_velocity(body, {20.0F * number() - 10.0F, 0}).value();
      }
      break;
    case 7:
      world.teleport(body, {side * number(), side * number()}, Rotation::by(number())).value();
      break;
    default:
      world.move(body, world.position(body).value() + Vec2{number() - 0.5F, number() - 0.5F}).value();
      break;
  }
}

class QuietStep : public testing::TestWithParam<Kind> {};

INSTANTIATE_TEST_SUITE_P(World, QuietStep,
                         testing::Values(Kind{"plain"}, Kind{"parts", true}, Kind{"bullets", false, true},
                                         Kind{"bounce", true, true, Response::bounce}),
                         [](const auto& test) { return test.param.name; });

TEST_P(QuietStep, gives_the_same_as_a_step_that_tests_all_bodies) {
  const Kind& kind = GetParam();
  World quiet = World::create({.response = kind.response}).value();
  std::mt19937 random(17);  // NOLINT(cert-msc51-cpp): the same in each run
  for (int i = 0; i < 400; ++i) {
    add_any(quiet, kind, random);
  }
  World loud;
  loud.restore(quiet.snapshot()).value();
  std::size_t events = 0;
  for (unsigned step = 0; step < 200; ++step) {
    const unsigned changes = step % 50 == 49 ? 200 : static_cast<unsigned>(random() % 12);
    const auto seed = static_cast<unsigned>(random());
    for (World* world : {&quiet, &loud}) {
      std::mt19937 same(seed);  // NOLINT(cert-msc51-cpp): the same changes to both
      for (unsigned k = 0; k < changes; ++k) {
        change_any(*world, kind, same);
      }
    }
    loud.set_predicate([](BodyId, BodyId) { return true; }).value();  // tests all pairs
    quiet.step(step % 5 == 0 ? 0.0F : 1.0F / 64).value();
    loud.step(step % 5 == 0 ? 0.0F : 1.0F / 64).value();
    ASSERT_EQ(all_of(quiet.begun()), all_of(loud.begun())) << step;
    ASSERT_TRUE(
        std::equal(quiet.ended().begin(), quiet.ended().end(), loud.ended().begin(), loud.ended().end()))
        << step;
    events += quiet.begun().size() + quiet.ended().size();
    if (step % 3 == 0) {  // not in every step, so that deferred work piles up
      ASSERT_EQ(all_of(quiet.contacts()), all_of(loud.contacts())) << step;
      ASSERT_EQ(all_of(quiet.stayed()), all_of(loud.stayed())) << step;
      ASSERT_EQ(quiet.shape_contacts().size(), loud.shape_contacts().size()) << step;
      std::vector<BodyContact> of_quiet;
      std::vector<BodyContact> of_loud;
      for (const BodyId body : quiet.bodies()) {
        of_quiet = quiet.contacts_of(body).value();
        of_loud = loud.contacts_of(body).value();
        ASSERT_EQ(of_quiet.size(), of_loud.size());
        for (std::size_t i = 0; i < of_quiet.size(); ++i) {
          ASSERT_EQ(told(of_quiet[i]), told(of_loud[i]));
          ASSERT_TRUE(!quiet.contains(of_quiet[i].b) || quiet.touching(body, of_quiet[i].b).value());
        }
      }
    }
    if (step % 4 == 1) {
      ASSERT_EQ(quiet.hash(), loud.hash()) << step;
    }
    if (step % 40 == 33) {
      quiet.restore(quiet.snapshot()).value();
    }
  }
  EXPECT_GT(events, 500U);
}

}  // namespace
}  // namespace broadside::test::quiet_step_test
