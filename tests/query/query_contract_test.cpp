// The contract of all queries: refusals, early exit, and no side effects.

#include <limits>

#include <gtest/gtest.h>

#include "allocation_watch.hpp"
#include "boxes.hpp"
#include "broadside/broad_phase/hierarchical_grid.hpp"
#include "broadside/contact/collide.hpp"
#include "broadside/query/area.hpp"
#include "broadside/query/cast.hpp"
#include "broadside/query/nearest.hpp"
#include "broadside/query/ray.hpp"
#include "query/shape_scene.hpp"

namespace broadside::test::query_contract_test {

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr Vec2 origin{0.0F, 0.0F};
const Shape unit_circle = Circle{{}, 1.0F};

/// A visitor that must not be called.
constexpr auto never_called = [](const auto& /*hit*/) {
  ADD_FAILURE() << "visited";
  return true;
};

class Queries : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(Techniques, Queries, testing::ValuesIn(variants()), variant_name);

/// Squares of side 1 at x = 0, 2, 4, ...; their indices are in this order.
struct Row {
  explicit Row(BroadPhase& phase, std::size_t count = 20) : boxes(phase) {
    for (std::size_t i = 0; i < count; ++i) {
      shapes.emplace_back(Box::of_half_size({0.5F, 0.5F}));
      transforms.push_back({{2.0F * static_cast<float>(i), 0.0F}, {}});
      EXPECT_EQ(phase.add(bounds(shapes.back(), transforms.back())).value(), i);
    }
    phase.update();
  }
  [[nodiscard]] ShapeSet set() const { return {boxes, shapes, transforms}; }

