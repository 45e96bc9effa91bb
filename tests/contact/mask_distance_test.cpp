#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>
#include <vector>

#include "broadside/contact/collide.hpp"
#include "broadside/contact/mask_overlap.hpp"
#include "contact/masks.hpp"
#include "random_shapes.hpp"
#include "shape_truth.hpp"

namespace broadside::mask_distance_test {
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

TEST(MaskDistance, is_the_largest_float_for_invalid_shapes) {
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
    // The point is rounded to floats, and so nearly in both.
    const Circle near_it{{}, 1e-5F};
    EXPECT_TRUE(overlaps(near_it, {found.point_a, {}}, a, at_a)) << test::to_text(b);
    EXPECT_TRUE(overlaps(near_it, {found.point_a, {}}, b.shape, b.at)) << test::to_text(b);
  }
  EXPECT_GT(touching, 100);
}

// Few pixels, at offsets on and off the lattice: the neighbors of the right pixel are hardly ever set.
TEST(MaskDistance, gives_a_point_of_both_parallel_masks_where_they_touch) {
  test::Random random(20);
  int touching = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto sparse = [&] {
      std::vector<std::uint8_t> alpha(25);
      for (std::uint32_t pixel = 0; pixel < 1 + random.below(3); ++pixel) {
        alpha[random.below(25)] = 255;
      }
      return Mask::from_alpha(alpha, 5, 5, {1.0F, {}, 128}).value();
    };
    const Mask a = sparse();
    const Mask b = sparse();
    const auto offset = [&] {
      const float whole = random.between(-4.0F, 4.0F);
      return random.below(3) == 0 ? std::round(whole) : whole;
    };
    const Transform at_b{{offset(), offset()}, {}};
    const Distance found = distance(a, {}, b, at_b);
    if (found.distance > 0.0F) {
      continue;
    }
    ++touching;
    const Circle near_it{{}, 1e-5F};
    ASSERT_TRUE(overlaps(near_it, {found.point_a, {}}, a, {})) << round;
    ASSERT_TRUE(overlaps(near_it, {found.point_a, {}}, b, at_b)) << round;
  }
  EXPECT_GT(touching, 2000);
}

