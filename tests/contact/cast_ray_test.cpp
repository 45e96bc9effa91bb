#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "boxes.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/masks.hpp"
#include "random_shapes.hpp"
#include "shape_truth.hpp"

namespace broadside::cast_ray_test {
namespace {

using test::Family;
using test::Random;
using test::Standing;
using test::to_text;
using test::TrueShape;

const Transform here{};

testing::AssertionResult hits(const std::optional<Hit>& hit, float time, Vec2 normal, Vec2 point) {
  if (!hit) {
    return testing::AssertionFailure() << "no hit";
  }
  const auto near = [](float a, float b) { return std::fabs(a - b) <= 2e-7F * (1.0F + std::fabs(b)); };
  if (near(hit->fraction, time) && near(hit->normal.x, normal.x) && near(hit->normal.y, normal.y) &&
      near(hit->point.x, point.x) && near(hit->point.y, point.y)) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "time " << hit->fraction << ", normal " << hit->normal.x << " "
                                     << hit->normal.y << ", point " << hit->point.x << " " << hit->point.y;
}

Shape triangle(float radius = 0.0F) {
  const std::vector<Vec2> corners = {{0, 0}, {4, 0}, {0, 3}};
  return Polygon::hull(corners, radius).value();
}

TEST(CastRay, hits_a_circle_from_each_side_and_misses_beside_it) {
  const Circle disc{{0, 0}, 5};
  EXPECT_TRUE(hits(cast_ray({-10, 0}, {20, 0}, disc, here), 0.25F, {-1, 0}, {-5, 0}));
  EXPECT_TRUE(hits(cast_ray({10, 3}, {-10, 0}, disc, here), 0.6F, {0.8F, 0.6F}, {4, 3}));
  EXPECT_FALSE(cast_ray({-10, 5.001F}, {20, 0}, disc, here));
  EXPECT_FALSE(cast_ray({-10, 0}, {-20, 0}, disc, here)) << "the other way";
  EXPECT_FALSE(cast_ray({-10, 0}, {4.99F, 0}, disc, here)) << "too short";
}

TEST(CastRay, hits_a_point) {
  EXPECT_TRUE(hits(cast_ray({-1, -1}, {4, 4}, Circle{}, here), 0.25F, {-0.70710678F, -0.70710678F}, {0, 0}));
  EXPECT_FALSE(cast_ray({-1, -1}, {4, 4.0001F}, Circle{}, here));
}

TEST(CastRay, hits_a_box_on_its_sides_and_corners) {
  const Box box = Box::of_half_size({2, 1});
  EXPECT_TRUE(hits(cast_ray({-4, 0.5F}, {8, 0}, box, here), 0.25F, {-1, 0}, {-2, 0.5F}));
  EXPECT_TRUE(hits(cast_ray({1, 5}, {0, -8}, box, here), 0.5F, {0, 1}, {1, 1}));
  EXPECT_TRUE(hits(cast_ray({4, 0}, {-4, 0}, box, {{}, {0, 1}}), 0.75F, {1, 0}, {1, 0})) << "turned";
  const auto corner = cast_ray({4, 3}, {-4, -4}, box, here);
  ASSERT_TRUE(corner);
  EXPECT_EQ(corner->fraction, 0.5F);
  EXPECT_EQ(corner->point, (Vec2{2, 1}));
  EXPECT_TRUE(corner->normal == (Vec2{1, 0}) || corner->normal == (Vec2{0, 1}));
}

TEST(CastRay, that_only_grazes_hits) {
  const auto disc = cast_ray({-10, 5}, {20, 0}, Circle{{0, 0}, 5}, here);
  ASSERT_TRUE(disc);
  EXPECT_NEAR(disc->point.x, 0.0F, 1e-5F);
  EXPECT_TRUE(hits(cast_ray({-4, 1}, {8, 0}, Box::of_half_size({2, 1}), here), 0.25F, {-1, 0}, {-2, 1}))
      << "an edge";
  EXPECT_TRUE(cast_ray({0, 3}, {4, -4}, Box::of_half_size({2, 1}), here)) << "a corner";
  EXPECT_FALSE(cast_ray({0, 3.0001F}, {4, -4}, Box::of_half_size({2, 1}), here));
  EXPECT_TRUE(cast_ray({-4, 0}, {8, 0}, triangle(), here)) << "the lower edge";
  EXPECT_TRUE(cast_ray({-4, 3}, {8, 0}, triangle(), here)) << "the upper corner";
  EXPECT_TRUE(cast_ray({-4, 4}, {8, 0}, triangle(1), here)) << "the disc of the upper corner";
  EXPECT_TRUE(cast_ray({-4, 1}, {8, 0}, Capsule{{0, 0}, {1, 0}, 1}, here)) << "the side of a capsule";
}

TEST(CastRay, hits_a_segment_from_both_sides_across_and_along) {
  const Segment segment{{0, 0}, {4, 0}};
  EXPECT_TRUE(hits(cast_ray({1, 2}, {0, -4}, segment, here), 0.5F, {0, 1}, {1, 0}));
  EXPECT_TRUE(hits(cast_ray({1, -2}, {0, 4}, segment, here), 0.5F, {0, -1}, {1, 0}));
  EXPECT_TRUE(hits(cast_ray({-2, 0}, {4, 0}, segment, here), 0.5F, {-1, 0}, {0, 0})) << "along it";
  EXPECT_TRUE(hits(cast_ray({8, 0}, {-8, 0}, segment, here), 0.5F, {1, 0}, {4, 0})) << "along it";
  EXPECT_TRUE(cast_ray({4, 2}, {0, -2}, segment, here)) << "its end, by the ray's end";
  EXPECT_FALSE(cast_ray({4.0001F, 2}, {0, -4}, segment, here));
  EXPECT_FALSE(cast_ray({5, 0}, {1, 0}, segment, here));
  EXPECT_FALSE(cast_ray({-1, 1}, {8, 0}, segment, here)) << "beside it";
}

TEST(CastRay, hits_a_capsule_on_its_side_and_its_ends) {
  const Capsule capsule{{0, 0}, {4, 0}, 1};
  EXPECT_TRUE(hits(cast_ray({1, 3}, {0, -4}, capsule, here), 0.5F, {0, 1}, {1, 1}));
  EXPECT_TRUE(hits(cast_ray({-3, 0}, {4, 0}, capsule, here), 0.5F, {-1, 0}, {-1, 0}));
  EXPECT_TRUE(hits(cast_ray({6, 0.6F}, {-2, 0}, capsule, here), 0.6F, {0.8F, 0.6F}, {4.8F, 0.6F}));
  EXPECT_FALSE(cast_ray({-1.5F, 0}, {0.5F, 1}, capsule, here)) << "around the end";
  EXPECT_TRUE(cast_ray({3, 3}, {0, -4}, Capsule{{3, 0}, {3, 0}, 1}, here)) << "of no length";
}

TEST(CastRay, hits_a_rounded_polygon_on_its_corners_and_edges) {
  EXPECT_TRUE(hits(cast_ray({1, -3}, {0, 4}, triangle(1), here), 0.5F, {0, -1}, {1, -1}));
  EXPECT_TRUE(hits(cast_ray({-5, -0.6F}, {5, 0}, triangle(1), here), 0.84F, {-0.8F, -0.6F}, {-0.8F, -0.6F}));
  EXPECT_FALSE(cast_ray({-2, 0.5F}, {1.5F, -2}, triangle(1), here)) << "cuts the corner that is rounded off";
  EXPECT_FALSE(cast_ray({-0.9F, -0.9F}, {-1, 0}, triangle(1), here))
      << "starts beside a corner and goes away";
  EXPECT_TRUE(cast_ray({-0.9F, -0.9F}, {1, 1}, triangle(1), here)) << "starts beside a corner";
}

TEST(CastRay, that_starts_inside_or_on_the_edge_hits_at_once_with_a_normal_against_it) {
  for (const Shape& shape :
       {Shape(Circle{{0, 0}, 2}), Shape(Box::of_half_size({2, 2})), Shape(Capsule{{-1, 0}, {1, 0}, 1}),
        Shape(Segment{{-2, 0}, {2, 0}}), triangle()}) {
    EXPECT_TRUE(hits(cast_ray({0, 0}, {0, 4}, shape, here), 0.0F, {0, -1}, {0, 0})) << name(shape);
  }
  EXPECT_TRUE(hits(cast_ray({2, 0}, {3, 0}, Circle{{0, 0}, 2}, here), 0.0F, {-1, 0}, {2, 0})) << "leaving";
}

// Outside by 1e-16, which counts as 0 for a grazing ray: the same holds for a ray that starts there.
TEST(CastRay, that_starts_on_the_edge_within_rounding_hits_at_once) {
  EXPECT_TRUE(hits(cast_ray({0, 0}, {-1, 0}, Circle{{1, 0x1p-26F}, 1}, here), 0.0F, {1, 0}, {0, 0}));
}

// Inside is measured within the rounding of all corners, not only those of the face that the ray enters by.
TEST(CastRay, that_starts_inside_a_polygon_within_the_rounding_of_its_farthest_corner_hits_at_once) {
  const std::vector<Vec2> corners = {
      {-6.53283878e+25F, 10.2303085F}, {5.5F, -2.64498907e+32F}, {0, 1000004.5F}};
  const Shape chip = Polygon::hull(corners).value();
  const Transform at{{-29, 10}, {-0.714886963F, -0.699240029F}};
  const Vec2 start{2.20932816e+14F, -0.267716527F};
  ASSERT_TRUE(contains(chip, at, start));
  const auto hit = cast_ray(start, {-20.25F, 30.25F}, chip, at);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->fraction, 0.0F);
}

TEST(CastRay, of_no_length_is_a_point) {
  const auto inside = cast_ray({1, 1}, {0, 0}, Box::of_half_size({1, 1}), here);
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->fraction, 0.0F);
  EXPECT_EQ(dot(inside->normal, inside->normal), 1.0F);
  EXPECT_EQ(inside->point, (Vec2{1, 1}));
  EXPECT_FALSE(cast_ray({1, 1.0001F}, {0, 0}, Box::of_half_size({1, 1}), here));
}

