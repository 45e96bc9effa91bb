#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/export.h"
#include "broadside/base/function_ref.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/statistics.hpp"
#include "broadside/base/vec2.hpp"
#include "broadside/broad_phase/box_store.hpp"
#include "broadside/broad_phase/cell.hpp"
#include "broadside/broad_phase/pair_buffer.hpp"

namespace broadside::inline v0_2 {

class BroadPhase;

namespace detail {
struct BroadPhaseState;
class BoxSearch;
class TrackingTechnique;
}  // namespace detail

/// Finds the pairs of a `BroadPhase`.
///
/// Derive from it to write a technique, and pass it to `BroadPhase`, or a function that makes it to
/// `World::set_technique`. `BroadPhase` checks all arguments and stores the boxes; the technique reads them
/// from `store()`, but not in its constructor. `tests/world/user_technique_test.cpp` has one of 40 lines.
///
/// @par Order
/// A change is reported after `store()` has it, unless noted. Of several boxes that are removed, each is
/// reported before the next one is removed; its box and type can still be read. After a failure, or if the
/// technique is set while there are boxes, no change is reported until the next update, which calls `clear`,
/// `on_added` with all boxes, and `update`.
/// @par Errors
/// A function may throw `std::bad_alloc` and nothing else. If it is not const, then before the next update,
/// `clear` and `on_added` with all boxes are called; if it is const, the caller of the query gets the
/// exception.
/// @par Threads
/// Const functions may be called concurrently.
class BROADSIDE_API Technique {
 public:
  virtual ~Technique();
  Technique(const Technique&) = delete;
  Technique& operator=(const Technique&) = delete;

  /// Returns the name as the command line spells it, such as "hash-grid".
  [[nodiscard]] virtual std::string_view name() const = 0;

 protected:
  friend class BroadPhase;
  friend class detail::BoxSearch;

  /// The boxes whose pairs `BroadPhase::find_pairs_of` asks for.
  struct Request {
    std::span<const BoxIndex> indices;            ///< [m]
    std::span<const unsigned char> is_requested;  ///< [slots] 1 for the boxes of `indices`

    [[nodiscard]] bool includes(BoxIndex index) const { return is_requested[index] != 0; }
  };

  Technique() = default;

  /// Returns the boxes.
  [[nodiscard]] const BoxStore& store() const { return *store_; }

  // Every technique implements these.

  /// Brings the structure up to date.
  virtual void update() = 0;
  /// Removes all boxes from the structure, in whatever state a failed allocation left it.
  virtual void clear() = 0;
  /// Appends all overlapping pairs whose types may touch (`can_touch`), each once, with `a < b`
  /// (`ordered_pair`). Filters may be ignored. The structure is up to date.
  virtual void collect_pairs(PairBuffer& pairs) = 0;
  /// Appends the boxes that overlap an area, each once. The structure is not stale.
  virtual void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const = 0;
  /// Returns whether `collect_area` would miss a box, because of a change since the last `update` or because
  /// the structure holds none; then all boxes are tested instead.
  [[nodiscard]] virtual bool is_stale() const = 0;
  /// Returns the memory in use, without the boxes (unit: byte).
  [[nodiscard]] virtual std::size_t bytes() const = 0;

  // Changes of the boxes, also while the structure is stale.

  virtual void on_added(std::span<const BoxIndex> /*indices*/) {}
  virtual void on_moved(std::span<const BoxIndex> /*indices*/) {}
  virtual void on_removed(BoxIndex /*index*/) {}
  virtual void on_filter_changed(BoxIndex /*index*/) {}
  /// Called when the number of an unused kind was given to another kind, before any box has it.
  virtual void on_kind_reused(std::uint16_t /*number*/) {}

  // Every technique may implement these; `BroadPhase` documents `query_cells`, `tuning` and `cell_size`.

  /// Visits the occupied cells, for `BroadPhase::cells`, `cells_of` and `members_of`.
  virtual void visit_cells(CellVisitor /*visit*/) const {}
  [[nodiscard]] virtual std::vector<Cell> query_cells() const { return cells(); }
  [[nodiscard]] virtual std::string tuning() const { return {}; }
  [[nodiscard]] virtual Vec2 cell_size() const { return {}; }
  /// Returns whether `collect_pairs` leaves out the pairs that filters exclude, except for those of
  /// `BoxStore::groups`; otherwise `BroadPhase` drops them. Pairs that groups exclude it drops anyway.
  [[nodiscard]] virtual bool applies_filters() const { return false; }
  /// Appends the pairs of which a or b is requested; pairs that types or filters exclude may be among them.
  /// By default finds all pairs and drops the others.
  virtual void collect_pairs_of(const Request& request, PairBuffer& pairs);
  /// Appends the boxes wholly within the area to `within`, and those that cross its edge to `crossing`. By
  /// default splits the result of `collect_area`.
  virtual void collect_split(const Aabb& area, std::vector<BoxIndex>& within,
                             std::vector<BoxIndex>& crossing) const;
  /// Returns the side of an area that typically holds a few boxes: positive, and the largest float if
  /// `collect_area` tests all boxes anyway.
  [[nodiscard]] virtual float typical_cell_size() const;
  /// Counts visits to the cells that `collect_area` and `collect_split` search for an area, if there are any.
  virtual void count_visits(const Aabb& /*area*/) const {}

  // Services of the broad phase.

  /// Returns the cells that `visit_cells` visits.
  [[nodiscard]] std::vector<Cell> cells() const;
  /// Returns whether the pairs will be sorted by (a, b) after `collect_pairs`.
  [[nodiscard]] bool wants_sorted() const;
  void sort(std::span<Pair> pairs);
  /// Counts a query's visit to a cell.
  void count_visit(std::size_t cell) const { ++visit_counters(cell + 1)[cell]; }
  /// Returns the visit counters of at least `cells` cells.
  [[nodiscard]] std::uint32_t* visit_counters(std::size_t cells) const;
  [[nodiscard]] std::uint32_t visits_of(std::size_t cell) const;
  [[nodiscard]] bool is_watched() const;

  /// What the technique counts; `BroadPhase` sets hits, boxes, boxes searched, bytes and times. `tests`,
  /// `cells_visited` and `owner_checks` are 0 at the begin of `collect_pairs` and `collect_pairs_of`,
  /// `update_tests` and `update_cells_visited` at that of `update`.
  Statistics statistics_;

 private:
  friend class detail::TrackingTechnique;

  /// Returns this technique if the broad phase reports each move to it in advance.
  [[nodiscard]] virtual detail::TrackingTechnique* tracking() { return nullptr; }

  const BoxStore* store_ = nullptr;
  detail::BroadPhaseState* state_ = nullptr;
};

}  // namespace broadside::inline v0_2
