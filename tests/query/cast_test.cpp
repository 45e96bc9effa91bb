#include "broadside/query/cast.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "query/shape_scene.hpp"

namespace broadside::test {

namespace {

bool accept_most(BoxIndex index) {
  return index % 7 != 3;
}

/// @param is_clear set to whether no shape is hit earlier than its box
std::vector<ShapeCastHit> brute_force(const ShapeScene& scene, const Standing& one, Vec2 motion,
                                      bool& is_clear) {
  is_clear = true;
  std::vector<ShapeCastHit> hits;
  const Aabb box = bounds(one.shape, one.at);
  for (const BoxIndex index : scene.indices()) {
    const long double soonest = entry(box, motion, scene.phase().box_of(index));
    if (!accept_most(index) || soonest > 1) {
      continue;
    }
    if (const auto hit = cast(one.shape, one.at, motion, scene.shape(index), scene.at(index))) {
      is_clear = is_clear && soonest <= 1.0000001L * hit->time;
      hits.push_back({index, *hit});
    }
  }
  std::stable_sort(hits.begin(), hits.end(),
                   [](const ShapeCastHit& a, const ShapeCastHit& b) { return a.hit.time < b.hit.time; });
  return hits;
}

bool same(const ShapeCastHit& a, const ShapeCastHit& b) {
  return a.index == b.index && a.hit.time == b.hit.time && a.hit.normal == b.hit.normal &&
         a.hit.point == b.hit.point;
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
    std::vector<ShapeCastHit> all;
    ASSERT_TRUE(visit_cast(scene.set(), one.shape, one.at, motion, accept_most, [&](const ShapeCastHit& hit) {
                  all.push_back(hit);
                  return true;
                }).has_value());
    ASSERT_EQ(all.size(), expected.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      ASSERT_TRUE(same(all[k], expected[k])) << all[k].index << " " << expected[k].index;
    }
  }
}

class CastQueries : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(Techniques, CastQueries, testing::ValuesIn(variants()), variant_name);

TEST_P(CastQueries, AreThoseOfTheBruteForce) {
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

}  // namespace broadside::test