  const BroadPhase& boxes;
  std::vector<Shape> shapes;
  std::vector<Transform> transforms;
};

TEST_P(Queries, refuse_fewer_shapes_or_transforms_than_there_are_boxes) {
  const auto phase = GetParam().make();
  const Row row(*phase);
  for (const bool of_shapes : {false, true}) {
    for (const std::size_t missing : {1U, 20U}) {
      const std::size_t count = row.shapes.size() - missing;
      const ShapeSet set{*phase, std::span(row.shapes).first(of_shapes ? count : row.shapes.size()),
                         std::span(row.transforms).first(of_shapes ? row.shapes.size() : count)};
      std::vector<BoxIndex> indices(3);
      std::vector<NearestShape> hits(3);
      const Aabb all{{-99.0F, -99.0F}, {99.0F, 99.0F}};
      for (const Error& error :
           {visit_area(set, all, never_called).error(), query_area(set, all, indices).error(),
            query_area(set, all, indices).error(), visit_point(set, origin, never_called).error(),
            visit_shape(set, unit_circle, {}, never_called).error(),
            cast_ray(set, origin, {1.0F, 0.0F}).error(),
            visit_ray(set, origin, {1.0F, 0.0F}, never_called).error(),
            cast_shape(set, unit_circle, {}, {1.0F, 0.0F}).error(),
            visit_cast(set, unit_circle, {}, {1.0F, 0.0F}, never_called).error(),
            nearest(set, origin, 1, 1.0F, hits).error()}) {
        EXPECT_EQ(error.code, ErrorCode::invalid_argument);
        EXPECT_NE(error.message.find(of_shapes ? " shapes, but" : " transforms, but"), std::string::npos)
            << error.message;
      }
      EXPECT_TRUE(indices.empty() && hits.empty());
    }
  }
}

TEST_P(Queries, end_with_the_call_that_returns_false) {
  const auto phase = GetParam().make();
  const Row row(*phase);
  const Aabb all{{-1.0F, -1.0F}, {99.0F, 1.0F}};
  const Shape wide = Box::of_half_size({99.0F, 0.25F});
  for (std::size_t wanted = 1; wanted < 4; ++wanted) {
    std::size_t count = 0;
    const auto visit = [&](const auto&) { return ++count < wanted; };
    const auto expect_wanted = [&](const Result<void>& done) {
      EXPECT_TRUE(done.has_value());
      EXPECT_EQ(count, wanted);
      count = 0;
    };
    expect_wanted(visit_area(row.set(), all, visit));
    expect_wanted(visit_shape(row.set(), wide, {}, visit));
    expect_wanted(visit_ray(row.set(), {-1.0F, 0.0F}, {99.0F, 0.0F}, visit));
    expect_wanted(visit_cast(row.set(), Circle{{}, 0.5F}, {{-3.0F, 0.0F}, {}}, {99.0F, 0.0F}, visit));
  }
}

// A radix sort orders the indices: two digits if there are few boxes, four otherwise.
TEST(QueriesOfMany, visit_by_ascending_index) {
  HierarchicalGrid grid;
  Random random(8);
  std::vector<Shape> shapes;
  std::vector<Transform> transforms;
  std::vector<Aabb> boxes;
  constexpr std::size_t n = 70'000;
  for (std::size_t i = 0; i < n; ++i) {
    shapes.emplace_back(Circle{{}, 0.5F});
    transforms.push_back({{random.between(-100.0F, 100.0F), random.between(-100.0F, 100.0F)}, {}});
    boxes.push_back(bounds(shapes.back(), transforms.back()));
  }
  static_cast<void>(grid.add(boxes).value());
  grid.update();
  const Shape area = Circle{{}, 30.0F};
  std::vector<BoxIndex> seen;
  visit_shape({grid, shapes, transforms}, area, {}, [&](BoxIndex index) {
    seen.push_back(index);
    return true;
  }).value();
  std::vector<BoxIndex> expected;
  for (BoxIndex i = 0; i < n; ++i) {
    if (overlaps(shapes[i], transforms[i], area, {})) {
      expected.push_back(i);
    }
  }
  EXPECT_GT(expected.size(), 1000U);
  EXPECT_EQ(seen, expected);
}

TEST_P(Queries, refuse_invalid_arguments_and_visit_nothing) {
  const auto phase = GetParam().make();
  const Row row(*phase);
  for (const float bad : {nan, infinity, -infinity}) {
    EXPECT_EQ(visit_area(row.set(), {{bad, 0.0F}, {1.0F, 1.0F}}, never_called).error().code,
              ErrorCode::not_finite);
    EXPECT_EQ(visit_point(row.set(), {0.0F, bad}, never_called).error().code, ErrorCode::not_finite);
    EXPECT_EQ(visit_shape(row.set(), Circle{{}, bad}, {}, never_called).error().code, ErrorCode::not_finite);
    EXPECT_EQ(visit_shape(row.set(), unit_circle, {{bad, 0.0F}, {}}, never_called).error().code,
              ErrorCode::not_finite);
    EXPECT_EQ(visit_shape(row.set(), unit_circle, {{}, {bad, 0.0F}}, never_called).error().code,
              ErrorCode::not_finite);
    EXPECT_EQ(visit_shape(row.set(), unit_circle, {{}, {0.0F, bad}}, never_called).error().code,
              ErrorCode::not_finite);
    EXPECT_EQ(cast_ray(row.set(), {bad, 0.0F}, {1.0F, 0.0F}).error().code, ErrorCode::not_finite);
    EXPECT_EQ(cast_ray(row.set(), origin, {1.0F, bad}).error().code, ErrorCode::not_finite);
    EXPECT_EQ(visit_ray(row.set(), origin, {1.0F, bad}, never_called).error().code, ErrorCode::not_finite);
    EXPECT_EQ(cast_shape(row.set(), unit_circle, {}, {bad, 0.0F}).error().code, ErrorCode::not_finite);
    EXPECT_EQ(visit_cast(row.set(), unit_circle, {}, {bad, 0.0F}, never_called).error().code,
              ErrorCode::not_finite);
    std::vector<NearestShape> hits(3);
    EXPECT_EQ(nearest(row.set(), {bad, 0.0F}, 1, 1.0F, hits).error().code, ErrorCode::not_finite);
    EXPECT_TRUE(hits.empty());
    EXPECT_EQ(nearest(row.set(), origin, 1, bad, hits).error().code, ErrorCode::not_finite);
  }
  EXPECT_EQ(visit_area(row.set(), {{1.0F, 0.0F}, {0.0F, 1.0F}}, never_called).error().code,
            ErrorCode::inverted_box);
  EXPECT_EQ(visit_shape(row.set(), Circle{{}, -1.0F}, {}, never_called).error().code,
            ErrorCode::invalid_argument);
  EXPECT_EQ(cast_shape(row.set(), unit_circle, {{}, {2.0F, 0.0F}}, origin).error().code,
            ErrorCode::invalid_argument);
  std::vector<NearestShape> hits;
  EXPECT_EQ(nearest(row.set(), origin, 1, -1.0F, hits).error().code, ErrorCode::invalid_argument);
}

TEST_P(Queries, refuse_fewer_shapes_than_indices) {
  const auto phase = GetParam().make();
  const Row row(*phase);
  const ShapeSet few_shapes{row.boxes, std::span(row.shapes).first(19), row.transforms};
  const ShapeSet few_places{row.boxes, row.shapes, std::span(row.transforms).first(3)};
  for (const ShapeSet& set : {few_shapes, few_places}) {
    const auto error = visit_point(set, origin, [](BoxIndex) { return true; }).error();
    EXPECT_EQ(error.code, ErrorCode::invalid_argument);
    EXPECT_TRUE(mentions(error.message, "indices up to 19")) << error.message;
    EXPECT_FALSE(cast_ray(set, origin, {1.0F, 0.0F}).has_value());
  }
}

TEST_P(Queries, visit_in_order_until_the_visitor_returns_false) {
  const auto phase = GetParam().make();
  const Row row(*phase);
  std::vector<BoxIndex> seen;
  const auto three = [&](BoxIndex index) {
    seen.push_back(index);
    return seen.size() < 3;
  };
  const std::vector<BoxIndex> first{0, 1, 2};
  ASSERT_TRUE(visit_area(row.set(), {{-1.0F, -1.0F}, {100.0F, 1.0F}}, three).has_value());
  EXPECT_EQ(seen, first);
  seen.clear();
  ASSERT_TRUE(visit_ray(row.set(), {-1.0F, 0.0F}, {100.0F, 0.0F}, [&](const ShapeHit& hit) {
                return three(hit.index);
              }).has_value());
  EXPECT_EQ(seen, first);
  seen.clear();
  ASSERT_TRUE(visit_cast(row.set(), Circle{{}, 0.25F}, {{39.5F, 0.0F}, {}}, {-100.0F, 0.0F},
                         [&](const ShapeHit& hit) { return three(hit.index); })
                  .has_value());
  EXPECT_EQ(seen, (std::vector<BoxIndex>{19, 18, 17}));
}

TEST_P(Queries, call_accept_at_most_once_for_each_box) {
  const auto phase = GetParam().make();
  const Row row(*phase, 60);
  std::vector<int> asked(60);
  const auto reject = [&](BoxIndex index) {
    ++asked[index];
    return false;
  };
  const auto expect_at_most_once = [&] {
    for (int& times : asked) {
      EXPECT_LE(times, 1);
      times = 0;
    }
  };
  EXPECT_FALSE(cast_ray(row.set(), {-5.0F, 0.25F}, {500.0F, 0.25F}, reject).value());
  expect_at_most_once();
  EXPECT_FALSE(
      cast_shape(row.set(), Circle{{}, 3.0F}, {{200.0F, 1.0F}, {}}, {-300.0F, -2.0F}, reject).value());
  expect_at_most_once();
  std::vector<NearestShape> hits;
  EXPECT_TRUE(nearest(row.set(), {30.0F, 1.0F}, 4, 1e30F, hits, reject).has_value());
  EXPECT_TRUE(hits.empty());
  expect_at_most_once();
}

TEST_P(Queries, break_ties_by_the_lower_index) {
  const auto phase = GetParam().make();
  std::vector<Shape> shapes;
  std::vector<Transform> transforms;
  for (int i = 0; i < 40; ++i) {
    shapes.emplace_back(Box::of_half_size({1.0F, 1.0F}));
    transforms.push_back({{10.0F, 5.0F}, {}});
    ASSERT_TRUE(phase->add(bounds(shapes.back(), transforms.back())).has_value());
  }
  phase->update();
  const ShapeSet set{*phase, shapes, transforms};
  const auto but_0 = [](BoxIndex index) { return index != 0; };
  EXPECT_EQ(cast_ray(set, {0.0F, 5.0F}, {100.0F, 0.0F}, but_0).value()->index, 1U);
  EXPECT_EQ(cast_shape(set, Circle{{}, 1.0F}, {}, {20.0F, 10.0F}, but_0).value()->index, 1U);
  std::vector<NearestShape> hits;
  ASSERT_TRUE(nearest(set, {0.0F, 5.0F}, 3, 100.0F, hits, but_0).has_value());
  ASSERT_EQ(hits.size(), 3U);
  EXPECT_EQ(hits[0], (NearestShape{1, 9.0F, {9.0F, 5.0F}}));
  EXPECT_EQ(hits[2].index, 3U);
}

TEST_P(Queries, may_be_called_by_visitors) {
  const auto phase = GetParam().make();
  const Row row(*phase);
  std::size_t inner = 0;
  std::vector<BoxIndex> outer;
  std::vector<NearestShape> hits;
  ASSERT_TRUE(visit_area(row.set(), {{-1.0F, -1.0F}, {100.0F, 1.0F}}, [&](BoxIndex index) {
                outer.push_back(index);
                EXPECT_TRUE(visit_area(row.set(), {{-1.0F, -1.0F}, {100.0F, 1.0F}}, [&](BoxIndex) {
                              ++inner;
                              return true;
                            }).has_value());
                EXPECT_TRUE(cast_ray(row.set(), {-1.0F, 0.0F}, {100.0F, 0.0F}).value());
                EXPECT_TRUE(nearest(row.set(), origin, 5, 100.0F, hits).has_value());
                return true;
              }).has_value());
  EXPECT_EQ(outer.size(), 20U);
  EXPECT_EQ(inner, 400U);
}

TEST_P(Queries, of_an_empty_set_find_nothing) {
  const auto phase = GetParam().make();
  const ShapeSet set{*phase, {}, {}};
  const auto never = [](BoxIndex) { return false; };
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(visit_area(set, {origin, {1e30F, 1e30F}}, never).has_value());
    EXPECT_FALSE(cast_ray(set, origin, {1e30F, -1e30F}).value());
    std::vector<NearestShape> hits;
    EXPECT_TRUE(nearest(set, origin, 5, std::numeric_limits<float>::max(), hits).has_value());
    EXPECT_TRUE(hits.empty());
    phase->update();
  }
}

