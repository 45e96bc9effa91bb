#pragma once

// Found before the header of this name in libc++ 19, whose `stable_sort` takes 4 kB of the module for each
// type and each order. This one takes a tenth, in O(n log n), too; every stable sort has the same result.

#define stable_sort large_stable_sort
#include_next <__algorithm/stable_sort.h>
#undef stable_sort

#include <__iterator/iterator_traits.h>
#include <__memory/unique_ptr.h>
#include <__utility/move.h>

namespace std {
inline namespace _LIBCPP_ABI_NAMESPACE {

/// Merge sort; the left half is moved to a buffer before the merge.
template <typename Iterator, typename Less>
void stable_sort(Iterator first, Iterator last, Less less) {
  const auto half = (last - first) / 2;
  if (half == 0) {
    return;
  }
  const Iterator middle = first + half;
  std::stable_sort(first, middle, less);
  std::stable_sort(middle, last, less);
  using Value = typename iterator_traits<Iterator>::value_type;
  const auto left = std::make_unique<Value[]>(static_cast<size_t>(half));
  std::move(first, middle, left.get());
  const Value* of_left = left.get();
  Iterator right = middle;
  while (of_left != left.get() + half) {
    *first++ = right != last && less(*right, *of_left) ? *right++ : *of_left++;
  }
}

}  // namespace _LIBCPP_ABI_NAMESPACE
}  // namespace std
