// Every layout of rows must answer like every other one: rows along x and y, one row for all, many levels,
// and knots. Families of scenes of which each needs another layout are compared with brute force.

#include "broad_phase/row_planner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "boxes.hpp"
#include "broad_phase/cost_scenes.hpp"
#include "broad_phase/row_index.hpp"
#include "model.hpp"
#include "oracle.hpp"

namespace broadside::detail::row_layout_test {
namespace {

using test::all_of;
using test::CostScene;
using test::Random;

class Layouts : public testing::TestWithParam<CostScene> {
 protected:
  static std::vector<Aabb> draw(std::size_t n, Random& random) { return all_of(GetParam().make(n, random)); }
  static Vec2 near(std::span<const Aabb> boxes, Random& random) {
    const Aabb& box = boxes[random.below(static_cast<std::uint32_t>(boxes.size()))];
    return box.min + Vec2{random.between(-2.0F, 2.0F), random.between(-2.0F, 2.0F)};
  }
};

INSTANTIATE_TEST_SUITE_P(Scenes, Layouts,
                         testing::ValuesIn(test::cost_scenes().begin(), test::cost_scenes().end()),
                         [](const auto& family) { return std::string(family.param.name); });

std::vector<test::IndexPair> sorted(const PairBuffer& pairs) {
  std::vector<test::IndexPair> found;
  for (const Pair& pair : pairs.pairs()) {
    found.emplace_back(pair.a, pair.b);
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST_P(Layouts, find_the_pairs_of_one_set) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Random random(5000 + seed);
    const auto boxes = draw(60 + random.below(1500), random);
    RowIndex index;
    PairWorkers workers;
    PairBuffer pairs;
    index.build({boxes}, workers);
    index.find_pairs(pairs, workers);
    ASSERT_EQ(sorted(pairs), test::all_pairs(test::rects_of(boxes))) << seed;
  }
}

// The layouts of the two sets differ: a turned set is one of the other axis.
TEST_P(Layouts, find_the_pairs_of_two_sets) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Random random(5100 + seed);
    const auto left = draw(60 + random.below(700), random);
    auto all = left;
    for (const Aabb& box : draw(60 + random.below(700), random)) {
      all.push_back(transposed(box));
    }
    const std::span<const Aabb> right(all.begin() + static_cast<std::ptrdiff_t>(left.size()), all.end());
    std::vector<BoxIndex> names(right.size());
    std::iota(names.begin(), names.end(), static_cast<BoxIndex>(left.size()));
    const auto expected =
        test::pairs_between(test::rects_of(left), test::rects_of({right.begin(), right.end()}));
    RowIndex one;
    RowIndex other;
    PairWorkers workers;
    one.build({left}, workers);
    other.build({all, names}, workers);
    PairBuffer pairs;
    find_pairs_between(one, other, pairs, workers);
    auto found = sorted(pairs);
    for (auto& [a, b] : found) {
      b -= static_cast<BoxIndex>(left.size());
    }
    ASSERT_EQ(found, expected) << seed;
    PairBuffer searched;
    other.find_pairs_with(one, searched, workers);
    found = sorted(searched);
    for (auto& [a, b] : found) {
      b -= static_cast<BoxIndex>(left.size());
    }
    ASSERT_EQ(found, expected) << seed;
  }
}

TEST_P(Layouts, find_what_an_area_overlaps_and_a_path_meets) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Random random(5200 + seed);
    const auto boxes = draw(60 + random.below(700), random);
    RowIndex index;
    Workers workers;
    index.build({boxes}, workers);
    for (int question = 0; question < 40; ++question) {
      const Vec2 from = near(boxes, random);
      const Vec2 to = near(boxes, random);
      const Aabb area{{std::min(from.x, to.x), std::min(from.y, to.y)},
                      {std::max(from.x, to.x), std::max(from.y, to.y)}};
      std::vector<BoxIndex> found;
      index.find_in(area, found);
      std::sort(found.begin(), found.end());
      std::vector<BoxIndex> expected;
      for (BoxIndex i = 0; i < boxes.size(); ++i) {
        if (overlaps(boxes[i], area)) {
          expected.push_back(i);
        }
      }
      ASSERT_EQ(found, expected) << seed;
      const SweptBox path({from, from + Vec2{1.0F, 0.5F}}, to - from);
      std::vector<BoxIndex> near_path;
      index.find_along(path, 0.0, 1.0, near_path);
      const std::set<BoxIndex> met(near_path.begin(), near_path.end());
      ASSERT_EQ(met.size(), near_path.size()) << "a box is found twice";
      for (BoxIndex i = 0; i < boxes.size(); ++i) {
        ASSERT_TRUE(path.entry(boxes[i]) > 1.0 || met.contains(i)) << seed << ", box " << i;
      }
    }
  }
}

// Cells are drawn in the coordinates of the boxes, whatever the direction of the rows.
TEST_P(Layouts, have_cells_that_overlap_their_boxes) {
  Random random(5300);
  const auto boxes = draw(400, random);
  RowIndex index;
  Workers workers;
  index.build({boxes}, workers);
  std::vector<bool> seen(boxes.size());
  index.visit_cells([&](const Cell& cell, std::span<const BoxIndex> members) {
    const Vec2 margin = 1e-3F * (cell.bounds.max - cell.bounds.min) + Vec2{1e-3F, 1e-3F};
    for (const BoxIndex member : members) {
      seen[member] = true;
      EXPECT_TRUE(overlaps({cell.bounds.min - margin, cell.bounds.max + margin}, boxes[member]));
    }
  });
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](bool one) { return one; }));
}

// Otherwise the tests above would compare one layout with itself.
TEST(LayoutsOfAllScenes, are_of_all_kinds) {
  std::set<bool> transposed_rows;
  std::set<bool> one_row;
  std::set<std::size_t> levels;
  for (const CostScene& scene : test::cost_scenes()) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      Random random(5000 + seed);
      const auto boxes = all_of(scene.make(60 + random.below(1500), random));
      RowIndex index;
      Workers workers;
      index.build({boxes}, workers);
      transposed_rows.insert(index.is_transposed());
      one_row.insert(index.occupied_rows() == index.levels());
      levels.insert(index.levels());
    }
  }
  EXPECT_EQ(transposed_rows.size(), 2U);
  EXPECT_EQ(one_row.size(), 2U);
  EXPECT_GT(levels.size(), 4U);
}

}  // namespace
}  // namespace broadside::detail::row_layout_test
