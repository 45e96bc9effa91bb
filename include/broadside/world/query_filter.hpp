#pragma once

#include "broadside/base/body_id.hpp"
#include "broadside/base/filter.hpp"
#include "broadside/contact/collide.hpp"

namespace broadside {

/// Which bodies a query is to find: as it is made, all that are enabled.
struct QueryFilter {
  Filter filter = {};  ///< as if a body with this filter asked; `wants`, `tags` and `hears` are not looked at
  bool static_bodies = true;
  bool kinematic_bodies = true;
  bool dynamic_bodies = true;
  bool sensors = true;
  BodyId except = {};  ///< leaves out one, who asks for example
};

/// A body that a ray meets, when and where.
struct BodyRayHit {
  BodyId body;
  RayHit hit;
};

/// A body that a moving shape meets, when and where.
struct BodyCastHit {
  BodyId body;
  CastHit hit;  ///< its normal points from the moving shape to the one that is met
};

/// A body near a point.
struct NearBody {
  BodyId body;
  float distance = 0.0F;  ///< 0 where the body contains the point (unit: length)
  Vec2 point;             ///< of the body, closest to the one asked for

  friend constexpr bool operator==(const NearBody& a, const NearBody& b) = default;
};

}  // namespace broadside
