#include "broadside/broad_phase/hash_grid.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "model.hpp"

namespace broadside::hash_grid_test {
namespace {

constexpr float most = std::numeric_limits<float>::max();

std::unique_ptr<HashGrid> grid_of(float side) {
  return HashGrid::create({.cell_size = Vec2{side, side}}).value();
}

Aabb square(float x, float y, float side) {
  return {{x, y}, {x + side, y + side}};
}

TEST(HashGrid, refuses_cell_sizes_that_are_not_positive_and_finite) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float bad : {0.0F, -0.0F, -1.0F, infinity, -infinity, nan}) {
    for (const Vec2 size : {Vec2{bad, 1.0F}, Vec2{1.0F, bad}, Vec2{bad, bad}}) {
      const auto grid = HashGrid::create({.cell_size = size});
      ASSERT_FALSE(grid.has_value()) << bad;
      EXPECT_EQ(grid.error().code, ErrorCode::invalid_argument);
      EXPECT_TRUE(test::mentions(grid.error().message, "must be positive and finite"));
    }
  }
  EXPECT_TRUE(
      HashGrid::create({.cell_size = Vec2{std::numeric_limits<float>::denorm_min(), most}}).has_value());
  EXPECT_TRUE(HashGrid::create().has_value());
}

TEST(HashGrid, names_a_cell_by_its_corner) {
  const auto grid = HashGrid::create({.cell_size = Vec2{4.0F, 10.0F}}).value();
  ASSERT_TRUE(grid->add(Aabb{{-3.0F, -3.0F}, {-2.0F, -2.0F}}).has_value());
  ASSERT_TRUE(grid->add(Aabb{{-1.0F, -4.0F}, {-1.0F, -1.0F}}).has_value());
  grid->update();
  const auto cells = grid->cells();
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].bounds, (Aabb{{-4.0F, -10.0F}, {0.0F, 0.0F}}));
  EXPECT_EQ(cells[0].boxes, 2U);
  EXPECT_EQ(grid->cell_size(), (Vec2{4.0F, 10.0F}));
}

