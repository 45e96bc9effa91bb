#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace broadside::detail {

/// Makes room for `size` elements in all. Growing bit by bit costs no more than with `push_back`.
///
/// What changes several arrays makes room in all of them first: then nothing can fail halfway.
template <typename T>
void make_room(std::vector<T>& array, std::size_t size) {
  if (size > array.capacity()) {
    array.reserve(std::max(size, array.capacity() + array.capacity() / 2));
  }
}

}  // namespace broadside::detail
