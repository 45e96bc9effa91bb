#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "broadside/contact/collide.hpp"
#include "broadside/contact/mask_overlap.hpp"
#include "extreme_shapes.hpp"

namespace broadside::test::cast_late_test {
namespace {

double size_of(const Standing& standing) {
  const Aabb box = bounds(standing.shape, standing.at);
  return std::max(static_cast<double>(box.max.x) - static_cast<double>(box.min.x),
                  static_cast<double>(box.max.y) - static_cast<double>(box.min.y));
}

double length_of(Vec2 v) {
  return std::hypot(static_cast<double>(v.x), static_cast<double>(v.y));
}

/// Returns how deep two shapes penetrate each other. For masks, whose separation is in whole pixels, the mean
/// depth.
double depth(const Standing& a, const Standing& b) {
  for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    if (const Mask* mask = std::get_if<Mask>(&one->shape)) {
      const double area = overlap(*mask, one->at, other->shape, other->at).area;
      return area / (size_of(a) + size_of(b) + 1e-30);
    }
  }
  double deepest = 0.0;
  const Manifold manifold = collide(a.shape, a.at, b.shape, b.at);
  for (const ManifoldPoint& point : manifold.in_use()) {
    deepest = std::max(deepest, -static_cast<double>(point.separation));
  }
  return deepest;
}

Vec2 turned(Vec2 v) {
  return {0.0F - v.x, 0.0F - v.y};
}

bool is_unit(Vec2 v) {
  return std::abs(std::hypot(double{v.x}, double{v.y}) - 1.0) <= 1e-5;
}

/// A cast, and what is wrong with its answer.
struct Trial {
  Standing a;
  Standing b;
  Vec2 motion;
  std::optional<Hit> hit = cast(a.shape, a.at, motion, b.shape, b.at);
  double still = reach_of(a) + reach_of(b);  ///< the largest numbers, without the motion
  double size = std::min(size_of(a), size_of(b));

  /// The tolerance that `cast` documents: 1e-5 of the size of the smaller shape, or 2^-20 of the largest
  /// number that takes part up to this time.
  [[nodiscard]] double slack(double time) const {
    return 1e-5 * size + 0x1p-20 * (still + time * length_of(motion)) + 0x1p-149 * length_of(motion) + 2e-38;
  }

  /// Returns times at which the shapes may overlap: some in the whole range, and some around the time at
  /// which their centers are closest.
  [[nodiscard]] std::array<double, 12> times() const {
    const double end = hit ? static_cast<double>(hit->fraction) : 1.0;
    std::array<double, 12> all{0.0, 0.25 * end, 0.5 * end, 0.75 * end, end};
    const Aabb box_a = bounds(a.shape, a.at);
    const Aabb box_b = bounds(b.shape, b.at);
    const double x =
        0.5 * (double{box_b.min.x} + double{box_b.max.x} - double{box_a.min.x} - double{box_a.max.x});
    const double y =
        0.5 * (double{box_b.min.y} + double{box_b.max.y} - double{box_a.min.y} - double{box_a.max.y});
    const double way2 = double{motion.x} * double{motion.x} + double{motion.y} * double{motion.y};
    const double nearest = (x * double{motion.x} + y * double{motion.y}) / way2;
    const double pass = size / std::sqrt(way2);
    std::size_t i = 5;
    for (const double share : {0.0, -0.5, 0.5, -0.25, 0.25, 0.1, -0.1}) {
      const double time = nearest + share * pass;
      all[i++] = time > 0.0 && time < end ? time : end;
    }
    return all;
  }

  [[nodiscard]] std::string complaint() const {
    const auto swapped = cast(b.shape, b.at, turned(motion), a.shape, a.at);
    if (hit.has_value() != swapped.has_value()) {
      return "swapped, it does not hit alike";
    }
    const bool touching = overlaps(a.shape, a.at, b.shape, b.at);
    if (touching != (hit && hit->fraction == 0.0F)) {
      return "time 0 is not the same as touching at the start";
    }
    if (hit) {
      if (!(hit->fraction >= 0.0F && hit->fraction <= 1.0F && is_finite(hit->point) &&
            is_unit(hit->normal))) {
        return "a number that makes no sense";
      }
      if (std::bit_cast<std::uint32_t>(hit->fraction) != std::bit_cast<std::uint32_t>(swapped->fraction)) {
        return "swapped, it hits at another time";
      }
      if (hit->normal != turned(swapped->normal) && !(touching && hit->normal == swapped->normal)) {
        return "swapped, the normal is another";
      }
    }
    if (touching || still + length_of(motion) > 1e37) {
      return "";
    }
    for (const double time : times()) {
      if (depth(moved(a, motion, time), b) > slack(time)) {
        return "late: deep at time " + std::to_string(time) + " by " +
               std::to_string(depth(moved(a, motion, time), b) / slack(time));
      }
    }
    if (!hit) {
      return "";
    }
    const auto end = static_cast<double>(hit->fraction);
    const Standing there = moved(a, motion, end);
    if (const double apart = distance(there.shape, there.at, b.shape, b.at).distance; apart > slack(end)) {
      return "early: apart by " + std::to_string(apart / slack(end));
    }
    const Circle spot{hit->point, 0.0F};
    const double off = std::max<double>(distance(spot, {}, b.shape, b.at).distance,
                                        distance(spot, {}, there.shape, there.at).distance);
    if (off > slack(end)) {
      return "the point is off the shapes by " + std::to_string(off / slack(end));
    }
    return "";
  }
};

constexpr std::uint64_t draws = 20000;
constexpr int max_reports = 10;

/// Casts for each seed, and reports the first answers that are wrong.
/// @param place draws where the second shape is
template <typename Place>
void cast_drawn_shapes(const Place& place) {
  int failures = 0;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    ExtremeShapes draw(seed);
    const Standing a = draw.standing();
    const Standing b = place(draw, a);
    const Trial trial{a, b, draw.motion(a, b)};
    const std::string complaint = trial.complaint();
    if (!complaint.empty() && ++failures <= max_reports) {
      ADD_FAILURE() << "\nseed " << seed << ": " << complaint << "\n  a: " << describe(a)
                    << "\n  b: " << describe(b)
                    << "\n  motion: " << testing::PrintToString(std::array{trial.motion.x, trial.motion.y})
                    << (trial.hit ? " hit at " + testing::PrintToString(trial.hit->fraction) : " no hit");
    }
  }
  EXPECT_EQ(failures, 0);
}

