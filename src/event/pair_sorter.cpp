#include "broadside/event/pair_sorter.hpp"

#include <algorithm>
#include <limits>

namespace broadside {

namespace {

/// In the order of pairs, and compared at once.
std::uint64_t key(Pair pair) {
  return (std::uint64_t{pair.a} << 32U) | pair.b;
}

}  // namespace

void PairSorter::sort(std::span<Pair> pairs, std::size_t boxes) {
  constexpr std::size_t few = 16;   // pairs of one stretch of boxes that are sorted by insertion
  constexpr std::size_t worth = 2;  // stretches to a pair, at most
  if (pairs.size() < 2) {
    return;
  }
  if (pairs.size() > std::numeric_limits<std::uint32_t>::max()) {
    sort_pairs(pairs);
    return;
  }
  // Where there are few pairs, they are counted by stretches of 2, 4, 8, ... boxes.
  unsigned shift = 0;
  while ((boxes >> shift) > worth * pairs.size()) {
    ++shift;
  }
  ends_.assign((boxes >> shift) + 1, 0);
  for (const Pair pair : pairs) {
    ++ends_[pair.a >> shift];
  }
  std::uint32_t sum = 0;
  std::uint32_t most = 0;
  for (std::uint32_t& end : ends_) {
    const std::uint32_t count = end;
    end = sum;
    sum += count;
    most = std::max(most, count);
  }
  if (dealt_.size() < pairs.size()) {
    dealt_.resize(pairs.size());
  }
  for (const Pair pair : pairs) {
    dealt_[ends_[pair.a >> shift]++] = key(pair);
  }
  const std::span<std::uint64_t> dealt = std::span(dealt_).first(pairs.size());
  if (most > few) {
    std::uint32_t begin = 0;
    for (const std::uint32_t end : ends_) {
      if (end - begin > few) {
        std::sort(dealt.data() + begin, dealt.data() + end);
      }
      begin = end;
    }
  }
  // Most are in order already, and the others nearly: one pass over all is quicker than one for each stretch.
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < dealt.size(); ++i) {
    const std::uint64_t pair = dealt[i];
    std::size_t to = i;
    if (pair < last) {
      for (; to > 0 && key(pairs[to - 1]) > pair; --to) {
        pairs[to] = pairs[to - 1];
      }
    } else {
      last = pair;
    }
    pairs[to] = {static_cast<BoxIndex>(pair >> 32U), static_cast<BoxIndex>(pair)};
  }
}

}  // namespace broadside
