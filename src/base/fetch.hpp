#pragma once

#include <cstddef>
#include <variant>

#include "broadside/base/shape.hpp"

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

  /// Calls for an object that may lie across two lines. It need not be there.
  template <typename T>
  [[gnu::always_inline]] static void all_of(const T* object) {
    line(object);
    if constexpr (line_size % sizeof(T) != 0) {
      line(reinterpret_cast<const char*>(object) + sizeof(T) - 1);
    }
  }

  /// Calls for what a shape keeps elsewhere: a polygon's first eight corners.
  [[gnu::always_inline]] static void corners(const Shape& shape) {
    if (const auto* polygon = std::get_if<Polygon>(&shape)) {
      const Polygon::Data& data = *polygon->data_;
      lines(&data, &data.vertices[8]);
    }
  }
  /// Calls for its first eight corners and lines of faces.
  [[gnu::always_inline]] static void faces(const Shape& shape) {
    if (const auto* polygon = std::get_if<Polygon>(&shape)) {
      const Polygon::Data& data = *polygon->data_;
      lines(&data, &data.vertices[8]);
      lines(&data.faces[0], &data.faces[1]);
    }
  }
  /// Calls for its first eight edges.
  [[gnu::always_inline]] static void edges(const Shape& shape) {
    if (const auto* polygon = std::get_if<Polygon>(&shape)) {
      const Polygon::Data& data = *polygon->data_;
      line(&data);
      lines(&data.edges[0], &data.edges[1]);
    }
  }

 private:
  [[gnu::always_inline]] static void lines(const void* begin, const void* end) {
    const auto* last = static_cast<const char*>(end) - 1;
    for (const auto* at = static_cast<const char*>(begin); at < last; at += line_size) {
      line(at);
    }
    line(last);
  }
};

}  // namespace broadside::detail
