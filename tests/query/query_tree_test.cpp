// After many queries a `HierarchicalGrid` answers from a tree. These tests make enough queries for it to be
// built; the other tests do not.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broad_phase/box_search.hpp"
#include "broad_phase/box_tree.hpp"
#include "broadside/broad_phase/brute_force.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/query/area.hpp"
#include "broadside/query/cast.hpp"
#include "broadside/query/nearest.hpp"
#include "broadside/query/ray.hpp"
#include "instruction_sets.hpp"

namespace broadside::test::query_tree_test {

namespace {

constexpr std::size_t count = 1500;

/// The layout of a world.
struct Layout {
  const char* name;
  float width;
  float height;
  float size;    ///< of shapes
  float spread;  ///< of a cluster
  Vec2 origin;
  Vec2 outlier{};  ///< position of one shape; none if 0
};

const std::vector<Layout> layouts = {
    {"clusters", 3000.0F, 3000.0F, 1.0F, 10.0F, {}},
    {"wide", 20000.0F, 40.0F, 1.0F, 10.0F, {-500.0F, 3.0F}},
    {"on_a_line", 0.0F, 9000.0F, 1.0F, 0.0F, {}},
    {"far_away", 3000.0F, 3000.0F, 1.0F, 10.0F, {1e6F, -1e6F}},
    {"dense", 60.0F, 60.0F, 1.0F, 30.0F, {}},
    {"in_one_place", 0.0F, 0.0F, 1.0F, 0.0F, {7.0F, 7.0F}},
    {"and_one_far_away", 3000.0F, 3000.0F, 1.0F, 10.0F, {}, {1e30F, -1e20F}},
    {"tiny",
     std::ldexp(3000.0F, -100),
     std::ldexp(3000.0F, -100),
     std::ldexp(1.0F, -100),
     std::ldexp(10.0F, -100),
     {}},
    {"huge",
     std::ldexp(3000.0F, 100),
     std::ldexp(3000.0F, 100),
     std::ldexp(1.0F, 100),
     std::ldexp(10.0F, 100),
     {}},
};

/// The same shapes in a hierarchical grid and in the brute-force technique.
class Twins {
 public:
  Twins(const Layout& layout, std::uint64_t seed) : layout_(layout), random_(seed) {
    std::vector<Vec2> centers;
    for (int i = 0; i < 12; ++i) {
      centers.push_back(anywhere());
    }
    std::vector<Aabb> boxes;
    for (std::size_t i = 0; i < count; ++i) {
      const float x = random_.between(-1.0F, 1.0F) * layout.spread;
      const float y = random_.between(-1.0F, 1.0F) * layout.spread;
      const Vec2 place = i == 77 && layout.outlier != Vec2{} ? layout.outlier : centers[i % centers.size()];
      transforms_.push_back({place + Vec2{x, y}, {}});
      const float size = random_.between(0.1F, 1.0F) * layout.size;
      shapes_.push_back(i % 3 == 0 ? Shape(Circle{{}, size}) : Shape(Box::of_half_size({size, 0.5F * size})));
      boxes.push_back(bounds(shapes_.back(), transforms_.back()));
    }
    EXPECT_EQ(grid_.add(std::span(boxes).first(count / 2), BodyType::static_body).value(),
              all_.add(std::span(boxes).first(count / 2), BodyType::static_body).value());
    EXPECT_EQ(grid_.add(std::span(boxes).last(count - count / 2)).value(),
              all_.add(std::span(boxes).last(count - count / 2)).value());
    grid_.update();
  }

  /// Runs frames in which some shapes move a little, and one far.
  void move() {
    for (int frame = 0; frame < 4; ++frame) {
      for (std::size_t k = 0; k < 60; ++k) {
        const std::size_t i = k == 0 ? count - 1 : random_.below(count);
        if (!grid_.contains(static_cast<BoxIndex>(i))) {
          continue;
        }
        const float step = 0.2F * layout_.size;
        transforms_[i].position =
            k == 0 ? anywhere() : transforms_[i].position + Vec2{random_.between(-step, step), step};
        const auto index = static_cast<BoxIndex>(i);
        EXPECT_TRUE(grid_.move(index, bounds(shapes_[i], transforms_[i])).has_value());
        EXPECT_TRUE(all_.move(index, bounds(shapes_[i], transforms_[i])).has_value());
      }
      static_cast<void>(grid_.find_pairs());
    }
    for (const BoxIndex index : {BoxIndex{5}, BoxIndex{1000}}) {
      if (grid_.contains(index)) {
        EXPECT_TRUE(grid_.remove(index).has_value());
        EXPECT_TRUE(all_.remove(index).has_value());
      }
    }
    grid_.update();
  }

