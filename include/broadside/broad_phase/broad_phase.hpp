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
#include "broadside/broad_phase/detail/swept_box.hpp"
#include "broadside/broad_phase/detail/workers.hpp"

namespace broadside {

/// A cell as a debug drawer wants it: where it is, and how many boxes it holds (at least one). For queries
/// also a node of a tree.
struct Cell {
  Aabb bounds;
  std::size_t boxes = 0;
  std::uint32_t level = 0;  ///< 0 for what has boxes in it, 1 for nodes of such, and so on
  std::uint32_t looks = 0;  ///< how often queries that were watched looked into it
};

/// What a broad phase knows of a box besides its corners.
struct BoxKind {
  BodyType type = BodyType::dynamic;
  Filter filter = {};
};

/// Keeps a set of boxes, and finds all pairs of them that overlap.
///
/// Every technique stands behind this one interface. Exchanging one for another changes the cost, never the
/// answer. Boxes are named by a `BoxIndex` that `add` hands out: the same sequence of calls gets the same
/// indices from every technique, and the index of a removed box is given out again.
///
/// Each unordered pair comes out once, with `a < b`, and only when the types (`can_touch`) and the filters
/// (`may_touch`) allow it.
///
/// Errors: a box that is not finite or is inverted is refused (`not_finite`, `inverted_box`), and an index
/// that names no box likewise (`stale_id`); the set is then as it was before the call. So it is where memory
/// runs out and an allocation throws. Threads: const calls may run side by side; everything else needs the
/// object for itself. Letters used below: n boxes, p pairs found, t tests made (`Statistics::tests`).
class BroadPhase {
 public:
  virtual ~BroadPhase();
  BroadPhase(const BroadPhase&) = delete;
  BroadPhase& operator=(const BroadPhase&) = delete;

  /// Returns the technique's name as the command line spells it, such as "hash-grid".
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Adds a box and returns its index. Errors: `invalid_argument` also for a type that is not one of the
  /// enum's values, here and in the other forms.
  Result<BoxIndex> add(const Aabb& box, BodyType type = BodyType::dynamic, const Filter& filter = {});

  /// Adds boxes [n] of one type and filter in bulk, all or none, and returns their indices [n] in the same
  /// order. Errors: `invalid_argument` also where boxes would have more than 65,000 different filters at
  /// once.
  Result<std::vector<BoxIndex>> add(std::span<const Aabb> boxes, BodyType type = BodyType::dynamic,
                                    const Filter& filter = {});

  /// Adds boxes [n], each of a type and filter of its own, all or none. Indices and errors as above.
  Result<std::vector<BoxIndex>> add(std::span<const Aabb> boxes, std::span<const BoxKind> kinds);

  /// Gives a box another filter.
  Result<void> set_filter(BoxIndex index, const Filter& filter);
  /// Gives a box another type and filter. Costs as much as removing and adding it where the type differs.
  Result<void> set_kind(BoxIndex index, const BoxKind& kind);

  /// Returns the filter of a box, or `stale_id`.
  [[nodiscard]] Result<Filter> filter(BoxIndex index) const;

  /// Lets the technique use threads, where it can: `HierarchicalGrid` does, the others only where boxes are
  /// taken in. The pairs and their order do not depend on it. `runner` must outlive its use; null for the
  /// caller's thread alone.
  ///
  /// @par Errors
  /// `invalid_argument` where `runner->threads()` is 0; it is asked here and not again.
  Result<void> use_threads(TaskRunner* runner);

  /// Switches on or off that pairs are sorted by (a, b) when they are found, so that their order does not
  /// depend on the technique. Off at first. A `HierarchicalGrid`, which keeps most pairs from one frame to
  /// the next, then keeps them sorted.
  void keep_sorted(bool on) { is_sorted_ = on; }

  /// Switches on or off that the statistics tell how long things took. Off at first: with few boxes, looking
  /// at the clock takes as long as finding the pairs.
  void measure_times(bool on) { measures_times_ = on; }

  /// Switches on or off that `query_cells` tells where queries look, and forgets where they did. Off at
  /// first. Answers do not depend on it; but as long as it is on, queries allocate and may not run side by
  /// side.
  void watch_queries(bool on) {
    watched_ = on;
    looks_.clear();
  }

  /// Returns what queries look into, for drawing, and how often those did that were watched since the last
  /// change or update: the occupied cells of the two grids, the nodes of the tree of a `HierarchicalGrid`.
  ///
  /// Boxes that stand in no cell are looked at by every query, and border cells hold what is beyond them. No
  /// cells have techniques that look at all boxes, and a `HierarchicalGrid` without a tree: a query that is
  /// watched makes one, unless there are less than 64 boxes.
  [[nodiscard]] virtual std::vector<Cell> query_cells() const { return cells(); }

