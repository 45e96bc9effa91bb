#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "body/convex.hpp"
#include "broadside/base/bit_cast.hpp"

namespace broadside::inline v0_2::detail {

// Shapes in their local frames: rotating one point into the frame is cheaper than rotating all corners out of
// it.

/// Rotates a local point: its position relative to that of the transform. The origin, the most frequent case
/// (all bits 0), needs no arithmetic.
inline Point rotated(const Vec2& local, const Rotation& rotation) {
  return detail::bit_cast<std::uint64_t>(local) == 0 ? Point{} : rotate(rotation, to_point(local));
}

/// The local frame of a shape. Its axis has only roughly length 1: lengths in the frame are scaled by the
/// length of the axis, and local corners have to be multiplied by its square.
struct Frame {
  Point axis;
  Point center;  ///< relative to the position of the transform (world)

  [[nodiscard]] Point to_frame(Point vector) const { return {dot(axis, vector), cross(axis, vector)}; }
  /// Returns a direction in the world, scaled by the length of the axis.
  [[nodiscard]] Point to_world(Point vector) const {
    return {vector.x * axis.x - vector.y * axis.y, vector.x * axis.y + vector.y * axis.x};
  }
};

/// Returns the signs that mirror a frame so that a direction points against the right and the upper face of a
/// box. 0 and -0 give the same sign.
inline Point mirror_against(Point direction) {
  return {std::copysign(1.0, 0.0 - direction.x), std::copysign(1.0, 0.0 - direction.y)};
}

template <typename S>
Frame frame_of(const S& /*shape*/, const Rotation& rotation) {
  return {{static_cast<double>(rotation.cos), static_cast<double>(rotation.sin)}, {}};
}

inline Frame frame_of(const Box& box, const Rotation& rotation) {
  const Point own{static_cast<double>(box.rotation.cos), static_cast<double>(box.rotation.sin)};
  return {rotate(rotation, own), rotated(box.center, rotation)};
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

}  // namespace broadside::inline v0_2::detail
