// The mistakes of the tutorials and demos from which broadside grew, each as a test of the opposite. A test
// is named after its row in the list of these mistakes: E for the entity system's grid, R for the three
// techniques, P for the spatial hash, G for the typed-array grid. Here are the rows about detection; those
// about time steps and callbacks are in the tests of these.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/broad_phase/brute_force.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/hash_grid.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "broadside/broad_phase/uniform_grid.hpp"
#include "model.hpp"
#include "variants.hpp"

namespace broadside::test::checklist_test {
namespace {

constexpr float most = std::numeric_limits<float>::max();

/// A box in the form of the tutorials: a corner and a size.
Aabb sized(float x, float y, float width, float height) {
  return {{x, y}, {x + width, y + height}};
}

/// All techniques with cells of this size over a world of the tutorials' size, and all with their default
/// options.
std::vector<Variant> with_cells_of(float side) {
  std::vector<Variant> result;
  for (const TechniqueEntry& technique : techniques()) {
    const TechniqueOptions options{.cell_size = Vec2{side, side},
                                   .bounds = Aabb{{0.0F, 0.0F}, {1280.0F, 720.0F}}};
    result.push_back(
        {std::string(technique.name), [&technique, options] { return technique.create(options).value(); }});
    result.push_back(
        {std::string(technique.name) + " by default", [&technique] { return technique.create({}).value(); }});
  }
  return result;
}

std::vector<IndexPair> pairs_by(const Variant& variant, const std::vector<Aabb>& boxes,
                                Statistics* statistics = nullptr) {
  const auto phase = variant.make();
  phase->add(boxes).value();
  auto pairs = sorted_pairs_of(phase->find_pairs());
  if (statistics != nullptr) {
    *statistics = phase->statistics();
  }
  return pairs;
}

std::vector<Aabb> balls(std::size_t n, float width, float height, float largest_side, std::uint64_t seed) {
  Random random(seed);
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i < n; ++i) {
    const float x = random.between(0.0F, width);
    const float y = random.between(0.0F, height);
    const float side = random.between(1.0F, largest_side);
    boxes.push_back(sized(x, y, side, side));
  }
  return boxes;
}

TEST(Checklist, EB1_a_pair_in_several_cells_is_reported_once) {
  const auto boxes = balls(2000, 1280.0F, 720.0F, 30.0F, 91);
  const auto wanted = all_pairs(rects_of(boxes));
  for (const float side : {25.0F, 150.0F}) {
    for (const Variant& variant : with_cells_of(side)) {
      EXPECT_EQ(pairs_by(variant, boxes), wanted) << variant.name << ", cells of " << side;
    }
  }
}

TEST(Checklist, EB2_disjoint_boxes_are_not_tested_again_in_every_shared_cell) {
  // Two L-shaped neighbours: five cells in common, no point.
  const std::vector<Aabb> boxes{sized(10.0F, 10.0F, 700.0F, 60.0F), sized(20.0F, 80.0F, 700.0F, 60.0F)};
  for (const Variant& variant : with_cells_of(150.0F)) {
    Statistics statistics;
    EXPECT_TRUE(pairs_by(variant, boxes, &statistics).empty()) << variant.name;
    EXPECT_LE(statistics.tests, 1U) << variant.name;
  }
}

TEST(Checklist, EB3_touching_pair_on_a_cell_line_is_found) {
  const std::vector<IndexPair> one{{0, 1}};
  const std::vector<Aabb> by_x{sized(140.0F, 0.0F, 10.0F, 10.0F), sized(150.0F, 0.0F, 10.0F, 10.0F)};
  const std::vector<Aabb> by_y{sized(0.0F, 140.0F, 10.0F, 10.0F), sized(0.0F, 150.0F, 10.0F, 10.0F)};
  const std::vector<Aabb> by_corner{sized(140.0F, 140.0F, 10.0F, 10.0F), sized(150.0F, 150.0F, 10.0F, 10.0F)};
  for (const Variant& variant : with_cells_of(150.0F)) {
    EXPECT_EQ(pairs_by(variant, by_x), one) << variant.name;
    EXPECT_EQ(pairs_by(variant, by_y), one) << variant.name;
    EXPECT_EQ(pairs_by(variant, by_corner), one) << variant.name;
  }
  const std::vector<Aabb> far{sized(4040.0F, 0.0F, 10.0F, 10.0F), sized(4050.0F, 0.0F, 10.0F, 10.0F)};
  for (const Variant& variant : with_cells_of(25.0F)) {
    EXPECT_EQ(pairs_by(variant, far), one) << variant.name;
  }
}

TEST(Checklist, EB4_a_body_aligned_with_a_cell_takes_no_extra_row_or_column) {
  const auto cells_of = [](const Aabb& box) {
    const auto grid = HashGrid::create({.cell_size = Vec2{150.0F, 150.0F}}).value();
    grid->add(box).value();
    grid->update();
    return grid->statistics().entries;
  };
  EXPECT_EQ(cells_of(sized(0.0F, 0.0F, 100.0F, 100.0F)), 1U) << "starts on the line";
  EXPECT_EQ(cells_of(sized(150.0F, 0.0F, 100.0F, 100.0F)), 1U);
  EXPECT_EQ(cells_of(sized(-150.0F, -300.0F, 149.0F, 149.0F)), 1U);
  EXPECT_EQ(cells_of(sized(300.0F, 300.0F, 0.0F, 0.0F)), 1U);
  EXPECT_EQ(cells_of(sized(0.0F, 0.0F, 150.0F, 150.0F)), 4U)
      << "reaches the next line, where others may touch it";
}

TEST(Checklist, EB5_infinite_nan_and_negative_sizes_are_refused_and_reported) {
  const float infinity = std::numeric_limits<float>::infinity();
  const struct {
    Aabb box;
    ErrorCode code;
  } cases[] = {{sized(0.0F, 0.0F, infinity, 1.0F), ErrorCode::not_finite},
               {sized(0.0F, std::numeric_limits<float>::quiet_NaN(), 1.0F, 1.0F), ErrorCode::not_finite},
               {sized(0.0F, 0.0F, 100.0F - 6.0F * 20.0F, 100.0F - 6.0F * 20.0F), ErrorCode::inverted_box}};
  for (const auto& [box, code] : cases) {
    for (const Variant& variant : variants()) {
      const auto phase = variant.make();
      ASSERT_TRUE(phase->add(sized(0.0F, 0.0F, 100.0F, 100.0F)).has_value());
      EXPECT_EQ(phase->add(box).error().code, code) << variant.name;
      EXPECT_EQ(phase->move(0, box).error().code, code) << variant.name;
      EXPECT_EQ(phase->size(), 1U) << variant.name;
      EXPECT_EQ(phase->box(0).value(), sized(0.0F, 0.0F, 100.0F, 100.0F)) << variant.name;
    }
    EXPECT_EQ(find_pairs(std::vector{box}).error().code, code);
  }
}

// The part of the row that concerns detection: the cell size was a constant hidden in two files.
TEST(Checklist, EB7_the_cell_size_is_an_option_and_changes_no_answer) {
  const auto boxes = balls(200, 400.0F, 400.0F, 6.0F, 91);
  const auto expected = all_pairs(rects_of(boxes));
  for (const float size : {0.5F, 7.0F, 150.0F, 1.0e6F}) {
    for (const Variant& variant : with_cells_of(size)) {
      EXPECT_EQ(pairs_by(variant, boxes), expected) << variant.name << ' ' << size;
    }
  }
}

TEST(Checklist, EB8_in_a_small_world_no_more_is_tested_than_by_brute_force) {
  const auto boxes = balls(300, 140.0F, 140.0F, 6.0F, 92);
  for (const Variant& variant : with_cells_of(150.0F)) {
    Statistics statistics;
    EXPECT_EQ(pairs_by(variant, boxes, &statistics), all_pairs(rects_of(boxes))) << variant.name;
    EXPECT_LE(statistics.tests, 300U * 299U / 2U) << variant.name << ", everything in one cell";
    EXPECT_LE(statistics.entries, 4U * 300U) << variant.name;
  }
}

// Where a technique chooses its cells: few and many boxes, dense and sparse, of one size and of many, of all
// types.
TEST(Checklist, EB8_RB2_grids_that_measure_the_boxes_do_at_most_the_work_of_brute_force) {
  test::Random random(97);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 1 + random.below(round % 3 == 0 ? 100 : 600);
    const float span = std::exp(random.between(0.0F, 9.0F));
    const float variation = random.between(0.0F, 4.0F);
    std::vector<Aabb> boxes;
    std::vector<BoxKind> kinds;
    for (std::size_t i = 0; i < n; ++i) {
      const float side = std::exp(random.between(0.0F, variation));
      boxes.push_back(sized(random.between(0.0F, span), random.between(0.0F, span), side, side));
      kinds.push_back({round % 2 == 0 ? BodyType::dynamic : test::random_type(random), {}});
    }
    BruteForce brute_force;
    brute_force.add(boxes, kinds).value();
    (void)brute_force.find_pairs();
    for (const std::string_view name : {"uniform-grid", "hash-grid"}) {
      const auto grid = find_technique(name).value()->create({}).value();
      grid->add(boxes, kinds).value();
      (void)grid->find_pairs();
      const Statistics counts = grid->statistics();
      ASSERT_LE(counts.tests + counts.owner_checks + counts.cells_visited, brute_force.statistics().tests)
          << name << ", " << n << " boxes over " << span << ", " << grid->tuning();
    }
  }
}

