// `distance` and `cast` of two shapes whose faces are opposite to each other, and of shapes that are not
// valid.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "boxes.hpp"
#include "broadside/contact/collide.hpp"
#include "extreme_shapes.hpp"

namespace broadside::distance_test {
namespace {

TEST(Distance, rows_and_stacks_have_the_distance_between_their_faces) {
  const Polygon square = Polygon::hull(std::array<Vec2, 4>{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}}).value();
  const Shape shapes[] = {Box::of_half_size({1, 1}), square, Segment{{-1, 1}, {1, 1}},
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

// On a lattice that rounding disturbs, boxes touch or miss each other by anything from 1e-45 up.
TEST(Distance, of_boxes_is_0_where_they_overlap_and_only_there_however_little_parts_them) {
  constexpr std::array<Rotation, 4> quarters = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  constexpr std::uint64_t draws = 200'000;
  constexpr float smallest = std::numeric_limits<float>::denorm_min();
  std::size_t apart_by_rounding = 0;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    test::Random random(seed);
    const float unit = random.between(0.5F, 1.0F) * (random.below(2) == 0 ? 1.0F : 1e-11F);
    const auto number = [&](std::uint32_t least, std::uint32_t most) {
      const float whole = (static_cast<float>(random.below(most - least + 1)) + static_cast<float>(least) -
                           static_cast<float>(most / 2)) *
                          unit;
      const std::uint32_t kind = random.below(8);
      return kind == 0 ? std::nextafter(whole, unit) : kind == 1 ? whole + smallest : whole;
    };
    const auto box = [&] {
      const Vec2 half{std::abs(number(0, 3)), std::abs(number(0, 3))};
      return Box::of_half_size(half, {number(0, 8), number(0, 8)}, quarters[random.below(4)]);
    };
    const auto place = [&] { return Transform{{number(0, 8), number(0, 8)}, quarters[random.below(4)]}; };
    const Box a = box();
    const Box b = box();
    const Transform at_a = place();
    const Transform at_b = place();
    const float found = distance(a, at_a, b, at_b).distance;
    ASSERT_EQ(found == 0.0F, overlaps(a, at_a, b, at_b)) << "seed " << seed << ", distance " << found;
    apart_by_rounding += found > 0.0F && found < 1e-6F * unit ? 1 : 0;
  }
  EXPECT_GT(apart_by_rounding, draws / 100);
}

// A broad phase skips shapes by their bounds: these must never be farther away than the shapes.
TEST(Distance, is_never_less_than_that_of_the_bounds) {
  constexpr std::uint64_t draws = 50'000;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    test::ExtremeShapes draw(seed);
    const test::Standing a = draw.standing();
    test::Standing b = draw.standing();
    if (seed % 2 == 0) {
      b.shape = Circle{};
    }
    const Aabb box_a = bounds(a.shape, a.at);
    const Aabb box_b = bounds(b.shape, b.at);
    const auto gap = [](float low_a, float high_a, float low_b, float high_b) {
      return std::max({0.0, double{low_b} - double{high_a}, double{low_a} - double{high_b}});
    };
    const double least = std::hypot(gap(box_a.min.x, box_a.max.x, box_b.min.x, box_b.max.x),
                                    gap(box_a.min.y, box_a.max.y, box_b.min.y, box_b.max.y));
    const double found = distance(a.shape, a.at, b.shape, b.at).distance;
    ASSERT_GE(found, least * (1.0 - 1e-6))
        << "seed " << seed << "\n  " << describe(a) << "\n  " << describe(b);
  }
}

TEST(Distance, of_invalid_shapes_is_the_largest_float) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float most = std::numeric_limits<float>::max();
  const std::array numbers{0.0F, -0.0F, 1.0F, -1.0F, 1e-45F, 3e-39F, most, -most, infinity, nan};
  const Polygon triangle = Polygon::hull(std::array<Vec2, 3>{{{0, 0}, {1, 0}, {0, 1}}}).value();
  const std::array<std::string_view, 2> rows{"##", ".#"};
  const std::vector<Shape> others{
      Circle{{}, 1}, Box::of_half_size({1, 1}),        Capsule{{0, 0}, {1, 0}, 0.5F}, Segment{{0, 0}, {1, 0}},
      triangle,      Mask::from_rows(rows, {}).value()};
  std::size_t refused = 0;
  for (const float size : numbers) {
    for (const float center : numbers) {
      for (const float place : numbers) {
        std::vector<Shape> shapes{Box::of_half_size({size, 1}, {center, 0}),
                                  Box::of_half_size({2, size}, {0, center}, {0.8F, 0.6F}),
                                  Box::of_half_size({1, 1}, {}, {size, center}),
                                  Circle{{center, 0}, size},
                                  Capsule{{center, 0}, {0, 1}, size},
                                  Segment{{center, size}, {1, 0}}};
        shapes.insert(shapes.end(), others.begin(), others.end());
        for (const Shape& shape : shapes) {
          for (const Transform& at : {Transform{{place, 0}, {}}, Transform{{0, place}, {center, 1}}}) {
            const float length2 = at.rotation.cos * at.rotation.cos + at.rotation.sin * at.rotation.sin;
            const bool is_at_valid = is_finite(at.position) && length2 > 0.99F && length2 < 1.01F;
            if (is_at_valid && validate(shape).has_value()) {
              continue;
            }
            ++refused;
            for (const Shape& other : others) {
              ASSERT_EQ(distance(shape, at, other, {}).distance, most) << name(shape) << name(other);
              ASSERT_EQ(distance(other, {}, shape, at).distance, most) << name(shape) << name(other);
              ASSERT_FALSE(overlaps(shape, at, other, {})) << name(shape) << name(other);
              ASSERT_FALSE(collide(other, {}, shape, at).touching()) << name(shape) << name(other);
              ASSERT_FALSE(cast(shape, at, {1, 0}, other, {}).has_value()) << name(shape) << name(other);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(refused, 10'000U);
}

// Rotations need to be units only roughly, but normals are units as well as floats can be.
TEST(Distance, has_a_unit_normal_also_for_boxes_whose_rotations_are_only_roughly_units) {
  test::Random random(71);
  int apart = 0;
  for (int round = 0; round < 4000; ++round) {
    const auto rough = [&] {
      const Rotation turn = Rotation::by(random.between(-4.0F, 4.0F));
      const float scale = 1.0F + random.between(-5e-6F, 5e-6F);
      return Rotation{scale * turn.cos, scale * turn.sin};
    };
    const Box a = Box::of_size({random.between(0.5F, 2), random.between(0.5F, 2)}, {}, rough());
    const Box b = Box::of_size({random.between(0.5F, 2), random.between(0.5F, 2)}, {}, rough());
    const Transform at_a{{}, rough()};
    const Transform at_b{{random.between(-3, 3), random.between(-3, 3)}, rough()};
    ASSERT_TRUE(validate(Shape(a)).has_value());
    const Distance found = distance(a, at_a, b, at_b);
    apart += found.distance > 0.0F ? 1 : 0;
    ASSERT_NEAR(length(found.normal), 1.0F, 3e-7F) << round;
  }
  EXPECT_GT(apart, 1000);
}

}  // namespace
}  // namespace broadside::distance_test
