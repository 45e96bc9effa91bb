#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace broadside::detail {

/// Makes room for `size` elements in all. Growing bit by bit costs no more than with `push_back`.
///
/// What changes several arrays makes room in all of them first: then nothing can fail halfway.
template <typename T>
void reserve(std::vector<T>& array, std::size_t size) {
  if (size > array.capacity()) {
    array.reserve(std::max(size, array.capacity() + array.capacity() / 2));
  }
}

/// Returns the room that arrays of `size` elements get, which is too little, where `added` come at once and
/// `needed` will be there. Many get no more than they need, and an eighth to spare for those who do so often.
constexpr std::size_t grown_capacity(std::size_t needed, std::size_t size, std::size_t added) {
  return std::max(needed, size + size / (added == 1 ? 1 : 8));
}

}  // namespace broadside::detail
