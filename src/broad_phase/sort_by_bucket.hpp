#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/pair.hpp"

namespace broadside::inline v0_2::detail {

/// Sorts boxes by bucket and keeps their order within each. Returns where each bucket begins, and the end.
/// @param bucket_of returns the bucket of a box, below `N`
/// @param scratch at least as large as `boxes`
template <std::size_t N, typename BucketOf>
std::array<std::uint32_t, N + 1> sort_by_bucket(std::span<BoxIndex> boxes, std::span<BoxIndex> scratch,
                                                const BucketOf& bucket_of) {
  std::array<std::uint32_t, N + 1> starts{};
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    scratch[i] = boxes[i];
    ++starts[bucket_of(boxes[i]) + 1];
  }
  for (std::size_t bucket = 0; bucket < N; ++bucket) {
    starts[bucket + 1] += starts[bucket];
  }
  auto next = starts;
  for (const BoxIndex box : scratch.first(boxes.size())) {
    boxes[next[bucket_of(box)]++] = box;
  }
  return starts;
}

}  // namespace broadside::inline v0_2::detail
