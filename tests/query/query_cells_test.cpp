// The cells that queries report as visited: they contain all results, and no unnecessary cell is visited.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broad_phase/swept_box.hpp"
#include "broadside/broad_phase/hash_grid.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/broad_phase/techniques.hpp"
#include "broadside/broad_phase/uniform_grid.hpp"
#include "broadside/query/area.hpp"
#include "broadside/query/cast.hpp"
#include "broadside/query/nearest.hpp"
#include "broadside/query/ray.hpp"
#include "broadside/world/world.hpp"
#include "instruction_sets.hpp"

namespace broadside::test::query_cells_test {

namespace {

constexpr float side = 512.0F;
constexpr float cell_side = 16.0F;

/// Circles and boxes, none larger than a cell, in a square.
class Crowd {
 public:
  Crowd(std::unique_ptr<BroadPhase> phase, std::size_t count) : random_(21), phase_(std::move(phase)) {
    std::vector<Aabb> boxes;
    for (std::size_t i = 0; i < count; ++i) {
      const float size = random_.between(0.5F, 6.0F);
      shapes_.push_back(i % 2 == 0 ? Shape(Circle{{}, size}) : Shape(Box::of_half_size({size, 0.5F * size})));
      transforms_.push_back({anywhere(), {}});
      boxes.push_back(bounds(shapes_.back(), transforms_.back()));
    }
    phase_->add(boxes).value();
    phase_->update();
  }

  [[nodiscard]] ShapeSet set() const { return {*phase_, shapes_, transforms_}; }
  [[nodiscard]] BroadPhase& phase() { return *phase_; }
  [[nodiscard]] const Aabb& box(BoxIndex index) const { return phase_->box_of(index); }
  Vec2 anywhere() {
    const float x = random_.between(8.0F, side - 8.0F);
    return {x, random_.between(8.0F, side - 8.0F)};
  }
  Vec2 way() { return {random_.between(-200.0F, 200.0F), random_.between(-200.0F, 200.0F)}; }
  Aabb area() {
    const Vec2 at = anywhere();
    return {at, at + Vec2{random_.between(0.0F, 200.0F), random_.between(0.0F, 100.0F)}};
  }

