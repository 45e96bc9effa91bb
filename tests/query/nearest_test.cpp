#include "broadside/query/nearest.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "broadside/contact/collide.hpp"
#include "query/shape_scene.hpp"

namespace broadside::test::nearest_test {

namespace {

bool accept_most(BoxIndex index) {
  return index % 7 != 3;
}

/// Returns whether no shape is reported nearer than its box, which happens if sizes differ by many orders of
/// magnitude.
bool is_clear(const ShapeScene& scene, Vec2 point) {
  const auto& indices = scene.indices();
  return std::all_of(indices.begin(), indices.end(), [&](BoxIndex index) {
    const Distance found = distance(scene.shape(index), scene.at(index), Circle{}, Transform{point, {}});
    const long double least = distance_from(scene.phase().box_of(index), point);
    return least <= 1.0000001L * found.distance || found.distance == std::numeric_limits<float>::max();
  });
}

std::vector<NearestShape> brute_force(const ShapeScene& scene, Vec2 point, std::size_t count, float most) {
  std::vector<NearestShape> hits;
  for (const BoxIndex index : scene.indices()) {
    const Distance found = distance(scene.shape(index), scene.at(index), Circle{}, Transform{point, {}});
    if (accept_most(index) && found.distance <= most) {
      hits.push_back({index, found.distance, found.point_a});
    }
  }
  std::stable_sort(hits.begin(), hits.end(),
                   [](const NearestShape& a, const NearestShape& b) { return a.distance < b.distance; });
  hits.resize(std::min(count, hits.size()));
  return hits;
}

void check(ShapeScene& scene, std::size_t questions) {
  constexpr float any = std::numeric_limits<float>::max();
  constexpr std::array<std::size_t, 6> counts = {1, 1, 2, 8, 40, 1000};
  std::vector<NearestShape> hits;
  for (std::size_t i = 0; i < questions; ++i) {
    const Vec2 point = scene.point();
    const std::size_t count = counts[i % counts.size()];
    if (!is_clear(scene, point)) {
      continue;
    }
    const auto expected = brute_force(scene, point, count, any);
    ASSERT_TRUE(nearest(scene.set(), point, count, any, hits, accept_most).has_value());
    ASSERT_EQ(hits.size(), expected.size());
    for (std::size_t k = 0; k < hits.size(); ++k) {
      ASSERT_EQ(hits[k].index, expected[k].index) << hits[k].distance << " " << expected[k].distance;
      ASSERT_EQ(hits[k], expected[k]);
    }
    if (!expected.empty()) {
      // The limit is exactly the distance of one of the shapes.
      const float most = expected[expected.size() / 2].distance;
      ASSERT_TRUE(nearest(scene.set(), point, count, most, hits, accept_most).has_value());
      ASSERT_EQ(hits, brute_force(scene, point, count, most));
    }
  }
}

class NearestQueries : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(Techniques, NearestQueries, testing::ValuesIn(variants()), variant_name);

TEST_P(NearestQueries, find_the_same_as_brute_force) {
  for (const std::string& kind : shape_scenes()) {
    SCOPED_TRACE(kind);
    ShapeScene scene(GetParam(), kind, 150, 4);
    check(scene, 15);
    scene.change(12);
    check(scene, 15);
    scene.change(0);
    check(scene, 10);
  }
}

// The shapes with the nearest boxes are tested first, and are often sufficient.
TEST(NearestQuery, tests_few_more_shapes_than_it_finds_where_few_overlap) {
  constexpr std::size_t questions = 50;
  for (const char* kind : {"ordinary", "lattice", "mixed", "scattered", "clustered"}) {
    SCOPED_TRACE(kind);
    ShapeScene scene(variants().front(), kind, 2000, 4);
    for (const std::size_t count : {1U, 5U}) {
      std::size_t asked = 0;
      const auto accept = [&](BoxIndex) {
        ++asked;
        return true;
      };
      std::vector<NearestShape> hits;
      for (std::size_t i = 0; i < questions; ++i) {
        ASSERT_TRUE(nearest(scene.set(), scene.point(), count, 1e30F, hits, accept).has_value());
      }
      EXPECT_LE(asked, questions * (2 * count + 6));
    }
  }
}

}  // namespace

}  // namespace broadside::test::nearest_test
