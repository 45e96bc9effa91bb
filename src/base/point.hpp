#pragma once

#include <algorithm>
#include <cmath>

#include "broadside/base/vec2.hpp"

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error \
    "broadside: compile the library without -ffast-math and -ffinite-math-only, which let the compiler assume that NaN does not occur"
#endif

namespace broadside::inline v0_2::detail {

/// A point or displacement in double: products of two floats are exact in it.
struct Point {
  double x = 0.0;
  double y = 0.0;

  friend constexpr bool operator==(Point a, Point b) = default;
  friend constexpr Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr Point operator*(double s, Point p) { return {s * p.x, s * p.y}; }
};

constexpr double dot(Point a, Point b) {
  return a.x * b.x + a.y * b.y;
}

constexpr double cross(Point a, Point b) {
  return a.x * b.y - a.y * b.x;
}

constexpr Point to_point(Vec2 v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y)};
}

inline double length(Point p) {
  return std::sqrt(dot(p, p));
}

/// Returns the larger of |x| and |y|. @pre neither is NaN
inline double largest_side(Point p) {
  return std::max(std::fabs(p.x), std::fabs(p.y));
}

/// Returns the length along the axes (Manhattan length): the Euclidean length, or up to 1.42 times that.
inline double length_along_axes(Point p) {
  return std::fabs(p.x) + std::fabs(p.y);
}

}  // namespace broadside::inline v0_2::detail
