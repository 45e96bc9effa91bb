#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/body_type.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/base/statistics.hpp"
#include "broadside/broad_phase/detail/pair_buffer.hpp"

namespace broadside {

/// A cell as a debug drawer wants it: where it is, and how many boxes it holds (at least one).
struct Cell {
  Aabb bounds;
  std::size_t boxes = 0;
};

/// Keeps a set of boxes, and finds all pairs of them that overlap.
///
/// Every technique stands behind this one interface. Exchanging one for another changes the cost, never the
/// answer. Boxes are named by a `BoxIndex` that `add` hands out: the same sequence of calls gets the same
/// indices from every technique, and the index of a removed box is given out again.
///
/// Each unordered pair comes out once, with `a < b`, and only when the types allow it (`can_touch`).
///
/// Errors: a box that is not finite or is inverted is refused (`not_finite`, `inverted_box`), and an index
/// that names no box likewise (`stale_id`); the set is then as it was before the call. Threads: const calls
/// may run side by side; everything else needs the object for itself. Letters used below: n boxes, p pairs
/// found, t tests made (`Statistics::tests`).
class BroadPhase {
 public:
  virtual ~BroadPhase() = default;
  BroadPhase(const BroadPhase&) = delete;
  BroadPhase& operator=(const BroadPhase&) = delete;

  /// Returns the technique's name as the command line spells it, such as "hash-grid".
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Adds a box and returns its index. The type stays for the box's lifetime.
  Result<BoxIndex> add(const Aabb& box, BodyType type = BodyType::dynamic);

  /// Adds boxes [n] of one type in bulk, all or none, and returns their indices [n] in the same order.
  Result<std::vector<BoxIndex>> add(std::span<const Aabb> boxes, BodyType type = BodyType::dynamic);

  /// Gives a box new corners. Any type may be moved; a static one costs more.
  Result<void> move(BoxIndex index, const Aabb& box);

  /// Gives boxes named by indices [m] new corners boxes [m], all or none.
  ///
  /// @pre each index occurs once; `indices` and `boxes` have the same size, else `invalid_argument`
  Result<void> move(std::span<const BoxIndex> indices, std::span<const Aabb> boxes);

  /// Removes a box.
  Result<void> remove(BoxIndex index);

  /// Brings the structure up to date with all changes. `find_pairs` does so by itself; call it when only
  /// queries follow.
  void update();

  /// Finds all overlapping pairs.
  ///
  /// @return the pairs, valid until the next call of a non-const function
  /// Complexity: see the technique; O(n^2) at worst, which is also the size of the worst answer.
  /// Order: a function of the calls made so far, nothing else; use `sort_pairs` where it must not depend on
  /// the technique.
  [[nodiscard]] std::span<Pair> find_pairs();

  /// Writes the indices of all boxes that overlap `area` into `hits`, ascending, each once; what was there
  /// before is overwritten. Sees the latest change.
  ///
  /// Complexity: see the technique where the structure is up to date; O(n) between a change and `update`.
  Result<void> query_area(const Aabb& area, std::vector<BoxIndex>& hits) const;

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
  BroadPhase() = default;

  // What a technique implements. Arguments are valid, the store below is already up to date when a hook runs.
  // `moved` and `removed` are also told while the structure is stale.
  virtual void on_added(std::span<const BoxIndex> indices) = 0;
  virtual void on_moved(std::span<const BoxIndex> indices) = 0;
  virtual void on_removed(BoxIndex index) = 0;
  virtual void bring_up_to_date() = 0;
  virtual void collect_pairs(detail::PairBuffer& pairs) = 0;
  virtual void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const = 0;
  /// Tells whether `collect_area` would miss a change made since the last `bring_up_to_date`.
  [[nodiscard]] virtual bool is_stale() const = 0;
  [[nodiscard]] virtual std::size_t structure_bytes() const = 0;

  // The store, indexed by BoxIndex; slots of removed boxes stay until they are given out again.
  [[nodiscard]] std::size_t slots() const { return boxes_.size(); }
  [[nodiscard]] const Aabb& box_at(BoxIndex index) const { return boxes_[index]; }
  [[nodiscard]] BodyType type_at(BoxIndex index) const { return types_[index]; }
  [[nodiscard]] bool is_used(BoxIndex index) const { return used_[index] != 0; }
  [[nodiscard]] std::span<const Aabb> box_slots() const { return boxes_; }

  Statistics statistics_;  ///< a technique writes tests, hits, cells, occupied_cells and entries

 private:
  BoxIndex take_slot(const Aabb& box, BodyType type);
  [[nodiscard]] Error stale(BoxIndex index) const;

  std::vector<Aabb> boxes_;
  std::vector<BodyType> types_;
  std::vector<unsigned char> used_;
  std::vector<BoxIndex> free_;
  detail::PairBuffer pairs_;
};

}  // namespace broadside
