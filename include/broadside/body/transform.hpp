#pragma once

#include "broadside/base/export.h"
#include "broadside/base/vec2.hpp"

namespace broadside::inline v0_2 {

/// A rotation, stored as cosine and sine so that quarter turns are exact: `{0, 1}`, `{-1, 0}`, `{0, -1}`.
///
/// Any pair may be assigned, and is used without change. Valid if the sum of the squares is within 0.01 of 1;
/// with an invalid rotation a shape touches nothing.
struct BROADSIDE_API Rotation {
  float cos = 1.0F;
  float sin = 0.0F;

  /// Returns the rotation by `angle` (unit: radian, counter-clockwise where y points up).
  ///
  /// The same bits on every machine: the C library's sine is not used. Both numbers are accurate to within
  /// one unit in the last place for any angle up to 1e6; beyond that, the float itself no longer resolves the
  /// angle. A NaN or infinite angle counts as 0. No float is exactly a quarter turn: `by(1.5707964F)` has a
  /// cosine of -4.4e-8, as it should.
  /// @par Source
  /// W. J. Cody, W. Waite, Software Manual for the Elementary Functions, 1980 (the reduction).
  [[nodiscard]] static Rotation by(float angle);

  friend constexpr bool operator==(Rotation a, Rotation b) = default;
};

/// The pose of a shape: rotated about its own origin, then moved. `world = position + rotation * local`.
struct Transform {
  Vec2 position = {};  ///< (unit: length)
  Rotation rotation = {};

  friend constexpr bool operator==(const Transform& a, const Transform& b) = default;
};

}  // namespace broadside::inline v0_2
