// Layers, masks, groups, interest: every technique finds the same pairs, and does not test filtered ones.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/base/filter.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "model.hpp"
#include "variants.hpp"

namespace broadside::filter_test {
namespace {

TEST(Filter, lets_everything_through_by_default) {
  EXPECT_TRUE(may_touch(Filter{}, Filter{}));
}

TEST(Filter, needs_both_masks) {
  const Filter ghost{.layer = 2, .mask = 2};
  const Filter wall{.layer = 4, .mask = 2 | 4};
  EXPECT_FALSE(may_touch(ghost, wall));
  EXPECT_FALSE(may_touch(wall, ghost));
  EXPECT_TRUE(may_touch(ghost, ghost));
  EXPECT_TRUE(may_touch(wall, wall));
  const Filter high{.layer = std::uint64_t{1} << 63U, .mask = std::uint64_t{1} << 63U};
  EXPECT_TRUE(may_touch(high, high));
  EXPECT_FALSE(may_touch(high, wall));
}

TEST(Filter, a_group_overrules_the_masks) {
  const Filter never{.group = -3};
  const Filter always{.layer = 1, .mask = 0, .group = 3};
  EXPECT_FALSE(may_touch(never, never));
  EXPECT_TRUE(may_touch(never, Filter{.group = -4}));
  EXPECT_TRUE(may_touch(always, always));
  EXPECT_FALSE(may_touch(always, Filter{}));
}

TEST(Filter, one_interested_side_is_enough_but_needed) {
  const Filter deaf{.layer = 1, .wants = 0};
  const Filter curious{.layer = 2, .wants = 1};
  EXPECT_FALSE(may_touch(deaf, deaf));
  EXPECT_TRUE(may_touch(deaf, curious));
  EXPECT_TRUE(may_touch(curious, deaf));
  EXPECT_FALSE(may_touch(curious, curious));
  EXPECT_FALSE(may_touch(Filter{.wants = 0, .group = 1}, Filter{.wants = 0, .group = 1}));
}

Filter random_filter(test::Random& random, std::uint32_t kinds) {
  const std::uint32_t kind = random.below(kinds);
  if (kind < 4) {
    return Filter{.layer = std::uint64_t{1} << kind, .mask = 0b1011U << kind, .wants = kind == 2 ? 0U : ~0U};
  }
  return Filter{.layer = std::uint64_t{1} << (kind % 64), .group = static_cast<std::int32_t>(kind) - 20};
}

class Filters : public testing::TestWithParam<test::Variant> {};

INSTANTIATE_TEST_SUITE_P(BroadPhase, Filters, testing::ValuesIn(test::variants()), test::variant_name);

/// Holds boxes with filters, and the pairs that are expected of them.
class Filtered {
 public:
  explicit Filtered(BroadPhase& phase) : phase_(phase) {}

  void add(const Aabb& box, BodyType type, const Filter& filter) {
    const BoxIndex index = phase_.add(box, type, filter).value();
    model_.add(index, box, type);
    filters_[index] = filter;
  }
  void set(BoxIndex index, const Filter& filter) {
    ASSERT_TRUE(phase_.set_filter(index, filter).has_value());
    ASSERT_EQ(phase_.filter(index).value(), filter);
    filters_[index] = filter;
  }
  void remove(BoxIndex index) {
    ASSERT_TRUE(phase_.remove(index).has_value());
    model_.remove(index);
  }
  void jog() {
    for (const auto& [index, body] : model_.bodies()) {
      if (body.type != BodyType::static_body) {
        Aabb box = body.box;
        box.max.x += 0.01F * (box.max.x - box.min.x);
        ASSERT_TRUE(phase_.move(index, box).has_value());
        moved_.emplace_back(index, box);
      }
    }
    for (const auto& [index, box] : moved_) {
      model_.move(index, box);
    }
    moved_.clear();
  }
  [[nodiscard]] BoxIndex pick(std::size_t n) const { return model_.pick(n); }

  void expect_agreement(const std::string& where) {
    std::vector<test::IndexPair> expected;
    for (const auto& pair : model_.pairs()) {
      if (may_touch(filters_.at(pair.first), filters_.at(pair.second))) {
        expected.push_back(pair);
      }
    }
    ASSERT_EQ(test::sorted_pairs_of(phase_.find_pairs()), expected) << where;
    ASSERT_EQ(phase_.statistics().hits, expected.size());
    const BoxIndex one = model_.pick(where.size());
    std::erase_if(expected, [one](const auto& pair) { return pair.first != one && pair.second != one; });
    ASSERT_EQ(test::sorted_pairs_of(phase_.find_pairs_of({&one, 1}).value()), expected) << where;
  }