TEST_P(Queries, do_not_allocate_once_warm) {
  ShapeScene scene(GetParam(), "ordinary", 300, 9);
  const Shape circle = Circle{{}, 2.0F};
  std::vector<NearestShape> hits;
  const auto ask = [&] {
    std::size_t found = 0;
    const auto count = [&](const auto&) {
      ++found;
      return true;
    };
    visit_area(scene.set(), {{-40.0F, -30.0F}, {30.0F, 35.0F}}, count).value();
    visit_shape(scene.set(), circle, {{1.0F, 2.0F}, {}}, count).value();
    visit_ray(scene.set(), {-60.0F, -50.0F}, {120.0F, 100.0F}, count).value();
    visit_cast(scene.set(), circle, {{-60.0F, -50.0F}, {}}, {120.0F, 100.0F}, count).value();
    nearest(scene.set(), {3.0F, 4.0F}, 20, 1e6F, hits).value();
    found += cast_ray(scene.set(), {60.0F, -50.0F}, {-120.0F, 100.0F}).value().has_value();
    return found;
  };
  const std::size_t found = ask();
  ask();
  const AllocationWatch watch;
  EXPECT_EQ(ask(), found);
  EXPECT_EQ(watch.count(), 0U);
}

// The tree of a `HierarchicalGrid` is built in the first round, and scratch memory has its size after the
// second one.
TEST_P(Queries, of_areas_allocate_only_to_enlarge_the_list_of_hits) {
  ShapeScene scene(GetParam(), "ordinary", 300, 10);
  Random random(11);
  std::vector<Aabb> areas;
  for (int i = 0; i < 200; ++i) {
    const float x = random.between(-60, 60);
    const float y = random.between(-60, 60);
    const float width = random.between(0, 60);
    areas.push_back({{x, y}, {x + width, y + random.between(0, 60)}});
  }
  std::vector<std::vector<BoxIndex>> all(areas.size());
  std::vector<std::vector<BoxIndex>> accepted(areas.size());
  const auto is_even = [](BoxIndex index) { return index % 2 == 0; };
  const auto ask = [&] {
    for (std::size_t i = 0; i < areas.size(); ++i) {
      query_area(scene.set(), areas[i], all[i]).value();
      query_area(scene.set(), areas[i], accepted[i], is_even).value();
    }
  };
  ask();
  ask();
  {
    const AllocationWatch watch;
    ask();
    EXPECT_EQ(watch.count(), 0U);
  }
  // What has to grow are the hits alone: there is at most one allocation for each doubling of their size.
  for (std::size_t i = 0; i < areas.size(); ++i) {
    std::vector<BoxIndex> hits;
    const AllocationWatch watch;
    query_area(scene.set(), areas[i], hits).value();
    EXPECT_EQ(watch.count() == 0, hits.capacity() == 0) << i;
    EXPECT_EQ(hits, all[i]) << i;
  }
}

