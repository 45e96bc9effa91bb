#pragma once

namespace broadside::detail {

/// Whether two shapes touch, and by how much.
struct Touch {
  bool touching = false;
  double separation = 0.0;  ///< where they touch: 0 or negative (unit: length)
  double reach = 0.0;  ///< where they touch: how large the lengths were that it was made of (unit: length)
};

}  // namespace broadside::detail
