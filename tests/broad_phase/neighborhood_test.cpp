// Boxes that rest, creep, fly, stop, change direction, are added and removed: what the default technique
// keeps from frame to frame must never show in its pairs.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broad_phase/box_search.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "forced_switches.hpp"
#include "model.hpp"

namespace broadside::neighborhood_test {
namespace {

Aabb shifted(const Aabb& box, float x, float y) {
  return {{box.min.x + x, box.min.y + y}, {box.max.x + x, box.max.y + y}};
}

float size_of(const Aabb& box) {
  return std::max(box.max.x - box.min.x, box.max.y - box.min.y);
}

/// A scene of moving bodies: each has its own direction, and moves by a share of its size in each frame.
class Scene {
 public:
  Scene(const std::string& kind, std::size_t n, std::uint64_t seed, bool mixed_types) : random_(seed) {
    // Where nearly all boxes overlap, lists pay off only for few boxes.
    n = kind == "all_floats" || kind == "denormals" || kind == "all_in_one_place" ? n / 16 : n;
    for (const Aabb& box : test::make_boxes(kind, n, seed)) {
      const BodyType type = mixed_types ? test::random_type(random_) : BodyType::dynamic;
      add(box, type);
    }
  }

  void add(const Aabb& box, BodyType type) {
    const BoxIndex index = grid_.add(box, type).value();
    model_.add(index, box, type);
    ways_.resize(std::max<std::size_t>(ways_.size(), index + 1));
    ways_[index] = {random_.between(-1.0F, 1.0F), random_.between(-1.0F, 1.0F)};
  }

  /// Adds a box at the place of one that moved while most others rested.
  void add_beside_a_stray(BodyType type) {
    const auto body = model_.bodies().find(stray_);
    if (body != model_.bodies().end()) {
      add(body->second.box, type);
    }
  }

  void remove_some(std::size_t count) {
    for (std::size_t i = 0; i < count && !model_.bodies().empty(); ++i) {
      const BoxIndex index = model_.pick(random_.bits());
      ASSERT_TRUE(grid_.remove(index).has_value());
      model_.remove(index);
    }
  }

  void remove_static_boxes() {
    const auto bodies = model_.bodies();
    for (const auto& [index, body] : bodies) {
      if (body.type == BodyType::static_body) {
        ASSERT_TRUE(grid_.remove(index).has_value());
        model_.remove(index);
      }
    }
  }

  void turn_around() {
    for (Vec2& way : ways_) {
      way = {-way.y, way.x};
    }
  }

  /// Moves all bodies that are not static, or one in `one_in` of them.
  void move(float share, std::uint32_t one_in = 1) {
    std::vector<BoxIndex> indices;
    std::vector<Aabb> boxes;
    for (const auto& [index, body] : model_.bodies()) {
      if (body.type != BodyType::static_body && random_.below(one_in) == 0) {
        const float step = share * size_of(body.box);
        const Aabb box = shifted(body.box, ways_[index].x * step, ways_[index].y * step);
        if (is_valid(box)) {
          indices.push_back(index);
          boxes.push_back(box);
        }
      }
    }
    ASSERT_TRUE(grid_.move(indices, boxes).has_value());
    stray_ = one_in > 2 && !indices.empty() ? indices.front() : stray_;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      model_.move(indices[i], boxes[i]);
    }
  }

  /// Moves all bodies by one vector, and each that is not static also by a share of its size.
  void scroll(Vec2 by, float share) {
    std::vector<BoxIndex> indices;
    std::vector<Aabb> boxes;
    for (const auto& [index, body] : model_.bodies()) {
      if (body.type == BodyType::static_body) {
        continue;
      }
      const float step = share * size_of(body.box);
      const Aabb box = shifted(body.box, by.x + ways_[index].x * step, by.y + ways_[index].y * step);
      indices.push_back(index);
      boxes.push_back(is_valid(box) ? box : body.box);
    }
    ASSERT_TRUE(grid_.move(indices, boxes).has_value());
    for (std::size_t i = 0; i < indices.size(); ++i) {
      model_.move(indices[i], boxes[i]);
    }
  }

