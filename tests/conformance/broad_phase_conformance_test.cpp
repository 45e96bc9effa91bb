// The contract of BroadPhase, once for every technique and for options that suit the boxes badly.

#include "broadside/broad_phase/broad_phase.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "model.hpp"
#include "variants.hpp"

namespace broadside::test::broad_phase_conformance_test {
namespace {

constexpr float most = std::numeric_limits<float>::max();
constexpr Aabb everywhere{{-most, -most}, {most, most}};

constexpr BodyType all_types[] = {BodyType::static_body, BodyType::kinematic, BodyType::dynamic};

Aabb square(float x, float y, float side) {
  return {{x, y}, {x + side, y + side}};
}

std::vector<Pair> pairs_of(BroadPhase& phase) {
  const auto pairs = phase.find_pairs();
  return {pairs.begin(), pairs.end()};
}

class Conformance : public testing::TestWithParam<Variant> {
 protected:
  /// Fills the phase with boxes of all types that overlap a good deal.
  void fill_some() {
    Random random(71);
    fill(*phase, model, make_boxes("scattered", 70, 71), random);
  }

  std::unique_ptr<BroadPhase> phase = GetParam().make();
  Model model;
};

INSTANTIATE_TEST_SUITE_P(BroadPhase, Conformance, testing::ValuesIn(variants()), variant_name);

/// Returns how many entries the grids may have for n boxes, with a given cell size.
std::size_t max_entries(std::size_t n) {
  return (std::size_t{1} << 16U) + 64 * n;
}

TEST_P(Conformance, is_empty_at_first) {
  EXPECT_TRUE(agrees(*phase, model));
  EXPECT_EQ(phase->size(), 0U);
  EXPECT_TRUE(phase->find_pairs().empty());
  EXPECT_TRUE(phase->cells().empty());
  EXPECT_EQ(phase->statistics().tests, 0U);
  EXPECT_EQ(phase->statistics().entries, 0U);
  EXPECT_EQ(phase->statistics().occupied_cells, 0U);
}

TEST_P(Conformance, has_the_name_of_a_technique) {
  EXPECT_TRUE(find_technique(phase->name()).has_value());
}

TEST_P(Conformance, a_single_box_has_no_pairs) {
  const Aabb box = square(1.0F, 2.0F, 3.0F);
  model.add(phase->add(box).value(), box, BodyType::dynamic);
  EXPECT_TRUE(agrees(*phase, model));
}

TEST_P(Conformance, boxes_can_be_added_moved_and_removed) {
  fill_some();
  EXPECT_TRUE(agrees(*phase, model));
  for (BoxIndex i = 0; i < 70; i += 3) {
    const Aabb box = square(static_cast<float>(i), 50.0F, 5.0F);
    ASSERT_TRUE(phase->move(i, box).has_value());
    model.move(i, box);
  }
  EXPECT_TRUE(agrees(*phase, model));
  for (BoxIndex i = 0; i < 70; i += 2) {
    ASSERT_TRUE(phase->remove(i).has_value());
    model.remove(i);
  }
  EXPECT_TRUE(agrees(*phase, model));
  fill_some();
  EXPECT_TRUE(agrees(*phase, model));
}

TEST_P(Conformance, pairs_of_a_missing_box_are_refused) {
  fill_some();
  EXPECT_TRUE(phase->find_pairs_of({}).value().empty());
  const auto refused = phase->find_pairs_of(std::array<BoxIndex, 2>{0, 70});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::stale_id);
  EXPECT_TRUE(mentions(refused.error().message, "box 70")) << refused.error().message;
  EXPECT_TRUE(agrees(*phase, model));
}

TEST_P(Conformance, everything_can_be_removed) {
  fill_some();
  (void)phase->find_pairs();
  while (!model.bodies().empty()) {
    const BoxIndex index = model.pick(model.bodies().size() / 2);
    ASSERT_TRUE(phase->remove(index).has_value());
    model.remove(index);
  }
  EXPECT_TRUE(agrees(*phase, model));
  EXPECT_TRUE(phase->cells().empty());
  EXPECT_EQ(phase->statistics().tests, 0U);
  EXPECT_EQ(phase->statistics().entries, 0U);
  EXPECT_EQ(phase->statistics().occupied_cells, 0U);
  fill_some();
  EXPECT_TRUE(agrees(*phase, model));
}

TEST_P(Conformance, adding_in_bulk_is_adding_one_by_one) {
  const auto boxes = make_boxes("scattered", 40, 72);
  const auto other = GetParam().make();
  ASSERT_TRUE(phase->add(boxes[0]).has_value());
  ASSERT_TRUE(other->add(boxes[0]).has_value());
  ASSERT_TRUE(phase->remove(0).has_value());
  ASSERT_TRUE(other->remove(0).has_value());
  const auto indices = phase->add(boxes, BodyType::dynamic).value();
  std::vector<BoxIndex> one_by_one;
  for (const Aabb& box : boxes) {
    one_by_one.push_back(other->add(box, BodyType::dynamic).value());
  }
  EXPECT_EQ(indices, one_by_one);
  EXPECT_EQ(sorted_pairs_of(phase->find_pairs()), sorted_pairs_of(other->find_pairs()));
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_EQ(phase->box(indices[i]).value(), boxes[i]);
  }
}

