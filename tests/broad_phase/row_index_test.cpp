#include "broad_phase/row_index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "model.hpp"
#include "oracle.hpp"

namespace broadside::detail::row_index_test {
namespace {

Aabb square(float x, float y, float side) {
  return {{x, y}, {x + side, y + side}};
}

void build(RowIndex& index, std::span<const Aabb> boxes, std::span<const BoxIndex> names = {}) {
  Workers workers;
  index.build({boxes, names}, workers);
}

void append_cells(const RowIndex& index, std::vector<Cell>& cells) {
  index.visit_cells([&](const Cell& cell, std::span<const BoxIndex> members) {
    EXPECT_EQ(members.size(), cell.boxes);
    cells.push_back(cell);
  });
}

struct Found {
  std::vector<test::IndexPair> pairs;
  std::uint64_t tests = 0;
};

/// Returns the pairs as found, repetitions included, so that a pair found twice is seen.
Found pairs_of(RowIndex& index) {
  Found found;
  PairBuffer pairs;
  PairWorkers workers;
  found.tests = index.find_pairs(pairs, workers).tests;
  for (const Pair& pair : pairs.pairs()) {
    found.pairs.emplace_back(pair.a, pair.b);
  }
  std::sort(found.pairs.begin(), found.pairs.end());
  return found;
}

std::vector<BoxIndex> boxes_in(const RowIndex& index, const Aabb& area) {
  std::vector<BoxIndex> found;
  index.find_in(area, found);
  std::sort(found.begin(), found.end());
  return found;
}

TEST(RowIndex, is_empty_at_first) {
  RowIndex index;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(index.size(), 0U);
    EXPECT_EQ(index.rows(), 0U);
    EXPECT_TRUE(pairs_of(index).pairs.empty());
    EXPECT_TRUE(boxes_in(index, square(0.0F, 0.0F, 1.0F)).empty());
    build(index, std::span<const Aabb>());
  }
}

TEST(RowIndex, visits_each_pair_of_all_kinds_of_boxes_once) {
  for (const test::BoxMaker& maker : test::box_makers()) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      test::Random random(100 + seed);
      const auto boxes = maker.make(20 + 90 * seed, random);
      RowIndex index;
      build(index, boxes);
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
    build(index, boxes);
    const auto rects = test::rects_of(boxes);
    for (const Aabb& area : areas) {
      ASSERT_EQ(boxes_in(index, area), test::all_in(rects, test::rect_of(area))) << maker.name;
      const Aabb corner{area.max, area.max};
      ASSERT_EQ(boxes_in(index, corner), test::all_in(rects, test::rect_of(corner))) << maker.name;
    }
  }
}

// The places where a pair can be missed: the row above, the column before, the levels below.
TEST(RowIndex, finds_neighbours_in_rows_and_columns_that_differ) {
  const std::vector<Aabb> boxes{
      square(10.5F, 10.5F, 1.0F),      // the box itself, in row 10 and column 10 of pitch 1
      square(9.75F, 11.25F, 0.875F),   // the row above, a column before, reaching in from the left
      square(11.25F, 11.25F, 0.75F),   // the row above, the next column
      square(9.6875F, 9.625F, 0.875F)  // the row below, a column before, reaching up
  };
  RowIndex index;
  build(index, boxes);
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
  build(index, boxes);
  const Found found = pairs_of(index);
  ASSERT_EQ(found.pairs.size(), 9U);
  for (BoxIndex i = 0; i < 9; ++i) {
    EXPECT_EQ(found.pairs[i], (test::IndexPair{0, i + 1}));
  }
}

// Far from the origin the 24 bits of a float cannot resolve small rows; a box there must still find its
// neighbours.
TEST(RowIndex, rows_finer_than_floats_lose_nothing) {
  for (const float far : {1.0e7F, -1.0e7F, 1.0e20F, -3.0e38F}) {
    std::vector<Aabb> boxes(30, square(0.0F, 0.0F, 0.001F));
    const float next = std::nextafter(far, 0.0F);
    boxes.push_back({{std::min(far, next), far}, {std::max(far, next), far}});
    boxes.push_back({{next, far}, {next, far}});
    boxes.push_back({{far, std::min(far, next)}, {far, std::max(far, next)}});
    RowIndex index;
    build(index, boxes);
    EXPECT_EQ(pairs_of(index).pairs, test::all_pairs_by_looking(test::rects_of(boxes))) << far;
  }
}

