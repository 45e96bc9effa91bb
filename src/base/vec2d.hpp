#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "base/point.hpp"

namespace broadside::detail {

// Both numbers of a point at once, in a register that every machine has, or its compiler makes of what it
// has: half the work where many points are added and rounded. Taking them apart again costs.

using Vec2d [[gnu::vector_size(2 * sizeof(double))]] = double;

// Four are two registers, or one; never handed over, as how that is done differs between machines.
using FourDoubles [[gnu::vector_size(4 * sizeof(double))]] = double;
using FourFloats [[gnu::vector_size(4 * sizeof(float))]] = float;

/// Returns the first four numbers of what is made of floats.
template <typename T>
FourFloats first_four(const T& floats) {
  static_assert(sizeof(T) >= sizeof(FourFloats));
  FourFloats numbers;
  std::memcpy(&numbers, &floats, sizeof numbers);
  return numbers;
}
inline FourFloats absolute(FourFloats numbers) {
  using Bits [[gnu::vector_size(sizeof(FourFloats))]] = std::int32_t;
  constexpr std::int32_t all_but_sign = INT32_MAX;
  return reinterpret_cast<FourFloats>(reinterpret_cast<Bits>(numbers) & all_but_sign);
}

inline Vec2d to_two(Point p) {
  return Vec2d{p.x, p.y};
}
/// In the register that a small argument comes in: number by number GCC 12 would have it wait in memory.
inline Vec2d to_two(Vec2 v) {
  const FourFloats numbers = std::bit_cast<FourFloats>(Vec2d{std::bit_cast<double>(v), 0.0});
  const FourDoubles all = __builtin_convertvector(numbers, FourDoubles);
  return __builtin_shufflevector(all, all, 0, 1);
}
inline Point to_point(Vec2d p) {
  return {p[0], p[1]};
}

inline Vec2d swapped(Vec2d v) {
  return __builtin_shufflevector(v, v, 1, 0);
}
inline Vec2d both(double number) {
  return Vec2d{number, number};
}
inline Vec2d both_first(Vec2d v) {
  return __builtin_shufflevector(v, v, 0, 0);
}
inline Vec2d both_second(Vec2d v) {
  return __builtin_shufflevector(v, v, 1, 1);
}

inline double dot(Vec2d a, Vec2d b) {
  const Vec2d products = a * b;
  return products[0] + products[1];
}
/// Twice the same, for what is done to both numbers next.
inline Vec2d both_dot(Vec2d a, Vec2d b) {
  const Vec2d products = a * b;
  return products + swapped(products);
}

inline double cross(Vec2d a, Vec2d b) {
  const Vec2d products = a * swapped(b);
  return products[0] - products[1];
}

using Vec2dBits = decltype(Vec2d{} < Vec2d{});

/// Turned by a quarter to the right: a dot product with it is the cross product, to the bit.
inline Vec2d right_of(Vec2d v) {
  return reinterpret_cast<Vec2d>(reinterpret_cast<Vec2dBits>(swapped(v)) ^ Vec2dBits{0, INT64_MIN});
}
inline Vec2d left_of(Vec2d v) {
  return reinterpret_cast<Vec2d>(reinterpret_cast<Vec2dBits>(swapped(v)) ^ Vec2dBits{INT64_MIN, 0});
}

/// Returns a vector turned by a rotation, as `rotate` of points does.
inline Vec2d rotate(Vec2d rotation, Vec2d v) {
  return both_first(v) * rotation + both_second(v) * left_of(rotation);
}
/// Returns a point of a shape (local) relative to the position of its transform. Most often it is the origin:
/// all bits 0.
inline Vec2d turned(const Vec2& local, Vec2d rotation) {
  return std::bit_cast<std::uint64_t>(local) == 0 ? Vec2d{} : rotate(rotation, to_two(local));
}
/// Returns a vector turned back by a rotation.
inline Vec2d rotate_back(Vec2d rotation, Vec2d v) {
  return both_first(rotation) * v + both_second(rotation) * right_of(v);
}

inline Vec2d absolute(Vec2d numbers) {
  constexpr std::int64_t all_but_sign = INT64_MAX;
  return reinterpret_cast<Vec2d>(reinterpret_cast<Vec2dBits>(numbers) & all_but_sign);
}

/// What a comparison told of each number: all bits or none. By 32 bits, as not every machine compares those
/// of 64, and GCC 12 would then take them one by one.
using Vec2dMask [[gnu::vector_size(sizeof(Vec2d))]] = std::int32_t;

inline Vec2dMask as_mask(Vec2dBits comparison) {
  return reinterpret_cast<Vec2dMask>(comparison);
}
inline Vec2dMask as_mask(decltype(FourFloats{} < FourFloats{}) comparison) {
  return comparison;
}
/// Tells what it told of the first number.
inline bool holds(Vec2dMask mask) {
  return mask[0] != 0;
}
/// Returns 1 if it holds of the first number, else 0.
inline std::uint32_t as_number(Vec2dMask mask) {
  return static_cast<std::uint32_t>(mask[0]) & 1U;
}
inline Vec2d select(Vec2dMask mask, Vec2d yes, Vec2d no) {
  return reinterpret_cast<Vec2d>((mask & reinterpret_cast<Vec2dMask>(yes)) |
                                 (~mask & reinterpret_cast<Vec2dMask>(no)));
}

/// Turns the signs of numbers where others are negative.
inline Vec2d with_sign_of(Vec2d others, Vec2d numbers) {
  return reinterpret_cast<Vec2d>(reinterpret_cast<Vec2dBits>(numbers) ^
                                 (reinterpret_cast<Vec2dBits>(others) & INT64_MIN));
}

inline Vec2d larger(Vec2d a, Vec2d b) {
  return a > b ? a : b;
}

/// Tells whether a rotation neither stretches nor shrinks, as it is told of floats.
inline bool is_unit(Vec2d rotation) {
  const double length2 = both_dot(rotation, rotation)[0];
  return length2 >= 0.99 && length2 <= 1.01;  // false for NaN
}

}  // namespace broadside::detail
