// What the trees cost. The conformance and differential suites test their answers.

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broad_phase/cost_scenes.hpp"
#include "broadside/broad_phase/techniques.hpp"

namespace broadside::trees_for_comparison_test {
namespace {

using Tree = testing::TestWithParam<std::string_view>;

std::unique_ptr<BroadPhase> tree_of(std::string_view name, std::span<const Aabb> boxes) {
  auto tree = find_technique(name).value()->create({}).value();
  tree->add(boxes).value();
  return tree;
}

/// n squares with a side of 1 that touch nothing.
std::vector<Aabb> row_of(std::size_t n) {
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i < n; ++i) {
    const float x = 3.0F * static_cast<float>(i);
    boxes.push_back({{x, 0.0F}, {x + 1.0F, 1.0F}});
  }
  return boxes;
}

INSTANTIATE_TEST_SUITE_P(ForComparison, Tree, testing::Values("quadtree", "kd-tree", "dynamic-tree"),
                         [](const auto& test) {
                           return test.param.substr(0, 2) == "kd"
                                      ? std::string("kd_tree")
                                      : std::string(test.param.substr(0, test.param.find('-')));
                         });

// In order, from the back, and shuffled: a tree that does not keep its balance takes O(n^2).
TEST_P(Tree, visits_a_logarithmic_number_of_nodes_in_any_order) {
  for (const std::size_t n : {100U, 1000U, 10'000U}) {
    for (int order = 0; order < 3; ++order) {
      auto boxes = row_of(n);
      if (order == 1) {
        std::ranges::reverse(boxes);
      } else if (order == 2) {
        test::Random random(n);
        test::shuffle(boxes, random);
      }
      const auto tree = tree_of(GetParam(), boxes);
      EXPECT_TRUE(tree->find_pairs().empty());
      const double per_box = static_cast<double>(tree->statistics().cells_visited) / static_cast<double>(n);
      EXPECT_LE(per_box, 6.0 * std::log2(n)) << n << " boxes, order " << order;
    }
  }
}

// Squares on a grid that touch nothing: a tree that is not divided tests each two.
TEST_P(Tree, tests_few_of_the_pairs_in_any_order) {
  test::Random random(8);
  for (const std::size_t side : {8U, 16U, 32U}) {
    const std::size_t n = side * side;
    std::vector<Aabb> boxes;
    for (std::size_t i = 0; i < n; ++i) {
      const float x = 3.0F * static_cast<float>(i % side);
      const float y = 3.0F * static_cast<float>(i / side);
      boxes.push_back({{x, y}, {x + 1.0F, y + 1.0F}});
    }
    for (int order = 0; order < 3; ++order) {
      const auto tree = tree_of(GetParam(), boxes);
      EXPECT_TRUE(tree->find_pairs().empty());
      EXPECT_LE(tree->statistics().tests, 2 * n * side) << n << " boxes, order " << order;
      test::shuffle(boxes, random);
    }
  }
}

TEST_P(Tree, finds_all_pairs_of_equal_boxes) {
  for (std::size_t n = 0; n < 100; ++n) {
    const auto tree = tree_of(GetParam(), std::vector<Aabb>(n, {{1.0F, 2.0F}, {3.0F, 4.0F}}));
    ASSERT_EQ(tree->find_pairs().size(), n * (n - (n > 0 ? 1 : 0)) / 2);
  }
}

// A tree that puts each box below the one before becomes a list, and overflows the stack.
TEST_P(Tree, holds_very_many_equal_boxes) {
  for (const Aabb& box : {Aabb{}, Aabb{{1.0F, 2.0F}, {3.0F, 4.0F}}}) {
    const auto tree = find_technique(GetParam()).value()->create({}).value();
    tree->add(std::vector<Aabb>(100'000, box), BodyType::static_body).value();
    tree->add(box).value();
    EXPECT_EQ(tree->find_pairs().size(), 100'000U);
  }
}

TEST_P(Tree, takes_memory_in_proportion_to_the_boxes) {
  for (const test::BoxMaker& maker : test::box_makers()) {
    test::Random random(5);
    const auto boxes = maker.make(1000, random);
    const auto tree = tree_of(GetParam(), boxes);
    (void)tree->find_pairs();
    EXPECT_LE(tree->statistics().bytes, 600 * boxes.size() + 1000) << maker.name;
  }
}

TEST_P(Tree, shows_each_box_in_a_node_that_encloses_it) {
  const auto boxes = test::make_boxes("mixed_sizes", 300, 6);
  const auto tree = tree_of(GetParam(), boxes);
  tree->update();
  for (BoxIndex index = 0; index < boxes.size(); ++index) {
    const auto cells = tree->cells_of(index).value();
    ASSERT_EQ(cells.size(), 1U) << index;
    EXPECT_TRUE(encloses(cells[0].bounds, boxes[index])) << index;
  }
}

TEST(DynamicTree, has_a_leaf_for_each_box_and_a_node_for_each_two_parts) {
  for (const std::size_t n : {0U, 1U, 2U, 77U}) {
    const auto tree = tree_of("dynamic-tree", row_of(n));
    tree->update();
    EXPECT_EQ(tree->statistics().occupied_cells, n);
    EXPECT_EQ(tree->statistics().cells, n == 0 ? 0 : 2 * n - 1);
  }
}

TEST(DynamicTree, inserts_a_box_again_only_when_it_leaves_its_leaf) {
  const auto tree = tree_of("dynamic-tree", row_of(100));
  const auto leaf = tree->cells_of(7).value()[0].bounds;
  EXPECT_FLOAT_EQ(leaf.min.x, 20.8F) << "21, less a tenth of width and height";
  tree->move(7, Aabb{{20.9F, 0.1F}, {21.9F, 1.1F}}).value();
  EXPECT_EQ(tree->cells_of(7).value()[0].bounds, leaf);
  const Aabb outside{{20.7F, 0.0F}, {21.7F, 1.0F}};
  tree->move(7, outside).value();
  EXPECT_NE(tree->cells_of(7).value()[0].bounds, leaf);
  EXPECT_TRUE(encloses(tree->cells_of(7).value()[0].bounds, outside));
}

}  // namespace
}  // namespace broadside::trees_for_comparison_test
