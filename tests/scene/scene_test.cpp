#include "broadside/scene/scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/contact/collide.hpp"

namespace broadside {
namespace {

const BuiltInScene& built_in(std::string_view name) {
  if (const BuiltInScene* const found = find_built_in_scene(name)) {
    return *found;
  }
  ADD_FAILURE() << "no scene " << name;
  return built_in_scenes()[0];
}

Scene parse_built_in(std::string_view name) {
  auto scene = parse_scene(built_in(name).json, std::string(name));
  EXPECT_TRUE(scene.has_value()) << scene.error().message;
  return std::move(scene).value();
}

std::vector<Aabb> boxes_of(const Scene& scene) {
  std::vector<Aabb> boxes;
  for (const SceneBody& body : scene.bodies) {
    boxes.push_back(bounds(body.shape, body.transform()));
  }
  return boxes;
}

TEST(BuiltInScenes, are_the_four_of_the_documents_and_one_of_shapes) {
  ASSERT_EQ(built_in_scenes().size(), 5U);
  for (const BuiltInScene& scene : built_in_scenes()) {
    EXPECT_EQ(parse_built_in(scene.name).name, scene.name);
  }
}

TEST(BuiltInScenes, rings_hold_as_many_boxes_as_the_demo) {
  const Scene scene = parse_built_in("rings");
  // floor(15 k 0.65) from the second ring on, the first 15, and one mover each.
  EXPECT_EQ(scene.bodies.size(), 15U + 19U + 29U + 39U + 48U + 5U);
  for (const SceneBody& body : scene.bodies) {
    EXPECT_EQ(body.shape, Shape(Box::of_half_size({5, 5})));
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
    const float radius = std::get<Circle>(body.shape).radius;
    radii.push_back(radius);
    area += 3.14159 * double{radius} * radius;
  }
  std::sort(radii.begin(), radii.end());
  EXPECT_EQ(radii.front(), 1.0F);
  EXPECT_LE(radii.back(), 128.0F);
  EXPECT_EQ(radii[1000], 1.0F);                   // the checklist measured a median of 1
  EXPECT_NEAR(area / (1920 * 1080), 0.21, 0.05);  // and a fill of 21 %
}

// Each pairing stands alone in its field, and touches.
TEST(BuiltInScenes, shapes_show_each_pairing_once) {
  const Scene scene = parse_built_in("shapes");
  ASSERT_EQ(scene.bodies.size(), 42U);
  std::set<std::pair<std::size_t, std::size_t>> kinds;
  for (std::size_t i = 0; i < scene.bodies.size(); i += 2) {
    const SceneBody& a = scene.bodies[i];
    const SceneBody& b = scene.bodies[i + 1];
    EXPECT_EQ(scene.tags[a.tag], std::string(name(a.shape)) + "-" + std::string(name(b.shape)));
    EXPECT_TRUE(overlaps(a.shape, a.transform(), b.shape, b.transform())) << scene.tags[a.tag];
    kinds.insert(std::minmax(a.shape.index(), b.shape.index()));
  }
  EXPECT_EQ(kinds.size(), 21U);
  EXPECT_EQ(find_pairs(boxes_of(scene))->size(), 21U);
}

TEST(Scene, reads_every_shape_around_its_position) {
  const auto scene = parse_scene(R"({"bodies": [
    {"position": [10, 0], "size": [4, 2]}, {"position": [10, 0], "radius": 3},
    {"position": [10, 0], "capsule": {"a": [-1, 0], "b": [2, 0], "radius": 0.5}},
    {"position": [10, 0], "segment": {"a": [-1, -2], "b": [1, 2]}},
    {"position": [10, 0], "polygon": {"points": [[0, 0], [4, 0], [0, 3], [1, 1]], "radius": 0.25}},
    {"position": [10, 0], "mask": {"rows": [".#", "##", "#"], "pixel_size": 0.5}},
    {"position": [10, 0], "angle": 3, "spin": -2, "size": 1}]})",
                                 "shapes");
  ASSERT_TRUE(scene.has_value()) << scene.error().message;
  const std::vector<Vec2> corners = {{0, 0}, {4, 0}, {0, 3}};
  const std::vector<std::string_view> rows = {".#", "##", "#"};
  const std::vector<Shape> expected = {
      Box::of_half_size({2, 1}),
      Circle{{}, 3},
      Capsule{{-1, 0}, {2, 0}, 0.5F},
      Segment{{-1, -2}, {1, 2}},
      Polygon::hull(corners, 0.25F).value(),
      Mask::from_rows(rows, {.pixel_size = 0.5F, .origin = {-0.5F, -0.75F}}).value(),
      Box::of_half_size({0.5F, 0.5F})};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(scene->bodies[i].shape, expected[i]) << i;
    EXPECT_EQ(scene->bodies[i].position, (Vec2{10, 0}));
  }
  EXPECT_EQ(scene->bodies[6].angle, 3.0F);
  EXPECT_EQ(scene->bodies[6].spin, -2.0F);
  EXPECT_EQ(scene->bodies[5].mass, 1.0F) << "four pixels of a quarter each";
  EXPECT_EQ(scene->bodies[3].mass, 1.0F) << "a segment has no area to take for its mass";
}

