#include "broadside/adapters/ecs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "adapters/registry.hpp"
#include "allocation_watch.hpp"
#include "boxes.hpp"

namespace broadside::ecs {
namespace {

using test::Entity;

struct Position {
  float x = 0.0F;
  float y = 0.0F;
};

using Body = Collider<Entity>;
using Registry = test::Registry<Position, Body>;
using System = CollisionSystem<Entity, Position>;

static_assert(EntityRegistry<Registry, Entity, Position>);
static_assert(!EntityRegistry<test::Registry<Position>, Entity, Position>);
static_assert(!EntityRegistry<std::vector<int>, Entity, Position>);

Entity add(Registry& registry, Position position, Body body) {
  const Entity entity = registry.create();
  registry.emplace(entity, position);
  registry.emplace(entity, std::move(body));
  return entity;
}

/// Returns a box of side 10.
Body boxed(std::string tag) {
  return {.width = 10, .height = 10, .tag = std::move(tag)};
}

class Ecs : public ::testing::Test {
 protected:
  /// Records `name` and the tag whenever `entity` touches an entity of that tag.
  void log(Entity entity, const std::string& name, const std::string& target) {
    registry.get<Body>(entity).callbacks[target] = [this, name, target] {
      calls.push_back(name + ": " + target);
    };
  }
  std::vector<std::string> update() {
    calls.clear();
    system.update(registry).value();
    return calls;
  }

