#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>
#include <vector>

#include "broadside/contact/collide.hpp"
#include "contact/masks.hpp"
#include "random_shapes.hpp"

namespace broadside {
namespace {

using test::at;
using test::make;
using test::random_mask;

TEST(MaskDistance, is_that_of_the_nearest_pixels) {
  const Mask l_shape = make({"x..", "x..", "xxx"});
  const Distance to_circle = distance(l_shape, {}, Circle{{}, 0.25F}, at(2.5F, 0.5F));
  EXPECT_FLOAT_EQ(to_circle.distance, 1.25F);
  const Distance to_mask = distance(l_shape, {}, make({"x"}), at(6.0F, 7.0F));
  EXPECT_FLOAT_EQ(to_mask.distance, 5.0F);
  EXPECT_EQ(to_mask.point_a, (Vec2{3, 3}));
  EXPECT_EQ(to_mask.point_b, (Vec2{6, 7}));
  EXPECT_FLOAT_EQ(to_mask.normal.x, 0.6F);
  EXPECT_FLOAT_EQ(to_mask.normal.y, 0.8F);
}

TEST(MaskDistance, is_the_largest_float_from_what_is_not_valid) {
  constexpr float most = std::numeric_limits<float>::max();
  const Mask pixel = make({"x"});
  const Transform stretched{{}, {3.0F, 0.0F}};
  EXPECT_EQ(distance(pixel, stretched, Circle{{}, 1.0F}, {}).distance, most);
  EXPECT_EQ(distance(pixel, {}, Circle{{}, -1.0F}, {}).distance, most);
  EXPECT_EQ(distance(pixel, {}, pixel, stretched).distance, most);
  EXPECT_EQ(distance(pixel, stretched, pixel, {}).distance, most);
}

TEST(MaskDistance, gives_a_point_of_both_where_they_touch) {
  test::Random random(19);
  int touching = 0;
  for (int round = 0; round < 1500; ++round) {
    const Mask a = random_mask(1 + random.below(9), 1 + random.below(9), {0.5F, {-2, -2}, 128}, random);
    const Transform at_a = test::random_transform(test::Family::ordinary, random);
    test::Standing b = test::random_standing(test::Family::ordinary, random);
    if (round % 3 == 0) {
      b.shape = random_mask(1 + random.below(9), 1 + random.below(9), {0.5F, {-2, -2}, 128}, random);
      b.at.rotation = round % 2 == 0 ? at_a.rotation : b.at.rotation;
    }
    const Distance found = distance(a, at_a, b.shape, b.at);
    if (found.distance > 0.0F) {
      continue;
    }
    ++touching;
    // The point is a float: as good as in both.
    const Circle near_it{{}, 1e-5F};
    EXPECT_TRUE(overlaps(near_it, {found.point_a, {}}, a, at_a)) << test::to_text(b);
    EXPECT_TRUE(overlaps(near_it, {found.point_a, {}}, b.shape, b.at)) << test::to_text(b);
  }
  EXPECT_GT(touching, 100);
}

TEST(MaskCast, stops_at_the_first_pixel) {
  const Mask l_shape = make({"x..", "x..", "xxx"});
  const auto hit = cast(l_shape, {}, {10.0F, 0.0F}, Circle{{}, 0.5F}, at(7.5F, 1.0F));
  ASSERT_TRUE(hit);
  EXPECT_FLOAT_EQ(hit->time, 0.6F);
  EXPECT_EQ(hit->normal, (Vec2{1, 0}));
  const auto of_masks = cast(l_shape, at(-20.0F, 0.0F), {40.0F, 0.0F}, make({"x"}), {});
  ASSERT_TRUE(of_masks);
  EXPECT_FLOAT_EQ(of_masks->time, 19.0F / 40.0F);
  EXPECT_EQ(of_masks->normal, (Vec2{1, 0}));
  EXPECT_FALSE(cast(l_shape, at(-20.0F, 0.0F), {16.0F, 0.0F}, make({"x"}), {}));
  EXPECT_FALSE(cast(l_shape, at(-20.0F, 0.0F), {-40.0F, 0.0F}, make({"x"}), {}));
}

TEST(MaskCast, of_two_masks_is_the_same_when_swapped) {
  test::Random random(23);
  int hits = 0;
  for (int round = 0; round < 1000; ++round) {
    const Mask a = random_mask(1 + random.below(9), 1 + random.below(9), {0.5F, {-2, -2}, 128}, random);
    const Mask b = random_mask(1 + random.below(9), 1 + random.below(9), {0.75F, {-2, -2}, 128}, random);
    const Transform at_a = test::random_transform(test::Family::ordinary, random);
    const Transform at_b = test::random_transform(test::Family::ordinary, random);
    const Vec2 motion = at_b.position - at_a.position;
    const auto hit = cast(a, at_a, motion, b, at_b);
    const auto swapped = cast(b, at_b, Vec2{} - motion, a, at_a);
    ASSERT_EQ(hit.has_value(), swapped.has_value());
    if (hit) {
      ++hits;
      EXPECT_EQ(hit->time, swapped->time);
      EXPECT_EQ(hit->normal, Vec2{} - swapped->normal);
    }
  }
  EXPECT_GT(hits, 500);
}

TEST(MaskCast, at_rest_hits_only_what_it_overlaps) {
  const std::vector<std::string_view> rows = {"................", "...#############"};
  const Mask mask = Mask::from_rows(rows, {0.75F, {8.25F, 25.75F}}).value();
  const std::vector<Vec2> corners = {{-1.81574195e+38F, -5.5F}, {-15.25F, -3.74955242e+35F}, {0.0F, 30.5F}};
  const Shape country = Polygon::hull(corners).value();
  const Transform at_country{{28.75F, -11.5F}, {-1.0F, 0.0F}};
  const Transform at_mask{{16.75F, -0.212598428F}, {0.806409478F, 0.591357529F}};
  ASSERT_FALSE(overlaps(country, at_country, mask, at_mask));
  EXPECT_FALSE(cast(country, at_country, {}, mask, at_mask).has_value());
}

TEST(MaskCast, just_touches_at_the_time_and_not_before) {
  test::Random random(20);
  int hits = 0;
  for (int round = 0; round < 400; ++round) {
    const Mask a = random_mask(1 + random.below(9), 1 + random.below(9), {0.5F, {-2, -2}, 128}, random);
    Transform at_a = test::random_transform(test::Family::ordinary, random);
    test::Standing b = test::random_standing(test::Family::ordinary, random);
    if (round % 3 == 0) {
      b.shape = random_mask(1 + random.below(9), 1 + random.below(9), {0.5F, {-2, -2}, 128}, random);
    }
    at_a.position = at_a.position + Vec2{10.0F, 3.0F};
    const Vec2 motion{-20.0F, random.between(-12, 4)};
    const auto hit = cast(a, at_a, motion, b.shape, b.at);
    const auto moved = [&](float time) {
      return Transform{{at_a.position.x + time * motion.x, at_a.position.y + time * motion.y}, at_a.rotation};
    };
    for (float time = 0.0F; time <= (hit ? hit->time : 1.0F) - 1e-4F; time += 1.0F / 256.0F) {
      ASSERT_FALSE(overlaps(a, moved(time), b.shape, b.at))
          << round << ' ' << time << ' ' << test::to_text(b);
    }
    if (hit) {
      ++hits;
      EXPECT_LT(distance(a, moved(hit->time), b.shape, b.at).distance, 1e-4F) << round;
      EXPECT_NEAR(dot(hit->normal, hit->normal), 1.0F, 1e-5F);
      if (hit->time > 0.0F) {
        EXPECT_GE(dot(hit->normal, motion), -1e-2F) << round << ' ' << test::to_text(b);
      }
      EXPECT_TRUE(overlaps(Circle{{}, 1e-3F}, {hit->point, {}}, b.shape, b.at)) << round;
    }
  }
  EXPECT_GT(hits, 150);
}

TEST(MaskRay, meets_the_first_pixel_and_no_seam) {
  const Mask stairs = make({"x...", "xx..", "xxx.", "xxxx"});
  const auto down = cast_ray({2.5F, -3.0F}, {0.0F, 10.0F}, stairs, {});
  ASSERT_TRUE(down);
  EXPECT_FLOAT_EQ(down->time, 0.5F);
  EXPECT_EQ(down->normal, (Vec2{0, -1}));
  EXPECT_EQ(down->point, (Vec2{2.5F, 2.0F}));
  const auto left = cast_ray({9.0F, 1.5F}, {-10.0F, 0.0F}, stairs, {});
  ASSERT_TRUE(left);
  EXPECT_FLOAT_EQ(left->time, 0.7F);
  EXPECT_EQ(left->normal, (Vec2{1, 0}));
  EXPECT_FALSE(cast_ray({9.0F, 4.5F}, {-10.0F, 0.0F}, stairs, {}));
  EXPECT_FALSE(cast_ray({9.0F, 1.5F}, {-6.9F, 0.0F}, stairs, {}));
  // Closed: along an edge counts; a start inside is time 0, against the ray.
  EXPECT_TRUE(cast_ray({9.0F, 4.0F}, {-10.0F, 0.0F}, stairs, {}));
  const auto inside = cast_ray({0.5F, 0.5F}, {0.0F, 2.0F}, stairs, {});
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->time, 0.0F);
  EXPECT_EQ(inside->normal, (Vec2{0, -1}));
  // A wall of two rectangles, met exactly where they join, from both sides.
  const Mask wall = make({".x", "xx"}, {1.0F, {0, 0}, 128});
  for (const float way_y : {-4.0F, 4.0F}) {
    const auto at_seam = cast_ray({6.0F, 1.0F - way_y}, {-4.0F, way_y}, wall, {});
    ASSERT_TRUE(at_seam);
    EXPECT_FLOAT_EQ(at_seam->time, 1.0F);
    EXPECT_EQ(at_seam->normal, (Vec2{1, 0}));
  }
}

TEST(MaskRay, meets_what_its_pixels_meet_one_by_one) {
  test::Random random(21);
  int hits = 0;
  for (int round = 0; round < 2000; ++round) {
    const Mask mask = random_mask(1 + random.below(9), 1 + random.below(9), {0.5F, {-2, -2}, 128}, random);
    const Transform where = test::random_transform(test::Family::ordinary, random);
    const Vec2 start{random.between(-6, 6), random.between(-6, 6)};
    const Vec2 way{random.between(-9, 9), random.between(-9, 9)};
    float first = 2.0F;
    for (std::uint32_t row = 0; row < mask.height(); ++row) {
      for (std::uint32_t column = 0; column < mask.width(); ++column) {
        if (mask.at(column, row)) {
          const Vec2 center{0.5F * static_cast<float>(column) - 1.75F,
                            0.5F * static_cast<float>(row) - 1.75F};
          const auto hit = cast_ray(start, way, Box{{0.25F, 0.25F}, center, {}}, where);
          first = hit ? std::min(first, hit->time) : first;
        }
      }
    }
    const auto found = cast_ray(start, way, mask, where);
    ASSERT_EQ(found.has_value(), first <= 1.0F) << round;
    if (found) {
      ASSERT_NEAR(found->time, first, 1e-6F) << round;
      ++hits;
    }
  }
  EXPECT_GT(hits, 100);
}

TEST(MaskRay, that_starts_inside_and_does_not_move_has_a_normal) {
  const Mask mask = make({"x.", "xx"});
  for (const Vec2 start : {Vec2{0.5F, 0.5F}, Vec2{1.5F, 1.25F}, Vec2{0.0F, 2.0F}}) {
    const auto hit = cast_ray(start, {}, mask, {});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->time, 0.0F);
    EXPECT_EQ(hit->point, start);
    EXPECT_FLOAT_EQ(dot(hit->normal, hit->normal), 1.0F);
  }
  EXPECT_FALSE(cast_ray({1.5F, 0.5F}, {}, mask, {}));
}