 private:
  BroadPhase& phase_;
  test::Model model_;
  std::map<BoxIndex, Filter> filters_;
  std::vector<std::pair<BoxIndex, Aabb>> moved_;
};

TEST_P(Filters, exclude_the_right_pairs_while_boxes_and_filters_change) {
  for (const std::uint32_t kinds : {1U, 4U, 12U, 60U}) {  // 60: more kinds than there are bits
    const auto phase = GetParam().make();
    Filtered scene(*phase);
    test::Random random(40 + kinds);
    const auto boxes = test::make_boxes("mixed_sizes", 400, 41);
    for (std::size_t i = 0; i < 150; ++i) {
      scene.add(boxes[i], test::random_type(random), Filter{});
    }
    scene.expect_agreement("without filters");
    for (std::size_t i = 150; i < 300; ++i) {
      scene.add(boxes[i], test::random_type(random), random_filter(random, kinds));
    }
    scene.expect_agreement("with filters");
    for (int frame = 0; frame < 12; ++frame) {
      scene.jog();
      // Now and then more filters are added and removed than exist at any time.
      for (std::int32_t k = frame % 4 == 1 ? 400 : 0; k > 0; --k) {
        Filter of_its_own = random_filter(random, kinds);
        of_its_own.group = 1000 * frame + k;
        scene.set(scene.pick(random.bits()), of_its_own);
      }
      for (int k = 0; k < 5; ++k) {
        scene.set(scene.pick(random.bits()), random_filter(random, kinds));
      }
      if (frame % 3 == 2) {
        scene.remove(scene.pick(random.bits()));
        scene.add(boxes[300 + static_cast<std::size_t>(frame)], test::random_type(random),
                  random_filter(random, kinds));
      }
      scene.expect_agreement("frame " + std::to_string(frame));
    }
  }
}

TEST_P(Filters, of_missing_boxes_are_refused) {
  const auto phase = GetParam().make();
  EXPECT_EQ(phase->set_filter(0, Filter{}).error().code, ErrorCode::stale_id);
  EXPECT_EQ(phase->filter(0).error().code, ErrorCode::stale_id);
  const BoxIndex index = phase->add(Aabb{{0, 0}, {1, 1}}, BodyType::dynamic, Filter{.layer = 8}).value();
  ASSERT_TRUE(phase->remove(index).has_value());
  EXPECT_EQ(phase->set_filter(index, Filter{}).error().code, ErrorCode::stale_id);
  const BoxIndex again = phase->add(Aabb{{0, 0}, {1, 1}}).value();
  ASSERT_EQ(again, index);
  EXPECT_EQ(phase->filter(again).value(), Filter{}) << "a slot that is given out again inherits nothing";
}

// Each allowed pair costs at most one test, and the others none. More filters than `HierarchicalGrid` has
// bits are exempt there.
TEST_P(Filters, pairs_that_they_exclude_cost_no_test) {
  for (const std::uint32_t kinds : {2U, 9U, 60U}) {
    const auto phase = GetParam().make();
    if (kinds > 9 && phase->name() == "hierarchical-grid") {
      continue;
    }
    test::Random random(70 + kinds);
    const auto boxes = test::make_boxes("mixed_sizes", 200, 71);
    std::vector<BoxKind> all;
    for (const Aabb& box : boxes) {
      all.push_back({test::random_type(random), random_filter(random, kinds)});
      ASSERT_TRUE(phase->add(box, all.back().type, all.back().filter).has_value());
    }
    std::uint64_t allowed = 0;
    for (std::size_t a = 0; a < all.size(); ++a) {
      for (std::size_t b = a + 1; b < all.size(); ++b) {
        allowed += can_touch(all[a].type, all[b].type) && may_touch(all[a].filter, all[b].filter) ? 1 : 0;
      }
    }
    for (int frame = 0; frame < 4; ++frame) {
      (void)phase->find_pairs();
      ASSERT_LE(phase->statistics().tests, allowed) << kinds << " kinds, frame " << frame;
      ASSERT_GE(phase->statistics().tests, phase->statistics().hits);
      ASSERT_TRUE(phase->move(0, boxes[static_cast<std::size_t>(frame)]).has_value());
    }
  }
}

// Two thousand boxes in one place, none of which wants pairs with another: four million tests to save.
TEST_P(Filters, pairs_without_interest_cost_no_test) {
  const auto phase = GetParam().make();
  const std::vector<Aabb> boxes(2000, Aabb{{0, 0}, {1, 1}});
  ASSERT_TRUE(phase->add(boxes, BodyType::dynamic, Filter{.layer = 1, .wants = 0}).has_value());
  ASSERT_TRUE(
      phase->add(Aabb{{0, 0}, {1, 1}}, BodyType::dynamic, Filter{.layer = 2, .wants = 1}).has_value());
  EXPECT_EQ(phase->find_pairs().size(), 2000U);
  EXPECT_EQ(phase->statistics().tests, 2000U);
}

TEST(FilterCost, filters_count_among_the_bytes) {
  HierarchicalGrid same;
  HierarchicalGrid different;
  for (std::int32_t i = 1; i <= 2000; ++i) {
    const auto tags = static_cast<std::uint64_t>(i);
    ASSERT_TRUE(same.add(Aabb{{0, 0}, {1, 1}}, BodyType::dynamic, Filter{.tags = 2}).has_value());
    ASSERT_TRUE(different.add(Aabb{{0, 0}, {1, 1}}, BodyType::dynamic, Filter{.tags = tags}).has_value());
  }
  EXPECT_GE(different.statistics().bytes, same.statistics().bytes + 1999 * sizeof(Filter));
  EXPECT_LT(different.statistics().bytes, same.statistics().bytes + 1999 * 8 * sizeof(Filter));
}

TEST(FilterCost, there_is_a_limit_to_different_filters_and_it_is_an_error) {
  HierarchicalGrid grid;
  std::uint64_t tags = 0;
  auto added = grid.add(Aabb{});
  while (added.has_value() && tags < 70'000) {
    ++tags;
    const auto x = static_cast<float>(tags);
    added = grid.add(Aabb{{x, 0}, {x, 0}}, BodyType::dynamic, Filter{.tags = tags});
  }
  ASSERT_FALSE(added.has_value());
  EXPECT_EQ(added.error().code, ErrorCode::invalid_argument);
  EXPECT_GT(tags, 60'000U);
}

// As the nets of a circuit: pads of one net may touch, or only these.
TEST_P(Filters, of_any_number_of_groups_exclude_the_right_pairs) {
  constexpr std::size_t n = 300;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    test::Random random(seed);
    const auto phase = GetParam().make();
    const auto boxes = test::make_boxes("mixed_sizes", n, 50 + seed);
    const std::uint32_t groups = std::array{1U, 5U, 300U, 2'000'000'000U}[seed % 4];
    const std::uint32_t masks = seed % 3 == 0 ? 1 : 3;
    const auto filter = [&] {
      const auto group = static_cast<std::int32_t>(random.below(groups));
      const std::uint64_t mask = random.below(masks) == 0 ? ~std::uint64_t{0} : random.below(4);
      return Filter{
          .layer = 1U + random.below(masks), .mask = mask, .group = random.below(2) == 0 ? group : -group};
    };
    Filtered scene(*phase);
    for (const Aabb& box : boxes) {
      scene.add(box, test::random_type(random), random.below(4) == 0 ? Filter{} : filter());
    }
    for (int frame = 0; frame < 6; ++frame) {
      scene.expect_agreement("frame " + std::to_string(frame) + " of seed " + std::to_string(seed));
      scene.jog();
      for (int k = 0; k < 20; ++k) {
        scene.set(scene.pick(random.bits()), random.below(3) == 0 ? Filter{} : filter());
        scene.remove(scene.pick(random.bits()));
        scene.add(boxes[random.below(n)], test::random_type(random), filter());
      }
    }
  }
}

TEST(FilterCost, any_number_of_groups_costs_the_same) {
  for (const std::string_view layout : {"scattered", "mixed_sizes", "touching_edges"}) {
    const auto boxes = test::make_boxes(layout, 2000, 3);
    std::optional<Statistics> of_one;
    for (const std::int32_t groups : {1, 7, 40, 1999}) {
      HierarchicalGrid grid;
      std::vector<BoxKind> kinds;
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        const auto group = static_cast<std::int32_t>(i) % groups + 1;
        kinds.push_back({BodyType::dynamic, {.group = i % 2 == 0 ? group : -group}});
      }
      ASSERT_TRUE(grid.add(boxes, kinds).has_value());
      static_cast<void>(grid.find_pairs());
      const Statistics now = grid.statistics();
      of_one = of_one.value_or(now);
      EXPECT_EQ(now.tests, of_one->tests) << layout << ' ' << groups;
      EXPECT_EQ(now.cells_visited, of_one->cells_visited) << layout << ' ' << groups;
      EXPECT_EQ(now.bytes, of_one->bytes) << layout << ' ' << groups;
    }
  }
}

TEST(FilterCost, each_of_100_000_boxes_may_have_its_own_group) {
  constexpr std::int32_t n = 100'000;
  HierarchicalGrid grid;
  std::vector<Aabb> boxes;
  std::vector<BoxKind> kinds;
  for (std::int32_t i = 0; i < n; ++i) {  // each overlaps the next one; every third one is of its group
    const auto x = static_cast<float>(i);
    boxes.push_back({{x, 0}, {x + 1, 1}});
    kinds.push_back({BodyType::dynamic, {.group = -1 - (i % 3 == 1 ? i - 1 : i)}});
  }
  ASSERT_TRUE(grid.add(boxes, kinds).has_value());
  EXPECT_EQ(grid.find_pairs().size(), n - 1U - (n + 1U) / 3U);
}

}  // namespace
}  // namespace broadside::filter_test