  /// Asks for the boxes in an area, for those on a path, and for the pairs of some boxes.
  void expect_answers(const std::string& where) {
    const auto& bodies = model_.bodies();
    if (bodies.empty()) {
      return;
    }
    const Aabb from = bodies.at(model_.pick(random_.bits())).box;
    const Aabb to = bodies.at(model_.pick(random_.bits())).box;
    const Aabb between = merge(from, to);
    if (is_valid(between)) {
      ASSERT_TRUE(test::query_agrees(grid_, model_, between)) << where;
    }
    const Vec2 way = to.min - from.min;
    if (is_finite(way)) {
      const detail::SweptBox path(from, way);
      std::set<BoxIndex> visited;
      detail::SweptBoxScratch scratch;
      detail::BoxSearch(grid_).visit_along_path(path, detail::all_layers, scratch,
                                                [&](std::span<detail::BoxHit> hits) {
                                                  for (const detail::BoxHit& hit : hits) {
                                                    visited.insert(hit.index);
                                                  }
                                                  return 1.0;
                                                });
      for (const auto& [index, body] : bodies) {
        ASSERT_EQ(visited.contains(index), path.entry(body.box) <= 1.0) << where << ", box " << index;
      }
    }
    std::set<BoxIndex> wanted;
    for (int i = 0; i < 5; ++i) {
      wanted.insert(model_.pick(random_.bits()));
    }
    auto expected = model_.pairs();
    std::erase_if(expected, [&](const test::IndexPair& pair) {
      return !wanted.contains(pair.first) && !wanted.contains(pair.second);
    });
    const auto found = grid_.find_pairs_of(std::vector<BoxIndex>(wanted.begin(), wanted.end()));
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(test::sorted_pairs_of(*found), expected) << where;
  }

  void move_a_static_box() {
    for (const auto& [index, body] : model_.bodies()) {
      if (body.type == BodyType::static_body) {
        const Aabb box = shifted(body.box, size_of(body.box), 0.0F);
        if (is_valid(box)) {
          ASSERT_TRUE(grid_.move(index, box).has_value());
          model_.move(index, box);
        }
        return;
      }
    }
  }

  void expect_agreement(const std::string& where) { ASSERT_TRUE(test::agrees(grid_, model_)) << where; }

  HierarchicalGrid& grid() { return grid_; }
  test::Model& model() { return model_; }

 private:
  test::Random random_;
  HierarchicalGrid grid_;
  test::Model model_;
  std::vector<Vec2> ways_;
  BoxIndex stray_ = 0;
};

constexpr const char* kinds[] = {"scattered",        "clustered",       "mixed_sizes", "far_away",
                                 "giant_among_tiny", "touching_edges",  "zero_size",   "all_floats",
                                 "denormals",        "all_in_one_place"};

class Neighborhoods : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Kinds, Neighborhoods, testing::ValuesIn(kinds),
                         [](const auto& kind) { return std::string(kind.param); });

TEST_P(Neighborhoods, resting_boxes) {
  Scene scene(GetParam(), 400, 1, true);
  for (int frame = 0; frame < 6; ++frame) {
    scene.move(0.0F);
    scene.expect_agreement("frame " + std::to_string(frame));
  }
  if (std::string(GetParam()) != "all_floats") {  // some are so large that they cannot grow
    EXPECT_NE(scene.grid().tuning().find("neighbor lists"), std::string::npos) << scene.grid().tuning();
  }
}

TEST_P(Neighborhoods, boxes_that_creep_and_fly_and_stop) {
  Scene scene(GetParam(), 300, 2, false);
  int frame = 0;
  for (const float share : {0.0F, 0.01F, 0.05F, 0.09F, 0.5F, 3.0F, 0.02F, 0.0F}) {
    for (int k = 0; k < 14; ++k) {
      scene.move(share);
      scene.expect_agreement("share " + std::to_string(share) + ", frame " + std::to_string(++frame));
    }
  }
}

TEST_P(Neighborhoods, boxes_that_turn_around) {
  Scene scene(GetParam(), 300, 3, true);
  for (int frame = 0; frame < 40; ++frame) {
    if (frame % 7 == 3) {
      scene.turn_around();
    }
    scene.move(0.06F, 1 + static_cast<std::uint32_t>(frame) % 3);
    scene.expect_agreement("frame " + std::to_string(frame));
  }
}

TEST_P(Neighborhoods, boxes_that_come_and_go) {
  Scene scene(GetParam(), 250, 4, true);
  test::Random random(5);
  const auto stock = test::make_boxes(GetParam(), 100, 6);
  for (int frame = 0; frame < 60; ++frame) {
    scene.move(0.03F);
    if (frame % 3 == 1) {
      scene.remove_some(random.below(9));
    }
    if (frame % 4 == 2) {
      for (std::uint32_t k = random.below(9); k > 0; --k) {
        scene.add(stock[random.below(100)], test::random_type(random));
      }
    }
    if (frame % 5 == 0) {
      scene.move_a_static_box();
    }
    scene.expect_agreement("frame " + std::to_string(frame));
  }
}

