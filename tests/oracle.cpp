#include "oracle.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace broadside::test {

bool disjoint(const Rect& a, const Rect& b) {
  if (a.right < b.left || b.right < a.left) {
    return true;
  }
  return a.top < b.bottom || b.top < a.bottom;
}

std::vector<IndexPair> all_pairs(std::span<const Rect> rects) {
  return rects.size() <= 500 ? all_pairs_by_looking(rects) : all_pairs_by_sweeping(rects);
}

std::vector<IndexPair> all_pairs_by_looking(std::span<const Rect> rects) {
  std::vector<IndexPair> pairs;
  for (std::uint32_t a = 0; a < rects.size(); ++a) {
    for (std::uint32_t b = a + 1; b < rects.size(); ++b) {
      const bool both_at_rest = !rects[a].dynamic && !rects[b].dynamic;
      if (!both_at_rest && !disjoint(rects[a], rects[b])) {
        pairs.emplace_back(a, b);
      }
    }
  }
  return pairs;
}

// Boxes are visited by their bottom edge; a box is dropped when the line has passed its top edge.
std::vector<IndexPair> all_pairs_by_sweeping(std::span<const Rect> rects) {
  std::vector<std::uint32_t> order(rects.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&rects](std::uint32_t a, std::uint32_t b) { return rects[a].bottom < rects[b].bottom; });
  std::vector<IndexPair> pairs;
  std::vector<std::uint32_t> active;
  for (const std::uint32_t now : order) {
    const Rect& rect = rects[now];
    std::size_t kept = 0;
    for (const std::uint32_t other : active) {
      const Rect& below = rects[other];
      if (below.top < rect.bottom) {
        continue;
      }
      active[kept++] = other;
      const bool beside = below.right < rect.left || below.left > rect.right;
      if (!beside && (below.dynamic || rect.dynamic)) {
        pairs.emplace_back(std::min(now, other), std::max(now, other));
      }
    }
    active.resize(kept);
    active.push_back(now);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<IndexPair> pairs_between(std::span<const Rect> left, std::span<const Rect> right) {
  std::vector<IndexPair> pairs;
  for (std::uint32_t a = 0; a < left.size(); ++a) {
    for (std::uint32_t b = 0; b < right.size(); ++b) {
      if (!disjoint(left[a], right[b])) {
        pairs.emplace_back(a, b);
      }
    }
  }
  return pairs;
}

std::vector<std::uint32_t> all_in(std::span<const Rect> rects, const Rect& area) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < rects.size(); ++i) {
    if (!disjoint(rects[i], area)) {
      found.push_back(i);
    }
  }
  return found;
}

}  // namespace broadside::test
