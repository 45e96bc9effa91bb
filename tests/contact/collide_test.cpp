#include "broadside/contact/collide.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "boxes.hpp"
#include "broadside/contact/mask_overlap.hpp"
#include "random_shapes.hpp"
#include "shape_truth.hpp"

namespace broadside::collide_test {
namespace {

constexpr float most = std::numeric_limits<float>::max();
constexpr float least = std::numeric_limits<float>::denorm_min();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
const float half_root = std::sqrt(0.5F);

constexpr Transform origin{};
constexpr std::array quarters = {Rotation{1.0F, 0.0F}, Rotation{0.0F, 1.0F}, Rotation{-1.0F, 0.0F},
                                 Rotation{0.0F, -1.0F}};

Transform at(float x, float y, Rotation rotation = {}) {
  return {{x, y}, rotation};
}

constexpr Circle disc{{}, 1.0F};
constexpr Circle point{{}, 0.0F};
constexpr Box unit_box = Box::of_half_size({0.5F, 0.5F});
constexpr Capsule capsule{{-1.0F, 0.0F}, {1.0F, 0.0F}, 0.5F};
constexpr Segment segment{{-1.0F, 0.0F}, {1.0F, 0.0F}};

Polygon polygon(std::vector<Vec2> points, float radius = 0.0F) {
  return Polygon::hull(points, radius).value();
}

Polygon square() {
  return polygon({{-0.5F, -0.5F}, {0.5F, -0.5F}, {0.5F, 0.5F}, {-0.5F, 0.5F}});
}

/// Returns whether two shapes touch; checks that all functions agree, in both orders of the shapes.
bool touch(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  const bool touching = overlaps(a, at_a, b, at_b);
  EXPECT_EQ(overlaps(b, at_b, a, at_a), touching);
  EXPECT_EQ(collide(a, at_a, b, at_b).touching(), touching);
  EXPECT_EQ(distance(a, at_a, b, at_b).distance == 0.0F, touching);
  EXPECT_EQ(cast(a, at_a, {}, b, at_b).has_value(), touching);
  EXPECT_TRUE(!touching || overlaps(bounds(a, at_a), bounds(b, at_b)));
  return touching;
}

/// Compares a manifold with the expected points, in any order.
void expect_manifold(const Manifold& found, Vec2 normal, const std::vector<Vec2>& points, float separation) {
  EXPECT_FLOAT_EQ(found.normal.x, normal.x);
  EXPECT_FLOAT_EQ(found.normal.y, normal.y);
  ASSERT_EQ(found.size, points.size());
  for (const Vec2 expected : points) {
    const bool is_there =
        std::any_of(found.in_use().begin(), found.in_use().end(), [&](const ManifoldPoint& p) {
          return std::abs(p.position.x - expected.x) < 1e-6F && std::abs(p.position.y - expected.y) < 1e-6F;
        });
    EXPECT_TRUE(is_there) << expected.x << " " << expected.y << " is not " << found.points[0].position.x
                          << " " << found.points[0].position.y;
  }
  for (const ManifoldPoint& p : found.in_use()) {
    EXPECT_NEAR(p.separation, separation, 1e-6F);
  }
}

TEST(Collide, discs) {
  expect_manifold(collide(disc, origin, disc, at(1.5F, 0.0F)), {1.0F, 0.0F}, {{0.75F, 0.0F}}, -0.5F);
  expect_manifold(collide(disc, at(0.0F, 2.0F), disc, origin), {0.0F, -1.0F}, {{0.0F, 1.0F}}, 0.0F);
  EXPECT_FALSE(collide(disc, origin, disc, at(2.5F, 0.0F)).touching());
}

TEST(Collide, discs_touch_at_exactly_the_sum_of_their_radii) {
  EXPECT_TRUE(touch(disc, origin, Circle{{}, 4.0F}, at(3.0F, 4.0F)));
  EXPECT_FALSE(touch(disc, origin, Circle{{}, 4.0F}, at(std::nextafter(3.0F, 4.0F), 4.0F)));
  EXPECT_TRUE(touch(disc, origin, Circle{{3.0F, 4.0F}, 4.0F}, at(0.0F, 0.0F, {0.0F, 1.0F})));
}

TEST(Collide, boxes_side_by_side_at_quarter_turns) {
  for (const Rotation turn : quarters) {
    for (const Rotation other : quarters) {
      EXPECT_TRUE(touch(unit_box, at(0.0F, 0.0F, turn), unit_box, at(1.0F, 0.5F, other)));
      EXPECT_TRUE(touch(unit_box, at(0.0F, 0.0F, turn), unit_box, at(1.0F, -1.0F, other)))
          << "corner on corner";
      EXPECT_FALSE(
          touch(unit_box, at(0.0F, 0.0F, turn), unit_box, at(std::nextafter(1.0F, 2.0F), 0.5F, other)));
      EXPECT_TRUE(touch(unit_box, at(0.0F, 0.0F, turn), square(), at(1.0F, 0.5F, other)));
      EXPECT_TRUE(touch(square(), at(0.0F, 0.0F, turn), square(), at(-1.0F, 1.0F, other)));
      EXPECT_FALSE(
          touch(square(), at(0.0F, 0.0F, turn), square(), at(0.0F, std::nextafter(1.0F, 2.0F), other)));
      EXPECT_TRUE(touch(disc, at(0.0F, 0.0F, turn), unit_box, at(1.5F, 0.25F, other)));
      EXPECT_TRUE(
          touch(capsule, at(0.0F, 0.0F, turn), Circle{{}, 0.5F}, at(turn.cos * 2.0F, turn.sin * 2.0F)));
    }
  }
}

TEST(Collide, a_disc_at_a_corner) {
  // 3, 4, 5: exact.
  EXPECT_TRUE(touch(Circle{{}, 5.0F}, origin, unit_box, at(3.5F, 4.5F)));
  EXPECT_FALSE(touch(Circle{{}, 5.0F}, origin, unit_box, at(3.5F, std::nextafter(4.5F, 5.0F))));
  const Manifold found = collide(Circle{{}, 5.0F}, origin, unit_box, at(3.5F, 4.5F));
  expect_manifold(found, {0.6F, 0.8F}, {{3.0F, 4.0F}}, 0.0F);
}

TEST(Collide, a_disc_whose_center_is_a_corner_within_rounding) {
  constexpr float third = 0.362204731F;
  const Circle disc_there{{-third, -third}, third};
  const Shape needle =
      Polygon::hull(std::array<Vec2, 3>{Vec2{-third, -third}, {8.25F, -third}, {10.25F, 0.25F}}).value();
  const Transform there{{-third, -third}, {0.9351179F, -0.354336768F}};
  const Manifold manifold = collide(needle, there, disc_there, there);
  ASSERT_TRUE(manifold.touching());
  EXPECT_NEAR(std::hypot(manifold.normal.x, manifold.normal.y), 1.0, 1e-6);
}

TEST(Collide, a_disc_at_a_corner_of_anything) {
  for (const Rotation turn : quarters) {
    for (const Shape& other :
         {Shape(square()), Shape(Segment{{-0.5F, -0.5F}, {0.5F, 0.5F}}), Shape(unit_box)}) {
      // 3, 4, 5 from the corner at {0.5, 0.5}, rotated: exact.
      const Vec2 way{3.5F * turn.cos - 4.5F * turn.sin, 3.5F * turn.sin + 4.5F * turn.cos};
      const Vec2 out{0.6F * turn.cos - 0.8F * turn.sin, 0.6F * turn.sin + 0.8F * turn.cos};
      const float near_five = std::nextafter(5.0F, 4.0F);
      EXPECT_TRUE(touch(Circle{{}, 5.0F}, at(way.x, way.y), other, at(0.0F, 0.0F, turn))) << name(other);
      EXPECT_FALSE(touch(Circle{{}, near_five}, at(way.x, way.y), other, at(0.0F, 0.0F, turn)))
          << name(other);
      const Manifold found = collide(other, at(0.0F, 0.0F, turn), Circle{{}, 5.5F}, at(way.x, way.y));
      EXPECT_FLOAT_EQ(found.normal.x, out.x);
      EXPECT_FLOAT_EQ(found.normal.y, out.y);
      EXPECT_FLOAT_EQ(found.points[0].separation, -0.5F);
    }
  }
}

TEST(Collide, a_disc_beside_each_face_of_a_polygon) {
  // More corners than are guessed at a time, none of them special.
  std::vector<Vec2> corners;
  for (int i = 0; i < 13; ++i) {
    const Rotation to = Rotation::by(0.3F + 0.48332194F * static_cast<float>(i));
    corners.push_back({2.0F * to.cos, 2.0F * to.sin});
  }
  const Polygon wheel = polygon(corners, 0.25F);
  for (std::size_t i = 0; i < wheel.vertices().size(); ++i) {
    const Vec2 from = wheel.vertices()[i];
    const Vec2 to = wheel.vertices()[(i + 1) % wheel.vertices().size()];
    const Vec2 normal = wheel.normals()[i];
    const Vec2 middle = 0.5F * (from + to);
    const Vec2 beside = middle + 1.0F * normal;
    EXPECT_NEAR(distance(wheel, origin, Circle{{}, 0.5F}, at(beside.x, beside.y)).distance, 0.25F, 1e-6F);
    const Manifold found = collide(wheel, origin, disc, at(beside.x, beside.y));
    ASSERT_EQ(found.size, 1U);
    EXPECT_NEAR(found.normal.x, normal.x, 1e-6F);
    EXPECT_NEAR(found.normal.y, normal.y, 1e-6F);
    EXPECT_NEAR(found.points[0].separation, -0.25F, 1e-6F);
    const Vec2 inside = middle + -0.125F * normal;
    EXPECT_NEAR(collide(wheel, origin, disc, at(inside.x, inside.y)).points[0].separation, -1.375F, 1e-6F);
    const auto hit = cast(Circle{{}, 0.5F}, at(beside.x, beside.y), -0.5F * normal, wheel, origin);
    ASSERT_TRUE(hit.has_value());
    EXPECT_NEAR(hit->fraction, 0.5F, 1e-5F);
  }
}

TEST(Collide, box_on_box_has_two_points) {
  const Box floor = Box::of_half_size({5.0F, 1.0F});
  expect_manifold(collide(floor, origin, unit_box, at(1.0F, 1.4F)), {0.0F, 1.0F},
                  {{0.5F, 0.95F}, {1.5F, 0.95F}}, -0.1F);
  expect_manifold(collide(unit_box, at(1.0F, 1.5F), floor, origin), {0.0F, -1.0F},
                  {{0.5F, 1.0F}, {1.5F, 1.0F}}, 0.0F);
  expect_manifold(collide(unit_box, origin, unit_box, at(0.25F, 1.0F)), {0.0F, 1.0F},
                  {{-0.25F, 0.5F}, {0.5F, 0.5F}}, 0.0F);
}

TEST(Collide, polygon_on_polygon_is_as_box_on_box) {
  for (const Vec2 by : {Vec2{0.25F, 0.75F}, Vec2{0.875F, 0.125F}, Vec2{-0.25F, -1.0F}, Vec2{1.0F, 1.0F}}) {
    const Manifold boxes = collide(unit_box, origin, unit_box, at(by.x, by.y));
    const Manifold polygons = collide(square(), origin, square(), at(by.x, by.y));
    std::vector<Vec2> points;
    for (const ManifoldPoint& p : boxes.in_use()) {
      points.push_back(p.position);
    }
    expect_manifold(polygons, boxes.normal, points, boxes.points[0].separation);
  }
}

TEST(Collide, a_tilted_box_stands_on_one_corner) {
  const Box floor = Box::of_half_size({5.0F, 1.0F});
  const float height = 1.0F + half_root - 0.1F;
  expect_manifold(collide(floor, origin, unit_box, at(2.0F, height, {half_root, half_root})), {0.0F, 1.0F},
                  {{2.0F, 0.95F}}, -0.1F);
}

TEST(Collide, capsules_along_each_other_have_two_points) {
  expect_manifold(collide(capsule, origin, capsule, at(0.0F, 0.75F)), {0.0F, 1.0F},
                  {{-1.0F, 0.375F}, {1.0F, 0.375F}}, -0.25F);
  expect_manifold(collide(capsule, origin, capsule, at(1.0F, -1.0F)), {0.0F, -1.0F},
                  {{0.0F, -0.5F}, {1.0F, -0.5F}}, 0.0F);
  const Box floor = Box::of_half_size({5.0F, 1.0F});
  expect_manifold(collide(floor, origin, capsule, at(2.0F, 1.5F)), {0.0F, 1.0F}, {{1.0F, 1.0F}, {3.0F, 1.0F}},
                  0.0F);
}

TEST(Collide, capsules_end_to_end_have_one_point) {
  expect_manifold(collide(capsule, origin, capsule, at(2.75F, 0.0F)), {1.0F, 0.0F}, {{1.375F, 0.0F}}, -0.25F);
}

TEST(Collide, rounded_boxes_have_two_points) {
  const Polygon cushion = polygon({{-1.0F, -1.0F}, {1.0F, -1.0F}, {1.0F, 1.0F}, {-1.0F, 1.0F}}, 0.25F);
  expect_manifold(collide(cushion, origin, cushion, at(0.5F, 2.25F)), {0.0F, 1.0F},
                  {{-0.5F, 1.125F}, {1.0F, 1.125F}}, -0.25F);
  EXPECT_FALSE(touch(cushion, origin, cushion, at(2.375F, 2.375F)))
      << "only the corners of the square are near";
}

TEST(Collide, deep_inside_the_normal_is_the_direction_of_least_depth) {
  const Box slab = Box::of_half_size({4.0F, 1.0F});
  EXPECT_EQ(collide(slab, origin, point, at(3.0F, 0.5F)).normal, (Vec2{0.0F, 1.0F}));
  EXPECT_EQ(collide(slab, origin, point, at(3.75F, 0.5F)).normal, (Vec2{1.0F, 0.0F}));
  EXPECT_EQ(collide(slab, origin, Box::of_half_size({0.25F, 0.25F}), at(3.0F, -0.5F)).normal,
            (Vec2{0.0F, -1.0F}));
  EXPECT_EQ(collide(slab, origin, disc, at(0.0F, 0.5F)).points[0].separation, -1.5F);
}

// All faces are equally far from the middle except for rounding: small motions do not change the face that is
// chosen.
TEST(Collide, in_the_middle_of_a_regular_polygon_the_normal_does_not_flicker) {
  test::Random random(45);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t faces = 3 + random.below(14);
    const float size = std::ldexp(1.0F + random.unit(), static_cast<int>(random.below(21)) - 10);
    std::vector<Vec2> corners(faces);
    for (std::uint32_t i = 0; i < faces; ++i) {
      const double angle = 2.0 * 3.14159265358979 * i / faces;
      corners[i] = {size * static_cast<float>(std::cos(angle)), size * static_cast<float>(std::sin(angle))};
    }
    const Polygon regular = polygon(corners);
    const float radius = size * random.between(0.5F, 2.0F);
    const Shape other = round % 2 == 0 ? Shape(Circle{.radius = radius}) : Shape(Capsule{{}, {}, radius});
    const auto first = collide(regular, origin, other, origin);
    ASSERT_EQ(first.size, 1U);
    for (int motion = 0; motion < 40; ++motion) {
      const float angle = random.between(-4.0F, 4.0F);
      const Vec2 by{1e-8F * size * random.between(-1, 1), 1e-8F * size * random.between(-1, 1)};
      const Rotation rotation = Rotation::by(angle);
      const auto now = collide(regular, at(0, 0, rotation), other, at(by.x, by.y));
      ASSERT_EQ(now.points[0].feature, first.points[0].feature) << round << " " << motion;
      const Vec2 turned{rotation.cos * first.normal.x - rotation.sin * first.normal.y,
                        rotation.sin * first.normal.x + rotation.cos * first.normal.y};
      ASSERT_LT(length(now.normal - turned), 1e-5F) << round << " " << motion;
    }
  }
}

TEST(Collide, concentric_shapes_have_a_unit_normal) {
  const std::vector<Shape> shapes{disc,    point,     unit_box,  Box{},    capsule,
                                  segment, Capsule{}, Segment{}, square(), Box::of_half_size({1.0F, 0.0F})};
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      const Manifold found = collide(a, origin, b, origin);
      ASSERT_TRUE(found.touching()) << name(a) << " " << name(b);
      EXPECT_FLOAT_EQ(dot(found.normal, found.normal), 1.0F);
      EXPECT_LE(found.points[0].separation, 0.0F);
      EXPECT_TRUE(touch(a, origin, b, origin));
      const Distance none = distance(a, origin, b, origin);
      EXPECT_EQ(none.point_a, none.point_b);
      EXPECT_EQ(none.normal, found.normal);
    }
  }
}