// All kinds of changes in any order, and frames in which no pairs are requested.
TEST(NeighborhoodPrograms, agree_with_the_model_whatever_happens) {
  std::size_t with_lists = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    test::Random random(1000 + seed);
    const char* kind = kinds[random.below(static_cast<std::uint32_t>(std::size(kinds)))];
    Scene scene(kind, 40 + random.below(300), seed, random.below(2) == 0);
    const auto stock = test::make_boxes(kind, 64, seed + 1);
    for (int frame = 0; frame < 25; ++frame) {
      for (std::uint32_t events = random.below(3); events > 0; --events) {
        switch (random.below(7)) {
          case 0:
            scene.remove_some(random.below(4));
            break;
          case 1:
            scene.add(stock[random.below(64)], test::random_type(random));
            break;
          case 2:
            scene.add_beside_a_stray(test::random_type(random));
            break;
          case 3:
            scene.move_a_static_box();
            break;
          case 4:
            scene.move(random.below(2) == 0 ? 2.0F : 0.3F, 60);
            break;
          case 5:
            scene.turn_around();
            break;
          default:
            scene.move(0.02F, 2);
        }
      }
      if (random.below(4) != 0) {
        scene.move(random.below(3) == 0 ? 0.0F : 0.03F);
      }
      if (random.below(5) != 0) {
        scene.expect_agreement("seed " + std::to_string(seed) + ", frame " + std::to_string(frame));
        with_lists += scene.grid().tuning().find("neighbor lists") != std::string::npos ? 1 : 0;
      }
    }
  }
  EXPECT_GT(with_lists, 1000U) << "this is about lists of neighbors";
}

// All boxes move by one vector, as in a world that scrolls, and each a little by itself. The vector may be
// far longer than the boxes, so that their sides round to each other, and it may be no common motion at all.
TEST(NeighborhoodPrograms, agree_with_the_model_where_all_boxes_scroll) {
  std::size_t with_lists = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    test::Random random(2000 + seed);
    const char* kind = kinds[random.below(static_cast<std::uint32_t>(std::size(kinds)))];
    Scene scene(kind, 40 + random.below(200), seed, false);
    const auto stock = test::make_boxes(kind, 64, seed + 1);
    const test::ForcedSwitches switches;
    if (random.below(2) == 0) {
      test::ForcedSwitches::force(detail::Switch::neighbor_lists, true);
      test::ForcedSwitches::force(detail::Switch::common_motion, random.below(4) != 0);
    }
    Vec2 by;
    for (int frame = 0; frame < 25; ++frame) {
      const std::string where = "seed " + std::to_string(seed) + ", frame " + std::to_string(frame);
      if (random.below(4) == 0) {
        const float length = std::pow(10.0F, random.between(-3.0F, 7.0F));
        by = {std::round(length) * random.between(-1.0F, 1.0F), length * random.between(-1.0F, 1.0F)};
      }
      switch (random.below(30)) {
        case 0:
          scene.add(stock[random.below(64)], BodyType::static_body);
          break;
        case 1:
          scene.add(stock[random.below(64)], BodyType::dynamic);
          break;
        case 2:
          scene.remove_some(2);
          break;
        case 3:
          scene.remove_static_boxes();
          break;
        case 4:
          scene.move(0.3F, 3);
          break;
        default:
          break;
      }
      scene.scroll(by, random.below(3) == 0 ? 0.03F : 0.0F);
      if (random.below(5) != 0) {
        scene.expect_agreement(where);
        with_lists += scene.grid().tuning().find("neighbor lists") != std::string::npos ? 1 : 0;
      }
      if (random.below(3) == 0) {
        scene.expect_answers(where);
      }
    }
  }
  EXPECT_GT(with_lists, 3000U) << "this is about lists of neighbors";
}

TEST(NeighborhoodCost, a_world_that_scrolls_costs_no_more_tests_than_one_at_rest) {
  const auto tests_of = [](Vec2 by) {
    Scene scene("scattered", 2000, 1, false);
    std::uint64_t tests = 0;
    for (int frame = 0; frame < 50; ++frame) {
      scene.scroll(by, 0.0F);
      scene.expect_agreement("frame " + std::to_string(frame));
      const Statistics counted = scene.grid().statistics();
      tests += counted.tests + counted.update_tests;
    }
    return tests;
  };
  const std::uint64_t at_rest = tests_of({});
  for (const Vec2 by : {Vec2{1, 0}, Vec2{-3, 20}, Vec2{0.001F, 0}}) {
    EXPECT_LE(tests_of(by), at_rest + at_rest / 10) << by.x << ", " << by.y;
  }
}

