#pragma once

#include <vector>

#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::test {

/// A point of the world in long double.
struct TruePoint {
  long double x = 0;
  long double y = 0;
};

/// A convex shape in the world, computed differently from the library: in long double, relative to nothing,
/// and with other predicates (a crossing count, distances from segments).
struct TrueShape {
  std::vector<TruePoint> corners;
  long double radius = 0;

  /// Returns the distance from a point to the shape; 0 on it.
  [[nodiscard]] long double distance(TruePoint point) const;
  /// Returns how deep a point lies in the shape; 0 outside.
  [[nodiscard]] long double depth(TruePoint point) const;
  /// Returns the largest coordinate, to which rounding is relative.
  [[nodiscard]] long double reach() const;

 private:
  [[nodiscard]] long double distance_from_corners(TruePoint point) const;
  [[nodiscard]] bool within_corners(TruePoint point) const;
};

/// Returns a valid convex shape (no mask) in long double.
[[nodiscard]] TrueShape truth_of(const Shape& shape, const Transform& at);

/// Returns the shape in long double as convex parts: for a mask, one box for each run of set pixels in a row.
[[nodiscard]] std::vector<TrueShape> true_parts(const Shape& shape, const Transform& at);

/// Returns the distance of two convex shapes, or minus the penetration depth if they overlap.
///
/// Where all numbers are small multiples of a power of 2 and rotations are quarter turns, the sign is exact.
/// @par Source
/// S. Gottschalk, Separating axis theorem, 1996: the axes are the normals of the edges and, where these
/// separate, the lines through a corner of either.
[[nodiscard]] long double gap(const TrueShape& a, const TrueShape& b);

}  // namespace broadside::test
