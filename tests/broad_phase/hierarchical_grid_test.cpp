#include "broadside/broad_phase/hierarchical_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "model.hpp"

namespace broadside::hierarchical_grid_test {
namespace {

Aabb square(float x, float y, float side) {
  return {{x, y}, {x + side, y + side}};
}

Aabb scaled(const Aabb& box, int exponent) {
  const auto scale = [exponent](float value) { return std::ldexp(value, exponent); };
  return {{scale(box.min.x), scale(box.min.y)}, {scale(box.max.x), scale(box.max.y)}};
}

/// Expects work in proportion to the number of boxes and pairs. Boxes of very different sizes take the most
/// tests: 2.2 to 4.5 for each box and pair, in 40 draws of mixed_sizes.
void expect_few_tests(const std::vector<Aabb>& boxes, const char* what) {
  HierarchicalGrid grid;
  test::Model model;
  test::fill(grid, model, boxes);
  EXPECT_TRUE(test::agrees(grid, model)) << what;
  const Statistics statistics = grid.statistics();
  EXPECT_LE(statistics.tests, 6 * (boxes.size() + statistics.hits)) << what;
}

TEST(HierarchicalGrid, tests_few_pairs_that_do_not_overlap) {
  for (const char* kind : {"scattered", "clustered", "mixed_sizes", "negative", "far_away",
                           "giant_among_tiny", "on_a_line_in_x", "on_a_line_in_y", "touching_edges"}) {
    expect_few_tests(test::make_boxes(kind, 2000, 21), kind);
  }
}

TEST(HierarchicalGrid, a_box_far_away_does_not_slow_down_its_neighbours) {
  auto boxes = test::make_boxes("scattered", 1000, 22);
  boxes.push_back(square(1.0e30F, -1.0e30F, 1.0F));
  boxes.push_back(square(-3.0e38F, 3.0e38F, 1.0F));
  expect_few_tests(boxes, "two far away");
}

TEST(HierarchicalGrid, points_are_cheap_too) {
  std::vector<Aabb> points;
  test::Random random(23);
  for (int i = 0; i < 2000; ++i) {
    const float x = random.between(0.0F, 1000.0F);
    const float y = random.between(0.0F, 1000.0F);
    points.push_back(square(x, y, 0.0F));
  }
  expect_few_tests(points, "points");
}

// Pitches are powers of two, so a scene scaled by a power of two is the same scene: same work, same order.
TEST(HierarchicalGrid, does_the_same_at_every_scale) {
  const auto boxes = test::make_boxes("mixed_sizes", 500, 24);
  HierarchicalGrid original;
  ASSERT_TRUE(original.add(boxes).has_value());
  const auto found = original.find_pairs();
  const std::vector<Pair> pairs(found.begin(), found.end());
  for (const int exponent : {-90, -10, 1, 30, 100}) {
    HierarchicalGrid grid;
    for (const Aabb& box : boxes) {
      ASSERT_TRUE(grid.add(scaled(box, exponent)).has_value());
    }
    const auto now = grid.find_pairs();
    EXPECT_EQ(pairs, std::vector<Pair>(now.begin(), now.end())) << exponent;
    EXPECT_EQ(grid.statistics().tests, original.statistics().tests) << exponent;
    EXPECT_EQ(grid.statistics().occupied_cells, original.statistics().occupied_cells) << exponent;
  }
}

TEST(HierarchicalGrid, memory_depends_on_the_number_of_boxes_alone) {
  const auto boxes = test::make_boxes("scattered", 1000, 25);
  HierarchicalGrid near;
  HierarchicalGrid far;
  ASSERT_TRUE(near.add(boxes).has_value());
  ASSERT_TRUE(far.add(boxes).has_value());
  for (BoxIndex i = 0; i < 10; ++i) {
    ASSERT_TRUE(
        far.move(i, square(std::ldexp(i % 2 == 0 ? 1.0F : -1.0F, static_cast<int>(12 * i)), 0.0F, 1.0F))
            .has_value());
  }
  near.update();
  far.update();
  EXPECT_LT(near.statistics().bytes, 200U * boxes.size());
  EXPECT_LT(far.statistics().bytes, 200U * boxes.size());
}

/// What a grid of some boxes has held.
struct Held {
  std::size_t fixed = 0;
  std::size_t moving = 0;
  bool has_filters = false;
  bool has_groups = false;
  bool may_have_lists = true;
  bool had_tree = false;
  bool is_sparse = false;
  bool has_leavers = false;
  bool has_scrolled = false;

