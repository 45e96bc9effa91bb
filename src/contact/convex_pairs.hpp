#pragma once

#include <optional>

#include "base/convex.hpp"
#include "broadside/contact/collide.hpp"

namespace broadside::detail {

// The narrow phase between two convex shapes, by how many points they have (1, 2 or more). Points and positions
// are relative to the same anchor; who calls adds it and rounds to float.

struct ConvexPoint {
  Point position;
  double separation = 0.0;
  std::uint32_t feature = 0;
};

struct ConvexManifold {
  Point normal;  ///< from a to b
  std::array<ConvexPoint, 2> points;
  std::uint32_t size = 0;
};

struct ConvexDistance {
  double distance = 0.0;
  Point point_a;
  Point point_b;
  Point normal;  ///< from a to b
};

struct ConvexHit {
  double time = 0.0;
  Point normal;  ///< from a to b; of a ray, outward
  Point point;
};

[[nodiscard]] bool overlaps(const Convex& a, const Convex& b);
[[nodiscard]] ConvexManifold collide(const Convex& a, const Convex& b);
[[nodiscard]] ConvexDistance distance(const Convex& a, const Convex& b);
[[nodiscard]] std::optional<ConvexHit> cast(const Convex& a, Point motion, const Convex& b);
[[nodiscard]] std::optional<ConvexHit> cast_ray(Point start, Point way, const Convex& shape);

}  // namespace broadside::detail