// The side of the first box is a little more than 1, but rounds to 1 even in double. The box lies in three
// columns of that pitch (or rows), where the search assumes two.
TEST(RowIndex, a_size_that_rounds_down_loses_nothing) {
  constexpr float least = std::numeric_limits<float>::denorm_min();
  for (const bool upright : {false, true}) {
    std::vector<Aabb> boxes{{{-least, 1.5F}, {1.0F, 1.625F}}, {{1.0F, 0.875F}, {1.25F, 1.5625F}}};
    if (upright) {
      boxes = {{{1.5F, -least}, {1.625F, 1.0F}}, {{1.5F, 1.0F}, {2.0F, 1.75F}}};
    }
    RowIndex index;
    build(index, boxes);
    EXPECT_EQ(pairs_of(index).pairs.size(), 1U) << (upright ? "rows" : "columns");
  }
}

TEST(RowIndex, rows_of_points_are_as_high_as_points_are_apart) {
  std::vector<Aabb> points;
  for (int i = 0; i < 2500; ++i) {
    points.push_back(square(10.0F * static_cast<float>(i % 50), 10.0F * static_cast<float>(i / 50), 0.0F));
  }
  RowIndex index;
  build(index, points);
  const Found found = pairs_of(index);
  EXPECT_TRUE(found.pairs.empty());
  EXPECT_LE(found.tests, 5 * points.size());
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
    build(index, boxes);
    const Found found = pairs_of(index);
    EXPECT_EQ(found.pairs, test::all_pairs(test::rects_of(boxes)));
    EXPECT_LE(found.tests, 5 * (n + found.pairs.size())) << n;
  }
}

// Distances to the axes of all scales from 2^-18 to 1: rows and columns of one size would be full or empty.
TEST(RowIndex, work_is_in_proportion_to_points_with_knots) {
  test::Random random(301);
  std::size_t with_knots = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<Aabb> boxes;
    const std::size_t n = 1000 + random.below(3000);
    for (std::size_t i = 0; i < n; ++i) {
      const float x = 1000.0F * std::exp2(random.between(-18.0F, 0.0F));
      const float y = 1000.0F * std::exp2(random.between(-18.0F, 0.0F));
      boxes.push_back(square(x, y, 0.0F));
    }
    RowIndex index;
    build(index, boxes);
    with_knots += index.is_nonuniform() ? 1 : 0;
    const Found found = pairs_of(index);
    EXPECT_LE(found.tests, 3 * (n + found.pairs.size())) << n;
  }
  EXPECT_GT(with_knots, 10U);
}

TEST(RowIndex, returns_the_names_that_were_given) {
  std::vector<Aabb> boxes(80, square(0.25F, 0.25F, 1.0F));
  boxes[70] = square(0.0F, 0.0F, 1.0F);
  boxes[30] = square(0.5F, 0.5F, 1.0F);
  RowIndex index;
  build(index, boxes, std::vector<BoxIndex>{70, 30});
  EXPECT_EQ(pairs_of(index).pairs, (std::vector<test::IndexPair>{{30, 70}}));
  EXPECT_EQ(boxes_in(index, square(1.25F, 1.25F, 1.0F)), (std::vector<BoxIndex>{30}));
}

TEST(RowIndex, finds_the_pairs_of_two_sets) {
  for (const test::BoxMaker& maker : test::box_makers()) {
    test::Random random(400);
    const auto left = maker.make(120, random);
    const auto right = maker.make(150, random);
    RowIndex index;
    RowIndex queries;
    build(index, right);
    build(queries, left);
    PairBuffer pairs;
    PairWorkers workers;
    index.find_pairs_with(queries, pairs, workers);
    std::vector<test::IndexPair> found;
    for (const Pair& pair : pairs.pairs()) {
      found.emplace_back(pair.a, pair.b);
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, test::pairs_between(test::rects_of(left), test::rects_of(right))) << maker.name;
  }
}

class PairsBetween : public testing::TestWithParam<std::pair<std::size_t, std::size_t>> {};

