// `distance` and `cast` of two shapes whose faces are opposite to each other.

#include <gtest/gtest.h>

#include <array>

#include "broadside/contact/collide.hpp"

namespace broadside {
namespace {

TEST(Distance, rows_and_stacks_have_the_distance_between_their_faces) {
  const Polygon square = Polygon::hull(std::array<Vec2, 4>{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}}).value();
  const Shape shapes[] = {Box{{1, 1}, {}, {}}, square, Segment{{-1, 1}, {1, 1}},
                          Capsule{{-1, 0.5F}, {1, 0.5F}, 0.5F}};
  for (const Shape& low : shapes) {
    for (const float x : {-1.5F, -0.25F, 0.0F, 0.5F, 2.0F}) {
      for (const Shape& high : {shapes[0], shapes[1]}) {
        const Distance found = distance(low, {}, high, {{x, 2.5F}, {}});
        EXPECT_EQ(found.distance, 0.5F);
        EXPECT_EQ(found.normal, (Vec2{0, 1}));
        const auto hit = cast(high, {{x, 2.5F}, {}}, {0, -1}, low, {});
        ASSERT_TRUE(hit.has_value());
        EXPECT_EQ(hit->fraction, 0.5F);
        EXPECT_EQ(hit->normal, (Vec2{0, 1}));
      }
    }
  }
}

}  // namespace
}  // namespace broadside
