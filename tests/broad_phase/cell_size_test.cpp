#include "broadside/broad_phase/cell_size.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"

namespace broadside::cell_size_test {
namespace {

constexpr float most = std::numeric_limits<float>::max();

TEST(SuggestCellSize, is_two_and_a_half_times_the_mean_larger_side) {
  const std::vector<Aabb> one{{{10.0F, 10.0F}, {12.0F, 11.0F}}};
  EXPECT_FLOAT_EQ(suggest_cell_size(one).value(), 5.0F);
  const std::vector<Aabb> three{
      {{0.0F, 0.0F}, {1.0F, 4.0F}}, {{5.0F, 5.0F}, {7.0F, 5.0F}}, {{0.0F, 0.0F}, {0.0F, 0.0F}}};
  EXPECT_FLOAT_EQ(suggest_cell_size(three).value(), 5.0F);
}

TEST(SuggestCellSize, of_points_puts_about_one_into_each_cell) {
  std::vector<Aabb> points;
  for (int i = 0; i <= 4; ++i) {
    for (int j = 0; j <= 4; ++j) {
      const Vec2 corner{static_cast<float>(i) * 10.0F, static_cast<float>(j) * 2.5F};
      points.push_back({corner, corner});
    }
  }
  EXPECT_FLOAT_EQ(suggest_cell_size(points).value(), 4.0F) << "25 points over 40 x 10";
}

TEST(SuggestCellSize, of_points_on_a_line_is_their_mean_spacing) {
  std::vector<Aabb> points;
  for (int i = 0; i <= 9; ++i) {
    points.push_back({{5.0F, static_cast<float>(i) * 10.0F}, {5.0F, static_cast<float>(i) * 10.0F}});
  }
  EXPECT_FLOAT_EQ(suggest_cell_size(points).value(), 9.0F);
}

TEST(SuggestCellSize, is_one_where_there_is_nothing_to_measure) {
  EXPECT_EQ(suggest_cell_size({}).value(), 1.0F);
  const std::vector<Aabb> same_point(7, Aabb{{3.0F, 3.0F}, {3.0F, 3.0F}});
  EXPECT_EQ(suggest_cell_size(same_point).value(), 1.0F);
}

TEST(SuggestCellSize, is_positive_and_finite_for_all_kinds_of_boxes) {
  for (const test::BoxMaker& maker : test::box_makers()) {
    test::Random random(3);
    const float size = suggest_cell_size(maker.make(300, random)).value();
    EXPECT_TRUE(is_finite(size)) << maker.name;
    EXPECT_GE(size, std::numeric_limits<float>::min()) << maker.name;
  }
}

TEST(SuggestCellSize, stays_in_the_range_of_float) {
  const std::vector<Aabb> everything{{{-most, -most}, {most, most}}};
  EXPECT_EQ(suggest_cell_size(everything).value(), most);
  const float least = std::numeric_limits<float>::denorm_min();
  const std::vector<Aabb> next_to_nothing{{{0.0F, 0.0F}, {least, 0.0F}}};
  EXPECT_EQ(suggest_cell_size(next_to_nothing).value(), std::numeric_limits<float>::min());
}

TEST(SuggestCellSize, allocates_nothing) {
  const auto boxes = test::make_boxes("scattered", 100, 1);
  const test::AllocationWatch watch;
  EXPECT_GT(suggest_cell_size(boxes).value(), 0.0F);
  EXPECT_EQ(watch.count(), 0U);
}

TEST(BoundingBox, is_the_smallest_box_around_all) {
  const std::vector<Aabb> boxes{
      {{1.0F, 2.0F}, {3.0F, 4.0F}}, {{-1.0F, 3.0F}, {0.0F, 9.0F}}, {{2.0F, -7.0F}, {5.0F, -6.0F}}};
  EXPECT_EQ(bounding_box(boxes).value(), (Aabb{{-1.0F, -7.0F}, {5.0F, 9.0F}}));
  EXPECT_EQ(bounding_box(std::span(boxes).first(1)).value(), boxes[0]);
}

TEST(BoundingBox, of_nothing_is_all_zero) {
  EXPECT_EQ(bounding_box({}).value(), Aabb{});
}

TEST(CellSize, is_refused_for_invalid_boxes) {
  for (const test::BadBox& bad : test::bad_boxes()) {
    for (const std::size_t at : {0U, 3U}) {
      std::vector<Aabb> boxes(5, Aabb{{0.0F, 0.0F}, {1.0F, 1.0F}});
      boxes[at] = bad.box;
      for (const Error& error : {suggest_cell_size(boxes).error(), bounding_box(boxes).error()}) {
        EXPECT_EQ(error.code, bad.code) << bad.name;
        EXPECT_TRUE(test::mentions(error.message, "box " + std::to_string(at))) << error.message;
        EXPECT_TRUE(test::mentions(error.message, bad.field)) << error.message;
      }
    }
  }
}

}  // namespace
}  // namespace broadside::cell_size_test
