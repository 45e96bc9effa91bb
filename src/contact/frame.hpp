#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "body/convex.hpp"

namespace broadside::detail {

// Shapes in a frame of their own: a point is turned back into it instead of all corners out of it.

/// Returns a point of a shape (local) relative to the position of its transform. Most often it is the origin:
/// all bits 0.
inline Point turned(const Vec2& local, const Rotation& rotation) {
  return std::bit_cast<std::uint64_t>(local) == 0 ? Point{} : rotate(rotation, to_point(local));
}

/// Where the frame of a shape stands. Its axis has a length near 1 only: lengths in the frame are those of
/// the world times that length, and corners (local) are to be multiplied by its square.
struct Frame {
  Point axis;
  Point center;  ///< relative to the position of the transform (world)

  [[nodiscard]] Point to_frame(Point way) const { return {dot(axis, way), cross(axis, way)}; }
  /// Returns a direction in the world, times the length of the axis.
  [[nodiscard]] Point to_world(Point way) const {
    return {way.x * axis.x - way.y * axis.y, way.x * axis.y + way.y * axis.x};
  }
};

/// Returns the signs that mirror a box so that a way comes against its right and its upper face. A way of -0
/// is one of 0: the same both ways round.
inline Point mirror_against(Point way) {
  return {std::copysign(1.0, 0.0 - way.x), std::copysign(1.0, 0.0 - way.y)};
}

template <typename S>
Frame frame_of(const S& /*shape*/, const Rotation& rotation) {
  return {{static_cast<double>(rotation.cos), static_cast<double>(rotation.sin)}, {}};
}

inline Frame frame_of(const Box& box, const Rotation& rotation) {
  const Point own{static_cast<double>(box.rotation.cos), static_cast<double>(box.rotation.sin)};
  return {rotate(rotation, own), turned(box.center, rotation)};
}

template <typename S>
double radius_of(const S& shape) {
  if constexpr (std::is_same_v<S, Circle> || std::is_same_v<S, Capsule>) {
    return static_cast<double>(shape.radius);
  } else if constexpr (std::is_same_v<S, Polygon>) {
    return static_cast<double>(shape.radius());
  } else {
    return 0.0;
  }
}

}  // namespace broadside::detail
