// Two segments or capsules, which have their own closed form, compared with exact integer arithmetic.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "body/convex.hpp"
#include "boxes.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/engine/gap.hpp"

namespace broadside::line_test {
namespace {

constexpr Transform origin{};

struct Whole {
  std::int64_t x = 0;
  std::int64_t y = 0;

  friend Whole operator-(Whole a, Whole b) { return {a.x - b.x, a.y - b.y}; }
};

std::int64_t dot(Whole a, Whole b) {
  return a.x * b.x + a.y * b.y;
}
std::int64_t cross(Whole a, Whole b) {
  return a.x * b.y - a.y * b.x;
}
Vec2 to_vec2(Whole p) {
  return {static_cast<float>(p.x), static_cast<float>(p.y)};
}

struct Line {
  Whole a;
  Whole b;
  std::int64_t radius = 0;

  /// Returns a segment if the radius is 0, and a capsule otherwise.
  [[nodiscard]] Shape shape() const {
    return radius == 0 ? Shape{Segment{to_vec2(a), to_vec2(b)}}
                       : Shape{Capsule{to_vec2(a), to_vec2(b), static_cast<float>(radius)}};
  }
};

/// A squared distance as a fraction.
struct Square {
  std::int64_t above = 0;
  std::int64_t below = 1;

