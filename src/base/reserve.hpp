#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace broadside::detail {

/// Reserves memory for `size` elements in total. Growing step by step is amortized as with `push_back`.
///
/// A function that changes several arrays reserves memory in all of them first: then it cannot fail halfway.
template <typename T>
void reserve(std::vector<T>& array, std::size_t size) {
  if (size > array.capacity()) {
    array.reserve(std::max(size, array.capacity() + array.capacity() / 2));
  }
}

/// Returns the bytes held by arrays.
template <typename... Arrays>
std::size_t bytes_of(const Arrays&... arrays) {
  return ((arrays.capacity() * sizeof(arrays[0])) + ...);
}

/// Returns the new capacity of arrays that have `size` elements and grow to `needed`, by `added` at once. A
/// single element doubles it. A batch gets what it needs, and at least an eighth more than `size`.
constexpr std::size_t grown_capacity(std::size_t needed, std::size_t size, std::size_t added) {
  return std::max(needed, size + size / (added == 1 ? 1 : 8));
}

}  // namespace broadside::detail