TEST(CastRay, that_ends_on_the_edge_hits_at_time_1) {
  EXPECT_TRUE(hits(cast_ray({-4, 0}, {2, 0}, Box::of_half_size({2, 1}), here), 1.0F, {-1, 0}, {-2, 0}));
  EXPECT_TRUE(hits(cast_ray({-4, 0}, {2, 0}, Circle{{0, 0}, 2}, here), 1.0F, {-1, 0}, {-2, 0}));
}

TEST(CastRay, works_far_from_the_origin_and_at_every_size) {
  const Transform far{{1e6F, -1e6F}, {}};
  EXPECT_TRUE(hits(cast_ray({1e6F - 4, -1e6F}, {8, 0}, Box::of_half_size({1, 1}), far), 0.375F, {-1, 0},
                   {1e6F - 1, -1e6F}));
  EXPECT_TRUE(
      hits(cast_ray({-4e30F, 0}, {8e30F, 0}, Circle{{0, 0}, 2e30F}, here), 0.25F, {-1, 0}, {-2e30F, 0}));
  const auto tiny = cast_ray({-4e-30F, 0}, {8e-30F, 0}, Circle{{0, 0}, 2e-30F}, here);
  ASSERT_TRUE(tiny);
  EXPECT_FLOAT_EQ(tiny->fraction, 0.25F);
  const float most = std::numeric_limits<float>::max();
  EXPECT_TRUE(cast_ray({-most, -most}, {most, most}, Box::of_half_size({1, 1}), here));
}

