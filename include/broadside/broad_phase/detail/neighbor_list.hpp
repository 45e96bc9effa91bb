#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/broad_phase/detail/moves.hpp"
#include "broadside/broad_phase/detail/pair_buffer.hpp"
#include "broadside/broad_phase/detail/row_index.hpp"
#include "broadside/broad_phase/detail/workers.hpp"

namespace broadside::detail {

/// A box that no other overlaps.
inline constexpr Aabb no_box{
    {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()},
    {-std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}};

/// The same, for a box whose slot has candidates that are out of date.
inline constexpr Aabb retired_box{
    {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()},
    {-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::lowest()}};

/// Pairs that may touch for some frames to come.
///
///      ┌───────────────┐      Each member has a grown box: around where it is, and where it will be in some
///      │  ┌────┐       │      frames if it goes on like this, and a little more. As long as members stay in
///      │  │ now│ →  →  │      theirs, all their pairs are among the candidates, those whose grown boxes
///      │  └────┘       │      overlap; a frame then costs one comparison a candidate, and nobody is sorted.
///      └───────────────┘
///
/// A box without membership has a grown box of `no_box`, or, if it was a member and has left its grown box,
/// still the one it had. So one rule holds for all: *a pair is a candidate if and only if the grown boxes
/// overlap*. Whoever finds pairs in another way leaves those out.
///
/// The candidates of a box that was removed or changed its kind stay in the list as tombstones, since finding
/// them takes a pass over all candidates: its slot is *retired* until the next purge or build. A retired slot
/// has no candidates that count, whatever box it holds by then.
///
/// Source: L. Verlet, "Computer experiments on classical fluids I", Physical Review 159, 1967 (the list of
/// neighbours with a skin); growing along the motion as in E. Catto's Box2D.
class NeighborList {
 public:
  /// Tells whether there are members.
  [[nodiscard]] bool active() const { return active_; }

  [[nodiscard]] const Aabb& grown(BoxIndex index) const { return grown_[index]; }
  [[nodiscard]] std::span<const Aabb> grown() const { return grown_; }
  void set_grown(BoxIndex index, const Aabb& box) { grown_[index] = box; }

  /// Says that the candidates of a slot no longer count. Complexity: O(1).
  void retire(BoxIndex index);

  [[nodiscard]] bool is_retired(BoxIndex index) const { return grown_[index] == retired_box; }
  [[nodiscard]] std::size_t retired_count() const { return retired_.size(); }

  /// Makes room for indices below `slots`; new ones are no members.
  void resize(std::size_t slots) { grown_.resize(slots, no_box); }

  /// Takes boxes [n] named as members, whose grown boxes are set, and finds the candidates
  /// among them.
  void build(std::span<const BoxIndex> names, std::span<const std::uint16_t> classes,
             std::span<const FilterBits> filters, Workers& workers);

  /// Finds the candidates among the members; returns what that took.
  Work find_candidates(Workers& workers) { return rows_.find_pairs(candidates_, workers); }

  /// Finds the positions of those moves that will not lie in their grown boxes, or are not in order, or do
  /// not stand at `place`.
  void find_leavers(const Moves& moves, const std::uint8_t* places, std::uint8_t place);

  /// What was found last; valid until the next search.
  [[nodiscard]] std::span<const std::uint32_t> leavers() const { return {leavers_.data(), leaver_count_}; }

  /// Grows the boxes of indices [n] anew, which go from `before`, by index, to `now` [n]. Returns the
  /// positions of those that are too fast, and have none. Valid until the next call.
  [[nodiscard]] std::span<const std::uint32_t> grow_all(std::span<const BoxIndex> indices,
                                                        std::span<const Aabb> before,
                                                        std::span<const Aabb> now, float small_size);

  /// Ends all memberships.
  void clear();

  /// Appends candidates found elsewhere.
  PairBuffer& candidates() { return candidates_; }
  [[nodiscard]] std::size_t candidate_count() const { return candidates_.size(); }

  /// Drops the candidates whose grown boxes do not overlap any more, which ends the retirement of slots;
  /// returns what that took.
  Work purge();

  /// Appends the candidates whose boxes overlap; returns what that took.
  /// @param boxes [slots] the same afterwards; meanwhile those of retired slots are `no_box`
  Work append_touching(std::span<Aabb> boxes, PairBuffer& pairs, Workers& workers);

  /// The grown boxes of those that were members at the last build.
  [[nodiscard]] const RowIndex& rows() const { return rows_; }
  RowIndex& rows() { return rows_; }

  void set_row_height(std::optional<float> height) { rows_.set_row_height(height); }
  void use_filters(std::span<const FilterBits> filters) { rows_.use_filters(filters); }

  /// Exchanges the storage of the rows, whose boxes are lost: most boxes are here or there, never both.
  void swap_rows(RowIndex& other) { std::swap(rows_, other); }

  /// Returns the bytes held, the candidates left out.
  [[nodiscard]] std::size_t bytes() const;

 private:
  void end_retirement();

  bool active_ = false;
  std::vector<Aabb> grown_;  ///< [slots]
  RowIndex rows_;
  PairBuffer candidates_;
  std::vector<std::uint32_t> leavers_;  ///< as long as the most moves so far; also scratch of `grow_all`
  std::size_t leaver_count_ = 0;
  std::vector<BoxIndex> retired_;
  std::vector<Aabb> masked_;  ///< scratch: the boxes of retired slots
};

}  // namespace broadside::detail