TEST(HashGrid, cells_hold_the_boxes_that_reach_into_them) {
  const auto boxes = test::make_boxes("on_cell_lines", 200, 3);
  const auto grid = grid_of(8.0F);
  ASSERT_TRUE(grid->add(boxes).has_value());
  grid->update();
  std::uint64_t entries = 0;
  for (const Cell& cell : grid->cells()) {
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
  EXPECT_EQ(grid->statistics().occupied_cells, grid->cells().size());
}

TEST(HashGrid, boxes_in_different_cells_are_never_tested) {
  const auto grid = grid_of(1.0F);
  std::vector<Aabb> boxes;
  // Distances that a modulo, swapped axes or a lost sign would fold together.
  for (int x = -70; x <= 70; x += 2) {
    for (int y = -70; y <= 70; y += 2) {
      boxes.push_back(square(static_cast<float>(x) + 0.25F, static_cast<float>(y) + 0.25F, 0.5F));
    }
  }
  for (const float far : {65536.0F, -65536.0F, 1048576.0F, 4194304.0F}) {
    boxes.push_back(square(far, 0.0F, 0.0F));
    boxes.push_back(square(0.25F, far, 0.0F));
  }
  ASSERT_TRUE(grid->add(boxes).has_value());
  EXPECT_TRUE(grid->find_pairs().empty());
  EXPECT_EQ(grid->statistics().tests, 0U);
  EXPECT_EQ(grid->statistics().occupied_cells, boxes.size());
}

TEST(HashGrid, a_pair_that_shares_many_cells_is_tested_once) {
  const auto grid = grid_of(1.0F);
  ASSERT_TRUE(grid->add(Aabb{{0.1F, 0.1F}, {4.9F, 4.5F}}).has_value());
  ASSERT_TRUE(grid->add(Aabb{{0.2F, 4.6F}, {4.8F, 6.0F}}).has_value());
  EXPECT_TRUE(grid->find_pairs().empty());
  EXPECT_EQ(grid->statistics().tests, 1U) << "five shared cells, no overlap";
  ASSERT_TRUE(grid->move(1, Aabb{{0.2F, 0.2F}, {4.8F, 4.8F}}).has_value());
  EXPECT_EQ(grid->find_pairs().size(), 1U);
  EXPECT_EQ(grid->statistics().tests, 1U);
}

TEST(HashGrid, memory_does_not_grow_behind_a_box_that_falls_forever) {
  const auto grid = grid_of(1.0F);
  const BoxIndex falling = grid->add(square(0.2F, 0.2F, 1.0F)).value();
  grid->update();
  std::size_t bytes_early = 0;
  for (int step = 1; step <= 20000; ++step) {
    ASSERT_TRUE(grid->move(falling, square(0.2F, 0.2F - static_cast<float>(step), 1.0F)).has_value());
    if (step % 1000 == 0) {
      (void)grid->find_pairs();
      EXPECT_EQ(grid->statistics().occupied_cells, 4U);
      EXPECT_EQ(grid->statistics().entries, 4U);
    }
    if (step == 1000) {
      bytes_early = grid->statistics().bytes;
    }
  }
  EXPECT_EQ(grid->statistics().bytes, bytes_early);
}

TEST(HashGrid, memory_does_not_grow_under_add_and_remove) {
  const auto grid = grid_of(1.0F);
  std::size_t bytes_early = 0;
  for (int round = 0; round < 200; ++round) {
    const auto indices = grid->add(test::make_boxes("scattered", 50, 9)).value();
    (void)grid->find_pairs();
    for (const BoxIndex index : indices) {
      ASSERT_TRUE(grid->remove(index).has_value());
    }
    if (round == 10) {
      bytes_early = grid->statistics().bytes;
    }
  }
  EXPECT_EQ(grid->statistics().bytes, bytes_early);
  (void)grid->find_pairs();
  EXPECT_EQ(grid->statistics().occupied_cells, 0U);
  EXPECT_EQ(grid->statistics().entries, 0U);
}

TEST(HashGrid, memory_does_not_depend_on_the_extent_of_the_world) {
  const auto grid = grid_of(1.0F);
  for (const float far : {1.0e9F, -1.0e15F, 1.0e30F, most, -most}) {
    ASSERT_TRUE(grid->add(Aabb{{far, far}, {far, far}}).has_value());
    ASSERT_TRUE(grid->add(Aabb{{far, -far}, {far, -far}}).has_value());
  }
  ASSERT_TRUE(grid->add(Aabb{{-most, -most}, {most, most}}).has_value());
  EXPECT_EQ(grid->find_pairs().size(), 10U);
  EXPECT_LT(grid->statistics().bytes, 10000U);
  EXPECT_LE(grid->statistics().entries, 11U);
}

TEST(HashGrid, a_box_over_too_many_cells_is_one_entry) {
  const auto grid = grid_of(1.0F);
  ASSERT_TRUE(grid->add(Aabb{{0.5F, 0.5F}, {255.5F, 255.5F}}).has_value());
  grid->update();
  EXPECT_EQ(grid->statistics().entries, 256U * 256U) << "2^16 are the most";
  const BoxIndex second = grid->add(Aabb{{0.5F, 0.5F}, {7.5F, 8.5F}}).value();
  grid->update();
  EXPECT_EQ(grid->statistics().entries, 256U * 256U + 1U);
  ASSERT_TRUE(grid->move(0, Aabb{{0.5F, 0.5F}, {255.5F, 256.5F}}).has_value());
  grid->update();
  EXPECT_EQ(grid->statistics().entries, 2U);
  EXPECT_EQ(grid->statistics().occupied_cells, 0U);
  ASSERT_TRUE(grid->move(second, Aabb{{0.5F, 0.5F}, {8.5F, 9.5F}}).has_value());
  grid->update();
  EXPECT_EQ(grid->statistics().entries, 91U) << "now there is space";
  ASSERT_TRUE(grid->move(0, Aabb{{0.5F, 0.5F}, {1.5F, 0.75F}}).has_value());
  grid->update();
  EXPECT_EQ(grid->statistics().entries, 92U) << "and back";
}

// Boxes in more than 64 cells come, move and go; at any time they fit into the entries that are left.
TEST(HashGrid, holds_large_boxes_in_cells_while_entries_are_left) {
  test::Random random(12);
  const auto grid = grid_of(1.0F);
  test::Model model;
  std::vector<BoxIndex> held;
  for (int change = 0; change < 400; ++change) {
    const Aabb box =
        square(random.between(-50.0F, 50.0F), random.between(-50.0F, 50.0F), std::exp2(9.0F * random.unit()));
    const std::uint32_t kind = held.size() < 4 ? 0 : random.below(3);
    if (kind == 0) {
      held.push_back(grid->add(box).value());
      model.add(held.back(), box, BodyType::dynamic);
    } else {
      const std::size_t at = random.below(static_cast<std::uint32_t>(held.size()));
      if (kind == 1) {
        ASSERT_TRUE(grid->move(held[at], box).has_value());
        model.move(held[at], box);
      } else {
        ASSERT_TRUE(grid->remove(held[at]).has_value());
        model.remove(held[at]);
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    ASSERT_TRUE(test::agrees(*grid, model)) << change;
    ASSERT_LE(grid->statistics().entries, (1U << 16U) + 64 * held.size()) << change;
  }
  for (const BoxIndex index : held) {
    ASSERT_TRUE(grid->remove(index).has_value());
  }
  ASSERT_TRUE(grid->add(square(0.5F, 0.5F, 254.0F)).has_value());
  grid->update();
  EXPECT_EQ(grid->statistics().entries, 255U * 255U) << "all entries were given back";
}

TEST(HashGrid, static_boxes_stay_in) {
  const auto grid = grid_of(4.0F);
  test::Model model;
  for (const Aabb& box : test::make_boxes("scattered", 300, 4)) {
    model.add(grid->add(box, BodyType::static_body).value(), box, BodyType::static_body);
  }
  const Aabb start = square(0.0F, 0.0F, 3.0F);
  const BoxIndex mover = grid->add(start).value();
  model.add(mover, start, BodyType::dynamic);
  EXPECT_TRUE(test::agrees(*grid, model));
  std::uint64_t static_entries = 0;
  ASSERT_TRUE(grid->move(mover, square(-9.0F, -9.0F, 0.5F)).has_value());
  grid->update();
  static_entries = grid->statistics().entries - 1;
  for (int step = 0; step < 50; ++step) {
    const Aabb next = square(static_cast<float>(step) * 4.0F + 1.0F, 29.0F, 2.0F);
    ASSERT_TRUE(grid->move(mover, next).has_value());
    model.move(mover, next);
    ASSERT_TRUE(test::agrees(*grid, model));
    ASSERT_EQ(grid->statistics().entries, static_entries + 1);
  }
}

TEST(HashGrid, a_box_that_keeps_to_its_cells_costs_no_memory) {
  const auto grid = grid_of(10.0F);
  ASSERT_TRUE(grid->add(test::make_boxes("scattered", 100, 4)).has_value());
  const BoxIndex mover = grid->add(square(1.0F, 1.0F, 2.0F)).value();
  (void)grid->find_pairs();
  (void)grid->find_pairs();
  const test::AllocationWatch watch;
  EXPECT_TRUE(grid->move(mover, square(2.0F, 2.0F, 2.0F)).has_value());
  (void)grid->find_pairs();
  EXPECT_EQ(watch.count(), 0U);
}

// From outside, only the order of the pairs shows that a box was not removed and inserted again.
TEST(HashGrid, a_box_that_keeps_to_its_cells_keeps_its_place_in_them) {
  const auto grid = grid_of(10.0F);
  ASSERT_TRUE(grid->add(std::vector<Aabb>(5, square(1.0F, 1.0F, 2.0F))).has_value());
  const auto found = grid->find_pairs();
  const std::vector<Pair> before(found.begin(), found.end());
  for (const BoxIndex index : {2U, 0U, 4U}) {
    ASSERT_TRUE(grid->move(index, square(2.0F, 2.0F, 2.0F)).has_value());
  }
  const auto now = grid->find_pairs();
  EXPECT_EQ(std::vector<Pair>(now.begin(), now.end()), before);
}

TEST(HashGrid, counts_a_check_for_each_cell_that_two_boxes_share) {
  const auto grid = grid_of(10.0F);
  ASSERT_TRUE(grid->add(square(5.0F, 5.0F, 20.0F)).has_value());
  ASSERT_TRUE(grid->add(square(15.0F, 8.0F, 30.0F)).has_value());
  EXPECT_EQ(grid->find_pairs().size(), 1U);
  EXPECT_EQ(grid->statistics().owner_checks, 2U * 3U) << "columns 1 and 2, rows 0 to 2";
  EXPECT_EQ(grid->statistics().tests, 1U);
}

TEST(HashGrid, measures_the_boxes_at_its_first_update) {
  const auto grid = HashGrid::create().value();
  ASSERT_TRUE(grid->add(std::vector<Aabb>(100, square(0.0F, 0.0F, 2.0F))).has_value());
  grid->update();
  EXPECT_EQ(grid->cell_size(), (Vec2{5.0F, 5.0F}));
}

TEST(HashGrid, measures_again_when_the_number_of_boxes_has_doubled_or_halved) {
  const auto grid = HashGrid::create().value();
  ASSERT_TRUE(grid->add(std::vector<Aabb>(200, square(0.0F, 0.0F, 2.0F))).has_value());
  grid->update();
  const auto added = grid->add(std::vector<Aabb>(200, square(0.0F, 0.0F, 20.0F))).value();
  grid->update();
  EXPECT_EQ(grid->cell_size().x, 5.0F) << "twice as many are not yet more than twice as many";
  ASSERT_TRUE(grid->add(square(0.0F, 0.0F, 20.0F)).has_value());
  grid->update();
  const float larger = grid->cell_size().x;
  EXPECT_FLOAT_EQ(larger, 2.5F * (200.0F * 2.0F + 201.0F * 20.0F) / 401.0F);
  for (const BoxIndex index : added) {
    ASSERT_TRUE(grid->remove(index).has_value());
  }
  grid->update();
  EXPECT_EQ(grid->cell_size().x, larger) << "201 of 401 are more than half";
  ASSERT_TRUE(grid->remove(0).has_value());
  grid->update();
  EXPECT_FLOAT_EQ(grid->cell_size().x, 2.5F * (199.0F * 2.0F + 20.0F) / 200.0F);
  EXPECT_EQ(grid->find_pairs().size(), 200U * 199U / 2U);
}

TEST(HashGrid, exactly_half_as_many_boxes_are_not_yet_less_than_half) {
  const auto grid = HashGrid::create().value();
  ASSERT_TRUE(grid->add(std::vector<Aabb>(100, square(0.0F, 0.0F, 2.0F))).has_value());
  const auto large = grid->add(std::vector<Aabb>(100, square(0.0F, 0.0F, 4.0F))).value();
  grid->update();
  ASSERT_EQ(grid->cell_size().x, 7.5F);
  ASSERT_TRUE(grid->remove(large).has_value());
  grid->update();
  EXPECT_EQ(grid->cell_size().x, 7.5F);
  ASSERT_TRUE(grid->remove(1).has_value());
  grid->update();
  EXPECT_EQ(grid->cell_size().x, 5.0F);
}

TEST(HashGrid, keeps_the_cell_size_that_was_set) {
  const auto grid = grid_of(5.0F);
  for (int round = 0; round < 4; ++round) {
    ASSERT_TRUE(grid->add(test::make_boxes("mixed_sizes", 40, 2)).has_value());
    grid->update();
    EXPECT_EQ(grid->cell_size(), (Vec2{5.0F, 5.0F}));
  }
}

// Cell numbers end at 32 bits; boxes beyond share the last cell, and only the comparison of boxes separates
// them.
TEST(HashGrid, finds_pairs_beyond_the_last_cell) {
  const auto grid = grid_of(1.0e-30F);
  test::Model model;
  for (const float x : {1.0e10F, -1.0e10F, 3.0e38F}) {
    for (const float side : {0.0F, 1.0F, 1.0e5F}) {
      const Aabb box = square(x, x, side);
      model.add(grid->add(box).value(), box, BodyType::dynamic);
    }
  }
  EXPECT_TRUE(test::agrees(*grid, model));
  EXPECT_EQ(grid->find_pairs().size(), 9U);
}

TEST(HashGrid, query_sees_boxes_in_cells_and_boxes_over_too_many_cells) {
  const auto grid = grid_of(1.0F);
  test::Model model;
  test::fill(*grid, model, test::make_boxes("giant_among_tiny", 200, 6));
  grid->update();
  for (const float side : {0.0F, 0.5F, 3.0F, 30.0F, 1000.0F}) {
    EXPECT_TRUE(test::query_agrees(*grid, model, square(10.0F, 20.0F, side))) << side;
  }
}

// Cells that are much smaller or larger than the boxes, and cells that the grid chooses.
TEST(HashGrid, takes_the_documented_memory_for_each_cell_entry_and_box) {
  test::Random random(11);
  for (const test::BoxMaker& maker : test::box_makers()) {
    for (int round = 0; round < 12; ++round) {
      const auto boxes = maker.make(1 + (random.bits() >> (20 + random.below(12))), random);
      HashGridOptions options;
      if (random.below(3) != 0) {
        const float width = std::ldexp(1.0F + random.unit(), static_cast<int>(random.below(16)) - 4);
        const float height = std::ldexp(1.0F + random.unit(), static_cast<int>(random.below(16)) - 4);
        options.cell_size = Vec2{width, height};
      }
      const auto grid = HashGrid::create(options).value();
      ASSERT_TRUE(grid->add(boxes).has_value());
      grid->update();
      const Statistics statistics = grid->statistics();
      EXPECT_LE(statistics.entries, 64 * boxes.size() + (options.cell_size ? 1U << 16U : 0U)) << maker.name;
      EXPECT_LE(statistics.bytes,
                96 * statistics.occupied_cells + 16 * statistics.entries + 46 * boxes.size() + 2000)
          << maker.name;
    }
  }
}

}  // namespace
}  // namespace broadside::hash_grid_test
