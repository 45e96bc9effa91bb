#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/export.h"
#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/base/tasks.hpp"

namespace broadside::inline v0_2 {

/// Options of `find_pairs`.
struct FindPairsOptions {
  bool sorted =
      false;  ///< sort the pairs by (a, b); otherwise the order is fixed by the boxes, but arbitrary
  /// More pairs are an error, never cut off silently. Beyond the limit they are counted, not stored: memory
  /// is O(n + max_pairs).
  std::size_t max_pairs = (std::numeric_limits<std::size_t>::max)();
  /// Number of threads, at most 1,024; 0 for as many as the machine has. They are started for this call,
  /// which takes some 50 microseconds each.
  std::size_t threads = 1;
  TaskRunner* tasks = nullptr;  ///< runs the tasks on existing threads instead
  /// [n] not 0 for boxes that never move, such as walls: pairs of two such boxes are left out. Empty if there
  /// are none. Only for one set of boxes.
  std::span<const std::uint8_t> is_static = {};
};

/// Finds all pairs of boxes that overlap, including touching ones: each once, `a < b`.
///
/// Keeps nothing between calls. Prefer a `PairFinder` if there are many pairs, and a `BroadPhase` for boxes
/// that stay from frame to frame.
///
/// @param boxes boxes [n], may be empty
/// @return pairs of positions in `boxes`
/// @par Errors
/// `not_finite` or `inverted_box`, naming the first such box; `too_many_pairs` beyond the limit, naming the
/// true count; `invalid_argument` for more than 1,024 threads, for a task runner without threads, and for a
/// number of `is_static` that is not that of the boxes. If memory runs out, throws `std::bad_alloc`.
/// @par Order
/// The same for any number of threads, on every machine.
/// @par Complexity
/// O(n log n + p) expected for n boxes and p pairs; O(n^2) at worst. Allocates.
/// @par Threads
/// Any number of calls may run concurrently.
[[nodiscard]] BROADSIDE_API Result<std::vector<Pair>> find_pairs(std::span<const Aabb> boxes,
                                                                 const FindPairsOptions& options = {});

/// Finds all overlapping pairs of one box of `left` and one of `right`, including touching ones: each once.
///
/// @param left boxes [n], may be empty
/// @param right boxes [m], may be empty, may be the same array
/// @return pairs whose `a` is a position in `left` and `b` one in `right`
/// @par Complexity
/// O(m log m + n log m + p) expected; O(n m) at worst. Errors, order and threads as above.
[[nodiscard]] BROADSIDE_API Result<std::vector<Pair>> find_pairs(std::span<const Aabb> left,
                                                                 std::span<const Aabb> right,
                                                                 const FindPairsOptions& options = {});

/// Finds pairs as the functions above do, in memory that it keeps for the next call: where pairs are many, a
/// single call spends most of its time on memory that is new to it.
///
/// What it returns depends on the arguments alone: the same pairs in the same order, and the same errors, as
/// those of the functions.
class BROADSIDE_API PairFinder {
 public:
  PairFinder() noexcept;
  PairFinder(PairFinder&& other) noexcept;
  PairFinder& operator=(PairFinder&& other) noexcept;
  ~PairFinder();

  /// Finds all pairs of boxes [n] that overlap.
  ///
  /// @return pairs, valid until the next call
  /// @par Complexity
  /// O(n log n + p) expected, O(n^2) at worst; allocates only if it has to grow.
  [[nodiscard]] Result<std::span<const Pair>> find_pairs(std::span<const Aabb> boxes,
                                                         const FindPairsOptions& options = {});

  /// Finds all overlapping pairs of one box of `left` [n] and one of `right` [m].
  ///
  /// @return pairs, valid until the next call
  /// @par Complexity
  /// O(m log m + n log m + p) expected, O(n m) at worst; allocates only if it has to grow.
  [[nodiscard]] Result<std::span<const Pair>> find_pairs(std::span<const Aabb> left,
                                                         std::span<const Aabb> right,
                                                         const FindPairsOptions& options = {});

 private:
  struct Memory;
  Memory& memory();

  std::unique_ptr<Memory> memory_;  ///< null before the first call
};

}  // namespace broadside::inline v0_2