TEST(Scene, a_pattern_may_have_any_shape) {
  const auto scene = parse_scene(R"({"bounds": [0, 0, 50, 50], "patterns": [
    {"pattern": "scatter", "count": 20, "overlap": false, "angle": 0.5, "spin": 1, "capsule": {"a": [0, 0], "b": [5, 0], "radius": 1}}]})",
                                 "scattered");
  ASSERT_TRUE(scene.has_value()) << scene.error().message;
  EXPECT_EQ(scene->bodies.size(), 20U);
  EXPECT_EQ(find_pairs(boxes_of(*scene))->size(), 0U);
  for (const SceneBody& body : scene->bodies) {
    EXPECT_TRUE(overlaps(bounds(body.shape, body.transform()), Aabb{{0, 0}, {50, 50}}));
    EXPECT_EQ(body.shape, Shape(Capsule{{0, 0}, {5, 0}, 1}));
    EXPECT_EQ(body.angle, 0.5F);
  }
}

// A scene names the picture, which is searched for in the scene's directory.
TEST(Scene, masks_may_come_from_pictures_beside_the_scene) {
  // 3 x 2 pixels of gray and alpha, written by hand: the first column of both rows and the last pixel are
  // set.
  const std::string directory = testing::TempDir();
  const std::string json =
      R"({"bodies": [{"position": [0, 0], "mask": {"file": "broadside_sprite.png", "pixel_size": 2}}]})";
  const std::vector<unsigned char> pixels = {0, 255, 0, 0, 0, 10, 0, 255, 0, 0, 0, 200};
  ASSERT_NE(stbi_write_png((directory + "/broadside_sprite.png").c_str(), 3, 2, 2, pixels.data(), 6), 0);
  const auto scene = parse_scene(json, "sprites", directory);
  ASSERT_TRUE(scene.has_value()) << scene.error().message;
  const std::vector<std::string_view> rows = {"#..", "#.#"};
  EXPECT_EQ(scene->bodies[0].shape,
            Shape(Mask::from_rows(rows, {.pixel_size = 2, .origin = {-3, -2}}).value()));
  EXPECT_NE(parse_scene(json, "s", directory + "/elsewhere").error().message.find("No such file"),
            std::string::npos);
  EXPECT_NE(parse_scene(json, "s").error().message.find("bodies[0].mask.file: needs a scene that is a file"),
            std::string::npos);
}