  Registry registry;
  System system;
  std::vector<std::string> calls;
};

using Calls = std::vector<std::string>;

TEST_F(Ecs, follows_the_components) {
  const Entity player = add(registry, {0, 0}, boxed("player"));
  const Entity food = add(registry, {50, 0}, boxed("food"));
  log(player, "player", "food");
  EXPECT_EQ(update(), Calls{});
  registry.get<Position>(food).x = 10;
  EXPECT_EQ(update(), Calls{"player: food"}) << "touching counts";
  EXPECT_EQ(update(), Calls{"player: food"}) << "each time";
  registry.get<Body>(food).tag = "stone";
  EXPECT_EQ(update(), Calls{});
  registry.get<Body>(food).tag = "food";
  registry.get<Body>(player).width = 9;
  EXPECT_EQ(update(), Calls{});
  registry.get<Body>(player).shape = Circle{.center = {5, 5}, .radius = 5};
  EXPECT_EQ(update(), Calls{"player: food"});
  registry.get<Body>(player).shape.reset();
  EXPECT_EQ(update(), Calls{});
  registry.get<Body>(player).width = 10;
  registry.get<Body>(food).filter.mask = 0;
  EXPECT_EQ(update(), Calls{});
  registry.get<Body>(food).filter = {};
  registry.get<Body>(food).enabled = false;
  EXPECT_EQ(update(), Calls{});
  registry.get<Body>(food).enabled = true;
  registry.get<Body>(food).type = BodyType::static_body;
  EXPECT_EQ(update(), Calls{"player: food"});
  registry.get<Body>(player).type = BodyType::static_body;
  EXPECT_EQ(update(), Calls{}) << "two static ones never touch";
  registry.get<Body>(player).type = BodyType::kinematic;
  registry.get<Body>(food).type = BodyType::dynamic;
  EXPECT_EQ(update(), Calls{"player: food"});
  registry.get<Body>(player).callbacks.clear();
  log(player, "player", "poison");
  EXPECT_EQ(update(), Calls{});
  log(food, "food", "player");
  EXPECT_EQ(update(), Calls{"food: player"});
  registry.remove<Body>(player);
  EXPECT_EQ(update(), Calls{});
  EXPECT_EQ(system.world().size(), 1U);
  registry.destroy(food);
  EXPECT_EQ(update(), Calls{});
  EXPECT_EQ(system.world().size(), 0U);
}

TEST_F(Ecs, calls_both_entities_and_one_callback_for_each_tag) {
  const Entity a = add(registry, {0, 0}, boxed("a"));
  const Entity b = add(registry, {5, 0}, boxed("b"));
  const Entity other_a = add(registry, {0, 5}, boxed("a"));
  log(a, "first a", "b");
  log(a, "first a", "a");
  log(other_a, "second a", "a");
  log(b, "b", "a");
  // The view runs backwards: the last entity is found first.
  EXPECT_EQ(update(), (Calls{"b: a", "second a: a", "first a: a", "b: a", "first a: b"}));
  log(a, "instead", "b");
  EXPECT_EQ(update(), (Calls{"b: a", "second a: a", "first a: a", "b: a", "instead: b"}));
  log(a, "a", std::string(World::any));
  registry.get<Body>(a).callbacks.erase("b");
  EXPECT_EQ(update(), (Calls{"b: a", "second a: a", "first a: a", "b: a", "a: *"}));
}

TEST_F(Ecs, passes_entities_and_contact_to_callbacks) {
  const Entity a = add(registry, {0, 0}, boxed("a"));
  const Entity b = add(registry, {8, 0}, boxed("b"));
  int called = 0;
  registry.get<Body>(a).callbacks["b"] = [&](Entity self, Entity other, const BodyContact& contact) {
    ++called;
    EXPECT_EQ(self, a);
    EXPECT_EQ(other, b);
    EXPECT_EQ(contact.manifold.normal, (Vec2{1, 0}));
    EXPECT_EQ(system.entity(contact.a), a);
    EXPECT_EQ(system.body(b), contact.b);
  };
  registry.get<Body>(b).callbacks["a"] = [&](Entity self, Entity other, const BodyContact& contact) {
    ++called;
    EXPECT_EQ(self, b);
    EXPECT_EQ(other, a);
    EXPECT_EQ(contact.manifold.normal, (Vec2{-1, 0}));
  };
  system.on_contact("b", "a", [&](Entity first, Entity second) {
    ++called;
    EXPECT_EQ(first, b);
    EXPECT_EQ(second, a);
  });
  update();
  EXPECT_EQ(called, 3);
}

TEST_F(Ecs, reports_which_contacts_begin_and_end) {
  const Entity player = add(registry, {0, 0}, boxed("player"));
  const Entity food = add(registry, {5, 0}, boxed("food"));
  const Entity other_food = add(registry, {0, 5}, boxed("food"));
  system.on_begin("player", "food", [&] { calls.emplace_back("begin"); });
  const auto listener = system.on_contact(World::any, "food", [&] { calls.emplace_back("contact"); });
  system.on_end("player", "food", [&](Entity a, Entity b, const ContactEnd& end) {
    EXPECT_EQ(a, player);
    calls.push_back("end of " + std::string(b == food ? "food: " : "the other: ") +
                    std::string(name(end.cause)));
  });
  // The two foods touch too: both match any tag, so the listener is called for both orders of the two.
  EXPECT_EQ(update(), (Calls{"contact", "contact", "begin", "contact", "begin", "contact"}));
  registry.destroy(food);
  EXPECT_EQ(update(), (Calls{"contact", "end of food: removed"}));
  EXPECT_TRUE(system.remove_listener(listener));
  const Entity again = add(registry, {100, 0}, boxed("food"));
  EXPECT_NE(again, food);
  registry.get<Position>(other_food).x = 50;
  EXPECT_EQ(update(), (Calls{"end of the other: parted"}));
  EXPECT_EQ(update(), Calls{});
}

TEST_F(Ecs, keeps_entities_apart_whatever_the_order_of_the_view) {
  std::vector<Entity> entities;
  for (int i = 0; i < 20; ++i) {
    entities.push_back(add(registry, {100.0F * static_cast<float>(i), 0}, boxed("stone")));
  }
  update();
  std::vector<BodyId> bodies;
  for (const Entity entity : entities) {
    bodies.push_back(system.body(entity).value());
  }
  for (const std::size_t gone : {3U, 0U, 19U, 7U}) {
    registry.destroy(entities[gone]);
    add(registry, {0, 100}, boxed("stone"));
    update();
    EXPECT_EQ(system.body(entities[gone]), std::nullopt);
    EXPECT_EQ(system.entity(bodies[gone]), std::nullopt);
    entities[gone] = entities[1];
    bodies[gone] = bodies[1];
    for (std::size_t i = 0; i < entities.size(); ++i) {
      EXPECT_EQ(system.body(entities[i]), bodies[i]);
      EXPECT_EQ(system.entity(bodies[i]), entities[i]);
    }
  }
  EXPECT_EQ(system.world().size(), 20U);
}

TEST_F(Ecs, lets_callbacks_destroy_at_once) {
  // Destroys the entity whose callback runs, the callback with it, and all others.
  for (int i = 0; i < 10; ++i) {
    const Entity entity = add(registry, {static_cast<float>(i), 0}, boxed("a"));
    registry.get<Body>(entity).callbacks["a"] = [&, self = entity, text = std::string(100, 'x')](
                                                    Entity me, Entity other) {
      EXPECT_EQ(self, me);
      registry.destroy(me);
      registry.destroy(other);
      calls.push_back(text);
      add(registry, {1000, 0}, boxed("a"));
    };
  }
  EXPECT_EQ(update().size(), 5U) << "each is gone after its first callback";
  EXPECT_EQ(update(), Calls{});
  EXPECT_EQ(system.world().size(), 5U);
}

TEST_F(Ecs, lets_callbacks_destroy_later) {
  const Entity player = add(registry, {0, 0}, boxed("player"));
  const Entity food = add(registry, {5, 0}, boxed("food"));
  const Entity poison = add(registry, {0, 5}, boxed("poison"));
  system.on_contact("player", "food", [&](Entity, Entity eaten) {
    calls.emplace_back("food");
    system.destroy_later(eaten);
    system.destroy_later(eaten);
    EXPECT_TRUE(registry.valid(eaten)) << "not yet";
  });
  system.on_contact("food", "player", [&] { calls.emplace_back("a callback of what was eaten"); });
  system.on_contact("poison", "food", [&] { calls.emplace_back("another one"); });
  system.on_end(World::any, "food",
                [&](Entity a, Entity) { calls.emplace_back(a == player ? "end" : "other end"); });
  calls = update();
  EXPECT_EQ(std::count(calls.begin(), calls.end(), "food"), 1);
  EXPECT_EQ(std::count(calls.begin(), calls.end(), "a callback of what was eaten"), 0);
  EXPECT_FALSE(registry.valid(food));
  EXPECT_EQ(update(), (Calls{"other end", "end"}));
  system.destroy_later(poison);
  system.destroy_later(food);
  EXPECT_TRUE(registry.valid(poison)) << "between updates it waits for the next";
  EXPECT_EQ(update(), Calls{});
  EXPECT_FALSE(registry.valid(poison));
  EXPECT_EQ(system.world().size(), 1U);
}

TEST_F(Ecs, lets_callbacks_change_listeners) {
  const Entity player = add(registry, {0, 0}, boxed("player"));
  add(registry, {5, 0}, boxed("food"));
  broadside::ListenerId second;
  system.on_contact("player", "food", [&] {
    calls.emplace_back("first");
    system.remove_listener(second);
    registry.get<Body>(player).callbacks.clear();
    if (calls.size() == 2) {
      system.on_begin("player", "food", [&] { calls.emplace_back("never: it began before"); });
    }
    EXPECT_EQ(system.update(registry).error().code, ErrorCode::locked);
  });
  second = system.on_contact("player", "food", [&] { calls.emplace_back("second"); });
  log(player, "player", "food");
  EXPECT_EQ(update(), (Calls{"player: food", "first"}));
  EXPECT_EQ(update(), Calls{"first"});
}

TEST_F(Ecs, refuses_invalid_components_and_changes_nothing) {
  const Entity player = add(registry, {0, 0}, boxed("player"));
  const Entity food = add(registry, {5, 0}, boxed("food"));
  log(player, "player", "food");
  EXPECT_EQ(update(), Calls{"player: food"});
  const auto refused = [&](ErrorCode code, const std::string& message) {
    calls.clear();
    registry.get<Position>(player).x = 500;
    const auto result = system.update(registry);
    registry.get<Position>(player).x = 0;
    EXPECT_EQ(result.error().code, code);
    EXPECT_EQ(result.error().message, message);
    EXPECT_EQ(calls, Calls{});
    EXPECT_EQ(system.world().position(system.body(player).value()).value(), (Vec2{0, 0}));
  };
  registry.get<Position>(food).y = std::numeric_limits<float>::quiet_NaN();
  refused(ErrorCode::not_finite, "entity 1: position must be finite");
  registry.get<Position>(food).y = 0;
  registry.get<Body>(food).width = -20;
  const auto width = system.update(registry);
  EXPECT_EQ(width.error().code, ErrorCode::invalid_argument)
      << "EB5: what shrank below nothing is reported for";
  EXPECT_EQ(width.error().message.substr(0, 10), "entity 1: ");
  registry.get<Body>(food).width = std::numeric_limits<float>::infinity();
  EXPECT_EQ(system.update(registry).error().code, ErrorCode::not_finite);
  registry.get<Body>(food).width = 10;
  EXPECT_EQ(update(), Calls{"player: food"});
  EXPECT_EQ(system.update(registry, -1).error().code, ErrorCode::invalid_argument);
  const Entity wall = add(registry, {0, 0}, {.type = BodyType::static_body, .velocity = {1, 0}});
  refused(ErrorCode::invalid_argument, "entity 2: a static entity must have velocity 0");
  registry.destroy(wall);
  EXPECT_EQ(update(), Calls{"player: food"});
}

TEST_F(Ecs, refuses_every_non_finite_number_and_changes_nothing) {
  const Entity player = add(registry, {0, 0}, boxed("player"));
  const Entity food = add(registry, {5, 0}, boxed("food"));
  log(player, "player", "food");
  EXPECT_EQ(update(), Calls{"player: food"});
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity}) {
    EXPECT_EQ(system.update(registry, bad).error().code, ErrorCode::invalid_argument);
    for (const bool along_y : {false, true}) {
      (along_y ? registry.get<Position>(food).y : registry.get<Position>(food).x) = bad;
      EXPECT_EQ(system.update(registry).error().code, ErrorCode::not_finite);
      registry.get<Position>(food) = {5, 0};
      Body fast = boxed("fast");
      (along_y ? fast.velocity.y : fast.velocity.x) = bad;
      const Entity newcomer = add(registry, {300, 0}, fast);
      EXPECT_EQ(system.update(registry).error().code, ErrorCode::not_finite);
      registry.destroy(newcomer);
    }
    EXPECT_EQ(system.world().size(), 2U);
  }
  const Entity far = add(registry, {3e38F, 0}, {.width = 1, .height = 1, .velocity = {3e38F, 0}});
  EXPECT_EQ(system.update(registry, 1).error().code, ErrorCode::not_finite) << "beyond the largest float";
  EXPECT_EQ(registry.get<Position>(far).x, 3e38F);
  registry.destroy(far);
  EXPECT_EQ(update(), Calls{"player: food"});
}

