#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/body_type.hpp"
#include "broadside/base/filter.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/pair_sorter.hpp"
#include "broadside/base/result.hpp"
#include "broadside/base/statistics.hpp"
#include "broadside/base/tasks.hpp"
#include "broadside/broad_phase/detail/moves.hpp"
#include "broadside/broad_phase/detail/near.hpp"
#include "broadside/broad_phase/detail/pair_buffer.hpp"
#include "broadside/broad_phase/detail/pair_workers.hpp"
#include "broadside/broad_phase/detail/swept_box.hpp"

namespace broadside {

/// A cell for debug drawing, with the number of its boxes (at least one). In `query_cells` it may also be a
/// node of a tree.
struct Cell {
  Aabb bounds;
  std::size_t boxes = 0;
  std::uint32_t level = 0;  ///< 0 for cells and for leaves of a tree, 1 for the parents of leaves, and so on
  std::uint32_t looks = 0;  ///< visits by queries that were watched
};

/// The type and the filter of a box.
struct BoxKind {
  BodyType type = BodyType::dynamic;
  Filter filter = {};
};

/// Stores a set of boxes and finds all pairs of them that overlap.
///
/// All techniques implement this interface: they differ in cost, never in the pairs found. Boxes are named by
/// the `BoxIndex` that `add` returns: the same sequence of calls gets the same indices from every technique,
/// and the index of a removed box is reused.
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
class BroadPhase {
 public:
  virtual ~BroadPhase();
  BroadPhase(const BroadPhase&) = delete;
  BroadPhase& operator=(const BroadPhase&) = delete;

  /// Returns the technique's name as the command line spells it, such as "hash-grid".
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Adds a box and returns its index.
  /// @par Errors
  /// `invalid_argument` also if the type is not one of the enum's values; the same in the other overloads.
  Result<BoxIndex> add(const Aabb& box, BodyType type = BodyType::dynamic, const Filter& filter = {});

  /// Adds boxes [n] of one type and filter, all or none, and returns their indices [n] in the same order.
  /// @par Errors
  /// `invalid_argument` also if the boxes would have more than 65,000 different filters at once.
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
  void keep_sorted(bool on) { is_sorted_ = on; }

  /// Enables or disables the times in the statistics. Off by default: with few boxes, reading the clock takes
  /// as long as finding the pairs.
  void measure_times(bool on) { measures_times_ = on; }

  /// Enables or disables counting the visits of queries for `query_cells`, and resets the counts. Off by
  /// default. Answers do not depend on it; but while it is on, queries allocate and must not run
  /// concurrently.
  void watch_queries(bool on) {
    watched_ = on;
    looks_.clear();
  }

  /// Returns the cells that queries search, for drawing, with the watched visits since the last change or
  /// update: the occupied cells of the two grids, the tree nodes of a `HierarchicalGrid`.
  ///
  /// Every query tests the boxes that are in no cell; border cells also hold the boxes beyond them. Empty for
  /// techniques that test all boxes, and for a `HierarchicalGrid` without a tree: a watched query builds the
  /// tree, unless there are fewer than 64 boxes.
  [[nodiscard]] virtual std::vector<Cell> query_cells() const { return cells(); }

  /// Describes in a sentence what the technique chose by itself, and why; empty if it chooses nothing.
  [[nodiscard]] virtual std::string tuning() const { return {}; }

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

  /// Brings the structure up to date with all changes. `find_pairs` does so by itself; call `update` if only
  /// queries follow.
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
  /// See the technique if the structure is up to date; O(n) between a change and `update`.
  Result<void> query_area(const Aabb& area, std::vector<BoxIndex>& hits) const;

  // Building blocks of the module `query`.

  /// Appends the indices of all boxes that overlap `area`, each once, in no order. Sees the latest change.
  /// @pre is_valid(area)
  void append_area(const Aabb& area, std::vector<BoxIndex>& hits) const;

  /// Appends the boxes wholly within the area to `within`, and those that cross its edge to `crossing`.
  /// @pre is_valid(area)
  void append_split(const Aabb& area, std::vector<BoxIndex>& within, std::vector<BoxIndex>& crossing) const;

  /// Visits each box that a swept box touches once, roughly by entry time. `visit` returns the time beyond
  /// which hits are no longer wanted. Sees the latest change. `scratch` is in use until this returns.
  ///
  /// @par Complexity
  /// O(sqrt n) searches, each of a part of the path, until `visit` wants no more; O(n) between a change and
  /// `update`.
  void visit_along_path(const detail::SweptBox& path, detail::SweptBoxScratch& scratch,
                        detail::VisitSwept visit) const;

  /// Returns the distance at which a search for the nearest boxes should begin, to be enlarged step by step
  /// (unit: length); the largest float if searching an area costs no less than testing all boxes.
  [[nodiscard]] float initial_search_radius() const;

