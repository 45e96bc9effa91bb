#include "broadside/query/cast.hpp"
#include "broadside/contact/collide.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "query/shape_scene.hpp"

namespace broadside::test::cast_test {

namespace {

bool accept_most(BoxIndex index) {
  return index % 7 != 3;
}

/// @param is_clear set to whether no shape is hit earlier than its box
std::vector<ShapeHit> brute_force(const ShapeScene& scene, const Standing& one, Vec2 motion, bool& is_clear) {
  is_clear = true;
  std::vector<ShapeHit> hits;
  const Aabb box = bounds(one.shape, one.at);
  for (const BoxIndex index : scene.indices()) {
    const long double soonest = entry(box, motion, scene.phase().box_of(index));
    if (!accept_most(index) || soonest > 1) {
      continue;
    }
    if (const auto hit = cast(one.shape, one.at, motion, scene.shape(index), scene.at(index))) {
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
    const Standing one = scene.stranger();
    const Vec2 motion = scene.way(one.at.position);
    SCOPED_TRACE(testing::Message() << to_text(one) << "moved by " << motion.x << ", " << motion.y);
    bool is_clear = false;
    const auto expected = brute_force(scene, one, motion, is_clear);
    if (!is_clear) {
      continue;
    }
    const auto first = cast_shape(scene.set(), one.shape, one.at, motion, accept_most).value();
    ASSERT_EQ(first.has_value(), !expected.empty());
    if (first) {
      ASSERT_TRUE(same(*first, expected.front())) << first->index << " " << expected.front().index;
    }
    std::vector<ShapeHit> all;
    ASSERT_TRUE(visit_cast(
                    scene.set(), one.shape, one.at, motion,
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

class CastQueries : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(Techniques, CastQueries, testing::ValuesIn(variants()), variant_name);

TEST_P(CastQueries, find_the_same_as_brute_force) {
  for (const std::string& kind : shape_scenes()) {
    SCOPED_TRACE(kind);
    ShapeScene scene(GetParam(), kind, 150, 3);
    check(scene, 10);
    scene.change(12);
    check(scene, 10);
    scene.change(0);
    check(scene, 5);
  }
}

}  // namespace

}  // namespace broadside::test::cast_test
