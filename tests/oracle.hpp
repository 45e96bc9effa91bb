#pragma once

// The oracle of the tests. It includes nothing of broadside on purpose: an oracle that shares a predicate
// with the code under test shares its mistakes.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace broadside::test {

using IndexPair = std::pair<std::uint32_t, std::uint32_t>;

/// A closed box in double, which holds every float exactly.
struct Rect {
  double left = 0.0;
  double bottom = 0.0;
  double right = 0.0;
  double top = 0.0;
  bool dynamic = true;
};

/// Returns whether a gap lies between the two on some axis; a shared edge is no gap.
bool disjoint(const Rect& a, const Rect& b);

/// Returns all pairs of positions (a < b) that are not disjoint and of which at least one is dynamic,
/// ascending.
std::vector<IndexPair> all_pairs(std::span<const Rect> rects);

// The two algorithms of `all_pairs`: every pair is tested; a sweep line is used for larger sets.
std::vector<IndexPair> all_pairs_by_looking(std::span<const Rect> rects);
std::vector<IndexPair> all_pairs_by_sweeping(std::span<const Rect> rects);

/// Returns all pairs (position in left, position in right) that are not disjoint, ascending; ignores
/// `dynamic`.
std::vector<IndexPair> pairs_between(std::span<const Rect> left, std::span<const Rect> right);

/// Returns the positions of all boxes that are not disjoint with the area, ascending.
std::vector<std::uint32_t> all_in(std::span<const Rect> rects, const Rect& area);

}  // namespace broadside::test
