#include "broadside/base/pair_sorter.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "base/reserve.hpp"

namespace broadside::inline v0_2 {

void PairSorter::sort(std::span<Pair> pairs) {
  constexpr std::size_t max_behind = 4;  // merge only if at most one pair in so many is behind
  const auto unsorted = std::is_sorted_until(pairs.begin(), pairs.end());
  const auto sorted = static_cast<std::size_t>(unsorted - pairs.begin());
  const std::span<Pair> unsorted_tail = pairs.subspan(sorted);
  const bool are_few = max_behind * unsorted_tail.size() <= pairs.size();
  sort_by_digits(are_few ? unsorted_tail : pairs);
  if (are_few) {
    merge(pairs, sorted);
  }
}

/// Merges the pairs from `second` on, which are sorted, into the sorted ones before them. Starts at the end,
/// so that each pair moves only once.
void PairSorter::merge(std::span<Pair> pairs, std::size_t second) {
  const std::span<const Pair> tail = pairs.subspan(second);
  const std::span<Pair> moved = spare_of(tail.size());
  std::copy(tail.begin(), tail.end(), moved.begin());
  std::size_t to = pairs.size();
  std::size_t first = second;
  for (auto pair = moved.rbegin(); pair != moved.rend(); ++pair) {
    for (; first > 0 && pairs[first - 1] > *pair; --first) {
      pairs[--to] = pairs[first - 1];
    }
    pairs[--to] = *pair;
  }
}

void PairSorter::sort_by_digits(std::span<Pair> pairs) {
  constexpr std::size_t few = 256;
  constexpr unsigned max_digit = 11;  // so that the counts of a pass stay in the L1 cache
  if (pairs.size() <= few || pairs.size() > std::numeric_limits<std::uint32_t>::max()) {
    sort_pairs(pairs);
    return;
  }
  Pair used;  // the bits of all indices
  for (const Pair pair : pairs) {
    used = {used.a | pair.a, used.b | pair.b};
  }
  const auto bits_of_b = static_cast<unsigned>(std::bit_width(used.b));
  const unsigned bits = bits_of_b + static_cast<unsigned>(std::bit_width(used.a));
  const unsigned passes = std::max(1U, (bits + max_digit - 1) / max_digit);
  const unsigned digit = (bits + passes - 1) / passes;
  const std::size_t digits = std::size_t{1} << digit;
  const auto key = [bits_of_b](Pair pair) { return (std::uint64_t{pair.a} << bits_of_b) | pair.b; };
  counts_.assign(passes * digits, 0);
  Pair* to = spare_of(pairs.size()).data();
  for (const Pair pair : pairs) {
    std::uint64_t rest = key(pair);
    for (std::size_t first = 0; first < counts_.size(); first += digits, rest >>= digit) {
      ++counts_[first + (rest & (digits - 1))];
    }
  }
  Pair* from = pairs.data();
  for (unsigned pass = 0; pass < passes; ++pass) {
    const auto places = std::span(counts_).subspan(pass * digits, digits);
    std::uint32_t place = 0;
    for (std::uint32_t& count : places) {
      place += std::exchange(count, place);
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Pair pair = from[i];
      to[places[(key(pair) >> (pass * digit)) & (digits - 1)]++] = pair;
    }
    std::swap(from, to);
  }
  if (from != pairs.data()) {
    std::copy_n(from, pairs.size(), pairs.data());
  }
}

std::span<Pair> PairSorter::spare_of(std::size_t pairs) {
  if (spare_.size() < pairs) {
    detail::reserve(spare_, pairs);
    spare_.resize(pairs);
  }
  return {spare_.data(), pairs};
}

}  // namespace broadside::inline v0_2
