#include "body/convex.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "random_shapes.hpp"
#include "shape_truth.hpp"

namespace broadside::test::convex_test {
namespace {

long double length_of(TruePoint way) {
  return std::hypot(way.x, way.y);
}

/// Returns the largest distance of two points of a shape.
long double diameter_of(const TrueShape& shape) {
  long double most = 0;
  for (const TruePoint p : shape.corners) {
    for (const TruePoint q : shape.corners) {
      most = std::max(most, length_of({q.x - p.x, q.y - p.y}));
    }
  }
  return most + 2 * shape.radius;
}

/// Returns how far a shape reaches from a point.
long double farthest_from(TruePoint point, const TrueShape& shape) {
  long double most = 0;
  for (const TruePoint p : shape.corners) {
    most = std::max(most, length_of({p.x - point.x, p.y - point.y}));
  }
  return most + shape.radius;
}

detail::Convex placed_around(Vec2 anchor, const Standing& standing) {
  detail::Convex placed;
  detail::place(standing.shape, standing.at, detail::to_point(anchor), placed);
  return placed;
}

// Margins for rounding are computed from both numbers: if these are too small, a touch within rounding counts
// as certain.
TEST(Convex, knows_its_reach_and_its_size) {
  constexpr double rounding = 1e-6;  // includes that of a rotation in float
  Random random(31);
  for (const Family family : families) {
    for (int round = 0; round < 1000; ++round) {
      const Standing standing = random_standing(family, random);
      const Vec2 anchor =
          random.below(4) == 0 ? standing.at.position : random_transform(family, random).position;
      const detail::Convex placed = placed_around(anchor, standing);
      ASSERT_TRUE(placed.is_well_conditioned) << to_text(standing);
      const TrueShape truth = truth_of(standing.shape, standing.at);
      const TruePoint around{anchor.x, anchor.y};
      const TruePoint position{standing.at.position.x, standing.at.position.y};
      const auto reach = static_cast<double>(farthest_from(around, truth));
      const auto lengths = static_cast<double>(length_of({position.x - around.x, position.y - around.y}) +
                                               farthest_from(position, truth));
      const auto diameter = static_cast<double>(diameter_of(truth));
      ASSERT_GE(placed.reach, reach * (1.0 - rounding)) << to_text(standing);
      ASSERT_LE(placed.reach, 4.0 * lengths) << to_text(standing);
      ASSERT_GE(3.0 * placed.extent, diameter * (1.0 - rounding)) << to_text(standing);
      ASSERT_LE(placed.extent, 3.0 * diameter * (1.0 + rounding)) << to_text(standing);
    }
  }
}

}  // namespace
}  // namespace broadside::test::convex_test