  /// Visits the boxes around a point, each once, roughly by distance. `visit` returns the distance beyond
  /// which boxes are no longer wanted. Returns false, and visits none, if the structure can only search
  /// areas. `scratch` is in use until this returns.
  ///
  /// @par Complexity
  /// O(log n) nodes of sixteen boxes each, plus O(log m) for each of the m boxes visited.
  [[nodiscard]] bool visit_nearest(const detail::NearQuery& query, detail::NearestScratch& scratch,
                                   detail::VisitNear visit) const {
    return !is_outdated() && visit_nearest_in_structure(query, scratch, visit);
  }

  /// Returns the box. @pre contains(index)
  [[nodiscard]] const Aabb& box_of(BoxIndex index) const { return boxes_[index]; }

  /// Returns the end of the indices used so far: all are below.
  [[nodiscard]] BoxIndex index_end() const { return static_cast<BoxIndex>(boxes_.size()); }

  /// Returns the number of boxes held.
  [[nodiscard]] std::size_t size() const { return boxes_.size() - free_.size(); }

  /// Returns whether `index` names a box.
  [[nodiscard]] bool contains(BoxIndex index) const { return index < used_.size() && used_[index] != 0; }

  /// Returns the box, or `stale_id`.
  [[nodiscard]] Result<Aabb> box(BoxIndex index) const;

  /// Returns what the last `find_pairs` did.
  [[nodiscard]] Statistics statistics() const;

  /// Returns the occupied cells as of the last update, for drawing; empty for techniques without cells.
  /// Corners beyond the range of float are clamped to it.
  [[nodiscard]] virtual std::vector<Cell> cells() const { return {}; }

 protected:
  BroadPhase();

  /// A filter and a body type. Boxes have few different ones, so they are numbered; the number of an unused
  /// class is reused.
  struct FilterClass {
    BodyType type = BodyType::dynamic;
    Filter filter;

    friend constexpr bool operator==(const FilterClass& a, const FilterClass& b) = default;
  };

  // Hooks that a technique implements. Their arguments are valid, and the store below is up to date when they
  // run. `on_moved` and `on_removed` are also called while the structure is stale.
  virtual void on_added(std::span<const BoxIndex> indices) = 0;
  /// Removes all boxes from the structure, in whatever state a failed allocation left it. All boxes are added
  /// again afterwards.
  virtual void clear_structure() = 0;
  /// Returns whether all boxes are valid. A technique that must read them anyway can check them in the same
  /// pass. The indices name boxes.
  [[nodiscard]] virtual bool are_valid(const detail::Moves& moves);
  /// Called right after `are_valid` found the new boxes valid; `box_at` still returns the old ones.
  virtual void before_move(const detail::Moves& /*moves*/) {}
  virtual void on_filter_changed(BoxIndex /*index*/) {}
  /// Called when the number of an unused class was given to another class, before any box has it.
  virtual void on_class_reused(std::uint16_t /*filter_class*/) {}
  /// Returns whether `collect_pairs` applies the filters itself, for up to `filter_bits` classes.
  [[nodiscard]] virtual bool filters() const { return false; }
  virtual void on_moved(std::span<const BoxIndex> indices) = 0;
  virtual void on_removed(BoxIndex index) = 0;
  virtual void update_structure() = 0;
  virtual void collect_pairs(detail::PairBuffer& pairs) = 0;
  /// Collects the pairs of which a or b `is_requested`; pairs that types or filters exclude may be among
  /// them. By default finds all pairs and drops the others.
  virtual void collect_pairs_of(std::span<const BoxIndex> asked, detail::PairBuffer& pairs);
  [[nodiscard]] bool is_requested(BoxIndex index) const { return requested_[index] != 0; }
  virtual void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const = 0;
  /// The same for `append_split`. By default splits the result of `collect_area`.
  virtual void collect_split(const Aabb& area, std::vector<BoxIndex>& within,
                             std::vector<BoxIndex>& crossing) const;
  /// Returns the side of an area that typically holds a few boxes; the largest float if `collect_area` tests
  /// all boxes anyway.
  [[nodiscard]] virtual float typical_cell_size() const;
  /// Counts visits to the cells that `collect_area` and `collect_split` search for an area, if there are any.
  virtual void count_visits(const Aabb& /*area*/) const {}
  /// Counts a query's visit to a cell.
  void count_visit(std::size_t cell) const { ++visit_counters(cell + 1)[cell]; }
  /// Returns the visit counters of at least `cells` cells.
  [[nodiscard]] std::uint32_t* visit_counters(std::size_t cells) const;
  [[nodiscard]] std::uint32_t looks_at(std::size_t cell) const {
    return cell < looks_.size() ? looks_[cell] : 0;
  }
  [[nodiscard]] bool is_watched() const { return watched_; }
  /// Implements `visit_nearest` for a structure that is up to date.
  [[nodiscard]] virtual bool visit_nearest_in_structure(const detail::NearQuery& /*query*/,
                                                        detail::NearestScratch& /*scratch*/,
                                                        detail::VisitNear /*visit*/) const {
    return false;
  }
  /// Implements `visit_along_path` for a structure that is up to date, one part of the path after the other.
  virtual void walk(const detail::SweptBox& path, detail::SweptBoxScratch& scratch,
                    detail::VisitSwept visit) const;
  /// Calls `visit` with the boxes of `scratch.names` whose entry is in [from, to), or in [from, 1] if `to` is
  /// 1, and not beyond `limit`. Returns the new limit.
  double visit_part(const detail::SweptBox& path, double from, double to, double limit,
                    detail::SweptBoxScratch& scratch, detail::VisitSwept visit) const;
  /// Returns into how many parts a path may be divided.
  [[nodiscard]] double max_parts() const;
  /// Returns whether `collect_area` would miss a change made since the last `update_structure`.
  [[nodiscard]] virtual bool is_stale() const = 0;
  [[nodiscard]] bool is_outdated() const { return needs_rebuild_ || is_stale(); }
  [[nodiscard]] virtual std::size_t structure_bytes() const = 0;

