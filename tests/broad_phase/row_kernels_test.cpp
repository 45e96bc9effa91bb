// Each instruction set of this machine, one after the other, compared with the first: same pairs, same order.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "boxes.hpp"
#include "broad_phase/row_kernels.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "instruction_sets.hpp"
#include "model.hpp"
#include "oracle.hpp"

namespace broadside::row_kernels_test {
namespace {

TEST(InstructionSets, there_is_more_than_one_to_compare) {
  EXPECT_GE(test::instruction_sets().size(), 1U);
  for (const std::int64_t target : test::instruction_sets()) {
    std::printf("instruction set: %s\n", test::name_of_instruction_set(target));
  }
}

// One range at a time, as threads call it: boxes outside of the range belong to another thread.
TEST(InstructionSets, write_only_the_sides_of_the_boxes_in_the_range) {
  constexpr float untouched = -12345.0F;
  test::Random random(1);
  for (const std::int64_t target : test::instruction_sets()) {
    const test::ForcedInstructionSet forced(target);
    for (int repeat = 0; repeat < 200; ++repeat) {
      const std::size_t n = 1 + random.below(70);
      const auto boxes = test::box_makers().front().make(n, random);
      std::vector<std::uint32_t> order(n);
      std::iota(order.begin(), order.end(), 0U);
      test::shuffle(order, random);
      const std::size_t begin = random.below(static_cast<std::uint32_t>(n));
      const std::size_t end = begin + random.below(static_cast<std::uint32_t>(n - begin + 1));
      std::array<std::vector<float>, 4> sides;
      sides.fill(std::vector<float>(n + 1, untouched));
      detail::write_sides(boxes.data(), order.data(), begin, end,
                          {.min_x = sides[0].data(),
                           .max_x = sides[1].data(),
                           .min_y = sides[2].data(),
                           .max_y = sides[3].data()});
      for (std::size_t i = 0; i <= n; ++i) {
        const std::array<float, 4> written{sides[0][i], sides[1][i], sides[2][i], sides[3][i]};
        std::array<float, 4> expected{untouched, untouched, untouched, untouched};
        if (begin <= i && i < end) {
          const Aabb& box = boxes[order[i]];
          expected = {box.min.x, box.max.x, box.min.y, box.max.y};
        }
        ASSERT_EQ(written, expected) << i << " of " << begin << " to " << end;
      }
    }
  }
}

TEST(InstructionSets, all_find_the_same_pairs_in_the_same_order) {
  for (const test::BoxMaker& maker : test::box_makers()) {
    for (const std::size_t n : {0U, 1U, 5U, 17U, 70U, 700U}) {
      test::Random random(n + 1);
      const auto boxes = maker.make(n, random);
      const auto others = maker.make(n / 2, random);
      std::vector<Pair> first;
      std::vector<Pair> first_between;
      for (const std::int64_t target : test::instruction_sets()) {
        const test::ForcedInstructionSet forced(target);
        const auto pairs = find_pairs(boxes).value();
        const auto between = find_pairs(boxes, others).value();
        if (target == test::instruction_sets().front()) {
          first = pairs;
          first_between = between;
          EXPECT_EQ(pairs.size(), test::all_pairs(test::rects_of(boxes)).size()) << maker.name;
        }
        EXPECT_EQ(pairs, first) << maker.name << ' ' << n << ' ' << test::name_of_instruction_set(target);
        EXPECT_EQ(between, first_between)
            << maker.name << ' ' << n << ' ' << test::name_of_instruction_set(target);
      }
    }
  }
}

// Consecutive indices are moved in bulk; a single index that is not consecutive must be detected in any lane
// of a vector, and in the remainder.
TEST(InstructionSets, all_move_the_boxes_that_are_named) {
  constexpr std::size_t n = 70;
  const auto boxes = test::make_boxes("scattered", n + 1, 5);
  for (const std::int64_t target : test::instruction_sets()) {
    const test::ForcedInstructionSet forced(target);
    for (std::size_t count = 1; count <= n; count += 1 + count / 9) {
      for (std::size_t odd = 0; odd <= count; ++odd) {
        HierarchicalGrid grid;
        std::vector<BoxIndex> indices = grid.add(std::vector<Aabb>(n + 1)).value();
        indices.resize(count);
        if (odd < count) {
          indices[odd] = static_cast<BoxIndex>(n);
        }
        ASSERT_TRUE(grid.move(indices, std::span(boxes).first(count)).has_value());
        for (std::size_t i = 0; i < count; ++i) {
          ASSERT_EQ(grid.box_of(indices[i]), boxes[i]) << count << ' ' << odd << ' ' << i;
        }
        ASSERT_EQ(grid.box_of(static_cast<BoxIndex>(odd < count ? odd : n)), Aabb{});
      }
    }
  }
}

TEST(InstructionSets, all_agree_with_the_model_while_boxes_come_and_go) {
  for (const std::int64_t target : test::instruction_sets()) {
    const test::ForcedInstructionSet forced(target);
    HierarchicalGrid grid;
    test::Model model;
    test::fill(grid, model, test::make_boxes("mixed_sizes", 300, 3));
    EXPECT_TRUE(test::agrees(grid, model)) << test::name_of_instruction_set(target);
  }
}

}  // namespace
}  // namespace broadside::row_kernels_test