TEST(Scene, bodies_share_the_mask_of_a_picture) {
  const std::string directory = testing::TempDir();
  const std::vector<unsigned char> pixels = {0, 255, 0, 100};
  ASSERT_NE(stbi_write_png((directory + "/broadside_shared.png").c_str(), 2, 1, 2, pixels.data(), 4), 0);
  const auto scene = parse_scene(R"({"bodies": [
      {"position": [0, 0], "mask": {"file": "broadside_shared.png"}},
      {"position": [9, 0], "mask": {"file": "broadside_shared.png", "threshold": 50}},
      {"position": [9, 9], "mask": {"file": "broadside_shared.png", "pixel_size": 3}}],
    "patterns": [{"pattern": "grid", "mask": {"file": "broadside_shared.png"}, "origin": [20, 0],
                  "spacing": [5, 5], "columns": 2, "rows": 1}]})",
                                 "sprites", directory);
  ASSERT_TRUE(scene.has_value()) << scene.error().message;
  ASSERT_EQ(scene->bodies.size(), 5U);
  const auto mask = [&](std::size_t i) -> const Mask& { return std::get<Mask>(scene->bodies[i].shape); };
  for (const std::size_t same : {3U, 4U}) {
    EXPECT_EQ(mask(same).words(0).data(), mask(0).words(0).data()) << same;
  }
  EXPECT_EQ(mask(0).count(), 1U);
  EXPECT_EQ(mask(1).count(), 2U);
  EXPECT_EQ(mask(2).pixel_size(), 3.0F);
}

TEST(Scene, defaults_are_as_the_schema_says) {
  const auto scene = parse_scene("{}", "empty");
  ASSERT_TRUE(scene.has_value());
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
  ASSERT_FALSE(scene.has_value());
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
  ASSERT_FALSE(scene.has_value());
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
        BadScene{R"({"bodies": [{"position": [0, 0]}]})", "bodies[0].size: must be given (a box), or else"},
        BadScene{R"({"bodies": [{"position": [0, 0], "size": 1, "radius": 1}]})",
                 "bodies[0].radius: stands beside size; a body has one shape"},
        BadScene{R"({"bodies": [{"position": [0, 0], "capsule": 3}]})",
                 "bodies[0].capsule: is 3; expected an object"},
        BadScene{R"({"bodies": [{"position": [0, 0], "capsule": {"a": [0, 0], "b": [1, 1]}}]})",
                 "bodies[0].capsule.radius: is missing"},
        BadScene{R"({"bodies": [{"position": [0, 0], "segment": {"a": [0, 0]}}]})",
                 "bodies[0].segment.b: is missing"},
        BadScene{R"({"bodies": [{"position": [0, 0], "segment": {"a": [0, 0], "b": [1], "radius": 1}}]})",
                 "bodies[0].segment.radius: is not a field there"},
        BadScene{R"({"bodies": [{"position": [0, 0], "polygon": {}}]})",
                 "bodies[0].polygon.points: is missing"},
        BadScene{R"({"bodies": [{"position": [0, 0], "polygon": {"points": [[0, 0], [1, 1]]}}]})",
                 "bodies[0].polygon.points: is an array of 2; expected a list of at least three"},
        BadScene{R"({"bodies": [{"position": [0, 0], "polygon": {"points": [[0, 0], [1, 1], 7]}}]})",
                 "bodies[0].polygon.points[2]: is 7; expected two numbers"},
        BadScene{R"({"bodies": [{"position": [0, 0], "polygon": {"points": [[0, 0], [1, 1], [2, 2]]}}]})",
                 "bodies[0].polygon.points: the points span no area"},
        BadScene{R"({"bodies": [{"position": [0, 0], "mask": {}}]})",
                 "bodies[0].mask.rows: must be given, or else file"},
        BadScene{R"({"bodies": [{"position": [0, 0], "mask": {"rows": "##"}}]})",
                 "bodies[0].mask.rows: is \"##\"; expected a list of strings"},
        BadScene{R"({"bodies": [{"position": [0, 0], "mask": {"rows": ["#", 7]}}]})",
                 "bodies[0].mask.rows[1]: is 7; expected a string"},
        BadScene{R"({"bodies": [{"position": [0, 0], "mask": {"rows": [".."]}}]})",
                 "bodies[0].mask.rows: all pixels are clear"},
        BadScene{R"({"bodies": [{"position": [0, 0], "mask": {"rows": ["#"], "pixel_size": 0}}]})",
                 "bodies[0].mask.pixel_size: is 0; expected a number from 1e-09"},
        BadScene{R"({"bodies": [{"position": [0, 0], "size": 1, "angle": "left"}]})",
                 "bodies[0].angle: is \"left\"; expected a number"},
        BadScene{R"({"bodies": [{"position": [0, 0], "segment": {"a": [0, 0], "b": [1, 1]}, "tag": "stick"}],
                     "rules": [{"between": ["stick", "stick"], "grow": 1}]})",
                 "rules[0].grow: is for boxes and circles; some body with the tag \"stick\" is neither"},
        BadScene{R"({"patterns": [{"pattern": "grid", "size": 1, "mask": {"rows": ["#"]}}]})",
                 "patterns[0].mask: stands beside size"},
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
            "patterns[0].rows: gives the scene 100000000 bodies; at most 1000000 are allowed"},
        BadScene{R"({"rules": [{"between": ["a", "b"]}]})",
                 "rules[0].between[0]: is \"a\"; expected the tag"},
        BadScene{R"({"rules": [{"response": "bounce"}]})", "rules[0].between: is missing"},
        BadScene{
            R"({"bodies": [{"position": [0,0], "size": 1}], "rules": [{"between": ["body", "body"], "respawn": true}]})",
            "rules[0].respawn: needs a scene with bounds"}));