TEST(Checklist, RB1_a_body_that_starts_outside_the_bounds_is_found) {
  const std::vector<Aabb> boxes{sized(-5.0F, -5.0F, 10.0F, 10.0F),   sized(-3.0F, -3.0F, 10.0F, 10.0F),
                                sized(-500.0F, 50.0F, 10.0F, 10.0F), sized(-495.0F, 55.0F, 10.0F, 10.0F),
                                sized(5000.0F, 9000.0F, 1.0F, 1.0F), sized(5001.0F, 9000.0F, 1.0F, 1.0F)};
  const std::vector<IndexPair> wanted{{0, 1}, {2, 3}, {4, 5}};
  for (const Variant& variant : with_cells_of(20.0F)) {
    EXPECT_EQ(pairs_by(variant, boxes), wanted) << variant.name;
  }
}

TEST(Checklist, RB2_the_worst_case_tests_no_more_than_brute_force) {
  // Everything in one cell, and bodies that are large in many small cells (figure 6 of the article).
  const auto one_cell = balls(1000, 90.0F, 90.0F, 10.0F, 93);
  const auto many_cells = balls(200, 1000.0F, 500.0F, 200.0F, 94);
  for (const Variant& variant : with_cells_of(100.0F)) {
    Statistics statistics;
    EXPECT_EQ(pairs_by(variant, one_cell, &statistics), all_pairs(rects_of(one_cell))) << variant.name;
    EXPECT_LE(statistics.tests, 1000U * 999U / 2U) << variant.name;
  }
  for (const Variant& variant : with_cells_of(5.0F)) {
    Statistics statistics;
    EXPECT_EQ(pairs_by(variant, many_cells, &statistics), all_pairs(rects_of(many_cells))) << variant.name;
    EXPECT_LE(statistics.tests, 200U * 199U / 2U) << variant.name;
    EXPECT_LE(statistics.entries, (1U << 16U) + 200U * 64U) << variant.name;
  }
  BruteForce brute_force;
  brute_force.add(balls(100, 100.0F, 100.0F, 5.0F, 95)).value();
  (void)brute_force.find_pairs();
  EXPECT_EQ(brute_force.statistics().tests, 4950U) << "not 10,000";
}