TEST_P(PairsBetween, are_those_that_brute_force_finds) {
  for (const test::BoxMaker& maker : test::box_makers()) {
    test::Random random(410);
    const auto left = maker.make(GetParam().first, random);
    const auto right = maker.make(GetParam().second, random);
    std::vector<Aabb> all = left;
    all.insert(all.end(), right.begin(), right.end());
    std::vector<BoxIndex> names(right.size());
    std::iota(names.begin(), names.end(), static_cast<BoxIndex>(left.size()));
    RowIndex asking;
    RowIndex asked;
    build(asking, left);
    build(asked, all, names);
    PairBuffer pairs;
    PairWorkers workers;
    find_pairs_between(asked, asking, pairs, workers);
    std::vector<test::IndexPair> found;
    for (const Pair& pair : pairs.pairs()) {
      found.emplace_back(pair.a, pair.b - static_cast<BoxIndex>(left.size()));
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, test::pairs_between(test::rects_of(left), test::rects_of(right))) << maker.name;
  }
}

// Few boxes search among many, many among few, and so many of both that a search continues where the last one
// ended.
INSTANTIATE_TEST_SUITE_P(RowIndex, PairsBetween,
                         testing::Values(std::pair{120U, 150U}, std::pair{150U, 120U},
                                         std::pair{1500U, 1100U}, std::pair{40U, 1900U},
                                         std::pair{1U, 300U}));

TEST(RowIndex, building_again_replaces_all_boxes) {
  RowIndex index;
  build(index, test::make_boxes("mixed_sizes", 900, 1));
  const auto boxes = test::make_boxes("scattered", 100, 2);
  build(index, boxes);
  const Found first = pairs_of(index);
  EXPECT_EQ(first.pairs, test::all_pairs_by_looking(test::rects_of(boxes)));
  build(index, boxes);
  EXPECT_EQ(pairs_of(index).pairs, first.pairs);
  build(index, std::span<const Aabb>());
  EXPECT_TRUE(pairs_of(index).pairs.empty());
}

// Few boxes share one row; what they leave behind must not be used for as many boxes that come after them.
TEST(RowIndex, few_boxes_and_many_follow_one_another) {
  RowIndex index;
  std::uint64_t seed = 700;
  for (const std::size_t n : {5U, 5U, 48U, 49U, 7U, 7U, 300U, 7U, 48U, 0U, 48U, 3U, 900U, 5U}) {
    const auto boxes = test::make_boxes("mixed_sizes", n + 2, ++seed);
    std::vector<BoxIndex> names(n);
    std::iota(names.begin(), names.end(), BoxIndex{2});
    build(index, n == 0 ? std::span<const Aabb>() : boxes, names);
    std::vector<test::IndexPair> among;
    for (const test::IndexPair& pair : test::all_pairs_by_looking(test::rects_of(boxes))) {
      if (pair.first >= 2 && n > 0) {
        among.push_back(pair);
      }
    }
    EXPECT_EQ(pairs_of(index).pairs, among) << n;
    EXPECT_EQ(index.size(), n);
    if (seed % 3 == 0) {
      index.release_sweep();
    }
  }
}

// Dense clusters far apart, each box tiny compared with the world: uniform rows and columns would put a whole
// cluster into one cell.
TEST(RowIndex, clusters_much_smaller_than_the_world_cost_no_more_than_their_pairs) {
  std::vector<Aabb> boxes;
  test::Random random(500);
  for (int i = 0; i < 20000; ++i) {
    const auto cluster = static_cast<float>(i % 4);
    const float x = 1.0e6F * (cluster - 1.5F) + random.between(-30.0F, 30.0F);
    const float y = 3.0e5F * (2.5F - cluster) + random.between(-30.0F, 30.0F);
    boxes.push_back(square(x, y, 0.25F));
  }
  RowIndex index;
  build(index, boxes);
  const Found found = pairs_of(index);
  EXPECT_EQ(found.pairs, test::all_pairs(test::rects_of(boxes)));
  // In one row: twice as many as overlap in x, as columns can be no finer than floats there.
  EXPECT_LE(found.tests, 40 * boxes.size());
}

// Rows end in the middle of vectors of boxes: lanes beyond the end must not count as members of the run.
TEST(RowIndex, every_number_of_boxes_around_the_widths_of_vectors) {
  for (std::size_t n = 0; n <= 70; ++n) {
    for (const char* kind : {"scattered", "all_the_same", "touching_edges", "mixed_sizes"}) {
      const auto boxes = test::make_boxes(kind, n, n + 1);
      RowIndex index;
      build(index, boxes);
      EXPECT_EQ(pairs_of(index).pairs, test::all_pairs_by_looking(test::rects_of(boxes))) << kind << ' ' << n;
    }
  }
}

