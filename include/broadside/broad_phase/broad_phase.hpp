#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/body_type.hpp"
#include "broadside/base/export.h"
#include "broadside/base/filter.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/base/statistics.hpp"
#include "broadside/base/vec2.hpp"
#include "broadside/broad_phase/box_kind.hpp"
#include "broadside/broad_phase/cell.hpp"

namespace broadside::inline v0_2 {

class TaskRunner;
class Technique;

namespace detail {
struct BroadPhaseState;
class BoxSearch;
}  // namespace detail

/// Stores a set of boxes and finds all pairs of them that overlap.
///
/// How it does so is up to its technique; techniques differ in cost, never in the pairs found. The classes
/// that derive from this one choose a technique: `HierarchicalGrid`, the default, `HashGrid`, `UniformGrid`,
/// `SweepAndPrune`, `BruteForce`; `techniques()` has more. Boxes are named by the `BoxIndex` that `add`
/// returns: the same sequence of calls gets the same indices with every technique, and the index of a removed
/// box is reused.
///
/// Each unordered pair is reported once, with `a < b`, and only if the types (`can_touch`) and the filters
/// (`may_touch`) allow it.
///
/// @par Errors
/// A box that is not finite or is inverted is refused (`not_finite`, `inverted_box`), and so is an index that
/// names no box (`stale_id`). On error the set is unchanged; this includes `std::bad_alloc`.
/// @par Threads
/// Const calls may run concurrently; all other calls need exclusive access.
/// @par Complexity
/// Letters used below: n boxes, p pairs found, t tests made (`Statistics::tests`).
class BROADSIDE_API BroadPhase {
 public:
  /// Creates a broad phase without boxes. @pre technique is not null
  explicit BroadPhase(std::unique_ptr<Technique> technique);
  virtual ~BroadPhase();
  BroadPhase(const BroadPhase&) = delete;
  BroadPhase& operator=(const BroadPhase&) = delete;

  /// Replaces the technique; the boxes, their indices and all settings stay. The next update inserts all
  /// boxes. Afterwards also a `HashGrid` may use any technique: `name` returns which.
  /// @pre technique is not null
  void set_technique(std::unique_ptr<Technique> technique);
  /// Returns the technique's name as the command line spells it, such as "hash-grid". Valid until
  /// `set_technique`.
  [[nodiscard]] std::string_view name() const;

  /// Adds a box and returns its index.
  /// @par Errors
  /// `invalid_argument` also if the type is not one of the enum's values; the same in the other overloads.
  Result<BoxIndex> add(const Aabb& box, BodyType type = BodyType::dynamic, const Filter& filter = {});

  /// Adds boxes [n] of one type and filter, all or none, and returns their indices [n] in the same order.
  /// @par Errors
  /// `invalid_argument` also if the boxes would have more than 65,000 different filters at once; groups do
  /// not count.
  Result<std::vector<BoxIndex>> add(std::span<const Aabb> boxes, BodyType type = BodyType::dynamic,
                                    const Filter& filter = {});

  /// Adds boxes [n], each with its own type and filter, all or none. Indices and errors as above.
  Result<std::vector<BoxIndex>> add(std::span<const Aabb> boxes, std::span<const BoxKind> kinds);

  /// Changes the filter of a box.
  Result<void> set_filter(BoxIndex index, const Filter& filter);
  /// Changes the type and filter of a box. A new type costs as much as removing and adding the box.
  Result<void> set_kind(BoxIndex index, const BoxKind& kind);

  /// Returns the filter of a box, or `stale_id`.
  [[nodiscard]] Result<Filter> filter(BoxIndex index) const;

  /// Sets the task runner for parallel work; null for the caller's thread alone. `HierarchicalGrid` uses it
  /// throughout, the other techniques only to validate and store moved boxes. The pairs and their order do
  /// not depend on it. `runner` must outlive its use.
  ///
  /// @par Errors
  /// `invalid_argument` if `runner->threads()` is 0; later changes of that number are ignored.
  Result<void> use_threads(TaskRunner* runner);

  /// Enables or disables sorting the pairs by (a, b), so that their order does not depend on the technique.
  /// Off by default. A `HierarchicalGrid`, which reuses most pairs from frame to frame, then keeps them
  /// sorted.
  void keep_sorted(bool on);

  /// Enables or disables the times and the growth of memory in the statistics. Off by default: with few
  /// boxes, reading the clock takes as long as finding the pairs.
  void measure_times(bool on);

  /// Enables or disables counting the visits of queries for `query_cells`, and resets the counts. Off by
  /// default. Answers do not depend on it; but while it is on, queries allocate and must not run
  /// concurrently.
  void watch_queries(bool on);

  /// Returns the cells that queries search, for drawing, with the watched visits since the last change or
  /// update: the occupied cells of a `UniformGrid` or `HashGrid`, the tree nodes of a
  /// `HierarchicalGrid`.
  ///
  /// Every query tests the boxes that are in no cell; border cells also hold the boxes beyond them. Empty for
  /// techniques that test all boxes, and for a `HierarchicalGrid` without a tree: a watched query builds the
  /// tree, unless there are fewer than 64 boxes. Also empty until an update succeeds, if the last one ran out
  /// of memory or the technique was replaced.
  [[nodiscard]] std::vector<Cell> query_cells() const;

