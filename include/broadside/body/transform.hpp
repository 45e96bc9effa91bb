#pragma once

#include "broadside/base/vec2.hpp"

namespace broadside {

/// A rotation, kept as cosine and sine so that quarter turns are exact: `{0, 1}`, `{-1, 0}`, `{0, -1}`.
///
/// Fill in any pair, from wherever it comes: it is used as it is. Valid where the squares sum up to 1, to
/// within a hundredth; with any other a shape touches nothing.
struct Rotation {
  float cos = 1.0F;
  float sin = 0.0F;

  /// Returns the rotation by `angle` (unit: radian, counter-clockwise where y points up).
  ///
  /// The same bits on every machine: the C library's sine is not used. Both numbers are right to the last bit
  /// but one for any angle up to 1e6; beyond, the angle itself is no longer what was meant. One that is not
  /// finite counts as 0. No float is exactly a quarter turn: `by(1.5707964F)` has a cosine of -4.4e-8, as it
  /// should.
  /// Source: W. J. Cody, W. Waite, Software Manual for the Elementary Functions, 1980 (the reduction).
  [[nodiscard]] static Rotation by(float angle);

  friend constexpr bool operator==(Rotation a, Rotation b) = default;
};

/// Where a shape stands: turned about its own origin, then moved. `world = position + rotation * local`.
struct Transform {
  Vec2 position = {};  ///< (unit: length)
  Rotation rotation = {};

  friend constexpr bool operator==(const Transform& a, const Transform& b) = default;
};

}  // namespace broadside