/// Returns boxes of one size in a square.
std::vector<Aabb> spread_boxes(std::size_t n, Vec2 size, float side, std::uint64_t seed) {
  std::vector<Aabb> boxes;
  test::Random random(seed);
  for (std::size_t i = 0; i < n; ++i) {
    const float x = random.between(0.0F, side);
    const Vec2 corner{x, random.between(0.0F, side)};
    boxes.push_back({corner, corner + size});
  }
  return boxes;
}

float height_of_new_rows(std::span<const Aabb> boxes) {
  RowIndex index;
  build(index, boxes);
  return index.finest_row_height();
}

TEST(RowIndex, rows_are_kept_where_they_fit_though_they_would_be_measured_a_little_differently) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RowIndex index;
    build(index, spread_boxes(400, {1.0F, 0.01F}, 100.0F, seed));
    const float height = index.finest_row_height();
    int others = 0;
    for (std::uint64_t k = 1; k < 20; ++k) {
      const auto boxes = spread_boxes(400, {1.0F, 0.01F}, 100.0F, seed + 100 * k);
      build(index, boxes);
      ASSERT_EQ(index.finest_row_height(), height) << seed;
      others += height_of_new_rows(boxes) == height ? 0 : 1;
    }
    EXPECT_GT(others, 10);
  }
}

// Flat boxes are followed by upright ones, which waste no more tests in their own rows; they reach into more
// rows, which is enough to measure again.
TEST(RowIndex, rows_are_measured_again_where_boxes_reach_into_more_of_them) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto flat = spread_boxes(1000, {0.9F, 0.3F}, 7.0F, seed);
    const auto upright = spread_boxes(1000, {0.9F, 1.9F}, 7.0F, seed);
    const float height = height_of_new_rows(upright);
    RowIndex index;
    build(index, flat);
    EXPECT_LT(index.finest_row_height(), 0.75F * height);
    build(index, upright);
    build(index, upright);
    EXPECT_EQ(index.finest_row_height(), height);
  }
}

// One word of the occupancy bits stands for 64 rows: they must be right for every number of rows.
TEST(RowIndex, every_number_of_rows_knows_which_of_them_hold_boxes) {
  std::array<bool, 64> seen{};
  for (std::size_t stacks = 2; stacks < 6; ++stacks) {
    std::vector<Aabb> boxes;
    for (std::size_t i = 0; i < 600; ++i) {
      boxes.push_back(square(2.0F * static_cast<float>(i), 100.0F * static_cast<float>(i % stacks), 1.0F));
    }
    boxes.push_back(square(0.0F, 0.0F, 1e6F));  // on the coarsest level, which is the last row
    for (float height = 1.0F; height < 50.0F; height *= 1.02F) {
      RowIndex index(height);
      build(index, boxes);
      seen[index.rows() % 64] = true;
      ASSERT_EQ(index.occupied_rows(), stacks + 1) << index.rows();
      ASSERT_EQ(boxes_in(index, boxes.back()).size(), boxes.size()) << index.rows();
      ASSERT_EQ(boxes_in(index, square(0.0F, 5e5F, 1.0F)).size(), 1U) << index.rows();
    }
  }
  EXPECT_TRUE(seen[0] && seen[1] && seen[63]);
}

// Rows of any height, far below and far above 1, are drawn as squares of that height.
// The number of a row and of a column share the bits of a key. Numbers of rows around powers of two, so many
// that all bits are in use, and boxes in pairs up to the last row and column.
TEST(RowIndex, any_number_of_rows_leaves_enough_bits_for_the_columns) {
  constexpr std::uint32_t count = 9000;
  for (const int around : {3072, 4096, 6144, 8192}) {
    for (int rows = around - 8; rows <= around + 8; ++rows) {
      std::vector<Aabb> boxes;
      for (std::uint32_t i = 0; i < count; ++i) {
        const auto share = static_cast<float>(i / 2) / static_cast<float>(count / 2 - 1);
        const float across =
            static_cast<float>(i / 2 * 7919 % (count / 2)) / static_cast<float>(count / 2 - 1);
        const Vec2 min{1e6F * across, static_cast<float>(rows) * share};
        boxes.push_back({min, min + Vec2{0.25F, 0.0F}});
      }
      RowIndex index(1.0F);
      build(index, boxes);
      const Found found = pairs_of(index);
      ASSERT_EQ(found.pairs.size(), count / 2) << rows;
      for (const auto& [a, b] : found.pairs) {
        ASSERT_EQ(b, a ^ 1U) << rows;
      }
    }
  }
}

