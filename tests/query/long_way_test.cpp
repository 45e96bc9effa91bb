#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "broadside/contact/collide.hpp"
#include "broadside/query/cast.hpp"
#include "broadside/query/ray.hpp"
#include "broadside/world/world.hpp"
#include "query/shape_scene.hpp"

namespace broadside::test::long_way_test {
namespace {

constexpr float largest = std::numeric_limits<float>::max();

bool same(const ShapeHit& a, const ShapeHit& b) {
  return a.index == b.index && a.fraction == b.fraction && a.normal == b.normal && a.point == b.point;
}

/// Tests each shape of a scene, and compares the hits with the results of a query.
template <typename Ask>
void expect_all(const ShapeScene& scene, const Ask& ask, const std::optional<ShapeHit>& first,
                const std::vector<ShapeHit>& all) {
  std::vector<ShapeHit> expected;
  for (const BoxIndex index : scene.indices()) {
    if (const std::optional<Hit> hit = ask(index)) {
      expected.push_back({*hit, index});
    }
  }
  std::stable_sort(expected.begin(), expected.end(),
                   [](const ShapeHit& a, const ShapeHit& b) { return a.fraction < b.fraction; });
  ASSERT_EQ(first.has_value(), !expected.empty());
  EXPECT_TRUE(!first || same(*first, expected.front())) << first->index << " " << expected.front().index;
  ASSERT_EQ(all.size(), expected.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    ASSERT_TRUE(same(all[k], expected[k])) << all[k].index << " " << expected[k].index;
  }
}

/// Returns a displacement that is much longer than the scene.
Vec2 long_way(ShapeScene& scene, Vec2 from, Random& random) {
  const Vec2 to = scene.point();
  Vec2 way{to.x - from.x, to.y - from.y};
  if (random.below(3) == 0) {
    way = random.below(2) == 0 ? Vec2{way.x, 0} : Vec2{0, way.y};
  }
  const float side = std::max(std::abs(way.x), std::abs(way.y));
  if (!(side > 0.0F) || !is_finite(side)) {
    return {largest, 0};
  }
  const float length = random.below(3) == 0 ? largest : std::pow(10.0F, random.between(3.0F, 38.4F));
  return {length * (way.x / side), length * (way.y / side)};
}

class LongWays : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(Techniques, LongWays, testing::ValuesIn(variants()), variant_name);

TEST_P(LongWays, agree_with_casts_against_each_shape) {
  for (const std::string_view kind : {"ordinary", "lattice", "needle", "far", "mixed", "crowded"}) {
    SCOPED_TRACE(kind);
    ShapeScene scene(GetParam(), kind, 100, 5);
    Random random(6);
    for (int i = 0; i < 30; ++i) {
      if (i % 10 == 9) {
        scene.change(i % 20 == 9 ? 2 : 0);
      }
      const Vec2 start = scene.point();
      const Vec2 way = long_way(scene, start, random);
      SCOPED_TRACE(testing::Message()
                   << "from " << start.x << ", " << start.y << " along " << way.x << ", " << way.y);
      std::vector<ShapeHit> rays;
      visit_ray(scene.set(), start, way, [&](const ShapeHit& hit) {
        rays.push_back(hit);
        return true;
      }).value();
      expect_all(
          scene, [&](BoxIndex index) { return cast_ray(start, way, scene.shape(index), scene.at(index)); },
          cast_ray(scene.set(), start, way).value(), rays);
      const Standing stranger = scene.stranger();
      std::vector<ShapeHit> casts;
      visit_cast(scene.set(), stranger.shape, stranger.at, way, [&](const ShapeHit& hit) {
        casts.push_back(hit);
        return true;
      }).value();
      expect_all(
          scene,
          [&](BoxIndex index) {
            return cast(stranger.shape, stranger.at, way, scene.shape(index), scene.at(index));
          },
          cast_shape(scene.set(), stranger.shape, stranger.at, way).value(), casts);
    }
  }
}

TEST(LongWaysInAWorld, meet_the_nearest_body_on_its_outline_however_long_they_are) {
  for (const float length : {1e3F, 1e12F, 1e20F, 1e30F, 1e36F, largest}) {
    World world;
    // The farther body has the lower index, so that a tie would be visible.
    const BodyId far = world.add({.shape = Circle{{}, 1}, .position = {20, 0}}).value();
    const BodyId near = world.add({.shape = Circle{{}, 1}, .position = {10, 0}}).value();
    const auto ray = world.cast_ray({0, 0}, {length, 0}).value();
    ASSERT_TRUE(ray.has_value()) << length;
    EXPECT_EQ(ray->body, near) << length;
    EXPECT_EQ(ray->point, (Vec2{9, 0})) << length;
    EXPECT_GT(ray->fraction, 0.0F) << length;
    const auto cast = world.cast_shape(Circle{{}, 0.5F}, {}, {length, 0}).value();
    ASSERT_TRUE(cast.has_value()) << length;
    EXPECT_EQ(cast->body, near) << length;
    EXPECT_EQ(cast->point, (Vec2{9, 0})) << length;
    EXPECT_GT(cast->fraction, 0.0F) << length;
    std::vector<BodyId> met;
    world
        .visit_ray({0, 0}, {length, 0},
                   [&](const BodyHit& hit) {
                     met.push_back(hit.body);
                     return true;
                   })
        .value();
    EXPECT_EQ(met, (std::vector<BodyId>{near, far})) << length;
  }
}

}  // namespace
}  // namespace broadside::test::long_way_test