TEST(CastRay, hits_nothing_if_a_number_is_invalid) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(cast_ray({0, 0}, {1, 0}, Circle{{0, 0}, nan}, here));
  EXPECT_FALSE(cast_ray({0, 0}, {1, 0}, Circle{{0, 0}, -1}, here));
  EXPECT_FALSE(cast_ray({0, 0}, {1, 0}, Box::of_half_size({1, 1}), {{nan, 0}, {}}));
  EXPECT_FALSE(cast_ray({nan, 0}, {1, 0}, Circle{{0, 0}, 1}, here));
  EXPECT_FALSE(cast_ray({0, 0}, {nan, 0}, Circle{{4, 0}, 1}, here));

  // Each would be hit if it were valid.
  const float endless = std::numeric_limits<float>::infinity();
  for (const Shape& shape : {Shape(Circle{{4, 0}, 1}), Shape(Box::of_half_size({1, 1}, {4, 0})),
                             Shape(Segment{{4, -1}, {4, 1}}), Shape(Capsule{{4, -1}, {4, 1}, 1})}) {
    ASSERT_TRUE(cast_ray({0, 0}, {8, 0}, shape, here)) << name(shape);
    EXPECT_FALSE(cast_ray({0, 0}, {8, 0}, shape, {{}, {2, 0}})) << name(shape) << ", stretched";
    EXPECT_FALSE(cast_ray({0, 0}, {8, 0}, shape, {{}, {nan, 0}})) << name(shape);
    for (const float bad : {endless, -endless, nan}) {
      EXPECT_FALSE(cast_ray({0, 0}, {bad, 0}, shape, here)) << name(shape);
      EXPECT_FALSE(cast_ray({0, 0}, {8, bad}, shape, here)) << name(shape);
      EXPECT_FALSE(cast_ray({bad, 0}, {8, 0}, shape, here)) << name(shape);
      EXPECT_FALSE(cast_ray({0, 0}, {8, 0}, shape, {{0, bad}, {}})) << name(shape);
    }
  }
  EXPECT_FALSE(cast_ray({0, 0}, {8, 0}, Circle{{4, 0}, -1}, here));
  EXPECT_FALSE(cast_ray({0, 0}, {8, 0}, Circle{{4, 0}, endless}, here));
  EXPECT_FALSE(cast_ray({0, 0}, {8, 0}, Box::of_half_size({-1, 1}, {4, 0}), here));
  EXPECT_FALSE(cast_ray({0, 0}, {8, 0}, Box::of_half_size({1, endless}, {4, 0}), here));
  EXPECT_FALSE(cast_ray({0, 0}, {8, 0}, Box::of_half_size({1, 1}, {4, 0}, {2, 0}), here));
  EXPECT_FALSE(cast_ray({0, 0}, {8, 0}, Segment{{4, -1}, {4, endless}}, here));
}

