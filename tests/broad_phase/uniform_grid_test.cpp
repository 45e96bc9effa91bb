#include "broadside/broad_phase/uniform_grid.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "model.hpp"

namespace broadside::uniform_grid_test {
namespace {

using test::mentions;

constexpr float most = std::numeric_limits<float>::max();

std::unique_ptr<UniformGrid> grid_of(const Aabb& bounds, Vec2 cell_size) {
  return UniformGrid::create({.bounds = bounds, .cell_size = cell_size}).value();
}

Aabb square(float x, float y, float side) {
  return {{x, y}, {x + side, y + side}};
}

TEST(UniformGrid, refuses_cell_sizes_that_are_not_positive_and_finite) {
  const Aabb bounds = square(0.0F, 0.0F, 10.0F);
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float bad : {0.0F, -0.0F, -1.0F, infinity, -infinity, nan}) {
    for (const Vec2 size : {Vec2{bad, 1.0F}, Vec2{1.0F, bad}}) {
      const auto grid = UniformGrid::create({.bounds = bounds, .cell_size = size});
      ASSERT_FALSE(grid.has_value()) << bad;
      EXPECT_EQ(grid.error().code, ErrorCode::invalid_argument);
      EXPECT_TRUE(mentions(grid.error().message, "must be positive and finite"));
    }
  }
}

TEST(UniformGrid, refuses_a_cell_size_without_bounds) {
  const auto grid = UniformGrid::create({.bounds = std::nullopt, .cell_size = Vec2{1.0F, 1.0F}});
  ASSERT_FALSE(grid.has_value());
  EXPECT_EQ(grid.error().code, ErrorCode::invalid_argument);
  EXPECT_TRUE(mentions(grid.error().message, "needs bounds")) << grid.error().message;
}

TEST(UniformGrid, refuses_bad_bounds) {
  for (const test::BadBox& bad : test::bad_boxes()) {
    const auto grid = UniformGrid::create({.bounds = bad.box, .cell_size = std::nullopt});
    ASSERT_FALSE(grid.has_value()) << bad.name;
    EXPECT_EQ(grid.error().code, bad.code) << bad.name;
    EXPECT_TRUE(mentions(grid.error().message, "bounds of the uniform grid")) << grid.error().message;
    EXPECT_TRUE(mentions(grid.error().message, bad.field)) << grid.error().message;
  }
}

TEST(UniformGrid, refuses_too_many_cells_before_allocating_any) {
  const float least = std::numeric_limits<float>::denorm_min();
  const struct {
    Aabb bounds;
    Vec2 cell_size;
  } absurd[] = {
      {{{-most, -most}, {most, most}}, {least, least}},
      {{{-most, 0.0F}, {most, 0.0F}}, {1.0F, 1.0F}},
      {{{0.0F, -most}, {0.0F, most}}, {1.0F, 1.0F}},
      {{{0.0F, 0.0F}, {1.0F, 1.0F}}, {1.0e-4F, 1.0e-4F}},
      {{{0.0F, 0.0F}, {65536.0F, 65536.0F}}, {1.0F, 1.0F}},  // a little over 2^32: few in 32 bits
  };
  for (const auto& [bounds, cell_size] : absurd) {
    const test::AllocationWatch watch;
    const auto grid = UniformGrid::create({.bounds = bounds, .cell_size = cell_size});
    const std::size_t largest = watch.largest();
    ASSERT_FALSE(grid.has_value());
    EXPECT_EQ(grid.error().code, ErrorCode::too_large);
    EXPECT_LT(largest, 1000U) << "no more than the sentence";
    EXPECT_TRUE(mentions(grid.error().message, std::to_string(UniformGrid::max_cells)))
        << grid.error().message;
  }
}

TEST(UniformGrid, names_the_number_of_cells_refused) {
  const auto grid = UniformGrid::create(
      {.bounds = Aabb{{0.0F, 0.0F}, {9999.0F, 99999.0F}}, .cell_size = Vec2{1.0F, 10.0F}});
  ASSERT_FALSE(grid.has_value());
  EXPECT_TRUE(mentions(grid.error().message, " 100000000 cells")) << grid.error().message;
}

TEST(UniformGrid, limit_is_the_number_of_cells_allowed) {
  const auto with_bounds = [](float right, float top) {
    return UniformGrid::create({.bounds = Aabb{{0.0F, 0.0F}, {right, top}}, .cell_size = Vec2{1.0F, 1.0F}});
  };
  EXPECT_TRUE(with_bounds(4095.0F, 4095.0F).has_value()) << "4096 columns and rows, the border included";
  EXPECT_FALSE(with_bounds(4096.0F, 4095.0F).has_value());
  EXPECT_FALSE(with_bounds(4095.0F, 4096.0F).has_value());
}

TEST(UniformGrid, cells_start_at_the_origin_of_the_bounds_and_may_be_rectangular) {
  const auto grid = grid_of({{100.0F, 200.0F}, {130.0F, 260.0F}}, {10.0F, 20.0F});
  ASSERT_TRUE(grid->add(square(101.0F, 201.0F, 5.0F)).has_value());
  ASSERT_TRUE(grid->add(square(115.0F, 225.0F, 2.0F)).has_value());
  ASSERT_TRUE(grid->add(square(112.0F, 221.0F, 2.0F)).has_value());
  EXPECT_TRUE(grid->find_pairs().empty());
  EXPECT_EQ(grid->cell_size(), (Vec2{10.0F, 20.0F}));
  EXPECT_EQ(grid->statistics().cells, 4U * 4U);
  EXPECT_EQ(grid->statistics().occupied_cells, 2U);
  EXPECT_EQ(grid->statistics().entries, 3U);
  EXPECT_EQ(grid->statistics().tests, 1U);
  const auto cells = grid->cells();
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].bounds, (Aabb{{100.0F, 200.0F}, {110.0F, 220.0F}}));
  EXPECT_EQ(cells[0].boxes, 1U);
  EXPECT_EQ(cells[1].bounds, (Aabb{{110.0F, 220.0F}, {120.0F, 240.0F}}));
  EXPECT_EQ(cells[1].boxes, 2U);
}

