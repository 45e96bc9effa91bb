#include "broadside/scene/scene.hpp"

#include <gtest/gtest.h>

#include "broadside/broad_phase/find_pairs.hpp"

namespace broadside {
namespace {

const BuiltInScene& built_in(std::string_view name) {
  for (const BuiltInScene& scene : built_in_scenes()) {
    if (scene.name == name) {
      return scene;
    }
  }
  ADD_FAILURE() << "no scene " << name;
  return built_in_scenes()[0];
}

Scene parse_built_in(std::string_view name) {
  auto scene = parse_scene(built_in(name).json, std::string(name));
  EXPECT_TRUE(scene) << scene.error().message;
  return std::move(scene).value();
}

std::vector<Aabb> boxes_of(const Scene& scene) {
  std::vector<Aabb> boxes;
  for (const SceneBody& body : scene.bodies) {
    boxes.push_back({body.position - body.half_size, body.position + body.half_size});
  }
  return boxes;
}

TEST(BuiltInScenes, are_the_four_of_the_documents) {
  ASSERT_EQ(built_in_scenes().size(), 4U);
  for (const BuiltInScene& scene : built_in_scenes()) {
    EXPECT_EQ(parse_built_in(scene.name).name, scene.name);
  }
}

TEST(BuiltInScenes, rings_hold_as_many_boxes_as_the_demo) {
  const Scene scene = parse_built_in("rings");
  // floor(15 k 0.65) from the second ring on, the first 15, and one mover each.
  EXPECT_EQ(scene.bodies.size(), 15U + 19U + 29U + 39U + 48U + 5U);
  for (const SceneBody& body : scene.bodies) {
    EXPECT_EQ(body.half_size, (Vec2{5, 5}));
  }
}

TEST(BuiltInScenes, pinball_has_a_fixed_table_and_five_balls) {
  const Scene scene = parse_built_in("pinball");
  std::size_t fixed = 0;
  std::size_t balls = 0;
  for (const SceneBody& body : scene.bodies) {
    fixed += body.type == BodyType::static_body ? 1U : 0U;
    balls += body.type == BodyType::dynamic ? 1U : 0U;
  }
  EXPECT_EQ(fixed, 2000U);
  EXPECT_EQ(balls, 5U);
}

TEST(BuiltInScenes, circles_do_not_overlap_at_the_start_and_have_the_documents_radii) {
  const Scene scene = parse_built_in("circles");
  ASSERT_EQ(scene.bodies.size(), 2000U);
  EXPECT_EQ(find_pairs(boxes_of(scene))->size(), 0U);
  std::vector<float> radii;
  double area = 0.0;
  for (const SceneBody& body : scene.bodies) {
    EXPECT_TRUE(body.circle);
    radii.push_back(body.half_size.x);
    area += 3.14159 * double{body.half_size.x} * body.half_size.x;
  }
  std::sort(radii.begin(), radii.end());
  EXPECT_EQ(radii.front(), 1.0F);
  EXPECT_LE(radii.back(), 128.0F);
  EXPECT_EQ(radii[1000], 1.0F);                   // the checklist measured a median of 1
  EXPECT_NEAR(area / (1920 * 1080), 0.21, 0.05);  // and a fill of 21 %
}

TEST(Scene, defaults_are_as_the_schema_says) {
  const auto scene = parse_scene("{}", "empty");
  ASSERT_TRUE(scene);
  EXPECT_EQ(scene->name, "empty");
  EXPECT_EQ(scene->steps, 300U);
  EXPECT_EQ(scene->seed, 1U);
  EXPECT_TRUE(scene->bodies.empty());
}

TEST(Scene, the_same_seed_unfolds_the_same_bodies) {
  const auto a = parse_built_in("chapter10");
  const auto b = parse_built_in("chapter10");
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].position, b.bodies[i].position);
  }
}

// GB5: placing without overlap never ended in a window that was too small.
TEST(Checklist, GB5_placing_without_overlap_ends_with_an_error_where_there_is_no_room) {
  const auto scene = parse_scene(
      R"({"bounds": [0, 0, 100, 100], "patterns": [{"pattern": "scatter", "count": 50, "size": 40, "overlap": false}]})",
      "full");
  ASSERT_FALSE(scene);
  EXPECT_NE(scene.error().message.find("patterns[0].count: is 50, but only "), std::string::npos)
      << scene.error().message;
}

struct BadScene {
  const char* json;
  const char* says;
};

class BadSceneTest : public testing::TestWithParam<BadScene> {};