TEST(Collide, crossing_segments) {
  const Manifold found = collide(segment, origin, segment, at(0.25F, 0.0F, {0.0F, 1.0F}));
  ASSERT_EQ(found.size, 1U);
  EXPECT_EQ(found.points[0].position, (Vec2{0.625F, 0.0F})) << "halfway from the crossing to the end";
  EXPECT_FLOAT_EQ(dot(found.normal, found.normal), 1.0F);
  EXPECT_EQ(found.points[0].separation, -0.75F) << "the shortest way to part them is along the first";
}

TEST(Collide, segments_on_one_line) {
  for (const Rotation turn : {Rotation{}, Rotation{half_root, half_root}, Rotation{0.6F, 0.8F}}) {
    const auto along = [&](float x) { return at(x * turn.cos, x * turn.sin, turn); };
    const bool is_exact = turn.cos == 1.0F || turn.cos == turn.sin;
    EXPECT_TRUE(!is_exact || touch(segment, along(0.0F), segment, along(1.5F)));
    EXPECT_FALSE(touch(segment, along(0.0F), segment, along(2.25F)));
    EXPECT_NEAR(distance(segment, along(0.0F), segment, along(5.0F)).distance, 3.0F, 1e-6F);
  }
  EXPECT_TRUE(touch(segment, origin, segment, at(2.0F, 0.0F)));
  EXPECT_FALSE(touch(segment, origin, segment, at(std::nextafter(2.0F, 3.0F), 0.0F)));
}