  /// Moves some shapes a little or far, or removes one, and updates nothing.
  void change() {
    for (std::uint32_t k = std::array{1U, 1U, 4U, 40U}[random_.below(4)]; k > 0; --k) {
      const auto index = static_cast<BoxIndex>(random_.below(count));
      if (!grid_.contains(index)) {
        continue;
      }
      if (random_.below(8) == 0) {
        EXPECT_TRUE(grid_.remove(index).has_value());
        EXPECT_TRUE(all_.remove(index).has_value());
        continue;
      }
      const float step = 0.2F * layout_.size;
      Vec2& position = transforms_[index].position;
      position = random_.below(4) == 0
                     ? anywhere()
                     : position + Vec2{random_.between(-step, step), random_.between(-step, step)};
      EXPECT_TRUE(grid_.move(index, bounds(shapes_[index], transforms_[index])).has_value());
      EXPECT_TRUE(all_.move(index, bounds(shapes_[index], transforms_[index])).has_value());
    }
  }
  /// Returns whether queries are answered without a test of all boxes.
  [[nodiscard]] bool has_answers() const { return !detail::BoxSearch(grid_).is_outdated(); }

  Vec2 anywhere() {
    const float x = random_.between(0.0F, 1.0F) * layout_.width;
    return layout_.origin + Vec2{x, random_.between(0.0F, 1.0F) * layout_.height};
  }
  Vec2 somewhere() {
    if (random_.below(2) == 0) {
      return anywhere();
    }
    const float beside = 3.0F * layout_.size;
    const Vec2 place = transforms_[random_.below(count)].position;
    return place + Vec2{random_.between(-beside, beside), random_.between(-beside, beside)};
  }
  Vec2 way() {
    constexpr std::array lengths = {0.001F, 0.1F, 1.0F, 3.0F};
    const float length = lengths[random_.below(4)] * std::max(layout_.width, layout_.height);
    const std::uint32_t kind = random_.below(4);
    const float x = kind == 0 ? 0.0F : random_.between(-length, length);
    return {x, kind == 1 ? 0.0F : random_.between(-length, length)};
  }

  void check(int questions) {
    for (int i = 0; i < questions; ++i) {
      check_areas();
      check_ways();
      const Vec2 point = i % 8 == 0 ? somewhere() + 5.0F * way() : somewhere();
      const std::size_t wanted = 1 + random_.below(10);
      const float most = i % 3 == 0 ? layout_.size * 20.0F : std::numeric_limits<float>::max();
      const auto accept = [](BoxIndex index) { return index % 5 != 0; };
      std::vector<NearestShape> here;
      std::vector<NearestShape> there;
      ASSERT_TRUE(nearest(grid(), point, wanted, most, here, accept).has_value());
      ASSERT_TRUE(nearest(all(), point, wanted, most, there, accept).has_value());
      ASSERT_EQ(here, there);
    }
  }

  [[nodiscard]] ShapeSet grid() const { return {grid_, shapes_, transforms_}; }
  [[nodiscard]] ShapeSet all() const { return {all_, shapes_, transforms_}; }