TEST_P(Conformance, adding_or_moving_nothing_in_bulk_is_no_change) {
  fill_some();
  (void)phase->find_pairs();
  EXPECT_TRUE(phase->add(std::span<const Aabb>()).value().empty());
  EXPECT_TRUE(phase->move(std::span<const BoxIndex>(), std::span<const Aabb>()).has_value());
  EXPECT_TRUE(agrees(*phase, model));
}

TEST_P(Conformance, a_bad_box_to_add_is_refused_and_changes_nothing) {
  fill_some();
  const auto before = pairs_of(*phase);
  for (const BadBox& bad : bad_boxes()) {
    const auto added = phase->add(bad.box);
    ASSERT_FALSE(added.has_value()) << bad.name;
    EXPECT_EQ(added.error().code, bad.code) << bad.name;
    EXPECT_TRUE(mentions(added.error().message, bad.field)) << added.error().message;
    ASSERT_TRUE(holds_the_same(*phase, model)) << bad.name;
  }
  EXPECT_EQ(pairs_of(*phase), before);
  EXPECT_EQ(phase->add(square(0.0F, 0.0F, 1.0F)).value(), 70U) << "no index was used up";
}

TEST_P(Conformance, one_bad_box_in_bulk_refuses_all) {
  fill_some();
  const auto before = pairs_of(*phase);
  for (const BadBox& bad : bad_boxes()) {
    for (const std::size_t place : {0U, 4U, 9U}) {
      std::vector<Aabb> boxes(10, square(0.0F, 0.0F, 100.0F));
      boxes[place] = bad.box;
      const auto added = phase->add(boxes);
      ASSERT_FALSE(added.has_value()) << bad.name;
      EXPECT_EQ(added.error().code, bad.code) << bad.name;
      EXPECT_TRUE(mentions(added.error().message, "box " + std::to_string(place))) << added.error().message;
      ASSERT_TRUE(holds_the_same(*phase, model)) << bad.name;
    }
  }
  EXPECT_EQ(pairs_of(*phase), before);
}

TEST_P(Conformance, a_move_to_a_bad_box_is_refused_and_changes_nothing) {
  fill_some();
  const auto before = pairs_of(*phase);
  for (const BadBox& bad : bad_boxes()) {
    const auto moved = phase->move(31, bad.box);
    ASSERT_FALSE(moved.has_value()) << bad.name;
    EXPECT_EQ(moved.error().code, bad.code) << bad.name;
    EXPECT_TRUE(mentions(moved.error().message, "31")) << moved.error().message;
    EXPECT_TRUE(mentions(moved.error().message, bad.field)) << moved.error().message;
    ASSERT_TRUE(holds_the_same(*phase, model)) << bad.name;
  }
  EXPECT_EQ(pairs_of(*phase), before);
}

TEST_P(Conformance, one_bad_move_in_bulk_refuses_all) {
  fill_some();
  const auto before = pairs_of(*phase);
  const std::array<BoxIndex, 3> indices{3, 33, 63};
  for (const std::size_t place : {0U, 1U, 2U}) {
    for (const BadBox& bad : bad_boxes()) {
      std::array<Aabb, 3> boxes{everywhere, everywhere, everywhere};
      boxes[place] = bad.box;
      const auto moved = phase->move(indices, boxes);
      ASSERT_FALSE(moved.has_value()) << bad.name;
      EXPECT_EQ(moved.error().code, bad.code);
      EXPECT_TRUE(mentions(moved.error().message, std::to_string(indices[place]))) << moved.error().message;
      ASSERT_TRUE(holds_the_same(*phase, model)) << bad.name;
    }
    std::array<BoxIndex, 3> with_stale = indices;
    with_stale[place] = 70;
    const auto moved = phase->move(with_stale, std::array{everywhere, everywhere, everywhere});
    ASSERT_FALSE(moved.has_value());
    EXPECT_EQ(moved.error().code, ErrorCode::stale_id);
    EXPECT_TRUE(mentions(moved.error().message, "box 70")) << moved.error().message;
    ASSERT_TRUE(holds_the_same(*phase, model));
  }
  EXPECT_EQ(pairs_of(*phase), before);
}

