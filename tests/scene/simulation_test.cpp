#include "broadside/scene/simulation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "broadside/broad_phase/find_pairs.hpp"

namespace broadside {
namespace {

Scene scene_of(const std::string& json) {
  auto scene = parse_scene(json, "test");
  EXPECT_TRUE(scene.has_value()) << scene.error().message;
  return std::move(scene).value();
}

void take_step(Simulation& simulation) {
  simulation.begin_step();
  const auto pairs = find_pairs(simulation.boxes(), {.sorted = true}).value();
  NarrowPhase narrow_phase;
  simulation.respond(narrow_phase.find_contacts(pairs, simulation.shapes(), simulation.transforms()).value());
  simulation.end_step();
}

TEST(Simulation, bodies_fly_straight_and_fall) {
  Simulation simulation(scene_of(R"({"gravity": [0, 10], "dt": 0.1, "bodies": [
    {"position": [0, 0], "radius": 1, "velocity": [2, 0]},
    {"position": [50, 0], "size": 1, "velocity": [0, 3], "kind": "kinematic"},
    {"position": [90, 0], "size": 1, "kind": "static"}]})"));
  for (int i = 0; i < 10; ++i) {
    take_step(simulation);
  }
  simulation.begin_step();
  EXPECT_NEAR(simulation.boxes()[0].min.x, 1.0F, 1e-4F);
  EXPECT_NEAR(simulation.velocity(0).y, 11.0F, 1e-3F);
  EXPECT_NEAR(simulation.boxes()[1].min.y, 2.5F, 1e-4F);
  EXPECT_EQ(simulation.boxes()[2], (Aabb{{89.5F, -0.5F}, {90.5F, 0.5F}}));
}

TEST(Simulation, an_elastic_hit_keeps_momentum_and_energy) {
  Simulation simulation(scene_of(R"({"dt": 0.01, "bodies": [
    {"position": [0, 0], "radius": 1, "velocity": [3, 0], "mass": 2},
    {"position": [1.99, 0], "radius": 1, "velocity": [-1, 0], "mass": 1}],
    "rules": [{"between": ["body", "body"], "response": "bounce"}]})"));
  take_step(simulation);
  EXPECT_NEAR(simulation.velocity(0).x, 1.0F / 3.0F, 1e-3F);
  EXPECT_NEAR(simulation.velocity(1).x, 13.0F / 3.0F, 1e-3F);
}

// GB4: a body that hits two others in one step must not forget the first hit.
TEST(Checklist, GB4_two_hits_in_one_step_both_count) {
  Simulation simulation(scene_of(R"({"dt": 0.01, "bodies": [
    {"position": [0, 0], "radius": 1, "velocity": [1, 1], "mass": 1},
    {"position": [1.999, 0], "radius": 1, "kind": "static"},
    {"position": [0, 1.999], "radius": 1, "kind": "static"}],
    "rules": [{"between": ["body", "body"], "response": "bounce"}]})"));
  take_step(simulation);
  EXPECT_NEAR(simulation.velocity(0).x, -1.0F, 1e-3F);
  EXPECT_NEAR(simulation.velocity(0).y, -1.0F, 1e-3F);
}

// GB4: bodies that already separate are left alone, so one hit is not resolved twice.
TEST(Checklist, GB4_a_pair_that_separates_is_not_resolved_again) {
  Simulation simulation(scene_of(R"({"dt": 0.01, "bodies": [
    {"position": [0, 0], "radius": 1, "velocity": [-1, 0]}, {"position": [1.5, 0], "radius": 1, "velocity": [1, 0]}],
    "rules": [{"between": ["body", "body"], "response": "bounce"}]})"));
  take_step(simulation);
  EXPECT_NEAR(simulation.velocity(0).x, -1.0F, 1e-3F);
  EXPECT_NEAR(simulation.velocity(1).x, 1.0F, 1e-3F);
}

// GB2: the boxes of a step are those of the moved bodies.
TEST(Checklist, GB2_boxes_are_taken_after_the_move) {
  Simulation simulation(
      scene_of(R"({"dt": 1, "bodies": [{"position": [0, 0], "size": 2, "velocity": [5, 0]}]})"));
  take_step(simulation);
  simulation.begin_step();
  EXPECT_EQ(simulation.boxes()[0], (Aabb{{4, -1}, {6, 1}}));
}

// RB4: the first step was as long as the time since 1970.
TEST(Checklist, RB4_the_first_step_is_as_long_as_every_other) {
  Simulation simulation(
      scene_of(R"({"dt": 0.5, "bodies": [{"position": [0, 0], "size": 2, "velocity": [4, 0]}]})"));
  for (const float expected : {0.0F, 2.0F, 4.0F}) {
    simulation.begin_step();
    EXPECT_EQ(simulation.boxes()[0].min.x + 1.0F, expected);
    simulation.end_step();
  }
}

