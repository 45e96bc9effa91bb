#include "broadside/broad_phase/detail/row_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "model.hpp"
#include "oracle.hpp"

namespace broadside::detail {
namespace {

Aabb square(float x, float y, float side) {
  return {{x, y}, {x + side, y + side}};
}

void take_in(RowIndex& index, const std::vector<Aabb>& boxes) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    index.add(boxes[i], static_cast<BoxIndex>(i));
  }
  index.build();
}

struct Found {
  std::vector<test::IndexPair> pairs;
  std::uint64_t tests = 0;
};

/// Returns the pairs as visited, repetitions included, so that a pair visited twice is seen.
Found pairs_of(const RowIndex& index) {
  Found found;
  found.tests = index.for_each_pair(
      [&found](BoxIndex i, BoxIndex j) { found.pairs.emplace_back(std::min(i, j), std::max(i, j)); });
  std::sort(found.pairs.begin(), found.pairs.end());
  return found;
}

std::vector<BoxIndex> boxes_in(const RowIndex& index, const Aabb& area) {
  std::vector<BoxIndex> found;
  index.for_each_in(area, [&found](BoxIndex i) { found.push_back(i); });
  std::sort(found.begin(), found.end());
  return found;
}

TEST(RowIndex, is_empty_at_first) {
  RowIndex index;
  index.build();
  EXPECT_EQ(index.size(), 0U);
  EXPECT_EQ(index.rows(), 0U);
  EXPECT_EQ(index.levels(), 0U);
  EXPECT_TRUE(pairs_of(index).pairs.empty());
  EXPECT_TRUE(boxes_in(index, square(0.0F, 0.0F, 1.0F)).empty());
}

TEST(RowIndex, visits_each_pair_of_all_kinds_of_boxes_once) {
  for (const test::BoxMaker& maker : test::box_makers()) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      test::Random random(100 + seed);
      const auto boxes = maker.make(20 + 90 * seed, random);
      RowIndex index;
      take_in(index, boxes);
      const Found found = pairs_of(index);
      ASSERT_EQ(found.pairs, test::all_pairs_by_looking(test::rects_of(boxes)))
          << maker.name << ", seed " << seed;
      ASSERT_GE(found.tests, found.pairs.size());
      ASSERT_LE(found.tests, boxes.size() * (boxes.size() - (boxes.empty() ? 0 : 1)) / 2) << maker.name;
    }
  }
}

TEST(RowIndex, finds_each_box_in_an_area_once) {
  for (const test::BoxMaker& maker : test::box_makers()) {
    test::Random random(200);
    const auto boxes = maker.make(150, random);
    const auto areas = maker.make(150, random);
    RowIndex index;
    take_in(index, boxes);
    const auto rects = test::rects_of(boxes);
    for (const Aabb& area : areas) {
      ASSERT_EQ(boxes_in(index, area), test::all_in(rects, test::rect_of(area))) << maker.name;
      const Aabb corner{area.max, area.max};
      ASSERT_EQ(boxes_in(index, corner), test::all_in(rects, test::rect_of(corner))) << maker.name;
    }
  }
}

TEST(RowIndex, visits_the_index_that_was_given) {
  RowIndex index;
  index.add(square(0.0F, 0.0F, 1.0F), 70);
  index.add(square(0.5F, 0.5F, 1.0F), 30);
  index.build();
  EXPECT_EQ(pairs_of(index).pairs, (std::vector<test::IndexPair>{{30, 70}}));
}

TEST(RowIndex, order_does_not_depend_on_the_order_of_taking_in) {
  const auto boxes = test::make_boxes("all_the_same", 20, 1);
  RowIndex forward;
  take_in(forward, boxes);
  RowIndex backward;
  for (std::size_t i = boxes.size(); i-- > 0;) {
    backward.add(boxes[i], static_cast<BoxIndex>(i));
  }
  backward.build();
  const auto visited = [](const RowIndex& index) {
    std::vector<test::IndexPair> pairs;
    index.for_each_pair([&pairs](BoxIndex i, BoxIndex j) { pairs.emplace_back(i, j); });
    return pairs;
  };
  EXPECT_EQ(visited(forward), visited(backward));
}

TEST(RowIndex, boxes_of_one_size_are_one_level) {
  RowIndex index;
  std::vector<Aabb> boxes;
  for (int i = 0; i < 100; ++i) {
    boxes.push_back(square(static_cast<float>(i % 10) * 1.75F, static_cast<float>(i / 10) * 3.0F, 1.0F));
  }
  take_in(index, boxes);
  EXPECT_EQ(index.levels(), 1U);
  EXPECT_EQ(index.rows(), 10U);
  EXPECT_EQ(index.size(), 100U);
}

TEST(RowIndex, larger_boxes_have_levels_of_their_own) {
  RowIndex index;
  std::vector<Aabb> boxes(50, square(0.0F, 0.0F, 1.0F));
  boxes.push_back(square(0.0F, 0.0F, 16.0F));
  boxes.push_back(square(0.0F, 0.0F, 1000.0F));
  take_in(index, boxes);
  EXPECT_EQ(index.levels(), 3U);
}

