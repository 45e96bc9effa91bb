#pragma once

#include <cstdint>
#include <vector>

#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"
#include "shape_truth.hpp"

namespace broadside::test::simulator {

/// Answer of the model about two shapes: if the true gap is as small as rounding, both answers are correct.
enum class Verdict : std::uint8_t { apart, touching, undecided };

/// One shape of a body, in long double.
struct Solid {
  std::vector<TrueShape> parts;
  TruePoint min;
  TruePoint max;
  long double size = 0;  ///< the larger side of its box (unit: length)
  /// Whether all numbers are small multiples of a power of 2, and the angle is one of 90 degrees.
  bool is_exact = false;
  bool is_mask = false;
  bool has_slanted_edge = false;
};

[[nodiscard]] Solid solid_of(const Shape& shape, const Transform& at);
/// Returns the solid of an axis-aligned box.
[[nodiscard]] Solid solid_of(const Aabb& box);

/// The gap of two bodies and its rounding tolerance (unit: length).
struct Gap {
  long double gap = 0;  ///< negative if they overlap
  long double rim = 0;
  bool is_exact = false;

  /// Compares the gap with a limit.
  [[nodiscard]] Verdict within(long double limit) const;
};

/// Returns the gap of two solids; only a lower bound if it is larger than `wanted`.
[[nodiscard]] Gap gap_of(const Solid& a, const Solid& b, long double wanted = 0);
/// Returns the gap between the nearest two solids. @pre neither list is empty
[[nodiscard]] Gap gap_of(const std::vector<Solid>& a, const std::vector<Solid>& b, long double wanted = 0);

/// Returns the moved solid.
[[nodiscard]] Solid moved(Solid solid, long double x, long double y);

/// Returns the distance from a float to the next one of larger magnitude.
[[nodiscard]] long double ulp_of(long double value);

}  // namespace broadside::test::simulator