TEST_P(Conformance, a_move_of_unequal_numbers_is_refused_and_changes_nothing) {
  fill_some();
  const auto before = pairs_of(*phase);
  const std::array<BoxIndex, 2> two{1, 2};
  const std::array<Aabb, 3> three{everywhere, everywhere, everywhere};
  for (const std::size_t boxes : {0U, 1U, 3U}) {
    const auto moved = phase->move(two, std::span(three).first(boxes));
    ASSERT_FALSE(moved.has_value());
    EXPECT_EQ(moved.error().code, ErrorCode::invalid_argument);
    EXPECT_TRUE(mentions(moved.error().message, "2 indices but " + std::to_string(boxes) + " boxes"))
        << moved.error().message;
  }
  EXPECT_TRUE(holds_the_same(*phase, model));
  EXPECT_EQ(pairs_of(*phase), before);
}

TEST_P(Conformance, an_index_that_names_no_box_is_refused_and_changes_nothing) {
  fill_some();
  ASSERT_TRUE(phase->remove(20).has_value());
  model.remove(20);
  const auto before = pairs_of(*phase);
  for (const BoxIndex stale : {20U, 70U, 71U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    EXPECT_FALSE(phase->contains(stale));
    const auto box = phase->box(stale);
    const auto moved = phase->move(stale, everywhere);
    const auto removed = phase->remove(stale);
    ASSERT_FALSE(box.has_value());
    ASSERT_FALSE(moved.has_value());
    ASSERT_FALSE(removed.has_value()) << "a second removal too";
    EXPECT_EQ(box.error().code, ErrorCode::stale_id);
    EXPECT_EQ(moved.error().code, ErrorCode::stale_id);
    EXPECT_EQ(removed.error().code, ErrorCode::stale_id);
    EXPECT_TRUE(mentions(removed.error().message, "box " + std::to_string(stale))) << removed.error().message;
    ASSERT_TRUE(holds_the_same(*phase, model));
  }
  // With a wrap-around these indices would count as consecutive.
  const auto moved =
      phase->move(std::array{0xFFFFFFFFU, 0U, 1U}, std::array{everywhere, everywhere, everywhere});
  EXPECT_EQ(moved.error().code, ErrorCode::stale_id);
  EXPECT_EQ(pairs_of(*phase), before);
}

TEST_P(Conformance, the_index_of_a_removed_box_is_reused) {
  const Aabb box = square(0.0F, 0.0F, 1.0F);
  const BoxIndex first = phase->add(box, BodyType::static_body).value();
  const BoxIndex second = phase->add(box).value();
  EXPECT_NE(first, second);
  (void)phase->find_pairs();
  ASSERT_TRUE(phase->remove(first).has_value());
  EXPECT_EQ(phase->add(box, BodyType::dynamic).value(), first);
  ASSERT_TRUE(phase->remove(second).has_value());
  const BoxIndex reused = phase->add(box, BodyType::kinematic).value();
  EXPECT_EQ(reused, second);
  EXPECT_EQ(phase->size(), 2U);
  EXPECT_EQ(phase->find_pairs().size(), 1U) << "of the new types, not of the old ones";
}

TEST_P(Conformance, indices_are_those_of_every_other_technique) {
  const auto reference = variants().front().make();
  Random random(73);
  Model same;
  for (int step = 0; step < 500; ++step) {
    if (same.bodies().empty() || random.below(5) < 3) {
      const BoxIndex index = reference->add(Aabb{}).value();
      ASSERT_EQ(phase->add(Aabb{}).value(), index) << "step " << step;
      same.add(index, {}, BodyType::dynamic);
    } else {
      const BoxIndex index = same.pick(random.bits());
      ASSERT_TRUE(reference->remove(index).has_value());
      ASSERT_TRUE(phase->remove(index).has_value());
      same.remove(index);
    }
    if (step % 50 == 0) {
      phase->update();
    }
  }
}

TEST_P(Conformance, touching_counts_and_being_apart_by_the_least_does_not) {
  const Aabb box = square(8.0F, 8.0F, 8.0F);
  const float right = 16.0F;
  const float beyond = std::nextafter(right, 100.0F);
  const float left = 8.0F;
  const float before = std::nextafter(left, 0.0F);
  ASSERT_TRUE(phase->add(box).has_value());
  const BoxIndex other = phase->add(box).value();
  const struct {
    Aabb box;
    std::size_t pairs;
  } cases[] = {
      {{{right, 8.0F}, {20.0F, 16.0F}}, 1},  {{{beyond, 8.0F}, {20.0F, 16.0F}}, 0},
      {{{8.0F, right}, {16.0F, 20.0F}}, 1},  {{{8.0F, beyond}, {16.0F, 20.0F}}, 0},
      {{{0.0F, 8.0F}, {left, 16.0F}}, 1},    {{{0.0F, 8.0F}, {before, 16.0F}}, 0},
      {{{8.0F, 0.0F}, {16.0F, left}}, 1},    {{{8.0F, 0.0F}, {16.0F, before}}, 0},
      {{{right, right}, {right, right}}, 1}, {{{right, beyond}, {right, beyond}}, 0},
      {{{left, left}, {left, left}}, 1},     {{{12.0F, 12.0F}, {12.0F, 12.0F}}, 1},
  };
  for (const auto& [moved, pairs] : cases) {
    ASSERT_TRUE(phase->move(other, moved).has_value());
    EXPECT_EQ(phase->find_pairs().size(), pairs) << moved.min.x << " " << moved.min.y;
  }
}

TEST_P(Conformance, each_pair_is_reported_once_with_a_less_than_b) {
  fill(*phase, model, make_boxes("all_in_one_place", 60, 74));
  fill(*phase, model, make_boxes("giant_among_tiny", 60, 75));
  const auto pairs = pairs_of(*phase);
  ASSERT_GT(pairs.size(), 1000U);
  for (const Pair& pair : pairs) {
    ASSERT_LT(pair.a, pair.b);
  }
  const auto sorted = sorted_pairs_of(pairs);
  EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
  EXPECT_TRUE(agrees(*phase, model));
}

TEST_P(Conformance, only_pairs_with_a_dynamic_box_are_reported) {
  for (const float side : {1.0F, 500.0F}) {  // in cells, and over too many cells
    for (const BodyType a : all_types) {
      for (const BodyType b : all_types) {
        const auto fresh = GetParam().make();
        ASSERT_TRUE(fresh->add(square(0.0F, 0.0F, side), a).has_value());
        ASSERT_TRUE(fresh->add(square(0.5F, 0.5F, side), b).has_value());
        const bool wanted = a == BodyType::dynamic || b == BodyType::dynamic;
        EXPECT_EQ(fresh->find_pairs().size(), wanted ? 1U : 0U);
        EXPECT_EQ(fresh->statistics().tests, wanted ? 1U : 0U) << "what cannot touch is not tested either";
      }
    }
  }
}

TEST_P(Conformance, bodies_of_any_type_may_be_moved) {
  fill_some();
  (void)phase->find_pairs();
  const Model before = model;
  for (const auto& [index, body] : before.bodies()) {
    const Aabb box = square(body.box.min.y, body.box.min.x, 6.0F);
    ASSERT_TRUE(phase->move(index, box).has_value());
    model.move(index, box);
    if (index % 16 == 0) {
      ASSERT_TRUE(agrees(*phase, model)) << "after " << index;
    }
  }
  EXPECT_TRUE(agrees(*phase, model));
}

TEST_P(Conformance, finding_pairs_again_gives_the_same) {
  fill_some();
  const auto first = pairs_of(*phase);
  EXPECT_EQ(pairs_of(*phase), first);
  phase->update();
  EXPECT_EQ(pairs_of(*phase), first);
}

TEST_P(Conformance, order_of_pairs_is_a_function_of_the_calls) {
  const auto other = GetParam().make();
  Model other_model;
  for (auto* side : {phase.get(), other.get()}) {
    Random random(76);
    Model& own = side == phase.get() ? model : other_model;
    fill(*side, own, make_boxes("clustered", 120, 76), random);
    (void)side->find_pairs();
    for (BoxIndex i = 0; i < 120; i += 7) {
      ASSERT_TRUE(side->remove(i).has_value());
    }
    ASSERT_TRUE(side->add(make_boxes("clustered", 30, 77)).has_value());
  }
  EXPECT_EQ(pairs_of(*phase), pairs_of(*other));
}

// Bodies that move evenly for a while, then some of them faster, with static ones that are added in between.
TEST_P(Conformance, pairs_are_sorted_where_asked) {
  const auto other = GetParam().make();
  other->keep_sorted(true);
  const auto boxes = make_boxes("scattered", 400, 78);
  Random random(78);
  std::vector<BoxIndex> names;
  for (auto* side : {phase.get(), other.get()}) {
    names = side->add(boxes).value();
  }
  std::vector<Aabb> now(boxes.begin(), boxes.end());
  for (std::size_t frame = 0; frame < 40; ++frame) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      const float step = frame > 20 && i % 16 == 0 ? 2.0F : 0.02F;
      const Vec2 way = step * (now[i].max - now[i].min);
      now[i] = {now[i].min + way, now[i].max + way};
    }
    const std::vector<BoxIndex> asked(names.begin(), names.begin() + 50);
    std::vector<std::vector<Pair>> found;
    for (auto* side : {phase.get(), other.get()}) {
      ASSERT_TRUE(side->move(names, now).has_value());
      if (frame % 8 == 4) {
        ASSERT_TRUE(side->add(boxes[frame], BodyType::static_body).has_value());
      }
      found.push_back(pairs_of(*side));
      const auto some = side->find_pairs_of(asked).value();
      found.emplace_back(some.begin(), some.end());
    }
    for (std::size_t unsorted : {0U, 1U}) {
      sort_pairs(found[unsorted]);
      EXPECT_EQ(found[unsorted + 2], found[unsorted]);
    }
  }
}

