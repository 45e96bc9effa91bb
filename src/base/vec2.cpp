#include "broadside/base/vec2.hpp"

#include <cmath>

#include "base/to_vec2.hpp"

namespace broadside::inline v0_2 {

// Squares of floats neither overflow nor underflow in double.
float length(Vec2 v) {
  return detail::to_number(length(detail::to_point(v)));
}

Vec2 normalized(Vec2 v) {
  const detail::Point p = detail::to_point(v);
  const double size = length(p);
  return size > 0.0 && std::isfinite(size) ? detail::to_direction((1.0 / size) * p) : Vec2{};
}

}  // namespace broadside::inline v0_2
