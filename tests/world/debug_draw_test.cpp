#include "broadside/world/debug_draw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "boxes.hpp"
#include "broadside/world/world.hpp"

namespace broadside::debug_draw_test {
namespace {

/// A recorded drawing call.
struct Call {
  std::string what;
  std::vector<DrawPoint> points;
  DrawStyle style;
  double radius = 0.0;
  std::string text = {};
};

/// Records the drawing calls.
class Recorder final : public DebugDraw {
 public:
  void line(DrawPoint from, DrawPoint to, const DrawStyle& style) override {
    calls.push_back({"line", {from, to}, style});
  }
  void box(const Aabb& box, const DrawStyle& style) override {
    calls.push_back({"box", {{box.min.x, box.min.y}, {box.max.x, box.max.y}}, style});
  }
  void circle(DrawPoint center, double radius, const DrawStyle& style) override {
    calls.push_back({"circle", {center}, style, radius});
  }
  void polygon(std::span<const DrawPoint> corners, const DrawStyle& style) override {
    calls.push_back({"polygon", {corners.begin(), corners.end()}, style});
  }
  void text(DrawPoint center, std::string_view text, const DrawStyle& style) override {
    calls.push_back({"text", {center}, style, 0.0, std::string(text)});
  }

  [[nodiscard]] std::vector<Call> of(DrawRole role) const {
    std::vector<Call> found;
    std::copy_if(calls.begin(), calls.end(), std::back_inserter(found),
                 [role](const Call& call) { return call.style.role == role; });
    return found;
  }

