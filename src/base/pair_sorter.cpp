#include "broadside/base/pair_sorter.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "base/reserve.hpp"

namespace broadside {

namespace {

constexpr unsigned number_bits = 32;

/// Packs a pair into one number with the same order, so that one comparison decides.
std::uint64_t key(Pair pair) {
  return (std::uint64_t{pair.a} << number_bits) | pair.b;
}

/// Sorts in linear time if the pairs are in order, or nearly.
void sort_by_insertion(std::span<Pair> pairs) {
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair pair = pairs[i];
    if (key(pair) >= last) {
      last = key(pair);
      continue;
    }
    std::size_t to = i;
    for (; to > 0 && key(pairs[to - 1]) > key(pair); --to) {
      pairs[to] = pairs[to - 1];
    }
    pairs[to] = pair;
  }
}

}  // namespace

void PairSorter::sort(std::span<Pair> pairs, std::size_t boxes) {
  constexpr std::size_t max_behind = 4;  // merge only if at most one pair in so many is behind
  const auto unsorted = std::ranges::is_sorted_until(pairs, {}, key);
  const auto sorted = static_cast<std::size_t>(unsorted - pairs.begin());
  const std::span<Pair> unsorted_tail = pairs.subspan(sorted);
  const bool are_few = max_behind * unsorted_tail.size() <= pairs.size();
  distribute(are_few ? unsorted_tail : pairs, boxes);
  if (are_few) {
    merge(pairs, sorted);
  }
}

/// Merges the pairs from `second` on, which are sorted, into the sorted ones before them. Starts at the end,
/// so that each pair moves only once.
void PairSorter::merge(std::span<Pair> pairs, std::size_t second) {
  unsorted_tail_.assign(pairs.begin() + static_cast<std::ptrdiff_t>(second), pairs.end());
  std::size_t to = pairs.size();
  std::size_t first = second;
  for (auto pair = unsorted_tail_.rbegin(); pair != unsorted_tail_.rend(); ++pair) {
    for (; first > 0 && key(pairs[first - 1]) > key(*pair); --first) {
      pairs[--to] = pairs[first - 1];
    }
    pairs[--to] = *pair;
  }
}

void PairSorter::distribute(std::span<Pair> pairs, std::size_t boxes) {
  constexpr std::size_t few = 16;     // buckets with at most so many pairs are sorted by insertion
  constexpr std::size_t at_once = 4;  // pairs written per bucket, even if later buckets overwrite some
  constexpr std::size_t worth = 2;    // max buckets per pair
  if (pairs.size() < 2) {
    return;
  }
  if (pairs.size() > std::numeric_limits<std::uint32_t>::max()) {
    sort_pairs(pairs);
    return;
  }
  // If there are few pairs, a bucket covers 2, 4, 8, ... boxes, but no more than let the offset of a in its
  // bucket and the index b fit into one number.
  unsigned shift = 0;
  if (boxes > worth * pairs.size()) {
    BoxIndex names = 0;
    for (const Pair pair : pairs) {
      names |= pair.b;
    }
    const auto name_bits = static_cast<unsigned>(std::bit_width(names));
    while ((boxes >> shift) > worth * pairs.size() && name_bits + shift + 1 < number_bits) {
      ++shift;
    }
  }
  ends_.assign((boxes >> shift) + 1, 0);
  for (const Pair pair : pairs) {
    ++ends_[pair.a >> shift];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& end : ends_) {
    sum += std::exchange(end, sum);
  }
  if (bucketed_.size() < pairs.size()) {
    detail::reserve(bucketed_, pairs.size());
    bucketed_.resize(pairs.size());
  }
  const std::uint32_t in_stretch = (std::uint32_t{1} << shift) - 1U;
  const unsigned to_top = number_bits - 1U - shift;  // the last 1 is a separate shift: by 32 is undefined
  for (const Pair pair : pairs) {
    bucketed_[ends_[pair.a >> shift]++] = ((pair.a & in_stretch) << to_top << 1U) | pair.b;
  }
  const std::uint32_t name = ~std::uint32_t{0} >> shift;
  std::size_t begin = 0;
  for (std::size_t stretch = 0; stretch < ends_.size(); ++stretch) {
    const std::size_t end = ends_[stretch];
    if (end - begin > few) {
      std::sort(bucketed_.data() + begin, bucketed_.data() + end);
    }
    const std::size_t copy_end = std::max(end, std::min(begin + at_once, pairs.size()));
    for (std::size_t i = begin; i < copy_end; ++i) {
      pairs[i] = {static_cast<BoxIndex>(stretch << shift) | (bucketed_[i] >> to_top >> 1U),
                  bucketed_[i] & name};
    }
    begin = end;
  }
  // One pass over all pairs is faster than one per bucket.
  sort_by_insertion(pairs);
}

}  // namespace broadside