TEST_P(Conformance, a_query_sees_the_latest_change) {
  fill_some();
  const Aabb area = square(20.0F, 20.0F, 40.0F);
  EXPECT_TRUE(query_agrees(*phase, model, area)) << "before the first update";
  phase->update();
  EXPECT_TRUE(query_agrees(*phase, model, area)) << "after it";
  for (const BodyType type : all_types) {
    const Aabb box = square(30.0F, 30.0F, 1.0F);
    const BoxIndex index = phase->add(box, type).value();
    model.add(index, box, type);
    EXPECT_TRUE(query_agrees(*phase, model, area)) << "after an addition";
    ASSERT_TRUE(phase->move(index, square(-500.0F, 0.0F, 1.0F)).has_value());
    model.move(index, square(-500.0F, 0.0F, 1.0F));
    EXPECT_TRUE(query_agrees(*phase, model, area)) << "after a move";
    EXPECT_TRUE(query_agrees(*phase, model, square(-500.0F, 0.0F, 1.0F))) << "after a move, where it is now";
    phase->update();
    EXPECT_TRUE(query_agrees(*phase, model, square(-500.0F, 0.0F, 1.0F)));
    ASSERT_TRUE(phase->remove(index).has_value());
    model.remove(index);
    EXPECT_TRUE(query_agrees(*phase, model, square(-500.0F, 0.0F, 1.0F))) << "after a removal";
    phase->update();
    EXPECT_TRUE(query_agrees(*phase, model, everywhere));
  }
}