TEST(MaskCast, stops_at_the_first_pixel) {
  const Mask l_shape = make({"x..", "x..", "xxx"});
  const auto hit = cast(l_shape, {}, {10.0F, 0.0F}, Circle{{}, 0.5F}, at(7.5F, 1.0F));
  ASSERT_TRUE(hit);
  EXPECT_FLOAT_EQ(hit->fraction, 0.6F);
  EXPECT_EQ(hit->normal, (Vec2{-1, 0}));
  const auto of_masks = cast(l_shape, at(-20.0F, 0.0F), {40.0F, 0.0F}, make({"x"}), {});
  ASSERT_TRUE(of_masks);
  EXPECT_FLOAT_EQ(of_masks->fraction, 19.0F / 40.0F);
  EXPECT_EQ(of_masks->normal, (Vec2{-1, 0}));
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
      EXPECT_EQ(hit->fraction, swapped->fraction);
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
  for (int round = 0; round < 3000; ++round) {
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
    for (float time = 0.0F; time <= (hit ? hit->fraction : 1.0F) - 1e-4F; time += 1.0F / 256.0F) {
      ASSERT_FALSE(overlaps(a, moved(time), b.shape, b.at))
          << round << ' ' << time << ' ' << test::to_text(b);
    }
    if (hit) {
      ++hits;
      EXPECT_LT(distance(a, moved(hit->fraction), b.shape, b.at).distance, 1e-4F) << round;
      EXPECT_NEAR(dot(hit->normal, hit->normal), 1.0F, 1e-5F);
      if (hit->fraction > 0.0F) {
        EXPECT_LE(dot(hit->normal, motion), 1e-2F) << round << ' ' << test::to_text(b);
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
  EXPECT_FLOAT_EQ(down->fraction, 0.5F);
  EXPECT_EQ(down->normal, (Vec2{0, -1}));
  EXPECT_EQ(down->point, (Vec2{2.5F, 2.0F}));
  const auto left = cast_ray({9.0F, 1.5F}, {-10.0F, 0.0F}, stairs, {});
  ASSERT_TRUE(left);
  EXPECT_FLOAT_EQ(left->fraction, 0.7F);
  EXPECT_EQ(left->normal, (Vec2{1, 0}));
  EXPECT_FALSE(cast_ray({9.0F, 4.5F}, {-10.0F, 0.0F}, stairs, {}));
  EXPECT_FALSE(cast_ray({9.0F, 1.5F}, {-6.9F, 0.0F}, stairs, {}));
  // Closed: along an edge counts; a start inside has time 0 and a normal against the ray.
  EXPECT_TRUE(cast_ray({9.0F, 4.0F}, {-10.0F, 0.0F}, stairs, {}));
  const auto inside = cast_ray({0.5F, 0.5F}, {0.0F, 2.0F}, stairs, {});
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->fraction, 0.0F);
  EXPECT_EQ(inside->normal, (Vec2{0, -1}));
  // A wall of two rectangles, hit exactly at their seam, from both sides.
  const Mask wall = make({".x", "xx"}, {1.0F, {0, 0}, 128});
  for (const float way_y : {-4.0F, 4.0F}) {
    const auto at_seam = cast_ray({6.0F, 1.0F - way_y}, {-4.0F, way_y}, wall, {});
    ASSERT_TRUE(at_seam);
    EXPECT_FLOAT_EQ(at_seam->fraction, 1.0F);
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
          const auto hit = cast_ray(start, way, Box::of_half_size({0.25F, 0.25F}, center), where);
          first = hit ? std::min(first, hit->fraction) : first;
        }
      }
    }
    const auto found = cast_ray(start, way, mask, where);
    ASSERT_EQ(found.has_value(), first <= 1.0F) << round;
    if (found) {
      ASSERT_NEAR(found->fraction, first, 1e-6F) << round;
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
    EXPECT_EQ(hit->fraction, 0.0F);
    EXPECT_EQ(hit->point, start);
    EXPECT_FLOAT_EQ(dot(hit->normal, hit->normal), 1.0F);
  }
  EXPECT_FALSE(cast_ray({1.5F, 0.5F}, {}, mask, {}));
}

// Pixels reach beyond the range of float, so that no search may end at a limit made of floats.
TEST(MaskDistance, is_right_where_pixels_lie_beyond_the_largest_float) {
  constexpr float most = std::numeric_limits<float>::max();
  const std::vector<std::uint8_t> alpha(Mask::max_side, 255);
  const Mask row = Mask::from_alpha(alpha, Mask::max_side, 1, {most, {}, 128}).value();
  const Mask column = Mask::from_alpha(alpha, 1, Mask::max_side, {most, {}, 128}).value();
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
      EXPECT_FLOAT_EQ(hit->fraction, 0.5F);
      EXPECT_EQ(swapped ? -hit->normal : hit->normal, toward);
    }
  }
}

/// Returns the distance of the nearest parts of two shapes, in long double; negative if they overlap.
long double true_gap(const std::vector<test::TrueShape>& a, const std::vector<test::TrueShape>& b) {
  long double least = std::numeric_limits<long double>::infinity();
  for (const test::TrueShape& one : a) {
    for (const test::TrueShape& other : b) {
      least = std::min(least, test::gap(one, other));
    }
  }
  return least;
}