TEST(UniformGrid, boxes_outside_count_as_members_of_the_nearest_border_cells) {
  const auto grid = grid_of({{0.0F, 0.0F}, {25.0F, 25.0F}}, {10.0F, 10.0F});
  for (const float x : {-50.0F, 12.0F, 75.0F}) {
    for (const float y : {-50.0F, 12.0F, 75.0F}) {
      ASSERT_TRUE(grid->add(square(x, y, 2.0F)).has_value());
    }
  }
  grid->update();
  const auto cells = grid->cells();
  ASSERT_EQ(cells.size(), 9U) << "one in each of 3 x 3 cells";
  for (const Cell& cell : cells) {
    EXPECT_EQ(cell.boxes, 1U);
  }
}

TEST(UniformGrid, finds_pairs_outside_and_across_the_bounds) {
  const auto grid = grid_of({{0.0F, 0.0F}, {25.0F, 25.0F}}, {10.0F, 10.0F});
  test::Model model;
  const Aabb boxes[] = {
      square(-100.0F, -100.0F, 10.0F),       square(-95.0F, -95.0F, 10.0F), square(100.0F, 5.0F, 10.0F),
      square(105.0F, 8.0F, 10.0F),           square(-5.0F, 5.0F, 10.0F),    square(-8.0F, 3.0F, 4.0F),
      {{-1000.0F, 12.0F}, {1000.0F, 13.0F}}, square(1.0e30F, 0.0F, 0.0F)};
  test::fill(*grid, model, boxes);
  EXPECT_TRUE(test::agrees(*grid, model));
  EXPECT_EQ(grid->find_pairs().size(), 6U);
  for (const Aabb& area : boxes) {
    EXPECT_TRUE(test::query_agrees(*grid, model, area));
  }
}