  std::vector<Call> calls;
};

Recorder drawn(const World& world, const DebugDrawOptions& options = {}) {
  Recorder recorder;
  draw(world, recorder, options).value();
  return recorder;
}

Shape triangle() {
  const std::array<Vec2, 3> corners{Vec2{0, 0}, Vec2{2, 0}, Vec2{0, 2}};
  return Polygon::hull(corners).value();
}

Shape corner_mask() {
  const std::array<std::string_view, 2> rows{"#.", "##"};
  return Mask::from_rows(rows, {}).value();
}

TEST(DebugDraw, draws_nothing_of_an_empty_world) {
  EXPECT_TRUE(drawn(World(), {.boxes = true}).calls.empty());
}

TEST(DebugDraw, draws_all_kinds_of_shapes_where_they_are) {
  World world;
  const Rotation quarter{0, 1};
  const Shape shapes[] = {Circle{{1, 0}, 2},
                          Box::of_half_size({2, 1}),
                          Capsule{{0, 0}, {2, 0}, 1},
                          Segment{{0, 0}, {3, 0}},
                          triangle(),
                          corner_mask()};
  float x = 0.0F;
  for (const Shape& shape : shapes) {
    world.add({.shape = shape, .position = {x, 0}, .rotation = quarter}).value();
    x += 100.0F;
  }
  const Recorder recorder = drawn(world, {.cells = false});
  const auto calls = recorder.of(DrawRole::dynamic_body);
  ASSERT_EQ(calls.size(), recorder.calls.size());
  ASSERT_EQ(calls.size(), 7U);  // the mask is two rectangles
  EXPECT_EQ(calls[0].what, "circle");
  EXPECT_EQ(calls[0].points[0], (DrawPoint{0, 1}));
  EXPECT_EQ(calls[0].radius, 2.0);
  EXPECT_EQ(calls[1].what, "polygon");
  EXPECT_EQ(calls[1].points, (std::vector<DrawPoint>{{101, -2}, {101, 2}, {99, 2}, {99, -2}}));
  EXPECT_EQ(calls[2].what, "polygon");
  for (const DrawPoint p : calls[2].points) {
    const double along = std::clamp(p.y, 0.0, 2.0);
    EXPECT_NEAR(std::hypot(p.x - 200.0, p.y - along), 1.0, 1e-9);
  }
  EXPECT_EQ(calls[3].what, "line");
  EXPECT_EQ(calls[3].points, (std::vector<DrawPoint>{{300, 0}, {300, 3}}));
  EXPECT_EQ(calls[4].points, (std::vector<DrawPoint>{{400, 0}, {400, 2}, {398, 0}}));
  EXPECT_FALSE(calls[4].style.is_piece);
  for (const Call& piece : {calls[5], calls[6]}) {
    EXPECT_EQ(piece.what, "polygon");
    EXPECT_TRUE(piece.style.is_piece);
  }
  EXPECT_EQ(calls[5].points, (std::vector<DrawPoint>{{500, 0}, {500, 1}, {499, 1}, {499, 0}}));
  EXPECT_EQ(calls[6].points, (std::vector<DrawPoint>{{499, 0}, {499, 2}, {498, 2}, {498, 0}}));
}

TEST(DebugDraw, keeps_the_form_of_small_shapes_far_away) {
  World world;
  world.add({.shape = Box::of_half_size({0.01F, 0.01F}), .position = {1e6F, 0}}).value();
  const auto corners = drawn(world, {.cells = false}).calls.at(0).points;
  EXPECT_NEAR(corners[1].x - corners[0].x, 0.02, 1e-8);
}

TEST(DebugDraw, passes_the_role_and_the_body_of_each_shape) {
  World world;
  const Shape circle = Circle{.radius = 1};
  const std::array bodies{BodyDef{.shape = circle, .type = BodyType::static_body},
                          BodyDef{.shape = circle, .type = BodyType::kinematic, .position = {10, 0}},
                          BodyDef{.shape = circle, .position = {20, 0}},
                          BodyDef{.shape = circle, .position = {30, 0}, .sensor = true},
                          BodyDef{.shape = circle, .position = {40, 0}, .sensor = true, .enabled = false}};
  const auto ids = world.add(bodies).value();
  const Recorder recorder = drawn(world, {.cells = false});
  ASSERT_EQ(recorder.calls.size(), 5U);
  const std::array roles{DrawRole::static_body, DrawRole::kinematic_body, DrawRole::dynamic_body,
                         DrawRole::sensor, DrawRole::disabled_body};
  for (std::size_t i = 0; i < roles.size(); ++i) {
    EXPECT_EQ(recorder.calls[i].style.role, roles[i]) << i;
    EXPECT_EQ(recorder.calls[i].style.body, ids[i]) << i;
  }
}

TEST(DebugDraw, shows_contacts_of_the_last_step_and_the_touching_bodies) {
  World world;
  const Shape circle = Circle{.radius = 1};
  world.add({.shape = circle}).value();
  const BodyId other = world.add({.shape = circle, .position = {1.5F, 0}}).value();
  world.add({.shape = circle, .position = {9, 0}}).value();
  EXPECT_TRUE(drawn(world).of(DrawRole::contact_point).empty());
  world.step(0).value();
  Recorder recorder = drawn(world, {.scale = 32.0});
  ASSERT_EQ(recorder.of(DrawRole::contact_point).size(), 1U);
  EXPECT_EQ(recorder.of(DrawRole::contact_point)[0].points[0], (DrawPoint{0.75, 0}));
  const auto normals = recorder.of(DrawRole::normal);
  ASSERT_EQ(normals.size(), 1U);
  EXPECT_EQ(normals[0].points, (std::vector<DrawPoint>{{0.75, 0}, {1.3125, 0}}));  // 18 pixels, from a to b
  // A normal is never longer than half of the smaller shape.
  EXPECT_EQ(drawn(world).of(DrawRole::normal)[0].points[1], (DrawPoint{1.75, 0}));
  const auto shapes = recorder.of(DrawRole::dynamic_body);
  ASSERT_EQ(shapes.size(), 3U);
  EXPECT_TRUE(shapes[0].style.touching && shapes[1].style.touching);
  EXPECT_FALSE(shapes[2].style.touching);
  EXPECT_TRUE(drawn(world, {.contacts = false}).of(DrawRole::normal).empty());

  // A new body that reuses the place of a removed body is not drawn as touching.
  world.remove(other).value();
  const BodyId fresh = world.add({.shape = circle, .position = {50, 0}}).value();
  ASSERT_EQ(fresh.index, other.index);
  recorder = drawn(world);
  EXPECT_EQ(recorder.of(DrawRole::dynamic_body)[1].style.body, fresh);
  EXPECT_FALSE(recorder.of(DrawRole::dynamic_body)[1].style.touching);
}

TEST(DebugDraw, shows_cells_with_their_counts_in_the_middle) {
  World world;
  world.set_technique("uniform-grid", {.cell_size = Vec2{10, 10}, .bounds = Aabb{{0, 0}, {100, 100}}})
      .value();
  for (const Vec2 at : {Vec2{5, 5}, Vec2{6, 6}, Vec2{55, 25}}) {
    world.add({.shape = Circle{.radius = 1}, .position = at}).value();
  }
  Recorder recorder = drawn(world, {.shapes = false, .scale = 10.0});
  ASSERT_EQ(recorder.calls.size(), 4U);
  std::vector<std::string> seen;
  for (const Call& call : recorder.calls) {
    ASSERT_EQ(call.style.role, DrawRole::cell);
    if (call.what == "text") {
      seen.push_back(call.text + " at " + std::to_string(static_cast<int>(call.points[0].x)) + "," +
                     std::to_string(static_cast<int>(call.points[0].y)));
    } else {
      EXPECT_EQ(call.points[1].x - call.points[0].x, 10.0);
    }
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector<std::string>{"1 at 55,25", "2 at 5,5"}));
  // The cells are too small for text.
  EXPECT_EQ(drawn(world, {.shapes = false, .scale = 1.0}).calls.size(), 2U);
  // In a partly visible cell the text is in the middle of the visible part.
  recorder = drawn(world, {.shapes = false, .view = Aabb{{4, 0}, {8, 8}}, .scale = 10.0});
  ASSERT_EQ(recorder.calls.size(), 2U);
  EXPECT_EQ(recorder.calls[1].points[0], (DrawPoint{6, 4}));
}

TEST(DebugDraw, leaves_out_shapes_outside_the_view) {
  World world;
  world.add({.shape = Circle{.radius = 1}}).value();
  const BodyId seen = world.add({.shape = Circle{.radius = 1}, .position = {10, 0}}).value();
  DebugDrawOptions options{.cells = false, .boxes = true, .view = Aabb{{5, -1}, {9, 1}}};
  const Recorder recorder = drawn(world, options);
  ASSERT_EQ(recorder.calls.size(), 2U);
  EXPECT_EQ(recorder.calls[0].what, "box");
  EXPECT_EQ(recorder.calls[0].style.role, DrawRole::box);
  EXPECT_EQ(recorder.calls[1].style.body, seen);
}

TEST(DebugDraw, shows_a_picked_body_with_candidates_hits_and_velocity) {
  World world;
  const Shape circle = Circle{.radius = 1};
  const std::vector<Shape> parts{Shape(Circle{{4, 0}, 1})};
  const BodyId picked = world.add({.shape = circle, .more_shapes = parts, .velocity = {8, -4}}).value();
  const BodyId hit = world.add({.shape = circle, .position = {5.5F, 0}}).value();
  const BodyId near = world.add({.shape = circle, .position = {-1.8F, 1.8F}}).value();  // overlaps by its box
  world.add({.shape = circle, .position = {1, 0}, .filter = {.mask = 0}}).value();
  world.add({.shape = circle, .position = {50, 0}}).value();
  world.step(0).value();
  EXPECT_EQ(world.candidates(picked).value(), (std::vector<BodyId>{hit, near}));
  EXPECT_EQ(world.candidates(hit).value(), std::vector<BodyId>{picked});

  const Recorder recorder = drawn(world, {.picked = picked});
  const auto candidates = recorder.of(DrawRole::candidate);
  ASSERT_EQ(candidates.size(), 2U);
  EXPECT_EQ(candidates[0].what, "box");
  EXPECT_EQ(candidates[0].style.body, hit);
  EXPECT_EQ(candidates[1].style.body, near);
  ASSERT_EQ(recorder.of(DrawRole::hit).size(), 1U);
  EXPECT_EQ(recorder.of(DrawRole::hit)[0].what, "circle");
  EXPECT_EQ(recorder.of(DrawRole::hit)[0].style.body, hit);
  EXPECT_EQ(recorder.of(DrawRole::picked).size(), 4U);  // two boxes, two circles
  ASSERT_EQ(recorder.of(DrawRole::velocity).size(), 1U);
  const auto way = recorder.of(DrawRole::velocity)[0].points;
  EXPECT_EQ(way[0], (DrawPoint{0, 0}));
  EXPECT_NEAR(way[1].x, 2.0, 1e-5);
  EXPECT_NEAR(way[1].y, -1.0, 1e-5);

  world.remove(picked).value();
  EXPECT_TRUE(drawn(world, {.picked = picked}).of(DrawRole::picked).empty());
  EXPECT_EQ(world.candidates(picked).error().code, ErrorCode::stale_id);
}

// The contacts are from the last step; their bodies may have been removed since.
TEST(DebugDraw, shows_no_hits_that_were_removed_since) {
  World world;
  const BodyId picked = world.add({.shape = Circle{.radius = 1}}).value();
  const BodyId other = world.add({.shape = Circle{.radius = 1}, .position = {1, 0}}).value();
  world.step(0).value();
  EXPECT_EQ(drawn(world, {.picked = picked}).of(DrawRole::hit).size(), 1U);
  world.remove(other).value();
  EXPECT_TRUE(drawn(world, {.picked = picked}).of(DrawRole::hit).empty());
}

TEST(DebugDraw, shows_contact_points_in_view_alone) {
  World world;
  test::Random random(5);
  for (int i = 0; i < 200; ++i) {
    world.add({.shape = Circle{.radius = 1}, .position = {random.between(-20, 20), random.between(-20, 20)}})
        .value();
  }
  world.step(0).value();
  const auto all = drawn(world).of(DrawRole::contact_point);
  EXPECT_GT(all.size(), 20U);
  for (int i = 0; i < 20; ++i) {
    const Vec2 corner{random.between(-20, 15), random.between(-20, 15)};
    const Aabb view{corner, corner + Vec2{5, 5}};
    const auto expected = std::count_if(all.begin(), all.end(), [&](const Call& call) {
      const DrawPoint at = call.points[0];
      return contains(view, Vec2{static_cast<float>(at.x), static_cast<float>(at.y)});
    });
    const Recorder recorder = drawn(world, {.view = view});
    EXPECT_EQ(recorder.of(DrawRole::contact_point).size(), static_cast<std::size_t>(expected));
    EXPECT_EQ(recorder.of(DrawRole::normal).size(), static_cast<std::size_t>(expected));
  }
}

TEST(DebugDraw, draws_no_contacts_if_too_many_points_are_in_view) {
  World world;
  test::Random random(6);
  for (int i = 0; i < 200; ++i) {
    world.add({.shape = Box::of_size({2, 2}), .position = {random.between(-20, 20), random.between(-20, 20)}})
        .value();
  }
  world.step(0).value();
  int checked = 0;
  for (int i = 0; i < 20; ++i) {
    const Vec2 corner{random.between(-20, 15), random.between(-20, 15)};
    DebugDrawOptions options{.view = Aabb{corner, corner + Vec2{10, 10}}};
    const std::size_t points = drawn(world, options).of(DrawRole::contact_point).size();
    if (points == 0) {
      continue;
    }
    ++checked;
    options.max_contact_points = points;
    EXPECT_EQ(drawn(world, options).of(DrawRole::contact_point).size(), points);
    EXPECT_EQ(drawn(world, options).of(DrawRole::normal).size(), points);
    options.max_contact_points = points - 1;
    EXPECT_TRUE(drawn(world, options).of(DrawRole::contact_point).empty());
    EXPECT_TRUE(drawn(world, options).of(DrawRole::normal).empty());
  }
  EXPECT_GT(checked, 10);
}

TEST(DebugDraw, draws_small_shapes_as_their_boxes) {
  World world;
  const Shape shapes[] = {Circle{.radius = 2}, Capsule{{0, 0}, {9, 0}, 1}, triangle(), corner_mask()};
  std::vector<BodyId> bodies;
  test::Random random(7);
  for (int i = 0; i < 200; ++i) {
    bodies.push_back(world
                         .add({.shape = shapes[random.below(4)],
                               .position = {random.between(-20, 20), random.between(-20, 20)},
                               .sensor = random.below(2) == 0})
                         .value());
  }
  world.step(0).value();
  DebugDrawOptions options{.cells = false, .contacts = false, .picked = bodies[3], .scale = 3.0};
  const std::vector<Call> exact = drawn(world, options).calls;
  for (const float size : {0.0F, 6.5F, 12.0F, 24.0F, 1000.0F}) {  // the circles are 12 pixels wide
    options.min_shape_size = size;
    std::vector<Call> expected = exact;
    std::vector<BodyId> seen;
    std::erase_if(expected, [&](Call& call) {
      if (call.style.role != DrawRole::dynamic_body && call.style.role != DrawRole::sensor) {
        return false;
      }
      const Aabb box = world.bounds(call.style.body).value();
      if (3.0 * std::max(double{box.max.x} - box.min.x, double{box.max.y} - box.min.y) > size) {
        return false;
      }
      const bool is_second_piece = !seen.empty() && seen.back() == call.style.body;
      seen.push_back(call.style.body);
      call.what = "box";
      call.points = {{box.min.x, box.min.y}, {box.max.x, box.max.y}};
      call.radius = 0.0;
      call.style.is_piece = false;
      return is_second_piece;
    });
    const std::vector<Call> found = drawn(world, options).calls;
    ASSERT_EQ(found.size(), expected.size()) << size;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].what, expected[i].what) << size << ": " << i;
      EXPECT_EQ(found[i].points, expected[i].points) << size << ": " << i;
      EXPECT_EQ(found[i].style.role, expected[i].style.role) << size << ": " << i;
      EXPECT_EQ(found[i].style.body, expected[i].style.body) << size << ": " << i;
      EXPECT_EQ(found[i].style.touching, expected[i].style.touching) << size << ": " << i;
    }
    EXPECT_EQ(seen.empty(), size == 0.0F);
  }
}