 private:
  void check_areas() {
    const Vec2 a = somewhere();
    const Vec2 b = random_.below(2) == 0 ? somewhere() : a + 0.01F * way();
    const Aabb area{{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
    std::vector<BoxIndex> here;
    std::vector<BoxIndex> there;
    ASSERT_TRUE(query_area(grid(), area, here).has_value());
    ASSERT_TRUE(query_area(all(), area, there).has_value());
    ASSERT_EQ(here, there);
    ASSERT_TRUE(grid_.query_area(area, here).has_value());
    ASSERT_TRUE(all_.query_area(area, there).has_value());
    ASSERT_EQ(here, there);
  }

  void check_ways() {
    const Vec2 start = somewhere();
    const Vec2 step = way();
    std::vector<BoxIndex> here;
    std::vector<BoxIndex> there;
    const auto into = [](std::vector<BoxIndex>& list) {
      return [&list](const auto& hit) {
        list.push_back(hit.index);
        return true;
      };
    };
    ASSERT_TRUE(visit_ray(grid(), start, step, into(here)).has_value());
    ASSERT_TRUE(visit_ray(all(), start, step, into(there)).has_value());
    ASSERT_EQ(here, there);
    const auto first = cast_ray(grid(), start, step).value();
    ASSERT_EQ(first.has_value(), !there.empty());
    ASSERT_TRUE(!first || first->index == there.front());
    const Shape circle = Circle{{}, layout_.size};
    here.clear();
    there.clear();
    ASSERT_TRUE(visit_cast(grid(), circle, {start, {}}, step, into(here)).has_value());
    ASSERT_TRUE(visit_cast(all(), circle, {start, {}}, step, into(there)).has_value());
    ASSERT_EQ(here, there);
  }

  Layout layout_;
  Random random_;
  HierarchicalGrid grid_;
  BruteForce all_;
  std::vector<Shape> shapes_;
  std::vector<Transform> transforms_;
};

TEST(QueryTree, misses_no_hit) {
  for (const Layout& layout : layouts) {
    SCOPED_TRACE(layout.name);
    Twins twins(layout, 3);
    for (int round = 0; round < 3 && !testing::Test::HasFatalFailure(); ++round) {
      twins.check(200);
      twins.move();
    }
  }
}

TEST(QueryTree, follows_changes_between_queries) {
  std::size_t rounds = 0;
  std::size_t followed = 0;
  for (const Layout& layout : layouts) {
    SCOPED_TRACE(layout.name);
    Twins twins(layout, 5);
    twins.check(100);
    for (int round = 0; round < 120 && !testing::Test::HasFatalFailure(); ++round) {
      twins.change();
      followed += twins.has_answers() ? 1U : 0U;
      ++rounds;
      twins.check(2);
      if (round % 40 == 39) {
        twins.move();
      }
    }
  }
  EXPECT_GT(followed, rounds / 2) << "this is about a tree that follows changes";
}

TEST(QueryTree, is_built_by_concurrent_queries) {
  const Twins twins(layouts[0], 4);
  std::vector<BoxIndex> there;
  const Aabb everything{{-1e4F, -1e4F}, {1e4F, 1e4F}};
  ASSERT_TRUE(query_area(twins.all(), everything, there).has_value());
  const auto ask = [&] {
    std::vector<BoxIndex> here;
    for (int i = 0; i < 200; ++i) {
      EXPECT_TRUE(query_area(twins.grid(), everything, here).has_value());
      EXPECT_EQ(here, there);
    }
  };
  std::thread other(ask);
  ask();
  other.join();
}

TEST(QueryTree, is_built_once_queries_have_paid_for_it_and_rebuilt_without_allocating) {
  constexpr std::size_t size = 1000;
  std::vector<Aabb> boxes;
  for (std::size_t i = 0; i < size; ++i) {
    const auto x = static_cast<float>(i % 30);
    const auto y = static_cast<float>(i / 100);
    boxes.push_back({{x, y}, {x + 1.0F, y + 1.0F}});
  }
  const std::vector<unsigned char> used(boxes.size(), 1);
  detail::BoxTree tree;
  EXPECT_FALSE(tree.needs_cost());
  std::vector<BoxIndex> hits;
  hits.reserve(size);
  for (const bool is_first : {true, false}) {
    tree.reset(boxes.size(), boxes.size());
    EXPECT_TRUE(tree.needs_cost());
    const AllocationWatch watch;
    tree.add_query_cost(size - 1, {boxes, used});
    EXPECT_FALSE(tree.is_built());
    tree.add_query_cost(1, {boxes, used});
    ASSERT_TRUE(tree.is_built());
    hits.clear();
    detail::find_split(tree.view(), {{-1.0F, -1.0F}, {100.0F, 100.0F}}, hits, hits);
    EXPECT_EQ(hits.size(), size);
    EXPECT_EQ(watch.count() == 0U, !is_first);
  }
}

std::vector<Aabb> some_boxes(Random& random, int wanted) {
  std::vector<Aabb> boxes;
  for (int i = 0; i < wanted; ++i) {
    const float x = random.between(-50.0F, 50.0F);
    const float y = random.between(-50.0F, 50.0F);
    boxes.push_back({{x, y}, {x + random.between(0.0F, 3.0F), y + random.between(0.0F, 3.0F)}});
  }
  return boxes;
}

/// Returns boxes: some spread over the plane, some ever closer to the origin, some at one position.
std::vector<Aabb> uneven_boxes(Random& random, std::size_t wanted) {
  std::vector<Aabb> boxes = some_boxes(random, static_cast<int>(wanted));
  for (std::size_t i = 0; i < wanted; ++i) {
    if (i % 5 == 0) {
      const float at = std::ldexp(1.0F, 40 - static_cast<int>(i % 180));
      boxes[i] = {{at, -at}, {1.5F * at, -0.5F * at}};
    } else if (i % 5 == 1) {
      boxes[i] = {{7.0F, 8.0F}, {9.0F, 10.0F}};
    }
  }
  return boxes;
}

/// Queries a tree for all boxes by distance, few at first; returns the distances in the order of the indices.
std::vector<double> find_distances(const detail::BoxTree& tree, Vec2 point, std::size_t wanted,
                                   std::size_t size) {
  std::vector<double> distances(size, -1.0);
  double last = 0.0;
  detail::NearestScratch room;
  const auto take = [&](std::span<const detail::Near> found) {
    for (const detail::Near& one : found) {
      EXPECT_GE(one.distance2, last);
      EXPECT_EQ(distances[one.index], -1.0) << "visited twice";
      last = one.distance2;
      distances[one.index] = std::sqrt(one.distance2);
    }
    return std::numeric_limits<double>::infinity();
  };
  detail::visit_nearest(tree.view(), {point, wanted, std::numeric_limits<double>::infinity()}, room, take);
  return distances;
}

TEST(QueryTree, of_any_size_finds_all_boxes_in_an_area_and_around_a_point) {
  Random random(11);
  for (const std::size_t size : {64U, 65U, 256U, 257U, 1023U, 1024U, 1025U, 4097U, 16400U}) {
    SCOPED_TRACE(size);
    const std::vector<Aabb> boxes = uneven_boxes(random, size);
    const std::vector<unsigned char> used(size, 1);
    detail::BoxTree tree;
    tree.reset(size, size);
    tree.add_query_cost(size, {boxes, used});
    ASSERT_TRUE(tree.is_built());
    for (int i = 0; i < 20; ++i) {
      const Vec2 at{random.between(-60.0F, 60.0F), random.between(-60.0F, 60.0F)};
      const Aabb area{at, at + Vec2{random.between(0.0F, 60.0F), random.between(0.0F, 20.0F)}};
      std::vector<BoxIndex> here;
      std::vector<BoxIndex> there;
      detail::find_split(tree.view(), area, here, here);
      std::sort(here.begin(), here.end());
      for (std::size_t k = 0; k < size; ++k) {
        if (overlaps(boxes[k], area)) {
          there.push_back(static_cast<BoxIndex>(k));
        }
      }
      ASSERT_EQ(here, there);
    }
    for (const std::size_t wanted : {1U, 7U, 16U, 17U, 100U}) {
      const Vec2 at{random.between(-60.0F, 60.0F), random.between(-60.0F, 60.0F)};
      const std::vector<double> distances = find_distances(tree, at, wanted, size);
      for (std::size_t k = 0; k < size; ++k) {
        const double x = std::max({0.0, static_cast<double>(boxes[k].min.x) - static_cast<double>(at.x),
                                   static_cast<double>(at.x) - static_cast<double>(boxes[k].max.x)});
        const double y = std::max({0.0, static_cast<double>(boxes[k].min.y) - static_cast<double>(at.y),
                                   static_cast<double>(at.y) - static_cast<double>(boxes[k].max.y)});
        const double distance = std::sqrt(x * x + y * y);
        ASSERT_LE(distances[k], distance * (1.0 + 0x1p-20));
        ASSERT_GE(distances[k], distance * (1.0 - 0x1p-14) - 0x1p-60);
      }
    }
  }
}

// Squares of lengths about 2^-71 are near the smallest floats, some of which are treated as 0.
TEST(QueryTree, visits_each_box_once_however_small_its_distance_is) {
  Random random(12);
  for (int round = 0; round < 50; ++round) {
    std::vector<Aabb> boxes(64 + random.below(100));
    for (Aabb& box : boxes) {
      const float x = std::ldexp(random.between(1.0F, 2.0F), -69 - static_cast<int>(random.below(5)));
      box = {{x, -x}, {2.0F * x, x}};
    }
    boxes[0].min.x = 0.0F;
    const std::vector<unsigned char> used(boxes.size(), 1);
    detail::BoxTree tree;
    tree.reset(boxes.size(), boxes.size());
    tree.add_query_cost(boxes.size(), {boxes, used});
    ASSERT_TRUE(tree.is_built());
    for (const std::size_t wanted : {1U, 7U}) {
      const std::vector<double> distances = find_distances(tree, {}, wanted, boxes.size());
      ASSERT_EQ(std::count(distances.begin(), distances.end(), -1.0), 0) << "left out";
    }
  }
}

TEST(QueryTree, is_the_same_with_each_instruction_set) {
  Random random(10);
  const std::vector<Aabb> boxes = some_boxes(random, 1001);
  const std::vector<unsigned char> used(boxes.size(), 1);
  std::vector<BoxIndex> first;
  test::for_instruction_sets([&](const char* instruction_set) {
    detail::BoxTree tree;
    tree.reset(boxes.size(), boxes.size());
    tree.add_query_cost(boxes.size(), {boxes, used});
    ASSERT_TRUE(tree.is_built());
    std::vector<BoxIndex> found;
    detail::find_split(tree.view(), {{-20.0F, -30.0F}, {40.0F, 10.0F}}, found, found);
    const auto take_hits = [&](std::span<detail::BoxHit> met) {
      found.push_back(met.front().index);
      return 1.0;
    };
    detail::walk(tree.view(), detail::SweptBox({{-50.0F, -40.0F}, {-49.0F, -35.0F}}, {90.0F, 70.0F}),
                 detail::all_layers, take_hits);
    const auto take_near = [&](std::span<const detail::Near> near) {
      for (const detail::Near& one : near) {
        found.push_back(one.index);
      }
      return 5.0;
    };
    detail::NearestScratch room;
    for (const std::size_t wanted : {1U, 7U}) {
      detail::visit_nearest(tree.view(), {{1.0F, 2.0F}, wanted, std::numeric_limits<double>::infinity()},
                            room, take_near);
    }
    first = first.empty() ? found : first;
    EXPECT_GT(found.size(), 100U);
    EXPECT_EQ(found, first) << instruction_set;
  });
}

TEST(QueryTree, visits_the_boxes_that_a_swept_box_hits_with_their_entry_times) {
  Random random(9);
  const std::vector<Aabb> boxes = some_boxes(random, 700);
  const std::vector<unsigned char> used(boxes.size(), 1);
  detail::BoxTree tree;
  tree.reset(boxes.size(), boxes.size());
  tree.add_query_cost(boxes.size(), {boxes, used});
  ASSERT_TRUE(tree.is_built());
  for (int i = 0; i < 2000; ++i) {
    // Lengths from nearly 0 to far beyond the world.
    const float scale = std::ldexp(1.0F, static_cast<int>(random.below(270)) - 140);
    const Vec2 way{random.between(-1.0F, 1.0F) * scale,
                   i % 3 == 0 ? 0.0F : random.between(-1.0F, 1.0F) * scale};
    const Vec2 start{random.between(-60.0F, 60.0F), random.between(-60.0F, 60.0F)};
    const Vec2 size = i % 2 == 0 ? Vec2{} : Vec2{random.between(0.0F, 5.0F), 1.0F};
    const detail::SweptBox path({start, start + size}, way);
    std::vector<BoxIndex> here;
    const auto take = [&](std::span<detail::BoxHit> met) {
      for (const detail::BoxHit& one : met) {
        EXPECT_EQ(one.entry, path.entry(boxes[one.index]));
        here.push_back(one.index);
      }
      return 1.0;
    };
    detail::walk(tree.view(), path, detail::all_layers, take);
    std::sort(here.begin(), here.end());
    std::vector<BoxIndex> there;
    for (std::size_t k = 0; k < boxes.size(); ++k) {
      if (path.entry(boxes[k]) <= 1.0) {
        there.push_back(static_cast<BoxIndex>(k));
      }
    }
    ASSERT_EQ(here, there);
  }
}

}  // namespace

}  // namespace broadside::test::query_tree_test