TEST(NeighborhoodCost, resting_boxes_cost_one_test_a_pair_or_little_more) {
  Scene scene("touching_edges", 2000, 7, false);
  for (int frame = 0; frame < 3; ++frame) {
    scene.move(0.0F);
    static_cast<void>(scene.grid().find_pairs());
  }
  const Statistics statistics = scene.grid().statistics();
  EXPECT_GT(statistics.hits, 2000U);
  EXPECT_LE(statistics.tests, 2 * statistics.hits);
}

TEST(NeighborhoodCost, adding_or_removing_a_static_box_does_not_sort_the_others) {
  Scene scene("scattered", 10, 8, false);
  auto many = test::make_boxes("scattered", 5000, 9);
  const auto indices = scene.grid().add(many, BodyType::static_body).value();
  for (std::size_t i = 0; i < many.size(); ++i) {
    scene.model().add(indices[i], many[i], BodyType::static_body);
  }
  scene.expect_agreement("many static boxes");
  const std::size_t rows = scene.grid().statistics().cells;
  scene.add(many[17], BodyType::static_body);
  scene.expect_agreement("one more");
  EXPECT_GT(scene.grid().statistics().cells, rows) << "it stands in rows of its own";
  ASSERT_TRUE(scene.grid().remove(indices[4000]).has_value());
  scene.model().remove(indices[4000]);
  scene.expect_agreement("one less");
}

// If the caller passes all boxes in each frame, including those that never move, they cost only a comparison.
TEST(NeighborhoodCost, static_boxes_that_are_moved_to_where_they_are_do_not_count_as_leavers) {
  HierarchicalGrid grid;
  const auto still = test::make_boxes("scattered", 1000, 13);
  const auto movers = test::make_boxes("scattered", 200, 14);
  const auto still_indices = grid.add(still, BodyType::static_body).value();
  const auto mover_indices = grid.add(movers).value();
  static_cast<void>(grid.find_pairs());
  std::uint64_t tests = 0;
  for (int frame = 0; frame < 5; ++frame) {
    ASSERT_TRUE(grid.move(mover_indices, movers).has_value());
    ASSERT_TRUE(grid.move(still_indices, still).has_value());
    static_cast<void>(grid.find_pairs());
    EXPECT_TRUE(frame == 0 || grid.statistics().tests == tests) << frame;
    tests = grid.statistics().tests;
    EXPECT_NE(grid.tuning().find("200 boxes rest"), std::string::npos) << grid.tuning();
  }
}

TEST(NeighborhoodCost, all_moving_boxes_may_be_removed_while_lists_are_kept) {
  Scene scene("touching_edges", 100, 15, true);
  scene.move(0.0F);
  scene.expect_agreement("lists are made");
  for (const auto& [index, body] : std::map(scene.model().bodies())) {
    if (body.type != BodyType::static_body) {
      ASSERT_TRUE(scene.grid().remove(index).has_value());
      scene.model().remove(index);
    }
  }
  scene.expect_agreement("static boxes alone");
  scene.move_a_static_box();
  scene.expect_agreement("one of them moved");
  scene.add(Aabb{{0, 0}, {50, 50}}, BodyType::dynamic);
  scene.expect_agreement("one came");
  scene.move(0.0F);
  scene.expect_agreement("it rests");
}

TEST(NeighborhoodCost, a_static_box_is_added_where_a_box_left_its_neighborhood) {
  HierarchicalGrid grid;
  std::vector<Aabb> boxes;
  for (int i = 0; i < 200; ++i) {
    const auto x = static_cast<float>(4 * i);
    boxes.push_back({{x, 0}, {x + 1, 1}});
  }
  const auto indices = grid.add(boxes).value();
  for (int frame = 0; frame < 4; ++frame) {
    ASSERT_TRUE(grid.move(indices, boxes).has_value());
    EXPECT_TRUE(grid.find_pairs().empty());
  }
  ASSERT_TRUE(grid.move(indices[7], {{28.2F, 0}, {29.2F, 1}}).has_value());
  EXPECT_TRUE(grid.find_pairs().empty());
  ASSERT_TRUE(grid.add({{28.5F, 0.2F}, {28.6F, 0.3F}}, BodyType::static_body).has_value());
  EXPECT_EQ(grid.find_pairs().size(), 1U);
  EXPECT_EQ(grid.find_pairs().size(), 1U);
}