constexpr std::uint64_t max_bodies = 1'000'000;

/// A pattern as text, the number of its bodies, and the field that an error about that number names.
struct DrawnPattern {
  std::string text;
  std::uint64_t bodies;
  std::string field;
};

/// Draws a pattern of any kind with at least `least` bodies: few more, or many more.
///
/// @pre least <= 1,000,000
DrawnPattern drawn_pattern(test::Random& random, std::uint64_t least) {
  const auto up_to = [&random](std::uint64_t most) {
    return random.below(static_cast<std::uint32_t>(most + 1));
  };
  const auto field = [](const char* name, std::uint64_t value) {
    return std::string(", \"").append(name).append("\": ").append(std::to_string(value));
  };
  const std::string shape = random.below(2) == 0 ? R"("radius": 1)" : R"("size": {"min": 1, "max": 2})";
  const std::uint32_t kind = random.below(4);
  if (kind < 2) {
    const std::uint64_t count = least + up_to(std::min<std::uint64_t>(max_bodies - least, 100));
    return {(kind == 0 ? R"({"pattern": "line", "from": [0, 0], "to": [9, 9], )"
                       : R"({"pattern": "scatter", "area": [0, 0, 9, 9], )") +
                shape + field("count", count) + "}",
            count, "count"};
  }
  if (kind == 2) {
    const std::uint64_t least_columns = (least + 9'999) / 10'000;
    const std::uint64_t columns =
        least_columns + (least < 1000 ? 1 + up_to(5) : up_to(10'000 - least_columns));
    const std::uint64_t least_rows = (least + columns - 1) / columns;
    const std::uint64_t rows = least_rows + (least < 1000 ? 1 + up_to(5) : up_to(10'000 - least_rows));
    return {R"({"pattern": "grid", "origin": [0, 0], "spacing": [1, 1], )" + shape +
                field("columns", columns) + field("rows", rows) + "}",
            columns * rows, "rows"};
  }
  // The first ring has `first` bodies, ring k has floor(0.65 k first).
  const std::uint64_t rings = least < 1000 ? 1 + up_to(5) : 1000;
  const std::uint64_t movers = up_to(3);
  std::uint64_t first = least < 1000 ? 0 : 10 + up_to(900);
  std::uint64_t bodies = 0;
  do {
    ++first;
    bodies = first + rings * movers;
    for (std::uint64_t k = 2; k <= rings; ++k) {
      bodies += first * k * 13 / 20;
    }
  } while (bodies < least);
  return {R"({"pattern": "rings", "center": [0, 0], "spacing": 1, )" + shape + field("rings", rings) +
              field("first", first) + field("movers", movers) + "}",
          bodies, "rings"};
}

// Small patterns of all kinds, then one that exceeds the limit together with them, then huge ones.
TEST(Scene, patterns_beyond_a_million_bodies_are_refused_before_they_are_expanded) {
  test::Random random(41);
  for (int round = 0; round < 500; ++round) {
    std::uint64_t bodies = 1 + random.below(3);
    std::string text = R"({"bodies": [)";
    for (std::uint64_t i = 0; i < bodies; ++i) {
      text += std::string(i == 0 ? "" : ", ") + R"({"position": [0, 0], "size": 1})";
    }
    text += R"(], "patterns": [)";
    const std::uint32_t small = random.below(4);
    for (std::uint32_t i = 0; i < small; ++i) {
      const DrawnPattern pattern = drawn_pattern(random, random.below(100));
      bodies += pattern.bodies;
      text += pattern.text + ", ";
    }
    const DrawnPattern excess = drawn_pattern(random, max_bodies + 1 - bodies);
    text += excess.text;
    for (int i = 0; i < 20; ++i) {
      text += ", " + drawn_pattern(random, max_bodies).text;
    }
    text += "]}";
    const std::string message = "s.json: patterns[" + std::to_string(small) + "]." + excess.field +
                                ": gives the scene " + std::to_string(bodies + excess.bodies) +
                                " bodies; at most 1000000 are allowed";
    const test::MemoryWatch watch;
    const auto scene = parse_scene(text, "s.json");
    EXPECT_LT(watch.bytes(), std::size_t{1} << 21U) << text;
    ASSERT_FALSE(scene.has_value()) << text;
    EXPECT_EQ(scene.error().code, ErrorCode::parse);
    EXPECT_EQ(scene.error().message, message) << text;
  }
}

TEST(Scene, may_have_a_million_bodies_in_all) {
  const std::string listed = R"({"bodies": [{"position": [0, 0], "size": 1}], "patterns": [)";
  const std::string grid =
      R"({"pattern": "grid", "size": 1, "origin": [0, 0], "spacing": [2, 2], "columns": 999, "rows": 1000}, )";
  const std::string line = R"({"pattern": "line", "size": 1, "from": [0, 0], "to": [1, 1], "count": )";
  const auto full = parse_scene(listed + grid + line + "999}]}", "full");
  ASSERT_TRUE(full.has_value()) << full.error().message;
  EXPECT_EQ(full->bodies.size(), max_bodies);
  const auto more = parse_scene(listed + grid + line + "1000}]}", "more");
  ASSERT_FALSE(more.has_value());
  EXPECT_EQ(more.error().message,
            "more: patterns[1].count: gives the scene 1000001 bodies; at most 1000000 are allowed");
}

TEST(Scene, a_list_of_more_than_a_million_bodies_is_refused_before_they_are_read) {
  std::string zeros = "0";
  for (std::uint64_t i = 0; i < max_bodies; ++i) {
    zeros += ",0";
  }
  const auto scene = parse_scene(R"({"bodies": [)" + zeros + "]}", "list");
  ASSERT_FALSE(scene.has_value());
  EXPECT_EQ(scene.error().message,
            "list: bodies: gives the scene 1000001 bodies; at most 1000000 are allowed");
}

// EB6: a tag with the name of something built in must be a tag like any other.
TEST(Checklist, EB6_a_tag_may_have_any_name) {
  const auto scene = parse_scene(
      R"({"bodies": [{"tag": "constructor", "position": [0, 0], "size": 1}, {"tag": "toString", "position": [0, 0], "size": 1},
                     {"tag": "__proto__", "position": [0, 0], "size": 1}, {"tag": "", "position": [0, 0], "size": 1}],
          "rules": [{"between": ["constructor", "toString"], "grow": 1}]})",
      "tags");
  ASSERT_TRUE(scene.has_value()) << scene.error().message;
  EXPECT_EQ(scene->tags, (std::vector<std::string>{"constructor", "toString", "__proto__", ""}));
  EXPECT_EQ(scene->rules[0].a, 0U);
  EXPECT_EQ(scene->rules[0].b, 1U);
}

}  // namespace
}  // namespace broadside
