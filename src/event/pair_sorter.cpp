#include "broadside/event/pair_sorter.hpp"

#include <algorithm>
#include <limits>

namespace broadside {

void PairSorter::sort(std::span<Pair> pairs, std::size_t boxes) {
  constexpr std::size_t few = 16;   // pairs of one box that are sorted by insertion
  constexpr std::size_t worth = 4;  // boxes to a pair up to which counting beats comparing
  if (boxes > worth * pairs.size() || pairs.size() > std::numeric_limits<std::uint32_t>::max()) {
    sort_pairs(pairs);
    return;
  }
  ends_.assign(boxes, 0);
  for (const Pair pair : pairs) {
    ++ends_[pair.a];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& end : ends_) {
    const std::uint32_t count = end;
    end = sum;
    sum += count;
  }
  if (dealt_.size() < pairs.size()) {
    dealt_.resize(pairs.size());
  }
  for (const Pair pair : pairs) {
    dealt_[ends_[pair.a]++] = pair;
  }
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends_) {
    if (end - begin > few) {
      std::sort(dealt_.data() + begin, dealt_.data() + end);
    } else {
      for (std::uint32_t i = begin + 1; i < end; ++i) {
        const Pair pair = dealt_[i];
        std::uint32_t to = i;
        for (; to > begin && dealt_[to - 1].b > pair.b; --to) {
          dealt_[to] = dealt_[to - 1];
        }
        dealt_[to] = pair;
      }
    }
    begin = end;
  }
  std::copy(dealt_.data(), dealt_.data() + pairs.size(), pairs.data());
}

}  // namespace broadside
