#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace broadside::inline v0_2::detail {

/// Reserves memory for `size` elements in total. Growing step by step is amortized as with `push_back`.
///
/// A function that changes several arrays reserves memory in all of them first: then it cannot fail halfway.
template <typename T>
void reserve(std::vector<T>& array, std::size_t size) {
  if (size > array.capacity()) {
    array.reserve(std::max(size, array.capacity() + array.capacity() / 2));
  }
}

/// Reserves memory for `size` elements in each of several arrays.
template <typename... Arrays>
void reserve_all(std::size_t size, Arrays&... arrays) {
  (reserve(arrays, size), ...);
}

/// Reserves memory for `size` elements in each of several arrays, and writes to it. The system provides a
/// page of memory when a program first writes to it, which takes longer than to use it: so the first frame
/// need not wait for that.
template <typename... Arrays>
void provide(std::size_t size, Arrays&... arrays) {
  const auto provide_one = [size](auto& array) {
    const std::size_t used = array.size();
    if (size > array.capacity()) {
      array.resize(size);
      array.resize(used);
    }
  };
  (provide_one(arrays), ...);
}

/// Returns the bytes held by arrays.
template <typename... Arrays>
std::size_t bytes_of(const Arrays&... arrays) {
  return ((arrays.capacity() * sizeof(arrays[0])) + ...);
}

/// Reserves `needed` elements in arrays of `size` elements. Adding one element reserves at least twice the
/// size. A batch of `added` elements reserves at least an eighth more than the size, as double the memory of
/// a large batch would be wasted.
template <typename... Arrays>
void reserve_growth(std::size_t needed, std::size_t size, std::size_t added, Arrays&... arrays) {
  const std::size_t capacity = std::max(needed, size + size / (added == 1 ? 1 : 8));
  (arrays.reserve(needed > arrays.capacity() ? capacity : 0), ...);
}

}  // namespace broadside::inline v0_2::detail