TEST(CastRay, along_a_side_of_a_box_meets_the_side_across) {
  const Box box = Box::of_half_size({2, 1});
  EXPECT_TRUE(hits(cast_ray({-4, 0}, {8, 0}, box, here), 0.25F, {-1, 0}, {-2, 0}));
  EXPECT_TRUE(hits(cast_ray({0, 4}, {0, -8}, box, here), 0.375F, {0, 1}, {0, 1}));
  EXPECT_FALSE(cast_ray({-4, 1.0001F}, {8, 0}, box, here));
  EXPECT_FALSE(cast_ray({-4, -1.0001F}, {8, 0}, box, here));
  EXPECT_FALSE(cast_ray({4, 0}, {8, 0}, box, here)) << "the other way";
  EXPECT_TRUE(hits(cast_ray({-4, 0}, {8, 0}, Box::of_half_size({0, 1}), here), 0.5F, {-1, 0}, {0, 0}))
      << "of no width";
}

// From far away, the normal is computed from the point, not from the radius.
TEST(CastRay, at_a_small_circle_from_far_off_has_a_unit_normal) {
  for (const float radius : {1e-6F, 1e-3F, 1.0F, 100.0F}) {
    const auto hit = cast_ray({-1e4F, 0.5F * radius}, {2e4F, 0}, Circle{{}, radius}, here);
    ASSERT_TRUE(hit) << radius;
    EXPECT_NEAR(dot(hit->normal, hit->normal), 1.0F, 1e-6F) << radius;
    EXPECT_NEAR(hit->normal.y, 0.5F, 1e-4F) << radius;
  }
}

/// A shape and a ray near it, of the same family.
struct Shot {
  Standing target;
  Vec2 start;
  Vec2 way;
};