TEST(DebugDraw, candidates_exclude_ignored_and_rejected_bodies) {
  World world;
  const Shape circle = Circle{.radius = 1};
  const BodyId a = world.add({.shape = circle}).value();
  const BodyId b = world.add({.shape = circle}).value();
  const BodyId c = world.add({.shape = circle}).value();
  world.set_ignored(a, c, true).value();
  EXPECT_EQ(world.candidates(a).value(), std::vector<BodyId>{b});
  world.set_predicate([](BodyId, BodyId) { return false; }).value();
  EXPECT_TRUE(world.candidates(a).value().empty());
}

TEST(DebugDraw, draws_in_the_same_order_every_time) {
  World world;
  for (int i = 0; i < 300; ++i) {
    const auto at = static_cast<float>(i);
    world.add({.shape = Circle{.radius = 1 + 0.1F * at}, .position = {at * 3, -at}}).value();
  }
  world.step(0).value();
  const Recorder first = drawn(world, {.boxes = true});
  const Recorder second = drawn(world, {.boxes = true});
  ASSERT_EQ(first.calls.size(), second.calls.size());
  EXPECT_GT(first.calls.size(), 900U);
  for (std::size_t i = 0; i < first.calls.size(); ++i) {
    ASSERT_EQ(first.calls[i].what, second.calls[i].what) << i;
    ASSERT_EQ(first.calls[i].points, second.calls[i].points) << i;
  }
  // Layers are drawn one after the other, and bodies in the order of their places.
  const auto is_of = [](DrawRole role) {
    return [role](const Call& call) { return call.style.role == role; };
  };
  EXPECT_TRUE(std::is_partitioned(first.calls.begin(), first.calls.end(), [](const Call& call) {
    return call.style.role != DrawRole::normal && call.style.role != DrawRole::contact_point;
  }));
  const auto boxes = std::find_if(first.calls.begin(), first.calls.end(), is_of(DrawRole::box));
  const auto shapes = std::find_if(first.calls.begin(), first.calls.end(), is_of(DrawRole::dynamic_body));
  EXPECT_EQ(shapes - boxes, 300);
  EXPECT_TRUE(std::is_sorted(shapes, shapes + 300,
                             [](const Call& a, const Call& b) { return a.style.body < b.style.body; }));
}

TEST(DebugDraw, times_are_measured_on_request_by_every_technique) {
  World world;
  for (int i = 0; i < 100; ++i) {
    world.add({.shape = Circle{.radius = 1}, .position = {static_cast<float>(i), 0}}).value();
  }
  world.step(0).value();
  EXPECT_EQ(world.broad_phase().statistics().pairs_seconds, 0.0);
  world.measure_times(true);
  world.set_technique("hash-grid").value();
  world.move(world.bodies()[0], Vec2{0.5F, 0}).value();
  world.step(0).value();
  EXPECT_GT(world.broad_phase().statistics().pairs_seconds, 0.0);
  world.restore(world.snapshot()).value();
  world.move(world.bodies()[0], Vec2{0.25F, 0}).value();
  world.step(0).value();
  EXPECT_GT(world.broad_phase().statistics().pairs_seconds, 0.0);
}

}  // namespace
}  // namespace broadside::debug_draw_test
