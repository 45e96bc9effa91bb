#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "broadside/contact/collide.hpp"
#include "contact/support_oracle.hpp"
#include "extreme_shapes.hpp"
#include "random_shapes.hpp"
#include "shape_truth.hpp"

namespace broadside::test::cast_test {
namespace {

constexpr Transform origin{};

Transform at(float x, float y) {
  return {{x, y}, {}};
}

constexpr Circle disc{{}, 1.0F};
constexpr Box unit_box = Box::of_half_size({0.5F, 0.5F});

TEST(Cast, discs_meet_when_their_distance_is_the_sum_of_their_radii) {
  const auto hit = cast(disc, origin, {10.0F, 0.0F}, disc, at(7.0F, 0.0F));
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->fraction, 0.5F);
  EXPECT_EQ(hit->normal, (Vec2{-1.0F, 0.0F}));
  EXPECT_EQ(hit->point, (Vec2{6.0F, 0.0F}));
}

TEST(Cast, a_disc_that_just_grazes_hits) {
  const auto hit = cast(disc, origin, {8.0F, 0.0F}, disc, at(4.0F, 2.0F));
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->fraction, 0.5F);
  EXPECT_EQ(hit->normal, (Vec2{0.0F, -1.0F}));
  EXPECT_FALSE(cast(disc, origin, {8.0F, 0.0F}, disc, at(4.0F, std::nextafter(2.0F, 3.0F))).has_value());
}

TEST(Cast, the_end_of_the_motion_belongs_to_it) {
  EXPECT_EQ(cast(unit_box, origin, {3.0F, 0.0F}, unit_box, at(4.0F, 0.0F))->fraction, 1.0F);
  EXPECT_EQ(cast(disc, origin, {3.0F, 0.0F}, disc, at(5.0F, 0.0F))->fraction, 1.0F);
  EXPECT_FALSE(cast(unit_box, origin, {2.9F, 0.0F}, unit_box, at(4.0F, 0.0F)).has_value());
  EXPECT_FALSE(cast(disc, origin, {2.9F, 0.0F}, disc, at(5.0F, 0.0F)).has_value());
}

TEST(Cast, boxes_meet_face_to_face) {
  const auto hit = cast(unit_box, origin, {4.0F, 1.0F}, unit_box, at(3.0F, 0.25F));
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->fraction, 0.5F);
  EXPECT_EQ(hit->normal, (Vec2{-1.0F, 0.0F}));
  EXPECT_FLOAT_EQ(hit->point.x, 2.5F);
  EXPECT_GE(hit->point.y, 0.0F);
  EXPECT_LE(hit->point.y, 0.75F);
}

TEST(Cast, boxes_that_slide_past_each_other_touch_on_the_line_only) {
  const float beyond = std::nextafter(1.0F, 2.0F);
  EXPECT_TRUE(cast(unit_box, origin, {9.0F, 0.0F}, unit_box, at(4.0F, 1.0F)).has_value());
  EXPECT_FALSE(cast(unit_box, origin, {9.0F, 0.0F}, unit_box, at(4.0F, beyond)).has_value());
}

TEST(Cast, corner_meets_corner) {
  const auto hit = cast(unit_box, origin, {4.0F, 4.0F}, unit_box, at(3.0F, 3.0F));
  ASSERT_TRUE(hit.has_value());
  EXPECT_FLOAT_EQ(hit->fraction, 0.5F);
  EXPECT_LT(dot(hit->normal, Vec2{1.0F, 1.0F}), -0.99F);
}

TEST(Cast, no_motion_hits_only_what_touches_already) {
  EXPECT_EQ(cast(unit_box, origin, {}, unit_box, at(1.0F, 0.0F))->fraction, 0.0F);
  EXPECT_FALSE(cast(unit_box, origin, {}, unit_box, at(1.5F, 0.0F)).has_value());
  EXPECT_EQ(cast(disc, origin, {}, unit_box, at(1.5F, 0.0F))->fraction, 0.0F);
}

TEST(Cast, shapes_that_touch_at_the_start_hit_at_0_even_when_they_separate) {
  const auto hit = cast(disc, origin, {-5.0F, 0.0F}, disc, at(2.0F, 0.0F));
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->fraction, 0.0F);
  EXPECT_EQ(hit->normal, (Vec2{-1.0F, 0.0F}));
}

TEST(Cast, a_shape_that_moves_away_never_hits) {
  EXPECT_FALSE(cast(disc, origin, {-50.0F, 0.0F}, unit_box, at(3.0F, 0.0F)).has_value());
  EXPECT_FALSE(cast(unit_box, origin, {0.0F, 50.0F}, unit_box, at(3.0F, 0.0F)).has_value());
}