  /// Describes in a sentence what the technique chose by itself, and why; empty if it chooses nothing.
  [[nodiscard]] std::string tuning() const;

  /// Returns the width and height of a cell as of the last update (unit: length); zero for a technique whose
  /// cells differ, and for one without cells.
  [[nodiscard]] Vec2 cell_size() const;

  /// Moves a box to new corners. A box of any type may be moved; a static one costs more.
  Result<void> move(BoxIndex index, const Aabb& box);

  /// Moves the boxes named by indices [m] to boxes [m], all or none. Unchanged boxes may be included, but
  /// need not be.
  ///
  /// @par Errors
  /// `invalid_argument` also if an index occurs twice, or if the numbers of boxes and indices differ.
  Result<void> move(std::span<const BoxIndex> indices, std::span<const Aabb> boxes);

  /// Removes a box.
  Result<void> remove(BoxIndex index);

  /// Removes the boxes named by indices [m], in this order, all or none.
  ///
  /// @par Errors
  /// `invalid_argument` also if an index occurs twice.
  Result<void> remove(std::span<const BoxIndex> indices);

  /// Brings the structure up to date with all changes. `find_pairs` does so by itself; call `update` if many
  /// queries follow many changes.
  void update();

  /// Finds all overlapping pairs.
  ///
  /// @return the pairs, valid until the next call of a non-const function
  /// @par Complexity
  /// See the technique; O(n^2) at worst, which is also the size of the worst answer.
  /// @par Order
  /// Determined by the calls made so far and the technique; with `keep_sorted` not by the technique.
  [[nodiscard]] std::span<Pair> find_pairs();

  /// Finds the overlapping pairs with at least one box among `indices` [m]. If only these boxes changed, only
  /// these pairs can be new.
  ///
  /// @return the pairs, each once, valid until the next call of a non-const function
  /// @par Errors
  /// `stale_id`; `invalid_argument` if an index occurs twice.
  /// @par Complexity
  /// O(m + p) expected with `HierarchicalGrid`, that of `find_pairs` with the others.
  /// @par Order
  /// As of `find_pairs`.
  [[nodiscard]] Result<std::span<Pair>> find_pairs_of(std::span<const BoxIndex> indices);

  /// Replaces `hits` by the indices of all boxes that overlap `area`, ascending, each once. Sees the latest
  /// change.
  ///
  /// @par Complexity
  /// See the technique if the structure is up to date; O(n) between a change and `update`, except for
  /// `HierarchicalGrid` if it has a tree.
  Result<void> query_area(const Aabb& area, std::vector<BoxIndex>& hits) const;

  /// Appends the indices of all boxes that overlap `area`, each once, in no order. Sees the latest change.
  /// @pre is_valid(area)
  void append_area(const Aabb& area, std::vector<BoxIndex>& hits) const;

  /// Returns the box. @pre contains(index)
  [[nodiscard]] const Aabb& box_of(BoxIndex index) const;

  /// Returns the end of the indices used so far: all are below.
  [[nodiscard]] BoxIndex index_end() const;

  /// Returns the number of boxes held.
  [[nodiscard]] std::size_t size() const;

  /// Returns whether `index` names a box.
  [[nodiscard]] bool contains(BoxIndex index) const;

  /// Returns the box, or `stale_id`.
  [[nodiscard]] Result<Aabb> box(BoxIndex index) const;

  /// Returns what the last `find_pairs` did.
  [[nodiscard]] Statistics statistics() const;

  /// Returns the occupied cells as of the last update, for drawing; empty for techniques without cells.
  /// Corners beyond the range of float are clamped to it. Also empty until an update succeeds, if the last
  /// one ran out of memory or the technique was replaced.
  [[nodiscard]] std::vector<Cell> cells() const;

  /// Returns the cells of `cells()` that hold a box, or `stale_id`. None for a box that is in no cell: one
  /// added since the last update, or one that its technique tests against all others.
  /// @par Complexity
  /// As `cells`; for drawing and for tests.
  [[nodiscard]] Result<std::vector<Cell>> cells_of(BoxIndex index) const;

  /// Returns the boxes in a cell of `cells()`, ascending: those of all cells with the same bounds, since
  /// static and moving boxes may have cells of their own. None if no cell has these bounds.
  /// @par Complexity
  /// As `cells`; for drawing and for tests.
  [[nodiscard]] std::vector<BoxIndex> members_of(const Cell& cell) const;

 private:
  friend class detail::BoxSearch;
  class KindUses;

  void visit_cells(CellVisitor visit) const;
  template <typename Find>
  std::span<Pair> collect(const Find& find);

  std::unique_ptr<detail::BroadPhaseState> state_;
};

}  // namespace broadside::inline v0_2