TEST(RowIndex, smaller_boxes_share_the_level_below_the_median) {
  RowIndex index;
  std::vector<Aabb> boxes(50, square(0.0F, 0.0F, 1.0F));
  for (int i = 1; i < 40; ++i) {
    boxes.push_back(square(0.0F, 0.0F, std::ldexp(1.0F, -i)));
  }
  take_in(index, boxes);
  EXPECT_EQ(index.levels(), 2U);
}

// The places where a pair can hide: the row above, the column before, the levels below.
TEST(RowIndex, finds_neighbours_in_rows_and_columns_that_differ) {
  const std::vector<Aabb> boxes{
      square(10.5F, 10.5F, 1.0F),      // the box itself, in row 10 and column 10 of pitch 1
      square(9.75F, 11.25F, 0.875F),   // the row above, a column before, reaching in from the left
      square(11.25F, 11.25F, 0.75F),   // the row above, a column on
      square(9.6875F, 9.625F, 0.875F)  // the row below, a column before, reaching up
  };
  RowIndex index;
  take_in(index, boxes);
  ASSERT_EQ(index.levels(), 1U);
  EXPECT_EQ(pairs_of(index).pairs, (std::vector<test::IndexPair>{{0, 1}, {0, 2}, {0, 3}}));
}

TEST(RowIndex, a_large_box_finds_small_ones_that_reach_into_it_from_below_and_from_the_left) {
  std::vector<Aabb> boxes{square(100.0F, 100.0F, 64.0F)};
  for (const float x : {99.5F, 120.0F, 164.0F}) {
    for (const float y : {99.5F, 120.0F, 164.0F}) {
      boxes.push_back(square(x, y, 0.75F));
    }
  }
  boxes.push_back(square(98.5F, 120.0F, 0.75F));
  boxes.push_back(square(120.0F, 98.5F, 0.75F));
  boxes.push_back(square(165.0F, 120.0F, 0.75F));
  boxes.push_back(square(120.0F, 165.0F, 0.75F));
  RowIndex index;
  take_in(index, boxes);
  ASSERT_EQ(index.levels(), 2U);
  const Found found = pairs_of(index);
  ASSERT_EQ(found.pairs.size(), 9U);
  for (BoxIndex i = 0; i < 9; ++i) {
    EXPECT_EQ(found.pairs[i], (test::IndexPair{0, i + 1}));
  }
}

// 24 bits of a float far from the origin leave no room for small rows; a box there must find its neighbours
// all the same.
TEST(RowIndex, rows_finer_than_floats_lose_nothing) {
  for (const float far : {1.0e7F, -1.0e7F, 1.0e20F, -3.0e38F}) {
    std::vector<Aabb> boxes(30, square(0.0F, 0.0F, 0.001F));
    const float next = std::nextafter(far, 0.0F);
    boxes.push_back({{std::min(far, next), far}, {std::max(far, next), far}});
    boxes.push_back({{next, far}, {next, far}});
    boxes.push_back({{far, std::min(far, next)}, {far, std::max(far, next)}});
    RowIndex index;
    take_in(index, boxes);
    EXPECT_EQ(pairs_of(index).pairs, test::all_pairs_by_looking(test::rects_of(boxes))) << far;
  }
}

// The side of the first box is 1 and a little more, which even double rounds to 1; it lies in three columns
// of that pitch, or three rows, where two are what the search goes by.
TEST(RowIndex, a_size_that_rounds_down_loses_nothing) {
  constexpr float least = std::numeric_limits<float>::denorm_min();
  for (const bool upright : {false, true}) {
    std::vector<Aabb> boxes{{{-least, 1.5F}, {1.0F, 1.625F}}, {{1.0F, 0.875F}, {1.25F, 1.5625F}}};
    if (upright) {
      boxes = {{{1.5F, -least}, {1.625F, 1.0F}}, {{1.5F, 1.0F}, {2.0F, 1.75F}}};
    }
    RowIndex index;
    take_in(index, boxes);
    EXPECT_EQ(pairs_of(index).pairs.size(), 1U) << (upright ? "rows" : "columns");
  }
}

TEST(RowIndex, only_rows_that_a_box_reaches_are_searched) {
  const Aabb in_row_0 = square(0.125F, 0.125F, 0.75F);
  const Aabb across_rows_0_and_1 = square(0.125F, 0.5F, 0.75F);
  const auto tests_of = [](const Aabb& a, const Aabb& b) {
    RowIndex index;
    take_in(index, {a, b});
    const Found found = pairs_of(index);
    EXPECT_TRUE(found.pairs.empty());
    return found.tests;
  };
  EXPECT_EQ(tests_of(in_row_0, square(0.25F, 1.125F, 0.75F)), 0U) << "the next row is not reached";
  EXPECT_EQ(tests_of(across_rows_0_and_1, square(0.25F, 1.375F, 0.625F)), 1U) << "the next row is reached";
  EXPECT_EQ(tests_of(across_rows_0_and_1, square(0.25F, 5.125F, 0.75F)), 0U) << "the next row is empty";
}