TEST_F(Ecs, refuses_more_filters_than_a_world_takes) {
  const auto with = [](std::uint32_t i) {
    Body body = boxed("a");
    body.filter = {.layer = 2, .mask = i, .wants = 0};
    return body;
  };
  Entity last{};
  constexpr std::uint32_t most = 19'999;  // plus the default one
  for (std::uint32_t i = 0; i < most; ++i) {
    last = add(registry, {static_cast<float>(20 * i), 0}, with(i));
  }
  EXPECT_TRUE(system.update(registry).has_value());
  const Entity newcomer = add(registry, {0, 100}, with(most));
  EXPECT_EQ(system.update(registry).error().code, ErrorCode::invalid_argument);
  registry.destroy(newcomer);
  registry.get<Body>(last).filter = with(most).filter;
  registry.get<Position>(last).y = 50;
  const Vec2 before = system.world().transform(*system.body(last))->position;
  EXPECT_EQ(system.update(registry).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(system.world().transform(*system.body(last))->position, before);
  registry.get<Body>(last).filter = with(0).filter;
  registry.get<Body>(last).tag = "b";
  EXPECT_TRUE(system.update(registry).has_value());
  EXPECT_EQ(system.world().transform(*system.body(last))->position.y, 50.0F);
  add(registry, {0, 100}, with(most));
  EXPECT_TRUE(system.update(registry).has_value()) << "one is free again";
}

TEST_F(Ecs, empty_callbacks_are_never_called) {
  const Entity player = add(registry, {0, 0}, boxed("player"));
  add(registry, {5, 0}, boxed("food"));
  registry.get<Body>(player).callbacks["food"] = {};
  registry.get<Body>(player).callbacks[World::any.data()] = std::function<void(Entity, Entity)>();
  system.on_contact("player", "food", std::function<void()>());
  system.on_begin("player", World::any, static_cast<void (*)()>(nullptr));
  system.on_end("player", "food", {});
  EXPECT_EQ(update(), Calls{});
  EXPECT_EQ(system.world().contacts().size(), 1U);
}

TEST_F(Ecs, tests_only_pairs_with_a_listener) {
  for (int i = 0; i < 10; ++i) {
    add(registry, {static_cast<float>(i), 0}, boxed("food"));
    add(registry, {0, static_cast<float>(i)}, boxed("poison"));
  }
  update();
  EXPECT_EQ(system.world().broad_phase().statistics().hits, 0U);
  const Entity player = add(registry, {0, 0}, boxed("player"));
  log(player, "player", "food");
  EXPECT_EQ(update().size(), 10U);
  EXPECT_EQ(system.world().broad_phase().statistics().hits, 10U);
  registry.get<Body>(player).callbacks.clear();
  update();
  EXPECT_EQ(system.world().broad_phase().statistics().hits, 0U);
}

TEST_F(Ecs, costs_nothing_at_rest) {
  for (int i = 0; i < 100; ++i) {
    log(add(registry, {5.0F * static_cast<float>(i), 0}, boxed("a")), "a", "a");
  }
  const std::size_t called = update().size();
  update();
  const auto* contacts = system.world().shape_contacts().data();
  EXPECT_EQ(update().size(), called);
  EXPECT_EQ(system.world().shape_contacts().data(), contacts) << "not even found again";
}

TEST_F(Ecs, a_steady_update_allocates_nothing) {
  int called = 0;
  std::vector<Entity> entities;
  for (int i = 0; i < 200; ++i) {
    entities.push_back(add(registry, {5.0F * static_cast<float>(i), 0}, boxed(i % 2 == 0 ? "a" : "b")));
    registry.get<Body>(entities.back()).callbacks["a"] = [&] { ++called; };
  }
  system.on_contact("a", World::any, [&] { ++called; });
  system.on_end("b", "b", [&] { ++called; });
  const auto play = [&] {
    for (int step = 0; step < 8; ++step) {
      for (std::size_t i = 0; i < entities.size(); i += 3) {
        registry.get<Position>(entities[i]).y = 4.0F * static_cast<float>(step);
      }
      system.update(registry).value();
    }
  };
  play();
  play();
  called = 0;
  const test::AllocationWatch watch;
  play();
  EXPECT_EQ(watch.count(), 0U);
  EXPECT_GT(called, 1000);
}

TEST_F(Ecs, moves_entities_by_their_velocity) {
  Body moving = boxed("a");
  moving.velocity = {60, 0};
  const Entity a = add(registry, {0, 0}, moving);
  const Entity b = add(registry, {100, 0}, boxed("b"));
  for (int i = 0; i < 30; ++i) {
    system.update(registry, 1.0F / 60).value();
  }
  EXPECT_NEAR(registry.get<Position>(a).x, 30.0F, 1e-3F);
  EXPECT_EQ(registry.get<Position>(b).x, 100.0F);
  registry.get<Position>(a).y = 50;
  system.update(registry, 1.0F / 60).value();
  EXPECT_NEAR(registry.get<Position>(a).x, 31.0F, 1e-3F);
  EXPECT_NEAR(registry.get<Position>(a).y, 50.0F, 1e-3F) << "who is moved keeps his velocity";
  system.update(registry).value();
  EXPECT_NEAR(registry.get<Position>(a).x, 31.0F, 1e-3F) << "no time, no motion";
}

TEST_F(Ecs, refuses_a_type_that_does_not_exist_and_changes_nothing) {
  const Entity a = add(registry, {0, 0}, boxed("a"));
  const Entity b = add(registry, {5, 0}, boxed("b"));
  log(a, "a", "b");
  EXPECT_EQ(update(), Calls{"a: b"});
  for (unsigned value = 3; value < 256; ++value) {
    registry.get<Body>(b).type = static_cast<BodyType>(value);
    const std::uint64_t before = system.world().hash();
    const Error error = system.update(registry).error();
    EXPECT_EQ(error.code, ErrorCode::invalid_argument);
    EXPECT_NE(error.message.find("type " + std::to_string(value)), std::string::npos) << error.message;
    EXPECT_EQ(system.world().hash(), before);
  }
  registry.get<Body>(b).type = BodyType::kinematic;
  EXPECT_EQ(update(), Calls{"a: b"});
}

TEST_F(Ecs, bounces_if_the_response_of_the_world_is_bounce) {
  System bouncing(World::create({.response = Response::bounce}).value());
  Body moving = {.shape = Circle{.radius = 1}, .velocity = {60, 0}};
  const Entity a = add(registry, {0, 0}, moving);
  const Entity b = add(registry, {5, 0}, {.shape = Circle{.radius = 1}});
  for (int i = 0; i < 60; ++i) {
    bouncing.update(registry, 1.0F / 60).value();
  }
  EXPECT_LT(registry.get<Position>(a).x, 4.5F);
  EXPECT_GT(registry.get<Position>(b).x, 50.0F);
}

TEST_F(Ecs, takes_any_name_for_a_tag) {
  const std::vector<std::string> names{"constructor", "toString", "__proto__", "", "a|b"};
  for (const std::string& name : names) {
    const Entity entity = add(registry, {0, 0}, boxed(name));
    if (name == "toString") {
      log(entity, name, "constructor");
    }
  }
  EXPECT_EQ(update(), Calls{"toString: constructor"}) << "EB6: a name is a name";
}

TEST_F(Ecs, leaves_other_bodies_of_its_world_alone) {
  const Entity player = add(registry, {0, 0}, boxed("player"));
  log(player, "player", "wall");
  system.on_contact("player", "wall", [&] { calls.emplace_back("wall"); });
  const BodyId wall =
      system.world()
          .add({.shape = Box::of_half_size({5, 5}), .type = BodyType::static_body, .tag = "wall"})
          .value();
  EXPECT_EQ(update(), Calls{}) << "there is no entity to hand over";
  EXPECT_EQ(system.world().contacts().size(), 1U);
  EXPECT_EQ(system.entity(wall), std::nullopt);
}

TEST_F(Ecs, leaves_bodies_alone_that_were_added_before_and_after_its_own) {
  const auto add_wall = [&] {
    return system.world()
        .add({.shape = Box::of_half_size({5, 5}), .type = BodyType::static_body, .tag = "wall"})
        .value();
  };
  const BodyId before = add_wall();
  const Entity player = add(registry, {0, 0}, boxed("player"));
  log(player, "player", "wall");
  system.on_contact("player", "wall", [&] { calls.emplace_back("wall"); });
  system.on_contact("wall", "player", [&] { calls.emplace_back("wall"); });
  EXPECT_EQ(update(), Calls{});
  const BodyId after = add_wall();
  EXPECT_EQ(update(), Calls{});
  EXPECT_EQ(system.world().contacts().size(), 2U);
  EXPECT_EQ(system.entity(before), std::nullopt);
  EXPECT_EQ(system.entity(after), std::nullopt);
  EXPECT_EQ(system.entity(*system.body(player)), player);
  const BodyId gone = *system.body(player);
  registry.destroy(player);
  EXPECT_EQ(update(), Calls{});
  EXPECT_EQ(system.entity(gone), std::nullopt);
}

/// A position type that is not ours.
struct Place {
  double across = 0.0;
  double down = 0.0;
  float angle = 0.0F;
};

}  // namespace

