#include "broadside/body/shape.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "boxes.hpp"
#include "random_shapes.hpp"
#include "shape_truth.hpp"

namespace broadside::shape_test {
namespace {

using test::convex_kinds;
using test::Family;
using test::mentions;
using test::Random;
using test::Standing;
using test::to_text;
using test::TruePoint;
using test::TrueShape;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float most = std::numeric_limits<float>::max();

/// A box is made by name: numbers in braces could be whole or half sizes.
template <typename... Arguments>
concept makes_box = requires(Arguments... arguments) {
  Box{arguments...};
};
static_assert(!std::is_aggregate_v<Box>);
static_assert(!makes_box<Vec2> && !makes_box<Vec2, Vec2> && !makes_box<Vec2, Vec2, Rotation>);
static_assert(!makes_box<float> && !makes_box<float, float> && !makes_box<float, float, float, float>);
static_assert(!std::is_constructible_v<Box, Vec2> && !std::is_convertible_v<Vec2, Box>);
static_assert(makes_box<> && std::is_default_constructible_v<Box>);

const Transform here{};
const Rotation quarter{0.0F, 1.0F};

Shape triangle(float radius = 0.0F) {
  const std::vector<Vec2> corners = {{0, 0}, {4, 0}, {0, 3}};
  return Polygon::hull(corners, radius).value();
}

Shape mask() {
  const std::vector<std::string_view> rows = {"##", "#."};
  return Mask::from_rows(rows, {}).value();
}

TEST(Shape, has_a_name) {
  EXPECT_EQ(name(Circle{}), "circle");
  EXPECT_EQ(name(Box{}), "box");
  EXPECT_EQ(name(Capsule{}), "capsule");
  EXPECT_EQ(name(Segment{}), "segment");
  EXPECT_EQ(name(triangle()), "polygon");
  EXPECT_EQ(name(mask()), "mask");
}

TEST(Shape, is_small) {
  EXPECT_LE(sizeof(Shape), 40U);
}

TEST(Shape, a_box_of_a_size_has_exactly_half_of_it_from_1e_37_on) {
  Random random(31);
  constexpr float least = 1e-37F;
  for (int round = 0; round < 10'000; ++round) {
    const auto draw = [&] {
      const float size = std::ldexp(1.0F + random.unit(), static_cast<int>(random.below(251)) - 123);
      return round == 0 ? least : std::max(size, least);
    };
    const Vec2 size{draw(), draw()};
    ASSERT_EQ(2.0F * Box::of_size(size).half_size, size) << size.x << " " << size.y;
  }
}

/// A shape that must be refused, and the number that the error must name.
struct BadShape {
  Shape shape;
  ErrorCode code;
  std::string field;
};

std::vector<BadShape> bad_shapes() {
  std::vector<BadShape> all;
  const auto add = [&all](Shape shape, ErrorCode code, std::string field) {
    all.push_back({std::move(shape), code, std::move(field)});
  };
  for (const float bad : {nan, infinity, -infinity}) {
    constexpr auto code = ErrorCode::not_finite;
    add(Circle{{bad, 0}, 1}, code, "circle: center.x");
    add(Circle{{0, bad}, 1}, code, "circle: center.y");
    add(Circle{{0, 0}, bad}, code, "circle: radius");
    add(Box::of_half_size({bad, 1}), code, "box: half_size.x");
    add(Box::of_half_size({1, bad}), code, "box: half_size.y");
    add(Box::of_half_size({1, 1}, {bad, 0}), code, "box: center.x");
    add(Box::of_half_size({1, 1}, {0, bad}), code, "box: center.y");
    add(Box::of_half_size({1, 1}, {}, {bad, 0}), code, "box: rotation.cos");
    add(Box::of_half_size({1, 1}, {}, {1, bad}), code, "box: rotation.sin");
    add(Capsule{{bad, 0}, {1, 1}, 1}, code, "capsule: a.x");
    add(Capsule{{0, bad}, {1, 1}, 1}, code, "capsule: a.y");
    add(Capsule{{0, 0}, {bad, 1}, 1}, code, "capsule: b.x");
    add(Capsule{{0, 0}, {1, bad}, 1}, code, "capsule: b.y");
    add(Capsule{{0, 0}, {1, 1}, bad}, code, "capsule: radius");
    add(Segment{{bad, 0}, {1, 1}}, code, "segment: a.x");
    add(Segment{{0, bad}, {1, 1}}, code, "segment: a.y");
    add(Segment{{0, 0}, {bad, 1}}, code, "segment: b.x");
    add(Segment{{0, 0}, {1, bad}}, code, "segment: b.y");
  }
  constexpr auto code = ErrorCode::invalid_argument;
  add(Circle{{0, 0}, -1}, code, "circle: radius");
  add(Box::of_half_size({-1, 1}), code, "box: half_size.x");
  add(Box::of_half_size({1, -1}), code, "box: half_size.y");
  add(Box::of_half_size({1, 1}, {}, {0, 0}), code, "box: rotation");
  add(Box::of_half_size({1, 1}, {}, {1, 1}), code, "box: rotation");
  add(Capsule{{0, 0}, {1, 1}, -1}, code, "capsule: radius");
  return all;
}

TEST(Shape, bad_numbers_are_refused_and_named) {
  for (const BadShape& bad : bad_shapes()) {
    const auto result = validate(bad.shape);
    EXPECT_EQ(result.error().code, bad.code) << bad.field;
    EXPECT_TRUE(mentions(result.error().message, bad.field)) << bad.field << ": " << result.error().message;
  }
}

TEST(Shape, bad_numbers_make_no_box_no_area_and_hold_nothing) {
  for (const BadShape& bad : bad_shapes()) {
    const Aabb box = bounds(bad.shape, here);
    EXPECT_TRUE(is_finite(box) && !is_valid(box)) << bad.field;
    EXPECT_FALSE(overlaps(box, Aabb{{-most, -most}, {most, most}}) && overlaps(box, Aabb{})) << bad.field;
    EXPECT_EQ(area(bad.shape), 0.0F) << bad.field;
    EXPECT_FALSE(contains(bad.shape, here, {0, 0})) << bad.field;
  }
}

TEST(Shape, bad_places_make_no_box_and_hold_nothing) {
  for (const Transform& at : {Transform{{nan, 0}, {}}, Transform{{0, infinity}, {}}, Transform{{}, {nan, 0}},
                              Transform{{}, {1, nan}}, Transform{{}, {0, 0}}, Transform{{}, {2, 0}}}) {
    for (const Shape& shape :
         {Shape(Circle{{0, 0}, 1}), Shape(Box::of_half_size({1, 1})), Shape(Capsule{{0, 0}, {1, 0}, 1}),
          Shape(Segment{{-1, 0}, {1, 0}}), triangle()}) {
      EXPECT_FALSE(is_valid(bounds(shape, at))) << name(shape);
      EXPECT_FALSE(contains(shape, at, {0, 0})) << name(shape);
    }
  }
  EXPECT_FALSE(contains(Circle{{0, 0}, 1}, here, {nan, 0}));
  EXPECT_FALSE(contains(Circle{{0, 0}, 1}, here, {0, infinity}));
}

TEST(Shape, bounds_are_exact_where_the_sides_are_floats) {
  EXPECT_EQ(bounds(Circle{{1, 2}, 3}, here), (Aabb{{-2, -1}, {4, 5}}));
  EXPECT_EQ(bounds(Circle{{1, 2}, 3}, {{10, 20}, quarter}), (Aabb{{5, 18}, {11, 24}}));
  EXPECT_EQ(bounds(Circle{{0, 0}, 3}, {{10, 20}, Rotation::by(1.0F)}), (Aabb{{7, 17}, {13, 23}}));
  EXPECT_EQ(bounds(Box::of_half_size({3, 1}, {1, 0}), here), (Aabb{{-2, -1}, {4, 1}}));
  EXPECT_EQ(bounds(Box::of_half_size({3, 1}, {1, 0}), {{10, 20}, quarter}), (Aabb{{9, 18}, {11, 24}}));
  EXPECT_EQ(bounds(Box::of_half_size({3, 1}, {1, 0}, quarter), {{10, 20}, quarter}),
            (Aabb{{7, 20}, {13, 22}}));
  EXPECT_EQ(bounds(Capsule{{0, 0}, {4, 2}, 0.5F}, here), (Aabb{{-0.5F, -0.5F}, {4.5F, 2.5F}}));
  EXPECT_EQ(bounds(Capsule{{0, 0}, {4, 2}, 0.5F}, {{1, 0}, quarter}), (Aabb{{-1.5F, -0.5F}, {1.5F, 4.5F}}));
  EXPECT_EQ(bounds(Segment{{4, 0}, {0, 2}}, here), (Aabb{{0, 0}, {4, 2}}));
  EXPECT_EQ(bounds(triangle(), here), (Aabb{{0, 0}, {4, 3}}));
  EXPECT_EQ(bounds(triangle(1), {{1, 1}, quarter}), (Aabb{{-3, 0}, {2, 6}}));
  EXPECT_EQ(bounds(mask(), here), (Aabb{{0, 0}, {2, 2}}));
}

TEST(Shape, bounds_of_no_size_are_a_point) {
  const Transform at{{7, 8}, Rotation::by(0.3F)};
  const Aabb point{{7, 8}, {7, 8}};
  EXPECT_EQ(bounds(Circle{}, at), point);
  EXPECT_EQ(bounds(Box{}, at), point);
  EXPECT_EQ(bounds(Capsule{}, at), point);
  EXPECT_EQ(bounds(Segment{}, at), point);
}

TEST(Shape, bounds_are_rounded_outwards_to_the_next_float) {
  // 1e8 + 1 is no float; its neighbors are 8 apart.
  EXPECT_EQ(bounds(Circle{{0, 0}, 1}, {{1e8F, -1e8F}, {}}),
            (Aabb{{1e8F - 8, -1e8F - 8}, {1e8F + 8, -1e8F + 8}}));
  // Even where double cannot represent the difference.
  const Aabb far = bounds(Circle{{0, 0}, 1e-20F}, {{1, -1}, {}});
  EXPECT_EQ(far, (Aabb{{std::nextafter(1.0F, 0.0F), std::nextafter(-1.0F, -2.0F)},
                       {std::nextafter(1.0F, 2.0F), std::nextafter(-1.0F, 0.0F)}}));
}

// 1 + 2^-60 is 1 in double.
// A rotation may be a little longer or shorter than 1. The numbers have so few bits that their products are
// floats.
TEST(Shape, bounds_are_close_for_rotations_that_are_not_of_length_1) {
  Random random(8);
  const auto cosine = [&] {
    const float length = 1.0F + static_cast<float>(random.below(3)) / 1024.0F - 1.0F / 1024.0F;
    return random.below(2) == 0 ? length : -length;
  };
  for (int round = 0; round < 3000; ++round) {
    const Rotation own{cosine(), 0};
    const Rotation turn{cosine(), 0};
    const Vec2 half{static_cast<float>(random.below(16)), static_cast<float>(random.below(16))};
    const Vec2 position{static_cast<float>(random.below(9)) - 4.0F,
                        static_cast<float>(random.below(9)) - 4.0F};
    const float scale = std::fabs(own.cos * turn.cos);
    const Aabb expected{position - scale * half, position + scale * half};
    const Aabb found = bounds(Box::of_half_size(half, {}, own), {position, turn});
    ASSERT_TRUE(contains(found, expected.min) && contains(found, expected.max)) << own.cos << " " << turn.cos;
    ASSERT_LE(found.max.x - found.min.x, expected.max.x - expected.min.x + 1e-5F)
        << own.cos << " " << turn.cos;
    ASSERT_LE(found.max.y - found.min.y, expected.max.y - expected.min.y + 1e-5F)
        << own.cos << " " << turn.cos;
  }
}

TEST(Shape, bounds_hold_what_is_lost_to_rounding_in_double) {
  const float little = 0x1p-30F;
  const Transform turned{{}, {1, little}};
  const float beyond = std::nextafter(1.0F, 2.0F);
  EXPECT_EQ(bounds(Segment{{0, 0}, {1, -little}}, turned).max.x, beyond);
  EXPECT_EQ(bounds(Segment{{0, 0}, {-1, little}}, turned).min.x, -beyond);
  EXPECT_EQ(bounds(Segment{{0, 0}, {little, 1}}, turned).max.y, beyond);
  EXPECT_EQ(bounds(Segment{{0, 0}, {-little, -1}}, turned).min.y, -beyond);
  EXPECT_EQ(bounds(Box::of_half_size({1, little}), turned).max.x, beyond);
  EXPECT_EQ(bounds(Box::of_half_size({1, little}, {}, turned.rotation), here).max.x, beyond);
  EXPECT_EQ(bounds(Box::of_half_size({little, 1}, {}, turned.rotation), here).min.y, -beyond);
}

// Shapes that are not rotated and stand around their own origin have a fast path; a quarter turn has none,
// and is as exact.
TEST(Shape, bounds_are_the_same_after_a_quarter_turn) {
  Random random(1);
  const std::vector<float> special = {0.0F,    -0.0F,   0x1p-149F, 0x1p-126F, 1.0F,
                                      0x1p27F, 0x1p28F, 0x1p29F,   most};
  const auto any = [&] {
    if (random.below(4) == 0) {
      return special[random.below(static_cast<std::uint32_t>(special.size()))];
    }
    const int exponent = static_cast<int>(random.below(random.below(2) == 0 ? 6 : 60)) - 30;
    return std::ldexp(random.between(1.0F, 2.0F), exponent);
  };
  const auto any_place = [&] { return random.below(2) == 0 ? any() : -any(); };
  for (int i = 0; i < 200'000; ++i) {
    const Vec2 at{any_place(), any_place()};
    const Vec2 half{any(), any()};
    const Aabb of_circle = bounds(Circle{{}, half.x}, {at, {}});
    EXPECT_EQ(of_circle, bounds(Circle{{}, half.x}, {at, quarter}));
    const Aabb of_box = bounds(Box::of_half_size(half), {at, {}});
    EXPECT_EQ(of_box, bounds(Box::of_half_size({half.y, half.x}), {at, quarter}));
    EXPECT_EQ(of_circle.min.x, bounds(Box::of_half_size({half.x, half.x}, {}, quarter), {at, {}}).min.x);
    for (const float side : {of_circle.min.x, of_circle.max.y, of_box.min.y, of_box.max.x}) {
      EXPECT_FALSE(side == 0.0F && std::signbit(side)) << "0 has one sign";
    }
  }
}

TEST(Shape, bounds_end_at_the_largest_float) {
  EXPECT_EQ(bounds(Circle{{most, -most}, most}, {{most, -most}, {}}), (Aabb{{most, -most}, {most, -most}}));
  EXPECT_EQ(bounds(Box::of_half_size({most, most}), {{0, most}, {}}), (Aabb{{-most, 0}, {most, most}}));
  EXPECT_TRUE(
      is_valid(bounds(Box::of_half_size({most, most}, {most, most}), {{most, most}, Rotation::by(1.0F)})));
}

TEST(Shape, area_is_that_of_geometry) {
  EXPECT_FLOAT_EQ(area(Circle{{5, 5}, 2}), 12.5663706F);
  EXPECT_EQ(area(Box::of_half_size({3, 2})), 24.0F);
  EXPECT_FLOAT_EQ(area(Capsule{{0, 0}, {3, 4}, 1}), 10.0F + 3.14159265F);
  EXPECT_EQ(area(Segment{{0, 0}, {3, 4}}), 0.0F);
  EXPECT_EQ(area(triangle()), 6.0F);
  EXPECT_FLOAT_EQ(area(triangle(2)), 6.0F + 12.0F * 2.0F + 4.0F * 3.14159265F);
  EXPECT_EQ(area(mask()), 3.0F);
  EXPECT_EQ(area(Circle{{0, 0}, 1e30F}), most) << "at most the largest float";
  const std::string_view rows[] = {"##"};
  EXPECT_EQ(area(Mask::from_rows(rows, {.pixel_size = 1e30F, .origin = {}}).value()), most);
}

TEST(Shape, contains_its_edge) {
  EXPECT_TRUE(contains(Circle{{0, 0}, 5}, here, {3, 4}));
  EXPECT_FALSE(contains(Circle{{0, 0}, 5}, here, {3, std::nextafter(4.0F, 5.0F)}));
  EXPECT_TRUE(contains(Circle{{0, 0}, 5}, {{1e6F, 1e6F}, {}}, {1e6F + 3, 1e6F - 4}));
  EXPECT_TRUE(contains(Box::of_half_size({2, 1}), here, {2, 1}));
  EXPECT_FALSE(contains(Box::of_half_size({2, 1}), here, {std::nextafter(2.0F, 3.0F), 1}));
  EXPECT_TRUE(contains(Box::of_half_size({2, 1}), {{}, quarter}, {-1, 2}));
  EXPECT_FALSE(contains(Box::of_half_size({2, 1}), {{}, quarter}, {2, 1}));
  EXPECT_TRUE(contains(Capsule{{0, 0}, {4, 0}, 1}, here, {2, 1}));
  EXPECT_TRUE(contains(Capsule{{0, 0}, {4, 0}, 1}, here, {5, 0}));
  EXPECT_FALSE(contains(Capsule{{0, 0}, {4, 0}, 1}, here, {4.75F, 0.75F}));
  EXPECT_TRUE(contains(Segment{{0, 0}, {4, 2}}, here, {2, 1}));
  EXPECT_TRUE(contains(Segment{{0, 0}, {4, 2}}, here, {4, 2}));
  EXPECT_FALSE(contains(Segment{{0, 0}, {4, 2}}, here, {6, 3}));
  EXPECT_FALSE(contains(Segment{{0, 0}, {4, 2}}, here, {2, std::nextafter(1.0F, 2.0F)}));
  EXPECT_TRUE(contains(triangle(), here, {2, 1.5F}));
  EXPECT_FALSE(contains(triangle(), here, {2, std::nextafter(1.5F, 2.0F)}));
  EXPECT_TRUE(contains(triangle(1), here, {-1, 2}));
  EXPECT_FALSE(contains(triangle(1), here, {-0.75F, -0.75F}));
  EXPECT_TRUE(contains(mask(), here, {2, 1}));
  EXPECT_FALSE(contains(mask(), here, {1.5F, 1.5F}));
}

TEST(Shape, contains_nothing_beyond_its_box_however_near) {
  const Box box = Box::of_half_size({0.75F, 3.5F}, {0.0F, 0.0F});
  const Transform transform{{-0.75F, 0.5F}, {}};
  EXPECT_TRUE(contains(box, transform, {0.0F, 0.5F}));
  EXPECT_FALSE(contains(box, transform, {1e-30F, 0.5F}));
}

TEST(Shape, contains_only_itself_where_it_has_no_size) {
  for (const Shape& point : {Shape(Circle{}), Shape(Box{}), Shape(Capsule{}), Shape(Segment{})}) {
    EXPECT_TRUE(contains(point, {{7, 8}, Rotation::by(0.3F)}, {7, 8})) << name(point);
    EXPECT_FALSE(contains(point, {{7, 8}, Rotation::by(0.3F)}, {7, std::nextafter(8.0F, 9.0F)}))
        << name(point);
  }
  EXPECT_TRUE(contains(Box::of_half_size({3, 0}), here, {3, 0}));
  EXPECT_FALSE(contains(Box::of_half_size({3, 0}), here, {3, std::numeric_limits<float>::denorm_min()}));
  EXPECT_TRUE(contains(Box::of_half_size({0, 3}), here, {0, -3}));
}

Standing random_standing(std::uint64_t seed) {
  Random random(seed);
  const Family family = test::families[random.below(test::families.size())];
  return test::random_standing(family, random);
}

/// The exact box: the extreme corners and the radius.
struct TrueBox {
  TruePoint min;
  TruePoint max;
};

TrueBox true_box(const TrueShape& truth) {
  TrueBox box{truth.corners[0], truth.corners[0]};
  for (const TruePoint corner : truth.corners) {
    box.min = {std::min(box.min.x, corner.x), std::min(box.min.y, corner.y)};
    box.max = {std::max(box.max.x, corner.x), std::max(box.max.y, corner.y)};
  }
  box.min = {box.min.x - truth.radius, box.min.y - truth.radius};
  box.max = {box.max.x + truth.radius, box.max.y + truth.radius};
  return box;
}

// The box holds all of the shape, and no side could be moved inwards by a float.
RC_GTEST_PROP(RandomShape, has_the_smallest_box_around_it, (std::uint64_t seed)) {
  const Standing standing = random_standing(seed);
  RC_LOG() << to_text(standing) << std::endl;
  const Aabb box = bounds(standing.shape, standing.at);
  const TrueShape truth = test::truth_of(standing.shape, standing.at);
  const TrueBox expected = true_box(truth);
  const long double rounding = 0x1p-49L * truth.reach();
  const auto is_next = [rounding](float outer, long double inner, float inward) {
    const long double one_in = std::nextafter(outer, inward);
    return std::fabs(outer - inner) <= std::fabs(outer - one_in) + rounding;
  };
  RC_ASSERT(box.min.x <= expected.min.x && is_next(box.min.x, expected.min.x, most));
  RC_ASSERT(box.min.y <= expected.min.y && is_next(box.min.y, expected.min.y, most));
  RC_ASSERT(box.max.x >= expected.max.x && is_next(box.max.x, expected.max.x, -most));
  RC_ASSERT(box.max.y >= expected.max.y && is_next(box.max.y, expected.max.y, -most));
}

RC_GTEST_PROP(RandomShape, contains_what_lies_in_it_in_truth, (std::uint64_t seed)) {
  const Standing standing = random_standing(seed);
  RC_LOG() << to_text(standing) << std::endl;
  const TrueShape truth = test::truth_of(standing.shape, standing.at);
  const Aabb box = bounds(standing.shape, standing.at);
  const long double rounding = 0x1p-48L * truth.reach();
  Random random(seed);
  for (int i = 0; i < 50; ++i) {
    // Slightly more than the box, in steps that often meet the edge.
    const float u = static_cast<float>(random.below(21)) / 16.0F - 0.125F;
    const float v = static_cast<float>(random.below(21)) / 16.0F - 0.125F;
    const Vec2 point{box.min.x + u * (box.max.x - box.min.x), box.min.y + v * (box.max.y - box.min.y)};
    const bool inside = contains(standing.shape, standing.at, point);
    RC_ASSERT(!inside || contains(box, point));
    if (truth.distance({point.x, point.y}) > rounding) {
      RC_ASSERT(!inside);
    } else if (truth.depth({point.x, point.y}) > rounding) {
      RC_ASSERT(inside);
    }
  }
}

RC_GTEST_PROP(RandomShape, is_valid, (std::uint64_t seed)) {
  const Standing standing = random_standing(seed);
  RC_ASSERT(validate(standing.shape).has_value());
  RC_ASSERT(is_valid(bounds(standing.shape, standing.at)));
}

// Compares `area` with the share of a grid of points that the shape contains.
RC_GTEST_PROP(RandomShape, has_the_area_that_points_fill, (std::uint64_t seed)) {
  Random random(seed);
  const Shape shape = test::random_shape(Family::ordinary, random.below(convex_kinds), random);
  const Transform at = test::random_transform(Family::ordinary, random);
  const Aabb box = bounds(shape, at);
  constexpr int steps = 60;
  const Vec2 step = (1.0F / steps) * (box.max - box.min);
  int inside = 0;
  for (int i = 0; i < steps; ++i) {
    for (int j = 0; j < steps; ++j) {
      const Vec2 point{(static_cast<float>(i) + 0.5F) * step.x, (static_cast<float>(j) + 0.5F) * step.y};
      inside += contains(shape, at, box.min + point) ? 1 : 0;
    }
  }
  const float cell = step.x * step.y;
  const float max_cells_cut = 4.0F * steps + 8.0F;  // cut by the edge of a convex shape
  RC_ASSERT(std::fabs(area(shape) - static_cast<float>(inside) * cell) <= max_cells_cut * cell);
}

}  // namespace
}  // namespace broadside::shape_test
