#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "body/polygon_access.hpp"
#include "boxes.hpp"
#include "broadside/body/shape.hpp"
#include "random_shapes.hpp"

namespace broadside::polygon_test {
namespace {

using test::mentions;
using test::Random;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

const std::vector<Vec2> unit_square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

std::vector<Vec2> corners_of(const Polygon& polygon) {
  return {polygon.vertices().begin(), polygon.vertices().end()};
}

Polygon hull(const std::vector<Vec2>& points, float radius = 0.0F) {
  return Polygon::hull(points, radius).value();
}

// Otherwise the corners would be destroyed before the caller could read them.
template <typename P>
constexpr bool shows_corners = requires(P&& polygon) {
  std::forward<P>(polygon).vertices();
};
template <typename P>
constexpr bool shows_normals = requires(P&& polygon) {
  std::forward<P>(polygon).normals();
};
static_assert(shows_corners<Polygon&> && shows_corners<const Polygon&>);
static_assert(shows_normals<Polygon&> && shows_normals<const Polygon&>);
static_assert(!shows_corners<Polygon> && !shows_corners<const Polygon>);
static_assert(!shows_normals<Polygon> && !shows_normals<const Polygon>);

std::size_t corner_count(const Polygon& polygon) {
  return polygon.vertices().size();
}

/// Signed distance from the line a b, above 0 to the left.
long double height(Vec2 a, Vec2 b, Vec2 p) {
  const long double x = static_cast<long double>(b.x) - a.x;
  const long double y = static_cast<long double>(b.y) - a.y;
  return (x * (static_cast<long double>(p.y) - a.y) - y * (static_cast<long double>(p.x) - a.x)) /
         std::hypot(x, y);
}

TEST(Polygon, is_the_hull_from_the_lowest_of_the_leftmost_against_the_clock) {
  EXPECT_EQ(corners_of(hull({{1, 1}, {0, 1}, {1, 0}, {0, 0}})), unit_square);
  EXPECT_EQ(hull(unit_square).radius(), 0.0F);
  EXPECT_EQ(hull(unit_square, 0.25F).radius(), 0.25F);
}

TEST(Polygon, leaves_out_points_inside_on_edges_and_given_twice) {
  const Polygon square =
      hull({{0.5F, 0.5F}, {0, 0}, {1, 0}, {0.5F, 0}, {1, 1}, {0, 1}, {0, 0}, {0, 0.25F}, {1, 1}});
  EXPECT_EQ(corners_of(square), unit_square);
}

TEST(Polygon, leaves_out_corners_that_bend_by_no_more_than_rounding) {
  // Points on a slanted line, each rounded to floats, and one corner across.
  std::vector<Vec2> points = {{0.0F, 10.0F}};
  for (int i = 0; i <= 30; ++i) {
    const float x = 0.1F * static_cast<float>(i);
    points.push_back({x, x / 3.0F});
  }
  EXPECT_EQ(corner_count(hull(points)), 3U);
  // A bend of a thousand times the rounding is a corner.
  EXPECT_EQ(corner_count(hull({{0, 0}, {1, -0x1p-14F}, {2, 0}, {1, 2}})), 4U);
}

// Each corner of this arc bends by less than rounding, but all of them together do not.
TEST(Polygon, keeps_to_its_points_where_many_corners_bend_a_little) {
  std::vector<Vec2> points = {{10.0F, 1000.0F}};
  for (int i = 0; i <= 20; ++i) {
    points.push_back({static_cast<float>(i), -5e-5F * static_cast<float>(i * (20 - i))});
  }
  const Polygon polygon = hull(points);
  EXPECT_LT(polygon.vertices().size(), points.size());
  for (std::size_t i = 0; i < polygon.vertices().size(); ++i) {
    const Vec2 next = polygon.vertices()[(i + 1) % polygon.vertices().size()];
    for (const Vec2 point : points) {
      EXPECT_GT(height(polygon.vertices()[i], next, point), -7e-5L);
    }
  }
}

// The corner where the search for flat ones begins is flat, and so are both of its neighbors.
TEST(Polygon, keeps_to_its_points_where_the_first_corner_bends_a_little) {
  std::vector<Vec2> points = {{1000.0F, 10.0F}};
  for (int i = 0; i <= 20; ++i) {
    points.push_back({-5e-5F * static_cast<float>(i * (20 - i)), static_cast<float>(i)});
  }
  const Polygon polygon = hull(points);
  for (std::size_t i = 0; i < polygon.vertices().size(); ++i) {
    const Vec2 next = polygon.vertices()[(i + 1) % polygon.vertices().size()];
    for (const Vec2 point : points) {
      EXPECT_GT(height(polygon.vertices()[i], next, point), -7e-5L);
    }
  }
}

/// Returns how far a point lies outside a polygon; 0 within it.
long double distance_outside(const Polygon& polygon, Vec2 point) {
  const auto corners = polygon.vertices();
  bool is_outside = false;
  long double nearest = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 from = corners[i];
    const Vec2 to = corners[(i + 1) % corners.size()];
    is_outside = is_outside || height(from, to, point) < 0;
    const long double x = static_cast<long double>(to.x) - from.x;
    const long double y = static_cast<long double>(to.y) - from.y;
    const long double px = static_cast<long double>(point.x) - from.x;
    const long double py = static_cast<long double>(point.y) - from.y;
    const long double along = std::clamp((px * x + py * y) / (x * x + y * y), 0.0L, 1.0L);
    nearest = std::min(nearest, std::hypot(px - along * x, py - along * y));
  }
  return is_outside ? nearest : 0;
}

// Needles: blunt or sharp at both ends, of any length, thickness, direction and place.
TEST(Polygon, keeps_the_tips_of_needles) {
  test::Random random(20);
  int kept = 0;
  for (int round = 0; round < 20'000; ++round) {
    const float length = std::ldexp(1.0F + random.unit(), static_cast<int>(random.below(21)));
    const float thickness = length * std::ldexp(1.0F, -static_cast<int>(random.below(26)));
    const Rotation turn = random.below(3) == 0 ? Rotation{} : Rotation::by(random.between(-3.2F, 3.2F));
    const Vec2 place{random.between(-2, 2) * length, random.between(-2, 2) * length};
    std::vector<Vec2> points;
    for (std::uint32_t i = 3 + random.below(4); i > 0; --i) {
      const float near_tip = std::ldexp(random.unit(), -static_cast<int>(random.below(20)));
      const float along = random.below(2) == 0 ? length * near_tip : length * (1.0F - near_tip);
      const float across = thickness * random.between(-1, 1);
      points.push_back(Vec2{turn.cos * along - turn.sin * across, turn.sin * along + turn.cos * across} +
                       place);
    }
    const auto polygon = Polygon::hull(points);
    if (!polygon.has_value()) {
      continue;
    }
    ++kept;
    float largest = 0.0F;
    for (const Vec2 point : points) {
      largest = std::max({largest, std::abs(point.x), std::abs(point.y)});
    }
    for (const Vec2 point : points) {
      EXPECT_LE(distance_outside(*polygon, point), 0x1p-23L * static_cast<long double>(largest))
          << round << ": (" << point.x << ", " << point.y << ")";
    }
  }
  EXPECT_GT(kept, 10'000);
}

TEST(Polygon, has_outward_unit_normals) {
  const Polygon square = hull(unit_square);
  const std::vector<Vec2> normals(square.normals().begin(), square.normals().end());
  EXPECT_EQ(normals, (std::vector<Vec2>{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}));
  for (const Vec2 normal : normals) {
    EXPECT_FALSE(std::signbit(normal.x) && normal.x == 0.0F);
    EXPECT_FALSE(std::signbit(normal.y) && normal.y == 0.0F);
  }
}

TEST(Polygon, takes_sixteen_corners_and_refuses_seventeen) {
  const auto on_circle = [](int n) {
    std::vector<Vec2> points;
    for (int i = 0; i < n; ++i) {
      const Rotation r = Rotation::by(6.2831853F * static_cast<float>(i) / static_cast<float>(n));
      points.push_back({r.cos, r.sin});
    }
    return points;
  };
  EXPECT_EQ(corner_count(hull(on_circle(16))), 16U);
  const auto refused = Polygon::hull(on_circle(17));
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_TRUE(mentions(refused.error().message, "17 corners")) << refused.error().message;
}

TEST(Polygon, refuses_points_that_span_no_area) {
  const std::vector<std::vector<Vec2>> flat = {{},
                                               {{1, 1}},
                                               {{1, 1}, {2, 2}},
                                               {{1, 1}, {1, 1}, {1, 1}, {1, 1}},
                                               {{0, 0}, {1, 1}, {2, 2}, {-5, -5}},
                                               {{0.1F, 0.1F}, {0.2F, 0.2F}, {0.3F, 0.3F}},
                                               {{0, 0}, {1e30F, 0}, {5e29F, 1.0F}},
                                               {{1e6F, 1e6F}, {1e6F + 1, 1e6F}, {1e6F + 2, 1e6F}}};
  for (const auto& points : flat) {
    const auto refused = Polygon::hull(points);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument) << points.size();
    EXPECT_TRUE(mentions(refused.error().message, "no area")) << refused.error().message;
  }
}

TEST(Polygon, refuses_bad_numbers_and_names_them) {
  for (const float bad : {nan, infinity, -infinity}) {
    for (std::size_t i = 0; i < 4; ++i) {
      auto points = unit_square;
      points[i].x = bad;
      const auto on_x = Polygon::hull(points);
      EXPECT_EQ(on_x.error().code, ErrorCode::not_finite);
      EXPECT_TRUE(mentions(on_x.error().message, "point " + std::to_string(i))) << on_x.error().message;
      points = unit_square;
      points[i].y = bad;
      EXPECT_EQ(Polygon::hull(points).error().code, ErrorCode::not_finite);
    }
    EXPECT_EQ(Polygon::hull(unit_square, bad).error().code, ErrorCode::not_finite);
  }
  const auto negative = Polygon::hull(unit_square, -1.0F);
  EXPECT_EQ(negative.error().code, ErrorCode::invalid_argument);
  EXPECT_TRUE(mentions(negative.error().message, "radius")) << negative.error().message;
}

TEST(Polygon, takes_needles_and_every_size) {
  EXPECT_EQ(corner_count(hull({{0, 0}, {1, 0}, {0.5F, 1e-6F}})), 3U) << "a needle";
  EXPECT_EQ(corner_count(hull({{0, 0}, {1e-45F, 0}, {0, 1e-45F}})), 3U) << "the smallest numbers";
  const float most = std::numeric_limits<float>::max();
  const Polygon largest = hull({{-most, -most}, {most, -most}, {most, most}, {-most, most}}, most);
  EXPECT_EQ(largest.vertices().size(), 4U);
  EXPECT_EQ(largest.normals()[0], (Vec2{0, -1}));
}

TEST(Polygon, is_equal_by_corners_and_radius) {
  const Polygon square = hull(unit_square);
  EXPECT_EQ(square, hull({{1, 1}, {0, 0}, {0, 1}, {1, 0}, {0.5F, 0.5F}}));
  EXPECT_EQ(square, hull({{1, 1}, {-0.0F, -0.0F}, {-0.0F, 1}, {1, 0}}));
  const Polygon signed_zeros = hull({{1, 1}, {-0.0F, -0.0F}, {-0.0F, 1}, {1, -0.0F}});
  for (const Vec2 corner : signed_zeros.vertices()) {
    EXPECT_FALSE(std::signbit(corner.x) || std::signbit(corner.y));
  }
  EXPECT_NE(square, hull(unit_square, 1.0F));
  EXPECT_NE(square, hull({{0, 0}, {1, 0}, {1, 1}, {0, 2}}));
  EXPECT_NE(square, hull({{0, 0}, {1, 0}, {1, 1}}));
}

TEST(Polygon, copies_share_their_corners) {
  const Polygon square = hull(unit_square);
  const Polygon copy = square;
  EXPECT_EQ(copy.vertices().data(), square.vertices().data());
  EXPECT_EQ(copy, square);
}

/// A cloud of points whose hull is valid. Half of the clouds are on a coarse lattice.
std::vector<Vec2> random_cloud(Random& random) {
  for (;;) {
    const std::uint32_t n = 3 + random.below(30);
    const bool lattice = random.below(2) == 0;
    std::vector<Vec2> points;
    for (std::uint32_t i = 0; i < n; ++i) {
      const float x = lattice ? static_cast<float>(random.below(7)) : random.between(-3.0F, 3.0F);
      const float y = lattice ? static_cast<float>(random.below(7)) : random.between(-3.0F, 3.0F);
      points.push_back({x, y});
    }
    if (Polygon::hull(points).has_value()) {
      return points;
    }
  }
}

RC_GTEST_PROP(PolygonOfRandomPoints, holds_them_all_and_turns_left_at_every_corner, (std::uint64_t seed)) {
  Random random(seed);
  const std::vector<Vec2> points = random_cloud(random);
  const Polygon polygon = hull(points);
  const auto corners = polygon.vertices();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 a = corners[i];
    const Vec2 b = corners[(i + 1) % corners.size()];
    RC_ASSERT(height(a, b, corners[(i + 2) % corners.size()]) > 0);
    RC_ASSERT(std::count(points.begin(), points.end(), a) > 0);
    for (const Vec2 point : points) {
      RC_ASSERT(height(a, b, point) > -1e-6L);
    }
    const Vec2 normal = polygon.normals()[i];
    RC_ASSERT(std::fabs(std::hypot(normal.x, normal.y) - 1.0F) < 1e-6F);
    RC_ASSERT(std::fabs(dot(normal, b - a)) < 1e-5F);
    RC_ASSERT(dot(normal, corners[(i + 2) % corners.size()] - b) < 0.0F);
  }
}