template <>
struct PositionTraits<Place> {
  static Transform read(const Place& place) {
    return {{static_cast<float>(place.across), static_cast<float>(place.down)}, Rotation::by(place.angle)};
  }
  static void write(Place& place, const Transform& transform) {
    place.across = static_cast<double>(transform.position.x);
    place.down = static_cast<double>(transform.position.y);
  }
};

namespace {

TEST_F(Ecs, retries_the_moves_that_an_error_of_another_entity_prevented) {
  const Entity lost = add(registry, {0, 0}, boxed("a"));
  const Entity player = add(registry, {0, 0}, boxed("a"));
  const Entity food = add(registry, {100, 0}, boxed("food"));
  log(player, "player", "food");
  update();
  system.world().remove(*system.body(lost)).value();  // a misuse: bodies of the system must not be removed
  registry.get<Position>(lost).x = 50;
  registry.get<Position>(player).x = 100;
  EXPECT_EQ(system.update(registry).error().code, ErrorCode::stale_id);
  registry.destroy(lost);
  EXPECT_EQ(update(), Calls{"player: food"});
  EXPECT_TRUE(registry.valid(food));
}

TEST_F(Ecs, lets_callbacks_step_the_world) {
  for (int i = 0; i < 20; ++i) {
    add(registry, {0, 0}, boxed("a"));
  }
  std::size_t called = 0;
  system.on_contact("a", "a", [&] {
    ++called;
    EXPECT_TRUE(system.world().step(0).has_value());
  });
  update();
  EXPECT_EQ(called, 190U);
}

TEST(EcsPosition, may_be_of_any_type_and_turned) {
  test::Registry<Place, Body> registry;
  CollisionSystem<Entity, Place> system;
  const Entity a = registry.create();
  registry.emplace(a, Place{0, 0, 0});
  registry.emplace(a, Body{.shape = Box::of_half_size({5, 1}), .tag = "a"});
  const Entity b = registry.create();
  registry.emplace(b, Place{0, 4, 0});
  registry.emplace(b, Body{.shape = Box::of_half_size({1, 1}), .tag = "b"});
  int touched = 0;
  system.on_contact("a", "b", [&] { ++touched; });
  system.update(registry).value();
  EXPECT_EQ(touched, 0);
  registry.get<Place>(a).angle = 1.5707964F;
  system.update(registry).value();
  EXPECT_EQ(touched, 1);
}

struct Cell {
  int x = 0;
  int y = 0;
};

// The world keeps the fractions that integers lose, so that slow entities move, too.
TEST(EcsPosition, of_integers_follows_the_same_path_as_of_floats) {
  test::Random random(20261126);
  for (int game = 0; game < 100; ++game) {
    test::Registry<Cell, Body> cells;
    CollisionSystem<Entity, Cell> with_cells;
    Registry floats;
    System with_floats;
    const Vec2 velocity{random.between(-40, 40), random.between(-40, 40)};
    const Entity a = cells.create();
    cells.emplace(a, Cell{3, -4});
    cells.emplace(a, Body{.width = 1, .height = 1, .velocity = velocity});
    const Entity b = add(floats, {3, -4}, {.width = 1, .height = 1, .velocity = velocity});
    for (int frame = 0; frame < 60; ++frame) {
      if (frame > 0 && random.below(20) == 0) {
        const Cell to{static_cast<int>(random.below(200)) - 100, static_cast<int>(random.below(200)) - 100};
        cells.get<Cell>(a) = to;
        floats.get<Position>(b) = {static_cast<float>(to.x), static_cast<float>(to.y)};
        // Not noticed if the integers are those that the entity had anyway.
        with_cells.world()
            .move(*with_cells.body(a), Vec2{floats.get<Position>(b).x, floats.get<Position>(b).y})
            .value();
      }
      const float seconds = random.below(5) == 0 ? 0.0F : random.between(0, 0.05F);
      with_cells.update(cells, seconds).value();
      with_floats.update(floats, seconds).value();
      ASSERT_EQ(cells.get<Cell>(a).x, static_cast<int>(floats.get<Position>(b).x)) << game << ' ' << frame;
      ASSERT_EQ(cells.get<Cell>(a).y, static_cast<int>(floats.get<Position>(b).y)) << game << ' ' << frame;
    }
  }
}

TEST(EcsOrder, is_that_of_the_bodies_and_these_reuse_indices) {
  using Pairs = std::vector<std::pair<Entity, Entity>>;
  test::Random random(20261127);
  std::size_t callbacks = 0;
  for (int game = 0; game < 200; ++game) {
    Registry registry;
    System system;
    std::vector<Entity> all;
    Pairs of_colliders;
    Pairs of_listeners;
    system.on_contact(World::any, World::any, [&](Entity a, Entity b) { of_listeners.emplace_back(a, b); });
    std::vector<std::uint32_t> free;
    std::uint32_t next = 0;
    for (int frame = 0; frame < 12; ++frame) {
      std::vector<std::uint32_t> freed;
      for (std::uint32_t i = random.below(4); i > 0 && !all.empty(); --i) {
        const auto at = all.begin() + random.below(static_cast<std::uint32_t>(all.size()));
        if (const auto body = system.body(*at)) {
          freed.push_back(body->index);
        }
        registry.destroy(*at);
        all.erase(at);
      }
      for (std::uint32_t i = random.below(6); i > 0; --i) {
        Body body = boxed("a");
        body.callbacks[World::any.data()] = [&](Entity a, Entity b) { of_colliders.emplace_back(a, b); };
        all.push_back(add(registry, {random.between(0, 40), random.between(0, 40)}, body));
      }
      std::vector<std::pair<Entity, std::uint32_t>> newcomers;
      registry.view<Position, Body>().each([&](Entity entity, Position&, Body&) {
        if (!system.body(entity)) {
          newcomers.emplace_back(entity, free.empty() ? next++ : free.back());
          free.resize(free.empty() ? 0 : free.size() - 1);
        }
      });
      std::sort(freed.begin(), freed.end());
      free.insert(free.end(), freed.begin(), freed.end());
      of_colliders.clear();
      of_listeners.clear();
      system.update(registry).value();
      for (const auto& [entity, index] : newcomers) {
        ASSERT_EQ(system.body(entity)->index, index) << game << ' ' << frame;
      }
      Pairs ascending;
      Pairs both_ways;
      for (const BodyContact contact : system.world().contacts()) {
        const Entity a = *system.entity(contact.a);
        const Entity b = *system.entity(contact.b);
        ascending.emplace_back(a, b);
        both_ways.emplace_back(a, b);
        both_ways.emplace_back(b, a);
      }
      ASSERT_TRUE(std::is_sorted(ascending.begin(), ascending.end(), [&](const auto& one, const auto& other) {
        const auto indices = [&](const auto& pair) {
          return std::pair(system.body(pair.first)->index, system.body(pair.second)->index);
        };
        return indices(one) < indices(other);
      }));
      ASSERT_EQ(of_colliders, both_ways) << game << ' ' << frame;
      for (const auto& pair : ascending) {
        ASSERT_NE(std::find(of_listeners.begin(), of_listeners.end(), pair), of_listeners.end());
      }
      callbacks += both_ways.size();
    }
  }
  EXPECT_GT(callbacks, 1000U);
}

}  // namespace
}  // namespace broadside::ecs
