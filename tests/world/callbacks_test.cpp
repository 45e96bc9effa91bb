// Callbacks may throw, and may move or destroy the world.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "boxes.hpp"
#include "broadside/world/debug_draw.hpp"
#include "broadside/world/world.hpp"
#include "world/worlds.hpp"

namespace broadside::test::callbacks_test {
namespace {

/// The exception that callbacks throw: the number of the call.
struct Thrown {
  std::size_t call;
};

/// Throws at one call out of many.
class Bomb {
 public:
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

  void arm(std::size_t at) {
    calls_ = 0;
    at_ = at;
  }
  void call() {
    if (calls_++ == at_) {
      throw Thrown{at_};
    }
  }
  [[nodiscard]] std::size_t calls() const { return calls_; }
  [[nodiscard]] bool is_next() const { return calls_ == at_; }

 private:
  std::size_t calls_ = 0;
  std::size_t at_ = never;
};

using Heard = std::tuple<char, std::uint32_t, std::uint32_t, unsigned>;

bool may_touch_by_number(BodyId a, BodyId b) {
  return (a.index * 7 + b.index) % 5 != 0;
}

/// A world that records all events, with one `Bomb` in its listeners and one in its predicate.
struct Host {
  explicit Host(bool with_predicate) : world(make_world()) {
    for (const auto& [a, b] : {std::pair("a", "b"), std::pair("*", "a"), std::pair("", "b")}) {
      world.on_begin(a, b, [this](const BodyContact& contact) { hear('b', contact.a, contact.b, 0); });
      world.on_contact(a, b, [this](const BodyContact& contact) { hear('c', contact.a, contact.b, 1); });
      world.on_end(
          a, b, [this](const ContactEnd& end) { hear('e', end.a, end.b, static_cast<unsigned>(end.cause)); });
    }
    if (with_predicate) {
      world
          .set_predicate([this](BodyId a, BodyId b) {
            if (asked.is_next()) {
              thrown_for = {a, b};
            }
            asked.call();
            return may_touch_by_number(a, b);
          })
          .value();
    }
  }
  void hear(char kind, BodyId a, BodyId b, unsigned what) {
    heard.emplace_back(kind, a.index, b.index, what);
    told.call();
  }