TEST(UniformGrid, a_pair_that_shares_many_cells_is_tested_once) {
  const auto grid = grid_of(square(0.0F, 0.0F, 20.0F), {1.0F, 1.0F});
  ASSERT_TRUE(grid->add(Aabb{{0.1F, 0.1F}, {4.9F, 4.5F}}).has_value());
  ASSERT_TRUE(grid->add(Aabb{{0.2F, 4.6F}, {4.8F, 6.0F}}).has_value());
  EXPECT_TRUE(grid->find_pairs().empty());
  EXPECT_EQ(grid->statistics().tests, 1U) << "five shared cells, no overlap";
}

TEST(UniformGrid, boxes_in_different_cells_are_never_tested) {
  const auto grid = grid_of(square(0.0F, 0.0F, 30.0F), {1.0F, 1.0F});
  for (int x = 0; x < 30; ++x) {
    for (int y = 0; y < 30; ++y) {
      ASSERT_TRUE(
          grid->add(square(static_cast<float>(x) + 0.25F, static_cast<float>(y) + 0.25F, 0.5F)).has_value());
    }
  }
  EXPECT_TRUE(grid->find_pairs().empty());
  EXPECT_EQ(grid->statistics().tests, 0U);
  EXPECT_EQ(grid->statistics().occupied_cells, 900U);
}

TEST(UniformGrid, a_box_over_too_many_cells_is_one_entry) {
  const auto grid = grid_of(square(0.0F, 0.0F, 1000.0F), {1.0F, 1.0F});
  const BoxIndex too_large = grid->add(Aabb{{0.5F, 0.5F}, {300.5F, 300.5F}}).value();
  const BoxIndex small = grid->add(Aabb{{0.5F, 0.5F}, {7.5F, 7.5F}}).value();
  const BoxIndex large = grid->add(Aabb{{0.5F, 0.5F}, {255.5F, 255.5F}}).value();
  grid->update();
  EXPECT_EQ(grid->statistics().entries, 1U + 64U + 256U * 256U)
      << "the first one takes no cell from the last";
  ASSERT_TRUE(grid->remove(too_large).has_value());
  grid->update();
  EXPECT_EQ(grid->statistics().entries, 64U + 256U * 256U)
      << "2^16 and those of boxes in few cells are the most";
  ASSERT_TRUE(grid->move(small, Aabb{{0.5F, 0.5F}, {7.5F, 8.5F}}).has_value());
  grid->update();
  EXPECT_EQ(grid->statistics().entries, 72U + 1U) << "the first ones enter";
  ASSERT_TRUE(grid->remove(small).has_value());
  ASSERT_TRUE(grid->move(large, Aabb{{0.5F, 0.5F}, {255.5F, 256.5F}}).has_value());
  grid->update();
  EXPECT_EQ(grid->statistics().entries, 1U);
  EXPECT_EQ(grid->statistics().occupied_cells, 0U);
}

TEST(UniformGrid, boxes_over_too_many_cells_are_tested_once_against_everything) {
  const auto grid = grid_of(square(0.0F, 0.0F, 20.0F), {0x1p-5F, 0x1p-5F});
  ASSERT_TRUE(grid->add(square(0.5F, 0.5F, 17.0F)).has_value());
  ASSERT_TRUE(grid->add(square(2.5F, 2.5F, 17.0F)).has_value());
  ASSERT_TRUE(grid->add(square(2.0F, 2.0F, 0.125F)).has_value());
  ASSERT_TRUE(grid->add(square(19.75F, 0.25F, 0.125F), BodyType::static_body).has_value());
  ASSERT_TRUE(grid->add(square(0.0F, 0.0F, 18.0F), BodyType::kinematic).has_value());
  EXPECT_EQ(test::sorted_pairs_of(grid->find_pairs()),
            (std::vector<test::IndexPair>{{0, 1}, {0, 2}, {0, 4}, {1, 4}, {2, 4}}));
  EXPECT_EQ(grid->statistics().tests, 8U)
      << "all ten but those of two bodies at rest and of two small ones apart";
}

