#pragma once

// Found before the header of this name in libc++ 19, whose `sort` takes 4 kB of the module for each type and
// each order. This one takes a tenth, in O(n log n), too. No result of the library depends on the order of
// equal elements: native programs use another `sort` and have the same hashes.

#define __sort_impl __large_sort_impl
#define sort large_sort
#include_next <__algorithm/sort.h>
#undef __sort_impl
#undef sort

#include <__algorithm/make_heap.h>
#include <__algorithm/sort_heap.h>

namespace std {
inline namespace _LIBCPP_ABI_NAMESPACE {

template <typename Policy, typename Iterator, typename Less>
void __sort_impl(Iterator first, Iterator last, Less& less) {
  constexpr auto few = 24;
  if (last - first <= few) {
    std::__insertion_sort<Policy, Less&>(first, last, less);
  } else {
    std::__make_heap<Policy>(first, last, less);
    std::__sort_heap<Policy>(first, last, less);
  }
}

template <typename Iterator, typename Less>
void sort(Iterator first, Iterator last, Less less) {
  std::__sort_impl<_ClassicAlgPolicy>(first, last, less);
}

template <typename Iterator>
void sort(Iterator first, Iterator last) {
  std::sort(first, last, __less<>());
}

}  // namespace _LIBCPP_ABI_NAMESPACE
}  // namespace std