  World world;
  Bomb told;
  Bomb asked;
  std::pair<BodyId, BodyId> thrown_for;
  std::vector<Heard> heard;
};

constexpr float seconds = 0.03F;

TEST(WorldCallbacks, a_listener_that_throws_loses_no_event_and_no_stage) {
  std::size_t threw = 0;
  for (const bool with_predicate : {false, true}) {
    Host host(with_predicate);
    Host twin(with_predicate);
    Recording recording;
    host.world.record(&recording).value();
    Random random(1);
    for (unsigned step = 0; step < 300; ++step) {
      disturb(host.world, step);
      disturb(twin.world, step);
      host.heard.clear();
      twin.heard.clear();
      host.told.arm(random.below(40));
      std::optional<std::size_t> caught;
      const bool in_stages = step % 3 == 0;
      if (in_stages) {
        host.world.integrate(seconds).value();
        host.world.detect().value();
      }
      try {
        (in_stages ? host.world.dispatch() : host.world.step(seconds)).value();
      } catch (const Thrown& thrown) {
        caught = thrown.call;
      }
      if (in_stages) {
        host.world.respond().value();
      }
      threw += caught ? 1U : 0U;
      twin.world.step(seconds).value();
      ASSERT_EQ(host.heard, twin.heard) << step;
      ASSERT_EQ(host.world.hash(), twin.world.hash()) << step;
    }
    host.world.record(nullptr).value();
    World again;
    if (with_predicate) {
      again.set_predicate(may_touch_by_number).value();
    }
    replay(recording, again).value();
    EXPECT_EQ(again.hash(), host.world.hash());
  }
  EXPECT_GT(threw, 50U);
}

TEST(WorldCallbacks, of_several_exceptions_the_first_is_thrown) {
  World world;
  for (int i = 0; i < 5; ++i) {
    world.add({.shape = Circle{.radius = 1}, .position = {static_cast<float>(i), 0}}).value();
  }
  std::size_t calls = 0;
  world.on_begin(World::any, World::any, [&](const BodyContact&) { throw Thrown{calls++}; });
  try {
    world.step(0).value();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Thrown& thrown) {
    EXPECT_EQ(thrown.call, 0U);
  }
  EXPECT_EQ(calls, world.begun().size());
}

// The predicate is called while pairs are found, for the causes of ends, and when bodies are separated.
TEST(WorldCallbacks, a_step_whose_predicate_throws_has_not_begun_or_is_done) {
  Host host(true);
  Host twin(true);
  Recording recording;
  host.world.record(&recording).value();
  Random random(3);
  std::size_t not_begun = 0;
  std::size_t done = 0;
  for (unsigned step = 0; step < 400; ++step) {
    disturb(host.world, step);
    disturb(twin.world, step);
    host.heard.clear();
    twin.heard.clear();
    twin.asked.arm(Bomb::never);
    twin.world.integrate(seconds).value();
    twin.world.detect().value();
    const std::size_t asked_in_detection = twin.asked.calls();
    twin.world.dispatch().value();
    twin.world.respond().value();
    const std::size_t asked = twin.asked.calls();
    // Two of three steps draw a call near the end of detection or after it: those calls are few.
    const std::array<std::size_t, 3> from{
        0, asked_in_detection - std::min<std::size_t>(8, asked_in_detection), asked_in_detection};
    std::size_t at = from[step % 3] + random.below(step % 3 == 0 ? 400 : 8);
    host.asked.arm(at);
    const std::uint64_t before = host.world.hash();
    bool threw = false;
    try {
      host.world.step(seconds).value();
    } catch (const Thrown&) {
      threw = true;
    }
    ASSERT_EQ(threw, at < asked) << step;
    if (at < asked_in_detection) {
      ++not_begun;
      ASSERT_EQ(host.world.hash(), before) << step << " at call " << at;
      ASSERT_TRUE(host.heard.empty());
      host.asked.arm(Bomb::never);
      host.world.step(seconds).value();
    } else if (threw) {
      ++done;  // and the pair of the call that threw counted as allowed
      if (!may_touch_by_number(host.thrown_for.first, host.thrown_for.second)) {
        ASSERT_EQ(host.heard, twin.heard) << step;
        twin.world.restore(host.world.snapshot()).value();
        host.world.restore(host.world.snapshot()).value();
      }
    }
    ASSERT_EQ(host.heard, twin.heard) << step;
    ASSERT_EQ(host.world.hash(), twin.world.hash()) << step << " at call " << at << " of " << asked;
  }
  EXPECT_GT(not_begun, 100U);
  RecordProperty("done", std::to_string(done));
}

// Which bodies are fast is a part of the state: `integrate` lists them for the next `detect`.
TEST(WorldCallbacks, a_step_whose_predicate_throws_keeps_what_integrate_did_before) {
  Host host(true);
  std::size_t threw = 0;
  for (unsigned step = 0; step < 100; ++step) {
    disturb(host.world, step);
    host.world.integrate(seconds).value();
    const std::uint64_t before = host.world.hash();
    host.asked.arm(0);
    try {
      host.world.step(seconds).value();
    } catch (const Thrown&) {
      ++threw;
      ASSERT_EQ(host.world.hash(), before) << step;
    }
    host.asked.arm(Bomb::never);
    host.world.step(seconds).value();
  }
  EXPECT_GT(threw, 50U);
}

TEST(WorldCallbacks, a_predicate_that_throws_for_the_cause_of_an_end_loses_no_end) {
  for (std::size_t at = 0; at < 6; ++at) {
    World world;
    Bomb bomb;
    std::vector<BodyId> bodies;
    for (int i = 0; i < 4; ++i) {
      bodies.push_back(
          world.add({.shape = Circle{.radius = 1}, .position = {0.1F * static_cast<float>(i), 0}}).value());
    }
    std::size_t ends = 0;
    world.on_end(World::any, World::any, [&](const ContactEnd&) { ++ends; });
    world
        .set_predicate([&](BodyId, BodyId) {
          bomb.call();
          return true;
        })
        .value();
    world.step(0).value();
    ASSERT_EQ(world.contacts().size(), 6U);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      world.move(bodies[i], Vec2{100.0F * static_cast<float>(i), 0}).value();
    }
    bomb.arm(at);
    EXPECT_THROW(static_cast<void>(world.step(0)), Thrown);
    EXPECT_EQ(world.contacts().size(), 6U);
    EXPECT_EQ(ends, 0U);
    world.step(0).value();
    EXPECT_EQ(ends, 6U);
    EXPECT_EQ(world.ended().size(), 6U);
  }
}

/// All queries with a callback; they call `visit` for each result.
std::vector<std::function<void(const World&)>> visits(const std::function<bool()>& visit) {
  return {
      [=](const World& world) {
        world.visit_area({{0, 0}, {20, 20}}, [&](BodyId) { return visit(); }).value();
      },
      [=](const World& world) {
        world.visit_point({10, 10}, [&](BodyId) { return visit(); }).value();
      },
      [=](const World& world) {
        world.visit_shape(Circle{.radius = 9}, {{9, 9}, {}}, [&](BodyId) { return visit(); }).value();
      },
      [=](const World& world) {
        world.visit_ray({0, 0}, {20, 20}, [&](const BodyHit&) { return visit(); }).value();
      },
      [=](const World& world) {
        world.visit_cast(Circle{.radius = 1}, {{0, 0}, {}}, {20, 20}, [&](const BodyHit&) { return visit(); })
            .value();
      },
      [=](const World& world) {
        const auto contacts_of = [&](BodyId body) { return world.contacts_of(body).value().size(); };
        const auto bodies = world.bodies();
        const BodyId body = *std::max_element(bodies.begin(), bodies.end(), [&](BodyId a, BodyId b) {
          return contacts_of(a) < contacts_of(b);
        });
        world.visit_contacts(body, [&](const BodyContact&) { return visit(); }).value();
      },
  };
}

TEST(WorldCallbacks, a_visitor_may_not_change_the_world) {
  World world = make_world();
  world.step(seconds).value();
  const std::uint64_t before = world.hash();
  std::size_t calls = 0;
  const auto all = visits([&] {
    for (const Error& error :
         {world.step(seconds).error(), world.detect().error(), world.dispatch().error(),
          world.add(BodyDef{}).error(), world.remove(world.bodies().front()).error(),
          world.set_technique("brute-force").error(), world.restore(world.snapshot()).error()}) {
      EXPECT_EQ(error.code, ErrorCode::locked) << error.message;
    }
    ++calls;
    return true;
  });
  for (const auto& visit : all) {
    calls = 0;
    visit(world);
    EXPECT_GT(calls, 0U);
    EXPECT_EQ(world.hash(), before);
    world.set_gravity(world.gravity()).value();
  }
}

TEST(WorldCallbacks, a_visitor_that_throws_changes_nothing) {
  World world = make_world();
  world.step(seconds).value();
  Bomb bomb;
  const auto all = visits([&] {
    bomb.call();
    return true;
  });
  const std::uint64_t before = world.hash();
  for (const auto& visit : all) {
    bomb.arm(Bomb::never);
    visit(world);
    const std::size_t calls = bomb.calls();
    for (std::size_t at = 0; at < calls; ++at) {
      bomb.arm(at);
      EXPECT_THROW(visit(world), Thrown);
      bomb.arm(Bomb::never);
      visit(world);
      ASSERT_EQ(bomb.calls(), calls);
      world.set_gravity(world.gravity()).value();
    }
  }
  EXPECT_EQ(world.hash(), before);
}

TEST(WorldCallbacks, a_meet_that_throws_leaves_the_body_where_it_was) {
  World world = make_world();
  Random random(9);
  std::size_t threw = 0;
  for (int round = 0; round < 300; ++round) {
    const auto bodies = world.bodies();
    const BodyId body = bodies[random.below(static_cast<std::uint32_t>(bodies.size()))];
    const Vec2 motion{random.between(-20, 20), random.between(-20, 20)};
    Bomb bomb;
    bomb.arm(random.below(4));
    const std::uint64_t before = world.hash();
    const auto respond = [&](const Obstacle&) {
      bomb.call();
      return random.below(2) == 0 ? SlideResponse::slide : SlideResponse::cross;
    };
    try {
      static_cast<void>(world.move_and_slide(body, motion, {.respond = respond}).value());
    } catch (const Thrown&) {
      ++threw;
      ASSERT_EQ(world.hash(), before);
    }
  }
  EXPECT_GT(threw, 30U);
}

// Worlds that were moved from.

TEST(WorldCallbacks, a_world_that_was_moved_from_refuses_every_call) {
  for (const bool assigned : {false, true}) {
    World world = make_world();
    world.step(seconds).value();
    const std::uint64_t hash = world.hash();
    const BodyId body = world.bodies().front();
    World owner;
    if (assigned) {
      owner = std::move(world);
    } else {
      World other(std::move(world));
      owner = std::move(other);
    }
    EXPECT_EQ(owner.hash(), hash);
    World& gone = world;  // NOLINT(bugprone-use-after-move): that is what is tested
    const std::array<BodyId, 1> list{body};
    const std::array<Vec2, 1> positions{Vec2{}};
    const std::array<Transform, 1> transforms{Transform{}};
    std::array<Vec2, 1> read{};
    std::vector<BodyContact> contacts;
    Recording recording;
    const auto bytes = owner.snapshot();
    const auto visit_body = [](BodyId) { return true; };
    const auto visit_ray = [](const BodyHit&) { return true; };
    const auto visit_cast = [](const BodyHit&) { return true; };
    const Shape shape = Circle{.radius = 1};
    const std::vector<Error> errors{
        gone.add(BodyDef{}).error(),
        gone.add(std::span<const BodyDef>{}).error(),
        gone.remove(body).error(),
        gone.remove(std::span<const BodyId>{}).error(),
        gone.move(body, Vec2{}).error(),
        gone.move(body, Transform{}).error(),
        gone.move(list, positions).error(),
        gone.move(list, transforms).error(),
        gone.move(std::span<const BodyId>{}, std::span<const Vec2>{}).error(),
        gone.teleport(body, Vec2{}).error(),
        gone.push(body, {}).error(),
        gone.move_and_slide(body, {}).error(),
        gone.transform(body).error(),
        gone.position(body).error(),
        gone.positions(list, read).error(),
        gone.positions({}, {}).error(),
        gone.transforms({}, {}).error(),
        gone.velocities({}, {}).error(),
        gone.velocity(body).error(),
        gone.set_velocity(body, {}).error(),
        gone.bounds(body).error(),
        gone.shapes(body).error(),
        gone.set_shape(body, shape).error(),
        gone.type(body).error(),
        gone.mass(body).error(),
        gone.enabled(body).error(),
        gone.set_enabled(body, true).error(),
        gone.sensor(body).error(),
        gone.set_sensor(body, true).error(),
        gone.bullet(body).error(),
        gone.set_bullet(body, true).error(),
        gone.user_data(body).error(),
        gone.set_user_data(body, 1).error(),
        gone.filter(body).error(),
        gone.set_filter(body, {}).error(),
        gone.tag(body).error(),
        gone.set_tag(body, "a").error(),
        gone.set_ignored(body, body, true).error(),
        gone.set_predicate({}).error(),
        gone.step(seconds).error(),
        gone.detect().error(),
        gone.dispatch().error(),
        gone.respond().error(),
        gone.integrate(seconds).error(),
        gone.set_gravity({}).error(),
        gone.touching(body, body).error(),
        gone.contacts_of(body).error(),
        gone.candidates(body).error(),
        gone.query_area({}).error(),
        gone.visit_area({}, visit_body).error(),
        gone.query_point({}).error(),
        gone.visit_point({}, visit_body).error(),
        gone.query_shape(shape, {}).error(),
        gone.visit_shape(shape, {}, visit_body).error(),
        gone.cast_ray({}, {1, 0}).error(),
        gone.visit_ray({}, {1, 0}, visit_ray).error(),
        gone.cast_shape(shape, {}, {1, 0}).error(),
        gone.visit_cast(shape, {}, {1, 0}, visit_cast).error(),
        gone.nearest({}).error(),
        gone.set_technique("hash-grid").error(),
        gone.restore(bytes).error(),
        gone.record(&recording).error(),
        gone.use_threads(nullptr).error(),
        replay(recording, gone).error().code == ErrorCode::none ? gone.step(0).error() : Error{},
    };
    for (std::size_t i = 0; i < errors.size(); ++i) {
      EXPECT_EQ(errors[i].code, ErrorCode::invalid_argument) << i << ": " << errors[i].message;
    }
    EXPECT_FALSE(gone.contains(body));
    EXPECT_EQ(gone.size(), 0U);
    EXPECT_TRUE(gone.bodies().empty());
    EXPECT_EQ(gone.on_begin("a", "b", [](const BodyContact&) {}), ListenerId());
    EXPECT_EQ(gone.on_contact("a", "b", [](const BodyContact&) {}), ListenerId());
    EXPECT_EQ(gone.on_end("a", "b", [](const ContactEnd&) {}), ListenerId());
    EXPECT_FALSE(gone.remove_listener(ListenerId{1}));
    EXPECT_EQ(gone.gravity(), Vec2{});
    EXPECT_TRUE(gone.contacts().empty());
    EXPECT_TRUE(gone.begun().empty());
    EXPECT_TRUE(gone.stayed().empty());
    EXPECT_TRUE(gone.ended().empty());
    EXPECT_TRUE(gone.shape_contacts().empty());
    EXPECT_NE(gone.why(body, body), "");
    EXPECT_EQ(gone.broad_phase().size(), 0U);
    gone.measure_times(true);
    gone.watch_queries(true);
    static_cast<void>(gone.bytes() + gone.contact_bytes());
    EXPECT_TRUE(gone.snapshot().empty());
    static_cast<void>(gone.hash());
    EXPECT_EQ(gone.number(), 0U);
    EXPECT_EQ(owner.hash(), hash);
    gone = std::move(owner);
    EXPECT_EQ(gone.hash(), hash);
    World& same = gone;
    gone = std::move(same);
    EXPECT_EQ(gone.hash(), hash);
    gone.step(seconds).value();
  }
}

TEST(WorldCallbacks, a_range_of_contacts_stays_valid_where_its_world_is_moved) {
  World world = make_world();
  world.step(seconds).value();
  const ContactRange range = world.contacts();
  ASSERT_FALSE(range.empty());
  const World other = std::move(world);
  for (const BodyContact contact : range) {
    EXPECT_TRUE(other.contains(contact.a));
  }
}

class NullDraw final : public DebugDraw {
 public:
  explicit NullDraw(std::function<void()> call) : call_(std::move(call)) {}
  void line(DrawPoint, DrawPoint, const DrawStyle&) override { call_(); }
  void box(const Aabb&, const DrawStyle&) override { call_(); }
  void circle(DrawPoint, double, const DrawStyle&) override { call_(); }
  void polygon(std::span<const DrawPoint>, const DrawStyle&) override { call_(); }
  void text(DrawPoint, std::string_view, const DrawStyle&) override { call_(); }