// Figure 9 of "Broad Phase Collision Detection Using Spatial Partitioning": the smaller the cells, the fewer
// tests.
TEST(UniformGrid, tests_no_more_pairs_in_cells_of_half_the_size) {
  test::Random random(6);
  for (int round = 0; round < 200; ++round) {
    const float side = std::exp2(8.0F * random.unit());
    const Aabb bounds = square(-128.0F, -128.0F, 256.0F);
    std::vector<Aabb> boxes(2 + random.below(60));
    for (Aabb& box : boxes) {
      box = square(random.between(-140.0F, 140.0F), random.between(-140.0F, 140.0F), side * random.unit());
    }
    const std::uint64_t n = boxes.size();
    std::uint64_t before = n * (n - 1) / 2;
    for (float size = 256.0F;
         static_cast<float>(n) * (256.0F / size + 2.0F) * (256.0F / size + 2.0F) < 0x1p16F; size /= 2.0F) {
      const auto grid = grid_of(bounds, {size, size});
      ASSERT_TRUE(grid->add(boxes).has_value());
      static_cast<void>(grid->find_pairs());
      ASSERT_LE(grid->statistics().tests, before) << round << " in cells of " << size;
      before = grid->statistics().tests;
    }
  }
}

TEST(UniformGrid, counts_a_check_for_each_cell_that_two_boxes_share) {
  const auto grid = grid_of(square(0.0F, 0.0F, 100.0F), {10.0F, 10.0F});
  ASSERT_TRUE(grid->add(square(5.0F, 5.0F, 20.0F)).has_value());
  ASSERT_TRUE(grid->add(square(15.0F, 8.0F, 30.0F)).has_value());
  EXPECT_EQ(grid->find_pairs().size(), 1U);
  EXPECT_EQ(grid->statistics().owner_checks, 2U * 3U) << "columns 1 and 2, rows 0 to 2";
  EXPECT_EQ(grid->statistics().tests, 1U);
}

/// Squares with sides of 2, every 10 units, from (10, 20) on.
std::vector<Aabb> lattice_of_100() {
  std::vector<Aabb> boxes;
  for (int i = 0; i < 100; ++i) {
    boxes.push_back(
        square(10.0F + 10.0F * static_cast<float>(i % 10), 20.0F + 10.0F * static_cast<float>(i / 10), 2.0F));
  }
  return boxes;
}

TEST(UniformGrid, says_what_its_cells_cost) {
  const auto given = grid_of(square(0.0F, 0.0F, 1000.0F), {1.0F, 0.5F});
  EXPECT_EQ(given->tuning(), "there are no boxes");
  ASSERT_TRUE(given->add(square(0.25F, 0.25F, 3.0F)).has_value());
  given->update();
  EXPECT_EQ(given->tuning(), "cells of 1 x 0.5, as given: 28 entries for 1 boxes");
  ASSERT_TRUE(given->add(square(0.25F, 0.25F, 900.0F)).has_value());
  given->update();
  EXPECT_EQ(given->tuning(),
            "cells of 1 x 0.5, as given: 29 entries for 2 boxes; 1 of them cover too many cells and are "
            "tested against all boxes");
  const auto measured = UniformGrid::create().value();
  ASSERT_TRUE(measured->add(lattice_of_100()).has_value());
  measured->update();
  EXPECT_TRUE(mentions(measured->tuning(), "cells of 5 x 5, measured: ")) << measured->tuning();
  const auto few = UniformGrid::create().value();
  ASSERT_TRUE(few->add(std::vector<Aabb>(7)).has_value());
  few->update();
  EXPECT_EQ(few->tuning(), "all 7 boxes are tested against each other: cells would cost more");
}

TEST(UniformGrid, measures_bounds_and_cells_from_the_boxes) {
  const auto grid = UniformGrid::create().value();
  const auto added = grid->add(lattice_of_100()).value();
  grid->update();
  EXPECT_EQ(grid->cell_size(), (Vec2{5.0F, 5.0F}));
  EXPECT_EQ(grid->statistics().cells, 19U * 19U) << "92 x 92 in cells of 5, the far edge included";
  ASSERT_TRUE(grid->move(added[0], square(10.0F, 20.0F, 4.0F)).has_value());
  grid->update();
  EXPECT_FLOAT_EQ(grid->cell_size().x, 5.05F) << "measured again";
}

