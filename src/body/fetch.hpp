#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "broadside/body/shape.hpp"

namespace broadside::detail {

/// Calls memory for into the cache, which is long on its way, some time before it is read.
///
/// All of it inline: g++ takes a function that does no more for one without effect, and leaves out its calls.
struct Fetch {
  static constexpr std::size_t line_size = 64;

  [[gnu::always_inline]] static void line([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#endif
  }

  // An element of an array need not be there: its address is a number, as a pointer may not point beyond its
  // array.

  /// Calls for the line that an element of an array begins on.
  template <typename T>
  [[gnu::always_inline]] static void line_of(const T* array, std::size_t index) {
    line_at(reinterpret_cast<std::uintptr_t>(array) + index * sizeof(T));
  }
  /// Calls for all of an element, which may lie across two lines.
  template <typename T>
  [[gnu::always_inline]] static void all_of(const T* array, std::size_t index = 0) {
    line_of(array, index);
    // Arrays are aligned to this and no more.
    if constexpr (sizeof(T) > alignof(std::max_align_t) || line_size % sizeof(T) != 0) {
      line_at(reinterpret_cast<std::uintptr_t>(array) + (index + 1) * sizeof(T) - 1);
    }
  }

  // What a shape keeps elsewhere: of a polygon, what is read of its first eight corners.

  /// Calls for it where its box is looked for.
  [[gnu::always_inline]] static void corners(const Shape& shape) {
    if (const auto* polygon = std::get_if<Polygon>(&shape)) {
      line(polygon->data_.get());
      line(&polygon->data_->vertices);
    }
  }
  /// Calls for it where a circle is compared with it.
  [[gnu::always_inline]] static void faces(const Shape& shape) {
    if (const auto* polygon = std::get_if<Polygon>(&shape)) {
      line(polygon->data_.get());
      all_of(&polygon->data_->faces[0]);
      around(*polygon);
    }
  }
  /// Calls for the corners around faces, of which one will be read.
  [[gnu::always_inline]] static void around(const Polygon& polygon) {
    constexpr std::size_t in_line = line_size / sizeof(polygon.data_->around[0]);
    for (std::size_t i = 0; i <= FaceLanes::size; i += in_line) {
      line(&polygon.data_->around[i]);
    }
  }
  /// Calls for it where a box or another polygon is.
  [[gnu::always_inline]] static void edges(const Shape& shape) {
    corners(shape);
    if (const auto* polygon = std::get_if<Polygon>(&shape)) {
      line(&polygon->data_->edges[0].inverse_length);
    }
  }

 private:
  [[gnu::always_inline]] static void line_at(std::uintptr_t address) {
    line(reinterpret_cast<const void*>(address));  // NOLINT(performance-no-int-to-ptr): is not read
  }
};

}  // namespace broadside::detail