TEST_P(Conformance, a_query_is_ascending_and_names_each_box_once) {
  Random random(78);
  fill(*phase, model, make_boxes("mixed_sizes", 100, 78), random);
  for (const bool up_to_date : {false, true}) {
    if (up_to_date) {
      phase->update();
    }
    std::vector<BoxIndex> hits;
    ASSERT_TRUE(phase->query_area(square(-1000.0F, -1000.0F, 2000.0F), hits).has_value());
    EXPECT_GT(hits.size(), 50U);
    EXPECT_EQ(std::adjacent_find(hits.begin(), hits.end(), std::greater_equal<>()), hits.end());
  }
}

TEST_P(Conformance, a_query_includes_what_touches_the_area) {
  const Aabb box = square(8.0F, 8.0F, 8.0F);
  model.add(phase->add(box).value(), box, BodyType::dynamic);
  phase->update();
  for (const Vec2 corner :
       {box.min, box.max, Vec2{8.0F, 16.0F}, Vec2{16.0F, 8.0F}, Vec2{12.0F, 12.0F},
        Vec2{std::nextafter(16.0F, 17.0F), 12.0F}, Vec2{12.0F, std::nextafter(8.0F, 7.0F)}}) {
    EXPECT_TRUE(query_agrees(*phase, model, {corner, corner})) << corner.x << " " << corner.y;
  }
}

