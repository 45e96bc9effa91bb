#pragma once

#include <cstddef>
#include <variant>

#include "broadside/base/shape.hpp"

namespace broadside::detail {

/// Calls memory for into the cache, which is long on its way, some time before it is read.
struct Fetch {
  static constexpr std::size_t line_size = 64;

  static void line([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#endif
  }

  /// Calls for an object that may lie across two lines. It need not be there.
  template <typename T>
  static void all_of(const T* object) {
    line(object);
    if constexpr (line_size % sizeof(T) != 0) {
      line(reinterpret_cast<const char*>(object) + sizeof(T) - 1);
    }
  }

  /// Calls for what a shape keeps elsewhere: a polygon's corners.
  static void corners(const Shape& shape) {
    if (const auto* polygon = std::get_if<Polygon>(&shape)) {
      const auto* begin = reinterpret_cast<const char*>(polygon->data_.get());
      for (std::size_t at = 0; at < sizeof(Polygon::Data); at += line_size) {
        line(begin + at);
      }
    }
  }
};

}  // namespace broadside::detail