TEST(Cast, a_bullet_does_not_tunnel) {
  const Segment wall{{0.0F, -1.0F}, {0.0F, 1.0F}};
  const auto hit = cast(Circle{{}, 0.0F}, at(-1.0e6F, 0.5F), {2.0e6F, 0.0F}, wall, origin);
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->fraction, 0.5F);
  EXPECT_EQ(hit->normal, (Vec2{-1.0F, 0.0F}));
  EXPECT_FALSE(cast(Circle{{}, 0.0F}, at(-1.0e6F, 1.5F), {2.0e6F, 0.0F}, wall, origin).has_value());
}

TEST(Cast, a_motion_that_is_not_finite_hits_nothing) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(cast(disc, origin, {nan, 0.0F}, disc, at(5.0F, 0.0F)).has_value());
  EXPECT_FALSE(cast(disc, origin, {infinity, 0.0F}, disc, at(5.0F, 0.0F)).has_value());
  EXPECT_FALSE(cast(unit_box, origin, {nan, 0.0F}, disc, at(5.0F, 0.0F)).has_value());
}

TEST(Cast, motions_to_the_limit_of_float_end) {
  constexpr float most = std::numeric_limits<float>::max();
  constexpr float least = std::numeric_limits<float>::denorm_min();
  EXPECT_TRUE(cast(unit_box, at(-most, 0.0F), {most, 0.0F}, unit_box, origin).has_value());
  EXPECT_TRUE(cast(disc, at(-most, 0.0F), {most, 0.0F}, disc, origin).has_value());
  const Circle speck{{}, least};
  const auto hit = cast(speck, origin, {8.0F * least, 0.0F}, speck, at(6.0F * least, 0.0F));
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->fraction, 0.5F);
}

// So near to a face that rounding may hide the gap, but not in touch with it: moving along it hits nothing.
TEST(Cast, along_a_face_just_above_it_hits_nothing) {
  Random random(62);
  int apart = 0;
  for (int round = 0; round < 4000; ++round) {
    const float large = random.between(0.5F, 2.0F);
    const float small = std::ldexp(random.between(1.0F, 2.0F), -8 - static_cast<int>(random.below(24)));
    float above = small;
    for (std::uint32_t ulps = random.below(4); ulps > 0; --ulps) {
      above = std::nextafter(above, 1.0F);
    }
    const Shape floor = Box::of_half_size({4, large});
    const Shape moving = random.below(2) == 0 ? Shape(Box::of_half_size({small, small}, {0, above}))
                                              : Shape(Circle{{0, above}, small});
    const Transform place = at(random.between(-3, 3), large);
    if (overlaps(floor, origin, moving, place)) {
      continue;
    }
    ++apart;
    for (const float way : {-1.0F, -1e-3F, 1e-3F, 1.0F}) {
      ASSERT_FALSE(cast(moving, place, {way, 0}, floor, origin)) << round;
      ASSERT_FALSE(cast(floor, origin, {way, 0}, moving, place)) << round;
    }
  }
  EXPECT_GT(apart, 500);
}

TEST(Cast, separate_shapes_never_hit_at_fraction_0) {
  constexpr float least = std::numeric_limits<float>::denorm_min();
  const Circle point{{}, 0.0F};
  const auto hit = cast(point, origin, {1e38F, 0.0F}, point, at(least, 0.0F));
  ASSERT_TRUE(hit.has_value());
  EXPECT_GT(hit->fraction, 0.0F);
}

TEST(Cast, a_long_line_is_not_missed_if_rounding_gives_the_wrong_side) {
  const Box box = Box::of_half_size({8.0F, 20.5F}, {0.0F, -8.0F});
  const Segment line{{12.25F, -16.25F}, {-26.5F, 999974.5F}};
  const Transform at_box{{17.0F, -12.0F}, {0.694443882F, 0.719546854F}};
  const auto hit = cast(box, at_box, {5.5F, -20.5F}, line, {{-16.0F, -26.75F}, {0.0F, -1.0F}});
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(hit->fraction, 0.0707F, 1e-4F);
  EXPECT_NEAR(hit->normal.y, 1.0F, 1e-6F);
}

TEST(Cast, corners_may_coincide_for_a_long_motion) {
  const Segment needle{{0.0F, 0.0F}, {1.0F, 1e6F}};
  const std::vector<Vec2> corners = {{0, 0}, {1e6F, 0}, {1e6F, 1e6F}};
  const Shape planet = Polygon::hull(corners, 6e32F).value();
  const auto hit = cast(needle, origin, {6e32F, 6e32F}, planet, at(6e32F, 6e32F));
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(hit->fraction, 1.0 - std::sqrt(0.5), 1e-6);
}

