#pragma once

#include <cfloat>

#include "broadside/base/export.h"

namespace broadside::inline v0_2 {

// Intermediate results of higher precision (x87) would make answers differ between machines and calls.
static_assert(FLT_EVAL_METHOD == 0,
              "broadside needs floats to be computed as floats: compile with -msse2 -mfpmath=sse");

/// A point or a displacement in the plane (unit: length). The y axis may point up or down.
struct Vec2 {
  float x = 0.0F;
  float y = 0.0F;

  friend constexpr bool operator==(Vec2 a, Vec2 b) = default;
  friend constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
  /// Returns the negated vector; a 0 becomes 0, not -0.
  friend constexpr Vec2 operator-(Vec2 v) { return {0.0F - v.x, 0.0F - v.y}; }
  friend constexpr Vec2 operator*(float s, Vec2 v) { return {s * v.x, s * v.y}; }
  friend constexpr Vec2 operator*(Vec2 v, float s) { return {s * v.x, s * v.y}; }
  friend constexpr Vec2 operator/(Vec2 v, float s) { return {v.x / s, v.y / s}; }
  constexpr Vec2& operator+=(Vec2 v) { return *this = *this + v; }
  constexpr Vec2& operator-=(Vec2 v) { return *this = *this - v; }
  constexpr Vec2& operator*=(float s) { return *this = s * *this; }
  constexpr Vec2& operator/=(float s) { return *this = *this / s; }
};

/// Returns the dot product (unit: length squared).
constexpr float dot(Vec2 a, Vec2 b) {
  return a.x * b.x + a.y * b.y;
}

/// Returns the cross product a.x b.y - a.y b.x (unit: length squared). Where y points up, it is above 0 if b
/// is counter-clockwise from a, by less than half a turn.
constexpr float cross(Vec2 a, Vec2 b) {
  return a.x * b.y - a.y * b.x;
}

/// Returns the length, accurate to within one unit in the last place; at most the largest float; NaN if a
/// coordinate is NaN.
[[nodiscard]] BROADSIDE_API float length(Vec2 v);

/// Returns the unit vector with the same direction, accurate to within one unit in the last place. A vector
/// that is zero or not finite has none: the result is zero.
[[nodiscard]] BROADSIDE_API Vec2 normalized(Vec2 v);

}  // namespace broadside::inline v0_2
