#include "broadside/event/touch_history.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "base/reserve.hpp"

namespace broadside::inline v0_2 {

namespace {

/// Packs a pair into one number with the same order, so that one comparison decides.
std::uint64_t key(Pair pair) {
  return (std::uint64_t{pair.a} << 32U) | pair.b;
}

}  // namespace

// Both lists are sorted, so one merge pass finds the pairs that are in one, in the other, or in both:
//
//     before  (0,2)        (1,5) (3,4)
//     now     (0,2) (0,7)        (3,4)
//             stays begins ends  stays
void TouchHistory::prepare(std::span<const Pair> touching, std::span<const std::uint8_t> reassigned) {
  assert(std::adjacent_find(touching.begin(), touching.end(),
                            [](Pair a, Pair b) { return key(a) >= key(b); }) == touching.end());
  std::vector<Pair>& now = next_.touching;
  now.assign(touching.begin(), touching.end());
  if (next_.begun.size() < now.size()) {
    next_.begun.resize(now.size() + now.size() / 8);
  }
  if (next_.stayed.size() < next_.begun.size()) {
    next_.stayed.resize(next_.begun.size());
  }
  const std::vector<Pair>& before = last_.touching;
  next_.ended.clear();
  detail::reserve(next_.ended, before.size());
  next_.begun_count = 0;
  next_.stayed_count = 0;
  const auto is_renewed = [reassigned](Pair pair) {
    return !reassigned.empty() && ((reassigned[pair.a] | reassigned[pair.b]) & 1U) != 0;
  };
  std::size_t i = 0;
  std::size_t old = 0;
  while (i < now.size() && old < before.size()) {
    const std::uint64_t key_now = key(now[i]);
    const std::uint64_t key_before = key(before[old]);
    if (key_now == key_before && !is_renewed(now[i])) {
      next_.stayed[next_.stayed_count++] = static_cast<std::uint32_t>(i++);
      ++old;
      continue;
    }
    if (key_before <= key_now) {
      next_.ended.push_back(before[old++]);
    }
    if (key_now <= key_before) {
      next_.begun[next_.begun_count++] = static_cast<std::uint32_t>(i++);
    }
  }
  for (; i < now.size(); ++i) {
    next_.begun[next_.begun_count++] = static_cast<std::uint32_t>(i);
  }
  next_.ended.insert(next_.ended.end(), before.begin() + static_cast<std::ptrdiff_t>(old), before.end());
}

void TouchHistory::advance_unchanged() {
  last_.ended.clear();
  if (last_.begun_count > 0) {
    last_.begun_count = 0;
    last_.stayed_count = last_.touching.size();
    std::iota(last_.stayed.data(), last_.stayed.data() + last_.stayed_count, 0U);
  }
}

void TouchHistory::clear() {
  last_.touching.clear();
  last_.ended.clear();
  last_.begun_count = 0;
  last_.stayed_count = 0;
}

}  // namespace broadside::inline v0_2
