#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "base/point.hpp"

namespace broadside::detail {

// Both coordinates of a point in one register, which every machine has or the compiler emulates: half the
// work where many points are added and rounded. Extracting a coordinate costs extra.

using Vec2d [[gnu::vector_size(2 * sizeof(double))]] = double;

// Four doubles: two registers, or one. Never a parameter or result of a call: the ABI depends on the target.
using FourDoubles [[gnu::vector_size(4 * sizeof(double))]] = double;
using FourFloats [[gnu::vector_size(4 * sizeof(float))]] = float;

/// Returns the first four numbers of an object made of floats.
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

inline Vec2d to_vec2d(Point p) {
  return Vec2d{p.x, p.y};
}
/// Converts in the register in which a small argument is passed; one by one, GCC 12 would store them first.
inline Vec2d to_vec2d(Vec2 v) {
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
/// Returns the dot product in both elements, for further work on both.
inline Vec2d both_dot(Vec2d a, Vec2d b) {
  const Vec2d products = a * b;
  return products + swapped(products);
}

inline double cross(Vec2d a, Vec2d b) {
  const Vec2d products = a * swapped(b);
  return products[0] - products[1];
}

using Vec2dBits = decltype(Vec2d{} < Vec2d{});

/// Returns v rotated by -90 degrees: a dot product with it equals the cross product, bit for bit.
inline Vec2d rotate_cw(Vec2d v) {
  return reinterpret_cast<Vec2d>(reinterpret_cast<Vec2dBits>(swapped(v)) ^ Vec2dBits{0, INT64_MIN});
}
inline Vec2d rotate_ccw(Vec2d v) {
  return reinterpret_cast<Vec2d>(reinterpret_cast<Vec2dBits>(swapped(v)) ^ Vec2dBits{INT64_MIN, 0});
}

/// Returns a vector rotated by a rotation, as `rotate` of points does.
inline Vec2d rotate(Vec2d rotation, Vec2d v) {
  return both_first(v) * rotation + both_second(v) * rotate_ccw(rotation);
}
/// Returns a point of a shape (local) relative to the position of its transform. Most often it is the origin:
/// all bits 0.
inline Vec2d rotated(const Vec2& local, Vec2d rotation) {
  return std::bit_cast<std::uint64_t>(local) == 0 ? Vec2d{} : rotate(rotation, to_vec2d(local));
}
/// Returns a vector rotated by the inverse of a rotation.
inline Vec2d rotate_back(Vec2d rotation, Vec2d v) {
  return both_first(rotation) * v + both_second(rotation) * rotate_cw(v);
}

inline Vec2d absolute(Vec2d numbers) {
  constexpr std::int64_t all_but_sign = INT64_MAX;
  return reinterpret_cast<Vec2d>(reinterpret_cast<Vec2dBits>(numbers) & all_but_sign);
}

/// The result of a comparison: all bits or none in each element. In 32-bit elements, as not every machine
/// compares 64-bit ones; GCC 12 would then compare them one by one.
using Vec2dMask [[gnu::vector_size(sizeof(Vec2d))]] = std::int32_t;

inline Vec2dMask as_mask(Vec2dBits comparison) {
  return reinterpret_cast<Vec2dMask>(comparison);
}
inline Vec2dMask as_mask(decltype(FourFloats{} < FourFloats{}) comparison) {
  return comparison;
}
/// Tells whether the comparison holds for the first number.
inline bool holds(Vec2dMask mask) {
  return mask[0] != 0;
}
/// Returns 1 if the comparison holds for the first number, else 0.
inline std::uint32_t as_number(Vec2dMask mask) {
  return static_cast<std::uint32_t>(mask[0]) & 1U;
}
inline Vec2d select(Vec2dMask mask, Vec2d yes, Vec2d no) {
  return reinterpret_cast<Vec2d>((mask & reinterpret_cast<Vec2dMask>(yes)) |
                                 (~mask & reinterpret_cast<Vec2dMask>(no)));
}

/// Negates numbers where `others` are negative.
inline Vec2d flip_signs(Vec2d others, Vec2d numbers) {
  return reinterpret_cast<Vec2d>(reinterpret_cast<Vec2dBits>(numbers) ^
                                 (reinterpret_cast<Vec2dBits>(others) & INT64_MIN));
}

inline Vec2d larger(Vec2d a, Vec2d b) {
  return a > b ? a : b;
}

/// Tells whether a rotation has length 1, with the same tolerance as for a `Rotation`.
inline bool is_unit(Vec2d rotation) {
  const double length2 = both_dot(rotation, rotation)[0];
  return length2 >= 0.99 && length2 <= 1.01;  // false for NaN
}

}  // namespace broadside::detail