// EB5: a player that ate six poisons had a negative size and never collided again.
TEST(Checklist, EB5_a_body_never_shrinks_below_its_least_size) {
  Simulation simulation(scene_of(R"({"bounds": [0, 0, 100, 100], "bodies": [
    {"tag": "player", "position": [50, 50], "size": 100}, {"tag": "poison", "position": [50, 50], "size": 30}],
    "rules": [{"between": ["player", "poison"], "grow": -20, "min_size": 24}]})"));
  for (int i = 0; i < 20; ++i) {
    take_step(simulation);
  }
  simulation.begin_step();
  EXPECT_EQ(simulation.shapes()[0], Shape(Box::of_half_size({12, 12})));
  EXPECT_TRUE(is_valid(simulation.boxes()[0]));
}

TEST(Simulation, eaten_bodies_respawn_within_the_bounds) {
  Simulation simulation(scene_of(R"({"bounds": [0, 0, 640, 360], "bodies": [
    {"tag": "player", "position": [300, 200], "size": 64}, {"tag": "food", "position": [300, 200], "size": 30}],
    "rules": [{"between": ["food", "player"], "grow": 0}, {"between": ["player", "food"], "grow": 20, "respawn": true}]})"));
  take_step(simulation);
  EXPECT_EQ(simulation.shapes()[0], Shape(Box::of_half_size({32, 32}))) << "grows before its step is over";
  simulation.begin_step();
  EXPECT_EQ(simulation.shapes()[0], Shape(Box::of_half_size({42, 42})));
  const Aabb food = simulation.boxes()[1];
  EXPECT_NE(food.min.x, 285.0F);
  EXPECT_GE(food.min.x, 0.0F);
  EXPECT_LE(food.min.x, 640.0F);
}

// Whatever the type of the body, its size and the bounds. All numbers are quarters, so nothing is rounded.
TEST(Simulation, a_body_that_respawns_is_within_the_bounds) {
  Random random(8);
  const auto quarters = [&random](double low, double high) {
    return 0.25 * std::floor(4.0 * random.uniform(low, high));
  };
  for (int round = 0; round < 500; ++round) {
    const double size = quarters(0.25, 10.0);
    const double min_x = quarters(-20.0, 20.0);
    const double min_y = quarters(-20.0, 20.0);
    const double max_x = min_x + size + quarters(0.0, 40.0);
    const double max_y = min_y + size + quarters(0.0, 40.0);
    const double x = quarters(min_x, max_x);
    const double y = quarters(min_y, max_y);
    std::string place = "[";
    place.append(std::to_string(x)).append(", ").append(std::to_string(y)).append("]");
    const std::string kind = std::array{"static", "kinematic", "dynamic"}[random.below(3)];
    const std::string shape = random.below(2) == 0 ? R"("size": )" + std::to_string(size)
                                                   : R"("radius": )" + std::to_string(0.5 * size);
    Simulation simulation(
        scene_of(R"({"bounds": [)" + std::to_string(min_x) + ", " + std::to_string(min_y) + ", " +
                 std::to_string(max_x) + ", " + std::to_string(max_y) + R"(], "seed": )" +
                 std::to_string(round) + R"(, "bodies": [{"tag": "player", "size": 0.5, "position": )" +
                 place + R"(}, {"tag": "food", "kind": ")" + kind + R"(", )" + shape + R"(, "position": )" +
                 place + R"(}], "rules": [{"between": ["player", "food"], "respawn": true}]})"));
    take_step(simulation);
    simulation.begin_step();
    const Aabb& bounds = *simulation.scene().bounds;
    const Aabb food = simulation.boxes()[1];
    ASSERT_EQ(merge(food, bounds), bounds)
        << round << ": " << kind << " of " << size << " at (" << food.min.x << ", " << food.min.y << ")";
  }
}

TEST(Simulation, circles_touch_as_circles_and_not_as_their_boxes) {
  const std::string circle_at = R"({"dt": 0.01, "bodies": [
    {"position": [0, 0], "radius": 1, "velocity": [1, 1], "mass": 1}, {"kind": "static", "radius": 1, "position": )";
  const std::string rules = R"(}], "rules": [{"between": ["body", "body"], "response": "bounce"}]})";
  Simulation apart(scene_of(circle_at + "[1.5, 1.5]" + rules));
  ASSERT_EQ(find_pairs((apart.begin_step(), apart.boxes()))->size(), 1U);
  take_step(apart);
  EXPECT_NEAR(apart.velocity(0).x, 1.0F, 1e-3F);
  Simulation touching(scene_of(circle_at + "[1.4, 1.4]" + rules));
  take_step(touching);
  EXPECT_NEAR(touching.velocity(0).x, -1.0F, 1e-3F);
  EXPECT_NEAR(touching.velocity(0).y, -1.0F, 1e-3F);
}

