#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/workers.hpp"
#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/broad_phase/pair_buffer.hpp"
#include "moves.hpp"
#include "pair_workers.hpp"
#include "row_index.hpp"

namespace broadside::inline v0_2::detail {

/// An inverted box, which overlaps nothing.
inline constexpr Aabb no_box{
    {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()},
    {-std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}};

/// Another inverted box: marks a slot whose candidates are outdated. Differs from `no_box` only in max y.
inline constexpr Aabb retired_box{
    {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()},
    {-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::lowest()}};

/// Copies to `out` those of the pairs [n] whose boxes overlap; `out` may be the pairs. Returns their number.
/// All `n` entries of `out` may be written.
std::size_t keep_overlapping(std::span<const Pair> pairs, std::span<const Aabb> boxes, Pair* out);

/// Lists the moves [n], by position, whose box is not inside its grown box, moved by `drift`, or not at
/// `place`. This includes every invalid box, since grown boxes are finite. Returns their number. All `n`
/// entries of `out` may be written.
///
/// With a drift, a box must not touch the sides of its grown box either. So a box a to the left of a box b
/// that it overlaps fulfils grown a.max + drift > a.max >= b.min > grown b.min + drift: as the sums round
/// alike, the grown boxes overlap too.
std::size_t find_leavers(const Moves& moves, const Aabb* grown, Vec2 drift, const std::uint8_t* places,
                         std::uint8_t place, std::uint32_t* out);

/// Returns the motion that all boxes have in common, judged by those of a sample: the mean of three quarters
/// or more whose own motion, relative to one of the first in the sample, is at most half of what they move; 0
/// if there are not so many.
Vec2 common_motion(std::span<const Vec2> sample);

/// Writes a grown box, in which a box that moved from `before` to `now` in a frame is likely to stay for some
/// frames. `small_size` is the size of a small box in the scene (unit: length). Returns false, and writes
/// nothing, if the box is too fast for that to pay off.
bool grow_box(const Aabb& before, const Aabb& now, float small_size, Aabb& grown);

/// Candidate pairs for several frames (a Verlet list).
///
///      ┌───────────────┐      Each member has a grown box: it holds the box now and for some frames of even
///      │  ┌────┐       │      motion, plus a margin. While members stay in their grown boxes, all their
///      │  │ now│ →  →  │      touching pairs are among the candidates: the pairs whose grown boxes overlap.
///      │  └────┘       │      A frame then costs one test per candidate, and no sorting.
///      └───────────────┘
///
/// The grown box of a static box is the box itself. Any other box that is no member has `no_box`, unless it
/// was a member that left its grown box: it keeps that box. So one rule holds for all: *a pair is a candidate
/// if and only if the grown boxes overlap*. Code that finds pairs in another way must leave out those pairs.
///
/// Where all boxes move by one vector, as in a world that scrolls, the grown boxes move along: by the sum of
/// these vectors, the *drift*. The list itself, and the rows, stay in the *frame of the build*; boxes and
/// areas that search the rows are moved into this frame. Static boxes do not drift: with any of these there
/// is none.
///
/// The candidates of a box that was removed or changed its kind stay in the list as tombstones, since finding
/// them takes a pass over all candidates. Its slot is *retired* until the next purge or build: its candidates
/// do not count, whatever box the slot holds by then.
///
/// @par Source
/// L. Verlet, "Computer experiments on classical fluids I", Physical Review 159, 1967 (the list of neighbours
/// with a skin); growing along the motion as in E. Catto's Box2D.
class NeighborList {
 public:
  explicit NeighborList(std::optional<float> row_height) : rows_(row_height) {}

  /// Returns whether there are members.
  [[nodiscard]] bool active() const { return active_; }

  /// Returns by how much all boxes moved since the build, apart from their own motion; 0 without members.
  [[nodiscard]] Vec2 drift() const { return drift_; }
  void set_drift(Vec2 drift) { drift_ = drift; }

  /// Returns a box that contains `box`, moved into the frame of the build.
  [[nodiscard]] Aabb in_frame_of_build(const Aabb& box) const;

  [[nodiscard]] const Aabb& grown(BoxIndex index) const { return grown_[index]; }
  void set_grown(BoxIndex index, const Aabb& box) { grown_[index] = box; }

  /// Marks the candidates of a slot as outdated, in O(1).
  void retire(BoxIndex index);

  [[nodiscard]] bool is_retired(BoxIndex index) const { return grown_[index] == retired_box; }
  [[nodiscard]] std::size_t retired_count() const { return retired_.size(); }

  /// Provides the memory for members among this many slots.
  void reserve(std::size_t members, std::size_t slots);

  /// Resizes for indices below `end`; new ones are no members.
  void resize(std::size_t end) { grown_.resize(end, no_box); }

  /// Makes the boxes `names` [n], whose grown boxes are set, the members. Drops all candidates: call
  /// `find_candidates` next.
  void build(std::span<const BoxIndex> names, std::span<const std::uint16_t> kinds,
             std::span<const FilterBits> filters, Workers& workers);

  /// Appends the candidates among the members; returns the work done.
  Work find_candidates(PairWorkers& workers) { return rows_.find_pairs(candidates_, workers); }

  /// Finds the moves whose box left its grown box, moved by `drift`: see `detail::find_leavers`.
  void find_leavers(const Moves& moves, Vec2 drift, const std::uint8_t* places, std::uint8_t place,
                    const Workers& workers);

  /// Returns the result of the last `find_leavers`; valid until the next search.
  [[nodiscard]] std::span<const std::uint32_t> leavers() const { return {leavers_.data(), leaver_count_}; }

  /// Removes all members and candidates.
  void clear();

  /// Returns the candidates, to be sorted or extended by pairs found elsewhere.
  PairBuffer& candidates() { return candidates_; }
  [[nodiscard]] std::size_t candidate_count() const { return candidates_.size(); }

  /// Drops the candidates whose grown boxes no longer overlap, so that no slot is retired any more; returns
  /// the work done.
  Work purge();

  /// Appends the candidates whose boxes overlap; returns the work done.
  /// @param boxes [slots] the same afterwards; meanwhile those of retired slots are `no_box`
  Work append_touching(std::span<Aabb> boxes, PairBuffer& pairs, PairWorkers& workers);

  /// Returns the rows of the grown boxes as of the last build.
  [[nodiscard]] const RowIndex& rows() const { return rows_; }
  RowIndex& rows() { return rows_; }

  /// Returns the bytes held, without the candidates.
  [[nodiscard]] std::size_t bytes() const;

 private:
  void end_retirement();

  bool active_ = false;
  Vec2 drift_;
  std::vector<Aabb> grown_;  ///< [slots]
  RowIndex rows_;
  PairBuffer candidates_;
  std::vector<std::uint32_t> leavers_;  ///< [moves] of `find_leavers`
  std::size_t leaver_count_ = 0;
  std::vector<std::span<std::uint32_t>> leavers_of_chunks_;  ///< scratch
  std::vector<BoxIndex> retired_;
  std::vector<Aabb> masked_;  ///< scratch: the boxes of retired slots
};

}  // namespace broadside::inline v0_2::detail
