#pragma once

#include <hwy/cache_control.h>

#include <cstddef>
#include <cstdint>
#include <variant>

#include "body/polygon_access.hpp"
#include "broadside/body/shape.hpp"

namespace broadside::inline v0_2::detail {

/// Prefetches memory into the cache some time before it is read.
///
/// All inline: g++ assumes that a function that only prefetches has no effect, and removes calls to it.
struct Prefetch {
  static constexpr std::size_t line_size = 64;

  HWY_INLINE static void line(const void* address) { hwy::Prefetch(static_cast<const char*>(address)); }

  // An element may lie beyond its array: its address is computed as a number, as a pointer may not point
  // there.

  /// Prefetches the cache line on which an element of an array begins.
  template <typename T>
  HWY_INLINE static void line_of(const T* array, std::size_t index) {
    line_at(reinterpret_cast<std::uintptr_t>(array) + index * sizeof(T));
  }
  /// Prefetches the first and the last cache line of an element.
  template <typename T>
  HWY_INLINE static void all_of(const T* array, std::size_t index = 0) {
    line_of(array, index);
    // Arrays are only aligned to `alignof(std::max_align_t)`.
    if constexpr (sizeof(T) > alignof(std::max_align_t) || line_size % sizeof(T) != 0) {
      line_at(reinterpret_cast<std::uintptr_t>(array) + (index + 1) * sizeof(T) - 1);
    }
  }

  // The data that a shape stores elsewhere: of a polygon, only that of its first eight corners.

  /// Prefetches the data that computing a bounding box reads.
  HWY_INLINE static void for_bounds(const Shape& shape) {
    if (const auto* polygon = std::get_if<Polygon>(&shape)) {
      line(&PolygonAccess::data(*polygon));
      line(&PolygonAccess::data(*polygon).vertices);
    }
  }
  /// Prefetches the data that a test against a circle reads.
  HWY_INLINE static void for_circle_test(const Shape& shape) {
    if (const auto* polygon = std::get_if<Polygon>(&shape)) {
      line(&PolygonAccess::data(*polygon));
      all_of(&PolygonAccess::data(*polygon).faces[0]);
      around(*polygon);
    }
  }
  /// Prefetches the corners around faces, one of which will be read.
  HWY_INLINE static void around(const Polygon& polygon) {
    constexpr std::size_t in_line = line_size / sizeof(PolygonAccess::data(polygon).around[0]);
    for (std::size_t i = 0; i <= FaceLanes::size; i += in_line) {
      line(&PolygonAccess::data(polygon).around[i]);
    }
  }
  /// Prefetches the data that a test against a box or another polygon reads.
  HWY_INLINE static void for_polygon_test(const Shape& shape) {
    for_bounds(shape);
    if (const auto* polygon = std::get_if<Polygon>(&shape)) {
      line(&PolygonAccess::data(*polygon).inverse_length);
    }
  }

 private:
  HWY_INLINE static void line_at(std::uintptr_t address) {
    line(reinterpret_cast<const void*>(address));  // NOLINT(performance-no-int-to-ptr): is not read
  }
};

}  // namespace broadside::inline v0_2::detail
