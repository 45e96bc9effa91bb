#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "base/convex.hpp"

namespace broadside::detail {

// Both numbers of a point at once, in a register that every machine has, or its compiler makes of what it
// has: half the work where many points are added and rounded. Taking them apart again costs.

using Two [[gnu::vector_size(2 * sizeof(double))]] = double;

// Four are two registers, or one; never handed over, as how that is done differs between machines.
using FourDoubles [[gnu::vector_size(4 * sizeof(double))]] = double;
using FourFloats [[gnu::vector_size(4 * sizeof(float))]] = float;

inline Two to_two(Point p) {
  return Two{p.x, p.y};
}
/// In the register that a small argument comes in: number by number GCC 12 would have it wait in memory.
inline Two to_two(Vec2 v) {
  const FourFloats numbers = std::bit_cast<FourFloats>(Two{std::bit_cast<double>(v), 0.0});
  const FourDoubles all = __builtin_convertvector(numbers, FourDoubles);
  return __builtin_shufflevector(all, all, 0, 1);
}
inline Point to_point(Two p) {
  return {p[0], p[1]};
}

inline double dot(Two a, Two b) {
  const Two products = a * b;
  return products[0] + products[1];
}

inline double cross(Two a, Two b) {
  const Two products = a * __builtin_shufflevector(b, b, 1, 0);
  return products[0] - products[1];
}

inline Two absolute(Two numbers) {
  using Bits [[gnu::vector_size(sizeof(Two))]] = std::int64_t;
  constexpr std::int64_t all_but_sign = INT64_MAX;
  return reinterpret_cast<Two>(reinterpret_cast<Bits>(numbers) & all_but_sign);
}

inline Two larger(Two a, Two b) {
  return a > b ? a : b;
}

/// Tells whether a rotation neither stretches nor shrinks, as it is told of floats.
inline bool is_unit(Two rotation) {
  const double length2 = dot(rotation, rotation);
  return length2 >= 0.99 && length2 <= 1.01;  // false for NaN
}

/// A transform in double.
struct Placement {
  explicit Placement(const Transform& at) {
    static_assert(sizeof(Transform) == sizeof(FourFloats));
    FourFloats numbers;
    std::memcpy(&numbers, &at, sizeof numbers);
    const FourDoubles all = __builtin_convertvector(numbers, FourDoubles);
    position = __builtin_shufflevector(all, all, 0, 1);
    rotation = __builtin_shufflevector(all, all, 2, 3);
  }

  Two position;
  Two rotation;
};

}  // namespace broadside::detail
