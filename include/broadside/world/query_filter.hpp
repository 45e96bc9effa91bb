#pragma once

#include "broadside/base/body_id.hpp"
#include "broadside/base/filter.hpp"

namespace broadside::inline v0_2 {

/// Selects the bodies that a query finds: by default all that are enabled.
struct QueryFilter {
  Filter filter = {};  ///< of the query, as if it were a body; `wants`, `tags` and `report_tags` are ignored
  bool static_bodies = true;
  bool kinematic_bodies = true;
  bool dynamic_bodies = true;
  bool sensors = true;
  BodyId except = {};  ///< a body to leave out, such as the one that casts the ray
};

}  // namespace broadside::inline v0_2