TEST_P(BadSceneTest, is_refused_with_field_and_reason) {
  const auto scene = parse_scene(GetParam().json, "s.json");
  ASSERT_FALSE(scene);
  EXPECT_EQ(scene.error().code, ErrorCode::parse);
  EXPECT_TRUE(scene.error().message.starts_with("s.json: ")) << scene.error().message;
  EXPECT_NE(scene.error().message.find(GetParam().says), std::string::npos) << scene.error().message;
  EXPECT_EQ(scene.error().message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Fields, BadSceneTest,
    testing::Values(
        BadScene{"{\"bodies\": [", "is not JSON: parse error at line 1"},
        BadScene{"[]", "the scene: is an array of 0; expected an object"},
        BadScene{R"({"body": []})", "body: is not a field there; expected one of $schema, name"},
        BadScene{R"({"steps": 0})", "steps: is 0; expected a whole number from 1 to 1000000"},
        BadScene{R"({"steps": 1.5})", "steps: is 1.5"},
        BadScene{R"({"dt": -1})", "dt: is -1; expected a number from 1e-09 to 1e+09"},
        BadScene{R"({"dt": 1e999})", "is not JSON"},
        BadScene{R"({"gravity": [0, 1e300]})", "gravity[1]: is 1e+300"},
        BadScene{R"({"bounds": [0, 0, 10]})", "bounds: is an array of 3; expected [min_x"},
        BadScene{R"({"bounds": [0, 0, -10, 10]})", "bounds: is inverted"},
        BadScene{R"({"bodies": {}})", "bodies: is an object of 0; expected a list"},
        BadScene{R"({"bodies": [7]})", "bodies[0]: is 7; expected an object"},
        BadScene{R"({"bodies": [{"size": 1}]})", "bodies[0].position: is missing"},
        BadScene{R"({"bodies": [{"position": [0, 0]}]})", "bodies[0].size: must be given as either"},
        BadScene{R"({"bodies": [{"position": [0, 0], "size": 1, "radius": 1}]})", "must be given as either"},
        BadScene{R"({"bodies": [{"position": [0, 0], "size": [1, -1]}]})", "bodies[0].size: is negative"},
        BadScene{R"({"bodies": [{"position": [0, 0], "size": -1}]})",
                 "bodies[0].size: is -1; expected a number of at least"},
        BadScene{R"({"bodies": [{"position": [0, 0], "radius": 1, "velocity": "fast"}]})",
                 "bodies[0].velocity: is \"fast\"; expected two numbers"},
        BadScene{R"({"bodies": [{"position": [0, 0], "radius": 1, "kind": "moving"}]})",
                 "bodies[0].kind: is \"moving\"; expected one of \"static\""},
        BadScene{R"({"bodies": [{"position": [0, 0], "radius": 1, "layer": 64}]})", "bodies[0].layer: is 64"},
        BadScene{R"({"bodies": [{"position": [0, 0], "radius": 1, "collides_with": [-1]}]})",
                 "collides_with: holds -1"},
        BadScene{R"({"bodies": [{"position": [0, 0], "radius": 1, "color": "red"}]})", "color: is \"red\""},
        BadScene{R"({"bodies": [{"position": [3e38, 0], "radius": 3e38}]})",
                 "reaches beyond what a float can hold"},
        BadScene{R"({"bodies": [{"position": [0, 0], "radius": 1, "orbit": {"center": [0, 0]}}]})",
                 "bodies[0].orbit.radians_per_second: is missing"},
        BadScene{R"({"patterns": [{"size": 1}]})", "patterns[0].pattern: is missing"},
        BadScene{R"({"patterns": [{"pattern": "spiral", "size": 1}]})", "patterns[0].pattern: is \"spiral\""},
        BadScene{R"({"patterns": [{"pattern": "grid", "size": 1, "from": [0, 0]}]})",
                 "patterns[0].from: is not a field"},
        BadScene{R"({"patterns": [{"pattern": "scatter", "size": 1, "count": 5}]})",
                 "patterns[0].area: is missing"},
        BadScene{
            R"({"patterns": [{"pattern": "scatter", "size": {"min": 3, "max": 2}, "count": 5, "area": [0,0,9,9]}]})",
            "patterns[0].size.min: is greater than max"},
        BadScene{R"({"patterns": [{"pattern": "scatter", "size": 1, "count": 2000000, "area": [0,0,9,9]}]})",
                 "patterns[0].count: is 2000000"},
        BadScene{
            R"({"patterns": [{"pattern": "grid", "size": 1, "origin": [0,0], "spacing": [1,1], "columns": 10000, "rows": 10000}]})",
            "patterns[0].rows: times columns is more than 1000000"},
        BadScene{R"({"rules": [{"between": ["a", "b"]}]})",
                 "rules[0].between[0]: is \"a\"; expected the tag"},
        BadScene{R"({"rules": [{"response": "bounce"}]})", "rules[0].between: is missing"},
        BadScene{
            R"({"bodies": [{"position": [0,0], "size": 1}], "rules": [{"between": ["body", "body"], "respawn": true}]})",
            "rules[0].respawn: needs a scene with bounds"}));

// EB6: a tag named like something built in must be a tag like any other.
TEST(Checklist, EB6_a_tag_may_have_any_name) {
  const auto scene = parse_scene(
      R"({"bodies": [{"tag": "constructor", "position": [0, 0], "size": 1}, {"tag": "toString", "position": [0, 0], "size": 1},
                     {"tag": "__proto__", "position": [0, 0], "size": 1}, {"tag": "", "position": [0, 0], "size": 1}],
          "rules": [{"between": ["constructor", "toString"], "grow": 1}]})",
      "tags");
  ASSERT_TRUE(scene) << scene.error().message;
  EXPECT_EQ(scene->tags, (std::vector<std::string>{"constructor", "toString", "__proto__", ""}));
  EXPECT_EQ(scene->rules[0].a, 0U);
  EXPECT_EQ(scene->rules[0].b, 1U);
}

}  // namespace
}  // namespace broadside
