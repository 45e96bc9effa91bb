#include "viewer/camera.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "boxes.hpp"

namespace broadside::view {
namespace {

Camera looking_at(const Aabb& view, bool y_is_up) {
  Camera camera;
  camera.set_area({300, 0}, {1300, 600});
  camera.show(view, y_is_up);
  return camera;
}

TEST(Camera, shows_all_of_a_view_in_the_middle) {
  const Aabb view{{-10, 0}, {10, 50}};
  const Camera camera = looking_at(view, false);
  const ImVec2 middle = camera.to_screen({0, 25});
  EXPECT_FLOAT_EQ(middle.x, 800);
  EXPECT_FLOAT_EQ(middle.y, 300);
  const Aabb seen = camera.seen();
  EXPECT_TRUE(seen.min.x < -10 && seen.min.y < 0 && seen.max.x > 10 && seen.max.y > 50);
  EXPECT_NEAR(camera.scale() * 50, 568, 1e-3);
}

TEST(Camera, turns_the_world_over_where_y_points_up) {
  const Aabb view{{0, 0}, {100, 100}};
  EXPECT_GT(looking_at(view, false).to_screen({0, 100}).y, looking_at(view, false).to_screen({0, 0}).y);
  EXPECT_LT(looking_at(view, true).to_screen({0, 100}).y, looking_at(view, true).to_screen({0, 0}).y);
}

TEST(Camera, keeps_the_point_under_the_mouse_while_it_zooms) {
  for (const bool y_is_up : {false, true}) {
    Camera camera = looking_at({{0, 0}, {100, 100}}, y_is_up);
    const ImVec2 mouse{411, 95};
    const DrawPoint before = camera.to_world(mouse);
    camera.zoom(mouse, 7.5);
    EXPECT_NEAR(camera.to_world(mouse).x, before.x, 1e-9);
    EXPECT_NEAR(camera.to_world(mouse).y, before.y, 1e-9);
    camera.pan({20, -30});
    EXPECT_NEAR(camera.to_world({431, 65}).x, before.x, 1e-9);
    EXPECT_NEAR(camera.to_world({431, 65}).y, before.y, 1e-9);
    EXPECT_NEAR(camera.to_screen(before).x, 431, 1e-3);
    EXPECT_NEAR(camera.to_screen(before).y, 65, 1e-3);
  }
}

TEST(Camera, keeps_the_world_in_its_place_when_the_area_changes) {
  for (const bool y_is_up : {false, true}) {
    Camera camera = looking_at({{0, 0}, {100, 100}}, y_is_up);
    const DrawPoint before = camera.to_world({411, 95});
    for (const ImVec2 max : {ImVec2{1300, 392}, ImVec2{1300, 600}, ImVec2{900, 620}}) {
      camera.set_area({300, 0}, max);
      EXPECT_NEAR(camera.to_screen(before).x, 411, 1e-3);
      EXPECT_NEAR(camera.to_screen(before).y, 95, 1e-3);
    }
  }
}

TEST(Camera, pans_no_more_than_is_needed_to_reveal_a_point) {
  test::Random random(4);
  for (int round = 0; round < 1000; ++round) {
    Camera camera = looking_at({{0, 0}, {100, 100}}, round % 2 == 0);
    const DrawPoint point{random.between(-300, 300), random.between(-300, 300)};
    const ImVec2 before = camera.to_screen(point);
    camera.reveal(point);
    const ImVec2 after = camera.to_screen(point);
    EXPECT_NEAR(after.x, std::clamp(before.x, 340.0F, 1260.0F), 1e-2);
    EXPECT_NEAR(after.y, std::clamp(before.y, 40.0F, 560.0F), 1e-2);
  }
  Camera camera = looking_at({{0, 0}, {100, 100}}, false);
  camera.reveal({1e12, -1e12});
  EXPECT_TRUE(camera.contains(camera.to_screen({1e12, -1e12})));
}

TEST(Camera, stays_within_the_range_of_float) {
  constexpr float most = std::numeric_limits<float>::max();
  Camera camera = looking_at({{-most, -most}, {most, most}}, false);
  EXPECT_TRUE(is_valid(camera.seen()));
  EXPECT_EQ(camera.under({300, 0}), (Vec2{-most, -most}));
  camera.zoom({400, 100}, 1e300);
  EXPECT_TRUE(is_valid(camera.seen()));
  camera = looking_at({{5, 5}, {5, 5}}, false);
  EXPECT_TRUE(is_valid(camera.seen()));
  camera.set_area({300, 0}, {301, 1});
  camera.show({{0, 0}, {1, 1}}, false);
  EXPECT_GT(camera.scale(), 0.0);
}

}  // namespace
}  // namespace broadside::view
