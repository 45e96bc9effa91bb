#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"
#include "broadside/broad_phase/box_kind.hpp"
#include "broadside/distributed/communicator.hpp"
#include "broadside/distributed/global_id.hpp"
#include "broadside/distributed/partition.hpp"

namespace broadside::inline v0_2 {

/// When the cuts between the parts are moved. The settings of rank 0 count.
struct RebalanceOptions {
  /// The cuts are moved if the slowest part works longer than this times the mean: 1 or more, infinity for
  /// never.
  float max_imbalance = 1.25F;
  std::uint32_t interval = 8;  ///< least number of searches from one move of the cuts to the next: 1 or more
  /// Share of the work on both sides of a cut that it may pass in one move: above 0, at most 1.
  float max_share = 0.1F;
};

/// What the last search of a part did. The counts are those of this part.
struct DistributedStatistics {
  std::uint64_t owned = 0;          ///< boxes that it owns
  std::uint64_t ghosts = 0;         ///< copies of boxes of other parts
  std::uint64_t pairs = 0;          ///< pairs that it reports
  std::uint64_t migrants = 0;       ///< boxes that it gave to other parts
  std::uint64_t ghost_records = 0;  ///< changes of ghosts that it sent: new ones, moves, removals
  std::uint64_t bytes = 0;          ///< of these; the fixed message that each search begins with is left out
  std::uint64_t rebalances = 0;     ///< how often the cuts were moved so far
  double imbalance = 1.0;           ///< work of the slowest part divided by the mean
  /// Processor time of the stages without waiting and without `balance`; the cuts are moved by it.
  double work_seconds = 0.0;
  double agree_seconds = 0.0;     ///< waiting for the other parts, and checking that none refused a change
  double balance_seconds = 0.0;   ///< moving the cuts
  double update_seconds = 0.0;    ///< writing and reading the records
  double exchange_seconds = 0.0;  ///< exchanging them
  double search_seconds = 0.0;    ///< finding the pairs of owned boxes and ghosts
  double owner_seconds = 0.0;     ///< leaving out the pairs of other parts, and sorting
};

/// Finds all pairs of boxes that overlap, where the boxes are distributed over parts of the plane.
///
/// Each part has an object of this class and owns the boxes whose min corner lies in its region. It also
/// holds *ghosts*, copies of the boxes of other parts that meet its region; only their changes are sent. All
/// parts together report the pairs that one `BroadPhase` with all boxes reports, each once.
///
/// A box may be added to any part. The next `find_pairs` moves it to its owner, and only there it can be
/// changed: a program asks `owned` after each search.
///
/// @par Errors
/// A box that is not finite or is inverted is refused (`not_finite`, `inverted_box`), and so is the id of a
/// box that this part does not own (`stale_id`). Nothing changes then, and the next `find_pairs` returns the
/// same error on all parts.
/// @par Threads
/// An object is used by one thread. The objects of several parts are independent.
/// @par Complexity
/// Letters used below: n boxes of this part, c of them changed, g ghosts, p pairs found.
class DistributedBroadPhase {
 public:
  /// Creates a broad phase without boxes. @param others must outlive it
  explicit DistributedBroadPhase(Communicator& others);
  ~DistributedBroadPhase();
  DistributedBroadPhase(const DistributedBroadPhase&) = delete;
  DistributedBroadPhase& operator=(const DistributedBroadPhase&) = delete;

  /// Sets when the cuts are moved.
  /// @par Errors
  /// `invalid_argument` for options out of their ranges.
  Result<void> set_rebalance(const RebalanceOptions& options);
  /// Enables or disables sorting the pairs by (a, b). Off by default.
  void keep_sorted(bool on);

  /// Adds boxes [n] of one kind, all or none, and returns their ids [n]: the next ones of this rank.
  /// @par Errors
  /// `invalid_argument` also if the kind is refused by `BroadPhase::add`.
  Result<std::vector<GlobalId>> add(std::span<const Aabb> boxes, const BoxKind& kind = {});
  /// Adds boxes [n] with ids of the caller, and kinds [n] or [0] for the default; all or none.
  ///
  /// @pre no part has a box with one of these ids; the id of a removed box may be used again after the next
  /// `find_pairs`
  /// @par Errors
  /// `invalid_argument` also if the numbers of boxes, ids and kinds differ, if an id occurs twice, and if
  /// this part holds a box with one of the ids.
  Result<void> add(std::span<const GlobalId> ids, std::span<const Aabb> boxes,
                   std::span<const BoxKind> kinds = {});

  /// Moves the boxes named by ids [m] to boxes [m], all or none.
  ///
  /// @par Errors
  /// `invalid_argument` also if an id occurs twice, or if the numbers of boxes and ids differ.
  /// @par Complexity
  /// O(m); fastest if the ids are in the order of `owned`.
  Result<void> move(std::span<const GlobalId> ids, std::span<const Aabb> boxes);
  /// Changes the type and the filter of a box.
  Result<void> set_kind(GlobalId id, const BoxKind& kind);
  /// Removes the boxes named by ids [m], all or none.
  ///
  /// @par Errors
  /// `invalid_argument` also if an id occurs twice.
  Result<void> remove(std::span<const GlobalId> ids);

  /// Returns the ids of the boxes that this part owns, in no particular order. Valid until the next call of a
  /// non-const function.
  [[nodiscard]] std::span<const GlobalId> owned() const;
  /// Tells whether this part owns a box.
  [[nodiscard]] bool owns(GlobalId id) const;
  /// Returns a box that this part owns, or `stale_id`.
  [[nodiscard]] Result<Aabb> box(GlobalId id) const;

  /// Finds all pairs of overlapping boxes, and returns those that this part reports. Collective.
  ///
  /// Moves boxes to their owners, updates ghosts and, if the work of the parts differs, moves the cuts. The
  /// pairs of all parts together do not depend on that.
  /// @return valid until the next call of a non-const function
  /// @par Errors
  /// The error of a change that some part refused since the last call, of the least such rank, on all parts.
  /// No part has changed then; all other changes stay for the next call. `io` if another part ended, and
  /// `parse` for a damaged message: then the object can only be destroyed.
  /// @par Complexity
  /// O(c + g + p) besides the search of the n + g boxes, which is that of a `HierarchicalGrid`; O(p log p) if
  /// pairs are kept sorted.
  [[nodiscard]] Result<std::span<const GlobalPair>> find_pairs();

  /// Returns the current partition. All parts have the same.
  [[nodiscard]] const Partition& partition() const;
  /// Returns what the last `find_pairs` did.
  [[nodiscard]] DistributedStatistics statistics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace broadside::inline v0_2