// Figure 4 of the article: a box whose upper left corner is (20, 50) is in six cells; and its example of a
// point.
TEST(Checklist, N15_boxes_are_in_the_cells_that_the_article_computes) {
  for (const Vec2 min : {Vec2{0, 0}, Vec2{-100, -50}}) {  // figure 5 has an offset
    const auto grid =
        UniformGrid::create({.bounds = Aabb{min, {320, 240}}, .cell_size = Vec2{40, 40}}).value();
    const BoxIndex box = grid->add(sized(20, 50, 80, 50)).value();
    const BoxIndex point = grid->add(sized(46, 237, 0, 0)).value();
    grid->update();
    EXPECT_EQ(grid->cells_of(box).value().size(), 6U);
    const std::vector<Cell> cells = grid->cells_of(point).value();
    ASSERT_EQ(cells.size(), 1U);
    const float column = std::floor((46 - min.x) / 40);
    const float row = std::floor((237 - min.y) / 40);
    EXPECT_EQ(cells[0].bounds.min, min + 40.0F * (Vec2{column, row}));
    EXPECT_EQ(grid->members_of(cells[0]), std::vector<BoxIndex>{point});
  }
}

// Figures 9 and 10 of the article: small cells take few tests and much memory.
TEST(Checklist, R17_smaller_cells_test_fewer_pairs_and_take_more_memory) {
  const auto squares = balls(155, 546.0F, 410.0F, 10.0F, 96);
  const auto wanted = all_pairs(rects_of(squares));
  for (const std::string grid : {"uniform-grid", "hash-grid"}) {
    Statistics coarser;
    coarser.tests = 155 * 154 / 2;
    for (const float size : {200.0F, 50.0F, 14.142136F, 5.0F, 1.0F}) {
      const std::vector<Variant> all = with_cells_of(size);
      Statistics statistics;
      EXPECT_EQ(pairs_by(*std::ranges::find(all, grid, &Variant::name), squares, &statistics), wanted)
          << grid << ", cells of " << size;
      EXPECT_LT(statistics.tests, coarser.tests) << grid << ", cells of " << size;
      EXPECT_GE(statistics.bytes, coarser.bytes) << grid << ", cells of " << size;
      EXPECT_GT(statistics.occupied_cells, coarser.occupied_cells) << grid << ", cells of " << size;
      coarser = statistics;
    }
  }
}

