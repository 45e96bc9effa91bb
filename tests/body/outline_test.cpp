#include "broadside/body/outline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "boxes.hpp"
#include "broadside/contact/collide.hpp"

namespace broadside::outline_test {
namespace {

TEST(Outline, has_the_corners_of_a_turned_box) {
  const Transform transform{{10, 20}, {0, 1}};
  const auto lines = outlines(Box::of_half_size({3, 1}), transform, 1.0);
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

// Of rounded polygons and capsules at any place, angle and scale: the outline runs at the radius around the
// core, turns left everywhere, covers the shape except for what chords cut off, and takes few points.
TEST(Outline, goes_round_any_rounded_shape_at_its_radius_with_few_points) {
  test::Random random(11);
  for (int round = 0; round < 2000; ++round) {
    const float radius = random.between(0.05F, 2.0F);
    std::vector<Vec2> core;
    Shape shape = Capsule{{random.between(-3, 3), random.between(-3, 3)}, {random.between(-3, 3), 4}, radius};
    if (round % 3 == 0) {
      const auto& capsule = std::get<Capsule>(shape);
      core = {capsule.a, capsule.b};
    } else {
      std::vector<Vec2> corners;
      const std::size_t n = round % 3 == 1 ? 3 + random.below(6) : 16;
      for (std::size_t i = 0; i < n; ++i) {
        const Rotation turn = Rotation::by(6.28F * (static_cast<float>(i) + 0.3F * random.between(0, 1)) /
                                           static_cast<float>(n));
        corners.push_back({3.0F * turn.cos, 3.0F * turn.sin});
      }
      const Polygon polygon = Polygon::hull(corners, radius).value();
      core.assign(polygon.vertices().begin(), polygon.vertices().end());
      shape = polygon;
    }
    const Transform at{{random.between(-50, 50), random.between(-50, 50)},
                       Rotation::by(random.between(-4, 4))};
    const double scale = std::pow(10.0, random.between(-3, 3));
    const auto line = outlines(shape, at, scale).at(0);
    double doubled_core = 0.0;
    double perimeter = 0.0;
    for (std::size_t i = 0; i < core.size(); ++i) {
      const Vec2 from = core[i];
      const Vec2 to = core[(i + 1) % core.size()];
      doubled_core += double(cross(from, to));
      perimeter += double(length(to - from));
    }
    double doubled = 0.0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const DrawPoint p = line[i];
      const DrawPoint q = line[(i + 1) % line.size()];
      const DrawPoint r = line[(i + 2) % line.size()];
      doubled += p.x * q.y - p.y * q.x;
      ASSERT_GE((q.x - p.x) * (r.y - q.y) - (q.y - p.y) * (r.x - q.x), -1e-9) << round << " point " << i;
      const Distance out = distance(shape, at, Circle{{}, 0.0F}, {{float(p.x), float(p.y)}, {}});
      ASSERT_LT(out.distance, 2e-5F) << round << " point " << i;
    }
    const double disc = 3.14159265358979 * double(radius) * double(radius);
    const double flat = 0.5 * doubled_core + perimeter * double(radius);
    EXPECT_LE(0.5 * doubled, flat + disc + 1e-3) << round;
    EXPECT_GE(0.5 * doubled, flat + 0.9 * disc - 1e-3) << round;  // a circle has 8 chords or more
    const double chords = std::max(8.0, std::ceil(7.0 * std::sqrt(double(radius) * scale)));
    EXPECT_LE(static_cast<double>(line.size()), chords + 2.0 * static_cast<double>(core.size())) << round;
  }
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
}  // namespace broadside::outline_test
