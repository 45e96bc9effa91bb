#include "broadside/query/ray.hpp"
#include "broadside/contact/collide.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "query/shape_scene.hpp"

namespace broadside::test::ray_test {

namespace {

bool accept_most(BoxIndex index) {
  return index % 7 != 3;
}

/// @param is_clear set to whether no shape is hit earlier than its box
std::vector<ShapeHit> brute_force(const ShapeScene& scene, Vec2 start, Vec2 way, bool& is_clear) {
  is_clear = true;
  std::vector<ShapeHit> hits;
  for (const BoxIndex index : scene.indices()) {
    const long double soonest = entry({start, start}, way, scene.phase().box_of(index));
    if (!accept_most(index) || soonest > 1) {
      continue;
    }
    if (const auto hit = cast_ray(start, way, scene.shape(index), scene.at(index))) {
      is_clear = is_clear && soonest <= 1.0000001L * hit->fraction;
      hits.push_back({*hit, index});
    }
  }
  std::stable_sort(hits.begin(), hits.end(),
                   [](const ShapeHit& a, const ShapeHit& b) { return a.fraction < b.fraction; });
  return hits;
}

bool same(const ShapeHit& a, const ShapeHit& b) {
  return a.index == b.index && a.fraction == b.fraction && a.normal == b.normal && a.point == b.point;
}

void check(ShapeScene& scene, std::size_t questions) {
  for (std::size_t i = 0; i < questions; ++i) {
    const Vec2 start = scene.point();
    const Vec2 way = scene.way(start);
    SCOPED_TRACE(testing::Message() << "ray from " << start.x << ", " << start.y << " along " << way.x << ", "
                                    << way.y);
    bool is_clear = false;
    const auto expected = brute_force(scene, start, way, is_clear);
    if (!is_clear) {
      continue;
    }
    const auto first = cast_ray(scene.set(), start, way, accept_most).value();
    ASSERT_EQ(first.has_value(), !expected.empty());
    if (first) {
      ASSERT_TRUE(same(*first, expected.front())) << first->index << " " << expected.front().index;
    }
    std::vector<ShapeHit> all;
    ASSERT_TRUE(visit_ray(
                    scene.set(), start, way,
                    [&](const ShapeHit& hit) {
                      all.push_back(hit);
                      return true;
                    },
                    accept_most)
                    .has_value());
    ASSERT_EQ(all.size(), expected.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      ASSERT_TRUE(same(all[k], expected[k])) << all[k].index << " " << expected[k].index;
    }
  }
}

class RayQueries : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(Techniques, RayQueries, testing::ValuesIn(variants()), variant_name);

TEST_P(RayQueries, find_the_same_as_brute_force) {
  for (const std::string& kind : shape_scenes()) {
    SCOPED_TRACE(kind);
    ShapeScene scene(GetParam(), kind, 150, 2);
    check(scene, 20);
    scene.change(12);
    check(scene, 20);
    scene.change(0);
    check(scene, 10);
  }
}

}  // namespace

}  // namespace broadside::test::ray_test
