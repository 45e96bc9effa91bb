// The strong exception guarantee of a world: each change is tried with 0, 1, 2, ... allocations allowed until
// it succeeds. Compared with a world without a limit.

#include <algorithm>
#include <array>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "broadside/world/recording.hpp"
#include "broadside/world/world.hpp"

namespace broadside::test {
namespace {

using Make = std::function<void(World&)>;

struct NamedChange {
  std::string_view name;
  Make make;
};

BodyId body(const World& world, std::size_t n) {
  const auto bodies = world.bodies();
  return bodies[n % bodies.size()];
}

/// Returns the first body that is not static.
BodyId a_moving_body(const World& world) {
  const auto bodies = world.bodies();
  return *std::find_if(bodies.begin(), bodies.end(),
                       [&](BodyId one) { return world.type(one).value() != BodyType::static_body; });
}

/// Returns bodies that together use every property of a body.
std::vector<Body> newcomers(std::span<const Shape> more) {
  std::vector<Body> bodies;
  for (int i = 0; i < 40; ++i) {
    Body one{.shape = Circle{.radius = 0.5F},
             .type = i % 3 == 0 ? BodyType::static_body : BodyType::dynamic,
             .position = {static_cast<float>(i % 8), static_cast<float>(i)},
             .tag = i % 4 == 0 ? "new" : "a",
             .filter = {.layer = std::uint64_t{1} << (i % 5)},
             .bullet = i % 9 == 1,
             .user_data = static_cast<std::uint64_t>(i)};
    if (i % 10 == 7) {
      one.more_shapes.assign(more.begin(), more.end());
    }
    if (one.type == BodyType::dynamic) {
      one.velocity = {1, static_cast<float>(i % 4)};
    }
    bodies.push_back(one);
  }
  return bodies;
}

std::vector<NamedChange> changes() {
  static const std::array<Shape, 1> more{Shape(Box{.half_size = {1, 0.25F}})};
  const auto detect = [](World& world) { world.detect().value(); };
  const auto move_one = [](World& world) { world.move(body(world, 4), Vec2{9, 9}).value(); };
  return {
      {"detect all", detect},
      {"add many", [](World& world) { static_cast<void>(world.add(newcomers(more)).value()); }},
      {"detect after adding", detect},
      {"add one",
       [](World& world) {
         static_cast<void>(
             world.add({.shape = Box{.half_size = {2, 2}}, .position = {8, 8}, .tag = "one"}).value());
       }},
      {"detect with one more", detect},
      {"ask for what is near",
       [](World& world) {
         for (int i = 0; i < 50; ++i) {  // often enough that a tree is built
           static_cast<void>(world.query_area({{0, 0}, {9, 9}}).value());
           static_cast<void>(world.nearest({4, 4}, 3).value());
           static_cast<void>(world.cast_ray({0, 0}, {40, 40}).value());
         }
       }},
      {"ask who touches",
       [](World& world) {
         std::vector<BodyContact> contacts;
         world.contacts_of(body(world, 5), contacts).value();
         static_cast<void>(world.shape_contacts());
       }},
      {"move one", move_one},
      {"move many",
       [](World& world) {
         const std::array both{body(world, 2), body(world, 6)};
         const std::array places{Vec2{1, 5}, Vec2{2, 4}};
         world.move(both, places).value();
       }},
      {"push",
       [](World& world) {
         world.push(a_moving_body(world), {1, 0}).value();
       }},
      {"slide",
       [](World& world) {
         static_cast<void>(world.move_and_slide(a_moving_body(world), {3, -9}, {.up = {0, 1}}).value());
       }},
      {"detect a little", detect},
      {"teleport",
       [](World& world) {
         world.teleport(body(world, 7), {{3, 3}, {}}).value();
       }},
      {"set a filter",
       [](World& world) { world.set_filter(body(world, 9), {.layer = 64, .mask = 96}).value(); }},
      {"detect the filter_changed", detect},
      {"set a tag", [](World& world) { world.set_tag(body(world, 10), "renamed").value(); }},
      {"disable", [](World& world) { world.set_enabled(body(world, 11), false).value(); }},
      {"make a sensor", [](World& world) { world.set_sensor(body(world, 12), true).value(); }},
      {"make a bullet", [](World& world) { world.set_bullet(body(world, 14), true).value(); }},
      {"detect the changed", detect},
      {"set user data", [](World& world) { world.set_user_data(body(world, 15), 77).value(); }},
      {"set a shape", [](World& world) { world.set_shape(body(world, 16), more[0]).value(); }},
      {"ignore", [](World& world) { world.set_ignored(body(world, 1), body(world, 2), true).value(); }},
      {"set gravity",
       [](World& world) {
         world.set_gravity({0, 4}).value();
       }},
      {"integrate", [](World& world) { world.integrate(0.02F).value(); }},
      {"detect the fallen", detect},
      {"tell", [](World& world) { world.dispatch().value(); }},
      {"respond", [](World& world) { world.respond().value(); }},
      {"integrate nothing", [](World& world) { world.integrate(0.0F).value(); }},
      {"set a velocity",
       [](World& world) {
         world.set_velocity(a_moving_body(world), {1, 2}).value();
       }},
      {"set an acceleration",
       [](World& world) {
         world.set_acceleration(a_moving_body(world), {0, 2}).value();
       }},
      {"skip a response",
       [](World& world) { world.skip_response(world.bodies().back(), a_moving_body(world)).value(); }},
      {"listen",
       [](World& world) { static_cast<void>(world.on_begin("a", "heard", [](const BodyContact&) {})); }},
      {"detect for a listener", detect},
      {"listen to contacts",
       [](World& world) { static_cast<void>(world.on_contact("a", World::any, [](const BodyContact&) {})); }},
      {"listen to ends",
       [](World& world) { static_cast<void>(world.on_end("another", "a", [](const ContactEnd&) {})); }},
      {"tell listeners", [](World& world) { world.dispatch().value(); }},
      {"use a predicate",
       [](World& world) {
         world.set_predicate([](BodyId a, BodyId b) { return (a.index + b.index) % 3 != 0; }).value();
       }},
      {"detect with a predicate", detect},
      {"use no predicate", [](World& world) { world.set_predicate({}).value(); }},
      {"remove many",
       [](World& world) {
         const auto bodies = world.bodies();
         std::vector<BodyId> gone;
         for (std::size_t i = 0; i < bodies.size(); i += 2) {
           gone.push_back(bodies[i]);
         }
         world.remove(gone).value();
       }},
      {"detect the rest", detect},
      {"remove one", [](World& world) { world.remove(body(world, 3)).value(); }},
      {"detect once more", detect},
      {"change the technique", [](World& world) { world.set_technique("hash-grid", {}).value(); }},
      {"detect with another", detect},
      {"detect at rest", detect},
      {"restore", [](World& world) { world.restore(world.snapshot()).value(); }},
      {"detect the restored", detect},
  };
}

/// Makes a change with each of its allocations failing in turn, then with none failing; returns the number of
/// failures.
std::size_t make_with_failures(World& world, const NamedChange& change) {
  for (std::size_t allowed = 0;; ++allowed) {
    const std::uint64_t before = world.hash();
    try {
      const AllocationLimit limit(allowed);
      change.make(world);
    } catch (const std::bad_alloc&) {
      EXPECT_EQ(world.hash(), before) << change.name << " with " << allowed << " allocations";
      continue;
    }
    return allowed;
  }
}

class WorldOutOfMemory : public testing::TestWithParam<std::string_view> {};

INSTANTIATE_TEST_SUITE_P(Techniques, WorldOutOfMemory,
                         testing::Values("hierarchical-grid", "hash-grid", "uniform-grid", "sweep-and-prune",
                                         "brute-force"),
                         [](const auto& test) {
                           std::string name(test.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(WorldOutOfMemory, a_failed_allocation_leaves_the_world_as_it_was) {
  for (const Interest interest : {Interest::all, Interest::listeners}) {
    const auto make = [&] {
      World world = World::create({.interest = interest, .response = Response::bounce}).value();
      world.set_technique(GetParam()).value();
      const std::array<Shape, 1> more{Shape(Circle{.radius = 0.75F})};
      static_cast<void>(world.add(newcomers(more)).value());
      return world;
    };
    World world = make();
    World untroubled = make();
    Recording recording;
    Recording expected;
    world.record(&recording).value();
    untroubled.record(&expected).value();
    std::size_t failures = 0;
    for (int round = 0; round < 2; ++round) {
      for (const NamedChange& change : changes()) {
        failures += make_with_failures(world, change);
        change.make(untroubled);
        ASSERT_EQ(world.hash(), untroubled.hash()) << change.name;
      }
    }
    EXPECT_GT(failures, 200U);
    world.record(nullptr).value();
    untroubled.record(nullptr).value();
    EXPECT_EQ(recording.bytes().size(), expected.bytes().size());
  }
}

}  // namespace
}  // namespace broadside::test
