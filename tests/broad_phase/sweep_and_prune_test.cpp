#include "broadside/broad_phase/sweep_and_prune.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "model.hpp"

namespace broadside::sweep_and_prune_test {
namespace {

Aabb square(float x, float y, float side) {
  return {{x, y}, {x + side, y + side}};
}

/// A column or a row of boxes with gaps between them, so that the sweep along it tests nothing.
std::vector<Aabb> line_of_boxes(std::size_t n, bool vertical, float x = 0.0F, float y = 0.0F) {
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i < n; ++i) {
    const float along = 2.0F * static_cast<float>(i);
    boxes.push_back(vertical ? square(x, y + along, 1.0F) : square(x + along, y, 1.0F));
  }
  return boxes;
}

std::uint64_t tests_on(const std::vector<Aabb>& boxes) {
  SweepAndPrune phase;
  EXPECT_TRUE(phase.add(boxes).has_value());
  EXPECT_TRUE(phase.find_pairs().empty());
  return phase.statistics().tests;
}

TEST(SweepAndPrune, sweeps_along_the_axis_of_the_larger_spread) {
  EXPECT_EQ(tests_on(line_of_boxes(40, false)), 0U);
  EXPECT_EQ(tests_on(line_of_boxes(40, true)), 0U);
}

TEST(SweepAndPrune, measures_the_spread_far_from_the_origin_as_near_it) {
  EXPECT_EQ(tests_on(line_of_boxes(40, false, 3.0F, 4.0e6F)), 0U);
  EXPECT_EQ(tests_on(line_of_boxes(40, true, 4.0e6F, 3.0F)), 0U);
}

TEST(SweepAndPrune, changes_the_axis_when_the_scene_does) {
  SweepAndPrune phase;
  const auto indices = phase.add(line_of_boxes(40, false)).value();
  (void)phase.find_pairs();
  for (const bool vertical : {true, false, true}) {
    ASSERT_TRUE(phase.move(indices, line_of_boxes(40, vertical)).has_value());
    EXPECT_TRUE(phase.find_pairs().empty());
    EXPECT_EQ(phase.statistics().tests, 0U) << (vertical ? "vertical" : "horizontal");
  }
}

// A lattice of 8 x 9: its spreads differ too little to justify a full sort.
TEST(SweepAndPrune, keeps_the_axis_while_the_other_is_hardly_better) {
  const auto lattice = [](int columns, int rows) {
    std::vector<Aabb> boxes;
    for (int i = 0; i < columns * rows; ++i) {
      boxes.push_back(
          square(2.0F * static_cast<float>(i % columns), 2.0F * static_cast<float>(i / columns), 1.0F));
    }
    return boxes;
  };
  // Swept along x, boxes of one column are tested against each other; along y, those of one row.
  const auto tests_after = [&](const std::vector<Aabb>& before) {
    SweepAndPrune phase;
    const auto indices = phase.add(before).value();
    (void)phase.find_pairs();
    EXPECT_TRUE(phase.move(indices, lattice(8, 9)).has_value());
    EXPECT_TRUE(phase.find_pairs().empty());
    return phase.statistics().tests;
  };
  EXPECT_EQ(tests_after(line_of_boxes(72, false)), 8U * (9U * 8U / 2U)) << "still along x";
  EXPECT_EQ(tests_after(line_of_boxes(72, true)), 9U * (8U * 7U / 2U)) << "still along y";
}

TEST(SweepAndPrune, tests_what_overlaps_or_touches_on_the_axis) {
  SweepAndPrune phase;
  ASSERT_TRUE(phase.add(Aabb{{0.0F, 0.0F}, {1.0F, 1.0F}}).has_value());
  ASSERT_TRUE(phase.add(Aabb{{1.0F, 5.0F}, {2.0F, 6.0F}}).has_value());
  ASSERT_TRUE(phase.add(Aabb{{100.0F, 0.0F}, {101.0F, 1.0F}}).has_value());
  EXPECT_TRUE(phase.find_pairs().empty());
  EXPECT_EQ(phase.statistics().tests, 1U);
}

TEST(SweepAndPrune, does_not_test_boxes_whose_types_cannot_touch) {
  SweepAndPrune phase;
  ASSERT_TRUE(phase.add(test::make_boxes("all_the_same", 20, 1), BodyType::static_body).has_value());
  ASSERT_TRUE(phase.add(test::make_boxes("all_the_same", 20, 1), BodyType::kinematic).has_value());
  EXPECT_TRUE(phase.find_pairs().empty());
  EXPECT_EQ(phase.statistics().tests, 0U);
}

// Small motion is repaired by insertion sort; a reversal exceeds its limit and takes a full sort. Both must
// end in the same order.
TEST(SweepAndPrune, agrees_after_small_and_after_large_changes_of_order) {
  SweepAndPrune phase;
  test::Model model;
  auto boxes = test::make_boxes("scattered", 300, 31);
  test::fill(phase, model, boxes);
  ASSERT_TRUE(test::agrees(phase, model));
  const auto move_all = [&] {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const auto index = static_cast<BoxIndex>(i);
      ASSERT_TRUE(phase.move(index, boxes[i]).has_value());
      model.move(index, boxes[i]);
    }
  };
  test::Random random(32);
  for (int frame = 0; frame < 5; ++frame) {
    for (Aabb& box : boxes) {
      const Vec2 shift{random.between(-0.5F, 0.5F), 0.25F};
      box = {box.min + shift, box.max + shift};
    }
    move_all();
    ASSERT_TRUE(test::agrees(phase, model)) << "small, frame " << frame;
  }
  for (int frame = 0; frame < 3; ++frame) {
    for (Aabb& box : boxes) {
      box = {{100.0F - box.max.x, box.min.y}, {100.0F - box.min.x, box.max.y}};
    }
    move_all();
    ASSERT_TRUE(test::agrees(phase, model)) << "mirrored, frame " << frame;
  }
}

