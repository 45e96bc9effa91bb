#include "broadside/query/area.hpp"

#include <gtest/gtest.h>

#include "broadside/contact/collide.hpp"
#include "query/shape_scene.hpp"

namespace broadside::test::area_test {

namespace {

using Indices = std::vector<BoxIndex>;

template <typename Test>
Indices brute_force(const ShapeScene& scene, const Test& test) {
  Indices found;
  for (const BoxIndex index : scene.indices()) {
    if (index % 7 != 3 && test(index)) {
      found.push_back(index);
    }
  }
  return found;
}

bool accept_most(BoxIndex index) {
  return index % 7 != 3;
}

Indices in_area(const ShapeScene& scene, const Aabb& area) {
  Indices found;
  EXPECT_TRUE(visit_area(
                  scene.set(), area,
                  [&](BoxIndex index) {
                    found.push_back(index);
                    return true;
                  },
                  accept_most)
                  .has_value());
  Indices collected{7, 7};
  EXPECT_TRUE(query_area(scene.set(), area, collected, accept_most).has_value());
  EXPECT_EQ(collected, found);
  EXPECT_TRUE(query_area(scene.set(), area, collected).has_value());
  std::erase_if(collected, [](BoxIndex index) { return !accept_most(index); });
  EXPECT_EQ(collected, found);
  return found;
}

Indices at_point(const ShapeScene& scene, Vec2 point) {
  Indices found;
  EXPECT_TRUE(visit_point(
                  scene.set(), point,
                  [&](BoxIndex index) {
                    found.push_back(index);
                    return true;
                  },
                  accept_most)
                  .has_value());
  return found;
}

Indices overlapping(const ShapeScene& scene, const Standing& one) {
  Indices found;
  EXPECT_TRUE(visit_shape(
                  scene.set(), one.shape, one.at,
                  [&](BoxIndex index) {
                    found.push_back(index);
                    return true;
                  },
                  accept_most)
                  .has_value());
  return found;
}

/// Converts an area to a box shape; returns whether floats represent its center and half size exactly.
bool as_shape(const Aabb& area, Standing& one) {
  const auto middle = [](float a, float b) { return static_cast<float>(0.5 * (double{a} + double{b})); };
  const auto half = [](float a, float b) { return static_cast<float>(0.5 * (double{b} - double{a})); };
  const Vec2 center{middle(area.min.x, area.max.x), middle(area.min.y, area.max.y)};
  const Vec2 half_size{half(area.min.x, area.max.x), half(area.min.y, area.max.y)};
  one = {Box::of_half_size(half_size), {center, {}}};
  const auto is_exact = [](float at, float reach, float min, float max) {
    const double low = double{at} - double{reach};
    const double high = double{at} + double{reach};
    return low == double{min} && high == double{max} && high - double{reach} == double{at};
  };
  return is_exact(center.x, half_size.x, area.min.x, area.max.x) &&
         is_exact(center.y, half_size.y, area.min.y, area.max.y);
}

void check(ShapeScene& scene, std::size_t questions) {
  for (std::size_t i = 0; i < questions; ++i) {
    const Aabb area = scene.area();
    Standing area_shape;
    if (as_shape(area, area_shape)) {
      ASSERT_EQ(in_area(scene, area), brute_force(scene, [&](BoxIndex index) {
                  return overlaps(area_shape.shape, area_shape.at, scene.shape(index), scene.at(index));
                }));
    }
    const Vec2 point = scene.point();
    ASSERT_EQ(at_point(scene, point), brute_force(scene, [&](BoxIndex index) {
                return contains(scene.shape(index), scene.at(index), point);
              }));
    const Standing one = scene.stranger();
    ASSERT_EQ(overlapping(scene, one), brute_force(scene, [&](BoxIndex index) {
                return overlaps(one.shape, one.at, scene.shape(index), scene.at(index));
              }));
  }
}

class AreaQueries : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(Techniques, AreaQueries, testing::ValuesIn(variants()), variant_name);

TEST_P(AreaQueries, find_the_same_as_brute_force) {
  for (const std::string& kind : shape_scenes()) {
    SCOPED_TRACE(kind);
    ShapeScene scene(GetParam(), kind, 150, 1);
    check(scene, 15);
    scene.change(12);
    check(scene, 15);
    scene.change(0);
    check(scene, 10);
  }
}

}  // namespace

}  // namespace broadside::test::area_test