TEST(Collide, a_box_without_height_is_a_segment) {
  const Box flat = Box::of_half_size({1.0F, 0.0F});
  const Box upright = Box::of_half_size({0.0F, 1.0F});
  EXPECT_TRUE(touch(flat, origin, upright, at(1.0F, 1.0F)));
  EXPECT_FALSE(touch(flat, origin, flat, at(2.5F, 0.0F))) << "on one line, apart";
  EXPECT_FALSE(touch(flat, origin, segment, at(2.5F, 0.0F)));
  EXPECT_FALSE(touch(flat, origin, flat, at(0.0F, least)));
  EXPECT_TRUE(touch(Box{}, at(2.0F, 3.0F), Box{}, at(2.0F, 3.0F)));
  EXPECT_FALSE(touch(Box{}, at(2.0F, 3.0F), Box{}, at(2.0F, std::nextafter(3.0F, 4.0F))));
}

TEST(Collide, needles) {
  const Polygon needle = polygon({{0.0F, 0.0F}, {100.0F, 1e-4F}, {100.0F, -1e-4F}});
  EXPECT_TRUE(touch(needle, origin, point, origin)) << "the tip belongs to it";
  EXPECT_FALSE(touch(needle, origin, point, at(-1e-6F, 0.0F)));
  EXPECT_TRUE(touch(needle, origin, needle, at(0.0F, 0.0F, {0.0F, 1.0F})));
  EXPECT_EQ(distance(needle, origin, point, at(-2.0F, 0.0F)).distance, 2.0F);
}

TEST(Collide, features_stay_while_the_same_corners_meet) {
  const Box floor = Box::of_half_size({5.0F, 1.0F});
  const Manifold first = collide(floor, origin, unit_box, at(1.0F, 1.45F));
  for (int i = 0; i < 50; ++i) {
    const auto shift = static_cast<float>(i);
    const Manifold later =
        collide(floor, origin, unit_box,
                at(1.0F + 0.01F * shift, 1.45F - 0.001F * shift, Rotation::by(1e-6F * (shift - 25.0F))));
    ASSERT_EQ(later.size, 2U);
    EXPECT_EQ(later.points[0].feature, first.points[0].feature);
    EXPECT_EQ(later.points[1].feature, first.points[1].feature);
    EXPECT_NE(later.points[0].feature, later.points[1].feature);
  }
}

