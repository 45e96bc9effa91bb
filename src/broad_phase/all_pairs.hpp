#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "broadside/broad_phase/box_store.hpp"
#include "broadside/broad_phase/pair_buffer.hpp"

namespace broadside::inline v0_2::detail {

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

/// Tests two boxes and appends the pair if they overlap, unless their types or filters exclude it.
inline void test_pair(const BoxStore& store, BoxIndex a, BoxIndex b, std::uint64_t& tests,
                      PairBuffer& pairs) {
  if (!store.may_touch(a, b)) {
    return;
  }
  ++tests;
  if (overlaps(store.box(a), store.box(b))) {
    pairs.push_back(ordered_pair(a, b));
  }
}

/// Returns the number of tests of `collect_all_pairs` if no filter excludes a pair.
inline double count_all_pairs(std::size_t boxes, std::size_t dynamic_count) {
  const auto dynamic = static_cast<double>(dynamic_count);
  return dynamic * (static_cast<double>(boxes) - 0.5 * (dynamic + 1.0));
}

/// Tests every pair with a dynamic box that filters do not exclude, and appends those that overlap. Returns
/// the number of tests.
/// @param order from `list_dynamic_first`, which also returned `dynamic_count`
inline std::uint64_t collect_all_pairs(const BoxStore& store, const std::vector<BoxIndex>& order,
                                       std::size_t dynamic_count, PairBuffer& pairs) {
  const std::size_t n = order.size();
  const bool has_filters = store.has_filters();
  std::uint64_t tests = 0;
  for (std::size_t i = 0; i < dynamic_count; ++i) {
    const Aabb box = store.box(order[i]);
    tests += n - i - 1;
    for (std::size_t j = i + 1; j < n; ++j) {
      if (has_filters && !store.may_touch(order[i], order[j])) {
        --tests;
      } else if (overlaps(box, store.box(order[j]))) {
        pairs.push_back(ordered_pair(order[i], order[j]));
      }
    }
  }
  return tests;
}

}  // namespace broadside::inline v0_2::detail