// Pixels reach further than a float does, so that nothing may end at what is made of floats alone.
TEST(MaskDistance, is_right_where_pixels_lie_beyond_the_largest_float) {
  constexpr float most = std::numeric_limits<float>::max();
  const std::vector<std::uint8_t> alpha(Mask::most_side, 255);
  const Mask row = Mask::from_alpha(alpha, Mask::most_side, 1, {most, {}, 128}).value();
  const Mask column = Mask::from_alpha(alpha, 1, Mask::most_side, {most, {}, 128}).value();
  const Circle disc{{}, 1e37F};
  const float away = -1e38F;
  for (const bool swapped : {false, true}) {
    for (const auto& [mask, place, toward] : {std::tuple(row, Vec2{1e38F, away}, Vec2{0.0F, 1.0F}),
                                              std::tuple(column, Vec2{away, 1e38F}, Vec2{1.0F, 0.0F})}) {
      const Transform at_disc{place, {}};
      const Distance found = swapped ? distance(disc, at_disc, mask, {}) : distance(mask, {}, disc, at_disc);
      EXPECT_FLOAT_EQ(found.distance, 0.9e38F);
      EXPECT_EQ(swapped ? found.normal : Vec2{} - found.normal, toward);
      const Vec2 motion = 1.8e38F * toward;
      const auto hit =
          swapped ? cast(disc, at_disc, motion, mask, {}) : cast(mask, {}, Vec2{} - motion, disc, at_disc);
      ASSERT_TRUE(hit);
      EXPECT_FLOAT_EQ(hit->time, 0.5F);
      EXPECT_EQ(swapped ? hit->normal : Vec2{} - hit->normal, toward);
    }
  }
}

}  // namespace
}  // namespace broadside
