#include "broadside/world/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/contact/collide.hpp"

namespace broadside::world_test {
namespace {

using Ids = std::vector<BodyId>;

BodyId add_circle(World& world, Vec2 at, std::string_view tag = {}, BodyType type = BodyType::dynamic) {
  return world.add({.shape = Circle{.radius = 1.0F}, .type = type, .position = at, .tag = std::string(tag)})
      .value();
}

TEST(World, reports_what_begins_stays_and_ends) {
  World world;
  const BodyId a = add_circle(world, {0, 0});
  const BodyId b = add_circle(world, {5, 0});
  world.step(0).value();
  EXPECT_TRUE(world.contacts().empty());
  world.move(b, Vec2{1.5F, 0}).value();
  world.step(0).value();
  ASSERT_EQ(world.begun().size(), 1U);
  const BodyContact contact = world.begun()[0];
  EXPECT_EQ(contact.a, a);
  EXPECT_EQ(contact.b, b);
  EXPECT_EQ(contact.manifold.normal, (Vec2{1, 0}));
  EXPECT_FLOAT_EQ(contact.manifold.points[0].separation, -0.5F);
  EXPECT_TRUE(contact.begun);
  EXPECT_TRUE(world.stayed().empty());
  EXPECT_TRUE(world.touching(a, b).value());
  world.step(0).value();
  EXPECT_TRUE(world.begun().empty());
  ASSERT_EQ(world.stayed().size(), 1U);
  EXPECT_FALSE(world.stayed()[0].begun);
  world.move(b, Vec2{5, 0}).value();
  world.step(0).value();
  EXPECT_TRUE(world.contacts().empty());
  ASSERT_EQ(world.ended().size(), 1U);
  EXPECT_EQ(world.ended()[0], (ContactEnd{a, b, EndCause::parted}));
  world.step(0).value();
  EXPECT_TRUE(world.ended().empty());
}

TEST(World, ends_contacts_once_with_their_cause) {
  World world;
  const BodyId a = add_circle(world, {0, 0});
  const BodyId b = add_circle(world, {1, 0});
  const BodyId c = add_circle(world, {0, 1});
  const BodyId d = add_circle(world, {1, 1});
  world.step(0).value();
  ASSERT_EQ(world.begun().size(), 6U);
  world.remove(a).value();
  world.set_enabled(b, false).value();
  world.set_filter(c, {.mask = 0}).value();
  world.step(0).value();
  EXPECT_TRUE(world.contacts().empty());
  ASSERT_EQ(world.ended().size(), 6U);
  const std::array<EndCause, 6> causes{EndCause::removed,  EndCause::removed,  EndCause::removed,
                                       EndCause::disabled, EndCause::disabled, EndCause::filtered};
  for (std::size_t i = 0; i < causes.size(); ++i) {
    EXPECT_EQ(world.ended()[i].cause, causes[i]) << i;
  }
  EXPECT_EQ(world.ended()[0].a, a);
  EXPECT_EQ(world.ended()[5], (ContactEnd{c, d, EndCause::filtered}));
  world.step(0).value();
  EXPECT_TRUE(world.ended().empty());
}

TEST(World, treats_a_body_in_a_reused_place_as_another) {
  World world;
  const BodyId a = add_circle(world, {0, 0});
  const BodyId b = add_circle(world, {1, 0});
  world.step(0).value();
  world.remove(b).value();
  const BodyId c = add_circle(world, {1, 0});
  EXPECT_EQ(c.index, b.index);
  EXPECT_NE(c, b);
  EXPECT_EQ(world.position(b).error().code, ErrorCode::stale_id);
  EXPECT_FALSE(world.touching(a, c).value());
  world.step(0).value();
  ASSERT_EQ(world.ended().size(), 1U);
  EXPECT_EQ(world.ended()[0], (ContactEnd{a, b, EndCause::removed}));
  ASSERT_EQ(world.begun().size(), 1U);
  EXPECT_EQ(world.begun()[0].b, c);
}

TEST(World, removes_many_at_once_or_none) {
  World world;
  const Ids ids{add_circle(world, {0, 0}), add_circle(world, {1, 0}), add_circle(world, {0, 1})};
  EXPECT_EQ(world.remove(Ids{ids[0], ids[1], ids[0]}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(world.remove(Ids{ids[0], BodyId{}}).error().code, ErrorCode::stale_id);
  EXPECT_EQ(world.size(), 3U);
  world.remove(Ids{ids[2], ids[0]}).value();
  EXPECT_EQ(world.bodies(), Ids{ids[1]});
}

TEST(World, refuses_ids_of_other_worlds) {
  World world;
  World other;
  const BodyId a = add_circle(world, {0, 0});
  add_circle(other, {0, 0});
  EXPECT_EQ(other.remove(a).error().code, ErrorCode::wrong_world);
  EXPECT_EQ(other.size(), 1U);
  EXPECT_EQ(world.remove(BodyId{}).error().code, ErrorCode::stale_id);
}

TEST(World, calls_listeners_for_both_orders_of_the_tags) {
  World world;
  add_circle(world, {0, 0}, "player");
  add_circle(world, {1, 0}, "food");
  std::vector<std::string> calls;
  const auto call = [&](std::string name) {
    return [&calls, &world, name](const BodyContact& contact) {
      calls.push_back(name + ": " + std::string(world.tag(contact.a).value()) + " and " +
                      std::string(world.tag(contact.b).value()) +
                      (contact.manifold.normal.x > 0 ? " +" : " -"));
    };
  };
  world.on_contact("player", "food", call("contact"));
  world.on_contact("food", "player", call("contact"));
  world.on_begin("food", World::any, call("begin"));
  world.on_contact(World::any, World::any, call("any"));
  world.on_contact("player", "player", call("never"));
  world.step(0).value();
  EXPECT_EQ(calls, (std::vector<std::string>{"contact: player and food +", "contact: food and player -",
                                             "begin: food and player -", "any: player and food +"}));
  calls.clear();
  world.step(0).value();
  EXPECT_EQ(calls.size(), 3U);
}

TEST(World, may_be_changed_by_listeners) {
  World world;
  const BodyId player = add_circle(world, {0, 0}, "player");
  for (int i = 0; i < 5; ++i) {
    add_circle(world, {0.5F, 0.1F * static_cast<float>(i)}, "food");
  }
  int eaten = 0;
  int ends = 0;
  world.on_begin("player", "food", [&](const BodyContact& contact) {
    ++eaten;
    world.remove(contact.b).value();
    add_circle(world, {100.0F * static_cast<float>(eaten), 0}, "food");
    EXPECT_EQ(world.step(0).error().code, ErrorCode::locked);
  });
  world.on_end("player", "food", [&](const ContactEnd& end) {
    ++ends;
    EXPECT_EQ(end.a, player);
    EXPECT_FALSE(world.contains(end.b));
  });
  world.on_contact("food", "food", [&](const BodyContact&) { ADD_FAILURE() << "both were eaten"; });
  world.step(0).value();
  EXPECT_EQ(eaten, 5);
  EXPECT_EQ(ends, 0);
  world.step(0).value();
  EXPECT_EQ(eaten, 5);
  EXPECT_EQ(ends, 5);
  world.step(0).value();
  EXPECT_EQ(ends, 5);
  EXPECT_EQ(world.size(), 6U);
}

TEST(World, gives_a_removed_body_no_further_callback) {
  World world;
  add_circle(world, {0, 0}, "a");
  add_circle(world, {1, 0}, "b");
  add_circle(world, {0, 1}, "c");
  int calls = 0;
  world.on_contact("a", World::any, [&](const BodyContact& contact) {
    ++calls;
    world.remove(contact.a).value();
  });
  world.step(0).value();
  EXPECT_EQ(calls, 1);
}

TEST(World, tests_only_pairs_with_a_listener) {
  for (const TechniqueEntry& technique : techniques()) {
    World world = World::create({.interest = Interest::listeners}).value();
    world.set_technique(technique.name).value();
    add_circle(world, {0, 0}, "player");
    add_circle(world, {1, 0}, "food");
    add_circle(world, {0, 1}, "poison");
    world.step(0).value();
    EXPECT_TRUE(world.contacts().empty());
    EXPECT_EQ(world.broad_phase().statistics().tests, 0U) << technique.name;
    const auto listener = world.on_contact("food", "player", [](const BodyContact&) {});
    world.step(0).value();
    EXPECT_EQ(world.contacts().size(), 1U);
    EXPECT_EQ(world.broad_phase().statistics().tests, 1U) << technique.name;
    world.remove_listener(listener);
    world.step(0).value();
    EXPECT_TRUE(world.contacts().empty());
    ASSERT_EQ(world.ended().size(), 1U);
    EXPECT_EQ(world.ended()[0].cause, EndCause::filtered);
  }
}

TEST(World, joins_the_shapes_of_a_body) {
  World world;
  const std::vector<Shape> more{Circle{.center = {3, 0}, .radius = 1.0F},
                                Circle{.center = {6, 0}, .radius = 1.0F}};
  const BodyId dumbbell = world.add({.shape = Circle{.radius = 1.0F}, .more_shapes = more}).value();
  const BodyId wall =
      world.add({.shape = Box::of_half_size({10, 1}), .type = BodyType::static_body, .position = {0, 1.5F}})
          .value();
  world.step(0).value();
  ASSERT_EQ(world.contacts().size(), 1U);
  EXPECT_EQ(world.contacts()[0].a, dumbbell);
  EXPECT_EQ(world.contacts()[0].b, wall);
  EXPECT_EQ(world.shape_contacts().size(), 3U);
  world.move(dumbbell, Vec2{0, -5}).value();
  world.step(0).value();
  EXPECT_EQ(world.ended().size(), 1U);
  world.remove(dumbbell).value();
  EXPECT_EQ(world.size(), 1U);
}

TEST(World, keeps_ignored_and_rejected_pairs_apart) {
  World world;
  const BodyId a = add_circle(world, {0, 0});
  const BodyId b = add_circle(world, {1, 0});
  world.set_ignored(b, a, true).value();
  world.step(0).value();
  EXPECT_TRUE(world.contacts().empty());
  EXPECT_EQ(world.why(a, b), "they do not touch: the pair is ignored");
  world.set_ignored(a, b, false).value();
  world.step(0).value();
  EXPECT_EQ(world.contacts().size(), 1U);
  bool deny = true;
  world
      .set_predicate([&](BodyId x, BodyId y) {
        EXPECT_EQ(x, a);
        EXPECT_EQ(y, b);
        EXPECT_EQ(world.remove(a).error().code, ErrorCode::locked);
        return !deny;
      })
      .value();
  world.step(0).value();
  ASSERT_EQ(world.ended().size(), 1U);
  EXPECT_EQ(world.ended()[0].cause, EndCause::filtered);
  deny = false;
  world.step(0).value();
  EXPECT_EQ(world.contacts().size(), 1U);
}

TEST(World, says_that_no_listener_waits_with_any_number_of_tags_and_a_predicate) {
  for (const int tags : {3, 63, 64, 65, 200}) {
    for (const bool has_predicate : {false, true}) {
      World world = World::create({.interest = Interest::listeners}).value();
      std::vector<BodyId> bodies;
      for (int i = 0; i < tags; ++i) {
        bodies.push_back(
            world.add({.shape = Circle{.radius = 1}, .tag = "tag " + std::to_string(i)}).value());
      }
      world.on_begin("tag 0", "tag 1", [](const BodyContact&) {});
      if (has_predicate) {
        world.set_predicate([](BodyId, BodyId) { return false; }).value();
      }
      world.detect().value();
      const std::string why = world.why(bodies[0], bodies.back());
      EXPECT_NE(why.find("no listener has their tags"), std::string::npos) << why;
      EXPECT_EQ(world.why(bodies[1], bodies[0]),
                has_predicate ? "they do not touch: the predicate keeps them apart" : "they touch");
    }
  }
}

TEST(World, says_which_part_of_the_filters_keeps_two_bodies_apart) {
  test::Random random(29);
  std::map<std::string, int> heard;
  for (int i = 0; i < 2000; ++i) {
    std::array<Filter, 2> filters;
    for (Filter& filter : filters) {
      filter.layer = random.below(4);
      filter.mask = random.below(4);
      filter.wants = random.below(4);
      filter.group = static_cast<std::int32_t>(random.below(5)) - 2;
    }
    World world;
    std::array<BodyId, 2> bodies;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      bodies[k] = world.add({.shape = Circle{.radius = 1}, .filter = filters[k]}).value();
    }
    const auto& [a, b] = filters;
    const bool one_group = a.group != 0 && a.group == b.group;  // then masks are ignored
    std::string expected = "they touch";
    if (one_group && a.group < 0) {
      expected = "both are in group " + std::to_string(a.group);
    } else if (!one_group && (a.mask & b.layer) == 0) {
      expected = "the first one's mask leaves out the layers of the second";
    } else if (!one_group && (b.mask & a.layer) == 0) {
      expected = "the second one's mask leaves out the layers of the first";
    } else if ((a.wants & b.layer) == 0 && (b.wants & a.layer) == 0) {
      expected = "neither filter wants a layer of the other";
    }
    world.detect().value();
    const std::string why = world.why(bodies[0], bodies[1]);
    ASSERT_NE(why.find(expected), std::string::npos) << why << ", and not: " << expected;
    ASSERT_EQ(world.contacts().size(), expected == "they touch" ? 1U : 0U);
    ++heard[expected];
  }
  EXPECT_EQ(heard.size(), 6U);
}

TEST(World, moves_by_velocity_and_gravity) {
  World world = World::create({.gravity = {0, 10}}).value();
  const BodyId body = world.add({.shape = Circle{.radius = 1}, .velocity = {60, 0}}).value();
  world.step(1.0F / 60).value();
  EXPECT_NEAR(world.position(body).value().x, 1.0F, 1e-6F);
  EXPECT_NEAR(world.position(body).value().y, 0.5F * 10.0F / 3600, 1e-7F);
  EXPECT_EQ(world.velocity(body).value().x, 60.0F);
  world.move(body, Vec2{100, 100}).value();
  EXPECT_EQ(world.velocity(body).value().x, 60.0F);
  world.step(1.0F / 30).value();
  EXPECT_NEAR(world.position(body).value().x, 102.0F, 1e-5F);
}

TEST(World, moves_to_a_position_in_braces_and_keeps_the_rotation) {
  World world;
  const Rotation quarter{0, 1};
  const BodyId body = world.add({.shape = Circle{.radius = 1}, .rotation = quarter}).value();
  world.move(body, {3, 4}).value();
  EXPECT_EQ(world.transform(body).value(), (Transform{{3, 4}, quarter}));
  world.teleport(body, {-5, 6}).value();
  EXPECT_EQ(world.transform(body).value(), (Transform{{-5, 6}, quarter}));
}

TEST(World, bounces_as_billiard_balls_do) {
  World world = World::create({.response = Response::bounce}).value();
  const BodyId a = world.add({.shape = Circle{.radius = 1}, .velocity = {30, 0}}).value();
  const BodyId b = world.add({.shape = Circle{.radius = 1}, .position = {4, 0}}).value();
  for (int i = 0; i < 60; ++i) {
    world.step(1.0F / 60).value();
  }
  EXPECT_NEAR(world.velocity(a).value().x, 0.0F, 1e-2F);
  EXPECT_NEAR(world.velocity(b).value().x, 30.0F, 1e-2F);
}

TEST(World, sweeps_bullets_through_nothing) {
  for (const float speed : {60.0F, 6e3F, 6e6F}) {
    World world = World::create({.response = Response::bounce}).value();
    const BodyId wall =
        world.add({.shape = Segment{{50, -10}, {50, 10}}, .type = BodyType::static_body}).value();
    const BodyId bullet =
        world.add({.shape = Circle{.radius = 0.25F}, .velocity = {speed, 0}, .bullet = true}).value();
    int hits = 0;
    for (int i = 0; i < 100 && hits == 0; ++i) {
      world.step(1.0F / 60).value();
      for (const BodyContact& contact : world.begun()) {
        EXPECT_EQ(contact.a, wall);
        EXPECT_EQ(contact.b, bullet);
        ++hits;
      }
      EXPECT_LE(world.position(bullet).value().x, 49.751F) << speed;
    }
    EXPECT_EQ(hits, 1) << speed;
    EXPECT_LT(world.velocity(bullet).value().x, 0.0F) << speed;
  }
}

// Regression test: the bullet stayed at the ceiling until gravity had used up its speed.
TEST(World, bullets_bounce_off_bodies_above_them) {
  for (const Vec2 end : {Vec2{10, 5}, Vec2{10, 15}}) {
    World world = World::create({.response = Response::bounce, .gravity = {0, -60}}).value();
    world.add({.shape = Segment{{-10, 5}, end}, .type = BodyType::static_body}).value();
    const BodyId bullet =
        world.add({.shape = Circle{.radius = 1}, .velocity = {0, 60}, .bullet = true}).value();
    int hits = 0;
    for (int i = 0; i < 60; ++i) {
      world.step(1.0F / 240).value();
      hits += static_cast<int>(world.begun().size());
    }
    EXPECT_EQ(hits, 1) << end.y;
    EXPECT_LT(world.velocity(bullet).value().y, 10.0F) << end.y;
  }
}

TEST(World, lets_bullets_slide_over_the_seams_of_tiles) {
  for (const Shape& shape : {Shape(Circle{.radius = 0.5F}), Shape(Box::of_half_size({0.5F, 0.5F}))}) {
    World world = World::create({.response = Response::bounce}).value();
    for (int i = 0; i < 100; ++i) {
      world
          .add({.shape = Box::of_half_size({0.5F, 0.5F}),
                .type = BodyType::static_body,
                .position = {static_cast<float>(i), 0}})
          .value();
    }
    const BodyId body =
        world.add({.shape = shape, .position = {0, 1}, .velocity = {137, 0}, .bullet = true}).value();
    for (int i = 0; i < 40; ++i) {
      world.step(1.0F / 60).value();
      for (const BodyContact& contact : world.contacts()) {
        EXPECT_NEAR(contact.manifold.normal.x, 0.0F, 1e-3F) << i;
      }
    }
    EXPECT_NEAR(world.velocity(body).value().x, 137.0F, 0.1F);
    EXPECT_NEAR(world.position(body).value().y, 1.0F, 1e-3F);
  }
}

TEST(World, lists_contacts_as_a_range_that_algorithms_take) {
  World world;
  for (int i = 0; i < 20; ++i) {
    add_circle(world, {static_cast<float>(i), 0});
  }
  world.step(0).value();
  const ContactRange contacts = world.contacts();
  ASSERT_GT(contacts.size(), 10U);
  const auto at_the_second = std::next(contacts.begin());
  EXPECT_EQ((*at_the_second).a, contacts[1].a);
  const auto is_third = [&](const BodyContact& contact) {
    return contact.a == contacts[2].a && contact.b == contacts[2].b;
  };
  auto found = std::find_if(contacts.begin(), contacts.end(), is_third);
  EXPECT_EQ(std::distance(contacts.begin(), found), 2);
  EXPECT_TRUE(is_third(*found++));
  EXPECT_EQ((*found).b, contacts[3].b);
}

TEST(World, costs_nothing_at_rest) {
  World world;
  for (int i = 0; i < 100; ++i) {
    add_circle(world, {static_cast<float>(i), 0});
  }
  world.step(0).value();
  world.step(0).value();
  const auto tests = world.broad_phase().statistics().tests;
  const auto* contacts = world.shape_contacts().data();
  world.step(0).value();
  EXPECT_EQ(world.stayed().size(), 197U);
  EXPECT_EQ(world.broad_phase().statistics().tests, tests);
  EXPECT_EQ(world.shape_contacts().data(), contacts);
}

// Regression test: the text of an error message was built even without an error.
TEST(World, moving_bodies_allocates_nothing) {
  World world;
  const BodyId a = add_circle(world, {0, 0});
  const auto move = [&](float x) {
    world.move(a, Transform{{x, 0}, {}}).value();
    world.move(a, Vec2{x, 1}).value();
    world.push(a, {1, 0}).value();
    world.set_velocity(a, {x, 0}).value();
    world.teleport(a, {x, 2}, {}).value();
  };
  move(1);
  const test::AllocationWatch watch;
  move(2);
  EXPECT_EQ(watch.count(), 0U);
}

TEST(World, finds_the_contacts_of_one_body) {
  World world;
  Ids ids;
  for (int i = 0; i < 10; ++i) {
    ids.push_back(add_circle(world, {static_cast<float>(i), 0}));
  }
  world.step(0).value();
  std::vector<BodyContact> contacts;
  contacts = world.contacts_of(ids[5]).value();
  ASSERT_EQ(contacts.size(), 4U);
  const std::array<std::size_t, 4> others{3, 4, 6, 7};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(contacts[i].a, ids[5]);
    EXPECT_EQ(contacts[i].b, ids[others[i]]);
    EXPECT_EQ(contacts[i].manifold.normal.x, i < 2 ? -1.0F : 1.0F);
  }
}

Ids add_circles(World& world, int count, float side, test::Random& random) {
  Ids ids;
  for (int i = 0; i < count; ++i) {
    const float x = random.between(0, side);
    ids.push_back(add_circle(world, {x, random.between(0, side)}));
  }
  return ids;
}

void expect_same(const BodyContact& contact, const BodyContact& expected) {
  EXPECT_EQ(contact.a, expected.a);
  EXPECT_EQ(contact.b, expected.b);
  EXPECT_EQ(contact.manifold.normal, expected.manifold.normal);
  EXPECT_EQ(contact.manifold.points, expected.manifold.points);
  EXPECT_EQ(contact.manifold.size, expected.manifold.size);
  EXPECT_EQ(contact.fraction, expected.fraction);
  EXPECT_EQ(contact.begun, expected.begun);
  EXPECT_EQ(contact.approach_speed, expected.approach_speed);
}

TEST(World, visits_the_contacts_of_a_body_until_the_visitor_returns_false) {
  test::Random random(30);
  for (int round = 0; round < 30; ++round) {
    World world;
    const Ids ids = add_circles(world, 40, 12, random);
    world.step(0).value();
    for (const BodyId body : ids) {
      const auto all = world.contacts_of(body).value();
      for (std::size_t last = 0; last <= all.size(); ++last) {
        std::size_t visited = 0;
        world
            .visit_contacts(body,
                            [&](const BodyContact& contact) {
                              expect_same(contact, all.at(visited));
                              return visited++ < last;
                            })
            .value();
        EXPECT_EQ(visited, std::min(last + 1, all.size()));
      }
    }
  }
}

TEST(World, gives_each_contact_to_both_bodies_and_swaps_it_for_the_second) {
  test::Random random(32);
  for (int round = 0; round < 30; ++round) {
    World world;
    add_circles(world, 40, 12, random);
    world.step(0).value();
    for (const BodyContact contact : world.contacts()) {
      const BodyContact other = swapped(contact);
      EXPECT_EQ(other.manifold.normal, -contact.manifold.normal);
      expect_same(other, {contact.b,
                          contact.a,
                          {-contact.manifold.normal, contact.manifold.points, contact.manifold.size},
                          contact.fraction,
                          contact.begun,
                          contact.approach_speed});
      for (const BodyContact& expected : {contact, other}) {
        const auto found = world.contacts_of(expected.a).value();
        const auto at = std::ranges::find(found, expected.b, &BodyContact::b);
        ASSERT_NE(at, found.end());
        expect_same(*at, expected);
      }
    }
  }
}

// Also in steps between which nothing changes but the answers of the predicate.
TEST(World, asks_the_predicate_in_each_step_for_each_pair_whose_boxes_touch) {
  test::Random random(33);
  for (int round = 0; round < 30; ++round) {
    World world;
    const Ids ids = add_circles(world, 40, 20, random);
    std::set<std::pair<BodyId, BodyId>> expected;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      for (std::size_t j = i + 1; j < ids.size(); ++j) {
        if (overlaps(world.bounds(ids[i]).value(), world.bounds(ids[j]).value())) {
          expected.emplace(ids[i], ids[j]);
        }
      }
    }
    std::uint32_t step = 0;
    const auto may_touch = [&](BodyId a, BodyId b) { return (a.index + b.index + step) % 3 != 0; };
    std::set<std::pair<BodyId, BodyId>> asked;
    world
        .set_predicate([&](BodyId a, BodyId b) {
          asked.emplace(a, b);
          return may_touch(a, b);
        })
        .value();
    for (; step < 4; ++step) {
      asked.clear();
      world.step(0).value();
      EXPECT_EQ(asked, expected) << round << " " << step;
      for (const BodyContact contact : world.contacts()) {
        EXPECT_TRUE(may_touch(contact.a, contact.b)) << round << " " << step;
      }
    }
  }
}

TEST(World, keeps_its_answers_when_the_technique_changes) {
  World world;
  Ids ids;
  for (int i = 0; i < 50; ++i) {
    ids.push_back(add_circle(world, {static_cast<float>(i), 0}));
  }
  world.remove(ids[7]).value();
  world.remove(ids[3]).value();
  world.step(0).value();
  const std::size_t count = world.contacts().size();
  for (const TechniqueEntry& technique : techniques()) {
    world.set_technique(technique.name).value();
    world.step(0).value();
    EXPECT_EQ(world.contacts().size(), count) << technique.name;
    EXPECT_TRUE(world.begun().empty()) << technique.name;
    const BodyId added = add_circle(world, {0, 50});
    EXPECT_EQ(added.index, 3U) << technique.name;
    world.remove(added).value();
  }
  EXPECT_EQ(world.set_technique("magic").error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace broadside::world_test