TEST(SweepAndPrune, a_removed_box_is_gone_even_when_its_index_is_reused) {
  SweepAndPrune phase;
  test::Model model;
  test::fill(phase, model, line_of_boxes(5, false));
  (void)phase.find_pairs();
  ASSERT_TRUE(phase.remove(2).has_value());
  model.remove(2);
  const Aabb across{{0.0F, 0.0F}, {8.0F, 1.0F}};
  model.add(phase.add(across).value(), across, BodyType::dynamic);
  EXPECT_TRUE(test::agrees(phase, model));
  EXPECT_EQ(phase.find_pairs().size(), 4U);
}

TEST(SweepAndPrune, a_box_may_be_removed_before_it_was_ever_sorted_in) {
  SweepAndPrune phase;
  ASSERT_TRUE(phase.add(square(0.0F, 0.0F, 1.0F)).has_value());
  ASSERT_TRUE(phase.add(square(0.0F, 0.0F, 1.0F)).has_value());
  ASSERT_TRUE(phase.add(square(0.0F, 0.0F, 1.0F)).has_value());
  ASSERT_TRUE(phase.remove(1).has_value());
  EXPECT_EQ(test::sorted_pairs_of(phase.find_pairs()), (std::vector<test::IndexPair>{{0, 2}}));
}

TEST(SweepAndPrune, counts_one_entry_a_box) {
  SweepAndPrune phase;
  ASSERT_TRUE(phase.add(line_of_boxes(10, false)).has_value());
  (void)phase.find_pairs();
  EXPECT_EQ(phase.statistics().entries, 10U);
  ASSERT_TRUE(phase.remove(4).has_value());
  (void)phase.find_pairs();
  EXPECT_EQ(phase.statistics().entries, 9U);
  EXPECT_TRUE(phase.cells().empty());
}

}  // namespace
}  // namespace broadside::sweep_and_prune_test