 private:
  Random random_;
  std::unique_ptr<BroadPhase> phase_;
  std::vector<Shape> shapes_;
  std::vector<Transform> transforms_;
};

Crowd make_crowd(std::string_view technique, std::size_t count = 2000) {
  const TechniqueOptions options{.cell_size = Vec2{cell_side, cell_side},
                                 .bounds = Aabb{{0.0F, 0.0F}, {side, side}}};
  return {find_technique(technique).value()->create(options).value(), count};
}

const std::vector<std::string_view> with_cells = {"uniform-grid", "hash-grid", "hierarchical-grid"};

std::vector<BoxIndex> area_hits(const ShapeSet& set, const Aabb& area) {
  std::vector<BoxIndex> hits;
  query_area(set, area, hits).value();
  return hits;
}

std::vector<BoxIndex> ray_hits(const ShapeSet& set, Vec2 from, Vec2 way) {
  const auto hit = cast_ray(set, from, way).value();
  return hit ? std::vector<BoxIndex>{hit->index} : std::vector<BoxIndex>{};
}

std::vector<BoxIndex> cast_hits(const ShapeSet& set, Vec2 from, Vec2 way) {
  std::vector<BoxIndex> hits;
  const auto take = [&](const ShapeHit& hit) {
    hits.push_back(hit.index);
    return true;
  };
  visit_cast(set, Circle{{}, 3.0F}, {from, {}}, way, take).value();
  return hits;
}

std::vector<NearestShape> nearest_hits(const ShapeSet& set, Vec2 point, std::size_t count) {
  std::vector<NearestShape> hits;
  nearest(set, point, count, std::numeric_limits<float>::max(), hits).value();
  return hits;
}

std::vector<BoxIndex> names_of(const std::vector<NearestShape>& hits) {
  std::vector<BoxIndex> names;
  for (const NearestShape& hit : hits) {
    names.push_back(hit.index);
  }
  return names;
}

bool is_within(const Aabb& inner, const Aabb& outer) {
  return contains(outer, inner.min) && contains(outer, inner.max);
}

/// Runs a query unwatched and watched, and compares the results; returns the visited cells.
template <typename Ask>
std::vector<Cell> watch(Crowd& crowd, const Ask& ask) {
  const std::vector<BoxIndex> unwatched = ask();
  for (const Cell& cell : crowd.phase().query_cells()) {
    EXPECT_EQ(cell.visits, 0U);
  }
  crowd.phase().watch_queries(true);
  const std::vector<BoxIndex> found = ask();
  std::vector<Cell> cells = crowd.phase().query_cells();
  crowd.phase().watch_queries(false);
  EXPECT_EQ(found, unwatched);
  EXPECT_FALSE(cells.empty());
  std::erase_if(cells, [](const Cell& cell) { return cell.visits == 0; });
  for (const BoxIndex index : found) {
    EXPECT_TRUE(std::any_of(cells.begin(), cells.end(),
                            [&](const Cell& cell) { return overlaps(cell.bounds, crowd.box(index)); }))
        << "nobody looked for " << index;
  }
  return cells;
}

TEST(QueryCells, cover_every_hit) {
  for (const std::string_view technique : with_cells) {
    SCOPED_TRACE(technique);
    Crowd crowd = make_crowd(technique);
    for (int i = 0; i < 100; ++i) {
      const Aabb area = crowd.area();
      const Vec2 from = crowd.anywhere();
      const Vec2 way = crowd.way();
      watch(crowd, [&] { return area_hits(crowd.set(), area); });
      watch(crowd, [&] { return ray_hits(crowd.set(), from, way); });
      watch(crowd, [&] { return cast_hits(crowd.set(), from, way); });
      watch(crowd, [&] { return names_of(nearest_hits(crowd.set(), from, 5)); });
      watch(crowd, [&] {
        std::vector<BoxIndex> hits;
        crowd.phase().query_area(area, hits).value();
        return hits;
      });
    }
  }
}

TEST(QueryCells, of_a_grid_are_the_cells_that_an_area_touches) {
  for (const std::string_view technique : {"uniform-grid", "hash-grid"}) {
    SCOPED_TRACE(technique);
    Crowd crowd = make_crowd(technique);
    for (int i = 0; i < 100; ++i) {
      const Aabb area = crowd.area();
      std::size_t touched = 0;
      for (const Cell& cell : crowd.phase().cells()) {
        // A cell contains its left and lower edges; the other edges belong to its neighbors.
        touched +=
            overlaps(cell.bounds, area) && cell.bounds.max.x > area.min.x && cell.bounds.max.y > area.min.y
                ? 1U
                : 0U;
      }
      const auto cells = watch(crowd, [&] { return area_hits(crowd.set(), area); });
      EXPECT_EQ(cells.size(), touched);
      for (const Cell& cell : cells) {
        EXPECT_TRUE(overlaps(cell.bounds, area));
        EXPECT_EQ(cell.visits, 1U);
      }
    }
  }
}

// A ray is traversed in segments about as long as a cell: no cell beyond its end or beyond the segment with
// the hit is visited.
TEST(QueryCells, of_a_ray_reach_from_its_start_to_its_hit) {
  for (const std::string_view technique : {"uniform-grid", "hash-grid"}) {
    SCOPED_TRACE(technique);
    for (const std::size_t count : {60U, 2000U}) {
      Crowd crowd = make_crowd(technique, count);
      for (int i = 0; i < 200; ++i) {
        const Vec2 from = crowd.anywhere();
        const Vec2 way = i % 3 == 0   ? Vec2{crowd.way().x, 0}
                         : i % 3 == 1 ? Vec2{0, crowd.way().y}
                                      : crowd.way();
        const auto hit = cast_ray(crowd.set(), from, way).value();
        const auto between = [&](float time, float margin) {
          const Vec2 end = from + time * way;
          const Vec2 around{margin, margin};
          return merge(Aabb{from - around, from + around}, Aabb{end - around, end + around});
        };
        const Aabb all = between(1.0F, 0.01F);
        const Aabb up_to_hit = between(hit ? hit->fraction : 1.0F, cell_side + 0.01F);
        for (const Cell& cell : watch(crowd, [&] { return ray_hits(crowd.set(), from, way); })) {
          EXPECT_TRUE(overlaps(cell.bounds, all)) << i;
          EXPECT_TRUE(overlaps(cell.bounds, up_to_hit)) << i;
        }
      }
    }
  }
}

/// The nodes of a tree, by levels.
class Nodes {
 public:
  explicit Nodes(const std::vector<Cell>& nodes) : nodes_(nodes) {
    for (const Cell& node : nodes_) {
      top_ = std::max(top_, node.level);
    }
  }

