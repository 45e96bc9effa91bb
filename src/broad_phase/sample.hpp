#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace broadside::inline v0_2::detail {

/// Returns a pseudorandom number in [0, end), the same on every machine.
///
/// Source: the finalizer of SplitMix64, from G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom
/// number generators", 2014.
inline std::size_t hashed_position(std::size_t number, std::size_t end) {
  std::uint64_t hash = (static_cast<std::uint64_t>(number) + 1) * 0x9E3779B97F4A7C15U;
  hash = (hash ^ (hash >> 30U)) * 0xBF58476D1CE4E5B9U;
  hash = (hash ^ (hash >> 27U)) * 0x94D049BB133111EBU;
  return static_cast<std::size_t>((hash ^ (hash >> 31U)) % end);
}

/// Calls `visit(i)` for at least `wanted` positions i of [0, n), ascending, or for all if there are fewer.
///
/// Stratified sampling: a hash selects one position from each of many equal parts. Equal steps would be
/// biased: if kinds of boxes alternate in the array, a step that is a multiple of their period sees one kind
/// only.
template <typename Visit>
void visit_sample(std::size_t n, std::size_t wanted, const Visit& visit) {
  const std::size_t stretch = std::max<std::size_t>(n / wanted, 1);
  for (std::size_t begin = 0; begin < n; begin += stretch) {
    visit(begin + hashed_position(begin, std::min(stretch, n - begin)));
  }
}

/// Returns the mean of `value(i)` over a sample of the positions i of [0, n), or 0 if n is 0.
template <typename Value>
double mean_of_sample(std::size_t n, std::size_t wanted, const Value& value) {
  double sum = 0.0;
  double count = 0.0;
  visit_sample(n, wanted, [&](std::size_t i) {
    sum += value(i);
    count += 1.0;
  });
  return count > 0.0 ? sum / count : 0.0;
}

/// Selects about `wanted` different positions of [0, n), ascending, or all if there are fewer, each one
/// independently of the others. So adjacent positions are as likely as any other two, which matters if pairs
/// within the sample are counted: a stratified sample would hardly ever contain two neighbors of a sorted
/// array.
inline void draw_sample(std::size_t n, std::size_t wanted, std::vector<std::uint32_t>& places) {
  places.clear();
  for (std::size_t k = 0; k < std::min(n, wanted); ++k) {
    places.push_back(static_cast<std::uint32_t>(n <= wanted ? k : hashed_position(k, n)));
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

}  // namespace broadside::inline v0_2::detail