  /// Says in a sentence what the technique chose by itself, and why; empty for one that chooses nothing.
  [[nodiscard]] virtual std::string tuning() const { return {}; }

  /// Gives a box new corners. Any type may be moved; a static one costs more.
  Result<void> move(BoxIndex index, const Aabb& box);

  /// Gives boxes named by indices [m] new corners boxes [m], all or none. One that stays as it was may be
  /// among them, but need not.
  ///
  /// @par Errors
  /// `invalid_argument` also where an index occurs twice, and where there are not as many boxes as indices.
  Result<void> move(std::span<const BoxIndex> indices, std::span<const Aabb> boxes);

  /// Removes a box.
  Result<void> remove(BoxIndex index);

  /// Removes boxes named by indices [m], one after the other, all or none.
  ///
  /// @par Errors
  /// `invalid_argument` also where an index occurs twice.
  Result<void> remove(std::span<const BoxIndex> indices);

  /// Brings the structure up to date with all changes. `find_pairs` does so by itself; call it when only
  /// queries follow.
  void update();

  /// Finds all overlapping pairs.
  ///
  /// @return the pairs, valid until the next call of a non-const function
  /// Complexity: see the technique; O(n^2) at worst, which is also the size of the worst answer.
  /// Order: a function of the calls made so far, nothing else; `keep_sorted` where it must not depend on the
  /// technique.
  [[nodiscard]] std::span<Pair> find_pairs();

  /// Finds those of the overlapping pairs that have at least one box among `indices` [m]: what is new where
  /// only these changed.
  ///
  /// @return the pairs, each once, valid until the next call of a non-const function
  /// Errors: `stale_id`; `invalid_argument` where an index occurs twice.
  /// Complexity: O(m + p) expected with `HierarchicalGrid`, that of `find_pairs` with the others. Order: as
  /// of `find_pairs`.
  [[nodiscard]] Result<std::span<Pair>> find_pairs_of(std::span<const BoxIndex> indices);

  /// Writes the indices of all boxes that overlap `area` into `hits`, ascending, each once; what was there
  /// before is overwritten. Sees the latest change.
  ///
  /// Complexity: see the technique where the structure is up to date; O(n) between a change and `update`.
  Result<void> query_area(const Aabb& area, std::vector<BoxIndex>& hits) const;

  // What the room `query` is made of.

  /// Appends the indices of all boxes that overlap `area`, each once, in no order. Sees the latest change.
  /// @pre is_valid(area)
  void append_area(const Aabb& area, std::vector<BoxIndex>& hits) const;

  /// Appends the same to two lists, those that lie within the area wholly to the one and those that cross its
  /// edge to the other. @pre is_valid(area)
  void append_apart(const Aabb& area, std::vector<BoxIndex>& within, std::vector<BoxIndex>& crossing) const;

  /// Hands out the boxes that a path touches, roughly in the order in which it does: each once, those beyond
  /// the time that `take` last returned left out. Sees the latest change. `room` is scratch, and in use until
  /// this returns.
  ///
  /// Complexity: O(sqrt n) looks at the structure, each at a part of the path, until `take` has enough; O(n)
  /// between a change and `update`.
  void follow(const detail::SweptBox& path, detail::SweptBoxScratch& scratch, detail::VisitSwept visit) const;

  /// Returns how far to look around a point first, and then ever further, where what is near is wanted (unit:
  /// length); the largest float where a look at a part costs no less than one at everything.
  [[nodiscard]] float first_look() const;

  /// Hands out the boxes around a point, roughly in the order of their distance: each once, those farther
  /// away than what `take` last returned left out. Returns false, and hands out none, where nothing but areas
  /// can be looked at. `room` is scratch, and in use until this returns.
  ///
  /// Complexity: O(log n) looks at sixteen boxes each, besides O(log m) for each of the m boxes handed out.
  [[nodiscard]] bool approach(const detail::NearQuery& query, detail::NearestScratch& scratch,
                              detail::VisitNear visit) const {
    return !is_outdated() && go_outward(query, scratch, visit);
  }

  /// Returns the box. @pre contains(index)
  [[nodiscard]] const Aabb& box_of(BoxIndex index) const { return boxes_[index]; }

  /// Returns the end of the indices handed out so far: all are below.
  [[nodiscard]] BoxIndex index_end() const { return static_cast<BoxIndex>(boxes_.size()); }

