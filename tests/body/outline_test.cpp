#include "broadside/body/outline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace broadside {
namespace {

TEST(Outline, has_the_corners_of_a_turned_box) {
  const Transform transform{{10, 20}, {0, 1}};
  const auto lines = outlines(Box{{3, 1}, {}, {}}, transform, 1.0);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0], (std::vector<DrawPoint>{{11, 17}, {11, 23}, {9, 23}, {9, 17}}));
}

TEST(Outline, gives_a_segment_its_two_ends) {
  const auto lines = outlines(Segment{{0, 0}, {2, 1}}, {{1, 1}, {}}, 1.0);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0], (std::vector<DrawPoint>{{1, 1}, {3, 2}}));
}

TEST(Outline, takes_more_chords_for_larger_circles_and_stays_on_them) {
  const Shape circle = Circle{{1, 0}, 5};
  const auto small = outlines(circle, {}, 1.0)[0];
  const auto large = outlines(circle, {}, 100.0)[0];
  EXPECT_GT(large.size(), small.size());
  for (const DrawPoint p : large) {
    EXPECT_NEAR(std::hypot(p.x - 1.0, p.y), 5.0, 1e-9);
  }
}

TEST(Outline, goes_round_a_capsule_at_its_radius) {
  const auto line = outlines(Capsule{{-2, 0}, {2, 0}, 1}, {}, 50.0)[0];
  double left = 0.0;
  double top = 0.0;
  for (const DrawPoint p : line) {
    const double along = std::clamp(p.x, -2.0, 2.0);
    EXPECT_NEAR(std::hypot(p.x - along, p.y), 1.0, 1e-9);
    left = std::min(left, p.x);
    top = std::max(top, p.y);
  }
  EXPECT_NEAR(left, -3.0, 0.01);
  EXPECT_NEAR(top, 1.0, 1e-9);
}

TEST(Outline, shows_a_mask_by_rectangles_or_by_pixels) {
  const std::string_view rows[] = {"##.", "##.", "..#"};
  const Shape mask = Mask::from_rows(rows, {.pixel_size = 2.0F, .origin = {}}).value();
  const auto rectangles = outlines(mask, {}, 1.0);
  ASSERT_EQ(rectangles.size(), 2U);
  EXPECT_EQ(rectangles[0], (std::vector<DrawPoint>{{0, 0}, {4, 0}, {4, 4}, {0, 4}}));
  EXPECT_EQ(rectangles[1], (std::vector<DrawPoint>{{4, 4}, {6, 4}, {6, 6}, {4, 6}}));
  EXPECT_EQ(outlines(mask, {}, 1.0, 5).size(), 5U);
  EXPECT_EQ(outlines(mask, {}, 1.0, 4).size(), 2U);
}

TEST(Outline, shows_a_capsule_without_length_as_a_circle) {
  const Transform transform{{3, -2}, {0.6F, 0.8F}};
  for (const float radius : {0.0F, 0.5F, 7.0F}) {
    EXPECT_EQ(outlines(Capsule{{1, 2}, {1, 2}, radius}, transform, 10.0),
              outlines(Circle{{1, 2}, radius}, transform, 10.0));
  }
}

}  // namespace
}  // namespace broadside