TEST(UniformGrid, measures_cells_for_given_bounds) {
  const auto grid =
      UniformGrid::create({.bounds = square(0.0F, 0.0F, 100.0F), .cell_size = std::nullopt}).value();
  ASSERT_TRUE(grid->add(lattice_of_100()).has_value());
  grid->update();
  EXPECT_EQ(grid->cell_size(), (Vec2{5.0F, 5.0F}));
  EXPECT_EQ(grid->statistics().cells, 21U * 21U);
}

TEST(UniformGrid, memory_is_bounded_by_the_boxes_without_options) {
  for (const char* kind : {"all_floats", "extremes", "denormals", "giant_among_tiny", "very_far_away"}) {
    const auto grid = UniformGrid::create().value();
    const auto boxes = test::make_boxes(kind, 300, 41);
    ASSERT_TRUE(grid->add(boxes).has_value());
    grid->update();
    EXPECT_LE(grid->statistics().cells, 1024 + 4 * boxes.size()) << kind;
    EXPECT_LE(grid->statistics().entries, 64 * boxes.size()) << kind;
    EXPECT_LT(grid->statistics().bytes, 1000 * (boxes.size() + 50)) << kind;
  }
  const auto two = UniformGrid::create().value();
  ASSERT_TRUE(two->add(square(-1.0e30F, -1.0e30F, 0.0F)).has_value());
  ASSERT_TRUE(two->add(square(1.0F, 1.0F, 1.0F)).has_value());
  EXPECT_TRUE(two->find_pairs().empty());
  EXPECT_LE(two->statistics().cells, 1024U + 8U);
}

TEST(UniformGrid, counts_the_cells_and_entries_that_it_returns) {
  const auto grid = grid_of(Aabb{{-64.0F, -64.0F}, {192.0F, 192.0F}}, {8.0F, 8.0F});
  const auto boxes = test::make_boxes("on_cell_lines", 200, 3);
  ASSERT_TRUE(grid->add(boxes).has_value());
  grid->update();
  std::uint64_t entries = 0;
  const auto cells = grid->cells();
  for (const Cell& cell : cells) {
    std::size_t members = 0;
    for (const Aabb& box : boxes) {
      // A cell owns its lower and left edge, not the others.
      const bool on_x = box.min.x < cell.bounds.max.x && box.max.x >= cell.bounds.min.x;
      const bool on_y = box.min.y < cell.bounds.max.y && box.max.y >= cell.bounds.min.y;
      members += on_x && on_y ? 1U : 0U;
    }
    EXPECT_EQ(cell.boxes, members);
    entries += members;
  }
  EXPECT_EQ(grid->statistics().entries, entries);
  EXPECT_EQ(grid->statistics().occupied_cells, cells.size());
  EXPECT_EQ(grid->statistics().cells, 33U * 33U);
}

// An array that grows requests at most a few times the memory that it then holds.
TEST(UniformGrid, counts_all_bytes_that_it_allocates) {
  for (const std::size_t n : {100U, 333U, 1000U, 2048U}) {
    const auto grid = grid_of(square(0.0F, 0.0F, 1000.0F), {1.0F, 1.0F});
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_TRUE(grid->add(square(0.25F, 0.25F, 0.5F)).has_value());
    }
    // One cell each; too many cells, so that the boxes are kept in a separate list; four cells each.
    for (const float side : {0.5F, 900.0F, 1.0F}) {
      const auto places = grid->statistics().bytes;
      const test::MemoryWatch watch;
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_TRUE(grid->move(static_cast<BoxIndex>(i), square(0.25F, 0.25F, side)).has_value());
      }
      grid->update();
      const std::size_t asked = watch.bytes();
      const std::size_t grown = grid->statistics().bytes - places;
      EXPECT_GE(asked, n * sizeof(BoxIndex)) << side;
      EXPECT_GE(4 * grown, asked) << side;
      EXPECT_LE(grown, asked) << side;
    }
  }
}

TEST(UniformGrid, has_no_cells_before_the_first_update) {
  const auto grid = UniformGrid::create().value();
  ASSERT_TRUE(grid->add(square(0.0F, 0.0F, 1.0F)).has_value());
  EXPECT_TRUE(grid->cells().empty());
}

}  // namespace
}  // namespace broadside::uniform_grid_test
