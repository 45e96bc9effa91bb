#include "broadside/broad_phase/brute_force.hpp"

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "model.hpp"

namespace broadside::brute_force_test {
namespace {

TEST(BruteForce, tests_each_pair_of_dynamic_boxes_once) {
  for (const std::size_t n : {0U, 1U, 2U, 3U, 50U, 101U}) {
    BruteForce phase;
    test::Model model;
    test::fill(phase, model, test::make_boxes("scattered", n, 5));
    EXPECT_TRUE(test::agrees(phase, model));
    EXPECT_EQ(phase.statistics().tests, n * (n - (n > 0 ? 1 : 0)) / 2) << n;
  }
}

TEST(BruteForce, tests_each_dynamic_box_against_each_other_body) {
  BruteForce phase;
  const auto boxes = test::make_boxes("scattered", 30, 5);
  const std::span all(boxes);
  ASSERT_TRUE(phase.add(all.subspan(0, 8), BodyType::static_body).has_value());
  ASSERT_TRUE(phase.add(all.subspan(8, 5)).has_value());
  ASSERT_TRUE(phase.add(all.subspan(13), BodyType::kinematic).has_value());
  (void)phase.find_pairs();
  EXPECT_EQ(phase.statistics().tests, 5U * 4U / 2U + 5U * 25U);
}

TEST(BruteForce, tests_nothing_without_dynamic_boxes) {
  BruteForce phase;
  ASSERT_TRUE(phase.add(test::make_boxes("all_the_same", 10, 5), BodyType::static_body).has_value());
  ASSERT_TRUE(phase.add(test::make_boxes("all_the_same", 10, 5), BodyType::kinematic).has_value());
  EXPECT_TRUE(phase.find_pairs().empty());
  EXPECT_EQ(phase.statistics().tests, 0U);
}

TEST(BruteForce, counts_the_last_call_alone) {
  BruteForce phase;
  ASSERT_TRUE(phase.add(test::make_boxes("all_the_same", 10, 5)).has_value());
  (void)phase.find_pairs();
  (void)phase.find_pairs();
  EXPECT_EQ(phase.statistics().tests, 45U);
  EXPECT_EQ(phase.statistics().hits, 45U);
  EXPECT_EQ(phase.statistics().false_positives(), 0U);
}

TEST(BruteForce, has_no_cells) {
  BruteForce phase;
  ASSERT_TRUE(phase.add(test::make_boxes("scattered", 10, 5)).has_value());
  (void)phase.find_pairs();
  EXPECT_TRUE(phase.cells().empty());
  EXPECT_EQ(phase.statistics().cells, 0U);
  EXPECT_EQ(phase.statistics().occupied_cells, 0U);
}

}  // namespace
}  // namespace broadside::brute_force_test
