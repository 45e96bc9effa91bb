#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "broadside/contact/collide.hpp"
#include "broadside/contact/mask_overlap.hpp"
#include "extreme_shapes.hpp"

namespace broadside::test::long_ray_test {
namespace {

constexpr float largest = std::numeric_limits<float>::max();
constexpr double rounding = 0x1p-20;

double length_of(Vec2 v) {
  return std::hypot(static_cast<double>(v.x), static_cast<double>(v.y));
}

Vec2 middle_of(const Aabb& box) {
  return {0.5F * box.min.x + 0.5F * box.max.x, 0.5F * box.min.y + 0.5F * box.max.y};
}

double size_of(const Aabb& box) {
  return std::max(static_cast<double>(box.max.x) - static_cast<double>(box.min.x),
                  static_cast<double>(box.max.y) - static_cast<double>(box.min.y));
}

/// Returns how deep a point lies in a shape; 0 for a mask.
double depth_of(Vec2 point, const Standing& target) {
  double deepest = 0.0;
  if (!std::holds_alternative<Mask>(target.shape)) {
    const Manifold manifold = collide(Circle{}, {point, {}}, target.shape, target.at);
    for (const ManifoldPoint& one : manifold.in_use()) {
      deepest = std::max(deepest, -static_cast<double>(one.separation));
    }
  }
  return deepest;
}

struct Shot {
  Standing target;
  Vec2 start;
  Vec2 way;
  std::optional<Hit> hit = cast_ray(start, way, target.shape, target.at);
  double numbers = reach_of(target) + length_of(start);  ///< without the length of the ray

  [[nodiscard]] Vec2 at(double time) const { return moved({Circle{}, {start, {}}}, way, time).at.position; }