TEST(Checklist, RB3_there_are_never_more_occupied_cells_than_cells) {
  for (const float side : {7.0F, 33.0F, 150.0F}) {
    for (const Variant& variant : with_cells_of(side)) {
      Statistics statistics;
      (void)pairs_by(variant, balls(500, 1280.0F, 720.0F, 40.0F, 96), &statistics);
      EXPECT_LE(statistics.occupied_cells, statistics.cells) << variant.name << ", cells of " << side;
    }
  }
  // 1280 and 720 are not multiples of 33: the cells that stick out count.
  const auto grid =
      UniformGrid::create({.bounds = Aabb{{0.0F, 0.0F}, {1280.0F, 720.0F}}, .cell_size = Vec2{33.0F, 33.0F}})
          .value();
  grid->update();
  EXPECT_EQ(grid->statistics().cells, 39U * 22U);
}

TEST(Checklist, RB4_removing_what_is_not_there_leaves_the_last_one_alone) {
  for (const Variant& variant : variants()) {
    const auto phase = variant.make();
    phase->add(std::vector<Aabb>(3, sized(0.0F, 0.0F, 1.0F, 1.0F))).value();
    EXPECT_EQ(phase->remove(3).error().code, ErrorCode::stale_id) << variant.name;
    EXPECT_EQ(phase->remove(0xFFFFFFFFU).error().code, ErrorCode::stale_id) << variant.name;
    EXPECT_EQ(phase->size(), 3U) << variant.name;
    EXPECT_EQ(phase->find_pairs().size(), 3U) << variant.name;
  }
}