  /// Returns the number of boxes held.
  [[nodiscard]] std::size_t size() const { return boxes_.size() - free_.size(); }

  /// Tells whether `index` names a box.
  [[nodiscard]] bool contains(BoxIndex index) const { return index < used_.size() && used_[index] != 0; }

  /// Returns the box, or `stale_id`.
  [[nodiscard]] Result<Aabb> box(BoxIndex index) const;

  /// Returns what the last `find_pairs` did.
  [[nodiscard]] Statistics statistics() const;

  /// Returns the occupied cells as of the last update, for drawing; empty for techniques without cells.
  /// Corners beyond what a float can hold are brought back to it.
  [[nodiscard]] virtual std::vector<Cell> cells() const { return {}; }

 protected:
  BroadPhase();

  /// A filter together with a body type. Boxes have few different ones, so they are numbered; the number of
  /// one that no box has any more is given to another.
  struct FilterClass {
    BodyType type = BodyType::dynamic;
    Filter filter;

    friend constexpr bool operator==(const FilterClass& a, const FilterClass& b) = default;
  };

  // What a technique implements. Arguments are valid, the store below is already up to date when a hook runs.
  // `moved` and `removed` are also told while the structure is stale.
  virtual void on_added(std::span<const BoxIndex> indices) = 0;
  /// Forgets all boxes, in whatever state the structure is: an allocation failed halfway. All that there are
  /// are added anew after it.
  virtual void forget_all() = 0;
  /// Tells whether all boxes are valid. A technique that must look at them anyway can do it in the same pass.
  /// The indices name boxes.
  [[nodiscard]] virtual bool are_valid(const detail::Moves& moves);
  /// Called before the store takes the new boxes, right after `are_valid` was asked of them and said so; here
  /// `box_at` still has the old ones.
  virtual void before_move(const detail::Moves& /*moves*/) {}
  virtual void on_filter_changed(BoxIndex /*index*/) {}
  /// Called when a class that no box had any more became another one, before any box has it.
  virtual void on_class_reused(std::uint16_t /*filter_class*/) {}
  /// Tells whether `collect_pairs` leaves out what the filters do, up to `filter_bits` different ones.
  [[nodiscard]] virtual bool filters() const { return false; }
  virtual void on_moved(std::span<const BoxIndex> indices) = 0;
  virtual void on_removed(BoxIndex index) = 0;
  virtual void bring_up_to_date() = 0;
  virtual void collect_pairs(detail::PairBuffer& pairs) = 0;
  /// Collects the pairs of which a or b `is_asked`; those that types and filters keep apart may be among
  /// them. Finds all pairs and leaves out the others, unless a technique knows better.
  virtual void collect_pairs_of(std::span<const BoxIndex> asked, detail::PairBuffer& pairs);
  [[nodiscard]] bool is_asked(BoxIndex index) const { return asked_[index] != 0; }
  virtual void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const = 0;
  /// The same, for `append_apart`; those of `collect_area` dealt out, unless a technique knows better.
  virtual void collect_apart(const Aabb& area, std::vector<BoxIndex>& within,
                             std::vector<BoxIndex>& crossing) const;
  /// Returns the side of an area that holds a few boxes where they are usual; the largest float where
  /// `collect_area` looks at all boxes anyway.
  [[nodiscard]] virtual float typical_cell_size() const;
  /// Takes note of the cells that `collect_area` and `collect_apart` look into for an area, if it has any.
  virtual void note_looks(const Aabb& /*area*/) const {}
  /// Takes note that a query looks into a cell, whatever number that has.
  void note_look(std::size_t cell) const { ++looks_of(cell + 1)[cell]; }
  /// Returns the looks into so many cells, to be added to.
  [[nodiscard]] std::uint32_t* looks_of(std::size_t cells) const;
  [[nodiscard]] std::uint32_t looks_at(std::size_t cell) const {
    return cell < looks_.size() ? looks_[cell] : 0;
  }
  [[nodiscard]] bool is_watched() const { return watched_; }
  /// Does the work of `approach` on a structure that is up to date.
  [[nodiscard]] virtual bool go_outward(const detail::NearQuery& /*query*/,
                                        detail::NearestScratch& /*scratch*/,
                                        detail::VisitNear /*visit*/) const {
    return false;
  }
  /// Does the work of `follow`, part by part of the path, on a structure that is up to date.
  virtual void walk(const detail::SweptBox& path, detail::SweptBoxScratch& scratch,
                    detail::VisitSwept visit) const;
  /// Hands those of `room.names` to `take` whose entry is in [from, to), or is 1 where `to` is, and not
  /// beyond `limit`; returns the new limit.
  double hand_out(const detail::SweptBox& path, double from, double to, double limit,
                  detail::SweptBoxScratch& scratch, detail::VisitSwept visit) const;
  /// Returns how many parts of a path may be looked at one by one.
  [[nodiscard]] double max_parts() const;
  /// Tells whether `collect_area` would miss a change made since the last `bring_up_to_date`.
  [[nodiscard]] virtual bool is_stale() const = 0;
  [[nodiscard]] bool is_outdated() const { return needs_rebuild_ || is_stale(); }
  [[nodiscard]] virtual std::size_t structure_bytes() const = 0;