Shot random_shot(std::uint64_t seed) {
  Random random(seed);
  const Family family = test::families[random.below(test::families.size())];
  Shot shot{test::random_standing(family, random), test::random_transform(family, random).position, {}};
  const Vec2 end = test::random_transform(family, random).position;
  shot.way = end - shot.start;
  return shot;
}

std::string to_text(const Shot& shot) {
  return to_text(shot.target) + " start " + std::to_string(shot.start.x) + " " +
         std::to_string(shot.start.y) + " way " + std::to_string(shot.way.x) + " " +
         std::to_string(shot.way.y);
}

std::optional<Hit> cast_ray(const Shot& shot) {
  return broadside::cast_ray(shot.start, shot.way, shot.target.shape, shot.target.at);
}

/// The result of sphere tracing along the ray: each step is as long as the distance to the shape.
struct Walk {
  long double nearest = std::numeric_limits<long double>::infinity();  // to the shape, over the whole ray
  bool arrived = false;  // at the shape or the end; not if the ray grazes, and steps become too small
};

Walk walk(const Shot& shot, const TrueShape& truth, long double close) {
  const long double x = shot.way.x;
  const long double y = shot.way.y;
  const long double length = std::hypot(x, y);
  Walk walk;
  long double time = 0;
  for (int step = 0; step < 5000 && !walk.arrived; ++step) {
    const long double distance = truth.distance({shot.start.x + time * x, shot.start.y + time * y});
    walk.nearest = std::min(walk.nearest, distance);
    walk.arrived = distance <= close || time >= 1;
    time = std::min(1.0L, time + distance / length);
  }
  return walk;
}

// Sphere tracing uses no edges and corners, only distances. A ray that passes closer than rounding may hit or
// miss, but must hit if it touches.
RC_GTEST_PROP(RandomRay, meets_shapes_where_a_walker_does, (std::uint64_t seed)) {
  const Shot shot = random_shot(seed);
  RC_PRE(shot.way != Vec2{});
  RC_LOG() << to_text(shot) << std::endl;
  const TrueShape truth = test::truth_of(shot.target.shape, shot.target.at);
  const auto at = [&shot](long double time) {
    return test::TruePoint{shot.start.x + time * shot.way.x, shot.start.y + time * shot.way.y};
  };
  const long double size = truth.reach() + std::fabs(shot.start.x) + std::fabs(shot.start.y) +
                           std::fabs(shot.way.x) + std::fabs(shot.way.y);
  const long double close = 0x1p-40L * size;
  const Walk walked = walk(shot, truth, close);
  const auto hit = cast_ray(shot);
  if (!hit) {
    RC_ASSERT(walked.nearest > 0);
    return;
  }
  RC_ASSERT(walked.nearest <= (walked.arrived ? close : 1e-6L * size));
  RC_ASSERT(hit->fraction >= 0.0F && hit->fraction <= 1.0F);
  RC_ASSERT(truth.distance({hit->point.x, hit->point.y}) <= 0x1p-22L * size);
  RC_ASSERT(truth.depth(at(0.999L * hit->fraction)) <= close || hit->fraction == 0.0F);
  const long double normal_x = hit->normal.x;
  const long double normal_y = hit->normal.y;
  RC_ASSERT(std::fabs(std::hypot(normal_x, normal_y) - 1) <= 1e-6L);
  RC_ASSERT(normal_x * shot.way.x + normal_y * shot.way.y <= 1e-6L * size);
}

RC_GTEST_PROP(RandomRay, turns_with_its_shape, (std::uint64_t seed)) {
  const Shot shot = random_shot(seed);
  RC_PRE(shot.way != Vec2{});
  RC_LOG() << to_text(shot) << std::endl;
  Shot turned = shot;
  turned.start = {-shot.start.y, shot.start.x};
  turned.way = {-shot.way.y, shot.way.x};
  turned.target.at.position = {-shot.target.at.position.y, shot.target.at.position.x};
  turned.target.at.rotation = {-shot.target.at.rotation.sin, shot.target.at.rotation.cos};
  const auto hit = cast_ray(shot);
  const auto after = cast_ray(turned);
  RC_ASSERT(hit.has_value() == after.has_value());
  if (hit) {
    RC_ASSERT(std::fabs(hit->fraction - after->fraction) <= 1e-6F);
    RC_ASSERT(std::fabs(hit->normal.x - after->normal.y) <= 1e-5F);
    RC_ASSERT(std::fabs(hit->normal.y + after->normal.x) <= 1e-5F);
  }
}