TEST(Simulation, rules_hold_for_shapes_that_touch_and_not_for_their_boxes) {
  const auto left_over = [](const std::string& pill_at) {
    Simulation simulation(scene_of(R"({"bounds": [0, 0, 100, 100], "bodies": [
      {"tag": "eater", "position": [50, 50], "radius": 10}, {"tag": "pill", "radius": 2, "position": )" +
                                   pill_at + R"(}], "rules": [{"between": ["eater", "pill"], "grow": 2}]})"));
    take_step(simulation);
    simulation.begin_step();
    return std::get<Circle>(simulation.shapes()[0]).radius;
  };
  EXPECT_EQ(left_over("[59, 59]"), 10.0F);
  EXPECT_EQ(left_over("[58, 58]"), 11.0F);
}

TEST(Simulation, a_ball_leaves_a_slope_along_its_normal) {
  Simulation simulation(scene_of(R"({"dt": 0.01, "bodies": [
    {"position": [0, 0], "radius": 1, "velocity": [0, 1], "mass": 1},
    {"kind": "static", "position": [0, 1.4], "segment": {"a": [-5, -5], "b": [5, 5]}}],
    "rules": [{"between": ["body", "body"], "response": "bounce"}]})"));
  take_step(simulation);
  EXPECT_NEAR(simulation.velocity(0).x, 1.0F, 1e-3F);
  EXPECT_NEAR(simulation.velocity(0).y, 0.0F, 1e-3F);
}

TEST(Simulation, a_body_turns_by_its_spin_and_its_box_with_it) {
  Simulation simulation(scene_of(R"({"dt": 0.25, "bodies": [
    {"position": [0, 0], "size": [4, 2], "spin": 6.2831855}, {"kind": "static", "position": [9, 0], "size": [4, 2], "spin": 1},
    {"position": [20, 0], "size": [4, 2], "angle": 1.5707964}]})"));
  simulation.begin_step();
  EXPECT_EQ(simulation.boxes()[0], (Aabb{{-2, -1}, {2, 1}}));
  EXPECT_NEAR(simulation.boxes()[2].max.y, 2.0F, 1e-5F);
  simulation.end_step();
  simulation.begin_step();
  EXPECT_NEAR(simulation.boxes()[0].max.x, 1.0F, 1e-5F);
  EXPECT_NEAR(simulation.boxes()[0].max.y, 2.0F, 1e-5F);
  EXPECT_EQ(simulation.boxes()[1], (Aabb{{7, -1}, {11, 1}})) << "what is static stands still";
}

TEST(Simulation, walls_stop_bodies_that_reach_out_on_one_side_only) {
  Simulation simulation(scene_of(R"({"bounds": [0, 0, 20, 20], "dt": 1, "bodies": [
    {"position": [10, 10], "velocity": [8, 0], "capsule": {"a": [0, 0], "b": [4, 0], "radius": 1}},
    {"position": [10, 10], "velocity": [-8, 0], "capsule": {"a": [0, 0], "b": [4, 0], "radius": 1}}]})"));
  for (int i = 0; i < 2; ++i) {
    simulation.begin_step();
    simulation.end_step();
  }
  simulation.begin_step();
  EXPECT_EQ(simulation.boxes()[0].min.x, 14.0F - 8.0F) << "reversed where its far end met the wall";
  EXPECT_EQ(simulation.boxes()[1].min.x, 0.0F) << "just came to the wall by its near end";
}

TEST(Simulation, layers_decide_which_bodies_touch) {
  const Simulation simulation(scene_of(R"({"bodies": [
    {"position": [0, 0], "size": 1, "layer": 0, "collides_with": [1]},
    {"position": [0, 0], "size": 1, "layer": 1},
    {"position": [0, 0], "size": 1, "layer": 0}]})"));
  EXPECT_TRUE(simulation.layers_meet({0, 1}));
  EXPECT_FALSE(simulation.layers_meet({0, 2}));
  EXPECT_TRUE(simulation.layers_meet({1, 2}));
}

TEST(Simulation, concentric_and_sizeless_bodies_get_no_nan) {
  Simulation simulation(scene_of(R"({"bounds": [-10, -10, 10, 10], "bodies": [
    {"position": [0, 0], "radius": 1, "velocity": [1, 0]}, {"position": [0, 0], "radius": 1, "velocity": [-1, 0]},
    {"position": [0, 0], "size": 0, "velocity": [0, 1]}, {"position": [0, 0], "radius": 0}],
    "rules": [{"between": ["body", "body"], "response": "bounce"}]})"));
  for (int i = 0; i < 50; ++i) {
    take_step(simulation);
    for (BoxIndex b = 0; b < 4; ++b) {
      ASSERT_TRUE(is_finite(simulation.velocity(b).x) && is_finite(simulation.velocity(b).y));
    }
  }
}

TEST(Simulation, a_body_that_flies_off_keeps_a_finite_box) {
  Simulation simulation(
      scene_of(R"({"gravity": [3e38, 0], "dt": 1000, "bodies": [{"position": [0, 0], "size": 1}]})"));
  for (int i = 0; i < 10; ++i) {
    simulation.begin_step();
    ASSERT_TRUE(is_valid(simulation.boxes()[0]));
    simulation.end_step();
  }
}

}  // namespace
}  // namespace broadside
