#pragma once

#include <cstddef>
#include <vector>

#include "broadside/broad_phase/box_store.hpp"

namespace broadside::detail {

/// Replaces `order` by all boxes: dynamic ones first, then all others, ascending within each. Returns the
/// number of dynamic boxes.
inline std::size_t list_dynamic_first(const BoxStore& store, std::vector<BoxIndex>& order) {
  const auto append = [&](bool dynamic) {
    store.for_each([&](BoxIndex index) {
      if ((store.type(index) == BodyType::dynamic) == dynamic) {
        order.push_back(index);
      }
    });
    return order.size();
  };
  order.clear();
  const std::size_t dynamic_count = append(true);
  append(false);
  return dynamic_count;
}

}  // namespace broadside::detail
