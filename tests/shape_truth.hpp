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

/// A convex shape in the world, computed another way than the library does: in long double, not relative to
/// anything, and asked with other predicates (a crossing count, distances from segments).
struct TrueShape {
  std::vector<TruePoint> corners;
  long double radius = 0;

  /// Returns how far a point is from the shape; 0 on it.
  [[nodiscard]] long double distance(TruePoint point) const;
  /// Returns how far a point is inside the shape; 0 where it is not.
  [[nodiscard]] long double depth(TruePoint point) const;
  /// Returns the largest coordinate: what rounding is measured by.
  [[nodiscard]] long double reach() const;

 private:
  [[nodiscard]] long double distance_from_corners(TruePoint point) const;
  [[nodiscard]] bool within_corners(TruePoint point) const;
};

/// Returns a valid convex shape (no mask) as it is in truth.
[[nodiscard]] TrueShape truth_of(const Shape& shape, const Transform& at);

/// Returns the shape in truth as convex parts: of a mask one box for each run of set pixels in a row.
[[nodiscard]] std::vector<TrueShape> true_parts(const Shape& shape, const Transform& at);

/// Returns the distance of two convex shapes, or how far one must move to part them, as a negative number.
///
/// Where all numbers are small multiples of a power of 2 and turns are quarter turns, the sign is exact.
/// @par Source
/// S. Gottschalk, Separating axis theorem, 1996: the axes are the normals of the edges and, where these
/// separate, the lines through a corner of either.
[[nodiscard]] long double gap(const TrueShape& a, const TrueShape& b);

}  // namespace broadside::test
