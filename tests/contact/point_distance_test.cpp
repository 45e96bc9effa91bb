#include "contact/circle/point_distance.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "broadside/base/aabb.hpp"
#include "masks.hpp"
#include "random_shapes.hpp"

namespace broadside::test {

namespace {

std::uint64_t bits(Vec2 v) {
  return std::bit_cast<std::uint64_t>(v);
}

void expect_same_as_distance(const Standing& standing, Vec2 point) {
  const Transform at_point{point, {}};
  const auto found = detail::distance_to_point(standing.shape, standing.at, at_point);
  const Distance expected = distance(standing.shape, standing.at, Circle{}, at_point);
  ASSERT_EQ(std::bit_cast<std::uint32_t>(found.distance), std::bit_cast<std::uint32_t>(expected.distance))
      << to_text(standing) << " " << point.x << " " << point.y;
  ASSERT_EQ(bits(found.on_shape), bits(expected.point_a))
      << to_text(standing) << " " << point.x << " " << point.y;
}

/// Returns points at, in and around a shape, most of them in line with its sides.
std::vector<Vec2> points_around(const Standing& standing, Random& random) {
  const Aabb box = bounds(standing.shape, standing.at);
  const Vec2 size = box.max - box.min;
  const auto select = [&](float low, float high, float side) {
    const std::array<float, 8> all{low,
                                   high,
                                   0.5F * low + 0.5F * high,
                                   std::nextafter(low, -std::numeric_limits<float>::infinity()),
                                   std::nextafter(high, low),
                                   low - side * random.between(0.0F, 2.0F),
                                   high + side * random.between(0.0F, 1e-6F),
                                   low + side * random.between(0.0F, 1.0F)};
    return all[random.below(all.size())];
  };
  std::vector<Vec2> points;
  for (int i = 0; i < 12; ++i) {
    points.push_back({select(box.min.x, box.max.x, size.x), select(box.min.y, box.max.y, size.y)});
  }
  return points;
}

TEST(PointDistance, IsThatOfACircleWithoutARadius) {
  Random random(21);
  for (const Family family : families) {
    SCOPED_TRACE(name(family));
    for (int i = 0; i < 4000; ++i) {
      const Standing standing = random_standing(family, random);
      for (const Vec2 point : points_around(standing, random)) {
        if (is_finite(point)) {
          ASSERT_NO_FATAL_FAILURE(expect_same_as_distance(standing, point));
        }
      }
    }
  }
}

TEST(PointDistance, OfBoxesThatAreNotTurnedIsTheSameToo) {
  Random random(22);
  for (const Family family : families) {
    SCOPED_TRACE(name(family));
    for (int i = 0; i < 10000; ++i) {
      Standing standing{random_shape(family, 1, random), random_transform(family, random)};
      Box& box = std::get<Box>(standing.shape);
      box.rotation = {};
      standing.at.rotation = {};
      box.center = random.below(2) == 0 ? Vec2{-0.0F, 0.0F} : box.center;
      for (const Vec2 point : points_around(standing, random)) {
        if (is_finite(point)) {
          ASSERT_NO_FATAL_FAILURE(expect_same_as_distance(standing, point));
        }
      }
    }
  }
}

TEST(PointDistance, OfMasksIsTheSameToo) {
  Random random(23);
  for (int i = 0; i < 300; ++i) {
    const Standing standing{random_mask(1 + random.below(9), 1 + random.below(9), {}, random),
                            random_transform(Family::ordinary, random)};
    for (const Vec2 point : points_around(standing, random)) {
      ASSERT_NO_FATAL_FAILURE(expect_same_as_distance(standing, point));
    }
  }
}

TEST(PointDistance, OfWhatIsNotValidIsTheSameToo) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float most = std::numeric_limits<float>::max();
  const std::vector<float> numbers = {0.0F, -0.0F, 1.0F, -1.0F, 1e-45F, 3e-39F, most, -most, infinity, nan};
  for (const float size : numbers) {
    for (const float center : numbers) {
      for (const float place : numbers) {
        for (const float point : {0.0F, -0.0F, 1.0F, 1e-45F, -most}) {
          for (const Shape& shape :
               {Shape{Box{{size, 1.0F}, {center, 0.0F}}}, Shape{Box{{1.0F, size}, {center, 0.0F}}},
                Shape{Box{{2.0F, size}, {0.0F, center}, {0.8F, 0.6F}}}, Shape{Circle{{center, 0.0F}, size}},
                Shape{Capsule{{center, 0.0F}, {0.0F, 1.0F}, size}},
                Shape{Segment{{center, size}, {1.0F, 0.0F}}}}) {
            ASSERT_NO_FATAL_FAILURE(expect_same_as_distance({shape, {{place, 0.0F}, {}}}, {point, 0.5F}));
            ASSERT_NO_FATAL_FAILURE(
                expect_same_as_distance({shape, {{0.0F, place}, {center, 1.0F}}}, {0.5F, point}));
          }
        }
      }
    }
  }
}

}  // namespace

}  // namespace broadside::test
