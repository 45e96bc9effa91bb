// Tests the oracle: its two algorithms must agree, and both must agree with pairs found by hand.

#include "oracle.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "model.hpp"

namespace broadside::test::oracle_test {
namespace {

TEST(Oracle, touching_is_not_disjoint) {
  const Rect a{0.0, 0.0, 1.0, 1.0};
  EXPECT_FALSE(disjoint(a, {1.0, 1.0, 2.0, 2.0}));
  EXPECT_FALSE(disjoint(a, {-1.0, -1.0, 0.0, 0.0}));
  EXPECT_FALSE(disjoint(a, {-1.0, -1.0, 2.0, 2.0}));
  EXPECT_TRUE(disjoint(a, {1.1, 0.0, 2.0, 1.0}));
  EXPECT_TRUE(disjoint(a, {-2.0, 0.0, -0.1, 1.0}));
  EXPECT_TRUE(disjoint(a, {0.0, 1.1, 1.0, 2.0}));
  EXPECT_TRUE(disjoint(a, {0.0, -2.0, 1.0, -0.1}));
}

TEST(Oracle, finds_the_pairs_found_by_hand) {
  const std::vector<Rect> rects{{0.0, 0.0, 2.0, 2.0},
                                {1.0, 1.0, 3.0, 3.0, false},
                                {3.0, 3.0, 4.0, 4.0, false},
                                {2.0, 0.0, 3.0, 1.0},
                                {9.0, 9.0, 9.0, 9.0}};
  const std::vector<IndexPair> pairs{{0, 1}, {0, 3}, {1, 3}};
  EXPECT_EQ(all_pairs_by_looking(rects), pairs);
  EXPECT_EQ(all_pairs_by_sweeping(rects), pairs);
  EXPECT_EQ(all_in(rects, {3.0, 3.0, 9.0, 9.0}), (std::vector<std::uint32_t>{1, 2, 4}));
  EXPECT_EQ(pairs_between(rects, std::vector<Rect>{{4.0, 4.0, 9.0, 9.0}}),
            (std::vector<IndexPair>{{2, 0}, {4, 0}}));
}

TEST(Oracle, both_ways_agree_on_all_kinds_of_boxes) {
  for (const BoxMaker& maker : box_makers()) {
    Random random(17);
    std::vector<Rect> rects;
    for (const Aabb& box : maker.make(300, random)) {
      rects.push_back(rect_of(box, random_type(random)));
    }
    EXPECT_EQ(all_pairs_by_looking(rects), all_pairs_by_sweeping(rects)) << maker.name;
  }
}

// Boxes that never overlap, or always do, would make every comparison on them an easy one.
TEST(Oracle, kinds_of_boxes_have_pairs_and_gaps) {
  for (const BoxMaker& maker : box_makers()) {
    Random random(18);
    const auto boxes = maker.make(200, random);
    if (boxes.size() < 2 || maker.name == "all_the_same") {
      continue;
    }
    const std::size_t found = all_pairs(rects_of(boxes)).size();
    EXPECT_GE(found, 20U) << maker.name;
    EXPECT_LT(found, 200U * 199U / 2U) << maker.name;
  }
}

}  // namespace
}  // namespace broadside::test::oracle_test