RC_GTEST_PROP(PolygonOfRandomPoints, does_not_depend_on_their_order, (std::uint64_t seed)) {
  Random random(seed);
  std::vector<Vec2> points = random_cloud(random);
  const Polygon polygon = hull(points);
  shuffle(points, random);
  RC_ASSERT(hull(points) == polygon);
  RC_ASSERT(hull(corners_of(polygon)) == polygon);
}

RC_GTEST_PROP(PolygonOfRandomPoints, turns_and_grows_with_them, (std::uint64_t seed)) {
  Random random(seed);
  const std::vector<Vec2> points = random_cloud(random);
  const auto same_after = [&](auto change) {
    std::vector<Vec2> changed = points;
    std::vector<Vec2> expected = corners_of(hull(points));
    std::transform(changed.begin(), changed.end(), changed.begin(), change);
    std::transform(expected.begin(), expected.end(), expected.begin(), change);
    return hull(changed) == hull(expected) && corner_count(hull(changed)) == expected.size();
  };
  RC_ASSERT(same_after([](Vec2 p) { return Vec2{-p.y, p.x}; }));
  RC_ASSERT(same_after([](Vec2 p) { return Vec2{-p.x, -p.y}; }));
  RC_ASSERT(same_after([](Vec2 p) { return Vec2{-p.x, p.y}; }));
  RC_ASSERT(same_after([](Vec2 p) { return 0x1p90F * p; }));
  RC_ASSERT(same_after([](Vec2 p) { return 0x1p-90F * p; }));
}