// A world of size 1e30 with boxes of size 1: segments of a ray must not be as short as the boxes.
TEST_P(Queries, are_not_slowed_by_the_size_of_the_world) {
  const auto phase = GetParam().make();
  std::vector<Shape> shapes;
  std::vector<Transform> transforms;
  const auto add = [&](Vec2 place) {
    shapes.emplace_back(Circle{{}, 0.5F});
    transforms.push_back({place, {}});
    ASSERT_TRUE(phase->add(bounds(shapes.back(), transforms.back())).has_value());
  };
  for (int i = 0; i < 400; ++i) {
    add({static_cast<float>(i % 20) * 3.0F, static_cast<float>(i / 20) * 3.0F});
  }
  add({1e30F, 1e30F});
  phase->update();
  const ShapeSet set{*phase, shapes, transforms};
  const auto last = cast_ray(set, {1.5F, -1e30F}, {0.0F, 2e30F}, [](BoxIndex) { return true; });
  ASSERT_TRUE(last.value());
  const auto far =
      cast_ray(set, {-1e30F, -1e30F}, {2e30F, 2e30F}, [](BoxIndex index) { return index == 400; });
  ASSERT_TRUE(far.value());
  EXPECT_EQ((*far)->index, 400U);
  std::vector<NearestShape> hits;
  ASSERT_TRUE(nearest(set, {5e29F, 5e29F}, 401, std::numeric_limits<float>::max(), hits).has_value());
  EXPECT_EQ(hits.size(), 401U);
}

}  // namespace

}  // namespace broadside::test::query_contract_test