TEST(RowIndex, rows_of_points_are_as_high_as_points_are_apart) {
  std::vector<Aabb> points;
  for (int i = 0; i < 2500; ++i) {
    points.push_back(square(10.0F * static_cast<float>(i % 50), 10.0F * static_cast<float>(i / 50), 0.0F));
  }
  RowIndex index;
  take_in(index, points);
  const Found found = pairs_of(index);
  EXPECT_TRUE(found.pairs.empty());
  EXPECT_LE(found.tests, 4 * points.size());
}

TEST(RowIndex, work_is_in_proportion_to_boxes_and_pairs) {
  for (const std::size_t n : {500U, 2000U, 8000U}) {
    std::vector<Aabb> boxes;
    test::Random random(300);
    const float side = std::sqrt(static_cast<float>(n));
    for (std::size_t i = 0; i < n; ++i) {
      const float x = random.between(0.0F, 2.0F * side);
      const float y = random.between(0.0F, 2.0F * side);
      boxes.push_back(square(x, y, 1.0F));
    }
    RowIndex index;
    take_in(index, boxes);
    const Found found = pairs_of(index);
    EXPECT_EQ(found.pairs, test::all_pairs(test::rects_of(boxes)));
    EXPECT_LE(found.tests, 2 * (n + found.pairs.size())) << n;
  }
}

TEST(RowIndex, can_be_cleared_and_built_again) {
  RowIndex index;
  take_in(index, test::make_boxes("mixed_sizes", 200, 1));
  index.clear();
  EXPECT_EQ(index.size(), 0U);
  EXPECT_EQ(index.rows(), 0U);
  EXPECT_EQ(index.levels(), 0U);
  const auto boxes = test::make_boxes("scattered", 100, 2);
  take_in(index, boxes);
  EXPECT_EQ(pairs_of(index).pairs, test::all_pairs_by_looking(test::rects_of(boxes)));
}

TEST(RowIndex, building_twice_changes_nothing) {
  const auto boxes = test::make_boxes("mixed_sizes", 200, 1);
  RowIndex index;
  take_in(index, boxes);
  const Found first = pairs_of(index);
  const std::size_t rows = index.rows();
  index.build();
  EXPECT_EQ(pairs_of(index).pairs, first.pairs);
  EXPECT_EQ(index.rows(), rows);
  EXPECT_GT(index.bytes(), 0U);
}

TEST(RowIndex, cells_are_the_squares_that_boxes_touch) {
  std::vector<Aabb> boxes;
  test::Random random(8);
  for (int i = 0; i < 300; ++i) {
    const float x = random.between(-20.0F, 20.0F);
    const float y = random.between(-20.0F, 20.0F);
    boxes.push_back(square(std::floor(x * 4.0F) / 4.0F, y, 0.75F));
  }
  RowIndex index;
  take_in(index, boxes);
  ASSERT_EQ(index.levels(), 1U);
  std::vector<Cell> cells;
  index.append_cells(cells);
  std::size_t members = 0;
  for (const Cell& cell : cells) {
    // A cell owns its lower and left edge, not the others.
    const auto touching = std::count_if(boxes.begin(), boxes.end(), [&cell](const Aabb& box) {
      return box.min.x < cell.bounds.max.x && box.max.x >= cell.bounds.min.x &&
             box.min.y < cell.bounds.max.y && box.max.y >= cell.bounds.min.y;
    });
    EXPECT_EQ(cell.bounds.max, cell.bounds.min + (Vec2{1.0F, 1.0F}));
    EXPECT_EQ(cell.boxes, static_cast<std::size_t>(touching));
    members += cell.boxes;
  }
  std::size_t memberships = 0;
  for (const Aabb& box : boxes) {
    const auto columns = std::floor(box.max.x) - std::floor(box.min.x) + 1.0F;
    const auto rows = std::floor(box.max.y) - std::floor(box.min.y) + 1.0F;
    memberships += static_cast<std::size_t>(columns * rows);
  }
  EXPECT_EQ(members, memberships) << "none is missing";
}

TEST(RowIndex, cells_are_appended) {
  std::vector<Cell> cells(1);
  RowIndex index;
  take_in(index, {square(0.25F, 0.25F, 0.5F)});
  index.append_cells(cells);
  ASSERT_EQ(cells.size(), 5U) << "a square of 0.5 across the lines of its pitch, after what was there";
  EXPECT_EQ(cells[0].boxes, 0U);
  EXPECT_EQ(cells[4].bounds, square(0.5F, 0.5F, 0.5F));
}

}  // namespace
}  // namespace broadside::detail