TEST(RowIndex, cells_are_as_high_as_rows_and_count_the_boxes_that_touch_them) {
  for (const float height : {0.125F, 0.5F, 1.0F, 1.5F, 4.0F, 70.0F, 1e4F}) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      std::vector<Aabb> boxes;
      test::Random random(600 + seed);
      for (int i = 0; i < 200; ++i) {
        const float x = random.between(0.0F, 20.0F * height);
        boxes.push_back(square(x, random.between(0.0F, 20.0F * height), 0.5F * height));
      }
      RowIndex index(height);
      build(index, boxes);
      std::vector<Cell> cells;
      append_cells(index, cells);
      const float side = index.finest_row_height();
      EXPECT_NEAR(side, height, 0.1F * height);
      std::size_t places = 0;
      for (const Cell& cell : cells) {
        ASSERT_NEAR(cell.bounds.max.x - cell.bounds.min.x, side, 1e-3F * side);
        ASSERT_NEAR(cell.bounds.max.y - cell.bounds.min.y, side, 1e-3F * side);
        const Vec2 margin{1e-3F * side, 1e-3F * side};
        std::size_t surely = 0;
        std::size_t perhaps = 0;
        for (const Aabb& box : boxes) {
          surely += overlaps(box, {cell.bounds.min + margin, cell.bounds.max - margin}) ? 1U : 0U;
          perhaps += overlaps(box, {cell.bounds.min - margin, cell.bounds.max + margin}) ? 1U : 0U;
        }
        ASSERT_LE(surely, cell.boxes) << height;
        ASSERT_GE(perhaps, cell.boxes) << height;
        places += cell.boxes;
      }
      EXPECT_GE(places, boxes.size());
    }
  }
}

// Rows are uniform, or follow the ranks of the boxes. A scene that is scaled by a power of two is the same
// scene.
TEST(RowIndex, cells_and_the_height_of_rows_follow_the_scale) {
  for (const bool in_clusters : {false, true}) {
    std::vector<Aabb> boxes;
    test::Random random(501);
    // So many clusters side by side and above each other that neither even rows nor one row suffices.
    for (int i = 0; i < (in_clusters ? 100000 : 6000); ++i) {
      const Vec2 place{static_cast<float>(i % 8), static_cast<float>(i / 8 % 8)};
      const Vec2 center = in_clusters ? 1000.0F * place : Vec2{};
      const float x = random.between(-0.3F, 0.3F);
      boxes.push_back(square(center.x + x, center.y + random.between(-0.3F, 0.3F), 0.02F));
    }
    RowIndex index;
    build(index, boxes);
    ASSERT_EQ(index.is_nonuniform(), in_clusters);
    std::vector<Cell> cells;
    append_cells(index, cells);
    std::size_t places = 0;
    for (const Cell& cell : cells) {
      places += cell.boxes;
    }
    EXPECT_GE(places, boxes.size());
    for (const int exponent : {-60, -7, 1, 12, 80}) {
      std::vector<Aabb> scaled;
      const auto by = [exponent](Vec2 v) {
        return Vec2{std::ldexp(v.x, exponent), std::ldexp(v.y, exponent)};
      };
      for (const Aabb& box : boxes) {
        scaled.push_back({by(box.min), by(box.max)});
      }
      RowIndex other;
      build(other, scaled);
      ASSERT_EQ(other.finest_row_height(), std::ldexp(index.finest_row_height(), exponent)) << exponent;
      std::vector<Cell> others;
      append_cells(other, others);
      ASSERT_EQ(others.size(), cells.size()) << exponent;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        ASSERT_EQ(others[i].bounds, (Aabb{by(cells[i].bounds.min), by(cells[i].bounds.max)})) << exponent;
        ASSERT_EQ(others[i].boxes, cells[i].boxes) << exponent;
      }
    }
  }
}

TEST(RowIndex, cells_hold_each_box) {
  const auto boxes = test::make_boxes("scattered", 300, 8);
  RowIndex index;
  build(index, boxes);
  std::vector<Cell> cells(1);
  append_cells(index, cells);
  EXPECT_EQ(cells[0].boxes, 0U) << "what was there stays";
  cells.erase(cells.begin());
  for (const Aabb& box : boxes) {
    const auto holds = [&box](const Cell& cell) { return contains(cell.bounds, box.min); };
    EXPECT_TRUE(std::any_of(cells.begin(), cells.end(), holds));
  }
}

}  // namespace
}  // namespace broadside::detail::row_index_test
