#pragma once

#include "broadside/base/body_id.hpp"
#include "broadside/base/filter.hpp"
#include "broadside/contact/collide.hpp"

namespace broadside {

/// Selects the bodies that a query finds: by default all that are enabled.
struct QueryFilter {
  Filter filter = {};  ///< of the query, as if it were a body; `wants`, `tags` and `report_tags` are ignored
  bool static_bodies = true;
  bool kinematic_bodies = true;
  bool dynamic_bodies = true;
  bool sensors = true;
  BodyId except = {};  ///< a body to leave out, such as the one that casts the ray
};

/// A body that a ray hits, with time and point.
struct BodyRayHit {
  BodyId body;
  RayHit hit;
};

/// A body that a moving shape hits, with time and point.
struct BodyCastHit {
  BodyId body;
  CastHit hit;  ///< its normal points from the moving shape to the body
};

/// A body near a point.
struct NearBody {
  BodyId body;
  float distance = 0.0F;  ///< 0 where the body contains the point (unit: length)
  Vec2 point;             ///< of the body, closest to the given point (world; unit: length)

  friend constexpr bool operator==(const NearBody& a, const NearBody& b) = default;
};

}  // namespace broadside
