#include "broadside/base/vec2.hpp"

#include <cmath>

#include "base/to_vec2.hpp"

namespace broadside {

// Squares of floats neither overflow nor underflow in double.
float length(Vec2 v) {
  const detail::Point p = detail::to_point(v);
  return detail::to_number(std::sqrt(dot(p, p)));
}

Vec2 normalized(Vec2 v) {
  const detail::Point p = detail::to_point(v);
  const double length = std::sqrt(dot(p, p));
  return length > 0.0 && std::isfinite(length) ? detail::to_direction((1.0 / length) * p) : Vec2{};
}

}  // namespace broadside