  /// Returns the most bytes that the comment of `HierarchicalGrid` allows; what does not depend on the number
  /// of boxes is added.
  [[nodiscard]] std::size_t most_bytes() const {
    const std::size_t tree = has_filters ? 63 : 58;
    const std::size_t more = (may_have_lists ? 20U : 0U) + (had_tree ? tree : 0U) + (has_filters ? 8U : 0U) +
                             (has_groups ? 4U : 0U) + (is_sparse ? 30U : 0U) + (has_leavers ? 8U : 0U) +
                             (has_scrolled ? 16U : 0U);
    return 50 * fixed + 60 * moving + more * (fixed + moving) + 8000;
  }
};

/// Adds static and moving boxes in one call, lets them rest, or some of them leave, or all scroll, for some
/// frames, and asks one query; expects so much memory in each state. Returns whether there were neighbor
/// lists.
bool expect_little_memory(std::span<const Aabb> boxes, Held held, test::Random& random,
                          std::string_view what) {
  const bool has_static = random.below(3) != 0;
  const bool has_moving = !has_static || random.below(2) == 0;
  held.has_groups = held.has_filters && random.below(2) == 0;
  std::vector<BoxKind> kinds;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const bool is_static = has_static && (!has_moving || random.below(2) == 0);
    ++(is_static ? held.fixed : held.moving);
    kinds.push_back({.type = is_static ? BodyType::static_body : BodyType::dynamic});
    if (held.has_filters) {
      kinds.back().filter.layer = 1 + random.below(3);
      kinds.back().filter.group = held.has_groups ? -static_cast<std::int32_t>(random.below(100)) : 0;
    }
  }
  held.may_have_lists = random.below(4) != 0;
  const auto created = HierarchicalGrid::create({.neighbor_lists = held.may_have_lists}).value();
  HierarchicalGrid& grid = *created;
  const auto indices = grid.add(boxes, kinds).value();
  std::vector<BoxIndex> moving;
  std::vector<Aabb> places;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (kinds[i].type == BodyType::dynamic) {
      moving.push_back(indices[i]);
      places.push_back(boxes[i]);
    }
  }
  bool had_lists = false;
  held.has_leavers = held.may_have_lists && random.below(2) == 0;
  held.has_scrolled = held.has_leavers && !has_static && random.below(2) == 0;
  for (int frame = 0; frame < 4; ++frame) {
    for (std::size_t i = 0; i < places.size() && held.has_leavers; ++i) {
      const Vec2 by{held.has_scrolled ? 1.0F : 0.0F, random.below(50) == 0 ? 9.0F : 0.0F};
      places[i] = {places[i].min + by, places[i].max + by};
    }
    grid.update();
    had_lists = had_lists || test::mentions(grid.tuning(), "neighbor lists");
    EXPECT_LE(grid.statistics().bytes, held.most_bytes()) << what << ", frame " << frame;
    EXPECT_TRUE(grid.move(moving, places).has_value());
  }
  grid.update();
  grid.watch_queries(true);  // the tree is built at once
  std::vector<BoxIndex> hits;
  EXPECT_TRUE(grid.query_area({{0, 0}, {1, 1}}, hits).has_value());
  grid.watch_queries(false);
  held.had_tree = true;
  EXPECT_LE(grid.statistics().bytes, held.most_bytes()) << what << ", with a tree";
  return had_lists;
}