// A ray that ends just before the hit meets nothing.
RC_GTEST_PROP(RandomRay, meets_nothing_before_its_hit, (std::uint64_t seed)) {
  Shot shot = random_shot(seed);
  auto hit = cast_ray(shot);
  while (!(hit.has_value() && hit->fraction > 0.01F)) {  // most miss, and RapidCheck limits discarded cases
    shot = random_shot(++seed);
    hit = cast_ray(shot);
  }
  RC_LOG() << to_text(shot) << std::endl;
  shot.way = (0.99F * hit->fraction) * shot.way;
  RC_ASSERT(!cast_ray(shot).has_value());
}

// A rotation is accepted if its length is between 0.995 and 1.005: numbers that a user rounded, or multiplied
// often.
TEST(CastRay, at_a_shape_whose_rotation_is_rounded_has_a_unit_normal) {
  Random random(13);
  std::size_t hits = 0;
  for (std::size_t round = 0; round < 4000; ++round) {
    const std::size_t kind = round % (test::convex_kinds + 1);
    const Shape shape = kind < test::convex_kinds ? test::random_shape(Family::ordinary, kind, random)
                                                  : test::random_mask(6, 6, {0.5F, {-1.5F, -1.5F}}, random);
    const double length = 1.0 + 0.004 * double(random.between(-1, 1));
    const Rotation unit = Rotation::by(random.between(-4, 4));
    const Transform at{{random.between(-1, 1), random.between(-1, 1)},
                       {float(length * double(unit.cos)), float(length * double(unit.sin))}};
    const Rotation from = Rotation::by(random.between(-4, 4));
    const Vec2 start{10.0F * from.cos, 10.0F * from.sin};
    const auto hit =
        cast_ray(start, {random.between(-1, 1) - start.x, random.between(-1, 1) - start.y}, shape, at);
    if (hit) {
      EXPECT_NEAR(std::hypot(hit->normal.x, hit->normal.y), 1.0, 3e-7) << round << ", kind " << kind;
      ++hits;
    }
  }
  EXPECT_GT(hits, 500U);
}

// A ray is the path of a point: both hit the same surface, with the same normal.
TEST(CastRay, hits_what_a_moving_point_hits_with_the_same_normal) {
  Random random(17);
  std::size_t hits = 0;
  for (std::size_t round = 0; round < 6000; ++round) {
    const std::size_t kind = round % (test::convex_kinds + 1);
    const Family family = round % 2 == 0 ? Family::ordinary : Family::lattice;
    const Shape shape = kind < test::convex_kinds
                            ? test::random_shape(family, kind, random)
                            : test::random_mask(6, 6, {0.5F, {-1.5F, -1.5F}, 128}, random);
    const Transform at = test::random_transform(family, random);
    const Vec2 start{random.between(-9, 9), random.between(-9, 9)};
    const Vec2 motion = at.position + Vec2{random.between(-1, 1), random.between(-1, 1)} - start;
    const auto ray = cast_ray(start, motion, shape, at);
    const auto point = cast(Circle{}, {start, {}}, motion, shape, at);
    if (!ray || !point || ray->fraction < 1e-3F) {
      continue;  // a ray that only grazes a shape may miss it
    }
    EXPECT_NEAR(ray->fraction, point->fraction, 1e-4F) << round << ", kind " << kind;
    EXPECT_LE(dot(point->normal, motion), 1e-4F) << round << ", kind " << kind;
    EXPECT_GT(dot(ray->normal, point->normal), -1e-3F) << round << ", kind " << kind;  // a corner has two
    hits += dot(ray->normal, point->normal) > 0.9999F ? 1 : 0;
  }
  EXPECT_GT(hits, 1500U);
}