TEST(NeighborhoodCost, a_static_box_may_span_the_range_of_float) {
  constexpr float most = std::numeric_limits<float>::max();
  HierarchicalGrid grid;
  ASSERT_TRUE(grid.add({{-most, -most}, {most, most}}, BodyType::static_body).has_value());
  std::vector<Aabb> boxes;
  for (int i = 0; i < 200; ++i) {
    const auto x = static_cast<float>(2 * i);
    boxes.push_back({{x, 0}, {x + 1, 1}});
  }
  const auto indices = grid.add(boxes).value();
  for (int frame = 0; frame < 4; ++frame) {
    ASSERT_TRUE(grid.move(indices, boxes).has_value());
    EXPECT_EQ(grid.find_pairs().size(), 200U);
  }
  ASSERT_TRUE(grid.add({{0, 50}, {1, 51}}).has_value());
  EXPECT_EQ(grid.find_pairs().size(), 201U);
  ASSERT_TRUE(grid.remove(indices[5]).has_value());
  for (const Pair pair : grid.find_pairs()) {
    EXPECT_TRUE(pair.a != indices[5] && pair.b != indices[5]);
  }
}

TEST(NeighborhoodCost, thin_boxes_side_by_side_have_no_lists_as_long_as_the_square_of_their_number) {
  for (const float height : {0.5F, 0.01F}) {
    HierarchicalGrid grid;
    std::vector<Aabb> boxes;
    for (int i = 0; i < 4000; ++i) {
      const auto y = static_cast<float>(i);
      boxes.push_back({{0, y}, {4000, y + height}});
    }
    const auto indices = grid.add(boxes).value();
    for (int frame = 0; frame < 20; ++frame) {
      ASSERT_TRUE(grid.move(indices, boxes).has_value());
      EXPECT_TRUE(grid.find_pairs().empty());
      EXPECT_LE(grid.statistics().tests, 20 * boxes.size());
    }
  }
}

TEST(NeighborhoodCost, memory_stays_level_without_a_search_for_pairs) {
  HierarchicalGrid grid;
  const BoxIndex wall = grid.add({{0, 0}, {1, 1}}, BodyType::static_body).value();
  grid.update();
  for (int frame = 0; frame < 20000; ++frame) {
    const auto x = static_cast<float>(frame % 2);
    ASSERT_TRUE(grid.move(wall, {{x, 0}, {x + 1, 1}}).has_value());
    const BoxIndex ball = grid.add({{x, 0}, {x + 1, 1}}).value();
    ASSERT_TRUE(grid.remove(ball).has_value());
  }
  EXPECT_LT(grid.statistics().bytes, 20000U);
  EXPECT_TRUE(grid.find_pairs().empty());
}

// A reused slot must not inherit anything.
TEST(NeighborhoodCost, a_slot_changes_its_type_while_lists_are_kept) {
  Scene scene("touching_edges", 200, 10, false);
  for (int frame = 0; frame < 3; ++frame) {
    scene.move(0.0F);
    scene.expect_agreement("at rest");
  }
  test::Random random(11);
  for (int round = 0; round < 30; ++round) {
    const BoxIndex index = scene.model().pick(random.bits());
    const Aabb box = scene.model().bodies().at(index).box;
    ASSERT_TRUE(scene.grid().remove(index).has_value());
    scene.model().remove(index);
    scene.add(box, round % 3 == 0   ? BodyType::static_body
                   : round % 3 == 1 ? BodyType::dynamic
                                    : BodyType::kinematic);
    if (round % 2 == 0) {
      scene.move(0.0F);
    }
    scene.expect_agreement("round " + std::to_string(round));
  }
}

TEST(NeighborhoodCost, frames_cost_the_same_without_neighbor_lists) {
  const auto made = HierarchicalGrid::create({.row_height = {}, .neighbor_lists = false}).value();
  BroadPhase& grid = *made;
  const auto boxes = test::make_boxes("scattered", 1000, 12);
  const auto indices = grid.add(boxes).value();
  static_cast<void>(grid.find_pairs());
  const std::uint64_t tests = grid.statistics().tests;
  for (int frame = 0; frame < 3; ++frame) {
    ASSERT_TRUE(grid.move(indices, boxes).has_value());
    static_cast<void>(grid.find_pairs());
    EXPECT_EQ(grid.statistics().tests, tests);
  }
}

}  // namespace
}  // namespace broadside::neighborhood_test