/// Checks the answers for a mask and a shape that touch, or nearly do.
void expect_near_touch(const Mask& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  constexpr long double rounding = 1e-9L;
  const bool touching = overlaps(a, at_a, b, at_b);
  const MaskOverlap found = overlap(a, at_a, b, at_b);
  ASSERT_EQ(found.touching, touching);
  ASSERT_EQ(collide(a, at_a, b, at_b).touching(), touching);
  const Distance between = distance(a, at_a, b, at_b);
  ASSERT_EQ(between.distance == 0.0F, touching);
  if (!touching) {
    return;
  }
  // The reported pixel touches b, and the reported point is in both.
  ASSERT_TRUE(a.at(found.column, found.row));
  const Vec2 middle{static_cast<float>(found.column) + 0.5F, static_cast<float>(found.row) + 0.5F};
  const Box pixel =
      Box::of_half_size({0.5F * a.pixel_size(), 0.5F * a.pixel_size()}, a.pixel_size() * middle);
  ASSERT_EQ(a.origin(), Vec2{});
  ASSERT_LE(true_gap({test::truth_of(pixel, at_a)}, test::true_parts(b, at_b)), rounding);
  const test::TrueShape point{{{between.point_a.x, between.point_a.y}}, 0};
  ASSERT_LE(true_gap({point}, test::true_parts(a, at_a)), 1e-6L);
  ASSERT_LE(true_gap({point}, test::true_parts(b, at_b)), 1e-6L);
}

// Moves b to where it begins to touch a, and tests around there in steps of doubles: rounding may then differ
// between a rectangle and its pixels, or have a shape touch a pixel but none of its sides.
TEST(MaskDistance, agrees_with_overlaps_to_the_last_bit_where_touching_begins) {
#ifdef BROADSIDE_FEW_CASES
  constexpr int rounds = 1200;
#else
  constexpr int rounds = 12'000;
#endif
  test::Random random(42);
  int found_touching = 0;
  int found_apart = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::uint32_t width = 1 + random.below(4);
    const std::uint32_t height = 1 + random.below(4);
    const std::vector<std::uint8_t> alpha(std::size_t{width} * height, 255);
    const Mask a = random_mask(1 + random.below(4), 1 + random.below(4), {}, random);
    test::Standing b = test::random_standing(test::Family::ordinary, random);
    if (round % 2 == 0) {
      b.shape = Mask::from_alpha(alpha, width, height, {1.0F, {}, 128}).value();
    }
    Transform at_a{{}, round % 3 == 0 ? Rotation{} : Rotation::by(random.between(-4, 4))};
    b.at.position = {};
    // Along a line from far away to the center of a: first a in steps of floats, then b in steps of doubles.
    const Vec2 way = Rotation::by(random.between(-4, 4)).cos > 0 ? Vec2{random.between(-1, 1), 1.0F}
                                                                 : Vec2{-1.0F, random.between(-1, 1)};
    const auto begins = [&](float& apart, float& meets, auto touches) {
      for (int step = 0; step < 60; ++step) {
        const float between = 0.5F * apart + 0.5F * meets;
        (touches(between) ? meets : apart) = between;
      }
    };
    float apart = 40.0F;
    float meets = 0.0F;
    const auto a_touches = [&](float by) { return overlaps(a, {by * way, at_a.rotation}, b.shape, b.at); };
    if (!a_touches(meets)) {
      continue;
    }
    begins(apart, meets, a_touches);
    at_a.position = apart * way;
    float still_apart = 0.0F;
    float touching = 1e-4F;
    const auto b_touches = [&](float by) { return overlaps(a, at_a, b.shape, {by * way, b.at.rotation}); };
    if (b_touches(still_apart) || !b_touches(touching)) {
      continue;
    }
    begins(still_apart, touching, b_touches);
    for (int step = -16; step <= 16; ++step) {
      const Transform at_b{(touching + static_cast<float>(step) * 0x1p-54F) * way, b.at.rotation};
      ASSERT_NO_FATAL_FAILURE(expect_near_touch(a, at_a, b.shape, at_b)) << round << " " << step;
      if (const Mask* mask = std::get_if<Mask>(&b.shape)) {
        ASSERT_NO_FATAL_FAILURE(expect_near_touch(*mask, at_b, a, at_a)) << round << " " << step;
      }
      (overlaps(a, at_a, b.shape, at_b) ? found_touching : found_apart) += 1;
    }
  }
  EXPECT_GT(found_touching, 1000);
  EXPECT_GT(found_apart, 1000);
}

}  // namespace
}  // namespace broadside::mask_distance_test