  // The store, indexed by BoxIndex; slots of removed boxes stay until they are given out again.
  [[nodiscard]] std::size_t slots() const { return boxes_.size(); }
  /// Returns how many there may be before the store grows.
  [[nodiscard]] std::size_t box_capacity() const { return boxes_.capacity(); }
  [[nodiscard]] const Aabb& box_at(BoxIndex index) const { return boxes_[index]; }
  [[nodiscard]] BodyType type_at(BoxIndex index) const { return types_[index]; }
  [[nodiscard]] bool is_used(BoxIndex index) const { return used_[index] != 0; }
  [[nodiscard]] std::span<const Aabb> box_slots() const { return boxes_; }
  /// Returns the same, for a technique that replaces some boxes for a while within `collect_pairs`.
  [[nodiscard]] std::span<Aabb> box_slots_to_mask() { return boxes_; }
  [[nodiscard]] std::span<const unsigned char> used_slots() const { return used_; }
  /// Returns the number of the box's class in `filter_classes`.
  [[nodiscard]] std::uint16_t class_at(BoxIndex index) const {
    return classes_.empty() ? static_cast<std::uint16_t>(types_[index]) : classes_[index];
  }
  [[nodiscard]] std::span<const FilterClass> filter_classes() const;
  /// Tells whether some kinematic box has or had the default filter.
  [[nodiscard]] bool has_plain_kinematic() const { return has_plain_kinematic_; }

  /// Tells whether `keep_sorted` is on.
  [[nodiscard]] bool is_sorted() const { return is_sorted_; }
  void sort(std::span<Pair> pairs) { sorter_.sort(pairs, slots()); }

  /// Returns the numbers of all classes [slots], from now on kept for each box. Valid until a box is added.
  [[nodiscard]] std::span<const std::uint16_t> class_numbers();

  static constexpr std::size_t filter_bits = 32;

  detail::Workers workers_;
  Statistics statistics_;  ///< a technique writes tests, looks into cells, cells, occupied_cells and entries

 private:
  struct Classes;
  class ClassUses;

  void reserve(std::size_t more, bool with_classes);
  [[nodiscard]] Error check_each(std::span<const BoxIndex> indices, std::string_view call);
  BoxIndex take_slot(const Aabb& box, BodyType type, std::uint16_t filter_class);
  template <typename KindOf>
  std::vector<BoxIndex> take_slots(std::span<const Aabb> boxes, bool with_classes, const KindOf& kind_of);
  template <typename Notify>
  void notify(const Notify& notify);
  void start_over();
  void set_class(BoxIndex index, std::uint16_t filter_class);
  void forget_class(BoxIndex index);
  void drop_filtered();
  [[nodiscard]] Error stale(BoxIndex index) const;
  void deal_out(const Aabb& area, std::size_t first, std::vector<BoxIndex>& within,
                std::vector<BoxIndex>& crossing) const;

  template <typename Stage>
  void timed(double& seconds, Stage stage);

  bool measures_times_ = false;
  bool watched_ = false;
  bool is_sorted_ = false;
  mutable std::vector<std::uint32_t> looks_;  ///< [cells] of watched queries; may end before the last cell
  bool needs_rebuild_ =
      false;  ///< the structure missed a change, or is half made: the next update starts over
  std::vector<Aabb> boxes_;
  std::vector<BodyType> types_;
  std::vector<unsigned char> used_;
  std::vector<std::uint16_t> classes_;  ///< [slots]; empty as long as all filters are as they are made
  std::unique_ptr<Classes> filter_classes_;
  bool has_plain_kinematic_ = false;
  std::vector<BoxIndex> free_;
  std::vector<unsigned char> asked_;  ///< [slots] scratch of `find_pairs_of`: 0 but for those asked for
  detail::PairBuffer pairs_;
  PairSorter sorter_;
};

}  // namespace broadside