TEST(HierarchicalGrid, takes_the_documented_memory_for_each_box) {
  test::Random random(31);
  std::size_t with_lists = 0;
  for (const bool has_filters : {false, true}) {
    for (int round = 0; round < 6; ++round) {  // as many boxes as fit side by side, of sizes up to a factor
      const std::size_t count = 16'000 + random.below(8000);
      const float largest = std::ldexp(1.0F, static_cast<int>(random.below(4)));
      const float side = 1.2F * largest * std::sqrt(static_cast<float>(count));
      std::vector<Aabb> boxes;
      for (std::size_t i = 0; i < count; ++i) {
        const float x = random.between(0.0F, side);
        const float y = random.between(0.0F, side);
        boxes.push_back(square(x, y, random.between(1.0F, largest + 0.5F)));
      }
      with_lists += expect_little_memory(boxes, {.has_filters = has_filters}, random, "a full world") ? 1 : 0;
    }
    for (const test::BoxMaker& maker : test::box_makers()) {
      const auto boxes = maker.make(16'000, random);
      if (boxes.size() > 1) {
        const Held held{.has_filters = has_filters, .is_sparse = true};
        with_lists += expect_little_memory(boxes, held, random, maker.name) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(with_lists, 2U);
}

TEST(HierarchicalGrid, counts_entries_and_rows_of_all_types) {
  HierarchicalGrid grid;
  ASSERT_TRUE(grid.add(square(0.0F, 0.0F, 1.0F)).has_value());
  ASSERT_TRUE(grid.add(square(5.0F, 0.0F, 1.0F)).has_value());
  ASSERT_TRUE(grid.add(square(0.0F, 0.0F, 1.0F), BodyType::static_body).has_value());
  ASSERT_TRUE(grid.add(square(0.0F, 7.0F, 1.0F), BodyType::kinematic).has_value());
  grid.update();
  EXPECT_EQ(grid.statistics().entries, 4U);
  EXPECT_GE(grid.statistics().occupied_cells, 2U);
  EXPECT_LE(grid.statistics().occupied_cells, 4U);
  EXPECT_GE(grid.statistics().cells, grid.statistics().occupied_cells);
  ASSERT_TRUE(grid.remove(3).has_value());
  grid.update();
  EXPECT_EQ(grid.statistics().entries, 3U);
}

TEST(HierarchicalGrid, static_boxes_cost_no_tests_where_nothing_moves_near_them) {
  HierarchicalGrid grid;
  ASSERT_TRUE(grid.add(test::make_boxes("scattered", 2000, 26), BodyType::static_body).has_value());
  const BoxIndex mover = grid.add(square(5000.0F, 5000.0F, 2.0F)).value();
  EXPECT_TRUE(grid.find_pairs().empty());
  EXPECT_LT(grid.statistics().tests, 100U) << "what lies outside counts as being on the border";
  ASSERT_TRUE(grid.move(mover, square(50.0F, 50.0F, 2.0F)).has_value());
  EXPECT_FALSE(grid.find_pairs().empty());
  EXPECT_LT(grid.statistics().tests, 400U);
}

TEST(HierarchicalGrid, says_what_it_chose_and_why) {
  HierarchicalGrid grid;
  EXPECT_EQ(grid.tuning(), "there are no boxes");
  const auto boxes = test::make_boxes("scattered", 1000, 27);
  const auto indices = grid.add(boxes).value();
  ASSERT_TRUE(grid.add(square(0.0F, 0.0F, 1.0F), BodyType::static_body).has_value());
  grid.update();
  EXPECT_NE(grid.tuning().find("1000 moving boxes are re-inserted"), std::string::npos) << grid.tuning();
  EXPECT_NE(grid.tuning().find("four others of its level in reach"), std::string::npos) << grid.tuning();
  EXPECT_NE(grid.tuning().find("1 static boxes are in one row"), std::string::npos) << grid.tuning();
  ASSERT_TRUE(grid.move(indices, boxes).has_value());
  grid.update();
  EXPECT_NE(grid.tuning().find("1000 boxes rest or move evenly"), std::string::npos) << grid.tuning();
}

TEST(HierarchicalGrid, finds_the_same_pairs_with_any_row_height) {
  const auto boxes = test::make_boxes("mixed_sizes", 1000, 28);
  test::Random random(29);
  std::vector<float> heights{1.0e-30F,
                             0.1F,
                             3.0F,
                             1000.0F,
                             1.0e30F,
                             std::numeric_limits<float>::max(),
                             std::numeric_limits<float>::min(),
                             std::numeric_limits<float>::denorm_min()};
  for (int i = 0; i < 20; ++i) {
    heights.push_back(std::ldexp(1.0F + random.unit(), static_cast<int>(random.below(276)) - 149));
  }
  for (const float height : heights) {
    for (const bool lists : {true, false}) {
      const auto grid = HierarchicalGrid::create({.row_height = height, .neighbor_lists = lists}).value();
      test::Model model;
      test::fill(*grid, model, boxes);
      EXPECT_TRUE(test::agrees(*grid, model)) << height;
      EXPECT_NE(grid->tuning().find("as given"), std::string::npos) << grid->tuning();
    }
  }
}

TEST(HierarchicalGrid, refuses_an_invalid_row_height) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  test::Random random(30);
  std::vector<float> heights{0.0F,
                             -0.0F,
                             -1.0F,
                             infinity,
                             -infinity,
                             std::numeric_limits<float>::quiet_NaN(),
                             std::numeric_limits<float>::lowest(),
                             -std::numeric_limits<float>::denorm_min()};
  for (int i = 0; i < 1000; ++i) {
    heights.push_back(std::bit_cast<float>(random.bits()));
  }
  for (const float height : heights) {
    const auto made = HierarchicalGrid::create({.row_height = height});
    const bool has_meaning = is_finite(height) && height > 0.0F;
    ASSERT_EQ(made.error().code, has_meaning ? ErrorCode::none : ErrorCode::invalid_argument) << height;
    ASSERT_EQ(test::mentions(made.error().message, "row height"), !has_meaning) << made.error().message;
  }
  EXPECT_TRUE(HierarchicalGrid::create().has_value());
}

// A point at the origin may have corners of 0 and -0: its sides are 0, too, or -0.
TEST(HierarchicalGrid, treats_zeros_of_both_signs_alike) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    test::Random random(seed);
    HierarchicalGrid with_signs;
    HierarchicalGrid without;
    const float size = std::ldexp(1.0F, static_cast<int>(random.below(60)) - 40);
    for (int i = 0; i < 600; ++i) {
      if (random.below(20) == 0) {
        const auto zero = [&] { return random.below(2) == 0 ? 0.0F : -0.0F; };
        with_signs.add(Aabb{{zero(), zero()}, {zero(), zero()}}).value();
        without.add(Aabb{}).value();
      } else {
        const Vec2 min{random.between(-30, 30) * size, random.between(-30, 30) * size};
        const Aabb box{min, min + Vec2{size * random.unit(), size * random.unit()}};
        with_signs.add(box).value();
        without.add(box).value();
      }
    }
    EXPECT_EQ(with_signs.find_pairs().size(), without.find_pairs().size());
    EXPECT_EQ(with_signs.statistics().tests, without.statistics().tests) << seed;
    EXPECT_EQ(with_signs.statistics().cells, without.statistics().cells) << seed;
    EXPECT_EQ(with_signs.tuning(), without.tuning()) << seed;
  }
}

}  // namespace
}  // namespace broadside::hierarchical_grid_test