TEST(CastLate, casts_of_shapes_of_any_size_are_neither_late_nor_early_and_alike_when_swapped) {
  cast_drawn_shapes([](ExtremeShapes& draw, const Standing& a) {
    Standing b = draw.standing();
    draw.bring_together(a, b);
    return b;
  });
}

// The corners of both may be the same numbers, as the shapes are so large that rounding drops what differs.
TEST(CastLate, casts_of_shapes_that_hardly_differ_are_neither_late_nor_early_and_alike_when_swapped) {
  cast_drawn_shapes([](ExtremeShapes& draw, const Standing& a) { return draw.shifted(a); });
}

// Beyond all obstacles a longer motion makes no difference.
TEST(CastLate, a_motion_that_is_longer_still_hits_at_the_same_point) {
  int hits = 0;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    ExtremeShapes draw(seed);
    const Standing a = draw.standing();
    Standing b = draw.standing();
    draw.bring_together(a, b);
    Vec2 motion = draw.motion(a, b);
    if (length_of(motion) < 256.0 * 32.0 * (reach_of(a) + reach_of(b))) {
      continue;
    }
    auto hit = cast(a.shape, a.at, motion, b.shape, b.at);
    for (; std::max(std::abs(motion.x), std::abs(motion.y)) < 0x1p126F; motion = 4.0F * motion) {
      const auto longer = cast(a.shape, a.at, 4.0F * motion, b.shape, b.at);
      ASSERT_EQ(longer.has_value(), hit.has_value()) << seed;
      if (longer) {
        ++hits;
        EXPECT_EQ(longer->point, hit->point) << seed;
        EXPECT_EQ(longer->normal, hit->normal) << seed;
        EXPECT_NEAR(longer->fraction, 0.25F * hit->fraction, 1.5e-45F) << seed;
        EXPECT_EQ(longer->fraction == 0.0F, hit->fraction == 0.0F) << seed;
      }
      hit = longer;
    }
  }
  EXPECT_GT(hits, static_cast<int>(draws / 20));
}

// Found by fuzzing: a polygon so large that a capsule of 9 units is below its rounding.
TEST(CastLate, a_shape_below_the_rounding_of_the_other_does_not_pass_through_it) {
  const Capsule pin{{9.0F, -14.5F}, {0.0F, 0.0F}, 3.5F};
  const std::vector<Vec2> corners = {{-3.69731403e28F, -3.6972687e28F},
                                     {-4.5F, -3.69731403e28F},
                                     {10.25F, 5.75F},
                                     {-2.7998075e28F, 3.45e-37F}};
  const Shape country = Polygon::hull(corners).value();
  const Transform at_country{{0.5F, -13.5F}, {0.711245716F, 0.702943444F}};
  const auto hit = cast(pin, {{1.0F, 0.0F}, {}}, {0.0F, -3.69725783e28F}, country, at_country);
  ASSERT_TRUE(hit.has_value());
  EXPECT_LT(hit->fraction, 1e-6F);
}

TEST(CastLate, a_motion_of_the_largest_float_meets_what_is_near) {
  constexpr float largest = std::numeric_limits<float>::max();
  const std::vector<Shape> shapes = {Circle{{}, 1}, Box::of_half_size({1, 1}), Capsule{{0, -1}, {0, 1}, 1},
                                     Segment{{-1, 0}, {1, 0}}};
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      for (const float length : {1e3F, 1e12F, 1e30F, largest}) {
        const auto hit = cast(a, {}, {length, 0}, b, {{10, 0}, {}});
        ASSERT_TRUE(hit.has_value()) << length;
        EXPECT_NEAR(hit->point.x, 9.0F, 1e-6F) << length;
        EXPECT_NEAR(hit->normal.x, -1.0F, 1e-6F) << length;
        EXPECT_GT(hit->fraction, 0.0F) << length;
      }
    }
  }
}

}  // namespace
}  // namespace broadside::test::cast_late_test