 private:
  std::function<void()> call_;
};

TEST(WorldCallbacks, a_drawer_may_throw_and_may_not_change_the_world) {
  World world = make_world();
  world.step(seconds).value();
  const std::uint64_t before = world.hash();
  std::size_t calls = 0;
  NullDraw drawer([&] {
    EXPECT_EQ(world.add(BodyDef{}).error().code, ErrorCode::locked);
    if (++calls == 20) {
      throw Thrown{calls};
    }
  });
  EXPECT_THROW(draw(world, drawer).value(), Thrown);
  EXPECT_EQ(world.hash(), before);
  world.set_gravity(world.gravity()).value();
}

// Each kind of callback, with code that makes a world call it; the callback runs `act`.
using Act = std::function<void()>;

struct Scene {
  std::string name;
  std::function<void(World& world, const Act& act)> run;
};

/// Sets a predicate that acts and lets every pair touch.
void set_predicate(World& world, const Act& act) {
  world
      .set_predicate([act](BodyId, BodyId) {
        act();
        return true;
      })
      .value();
}

std::vector<Scene> scenes() {
  std::vector<Scene> all{
      {"on_begin",
       [](World& world, const Act& act) {
         world.on_begin(World::any, World::any, [act](const BodyContact&) { act(); });
         static_cast<void>(world.step(seconds));
       }},
      {"on_contact",
       [](World& world, const Act& act) {
         world.on_contact(World::any, World::any, [act](const BodyContact&) { act(); });
         static_cast<void>(world.step(seconds));
       }},
      {"on_contact in dispatch",
       [](World& world, const Act& act) {
         world.step(seconds).value();
         world.on_contact(World::any, World::any, [act](const BodyContact&) { act(); });
         static_cast<void>(world.dispatch());
       }},
      {"on_end",
       [](World& world, const Act& act) {
         world.step(seconds).value();
         world.on_end(World::any, World::any, [act](const ContactEnd&) { act(); });
         const auto bodies = world.bodies();
         world.remove(std::span(bodies).first(bodies.size() / 2)).value();
         static_cast<void>(world.step(seconds));
       }},
      {"predicate of a step",
       [](World& world, const Act& act) {
         set_predicate(world, act);
         static_cast<void>(world.step(seconds));
       }},
      {"predicate of detect",
       [](World& world, const Act& act) {
         set_predicate(world, act);
         static_cast<void>(world.detect());
       }},
      {"predicate of respond",
       [](World& world, const Act& act) {
         world.detect().value();
         set_predicate(world, act);
         static_cast<void>(world.respond());
       }},
      {"predicate of move_and_slide",
       [](World& world, const Act& act) {
         bool asked = false;
         set_predicate(world, [&] {
           asked = true;
           act();
         });
         for (const BodyId body : world.bodies()) {
           static_cast<void>(world.move_and_slide(body, {9, 9}));
           if (asked) {
             return;
           }
         }
       }},
      {"predicate of why",
       [](World& world, const Act& act) {
         world.step(seconds).value();
         const BodyId a = world.contacts()[0].a;
         const BodyId b = world.contacts()[0].b;
         set_predicate(world, act);
         static_cast<void>(world.why(a, b));
       }},
      {"predicate of candidates",
       [](World& world, const Act& act) {
         world.step(seconds).value();
         const BodyId a = world.contacts()[0].a;
         set_predicate(world, act);
         static_cast<void>(world.candidates(a));
       }},
      {"respond",
       [](World& world, const Act& act) {
         for (const BodyId body : world.bodies()) {
           bool met = false;
           const auto respond = [&](const Obstacle&) {
             met = true;
             act();
             return SlideResponse::slide;
           };
           static_cast<void>(world.move_and_slide(body, {9, 9}, {.respond = respond}));
           if (met) {
             return;
           }
         }
       }},
      {"draw",
       [](World& world, const Act& act) {
         world.step(seconds).value();
         NullDraw drawer(act);
         const BodyId picked = world.contacts()[0].a;
         static_cast<void>(draw(world, drawer, {.boxes = true, .picked = picked}));
       }},
      {"replay",
       [](World& world, const Act& act) {
         Recording recording;
         World other = make_world();
         other.record(&recording).value();
         for (int i = 0; i < 3; ++i) {
           other.step(seconds).value();
         }
         other.record(nullptr).value();
         static_cast<void>(replay(recording, world, [act] {
           act();
           return true;
         }));
       }},
  };
  for (std::size_t i = 0; i < visits({}).size(); ++i) {
    all.push_back({"visitor " + std::to_string(i), [i](World& world, const Act& act) {
                     world.step(seconds).value();
                     visits([act] {
                       act();
                       return true;
                     })[i](world);
                   }});
  }
  return all;
}

// CI runs this test with AddressSanitizer, too.
TEST(WorldCallbacks, a_world_may_be_destroyed_by_any_callback_and_then_calls_no_other) {
  for (const Scene& scene : scenes()) {
    for (const std::size_t at : {0U, 1U, 5U}) {
      auto world = std::make_unique<World>(make_world());
      std::size_t calls = 0;
      scene.run(*world, [&] {
        if (calls++ == at) {
          world.reset();
        }
      });
      EXPECT_GT(calls, 0U) << scene.name;
      if (scene.name != "draw") {  // drawing goes on
        EXPECT_TRUE(world != nullptr || calls == at + 1) << scene.name << ", " << calls;
      }
    }
  }
}

TEST(WorldCallbacks, a_world_may_be_moved_or_assigned_to_by_any_callback) {
  for (const Scene& scene : scenes()) {
    for (const bool moves : {true, false}) {
      World world = make_world();
      World other;
      std::size_t calls = 0;
      scene.run(world, [&] {
        if (calls++ == 0) {
          if (moves) {
            other = std::move(world);
          } else {
            world = make_world();
          }
        }
      });
      EXPECT_GT(calls, 0U) << scene.name;
      World& owner = moves ? other : world;
      owner.set_predicate({}).value();
      for (int i = 0; i < 3; ++i) {
        owner.step(seconds).value();
      }
      EXPECT_GT(owner.size(), 50U) << scene.name;
    }
  }
}

TEST(WorldCallbacks, a_replay_whose_callback_throws_leaves_no_listener_behind) {
  const auto make = [] {
    World world = World::create({.interest = Interest::listeners}).value();
    world.add({.tag = "a"}).value();
    world.add({.tag = "a"}).value();
    return world;
  };
  Recording recording;
  World recorded = make();
  recorded.record(&recording).value();
  recorded.on_begin("a", "a", [](const BodyContact&) {});
  recorded.step(0).value();
  recorded.record(nullptr).value();
  World world = World::create({.interest = Interest::listeners}).value();
  EXPECT_THROW(static_cast<void>(replay(recording, world, []() -> bool { throw Thrown{0}; })), Thrown);
  EXPECT_EQ(world.contacts().size(), 1U);
  world.step(0).value();
  EXPECT_EQ(world.contacts().size(), 0U) << "somebody still waits for them";
}

}  // namespace
}  // namespace broadside::test::callbacks_test
