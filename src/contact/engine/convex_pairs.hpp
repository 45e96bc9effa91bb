#pragma once

#include <optional>

#include "body/convex.hpp"
#include "contact/touch.hpp"

namespace broadside::inline v0_2::detail {

// The narrow phase between two convex shapes. Points and positions are relative to a common anchor; callers
// add it and round to float.

struct ConvexPoint {
  Point position;
  double separation = 0.0;
  std::uint32_t feature = 0;
};

struct ConvexManifold {
  Point normal;  ///< from a to b
  std::array<ConvexPoint, 2> points;
  std::uint32_t size = 0;
  double deepest = 0.0;  ///< separation of the deepest points, whether or not in `points`; 0 or negative
};

struct ConvexDistance {
  double distance = 0.0;
  Point point_a;
  Point point_b;
  Point normal;                     ///< from a to b
  bool has_contact_normal = false;  ///< they touch, and the normal is that of `collide`
  double deepest = 0.0;             ///< if they touch: as in ConvexManifold
};

struct ConvexHit {
  double time = 0.0;
  Point normal;  ///< from a to b; for a ray, outward
  Point point;
};

// These functions agree on which shapes touch. A shape with a number that is not finite touches nothing.
[[nodiscard]] ConvexManifold collide(const Convex& a, const Convex& b);
[[nodiscard]] ConvexDistance distance(const Convex& a, const Convex& b);
/// Moves a along `motion` to where it first touches b. Shapes within rounding of each other hit at time 0,
/// whether or not they touch: if they do not, callers drop the hit unless the motion is along the normal.
/// @param distance_at_start set to a lower bound of the distance at the start, or to 0 if that is not known
[[nodiscard]] std::optional<ConvexHit> cast(const Convex& a, Point motion, const Convex& b,
                                            double& distance_at_start);
[[nodiscard]] std::optional<ConvexHit> cast_ray(Point start, Point motion, const Convex& shape);

}  // namespace broadside::inline v0_2::detail