  // The store, indexed by BoxIndex; slots of removed boxes stay until they are reused.
  [[nodiscard]] std::size_t slot_count() const { return boxes_.size(); }
  /// Returns how many slots fit before the store grows.
  [[nodiscard]] std::size_t box_capacity() const { return boxes_.capacity(); }
  [[nodiscard]] const Aabb& box_at(BoxIndex index) const { return boxes_[index]; }
  [[nodiscard]] BodyType type_at(BoxIndex index) const { return types_[index]; }
  [[nodiscard]] bool is_used(BoxIndex index) const { return used_[index] != 0; }
  [[nodiscard]] std::span<const Aabb> box_slots() const { return boxes_; }
  /// The same for a technique that replaces some boxes temporarily within `collect_pairs`.
  [[nodiscard]] std::span<Aabb> box_slots_to_mask() { return boxes_; }
  [[nodiscard]] std::span<const unsigned char> used_slots() const { return used_; }
  /// Returns the number of the box's class in `filter_classes`.
  [[nodiscard]] std::uint16_t class_at(BoxIndex index) const {
    return classes_.empty() ? static_cast<std::uint16_t>(types_[index]) : classes_[index];
  }
  [[nodiscard]] std::span<const FilterClass> filter_classes() const;
  /// Returns whether some kinematic box has or had the default filter.
  [[nodiscard]] bool has_plain_kinematic() const { return has_plain_kinematic_; }

  /// Returns whether `keep_sorted` is on.
  [[nodiscard]] bool is_sorted() const { return is_sorted_; }
  void sort(std::span<Pair> pairs) { sorter_.sort(pairs, slot_count()); }

  /// Returns the class of each box [slots], stored per box from now on. Valid until a box is added.
  [[nodiscard]] std::span<const std::uint16_t> class_numbers();

  static constexpr std::size_t filter_bits = 32;

  detail::PairWorkers workers_;
  Statistics statistics_;  ///< a technique writes tests, cells_visited, cells, occupied_cells, entries

 private:
  struct Classes;
  class ClassUses;

  void reserve(std::size_t more, bool with_classes);
  [[nodiscard]] Error check_unique(std::span<const BoxIndex> indices, std::string_view call);
  BoxIndex take_slot(const Aabb& box, BodyType type, std::uint16_t filter_class);
  template <typename KindOf>
  std::vector<BoxIndex> take_slots(std::span<const Aabb> boxes, bool with_classes, const KindOf& kind_of);
  template <typename Notify>
  void notify(const Notify& notify);
  void rebuild();
  void set_class(BoxIndex index, std::uint16_t filter_class);
  void release_class(BoxIndex index);
  void drop_filtered();
  [[nodiscard]] Error stale(BoxIndex index) const;
  void split_by_containment(const Aabb& area, std::size_t first, std::vector<BoxIndex>& within,
                            std::vector<BoxIndex>& crossing) const;

  template <typename Stage>
  void timed(double& seconds, Stage stage);

  bool measures_times_ = false;
  bool watched_ = false;
  bool is_sorted_ = false;
  mutable std::vector<std::uint32_t> looks_;  ///< [cells] visits by watched queries; may end early
  bool needs_rebuild_ = false;                ///< the structure missed a change or is incomplete
  std::vector<Aabb> boxes_;
  std::vector<BodyType> types_;
  std::vector<unsigned char> used_;
  std::vector<std::uint16_t> classes_;  ///< [slots]; empty while all filters are the default
  std::unique_ptr<Classes> filter_classes_;
  bool has_plain_kinematic_ = false;
  std::vector<BoxIndex> free_;
  std::vector<unsigned char> requested_;  ///< [slots] scratch of `find_pairs_of`: 1 if asked for
  detail::PairBuffer pairs_;
  PairSorter sorter_;
};

}  // namespace broadside