TEST(Checklist, PB1_the_interface_as_documented_runs) {
  for (const Variant& variant : variants()) {
    const std::unique_ptr<BroadPhase> phase = variant.make();
    const BoxIndex wall = phase->add(sized(0.0F, 0.0F, 100.0F, 10.0F), BodyType::static_body).value();
    const BoxIndex ball = phase->add(sized(50.0F, 5.0F, 10.0F, 10.0F)).value();
    std::vector<BoxIndex> hits;
    phase->query_area(sized(40.0F, 0.0F, 15.0F, 15.0F), hits).value();
    EXPECT_EQ(hits, (std::vector<BoxIndex>{wall, ball})) << variant.name;
    EXPECT_EQ(phase->find_pairs().size(), 1U) << variant.name;
    phase->remove(ball).value();
    phase->query_area(sized(40.0F, 0.0F, 15.0F, 15.0F), hits).value();
    EXPECT_EQ(hits, (std::vector<BoxIndex>{wall})) << variant.name;
  }
}

TEST(Checklist, PB2_cells_do_not_alias) {
  const auto grid = HashGrid::create({.cell_size = Vec2{10.0F, 10.0F}}).value();
  // A linear modulo of 24 would map cell (24, 0) to (0, 1), and a modulo per axis to (0, 0).
  for (const Vec2 cell : {Vec2{0.0F, 1.0F}, Vec2{24.0F, 0.0F}, Vec2{0.0F, 0.0F}, Vec2{0.0F, 24.0F},
                          Vec2{24.0F, 24.0F}, Vec2{-24.0F, 0.0F}, Vec2{-1.0F, 0.0F}, Vec2{0.0F, -1.0F}}) {
    ASSERT_TRUE(grid->add(sized(10.0F * cell.x + 1.0F, 10.0F * cell.y + 1.0F, 5.0F, 5.0F)).has_value());
  }
  EXPECT_TRUE(grid->find_pairs().empty());
  EXPECT_EQ(grid->statistics().tests, 0U);
  EXPECT_EQ(grid->statistics().occupied_cells, 8U);
}

TEST(Checklist, PB2_a_body_wider_than_the_grid_is_visited_once) {
  const std::vector<Aabb> boxes{sized(-5000.0F, 100.0F, 10000.0F, 10.0F), sized(300.0F, 100.0F, 5.0F, 5.0F),
                                sized(-4000.0F, 105.0F, 9000.0F, 10.0F)};
  const std::vector<IndexPair> wanted{{0, 1}, {0, 2}, {1, 2}};
  for (const Variant& variant : with_cells_of(50.0F)) {
    EXPECT_EQ(pairs_by(variant, boxes), wanted) << variant.name;
  }
}

TEST(Checklist, PB3_a_huge_box_neither_hangs_nor_takes_the_memory_of_its_area) {
  auto boxes = balls(200, 1280.0F, 720.0F, 20.0F, 97);
  boxes.push_back({{-1.0e7F, -1.0e7F}, {1.0e7F, 0.0F}});
  boxes.push_back({{-most, -most}, {most, most}});
  const auto wanted = all_pairs(rects_of(boxes));
  for (const Variant& variant : with_cells_of(8.0F)) {
    Statistics statistics;
    EXPECT_EQ(pairs_by(variant, boxes, &statistics), wanted) << variant.name;
    EXPECT_LE(statistics.entries, (1U << 16U) + 64U * boxes.size()) << variant.name;
    EXPECT_LT(statistics.bytes, 1U << 20U) << variant.name;
  }
}

TEST(Checklist, PB4_a_removed_body_leaves_no_ghost_where_it_was_entered) {
  for (const Variant& variant : variants()) {
    const auto phase = variant.make();
    const BoxIndex wall = phase->add(sized(0.0F, 0.0F, 30.0F, 30.0F), BodyType::static_body).value();
    const BoxIndex ball = phase->add(sized(10.0F, 10.0F, 5.0F, 5.0F)).value();
    EXPECT_EQ(phase->find_pairs().size(), 1U) << variant.name;
    phase->move(wall, sized(60.0F, 60.0F, 8.0F, 8.0F)).value();
    EXPECT_TRUE(phase->find_pairs().empty()) << variant.name;
    phase->remove(wall).value();
    EXPECT_TRUE(phase->find_pairs().empty()) << variant.name;
    phase->move(ball, sized(60.0F, 60.0F, 5.0F, 5.0F)).value();
    EXPECT_TRUE(phase->find_pairs().empty()) << variant.name;
    std::vector<BoxIndex> hits;
    phase->query_area({{-most, -most}, {most, most}}, hits).value();
    EXPECT_EQ(hits, (std::vector<BoxIndex>{ball})) << variant.name;
    phase->remove(ball).value();
    phase->update();
    EXPECT_TRUE(phase->cells().empty()) << variant.name;
  }
}