  [[nodiscard]] std::string complaint() const {
    const double slack = rounding * numbers + 2e-38;
    const bool inside = contains(target.shape, target.at, start);
    if (!hit) {
      // Where the ray passes the center of the shape.
      const Vec2 middle = middle_of(bounds(target.shape, target.at));
      const double along =
          (static_cast<double>(middle.x) - static_cast<double>(start.x)) * static_cast<double>(way.x) +
          (static_cast<double>(middle.y) - static_cast<double>(start.y)) * static_cast<double>(way.y);
      const double time = std::clamp(along / (length_of(way) * length_of(way)), 0.0, 1.0);
      return inside || depth_of(at(time), target) > slack ? "missed" : "";
    }
    if (!(hit->fraction >= 0.0F && hit->fraction <= 1.0F && is_finite(hit->point) &&
          std::abs(length_of(hit->normal) - 1.0) <= 1e-5)) {
      return "a number that makes no sense";
    }
    const auto apart = [&](Vec2 point) -> double {
      return distance(Circle{}, {point, {}}, target.shape, target.at).distance;
    };
    if (const double off = apart(hit->point); off > slack) {
      return "the point is off the shape by " + std::to_string(off / slack);
    }
    if (inside != (hit->fraction == 0.0F) && apart(start) > 1e-10 * numbers + 2e-38) {
      return "time 0 is not the same as a start inside";
    }
    const double travel = static_cast<double>(hit->fraction) * length_of(way);
    const double error = length_of(at(hit->fraction) - hit->point);
    if (error > slack + 0x1p-20 * travel + 0x1p-149 * length_of(way)) {
      return "time and point do not agree: " + std::to_string(error / slack);
    }
    for (const double share : {0.25, 0.5, 0.75, 0.99}) {
      const Vec2 before = moved({Circle{}, {start, {}}}, hit->point - start, share).at.position;
      if (hit->fraction > 0.0F && depth_of(before, target) > slack) {
        return "late";
      }
    }
    return "";
  }
};

/// Returns a ray that starts around a shape, mostly towards it.
Shot random_shot(std::uint64_t seed) {
  ExtremeShapes draw(seed);
  Random& random = draw.random();
  const Standing target = draw.standing();
  const Aabb box = bounds(target.shape, target.at);
  const Vec2 middle = middle_of(box);
  const auto size = static_cast<float>(std::min(size_of(box), 1e37));
  const auto around = [&](float share) {
    return middle + share * size * Vec2{random.between(-1, 1), random.between(-1, 1)};
  };
  const Vec2 start =
      random.below(4) == 0 ? draw.standing().at.position : around(random.below(2) == 0 ? 1.0F : 20.0F);
  Vec2 way = around(0.7F) - start;
  if (random.below(4) == 0) {
    way = random.below(2) == 0 ? Vec2{way.x, 0.0F} : Vec2{0.0F, way.y};
  }
  if (way == Vec2{} || !is_finite(way.x) || !is_finite(way.y)) {
    way = {1.0F, 0.0F};
  }
  const double side = std::max(std::abs(static_cast<double>(way.x)), std::abs(static_cast<double>(way.y)));
  const double length = random.below(8) == 0
                            ? static_cast<double>(largest)
                            : std::pow(10.0, static_cast<double>(random.between(-3.0F, 38.4F)));
  const auto scaled = [&](float component) {
    return static_cast<float>(std::min(length, static_cast<double>(largest)) / side *
                              static_cast<double>(component));
  };
  return {target, start, {scaled(way.x), scaled(way.y)}};
}

constexpr std::uint64_t draws = 40000;
constexpr int max_reports = 10;

TEST(LongRay, meets_shapes_of_any_size_on_their_outline_however_long_it_is) {
  int failures = 0;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    const Shot shot = random_shot(seed);
    if (shot.numbers > 1e37) {
      continue;
    }
    const std::string complaint = shot.complaint();
    if (!complaint.empty() && ++failures <= max_reports) {
      ADD_FAILURE() << "\nseed " << seed << ": " << complaint << "\n  " << describe(shot.target)
                    << "\n  start " << testing::PrintToString(std::array{shot.start.x, shot.start.y})
                    << " way " << testing::PrintToString(std::array{shot.way.x, shot.way.y})
                    << (shot.hit ? " hit at " + testing::PrintToString(shot.hit->fraction) : " no hit");
    }
  }
  EXPECT_EQ(failures, 0);
}

// Beyond all obstacles a longer ray makes no difference.
TEST(LongRay, is_the_same_as_one_that_is_longer_still) {
  int hits = 0;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    Shot shot = random_shot(seed);
    const double lengths = length_of(shot.target.at.position - shot.start) + 16.0 * shot.numbers;
    if (length_of(shot.way) < 256.0 * lengths) {
      continue;
    }
    for (; std::max(std::abs(shot.way.x), std::abs(shot.way.y)) < 0x1p126F; shot.way = 4.0F * shot.way) {
      const auto longer = cast_ray(shot.start, 4.0F * shot.way, shot.target.shape, shot.target.at);
      ASSERT_EQ(longer.has_value(), shot.hit.has_value()) << seed;
      if (longer) {
        ++hits;
        EXPECT_EQ(longer->point, shot.hit->point) << seed;
        EXPECT_EQ(longer->normal, shot.hit->normal) << seed;
        EXPECT_NEAR(longer->fraction, 0.25F * shot.hit->fraction, 1.5e-45F) << seed;
        EXPECT_EQ(longer->fraction == 0.0F, shot.hit->fraction == 0.0F) << seed;
      }
      shot.hit = longer;
    }
  }
  EXPECT_GT(hits, static_cast<int>(draws / 20));
}

TEST(LongRay, of_the_largest_float_meets_what_is_near) {
  const auto hit = cast_ray({0, 0}, {largest, 0}, Circle{{}, 1.0F}, {{10, 0}, {}});
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->point, (Vec2{9, 0}));
  EXPECT_EQ(hit->normal, (Vec2{-1, 0}));
  EXPECT_GT(hit->fraction, 0.0F);
}

}  // namespace
}  // namespace broadside::test::long_ray_test