TEST(Distance, between_known_points) {
  const Distance discs = distance(disc, origin, disc, at(5.0F, 0.0F));
  EXPECT_EQ(discs.distance, 3.0F);
  EXPECT_EQ(discs.point_a, (Vec2{1.0F, 0.0F}));
  EXPECT_EQ(discs.point_b, (Vec2{4.0F, 0.0F}));
  EXPECT_EQ(discs.normal, (Vec2{1.0F, 0.0F}));

  const Distance corners = distance(unit_box, origin, unit_box, at(4.0F, 5.0F));
  EXPECT_EQ(corners.distance, 5.0F);
  EXPECT_EQ(corners.point_a, (Vec2{0.5F, 0.5F}));
  EXPECT_EQ(corners.point_b, (Vec2{3.5F, 4.5F}));

  const Distance to_face = distance(capsule, at(0.0F, 3.0F), unit_box, origin);
  EXPECT_EQ(to_face.distance, 2.0F);
  EXPECT_EQ(to_face.normal, (Vec2{0.0F, -1.0F}));
}

TEST(Distance, of_shapes_that_just_do_not_touch_is_not_0) {
  EXPECT_GT(distance(unit_box, origin, unit_box, at(std::nextafter(1.0F, 2.0F), 0.0F)).distance, 0.0F);
  EXPECT_GT(distance(point, origin, point, at(least, 0.0F)).distance, 0.0F);
}

TEST(Distance, of_a_polygon_whose_corners_rounding_lays_on_a_line) {
  // At this distance from the origin, a double has steps of 16384.
  const Polygon chip = polygon({{0.0F, 0.0F}, {2.1e4F, 2.0e4F}, {4.0e4F, 4.0e4F}});
  const float far = 1e20F;
  EXPECT_FLOAT_EQ(distance(point, origin, chip, at(far, far)).distance, std::sqrt(2.0F) * far);
  EXPECT_FALSE(touch(segment, origin, chip, at(far, far)));
}

TEST(Collide, far_from_the_origin_as_near_it) {
  for (const float far : {1.0e6F, -1.0e6F, 8.0e6F}) {
    EXPECT_TRUE(touch(unit_box, at(far, far), unit_box, at(far + 1.0F, far)));
    EXPECT_FALSE(touch(unit_box, at(far, far), unit_box, at(far + 2.0F, far)));
    EXPECT_TRUE(touch(disc, at(far, far), disc, at(far + 2.0F, far)));
    EXPECT_TRUE(touch(capsule, at(far, far), square(), at(far + 2.0F, far)));
    EXPECT_EQ(distance(capsule, at(far, far), square(), at(far + 3.0F, far)).distance, 1.0F);
  }
}

TEST(Collide, sizes_to_the_limit_of_float) {
  for (const float size : {1e30F, 1e-30F, most, least}) {
    const Circle large{{}, size};
    const Box box = Box::of_half_size({size, size});
    const Segment line{{-size, 0.0F}, {size, 0.0F}};
    const std::vector<Shape> shapes{large, box, line, Capsule{{-size, 0.0F}, {size, 0.0F}, size}};
    for (const Shape& a : shapes) {
      for (const Shape& b : shapes) {
        const Manifold found = collide(a, origin, b, at(0.5F * size, 0.0F));
        EXPECT_TRUE(touch(a, origin, b, at(0.5F * size, 0.0F)));
        for (const ManifoldPoint& p : found.in_use()) {
          EXPECT_TRUE(is_finite(p.position.x) && is_finite(p.position.y) && is_finite(p.separation));
        }
        EXPECT_TRUE(is_finite(distance(a, at(-most, 0.0F), b, at(most, 0.0F)).distance));
      }
    }
  }
  EXPECT_TRUE(touch(Circle{{}, 1e30F}, origin, point, at(1e30F, 0.0F)));
  EXPECT_FALSE(touch(Circle{{}, 1e30F}, origin, Circle{{}, 1.0F}, at(std::nextafter(1e30F, 2e30F), 0.0F)));
}

// No position and no center is too large by itself, but their sum is.
TEST(Collide, contacts_beyond_the_largest_float_are_as_near_to_it_as_floats_are) {
  test::Random random(59);
  const auto rounded = [](long double number) {
    return std::clamp<long double>(number, -static_cast<long double>(most), most);
  };
  int beyond = 0;
  for (int round = 0; round < 4000; ++round) {
    const auto number = [&] { return 3.3e38F * random.between(-1.0F, 1.0F); };
    const float size = random.below(2) == 0 ? 1.0F : 1e36F;
    const Vec2 center{number(), number()};
    const float share = random.unit();
    const Transform where = at(share * number(), share * number(), Rotation::by(random.between(-4.0F, 4.0F)));
    const Circle circle{center, size};
    const Shape others[] = {Circle{center, 0.5F * size}, Box::of_half_size({size, size}, center),
                            Segment{center, {}}, Capsule{center, {}, size},
                            polygon({center, {}, {0.5F * number(), number()}})};
    const Shape& other = others[random.below(std::size(others))];
    const test::TruePoint middle = test::truth_of(circle, where).corners[0];
    const long double tolerance =
        2.0L * size + 1e-6L * std::max({std::abs(middle.x), std::abs(middle.y), 3.3e38L});
    for (const bool circle_is_a : {false, true}) {
      const Manifold manifold =
          circle_is_a ? collide(circle, where, other, where) : collide(other, where, circle, where);
      for (const ManifoldPoint& p : manifold.in_use()) {
        ASSERT_LE(std::abs(p.position.x - rounded(middle.x)), tolerance) << name(other) << " " << round;
        ASSERT_LE(std::abs(p.position.y - rounded(middle.y)), tolerance) << name(other) << " " << round;
        ASSERT_TRUE(std::isfinite(p.separation)) << name(other) << " " << round;
        beyond += std::abs(p.position.x) == most || std::abs(p.position.y) == most ? 1 : 0;
      }
    }
  }
  EXPECT_GT(beyond, 500);
}

TEST(Collide, bounding_boxes_separate_shapes_that_doubles_cannot) {
  // All of these reach down to 0, from so far up that a little below 0 is lost in a double.
  const float up = 1e20F;
  const std::vector<Shape> large{Circle{{}, up}, Box::of_half_size({up, up}),
                                 Capsule{{-up, 0.0F}, {up, 0.0F}, up},
                                 polygon({{-up, -up}, {up, -up}, {0.0F, up}})};
  for (const Shape& a : large) {
    for (const Shape& b : {Shape{point}, Shape{Box{}}, Shape{Segment{}}, Shape{segment}}) {
      EXPECT_TRUE(touch(a, at(0.0F, up), b, origin)) << name(a) << " " << name(b);
      EXPECT_FALSE(touch(a, at(0.0F, up), b, at(0.0F, -1e-5F))) << name(a) << " " << name(b);
      EXPECT_FLOAT_EQ(distance(a, at(0.0F, up), b, at(0.0F, -1e-5F)).distance, 1e-5F);
    }
  }
}

