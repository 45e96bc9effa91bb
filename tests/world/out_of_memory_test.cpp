// The strong exception guarantee of a world: each change is tried with 0, 1, 2, ... allocations allowed until
// it succeeds. Compared with a world without a limit. For steps: what is skipped if memory runs out in a
// stage.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "broadside/world/recording.hpp"
#include "broadside/world/world.hpp"
#include "each_allocation.hpp"
#include "variants.hpp"
#include "world/worlds.hpp"

namespace broadside::test::out_of_memory_test {
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
std::vector<BodyDef> newcomers(std::span<const Shape> more) {
  std::vector<BodyDef> bodies;
  for (int i = 0; i < 40; ++i) {
    BodyDef one{.shape = Circle{.radius = 0.5F},
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
  static const std::array<Shape, 1> more{Shape(Box::of_half_size({1, 0.25F}))};
  const auto detect = [](World& world) { world.detect().value(); };
  const auto move_one = [](World& world) { world.move(body(world, 4), Vec2{9, 9}).value(); };
  return {
      {"detect all", detect},
      {"add many", [](World& world) { static_cast<void>(world.add(newcomers(more)).value()); }},
      {"detect after adding", detect},
      {"add one",
       [](World& world) {
         static_cast<void>(
             world.add({.shape = Box::of_half_size({2, 2}), .position = {8, 8}, .tag = "one"}).value());
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
         contacts = world.contacts_of(body(world, 5)).value();
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
         world.teleport(body(world, 7), {3, 3}, {}).value();
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
      {"skip a response of the last",
       [](World& world) { world.skip_response(world.bodies().back(), a_moving_body(world)).value(); }},
      {"skip a response of the first",
       [](World& world) { world.skip_response(body(world, 0), body(world, 1)).value(); }},
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
  const std::uint64_t before = world.hash();
  return static_cast<std::size_t>(fail_each_allocation(
      [&] { change.make(world); }, [&] { EXPECT_EQ(world.hash(), before) << change.name; }));
}

class WorldOutOfMemory : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Techniques, WorldOutOfMemory, testing::ValuesIn(test::technique_names()),
                         test::technique_name);

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

// Steps.

/// An event: its kind, and the indices of the two bodies.
using Heard = std::tuple<char, std::uint32_t, std::uint32_t>;

/// A stage that a step leaves out.
enum class Stage { none, dispatch, respond, integrate };

/// The state after a step, and the events that its listeners received.
struct Outcome {
  std::uint64_t hash = 0;
  std::vector<Heard> heard;

  friend bool operator==(const Outcome& a, const Outcome& b) = default;
};

/// A world whose listeners record events. At the first contact they add so many bodies that the motion after
/// them needs memory.
class HeardWorld {
 public:
  explicit HeardWorld(Response response)
      : response_(response), world_(World::create({.response = response, .gravity = {0, 3}}).value()) {
    heard_.reserve(4000);
    for (int i = 0; i < 70; ++i) {
      newcomers_.push_back(
          {.shape = Circle{.radius = 1}, .position = {1000.0F + 3.0F * static_cast<float>(i), 0}});
    }
    world_.on_contact("a", World::any, [this](const BodyContact& contact) {
      hear('c', contact.a, contact.b);
      if (!was_called_) {
        was_called_ = true;
        add_newcomers();
      }
    });
    world_.on_begin(World::any, "b", [this](const BodyContact& contact) { hear('b', contact.a, contact.b); });
    world_.on_end("b", World::any, [this](const ContactEnd& end) { hear('e', end.a, end.b); });
  }
  HeardWorld(const HeardWorld&) = delete;
  HeardWorld& operator=(const HeardWorld&) = delete;

  [[nodiscard]] World& world() { return world_; }
  [[nodiscard]] Outcome outcome() const { return {world_.hash(), heard_}; }
  /// Tells whether memory ran out while the newcomers were added, or they were not to be added.
  [[nodiscard]] bool lacks_newcomers() const { return lacks_newcomers_; }

  void restore(std::span<const std::byte> snapshot, bool adds) {
    world_.restore(snapshot).value();
    heard_.clear();
    adds_ = adds;
    was_called_ = false;
    lacks_newcomers_ = false;
  }

  /// Makes a step stage by stage, without one of them.
  void step_without(Stage stage, float seconds) {
    const bool moves_first = response_ == Response::bounce;
    if (moves_first) {
      world_.integrate(seconds).value();
    }
    world_.detect().value();
    if (stage != Stage::dispatch) {
      world_.dispatch().value();
    }
    if (stage != Stage::respond) {
      world_.respond().value();
    }
    if (!moves_first && stage != Stage::integrate) {
      world_.integrate(seconds).value();
    }
  }

 private:
  void hear(char kind, BodyId a, BodyId b) { heard_.emplace_back(kind, a.index, b.index); }

  void add_newcomers() {
    try {
      if (adds_) {
        static_cast<void>(world_.add(newcomers_).value());
        return;
      }
    } catch (const std::bad_alloc&) {
      adds_ = false;
    }
    lacks_newcomers_ = true;
  }

  Response response_;
  World world_;
  std::vector<BodyDef> newcomers_;
  std::vector<Heard> heard_;
  bool adds_ = true;
  bool was_called_ = false;
  bool lacks_newcomers_ = false;
};

/// Returns the state of a crowded world after up to two steps and some changes.
std::vector<std::byte> draw_state(Response response, Random& random) {
  World world = World::create({.response = response, .gravity = {0, 3}}).value();
  std::mt19937 shapes(random.bits());
  for (int i = 0; i < 50; ++i) {
    BodyDef body{.shape = some_shape(shapes),
                 .type = i % 5 == 0 ? BodyType::static_body : BodyType::dynamic,
                 .tag = std::array{"", "a", "b"}[random.below(3)],
                 .sensor = i % 11 == 0,
                 .bullet = i % 13 == 1};
    body.position.x = random.between(0, 12);
    body.position.y = random.between(0, 12);
    if (i % 6 == 0) {
      body.more_shapes.push_back(some_shape(shapes));
    }
    if (i % 5 != 0) {
      body.velocity.x = random.between(-5, 5);
      body.velocity.y = random.between(-5, 5);
    }
    static_cast<void>(world.add(body).value());
  }
  for (std::uint32_t steps = random.below(3); steps > 0; --steps) {
    world.step(0.02F).value();
    disturb(world, random.bits());
  }
  return world.snapshot();
}

TEST(StepOutOfMemory, skips_a_later_stage_without_memory_and_runs_the_others) {
#ifdef BROADSIDE_FEW_CASES
  constexpr int rounds = 1;
#else
  constexpr int rounds = 3;
#endif
  Random random(20261202);
  std::array<std::size_t, 4> skipped{};
  std::size_t not_begun = 0;
  for (const Response response : {Response::none, Response::bounce}) {
    HeardWorld world(response);
    HeardWorld twin(response);
    const std::array late{Stage::dispatch, response == Response::bounce ? Stage::respond : Stage::integrate};
    for (int round = 0; round < rounds; ++round) {
      const std::vector<std::byte> state = draw_state(response, random);
      const float seconds = random.between(0.01F, 0.04F);
      std::map<std::pair<Stage, bool>, Outcome> known;
      const auto expected = [&](Stage stage, bool adds) -> const Outcome& {
        const auto [at, is_new] = known.try_emplace(std::pair(stage, adds));
        if (is_new) {
          twin.restore(state, adds);
          twin.step_without(stage, seconds);
          at->second = twin.outcome();
        }
        return at->second;
      };
      bool struck = true;
      for (std::size_t allowed = 0; struck; ++allowed) {
        world.restore(state, true);
        const std::uint64_t before = world.outcome().hash;
        bool threw = false;
        {
          const SharedAllocationLimit limit(allowed, Failing::once);
          try {
            world.world().step(seconds).value();
          } catch (const std::bad_alloc&) {
            threw = true;
          }
          struck = limit.struck();
        }
        const Outcome found = world.outcome();
        const bool adds = !world.lacks_newcomers();
        if (!threw) {  // nothing failed, or only what can be done without
          ASSERT_TRUE(found == expected(Stage::none, adds)) << round << ", " << allowed << " allocations";
        } else if (found.hash == before && found.heard.empty()) {
          ++not_begun;
        } else {
          const auto stage =
              std::find_if(late.begin(), late.end(), [&](Stage one) { return found == expected(one, adds); });
          ASSERT_NE(stage, late.end()) << round << ", " << allowed << " allocations";
          ++skipped[static_cast<std::size_t>(*stage)];
        }
      }
    }
  }
  EXPECT_GT(not_begun, 50U);
  for (const Stage stage : {Stage::dispatch, Stage::respond, Stage::integrate}) {
    EXPECT_GT(skipped[static_cast<std::size_t>(stage)], 0U) << static_cast<int>(stage);
  }
}

// The first world of a process makes what all worlds share, so each round takes a process of its own.
[[noreturn]] void make_and_move_first_world(std::size_t allowed) {
  bool threw = false;
  bool struck = false;
  {
    const SharedAllocationLimit limit(allowed, Failing::once);
    try {
      World world = World::create({}).value();
      const World moved = std::move(world);
      world = World();
    } catch (const std::bad_alloc&) {
      threw = true;
    }
    struck = limit.struck();
  }
  World world;
  const World moved = std::move(world);
  std::_Exit(threw != struck ? 2 : struck ? 1 : 0);
}

TEST(FirstWorldOutOfMemory, is_refused_or_made_whichever_allocation_fails) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  std::size_t allowed = 0;
  for (int exit = 1; exit == 1; ++allowed) {
    EXPECT_EXIT(
        make_and_move_first_world(allowed),
        [&exit](int status) {
          using testing::ExitedWithCode;
          exit = ExitedWithCode(0)(status) ? 0 : ExitedWithCode(1)(status) ? 1 : -1;
          return exit >= 0;
        },
        "")
        << allowed << " allocations";
  }
  EXPECT_GT(allowed, 10U);
}

// `skip_response` is for one step, even if that step found no memory for its response.
TEST(StepOutOfMemory, skips_no_response_of_the_next_step) {
  Random random(20261203);
  std::size_t without_response = 0;
  for (int round = 0; round < 10; ++round) {
    const float speed = random.between(1, 6);
    bool struck = true;
    for (std::size_t allowed = 0; struck; ++allowed) {
      World world = World::create({.response = Response::bounce}).value();
      const BodyId ball = world.add({.shape = Circle{.radius = 1}, .velocity = {speed, 0}}).value();
      static_cast<void>(world
                            .add({.shape = Box::of_half_size({1, 10}),
                                  .type = BodyType::static_body,
                                  .position = {2.01F, 0}})
                            .value());
      world.on_begin(World::any, World::any,
                     [&](const BodyContact& contact) { world.skip_response(contact.a, contact.b).value(); });
      bool threw = false;
      {
        const SharedAllocationLimit limit(allowed, Failing::once);
        try {
          world.step(1.0F / 60).value();
        } catch (const std::bad_alloc&) {
          threw = true;
        }
        struck = limit.struck();
      }
      if (world.contacts().empty()) {  // memory ran out before contacts were found
        world.step(1.0F / 60).value();
      } else if (threw && world.velocity(ball).value().x > 0.0F) {
        ++without_response;
      }
      world.step(1.0F / 60).value();
      ASSERT_LT(world.velocity(ball).value().x, 0.0F) << round << ", " << allowed << " allocations";
    }
  }
  EXPECT_GT(without_response, 0U);
}

}  // namespace
}  // namespace broadside::test::out_of_memory_test