TEST(Checklist, PB5_a_query_sees_all_body_types_at_any_time_and_each_once) {
  const Aabb area = sized(0.0F, 0.0F, 64.0F, 64.0F);
  const std::vector<BoxIndex> all{0, 1, 2};
  for (const Variant& variant : variants()) {
    const auto phase = variant.make();
    for (const BodyType type : {BodyType::dynamic, BodyType::static_body, BodyType::kinematic}) {
      ASSERT_TRUE(
          phase->add(sized(2.0F, 2.0F, 50.0F, 50.0F), type).has_value());  // in many cells of the area
    }
    std::vector<BoxIndex> hits;
    phase->query_area(area, hits).value();
    EXPECT_EQ(hits, all) << variant.name << ", before pairing";
    (void)phase->find_pairs();
    phase->query_area(area, hits).value();
    EXPECT_EQ(hits, all) << variant.name << ", after it";
    phase->move(0, sized(3.0F, 3.0F, 50.0F, 50.0F)).value();
    phase->query_area(area, hits).value();
    EXPECT_EQ(hits, all) << variant.name << ", after a change";
  }
}

TEST(Checklist, GB1_a_pair_in_several_cells_is_tested_and_reported_once) {
  const std::vector<Aabb> boxes{sized(1.0F, 1.0F, 70.0F, 70.0F), sized(2.0F, 2.0F, 70.0F, 70.0F)};
  for (const Variant& variant : with_cells_of(20.0F)) {
    Statistics statistics;
    EXPECT_EQ(pairs_by(variant, boxes, &statistics), (std::vector<IndexPair>{{0, 1}})) << variant.name;
    EXPECT_EQ(statistics.tests, 1U) << variant.name << ", in 16 shared cells";
  }
}

TEST(Checklist, GB2_pairs_are_found_where_boxes_are_now) {
  for (const Variant& variant : variants()) {
    const auto phase = variant.make();
    const BoxIndex a = phase->add(sized(0.0F, 0.0F, 4.0F, 4.0F)).value();
    const BoxIndex b = phase->add(sized(90.0F, 40.0F, 4.0F, 4.0F)).value();
    EXPECT_TRUE(phase->find_pairs().empty()) << variant.name;
    phase->move(a, sized(50.0F, 20.0F, 4.0F, 4.0F)).value();
    phase->move(b, sized(53.0F, 23.0F, 4.0F, 4.0F)).value();
    EXPECT_EQ(phase->find_pairs().size(), 1U) << variant.name;
    phase->move(b, sized(0.0F, 0.0F, 4.0F, 4.0F)).value();
    EXPECT_TRUE(phase->find_pairs().empty()) << variant.name;
  }
}

TEST(Checklist, GB3_the_pool_of_entries_grows_with_them) {
  // A thousand circles of the demo's sizes take more than 4 entries each on average, its fixed pool.
  const auto boxes = balls(1000, 1280.0F, 720.0F, 60.0F, 98);
  const auto wanted = all_pairs(rects_of(boxes));
  bool grown = false;
  for (const Variant& variant : with_cells_of(20.0F)) {
    Statistics statistics;
    EXPECT_EQ(pairs_by(variant, boxes, &statistics), wanted) << variant.name;
    grown = grown || statistics.entries > 4000;
  }
  EXPECT_TRUE(grown);
}

}  // namespace
}  // namespace broadside::test::checklist_test