TEST(Cast, a_motion_nearly_along_a_face_does_not_hit_late) {
  const Segment mover{{0.25F, 0.0F}, {0.0F, 0.0F}};
  const Capsule capsule{{-12.75F, 10.75F}, {11.25F, 4.75F}, 1.25F};
  const Transform at_mover{{0.0F, -9.25F}, {-1.0F, 0.0F}};
  const auto hit = cast(mover, at_mover, {1e17F, 4.75F}, capsule, at(-27.25F, 0.0F));
  EXPECT_TRUE(!hit || hit->fraction < 1e-6F);
}

TEST(Cast, shapes_that_only_rounding_separates_hit) {
  constexpr float huge = 2.50451951e33F;
  const Box crate = Box::of_half_size({0.078740157F, 26.75F}, {-7.25F, 9.25F}, {0.0F, 1.0F});
  const Box country = Box::of_half_size({huge, huge}, {-huge, -huge}, {1.0F, 1.43240537e-16F});
  const Transform at_crate{{9.25F, 9.25F}, {0.0F, 1.0F}};
  const Transform at_country{{9.25F, 9.25F}, {0.842466891F, -0.538748085F}};
  const auto hit = cast(crate, at_crate, {-huge, -huge}, country, at_country);
  ASSERT_TRUE(hit.has_value());
  EXPECT_LT(hit->fraction, 1e-12F);
}

TEST(Cast, a_shape_in_front_of_a_huge_one_hits_it_wherever_the_normal_points) {
  const Capsule pin{{9.0F, -14.5F}, {10.75F, 1.0F}, 0.0F};
  const std::vector<Vec2> corners = {{-3.69731403e+28F, -3.6972687e+28F},
                                     {-4.5F, -3.69731403e+28F},
                                     {-0.14173229F, 28.5F},
                                     {-2.7998075e+28F, 3.45088244e-37F}};
  const Shape country = Polygon::hull(corners).value();
  const Transform at_pin{{0.0F, 0.0F}, {-0.911353767F, 0.411623985F}};
  const Transform at_country{{0.5F, -13.5F}, {0.711245716F, 0.702943444F}};
  const auto hit = cast(pin, at_pin, {0.0F, -3.69725783e+28F}, country, at_country);
  ASSERT_TRUE(hit.has_value());
  EXPECT_LT(hit->fraction, 1e-12F);
}

TEST(Cast, a_rounded_corner_is_not_missed_if_its_radius_is_lost_in_rounding) {
  const Capsule pin{{9.0F, -14.5F}, {10.75F, -0.75F}, 1.25F};
  const std::vector<Vec2> corners = {{-3.69731403e+28F, -3.6972687e+28F},
                                     {-4.5F, -3.69731403e+28F},
                                     {-0.14173229F, 28.5F},
                                     {-2.7998075e+28F, 3.45088244e-37F}};
  const Shape country = Polygon::hull(corners, 2.5F).value();
  const Transform at_pin{{0.0F, 0.0F}, {-0.911353767F, 0.411623985F}};
  const Transform at_country{{-1.01292423e+28F, 0.0F}, {0.721577466F, -0.692333698F}};
  const auto hit = cast(pin, at_pin, {-3.20213801e+28F, -4.5F}, country, at_country);
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(hit->fraction, 1.01292423 / 3.20213801, 1e-6);
}

// Found by fuzzing: a box without height far from the origin, and a motion along it.
TEST(Cast, is_the_same_when_swapped_whatever_the_sign_of_0) {
  constexpr Vec2 far{0.25F, -2.12697249e+38F};
  const Shape line = Box::of_half_size({0.25F, 0.0F}, far);
  const Shape dot = Circle{far, 0.0F};
  for (const float zero : {0.0F, -0.0F}) {
    for (const float x : {-0.25F, 0.25F}) {
      for (const float y : {24.0F, -24.0F}) {
        const auto there = cast(line, at(0.0F, y), {x, zero}, dot, at(0.0F, 3.25F));
        for (const float back : {0.0F, -0.0F}) {
          const auto turned = cast(dot, at(0.0F, 3.25F), {-x, back}, line, at(0.0F, y));
          ASSERT_EQ(there.has_value(), turned.has_value());
          EXPECT_TRUE(!there || there->fraction == turned->fraction);
        }
      }
    }
  }
}