// A shape may lie far from the position of its body. If it is so far that a gap is lost in a double, the
// bounding boxes still separate it.
TEST(Collide, bounding_boxes_separate_shapes_far_from_their_positions) {
  test::Random random(57);
  constexpr std::array sides = {Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1}};
  int touching = 0;
  int told_apart = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto eighths = [&] { return 0.125F * static_cast<float>(1 + random.below(16)); };
    const bool is_lost = random.below(2) == 0;
    const auto power = static_cast<int>(is_lost ? 57 + random.below(40) : random.below(20));
    const float far = std::ldexp(static_cast<float>(1 + random.below(7)), power);
    const Vec2 away = far * sides[random.below(4)];
    const Rotation turn = quarters[random.below(4)];
    const Vec2 center{turn.cos * away.x + turn.sin * away.y, turn.cos * away.y - turn.sin * away.x};
    const Vec2 side = sides[random.below(4)];
    // One shape is around the origin, the other beside it.
    const float size = eighths();
    const float gap = std::max(eighths() - 1.0F, -size);
    const Vec2 end = size * Vec2{side.y, side.x};
    const Shape ones[] = {Circle{center, size}, Box::of_half_size({size, size}, center)};
    const Shape others[] = {Circle{{}, gap < 0.0F ? 0.5F : 0.0F}, Box::of_half_size({size, size}),
                            Segment{-end, end}, Capsule{-end, end, size},
                            polygon({{-size, 0.0F}, {0.0F, -size}, {size, 0.0F}, {0.0F, size}})};
    const Shape& one = ones[random.below(std::size(ones))];
    const Shape& other = others[random.below(std::size(others))];
    const Vec2 reach = bounds(other, {}).max;  // it is symmetric
    const float beside = size + gap + std::abs(side.x) * reach.x + std::abs(side.y) * reach.y;
    const Transform at_one{-away, turn};
    const Transform at_other{beside * side, {}};
    const bool is_touching = touch(one, at_one, other, at_other);
    ASSERT_FALSE(HasFailure()) << name(one) << " " << name(other) << " " << round;
    if (!is_lost) {
      ASSERT_EQ(is_touching, gap <= 0.0F) << name(one) << " " << name(other) << " " << round;
    }
    touching += is_touching ? 1 : 0;
    told_apart += is_lost && !overlaps(bounds(one, at_one), bounds(other, at_other)) ? 1 : 0;
  }
  EXPECT_GT(touching, 1000);
  EXPECT_GT(told_apart, 200);
}

// Far from the anchor the polygon's corners nearly coincide, and it is collided without precomputed data.
TEST(Collide, a_polygon_with_a_flat_corner_far_from_the_other_position_separates_by_the_nearest_face) {
  test::Random random(58);
  int deep = 0;
  for (int round = 0; round < 1500; ++round) {
    const float size = std::ldexp(1.0F, static_cast<int>(random.below(40)) - 20);
    const float large = 0x1p24F * size;
    // One corner bends by hardly more than a polygon keeps.
    std::vector<Vec2> corners{{-size, 0.0F}, {0.0F, -0x1p-22F * size}, {size, 0.0F}};
    for (std::uint32_t more = 1 + random.below(4); more > 0; --more) {
      corners.push_back({random.between(-size, size), random.between(0.1F * size, size)});
    }
    const Polygon small = polygon(corners, random.below(2) == 0 ? 0.0F : 0.25F * size);
    const auto part = [&] { return large * random.between(0.5F, 1.0F); };
    const Shape others[] = {Box::of_half_size({part(), part()}),
                            Segment{{-part(), -part()}, {part(), part()}},
                            Capsule{{-part(), 0.0F}, {part(), part()}, size},
                            polygon({{-part(), -part()}, {part(), -part()}, {part(), part()}})};
    const Shape& other = others[random.below(std::size(others))];
    // A corner of the other shape is near the origin; its position is to the left, so that both are placed
    // relative to that.
    const Rotation turn = Rotation::by(random.between(-4.0F, 4.0F));
    const auto is_on_the_right = [](test::TruePoint p, test::TruePoint q) { return p.x < q.x; };
    const auto around = test::truth_of(other, {{}, turn}).corners;
    const auto corner = *std::max_element(around.begin(), around.end(), is_on_the_right);
    const Transform at_other{{static_cast<float>(-corner.x), static_cast<float>(-corner.y)}, turn};
    const Transform at_small{
        {static_cast<float>(corner.x + at_other.position.x) + random.between(-size, size),
         static_cast<float>(corner.y + at_other.position.y) + random.between(-size, size)},
        Rotation::by(random.between(-4.0F, 4.0F))};
    const auto gap =
        static_cast<double>(test::gap(test::truth_of(small, at_small), test::truth_of(other, at_other)));
    const Manifold found = collide(small, at_small, other, at_other);
    const double tolerance = 1e-5 * static_cast<double>(size);
    if (std::abs(gap) > tolerance) {
      ASSERT_EQ(found.touching(), gap < 0.0) << name(other) << " " << round;
    }
    if (gap < -tolerance) {
      double deepest = 0.0;
      for (const ManifoldPoint& p : found.in_use()) {
        deepest = std::min(deepest, static_cast<double>(p.separation));
      }
      ASSERT_LT(deepest, 0.0) << name(other) << " " << round;
      ASSERT_GE(deepest, gap - tolerance) << name(other) << " " << round;
      ++deep;
    }
  }
  EXPECT_GT(deep, 500);
}

// Found by fuzzing: a face that separates them only by rounding is no place to begin the walk to the closest
// points.
TEST(Collide, distance_of_shapes_that_only_rounding_separates) {
  const Shape line = Capsule{.a = {1.40129846e-45F, 1e-30F}, .b = {10.5F, 10.5F}};
  const std::array<Vec2, 4> corners{
      Vec2{-0.330708653F, -0.330708653F}, {0, -0.330708653F}, {10.5F, 0}, {10.5F, 10.5F}};
  const Shape polygon = Polygon::hull(corners).value();
  const Transform at_line{{-0.330708653F, -0.330708653F}, {}};
  const Transform at_polygon{{-0.330708653F, -0.330708653F}, {0.945812464F, -0.324713349F}};
  EXPECT_LT(distance(line, at_line, polygon, at_polygon).distance, 1e-6F);
  EXPECT_LT(distance(polygon, at_polygon, line, at_line).distance, 1e-6F);
}

TEST(Collide, swapping_equal_boxes_negates_the_normal_and_keeps_the_points) {
  const Box box = Box::of_half_size({5.0F, 10.0F});
  const Manifold there = collide(box, origin, box, at(4.0F, -9.0F));
  const Manifold back = collide(box, at(4.0F, -9.0F), box, origin);
  EXPECT_EQ(there.normal, (Vec2{1.0F, 0.0F}));
  EXPECT_EQ(back.normal, (Vec2{-1.0F, 0.0F}));
  EXPECT_EQ(there.points, back.points);
}