TEST_P(Conformance, a_bad_area_is_refused) {
  fill_some();
  for (const bool up_to_date : {false, true}) {
    if (up_to_date) {
      phase->update();
    }
    for (const BadBox& bad : bad_boxes()) {
      std::vector<BoxIndex> hits{1, 2, 3};
      const auto done = phase->query_area(bad.box, hits);
      ASSERT_FALSE(done.has_value()) << bad.name;
      EXPECT_EQ(done.error().code, bad.code) << bad.name;
      EXPECT_TRUE(mentions(done.error().message, "area")) << done.error().message;
      EXPECT_TRUE(mentions(done.error().message, bad.field)) << done.error().message;
    }
  }
  EXPECT_TRUE(agrees(*phase, model));
}

TEST_P(Conformance, const_calls_may_run_side_by_side) {
  fill_some();
  phase->update();
  const BroadPhase& shared = *phase;
  std::vector<std::vector<BoxIndex>> answers(4);
  std::vector<std::thread> threads;
  for (auto& answer : answers) {
    threads.emplace_back([&shared, &answer] {
      for (int i = 0; i < 20; ++i) {
        shared.query_area(square(10.0F, 10.0F, 50.0F), answer).value();
        (void)shared.statistics();
        (void)shared.cells();
        (void)shared.box(3);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const auto& answer : answers) {
    EXPECT_EQ(answer, model.in_area(square(10.0F, 10.0F, 50.0F)));
  }
}

TEST_P(Conformance, cells_are_occupied_and_distinct) {
  fill_some();
  for (int round = 0; round < 2; ++round) {
    (void)phase->find_pairs();
    const auto cells = phase->cells();
    std::size_t members = 0;
    std::vector<std::array<float, 4>> corners;
    for (const Cell& cell : cells) {
      EXPECT_GE(cell.boxes, 1U);
      EXPECT_TRUE(is_valid(cell.bounds));
      members += cell.boxes;
      corners.push_back({cell.bounds.min.x, cell.bounds.min.y, cell.bounds.max.x, cell.bounds.max.y});
    }
    const Statistics statistics = phase->statistics();
    EXPECT_LE(statistics.occupied_cells, statistics.cells);
    EXPECT_LE(members, max_entries(model.bodies().size()));
    if (find_technique(phase->name()).value()->has_cell_size) {
      EXPECT_EQ(cells.size(), statistics.occupied_cells);
      EXPECT_LE(members, statistics.entries);
      // Cells that are too small for floats may round to the same corners; those of the variant with the
      // smallest cells do.
      if (!GetParam().name.ends_with("cells_least")) {
        std::sort(corners.begin(), corners.end());
        EXPECT_EQ(std::adjacent_find(corners.begin(), corners.end()), corners.end());
      }
    }
    while (model.bodies().size() > 10) {
      const BoxIndex index = model.pick(0);
      ASSERT_TRUE(phase->remove(index).has_value());
      model.remove(index);
    }
  }
}

// Each cell names its members, and each box its cells, one of which is drawn where the box is.
TEST_P(Conformance, cells_and_members_name_each_other) {
  // Cells of the border hold what is beyond bounds that were given, and the least cells are lost in rounding.
  const std::string& variant = GetParam().name;
  const bool is_apart = variant.starts_with("uniform_grid_") || variant.ends_with("cells_least");
  for (const char* kind : {"scattered", "mixed_sizes", "giant_among_tiny", "negative", "zero_size"}) {
    phase = GetParam().make();
    ASSERT_TRUE(phase->add(make_boxes(kind, 30, 81), BodyType::static_body).has_value());
    const auto moving = make_boxes(kind, 60, 80);
    ASSERT_TRUE(phase->add(moving).has_value());
    ASSERT_TRUE(phase->remove(BoxIndex{7}).has_value());
    phase->update();
    std::map<std::array<float, 4>, std::set<BoxIndex>> expected;
    std::map<std::array<float, 4>, std::size_t> counts;
    const auto key = [](const Cell& cell) {
      return std::array{cell.bounds.min.x, cell.bounds.min.y, cell.bounds.max.x, cell.bounds.max.y};
    };
    for (const Cell& cell : phase->cells()) {
      counts[key(cell)] += cell.boxes;
    }
    for (BoxIndex index = 0; index < 90; ++index) {
      const auto cells = phase->cells_of(index);
      ASSERT_EQ(cells.has_value(), index != 7);
      if (!cells.has_value()) {
        EXPECT_EQ(cells.error().code, ErrorCode::stale_id);
        continue;
      }
      bool is_drawn = is_apart || cells.value().empty();
      for (const Cell& cell : cells.value()) {
        EXPECT_TRUE(expected[key(cell)].insert(index).second || is_apart) << kind;
        is_drawn = is_drawn || overlaps(cell.bounds, phase->box(index).value());
      }
      EXPECT_TRUE(is_drawn) << kind << " " << index;
    }
    std::size_t members = 0;
    const std::vector<Cell> all = phase->cells();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Cell& cell = all[i];
      members += cell.boxes;
      if (i % (1 + all.size() / 100) != 0) {
        continue;  // `members_of` visits all cells
      }
      const auto found = phase->members_of(cell);
      EXPECT_TRUE(std::ranges::is_sorted(found));
      EXPECT_EQ(std::set(found.begin(), found.end()), expected[key(cell)]) << kind;
      EXPECT_EQ(found.size(), counts[key(cell)]) << kind;
    }
    EXPECT_EQ(counts.size(), expected.size());
    EXPECT_TRUE(members > 0 || phase->cells().empty());
    EXPECT_TRUE(phase->members_of({.bounds = {{-1e9F, -1e9F}, {-1e9F, -1e9F}}}).empty());
  }
}

TEST_P(Conformance, cells_are_valid_boxes_at_the_ends_of_the_float_range) {
  for (const char* kind : {"extremes", "all_floats"}) {
    const auto fresh = GetParam().make();
    ASSERT_TRUE(fresh->add(make_boxes(kind, 100, 79)).has_value());
    fresh->update();
    std::size_t bad = 0;
    for (const Cell& cell : fresh->cells()) {
      bad += is_valid(cell.bounds) ? 0U : 1U;
    }
    EXPECT_EQ(bad, 0U) << kind << ": of " << fresh->cells().size() << " cells";
  }
}

TEST_P(Conformance, statistics_count_what_there_is) {
  fill_some();
  const auto pairs = pairs_of(*phase);
  const Statistics statistics = phase->statistics();
  EXPECT_EQ(statistics.boxes, 70U);
  EXPECT_EQ(statistics.hits, pairs.size());
  EXPECT_GE(statistics.tests, statistics.hits);
  EXPECT_LE(statistics.tests, model.pairs_that_can_touch());
  EXPECT_EQ(statistics.false_positives(), statistics.tests - statistics.hits);
  EXPECT_GE(statistics.bytes, 70U * sizeof(Aabb));
  EXPECT_LE(statistics.entries, max_entries(70));
}

TEST_P(Conformance, statistics_say_how_many_boxes_were_searched) {
  EXPECT_EQ(phase->statistics().boxes_searched, 0U);
  fill_some();
  (void)phase->find_pairs();
  EXPECT_EQ(phase->statistics().boxes_searched, 70U);
  Random random(83);
  std::vector<BoxIndex> asked;
  for (BoxIndex index = 0; index < 70; index += 1 + random.below(9)) {
    asked.push_back(index);
    (void)phase->find_pairs_of(asked).value();
    EXPECT_EQ(phase->statistics().boxes_searched, asked.size());
  }
  (void)phase->find_pairs();
  EXPECT_EQ(phase->statistics().boxes_searched, 70U);
}

TEST_P(Conformance, times_are_measured_only_where_asked_for) {
  fill_some();
  (void)phase->find_pairs();
  EXPECT_EQ(phase->statistics().update_seconds, 0.0);
  EXPECT_EQ(phase->statistics().pairs_seconds, 0.0);
  phase->measure_times(true);
  (void)phase->find_pairs();
  EXPECT_GE(phase->statistics().update_seconds, 0.0);
  EXPECT_GT(phase->statistics().pairs_seconds, 0.0);
  EXPECT_LT(phase->statistics().update_seconds + phase->statistics().pairs_seconds, 60.0);
  phase->measure_times(false);
  (void)phase->find_pairs();
  EXPECT_EQ(phase->statistics().pairs_seconds, 0.0);
}

TEST_P(Conformance, growth_is_measured_where_asked_for_and_ends_in_steady_frames) {
  fill_some();
  (void)phase->find_pairs();
  EXPECT_EQ(phase->statistics().grown_bytes, 0U) << "not asked for";
  phase->measure_times(true);
  ASSERT_TRUE(phase->add(test::make_boxes("scattered", 1500, 3)).has_value());
  (void)phase->find_pairs();
  EXPECT_GT(phase->statistics().grown_bytes, 0U);
  for (int frame = 0; frame < 3; ++frame) {
    (void)phase->find_pairs();
  }
  EXPECT_EQ(phase->statistics().grown_bytes, 0U);
}

TEST_P(Conformance, statistics_are_those_of_the_last_call) {
  fill_some();
  (void)phase->find_pairs();
  const Statistics first = phase->statistics();
  (void)phase->find_pairs();
  const Statistics second = phase->statistics();
  EXPECT_EQ(second.tests, first.tests);
  EXPECT_EQ(second.hits, first.hits);
  EXPECT_EQ(second.entries, first.entries);
  EXPECT_EQ(second.occupied_cells, first.occupied_cells);
}

TEST_P(Conformance, entries_follow_the_boxes_after_removals) {
  fill_some();
  (void)phase->find_pairs();
  while (model.bodies().size() > 5) {
    const BoxIndex index = model.pick(3);
    ASSERT_TRUE(phase->remove(index).has_value());
    model.remove(index);
  }
  (void)phase->find_pairs();
  const auto fresh = GetParam().make();
  for (const auto& [index, body] : model.bodies()) {
    ASSERT_TRUE(fresh->add(body.box, body.type).has_value());
  }
  (void)fresh->find_pairs();
  EXPECT_LE(phase->statistics().entries, max_entries(5));
  // The first two measure their cells again; in the last, the boxes that came first hold the cells.
  constexpr std::array by_history{"hash_grid", "uniform_grid", "hash_grid_cells_too_small"};
  if (std::ranges::find(by_history, GetParam().name) == by_history.end()) {
    EXPECT_EQ(phase->statistics().entries, fresh->statistics().entries);
    EXPECT_EQ(phase->statistics().occupied_cells, fresh->statistics().occupied_cells);
  }
}

TEST_P(Conformance, statistics_count_boxes_cells_and_entries_after_an_update_alone) {
  const auto other = GetParam().make();
  for (const std::size_t n : {60U, 0U}) {
    for (BroadPhase* side : {phase.get(), other.get()}) {
      if (n > 0) {
        side->add(make_boxes("scattered", n, 83)).value();
      } else {
        for (BoxIndex i = 10; i < 60; ++i) {
          side->remove(i).value();
        }
      }
    }
    phase->update();
    (void)other->find_pairs();
    EXPECT_EQ(phase->statistics().boxes, other->statistics().boxes);
    EXPECT_EQ(phase->statistics().cells, other->statistics().cells);
    EXPECT_EQ(phase->statistics().occupied_cells, other->statistics().occupied_cells);
    EXPECT_EQ(phase->statistics().entries, other->statistics().entries);
  }
}

TEST_P(Conformance, memory_is_bounded_by_the_boxes) {
  fill_some();
  (void)phase->find_pairs();
  std::size_t bytes_early = 0;
  Random random(80);
  for (int frame = 0; frame < 300; ++frame) {
    const auto index = static_cast<BoxIndex>(random.below(70));
    const float x = random.between(0.0F, 100.0F);
    const float y = random.between(0.0F, 100.0F);
    ASSERT_TRUE(phase->move(index, square(x, y, 3.0F)).has_value());
    ASSERT_TRUE(phase->remove(index).has_value());
    ASSERT_TRUE(phase->add(square(y, x, 3.0F)).has_value());
    if (frame % 10 == 0) {
      (void)phase->find_pairs();
    }
    if (frame == 100) {
      bytes_early = phase->statistics().bytes;
    }
  }
  EXPECT_LE(phase->statistics().bytes, 2 * bytes_early);
}

TEST_P(Conformance, a_steady_frame_allocates_nothing) {
  fill(*phase, model, make_boxes("scattered", 100, 81));
  std::vector<BoxIndex> indices;
  std::vector<Aabb> here;
  std::vector<Aabb> there;
  for (const auto& [index, body] : model.bodies()) {
    indices.push_back(index);
    here.push_back(body.box);
    there.push_back({body.box.min + Vec2{1.5F, 2.5F}, body.box.max + Vec2{1.5F, 2.5F}});
  }
  const auto frame = [&](const std::vector<Aabb>& boxes) {
    phase->move(indices, boxes).value();
    (void)phase->find_pairs();
  };
  for (int warm_up = 0; warm_up < 3; ++warm_up) {
    frame(there);
    frame(here);
  }
  const AllocationWatch watch;
  frame(there);
  frame(here);
  EXPECT_EQ(watch.count(), 0U);
}

}  // namespace
}  // namespace broadside::test::broad_phase_conformance_test