RC_GTEST_PROP(Cast, agrees_with_fine_steps, ()) {
  constexpr int steps = 24;
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const Family family = *rc::gen::elementOf(families);
  const Standing a = random_standing(family, random);
  const Standing b = random_standing(family, random);
  const double sizes = size_of(a) + size_of(b);
  const auto speed = static_cast<float>(2.0 * sizes);
  const Vec2 motion{random.between(-speed, speed), random.between(-speed, speed)};
  RC_LOG() << name(family) << "\n  a: " << to_text(a) << "\n  b: " << to_text(b) << "\n  motion: " << motion.x
           << " " << motion.y << "\n";

  double far = 0.0;
  for (const Standing& s : {a, b, moved(a, motion, 1.0)}) {
    const Aabb box = bounds(s.shape, s.at);
    for (const float side : {box.min.x, box.min.y, box.max.x, box.max.y}) {
      far = std::max(far, std::abs(static_cast<double>(side)));
    }
  }
  const double tolerance = 1e-5 * std::min(size_of(a), size_of(b)) + 4e-7 * far;
  const auto separation = [&](double share) {
    return static_cast<double>(sweep(moved(a, motion, share), b).separation);
  };
  const auto hit = cast(a.shape, a.at, motion, b.shape, b.at);
  const double end = hit ? static_cast<double>(hit->fraction) : 1.0;
  for (int i = 0; i <= steps; ++i) {
    const double share = end * i / steps;
    RC_ASSERT(share == 0.0 || separation(share) >= -tolerance);
  }
  if (hit && hit->fraction > 0.0F) {
    RC_ASSERT(separation(end) <= tolerance);
    RC_ASSERT(std::abs(dot(hit->normal, hit->normal) - 1.0F) < 1e-6F);
    RC_ASSERT(static_cast<double>(motion.x) * static_cast<double>(hit->normal.x) +
                  static_cast<double>(motion.y) * static_cast<double>(hit->normal.y) <
              1e-6 * sizes);
    // Along the normal, the two shapes are side by side.
    const auto x = static_cast<long double>(hit->normal.x);
    const auto y = static_cast<long double>(hit->normal.y);
    const Standing there = moved(a, motion, end);
    RC_ASSERT(static_cast<double>(-support(b, x, y) - support(there, -x, -y)) >= -tolerance);
    const Standing spot{Circle{{}, 0.0F}, {hit->point, {}}};
    RC_ASSERT(static_cast<double>(sweep(there, spot).separation) <= tolerance);
    RC_ASSERT(static_cast<double>(sweep(b, spot).separation) <= tolerance);
  }
}

/// Returns the gap of two shapes after a share of a motion of the first, in long double.
long double gap_after(TrueShape a, Vec2 motion, long double share, const TrueShape& b) {
  for (TruePoint& corner : a.corners) {
    corner.x += share * static_cast<long double>(motion.x);
    corner.y += share * static_cast<long double>(motion.y);
  }
  return gap(a, b);
}

// A corner that reaches the line of a face beside its end meets the rounded end, or passes it. It may also
// leave again before, an edge next to it may be almost parallel to the face, or another corner may be ahead
// of it.
TEST(Cast, a_corner_beside_the_end_of_a_face_hits_its_rounded_end_or_passes) {
  Random random(41);
  int hits = 0;
  int misses = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto slope = [&] {
      return random.below(2) == 0 ? random.between(0.0F, 3.0F) : random.unit() * 4e-6F;
    };
    const float radius = random.between(0.0F, random.below(2) == 0 ? 0.5F : 20.0F);
    const std::vector<Vec2> face = {{0, 0}, {0, -4}, {6, -4}, {6, 0}};
    const Shape still = Polygon::hull(face, radius).value();
    const float right = random.between(0.5F, 8.0F);
    const float left = random.between(0.5F, 8.0F);
    const std::vector<Vec2> corners = {
        {0, 0}, {right, right * slope()}, {-left, left * slope()}, {random.between(-1, 1), 30.0F}};
    const Shape mover = Polygon::hull(corners).value();
    const float beside = random.between(0.0F, 1.5F) * (radius + 0.25F);
    const Transform at_mover = at(-beside, radius + random.between(0.01F, 1.0F));
    const Vec2 motion{random.between(-12.0F, 12.0F), -random.between(0.0F, 6.0F)};
    const bool swapped = random.below(2) == 0;
    const auto hit = swapped ? cast(still, origin, Vec2{} - motion, mover, at_mover)
                             : cast(mover, at_mover, motion, still, origin);
    const TrueShape true_mover = truth_of(mover, at_mover);
    const TrueShape true_still = truth_of(still, origin);
    constexpr long double tolerance = 4e-5L;  // 2^-20 of the largest number
    const long double end = hit ? static_cast<long double>(hit->fraction) : 1.0L;
    constexpr int steps = 64;
    for (int i = 0; i <= steps; ++i) {
      ASSERT_GE(gap_after(true_mover, motion, end * i / steps, true_still), -tolerance) << round << " " << i;
    }
    if (hit) {
      ASSERT_LE(gap_after(true_mover, motion, end, true_still), tolerance) << round;
      const Vec2 outward = swapped ? -hit->normal : hit->normal;
      ASSERT_LE(dot(outward, motion), 1e-4F) << round;
    }
    (hit ? hits : misses) += 1;
  }
  EXPECT_GT(hits, 3000);
  EXPECT_GT(misses, 3000);
}

}  // namespace
}  // namespace broadside::test::cast_test
