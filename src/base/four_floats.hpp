#pragma once

#include <cstdint>

namespace broadside::inline v0_2::detail {

// Four numbers in a register: operators act on each of them. Highway has no four lanes on processors without
// SIMD, and its functions for one instruction set cannot be inlined into those for another.
//
// One of the few files that use extensions of g++ and clang (tools/check_layers.py names them); define
// BROADSIDE_STANDARD_CPP to leave these out there as well.

#if defined(__GNUC__) && !defined(BROADSIDE_STANDARD_CPP)

using FourFloats [[gnu::vector_size(16)]] = float;
using FourInts [[gnu::vector_size(16)]] = std::int32_t;

inline FourFloats select_lanes(FourInts mask, FourFloats yes, FourFloats no) {
  return mask ? yes : no;
}
/// Returns the lanes 2, 3, 0, 1.
inline FourFloats with_halves_swapped(FourFloats v) {
  return __builtin_shufflevector(v, v, 2, 3, 0, 1);
}
/// Returns the lanes 1, 0, 3, 2.
inline FourFloats with_neighbors_swapped(FourFloats v) {
  return __builtin_shufflevector(v, v, 1, 0, 3, 2);
}

#else

template <class T>
struct FourLanes {
  T lanes[4];

  T operator[](int lane) const { return lanes[lane]; }
};
using FourFloats = FourLanes<float>;
using FourInts = FourLanes<std::int32_t>;

template <class To, class T, class F>
FourLanes<To> each_lane(const FourLanes<T>& a, const FourLanes<T>& b, F f) {
  return {{f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])}};
}
inline FourFloats operator+(FourFloats a, FourFloats b) {
  return each_lane<float>(a, b, [](float x, float y) { return x + y; });
}
inline FourFloats operator-(FourFloats a, FourFloats b) {
  return each_lane<float>(a, b, [](float x, float y) { return x - y; });
}
inline FourFloats operator*(FourFloats a, FourFloats b) {
  return each_lane<float>(a, b, [](float x, float y) { return x * y; });
}
inline FourFloats operator/(FourFloats a, FourFloats b) {
  return each_lane<float>(a, b, [](float x, float y) { return x / y; });
}
inline FourInts operator>(FourFloats a, FourFloats b) {
  return each_lane<std::int32_t>(a, b, [](float x, float y) { return x > y ? -1 : 0; });
}
inline FourInts operator+(FourInts a, FourInts b) {
  return each_lane<std::int32_t>(a, b, [](std::int32_t x, std::int32_t y) { return x + y; });
}
inline FourInts operator&(FourInts a, FourInts b) {
  return each_lane<std::int32_t>(a, b, [](std::int32_t x, std::int32_t y) { return x & y; });
}
inline FourInts operator|(FourInts a, FourInts b) {
  return each_lane<std::int32_t>(a, b, [](std::int32_t x, std::int32_t y) { return x | y; });
}
inline FourFloats select_lanes(FourInts mask, FourFloats yes, FourFloats no) {
  const auto lane = [&](int i) { return mask[i] != 0 ? yes[i] : no[i]; };
  return {{lane(0), lane(1), lane(2), lane(3)}};
}
inline FourFloats with_halves_swapped(FourFloats v) {
  return {{v[2], v[3], v[0], v[1]}};
}
inline FourFloats with_neighbors_swapped(FourFloats v) {
  return {{v[1], v[0], v[3], v[2]}};
}

#endif

inline FourFloats all_lanes(float value) {
  return FourFloats{value, value, value, value};
}
inline FourInts all_lanes(std::int32_t value) {
  return FourInts{value, value, value, value};
}

}  // namespace broadside::inline v0_2::detail