  /// Expects that a node is visited if `must` holds, and only if `may` holds and its parent was visited; the
  /// topmost nodes may always be visited.
  template <typename Must, typename May>
  void expect(const Must& must, const May& may) const {
    for (const Cell& node : nodes_) {
      const bool is_looked_into = node.visits > 0;
      EXPECT_TRUE(is_looked_into || !must(node.bounds));
      EXPECT_TRUE(!is_looked_into || node.level == top_ || may(node.bounds));
      EXPECT_TRUE(!is_looked_into || node.level == top_ || has_parent(node));
    }
  }

  [[nodiscard]] std::size_t boxes_of(std::uint32_t level) const {
    std::size_t sum = 0;
    for (const Cell& node : nodes_) {
      sum += node.level == level ? node.boxes : 0;
    }
    return sum;
  }
  [[nodiscard]] std::uint32_t top() const { return top_; }

 private:
  [[nodiscard]] bool has_parent(const Cell& node) const {
    return std::any_of(nodes_.begin(), nodes_.end(), [&](const Cell& one) {
      return one.level == node.level + 1 && one.visits > 0 && is_within(node.bounds, one.bounds);
    });
  }

  const std::vector<Cell>& nodes_;
  std::uint32_t top_ = 0;
};

float distance_of(const Aabb& box, Vec2 point) {
  const float x = std::max({box.min.x - point.x, point.x - box.max.x, 0.0F});
  return std::hypot(x, std::max({box.min.y - point.y, point.y - box.max.y, 0.0F}));
}

TEST(QueryCells, of_a_tree_are_the_nodes_that_the_query_must_visit) {
  Crowd crowd = make_crowd("hierarchical-grid", 5000);
  crowd.phase().watch_queries(true);
  for (int i = 0; i < 200; ++i) {
    const auto ask = [&](const auto& question) {
      crowd.phase().watch_queries(true);
      question();
      return crowd.phase().query_cells();
    };
    const Aabb area = crowd.area();
    const auto crosses = [&](const Aabb& box) { return overlaps(box, area) && !is_within(box, area); };
    const auto in_area = ask([&] { area_hits(crowd.set(), area); });
    Nodes(in_area).expect(crosses, crosses);
    for (std::uint32_t level = 0; level <= Nodes(in_area).top(); ++level) {
      EXPECT_EQ(Nodes(in_area).boxes_of(level), crowd.phase().size());
    }

    constexpr double rounding = 1e-4;
    const Vec2 from = crowd.anywhere();
    const Vec2 way = crowd.way();
    double time = 1.0;
    const auto on_ray = ask([&] {
      const auto hit = cast_ray(crowd.set(), from, way).value();
      time = hit ? static_cast<double>(hit->fraction) : 1.0;
    });
    const detail::SweptBox path({from, from}, way);
    Nodes(on_ray).expect([&](const Aabb& box) { return path.entry(box) < time * (1.0 - rounding); },
                         [&](const Aabb& box) {
                           const Vec2 margin{0.01F, 0.01F};
                           return path.entry({box.min - margin, box.max + margin}) <= 1.0;
                         });

    float farthest = 0.0F;
    const auto around = ask([&] { farthest = nearest_hits(crowd.set(), from, 7).back().distance; });
    Nodes(around).expect([&](const Aabb& box) { return distance_of(box, from) < farthest * 0.9999F; },
                         [](const Aabb& /*box*/) { return true; });
    const auto visits = std::count_if(around.begin(), around.end(),
                                      [](const Cell& node) { return node.level == 0 && node.visits > 0; });
    EXPECT_LT(visits, 25) << "of 313 leaves";
  }
}

TEST(QueryCells, are_the_same_with_each_instruction_set) {
  std::vector<std::uint32_t> first;
  test::for_instruction_sets([&](const char* instruction_set) {
    Crowd crowd = make_crowd("hierarchical-grid");
    crowd.phase().watch_queries(true);
    for (int i = 0; i < 50; ++i) {
      area_hits(crowd.set(), crowd.area());
      cast_hits(crowd.set(), crowd.anywhere(), crowd.way());
      ray_hits(crowd.set(), crowd.anywhere(), crowd.way());
      nearest_hits(crowd.set(), crowd.anywhere(), 3);
    }
    std::vector<std::uint32_t> visits;
    for (const Cell& cell : crowd.phase().query_cells()) {
      visits.push_back(cell.visits);
    }
    first = first.empty() ? visits : first;
    EXPECT_EQ(visits, first) << instruction_set;
  });
}

TEST(QueryCells, count_visits_until_a_box_changes) {
  for (const std::string_view technique : with_cells) {
    SCOPED_TRACE(technique);
    Crowd crowd = make_crowd(technique);
    const auto visits = [&] {
      std::size_t sum = 0;
      for (const Cell& cell : crowd.phase().query_cells()) {
        sum += cell.visits;
      }
      return sum;
    };
    const Aabb area{{100.0F, 100.0F}, {150.0F, 130.0F}};
    crowd.phase().watch_queries(true);
    area_hits(crowd.set(), area);
    const std::size_t once = visits();
    EXPECT_GT(once, 0U);
    area_hits(crowd.set(), area);
    EXPECT_EQ(visits(), 2 * once);
    crowd.phase().move(0, {{1.0F, 1.0F}, {2.0F, 2.0F}}).value();
    EXPECT_EQ(visits(), 0U);
    crowd.phase().update();
    area_hits(crowd.set(), area);
    EXPECT_GT(visits(), 0U);
    crowd.phase().watch_queries(false);
    area_hits(crowd.set(), area);
    EXPECT_EQ(visits(), 0U);
  }
}

TEST(QueryCells, are_empty_where_a_query_tests_all_boxes) {
  for (const std::string_view technique : {"brute-force", "sweep-and-prune"}) {
    Crowd crowd = make_crowd(technique);
    crowd.phase().watch_queries(true);
    area_hits(crowd.set(), crowd.area());
    EXPECT_TRUE(crowd.phase().query_cells().empty());
  }
  Crowd few = make_crowd("hierarchical-grid", 63);
  few.phase().watch_queries(true);
  area_hits(few.set(), few.area());
  ray_hits(few.set(), few.anywhere(), few.way());
  nearest_hits(few.set(), few.anywhere(), 3);
  EXPECT_TRUE(few.phase().query_cells().empty());
}

TEST(QueryCells, keep_their_visits_when_a_call_changes_nothing) {
  for (const std::string_view technique : with_cells) {
    Crowd crowd(find_technique(technique).value()->create({}).value(), 300);
    crowd.phase().watch_queries(true);
    static_cast<void>(nearest_hits(crowd.set(), crowd.anywhere(), 3));
    const auto visits = [&] {
      std::vector<std::uint32_t> counts;
      for (const Cell& cell : crowd.phase().query_cells()) {
        counts.push_back(cell.visits);
      }
      return counts;
    };
    const auto before = visits();
    EXPECT_FALSE(before.empty()) << technique;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(crowd.phase().move(7, Aabb{{nan, 0}, {1, 1}}).has_value());
    EXPECT_FALSE(crowd.phase().remove(100'000).has_value());
    EXPECT_FALSE(crowd.phase().add(Aabb{{1, 1}, {0, 0}}).has_value());
    EXPECT_TRUE(crowd.phase().add(std::vector<Aabb>()).value().empty());
    EXPECT_EQ(visits(), before) << technique;
  }
}

TEST(QueryCells, of_a_world_are_counted_after_its_technique_is_replaced) {
  World world;
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    const Vec2 at{random.between(0.0F, 100.0F), random.between(0.0F, 100.0F)};
    world.add({.shape = Circle{{}, 1.0F}, .position = at}).value();
  }
  world.watch_queries(true);
  const std::vector<std::byte> snapshot = world.snapshot();
  for (const bool is_restored : {false, true}) {
    for (const std::string_view technique : with_cells) {
      world.set_technique(technique).value();
      if (is_restored) {
        world.restore(snapshot).value();
      }
      EXPECT_EQ(world.nearest({50.0F, 50.0F}, 3).value().size(), 3U);
      const auto cells = world.broad_phase().query_cells();
      EXPECT_TRUE(std::any_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.visits > 0; }));
    }
  }
}

}  // namespace

}  // namespace broadside::test::query_cells_test