RC_GTEST_PROP(PolygonOfRandomPoints, has_the_lengths_that_fast_paths_read, (std::uint64_t seed)) {
  Random random(seed);
  const Shape shape = test::random_shape(test::Family::ordinary, 4, random);
  const auto* polygon = std::get_if<Polygon>(&shape);
  RC_PRE(polygon != nullptr);
  const auto& data = detail::PolygonAccess::data(*polygon);
  const std::vector<Vec2> corners = corners_of(*polygon);
  double shortest = std::numeric_limits<double>::infinity();
  double reach = 0.0;
  double extent = 0.0;
  float largest = 0.0F;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 corner = corners[i];
    const Vec2 next = corners[(i + 1) % corners.size()];
    const auto length = [](Vec2 from, Vec2 to) {
      return std::hypot(static_cast<double>(to.x) - from.x, static_cast<double>(to.y) - from.y);
    };
    const auto along_axes = [](Vec2 from, Vec2 to) {
      return std::fabs(static_cast<double>(to.x) - from.x) + std::fabs(static_cast<double>(to.y) - from.y);
    };
    shortest = std::min(shortest, length(corner, next));
    reach = std::max(reach, along_axes({}, corner));
    extent = std::max(extent, along_axes(corners[0], corner));
    largest = std::max({largest, std::fabs(corner.x), std::fabs(corner.y)});
    RC_ASSERT(std::fabs(data.inverse_length[i] * length(corner, next) - 1.0) < 1e-14);
  }
  RC_ASSERT(std::fabs(data.shortest - shortest) <= 1e-14 * shortest);
  RC_ASSERT(data.reach == reach);
  RC_ASSERT(data.extent == extent);
  RC_ASSERT(data.largest == largest);
}

}  // namespace
}  // namespace broadside::polygon_test