TEST(Collide, shapes_with_invalid_numbers_touch_nothing) {
  const std::vector<Shape> good{disc, unit_box, capsule, segment, square()};
  std::vector<Shape> bad;
  for (const float x : {nan, infinity, -infinity}) {
    bad.insert(bad.end(),
               {Circle{{x, 0.0F}, 1.0F}, Circle{{}, x}, Box::of_half_size({x, 1.0F}),
                Box::of_half_size({1.0F, 1.0F}, {0.0F, x}), Box::of_half_size({1.0F, 1.0F}, {}, {x, 0.0F}),
                Capsule{{x, 0.0F}, {}, 1.0F}, Capsule{{}, {}, x}, Segment{{}, {0.0F, x}}});
  }
  bad.insert(bad.end(), {Circle{{}, -1.0F}, Box::of_half_size({-1.0F, 1.0F}), Capsule{{}, {}, -1.0F}});
  for (const Shape& a : bad) {
    for (const Shape& b : good) {
      EXPECT_FALSE(overlaps(a, origin, b, origin));
      EXPECT_FALSE(overlaps(b, origin, a, origin));
      EXPECT_FALSE(collide(a, origin, b, origin).touching());
      EXPECT_FALSE(cast(b, at(9.0F, 0.0F), {-9.0F, 0.0F}, a, origin).has_value());
      const Distance far = distance(a, origin, b, origin);
      EXPECT_GT(far.distance, 0.0F);
      EXPECT_TRUE(is_finite(far.point_a.x) && is_finite(far.point_b.y) && is_finite(far.normal.x));
    }
  }
  for (const Shape& a : good) {
    for (const Shape& b : good) {
      for (const float x : {nan, infinity}) {
        EXPECT_FALSE(overlaps(a, at(x, 0.0F), b, origin));
        EXPECT_FALSE(overlaps(a, at(0.0F, 0.0F, {x, 0.0F}), b, origin));
        EXPECT_FALSE(cast(a, origin, {9.0F, 0.0F}, b, at(5.0F, x)).has_value());
      }
    }
  }
}

/// Checks the answers for two shapes of which one, or its transform, is invalid.
void expect_nothing(const Shape& a, const Transform& at_a, const Shape& b, const Transform& at_b) {
  EXPECT_FALSE(overlaps(a, at_a, b, at_b));
  EXPECT_FALSE(collide(a, at_a, b, at_b).touching());
  const Distance found = distance(a, at_a, b, at_b);
  EXPECT_EQ(found.distance, most);
  EXPECT_TRUE(is_finite(found.point_a) && is_finite(found.point_b));
  EXPECT_NEAR(dot(found.normal, found.normal), 1.0F, 1e-5F);
  for (const Vec2 motion : {Vec2{}, Vec2{3.0F, 0.0F}, Vec2{-2.0F, 5.0F}}) {
    EXPECT_FALSE(cast(a, at_a, motion, b, at_b).has_value());
  }
  if (const Mask* mask = std::get_if<Mask>(&a)) {
    EXPECT_EQ(overlap(*mask, at_a, b, at_b), MaskOverlap{});
  }
}

void expect_no_ray(const Shape& shape, const Transform& where) {
  for (const Vec2 start : {Vec2{}, Vec2{-5.0F, 0.0F}, Vec2{0.25F, -5.0F}, Vec2{3.0F, 4.0F}}) {
    for (const Vec2 way : {Vec2{}, Vec2{10.0F, 0.0F}, Vec2{0.0F, 10.0F}, Vec2{-6.0F, -8.0F}}) {
      EXPECT_FALSE(cast_ray(start, way, shape, where).has_value());
    }
  }
}

TEST(Collide, invalid_shapes_touch_no_shape_of_any_kind) {
  const std::array<std::string_view, 2> rows = {"xx", "x."};
  const Mask mask = Mask::from_rows(rows, {1.0F, {-1.0F, -1.0F}, 128}).value();
  const std::vector<Shape> good{disc,
                                point,
                                unit_box,
                                capsule,
                                segment,
                                square(),
                                Box::of_half_size({most, most}),
                                polygon({{-2, -1}, {2, -1}, {0, 2}}, 0.5F),
                                mask};
  std::vector<Shape> bad{Circle{{}, -1.0F}, Box::of_half_size({-1.0F, 1.0F}),
                         Box::of_half_size({1.0F, -1.0F}), Box::of_half_size({-1.0F, -1.0F}),
                         Capsule{{}, {1.0F, 1.0F}, -1.0F}};
  std::vector<Transform> nowhere;
  for (const float x : {nan, infinity, -infinity}) {
    bad.insert(bad.end(),
               {Circle{{x, 0.0F}, 1.0F}, Circle{{0.0F, x}, 1.0F}, Circle{{}, x}, Box::of_half_size({x, 1.0F}),
                Box::of_half_size({1.0F, x}), Box::of_half_size({1.0F, 1.0F}, {x, 0.0F}),
                Box::of_half_size({1.0F, 1.0F}, {0.0F, x}), Capsule{{x, 0.0F}, {1.0F, 0.0F}, 1.0F},
                Capsule{{}, {0.0F, x}, 1.0F}, Capsule{{}, {1.0F, 0.0F}, x}, Segment{{x, 0.0F}, {1.0F, 0.0F}},
                Segment{{}, {0.0F, x}}});
    nowhere.insert(nowhere.end(), {at(x, 0.0F), at(0.0F, x)});
  }
  for (const Rotation none : {Rotation{nan, 0.0F}, Rotation{0.0F, infinity}, Rotation{0.0F, 0.0F},
                              Rotation{1.1F, 0.0F}, Rotation{0.0F, -0.9F}, Rotation{1e30F, 0.0F}}) {
    bad.emplace_back(Box::of_half_size({1.0F, 1.0F}, {}, none));
    nowhere.push_back(at(0.0F, 0.0F, none));
  }
  for (const Transform& where : {origin, at(0.5F, 0.25F, {0.6F, 0.8F})}) {
    for (const Shape& a : bad) {
      for (const Shape& b : good) {
        expect_nothing(a, where, b, origin);
        expect_nothing(b, origin, a, where);
      }
      expect_no_ray(a, where);
    }
  }
  for (const Transform& none : nowhere) {
    for (const Shape& a : good) {
      for (const Shape& b : good) {
        expect_nothing(a, none, b, origin);
        expect_nothing(b, origin, a, none);
        expect_nothing(a, none, b, none);
      }
      expect_no_ray(a, none);
    }
    ASSERT_FALSE(HasFailure()) << none.position.x << " " << none.rotation.cos << " " << none.rotation.sin;
  }
}

TEST(Distance, agrees_with_overlaps_where_one_method_loses_digits_that_the_other_keeps) {
  constexpr float huge = 1.70141173e38F;
  const Circle here{{-0.5F, 0.0F}, 0.0F};
  const Circle there{{-huge, -7.75F}, 0.25F};
  const Transform far{{-huge, -7.75F}, {}};
  EXPECT_EQ(distance(here, far, there, {}).distance == 0.0F, overlaps(here, far, there, {}));
  EXPECT_EQ(cast(here, far, {}, there, {}).has_value(), overlaps(here, far, there, {}));
}