// A point has no surface: the normal is opposite to the ray. Points on the ray, at any place, length and
// direction.
TEST(CastRay, at_a_point_has_a_normal_against_the_ray) {
  Random random(19);
  std::size_t hits = 0;
  for (int round = 0; round < 20000; ++round) {
    const float scale = std::ldexp(1.0F, static_cast<int>(random.below(40)) - 20);
    const auto whole = [&] { return static_cast<float>(random.below(199)) - 99.0F; };
    const Vec2 start = scale * Vec2{whole(), whole()};
    const Vec2 half = scale * Vec2{whole(), whole()};
    const Vec2 motion = 2.0F * half;
    const Vec2 point = start + half;
    if (const auto hit = cast_ray(start, motion, Circle{}, {point, {}})) {
      const Vec2 against = motion == Vec2{} ? Vec2{1, 0} : -normalized(motion);
      ASSERT_NEAR(hit->normal.x, against.x, 2e-7F) << round;
      ASSERT_NEAR(hit->normal.y, against.y, 2e-7F) << round;
      ++hits;
    }
  }
  EXPECT_GT(hits, 300U);
}

TEST(CastRay, hits_beyond_the_largest_float_at_the_largest_float) {
  constexpr float most = std::numeric_limits<float>::max();
  const Transform far{{most, most}, {}};
  const Box box = Box::of_half_size({1e38F, 1e38F}, {most, 0.0F});
  const auto hit = cast_ray({most, most}, {most, 0.0F}, box, far);
  ASSERT_TRUE(hit.has_value());
  EXPECT_FLOAT_EQ(hit->fraction, 1.0F - 1e38F / most);
  EXPECT_EQ(hit->normal, (Vec2{-1.0F, 0.0F}));
  EXPECT_EQ(hit->point, (Vec2{most, most}));
}

// A ray that starts in front of a line's end, just where it no longer counts as inside, and leaves beyond
// that end.
TEST(CastRay, that_starts_on_a_rounded_end_hits_there_or_leaves) {
  Random random(32);
  int hits = 0;
  int misses = 0;
  for (int round = 0; round < 4000; ++round) {
    const Rotation turn = Rotation::by(random.between(-4, 4));
    const bool is_line = random.below(2) == 0;
    const Shape shape =
        is_line ? Shape(Capsule{{0, 0}, {random.between(0.5F, 4.0F), 0}, 1.0F}) : triangle(1.0F);
    const float side = is_line ? 1.0F : -1.0F;
    const Vec2 up{-turn.sin * side, turn.cos * side};
    const float down = random.unit() * (random.below(2) == 0 ? 1.0F : 1e-8F);
    const Vec2 way = Vec2{-turn.cos, -turn.sin} - down * up;
    const auto cast_from = [&](float out) { return cast_ray(up, way, shape, {Vec2{} - out * up, turn}); };
    // The distance from the lines to the start is 1 and this, in steps of doubles.
    float inside = 0.0F;
    float outside = 1e-6F;
    for (int step = 0; step < 60; ++step) {
      const float between = 0.5F * inside + 0.5F * outside;
      const auto hit = cast_from(between);
      (hit && hit->fraction == 0.0F ? inside : outside) = between;
    }
    for (int step = -8; step <= 8; ++step) {
      const float out = outside + static_cast<float>(step) * 0x1p-54F;
      const auto hit = cast_from(out);
      const TrueShape truth = test::truth_of(shape, {Vec2{} - out * up, turn});
      if (hit) {
        ASSERT_LE(truth.distance({hit->point.x, hit->point.y}), 4e-6L) << round;
        ASSERT_NEAR(dot(hit->normal, hit->normal), 1.0F, 1e-5F) << round;
      } else {
        for (int i = 0; i <= 16; ++i) {
          const float share = static_cast<float>(i) / 16.0F;
          ASSERT_LE(truth.depth({up.x + share * way.x, up.y + share * way.y}), 2e-7L) << round;
        }
      }
      (hit ? hits : misses) += 1;
    }
  }
  EXPECT_GT(hits, 1000);
  EXPECT_GT(misses, 1000);
}

}  // namespace
}  // namespace broadside::cast_ray_test
