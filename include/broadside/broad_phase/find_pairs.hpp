#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/base/tasks.hpp"

namespace broadside {

/// What `find_pairs` may be told.
struct FindPairsOptions {
  bool sorted =
      false;  ///< sort the pairs by (a, b); otherwise the order is fixed by the boxes, but arbitrary
  /// More pairs are an error, never cut off silently. Beyond the limit they are counted, not kept: memory is
  /// O(n + max_pairs).
  std::size_t max_pairs = std::numeric_limits<std::size_t>::max();
  std::size_t threads = 1;      ///< how many work side by side, 1,024 at most; 0 for as many as the machine
                                ///< has. They are started for this call, which takes some 50 microseconds
                                ///< each.
  TaskRunner* tasks = nullptr;  ///< who runs the tasks instead, threads that are there already
};

/// Finds all pairs of boxes that overlap, touching ones included: each once, `a < b`.
///
/// The one-line entry for whoever has boxes and wants pairs; it keeps nothing between calls. Prefer a
/// `BroadPhase` for boxes that stay from frame to frame.
///
/// @param boxes boxes [n], may be empty
/// @return pairs of positions in `boxes`
/// Errors: `not_finite` or `inverted_box`, naming the first such box; `too_many_pairs` beyond the limit,
/// naming the true count; `invalid_argument` for more than 1,024 threads, and for a task runner that says it
/// has none. Where memory runs out, throws `std::bad_alloc`. Order: the same for any number of threads, on
/// every machine. Complexity: O(n log n
/// + p) expected for n boxes and p pairs; O(n^2) at worst. Allocates. Threads: any number of calls side by
/// side.
[[nodiscard]] Result<std::vector<Pair>> find_pairs(std::span<const Aabb> boxes,
                                                   const FindPairsOptions& options = {});

/// Finds all pairs of one box of `left` and one of `right` that overlap, touching ones included: each once.
///
/// @param left boxes [n], may be empty
/// @param right boxes [m], may be empty, may be the same array
/// @return pairs whose `a` is a position in `left` and `b` one in `right`
/// Errors, order and threads as above. Complexity: O(m log m + n log m + p) expected; O(n m) at worst.
[[nodiscard]] Result<std::vector<Pair>> find_pairs(std::span<const Aabb> left, std::span<const Aabb> right,
                                                   const FindPairsOptions& options = {});

}  // namespace broadside