// Found by fuzzing.
TEST(Distance, agrees_with_overlaps_where_lengths_lose_the_depth) {
  const Polygon needle =
      polygon({{-3.69731403e28F, -3.69731403e28F}, {10.25F, 5.75F}, {-3.69731403e28F, 1e-10F}});
  touch(Capsule{{9.0F, -14.5F}, {10.75F, 0.0F}, 13.25F}, at(0.0F, -0.25F, {-0.911353767F, 0.411623985F}),
        needle, at(0.5F, -9.5F, {-1.0F, 0.0F}));
  const Polygon one = polygon({{-1.05087195e37F, -1.05087195e37F},
                               {999982.25F, 999982.25F},
                               {-2.7205189e36F, 0.0F},
                               {-1.05087195e37F, -7.71473457e36F}});
  const Polygon other =
      polygon({{-1.05087195e37F, -1.05087195e37F}, {-0.0314960629F, -1.05087195e37F}, {2.5F, 24.0F}});
  touch(one, at(2.5F, 24.0F), other, at(16.25F, -17.75F, {0.737124085F, 0.675757408F}));
}

// Found by fuzzing: no face separates them except by rounding, and the chosen face is deeper by its slack.
TEST(Distance, agrees_with_overlaps_where_the_chosen_face_is_deeper) {
  const Segment line{{0.0F, 5.49347651e-37F}, {-9.98087032e+27F, -3.3495767e+16F}};
  const Polygon country =
      polygon({{-3.68570834e+28F, -4.45047988e-07F}, {-4.5F, -3.69731403e+28F}, {6.95376956e-09F, 0.0F}});
  touch(line, at(-0.14173229F, 0.0F, {0.0F, -1.0F}), country,
        at(-9.5F, 3.58480173e-41F, {1.0F, 6.95376956e-09F}));
}

// Found by fuzzing: a nearly infinite edge, clipped where rounding exceeds the size of the other shape, was
// as deep as it is long.
TEST(Collide, no_point_is_deeper_than_the_smaller_shape_is_large) {
  const Polygon country = polygon({{-2.50451951e+33F, -2.50451951e+33F},
                                   {10.25F, -2.50451951e+33F},
                                   {999983.0F, 999983.0F},
                                   {-2.50451951e+33F, 999983.0F}});
  const Capsule house{{999983.0F, -17.0F}, {999983.0F, 999983.0F}, 999983.0F};
  const Rotation turned{0.0787230358F, 0.996896505F};
  for (const float moved : {10.0F, 1e5F, 5e5F}) {
    const Manifold found =
        collide(country, at(999983.0F + moved, 999975.0F, turned), house, at(999983.0F, 999983.0F, turned));
    ASSERT_TRUE(found.touching());
    for (const ManifoldPoint& deep : found.in_use()) {
      EXPECT_GT(deep.separation, -4e6F);
    }
  }
}

// Two boxes corner to corner, within the slack by which a face is kept: the incident edge may then lie wholly
// beside the face, at either end.
TEST(Collide, boxes_that_meet_corner_to_corner_touch_where_they_share_a_point) {
  test::Random random(31);
  int touching = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto tiny = [&] { return random.between(-1.0F, 1.0F) * 2e-6F; };
    const Rotation turn = Rotation::by((0.25F + 0.5F * static_cast<float>(random.below(4))) * 3.14159265F +
                                       (random.below(2) == 0 ? 0.0F : tiny()));
    const Rotation lying = quarters[random.below(4)];
    const Box box = Box::of_half_size({1.0F, 1.0F});
    const Box other = Box::of_half_size({random.between(0.5F, 2.0F), random.between(0.5F, 2.0F)});
    // The corner of the other box that is the lowest after its rotation.
    float low = 0.0F;
    Vec2 lowest;
    for (const Vec2 corner : {other.half_size, Vec2{-other.half_size.x, other.half_size.y},
                              Vec2{other.half_size.x, -other.half_size.y}, Vec2{} - other.half_size}) {
      const Vec2 turned{turn.cos * corner.x - turn.sin * corner.y, turn.sin * corner.x + turn.cos * corner.y};
      if (turned.y < low) {
        low = turned.y;
        lowest = turned;
      }
    }
    const float side = random.below(2) == 0 ? 1.0F : -1.0F;
    const Transform at_other{{side + tiny() - lowest.x, 1.0F + tiny() - lowest.y}, turn};
    const Transform at_box{{}, lying};
    const long double gap = test::gap(test::truth_of(box, at_box), test::truth_of(other, at_other));
    const Manifold found = collide(box, at_box, other, at_other);
    if (std::abs(gap) > 1e-12L) {
      ASSERT_EQ(found.touching(), gap < 0) << round;
      ASSERT_EQ(touch(box, at_box, other, at_other), gap < 0) << round;
    }
    for (const ManifoldPoint& p : found.in_use()) {
      ASSERT_NEAR(p.position.x, side, 1e-5F) << round;
      ASSERT_NEAR(p.position.y, 1.0F, 1e-5F) << round;
      ASSERT_LE(p.separation, 0.0F) << round;
      ASSERT_GE(p.separation, -1e-5F) << round;
    }
    touching += found.touching() ? 1 : 0;
  }
  EXPECT_GT(touching, 2000);
  EXPECT_LT(touching, 18000);
}

