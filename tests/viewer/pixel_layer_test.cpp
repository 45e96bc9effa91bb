#include "viewer/pixel_layer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "boxes.hpp"

namespace broadside::view {
namespace {

constexpr ImU32 faint = IM_COL32(1, 2, 3, 100);
constexpr ImU32 strong = IM_COL32(4, 5, 6, 200);

/// A layer of 40 x 30 pixels whose first pixel is (300, 10) of the screen.
PixelLayer small_layer() {
  PixelLayer layer;
  layer.begin({300, 10}, {340, 40});
  return layer;
}

ImU32 pixel(const PixelLayer& layer, int x, int y) {
  return layer.pixels()[static_cast<std::size_t>(y * layer.width() + x)];
}

TEST(PixelLayer, begins_transparent) {
  PixelLayer layer = small_layer();
  layer.box({300, 10}, {340, 40}, faint, strong);
  layer.begin({0, 0}, {7, 5});
  EXPECT_EQ(layer.width(), 7);
  EXPECT_EQ(layer.height(), 5);
  EXPECT_EQ(std::count(layer.pixels().begin(), layer.pixels().end(), 0U), 35);
}

TEST(PixelLayer, draws_an_edge_of_one_pixel_from_three_on) {
  PixelLayer layer = small_layer();
  layer.box({302, 12}, {306, 15}, faint, strong);
  layer.box({310.4F, 12.4F}, {312.4F, 20.4F}, faint, strong);
  for (int y = 0; y < layer.height(); ++y) {
    for (int x = 0; x < layer.width(); ++x) {
      const bool is_in = x >= 2 && x < 6 && y >= 2 && y < 5;
      const bool is_inner = x >= 3 && x < 5 && y == 3;
      const bool is_in_other = x >= 10 && x < 12 && y >= 2 && y < 10;
      EXPECT_EQ(pixel(layer, x, y), is_in_other || is_inner ? faint : is_in ? strong : 0U) << x << ' ' << y;
    }
  }
}

TEST(PixelLayer, merges_boxes_smaller_than_a_pixel_and_keeps_the_most_opaque_color) {
  PixelLayer layer = small_layer();
  for (int i = 0; i < 100; ++i) {
    layer.box({305.1F, 15.1F}, {305.2F, 15.2F}, i == 40 ? strong : faint, strong);
  }
  EXPECT_EQ(pixel(layer, 5, 5), strong);
  EXPECT_EQ(std::count(layer.pixels().begin(), layer.pixels().end(), 0U), 40 * 30 - 1);
}

TEST(PixelLayer, draws_every_box_and_nothing_outside_its_area) {
  test::Random random(3);
  for (int round = 0; round < 5000; ++round) {
    PixelLayer layer = small_layer();
    const ImVec2 min{random.between(280, 350), random.between(-10, 50)};
    const ImVec2 max{min.x + random.between(0, 9), min.y + random.between(0, 9)};
    layer.box(min, max, strong, strong);
    std::vector<ImU32> expected(40 * 30, 0);
    const long left = std::lround(min.x - 300);
    const long top = std::lround(min.y - 10);
    const long right = std::max(std::lround(max.x - 300), left + 1);
    const long bottom = std::max(std::lround(max.y - 10), top + 1);
    for (long y = std::max(top, 0L); y < std::min(bottom, 30L); ++y) {
      for (long x = std::max(left, 0L); x < std::min(right, 40L); ++x) {
        expected[static_cast<std::size_t>(40 * y + x)] = strong;
      }
    }
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), layer.pixels().begin(), layer.pixels().end()))
        << min.x << ' ' << min.y;
  }
  PixelLayer layer = small_layer();
  layer.box({-1e5F, -1e5F}, {1e5F, 1e5F}, faint, strong);
  EXPECT_EQ(std::count(layer.pixels().begin(), layer.pixels().end(), faint), 40 * 30);
}

}  // namespace
}  // namespace broadside::view
