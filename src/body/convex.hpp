#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "base/point.hpp"
#include "broadside/body/shape.hpp"

namespace broadside::inline v0_2::detail {

constexpr Point rotate(Rotation rotation, Point p) {
  const auto c = static_cast<double>(rotation.cos);
  const auto s = static_cast<double>(rotation.sin);
  return {c * p.x - s * p.y, s * p.x + c * p.y};
}

/// The common form of all shapes except masks: the hull of a few points, its *core*, rounded by a radius.
///
///     1 point: circle      2 points: segment, capsule      3 to 16 points: box, polygon
///
/// Points are counter-clockwise, in the world relative to an anchor, so that no precision is lost far from
/// the origin. Neighbors are never equal: a capsule of length 0 is placed as one point, a box of width 0 as
/// two. An invalid shape, or a shape with an invalid transform, has no points and touches nothing.
struct Convex {
  Convex() {}  // NOLINT(modernize-use-equals-default): the union would delete a defaulted constructor

  // In a union, since this leaves them uninitialized: clearing all points takes longer than placing a few.
  union {
    std::array<Point, Polygon::max_vertices> points;
  };
  std::size_t size = 0;
  double radius = 0.0;
  double reach = 0.0;   ///< upper bound of |point - anchor| + radius, for all points; 0 if unknown
  double extent = 0.0;  ///< rough diameter, accurate to a factor of 3; 0 if unknown
  /// Whether all numbers are known to be finite, and no angle at a corner can be a mere rounding error.
  bool is_well_conditioned = false;
  bool is_rectangle = false;  ///< 4 points, opposite edges parallel to within rounding
  // Set if the points are all corners of a polygon, in their order.
  const double* inverse_length = nullptr;  ///< 1 / length of each edge of the polygon; null if there is none
  double inverse_stretch = 1.0;            ///< 1 / length of the rotation
};

/// Upper bound of the factor by which a rotation lengthens |x| + |y|: the square root of 2, and the tolerance
/// of `is_unit`.
inline constexpr double max_rotation_stretch = 1.5;

/// Returns the index of the corner after another; after the last comes the first.
inline std::size_t next(const Convex& core, std::size_t index) {
  return index + 1 == core.size ? 0 : index + 1;
}

/// Returns the index of the corner before another; before the first comes the last.
inline std::size_t previous(const Convex& core, std::size_t index) {
  return index == 0 ? core.size - 1 : index - 1;
}

/// Removes the corners that are equal to the one before.
inline void merge_equal_corners(Convex& core) {
  Point* begin = core.points.data();
  core.size = static_cast<std::size_t>(std::unique(begin, begin + core.size) - begin);
  core.size -= core.size > 1 && core.points[core.size - 1] == core.points[0] ? 1 : 0;
}

/// Tells whether no number is NaN or infinite.
template <typename... Numbers>
bool all_finite(Numbers... numbers) {
  return (... + (0.0 * static_cast<double>(numbers))) == 0.0;  // NaN where a number is NaN or infinite
}

/// Tells whether a rotation has length 1, to within the rounding errors that a caller may accumulate.
inline bool is_unit(Rotation rotation) {
  const auto c = static_cast<double>(rotation.cos);
  const auto s = static_cast<double>(rotation.sin);
  const double length2 = c * c + s * s;
  return length2 >= 0.99 && length2 <= 1.01;  // false for NaN
}

/// Tells whether a rotation is by a multiple of a right angle: then rotating is exact.
inline bool is_quarter_turn(Rotation rotation) {
  const float c = std::fabs(rotation.cos);
  const float s = std::fabs(rotation.sin);
  return ((c == 0.0F) & (s == 1.0F)) | ((s == 0.0F) & (c == 1.0F));
}

// The checks of `validate`, without a message, and the same for transforms.
inline bool is_valid(const Circle& shape) {
  return all_finite(shape.center.x, shape.center.y, shape.radius) && shape.radius >= 0.0F;
}
inline bool is_valid(const Box& shape) {
  return all_finite(shape.center.x, shape.center.y, shape.half_size.x, shape.half_size.y) &&
         shape.half_size.x >= 0.0F && shape.half_size.y >= 0.0F && is_unit(shape.rotation);
}
inline bool is_valid(const Capsule& shape) {
  return all_finite(shape.a.x, shape.a.y, shape.b.x, shape.b.y, shape.radius) && shape.radius >= 0.0F;
}
inline bool is_valid(const Segment& shape) {
  return all_finite(shape.a.x, shape.a.y, shape.b.x, shape.b.y);
}
inline bool is_valid(const Polygon&) {
  return true;
}
inline bool is_valid(const Transform& transform) {
  return all_finite(transform.position.x, transform.position.y) && is_unit(transform.rotation);
}

/// True for all shapes except masks.
template <typename S>
inline constexpr bool is_convex = !std::is_same_v<S, Mask>;

/// Places a shape relative to `anchor` (world; unit: length). A mask has no core: leaves `placed` empty.
/// @pre `placed` is newly constructed
void place(const Shape& shape, const Transform& transform, Point anchor, Convex& placed);

/// Tells whether a point lies within `radius` of the hull of the points; ignores the shape's own radius.
[[nodiscard]] bool contains(const Convex& shape, Point point, double radius);

}  // namespace broadside::inline v0_2::detail
