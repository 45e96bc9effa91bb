#pragma once

#include "base/convex.hpp"
#include "base/rounding.hpp"

namespace broadside::detail {

/// Rounds to the nearest float. 0 comes out without a sign, so that an answer turned round twice is the same
/// bits.
inline float to_number(double value) {
  return to_float(value) + 0.0F;
}

inline Vec2 to_vec2(Point p) {
  return {to_number(p.x), to_number(p.y)};
}

}  // namespace broadside::detail