  friend bool operator<(Square a, Square b) { return a.above * b.below < b.above * a.below; }
};

Square square_to(Whole p, const Line& line) {
  const Whole edge = line.b - line.a;
  const std::int64_t along = dot(edge, p - line.a);
  if (along <= 0) {
    return {dot(p - line.a, p - line.a)};
  }
  if (along >= dot(edge, edge)) {
    return {dot(p - line.b, p - line.b)};
  }
  const std::int64_t out = cross(edge, p - line.a);
  return {out * out, dot(edge, edge)};
}

Square square_between(const Line& a, const Line& b) {
  const auto sides = [](const Line& line, const Line& other) {
    const Whole edge = line.b - line.a;
    return std::pair{cross(edge, other.a - line.a), cross(edge, other.b - line.a)};
  };
  const auto [a_low, a_high] = sides(a, b);
  const auto [b_low, b_high] = sides(b, a);
  if (a_low * a_high < 0 && b_low * b_high < 0) {
    return {};
  }
  return std::min({square_to(b.a, a), square_to(b.b, a), square_to(a.a, b), square_to(a.b, b)});
}

Line random_line(std::mt19937& random, std::int64_t most) {
  std::uniform_int_distribution<std::int64_t> coordinate(-most, most);
  std::uniform_int_distribution<std::int64_t> radius(0, 3);
  return {{coordinate(random), coordinate(random)}, {coordinate(random), coordinate(random)}, radius(random)};
}

TEST(Lines, touch_exactly_when_whole_numbers_say_so) {
  std::mt19937 random(1);
  for (const std::int64_t most : {2, 5, 100}) {
    for (int i = 0; i < 20000; ++i) {
      const Line a = random_line(random, most);
      const Line b = random_line(random, most);
      const Square square = square_between(a, b);
      const std::int64_t radius = a.radius + b.radius;
      const bool touching = square.above <= radius * radius * square.below;
      const Shape one = a.shape();
      const Shape other = b.shape();
      ASSERT_EQ(overlaps(one, origin, other, origin), touching);
      const Manifold manifold = collide(one, origin, other, origin);
      ASSERT_EQ(manifold.touching(), touching);
      ASSERT_EQ(cast(one, origin, {}, other, origin).has_value(), touching);
      const double expected =
          std::sqrt(static_cast<double>(square.above) / static_cast<double>(square.below)) -
          static_cast<double>(radius);
      const Distance found = distance(one, origin, other, origin);
      ASSERT_EQ(found.distance == 0.0F, touching);
      ASSERT_NEAR(static_cast<double>(found.distance), std::max(expected, 0.0),
                  1e-6 * (1.0 + std::abs(expected)));
      if (touching && square.above > 0) {
        float deepest = 0.0F;
        for (const ManifoldPoint& point : manifold.in_use()) {
          deepest = std::min(deepest, point.separation);
        }
        ASSERT_NEAR(static_cast<double>(deepest), expected, 1e-5);
      }
    }
  }
}

TEST(Lines, that_cross_meet_where_they_cross) {
  const Segment level{{-4.0F, 0.0F}, {4.0F, 0.0F}};
  const Segment upright{{1.0F, -1.0F}, {1.0F, 0.5F}};
  const Manifold manifold = collide(level, origin, upright, origin);
  ASSERT_EQ(manifold.size, 1U);
  EXPECT_EQ(manifold.normal, (Vec2{0.0F, -1.0F}));
  EXPECT_FLOAT_EQ(manifold.points[0].separation, -0.5F);
  EXPECT_NEAR(manifold.points[0].position.x, 1.0F, 1e-6F);
}

// The features of a contact name the face and the corner that is deepest behind it.
TEST(Lines, that_cross_meet_with_the_end_that_is_deepest_behind_the_face) {
  std::mt19937 random(3);
  std::size_t crossings = 0;
  for (int i = 0; i < 20000; ++i) {
    const Line a = random_line(random, 20);
    const Line b = random_line(random, 20);
    detail::Convex core_a;
    detail::Convex core_b;
    place(a.shape(), origin, {}, core_a);
    place(b.shape(), origin, {}, core_b);
    if (core_a.size != 2 || core_b.size != 2) {
      continue;
    }
    const detail::Gap gap = detail::find_gap(core_a, core_b, detail::Effort::touching);
    if (gap.apart || !gap.touching || gap.meeting == detail::Meeting::corners) {
      continue;
    }
    ++crossings;
    const bool on_b = gap.meeting == detail::Meeting::face_of_b;
    const detail::Convex& other = on_b ? core_a : core_b;
    const std::size_t corner = on_b ? gap.of_a : gap.of_b;
    const double outward = on_b ? -1.0 : 1.0;
    ASSERT_LE(outward * dot(gap.normal, other.points[corner]),
              outward * dot(gap.normal, other.points[1 - corner]) + 1e-9)
        << i;
  }
  EXPECT_GT(crossings, 1000U);
}

TEST(Lines, are_hit_at_a_side_an_end_or_a_rounded_end) {
  const Vec2 right{10.0F, 0.0F};
  const Capsule upright{{0.0F, 0.0F}, {0.0F, 2.0F}, 0.5F};
  struct Expected {
    Segment target;
    std::optional<float> time;
    Vec2 normal;
  };
  const std::array all = {Expected{{{5.0F, 1.0F}, {7.0F, 1.0F}}, 0.45F, {-1.0F, 0.0F}},
                          Expected{{{5.0F, 2.3F}, {7.0F, 3.0F}}, 0.46F, {-0.8F, -0.6F}},
                          Expected{{{5.0F, 2.6F}, {7.0F, 3.0F}}, std::nullopt, {}},
                          Expected{{{5.0F, 0.0F}, {5.0F, 2.0F}}, 0.45F, {-1.0F, 0.0F}},
                          Expected{{{5.0F, 2.3F}, {5.0F, 4.0F}}, 0.46F, {-0.8F, -0.6F}}};
  for (const Expected& one : all) {
    const std::optional<Hit> hit = cast(upright, origin, right, one.target, origin);
    ASSERT_EQ(hit.has_value(), one.time.has_value());
    if (hit) {
      EXPECT_NEAR(hit->fraction, *one.time, 1e-6F);
      EXPECT_NEAR(hit->normal.x, one.normal.x, 1e-5F);
      EXPECT_NEAR(hit->normal.y, one.normal.y, 1e-5F);
    }
  }
  const Capsule level{{0.0F, 0.0F}, {2.0F, 0.0F}, 0.5F};
  const std::optional<Hit> hit = cast(level, origin, right, Segment{{5.0F, 0.0F}, {7.0F, 0.0F}}, origin);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->fraction, 0.25F, 1e-6F);
  EXPECT_EQ(hit->normal, (Vec2{-1.0F, 0.0F}));
}

TEST(Line, leaves_on_the_side_that_it_is_on_though_the_gap_is_as_small_as_rounding) {
  const Polygon square = Polygon::hull(std::array<Vec2, 4>{{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}}, 0.5F).value();
  for (const float gap : {0.0F, 1e-12F, 1e-10F, 1e-9F, 3e-9F, 1e-8F}) {
    for (const bool is_reversed : {false, true}) {
      const Capsule line = is_reversed ? Capsule{{3, 0}, {-2, 0}, 0.5F} : Capsule{{-2, 0}, {3, 0}, 0.5F};
      // The square stands on the line on one corner, above and below it.
      EXPECT_EQ(collide(line, {{0, 0}, {}}, square, {{0, 1 + gap}, {}}).normal, (Vec2{0, 1})) << gap;
      EXPECT_EQ(collide(line, {{0, -gap}, {}}, square, {{0, 1}, {}}).normal, (Vec2{0, 1})) << gap;
      EXPECT_EQ(collide(line, {{0, gap}, {}}, square, {{0, -1}, {}}).normal, (Vec2{0, -1})) << gap;
    }
  }
}

// Rounding moves the ends of one beyond those of the other, where two corners would be nearest.
TEST(Lines, of_equal_length_beside_each_other_touch_at_two_points_at_every_scale) {
  test::Random random(20261127);
  for (int round = 0; round < 20'000; ++round) {
    const float length = std::ldexp(1.0F + random.unit(), static_cast<int>(random.below(81)) - 40);
    const float gap = length * random.between(0.3F, 2.0F);
    const Rotation turn = Rotation::by(random.between(-4, 4));
    const Vec2 half{0.5F * length * turn.cos, 0.5F * length * turn.sin};
    const Vec2 place{length * random.between(-4, 4), length * random.between(-4, 4)};
    const Vec2 beside{place.x - gap * turn.sin, place.y + gap * turn.cos};
    const Capsule one{-half, half, 0.6F * gap};
    const Capsule other = random.below(2) == 0 ? one : Capsule{half, -half, 0.6F * gap};
    ASSERT_EQ(collide(one, {place, {}}, other, {beside, {}}).size, 2U) << round << ", length " << length;
  }
}

}  // namespace
}  // namespace broadside::line_test
