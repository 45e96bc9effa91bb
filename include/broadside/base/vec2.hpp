#pragma once

#include <cfloat>

namespace broadside {

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
};

/// Returns the dot product (unit: length squared).
constexpr float dot(Vec2 a, Vec2 b) {
  return a.x * b.x + a.y * b.y;
}

}  // namespace broadside
