#pragma once

#include <vector>

#include "broadside/body/shape.hpp"

namespace broadside::test {

// Time of impact of two moving shapes, in long double and without the library's code: for each pair of convex
// parts, the Minkowski difference is built, and the relative motion is the path of a point past it.

using Real = long double;

struct RealVec {
  Real x = 0;
  Real y = 0;

  friend RealVec operator+(RealVec a, RealVec b) { return {a.x + b.x, a.y + b.y}; }
  friend RealVec operator-(RealVec a, RealVec b) { return {a.x - b.x, a.y - b.y}; }
  friend RealVec operator*(Real s, RealVec v) { return {s * v.x, s * v.y}; }
};

inline RealVec to_real(Vec2 v) {
  return {static_cast<Real>(v.x), static_cast<Real>(v.y)};
}

/// The least separation of two moving shapes, and the time at which they first touch.
struct Meeting {
  Real start = 0;  ///< separation at the start of the path; negative inside (unit: length)
  Real least = 0;  ///< least separation on the path (unit: length)
  Real time = 2;   ///< share of the path at which the separation is first 0; above 1 if it never is
};

/// Two shapes with fixed rotations, at any relative position.
class SweepReference {
 public:
  SweepReference(const Shape& a, Rotation turned_a, const Shape& b, Rotation turned_b);

  /// Returns the separation of the shapes, negative if they overlap.
  /// @param offset position of a minus position of b (unit: length)
  [[nodiscard]] Real separation(RealVec offset) const;
  /// Returns how the shapes meet while the offset moves linearly from `from` to `to`.
  ///
  /// The separation from a convex part is a convex function of time: a golden-section search finds the least,
  /// and bisection the first 0 before it.
  [[nodiscard]] Meeting meet(RealVec from, RealVec to) const;

 private:
  struct Difference {
    std::vector<RealVec> corners;  ///< counter-clockwise hull
    std::vector<RealVec> normals;  ///< outward unit normals of the edges
    RealVec center;
    Real reach = 0;   ///< largest distance of a corner from the center
    Real radius = 0;  ///< rounding radius around the hull

    [[nodiscard]] Real separation(RealVec p) const;
    void meet(RealVec from, RealVec to, Meeting& first) const;
  };

  std::vector<Difference> differences_;
};

}  // namespace broadside::test
