#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace broadside::inline v0_2::detail {

/// An element of a list, and what it is sorted by: numbers that do not depend on the order in which bodies
/// were added, such as normals and points; an id comes last.
struct Ordered {
  std::array<double, 12> key;
  std::size_t index;
};

/// Sorts by key. (One function for all lists: the WebAssembly module is 4 kB smaller.)
void sort(std::vector<Ordered>& list);

/// Returns elements in this order.
template <typename Element>
std::vector<Element> in_order(const std::vector<Element>& elements, std::vector<Ordered>& order) {
  sort(order);
  std::vector<Element> sorted;
  sorted.reserve(order.size());
  for (const Ordered& one : order) {
    sorted.push_back(elements[one.index]);
  }
  return sorted;
}

}  // namespace broadside::inline v0_2::detail