// Moves b to where it begins to touch a, and tests around there in steps of doubles.
TEST(Collide, agrees_with_the_others_to_the_last_bit_where_touching_begins) {
  test::Random random(43);
  int found_touching = 0;
  int found_apart = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::array some = {test::Family::ordinary, test::Family::lattice, test::Family::degenerate,
                             test::Family::needle};
    const test::Family family = some[random.below(some.size())];
    test::Standing a = test::random_standing(family, random);
    test::Standing b = test::random_standing(family, random);
    b.at.position = {};
    const float aside = random.below(2) == 0 ? 0.0F : random.between(-1, 1);
    const Vec2 way = random.below(2) == 0 ? Vec2{aside, 1.0F} : Vec2{-1.0F, aside};
    // First moves a in steps of floats, then b in steps of doubles.
    const auto begins = [&](float& apart, float& meets, auto touches) {
      for (int step = 0; step < 60; ++step) {
        const float between = 0.5F * apart + 0.5F * meets;
        (touches(between) ? meets : apart) = between;
      }
    };
    float apart = 100.0F;
    float meets = 0.0F;
    const auto a_touches = [&](float by) {
      return overlaps(a.shape, {by * way, a.at.rotation}, b.shape, b.at);
    };
    if (!a_touches(meets) || a_touches(apart)) {
      continue;
    }
    begins(apart, meets, a_touches);
    a.at.position = apart * way;
    float still_apart = 0.0F;
    float touching = 1e-4F;
    const auto b_touches = [&](float by) {
      return overlaps(a.shape, a.at, b.shape, {by * way, b.at.rotation});
    };
    if (b_touches(still_apart) || !b_touches(touching)) {
      continue;
    }
    begins(still_apart, touching, b_touches);
    for (int step = -12; step <= 12; ++step) {
      b.at.position = (touching + static_cast<float>(step) * 0x1p-54F) * way;
      const bool is_touching = touch(a.shape, a.at, b.shape, b.at);
      (is_touching ? found_touching : found_apart) += 1;
      const test::TrueShape true_a = test::truth_of(a.shape, a.at);
      const test::TrueShape true_b = test::truth_of(b.shape, b.at);
      const long double rounding = 1e-12L * (1.0L + true_a.reach() + true_b.reach());
      ASSERT_LE(std::abs(test::gap(true_a, true_b)), rounding) << round << " " << step;
      const Distance between = distance(a.shape, a.at, b.shape, b.at);
      const long double float_rounding = 1e-6L * (true_a.reach() + true_b.reach());
      ASSERT_LE(true_a.distance({between.point_a.x, between.point_a.y}), float_rounding) << round;
      ASSERT_LE(true_b.distance({between.point_b.x, between.point_b.y}), float_rounding) << round;
      const Manifold manifold = collide(a.shape, a.at, b.shape, b.at);
      for (const ManifoldPoint& p : manifold.in_use()) {
        ASSERT_LE(true_a.distance({p.position.x, p.position.y}), float_rounding) << round;
        ASSERT_LE(true_b.distance({p.position.x, p.position.y}), float_rounding) << round;
      }
      ASSERT_FALSE(HasFailure()) << round << " " << step << " " << to_text(a) << " " << to_text(b);
    }
  }
  EXPECT_GT(found_touching, 1000);
  EXPECT_GT(found_apart, 1000);
}

/// A shape to the left of x = 0 or to the right, with one corner near it and the others up to `large` away.
Shape drawn_half_plane_shape(test::Random& random, bool left, float large) {
  const float side = left ? -1.0F : 1.0F;
  const Vec2 near{side * random.between(1, 20), random.between(-40, 40)};
  const auto length = [&](std::uint32_t large_ones) {
    return random.below(4) < large_ones ? large
           : random.below(2) == 0       ? random.between(0, 40)
                                        : std::ldexp(large, -static_cast<int>(random.below(40)));
  };
  const auto other = [&] {
    const float x = near.x + side * length(3);
    return Vec2{x, (random.below(2) == 0 ? 1.0F : -1.0F) * length(1)};
  };
  switch (random.below(4)) {
    case 0:
      return Segment{near, other()};
    case 1:
      return Capsule{near, other(), std::abs(near.x) * random.unit()};
    default:
      for (;;) {
        const auto polygon = Polygon::hull(std::vector<Vec2>{near, other(), other()});
        if (polygon.has_value()) {
          return *polygon;
        }
      }
  }
}

// Faces of shapes this large are computed with errors that exceed the gap, and one may be preferred to
// another that is less deep. Found by fuzz_queries.
TEST(Collide, agrees_with_the_bounds_where_these_are_apart_by_less_than_rounding) {
  test::Random random(31);
  int apart = 0;
  for (int round = 0; round < 200'000; ++round) {
    const float large = std::ldexp(1.0F + random.unit(), static_cast<int>(40 + random.below(60)));
    const Shape left = drawn_half_plane_shape(random, true, large);
    const Shape right = drawn_half_plane_shape(random, false, large);
    const Transform at_left{{-random.between(0, 20), random.between(-20, 20)}, {}};
    const Transform at_right{{random.between(0, 20), random.between(-20, 20)}, {}};
    if (overlaps(bounds(left, at_left), bounds(right, at_right))) {
      continue;
    }
    ++apart;
    EXPECT_FALSE(touch(left, at_left, right, at_right)) << round;
  }
  EXPECT_GT(apart, 100'000);
}

// On the border between the side of a capsule and its round end: both ends are alike.
TEST(Collide, a_point_straight_beside_an_end_of_a_capsule_meets_that_end) {
  test::Random random(20261132);
  for (int round = 0; round < 2000; ++round) {
    const auto whole = [&](std::uint32_t end) { return static_cast<float>(random.below(end)); };
    const float length = 1.0F + whole(50);
    const float radius = 1.0F + whole(20);
    const Vec2 start{whole(200) - 100.0F, whole(200) - 100.0F};
    const bool upright = random.below(2) == 0;
    const Vec2 along = upright ? Vec2{0, length} : Vec2{length, 0};
    const Vec2 across = upright ? Vec2{radius, 0} : Vec2{0, radius};
    const Capsule drawn{start, start + along, radius};
    for (const std::uint32_t end : {0U, 1U}) {
      const Vec2 at = (end == 0 ? drawn.a : drawn.b) + (random.below(2) == 0 ? across : -across);
      for (const Shape& dot :
           {Shape(Circle{at, 0}), Shape(Segment{at, at}), Shape(Box::of_half_size({0, 0}, at))}) {
        for (const bool swapped : {false, true}) {
          const Manifold manifold = swapped ? collide(dot, {}, drawn, {}) : collide(drawn, {}, dot, {});
          ASSERT_EQ(manifold.size, 1U) << round;
          const std::uint32_t feature = manifold.points[0].feature;
          ASSERT_EQ(feature >> 16U, 0U) << round << ": a corner of each, " << name(dot);
          ASSERT_EQ((feature >> 8U) + (feature & 255U), end) << round << ", " << name(dot);
        }
      }
    }
  }
}

// All faces are equally near: the first one counts, whatever kind the round shape is.
TEST(Collide, round_shapes_in_the_middle_of_a_square_polygon_leave_it_on_the_same_side) {
  test::Random random(20261137);
  for (int round = 0; round < 2000; ++round) {
    const float half = 1.0F + static_cast<float>(random.below(30));
    const Vec2 corners[] = {{-half, -half}, {half, -half}, {half, half}, {-half, half}};
    const Polygon square = Polygon::hull(corners, static_cast<float>(random.below(3))).value();
    const Vec2 place{static_cast<float>(random.below(200)) - 100.0F,
                     static_cast<float>(random.below(200)) - 100.0F};
    const Transform at_square = at(place.x, place.y, quarters[random.below(4)]);
    const float radius = 0.5F * static_cast<float>(random.below(10));
    const Manifold disc_inside = collide(square, at_square, Circle{{}, radius}, at(place.x, place.y));
    const Manifold capsule_inside = collide(square, at_square, Capsule{{}, {}, radius}, at(place.x, place.y));
    ASSERT_EQ(disc_inside.normal, capsule_inside.normal) << round;
    ASSERT_EQ(disc_inside.points[0].separation, capsule_inside.points[0].separation) << round;
  }
}

}  // namespace
}  // namespace broadside::collide_test
