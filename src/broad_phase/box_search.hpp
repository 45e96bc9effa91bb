#pragma once

#include <cstddef>
#include <vector>

#include "broad_phase_state.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "near.hpp"
#include "swept_box.hpp"

namespace broadside::inline v0_2::detail {

/// Searches the boxes of a broad phase: the building blocks of the module `query`. Sees the latest change.
///
/// @par Complexity
/// That of the technique if the structure is up to date; O(n) between a change and `BroadPhase::update`.
class BoxSearch {
 public:
  // Implicit, so that code in `query` can pass a `BroadPhase`.
  BoxSearch(const BroadPhase& boxes) : state_(*boxes.state_) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] const Aabb& box(BoxIndex index) const { return state_.boxes.box(index); }
  /// Returns the number of boxes.
  [[nodiscard]] std::size_t size() const { return state_.boxes.size(); }
  /// Returns the end of the indices used so far: all are below.
  [[nodiscard]] BoxIndex index_end() const { return static_cast<BoxIndex>(state_.boxes.slot_count()); }

  /// Returns whether the structure misses a change, so that searches test all boxes.
  [[nodiscard]] bool is_outdated() const { return state_.needs_rebuild || state_.technique->is_stale(); }

  /// Appends the indices of all boxes that overlap `area`, each once, in no order.
  /// @pre is_valid(area)
  void append(const Aabb& area, std::vector<BoxIndex>& hits) const;

  /// Appends the boxes wholly within the area to `within`, and those that cross its edge to `crossing`.
  /// @pre is_valid(area)
  void append_split(const Aabb& area, std::vector<BoxIndex>& within, std::vector<BoxIndex>& crossing) const;

  /// Tells whether a box is on one of some layers. `all_layers` includes boxes on none.
  [[nodiscard]] bool is_on(BoxIndex index, std::uint64_t layers) const {
    return layers == all_layers || (layers_of(index) & layers) != 0;
  }

  /// Visits each box that a swept box touches once, roughly by entry time; may leave out boxes that are on
  /// none of `layers`. `visit` returns the time beyond which hits are no longer wanted. `scratch` is in use
  /// until this returns.
  ///
  /// @par Complexity
  /// O(sqrt n) searches, each of a part of the path, until `visit` wants no more.
  void visit_along_path(const SweptBox& path, std::uint64_t layers, SweptBoxScratch& scratch,
                        VisitSwept visit) const;

  /// Returns the distance at which a search for the nearest boxes should begin, to be enlarged step by step
  /// (unit: length); the largest float if searching an area costs no less than testing all boxes.
  [[nodiscard]] float initial_radius() const;

  /// Visits the boxes around a point, each once, roughly by distance. `visit` returns the distance beyond
  /// which boxes are no longer wanted. Returns false, and visits none, if the structure can only search
  /// areas. `scratch` is in use until this returns.
  ///
  /// @par Complexity
  /// O(log n) nodes of sixteen boxes each, plus O(log m) for each of the m boxes visited.
  [[nodiscard]] bool visit_nearest(const NearQuery& query, NearestScratch& scratch, VisitNear visit) const;

 private:
  [[nodiscard]] std::uint64_t layers_of(BoxIndex index) const;
  /// Counts a query that tests all boxes.
  void count_scan() const;

  const BroadPhaseState& state_;
};

/// Moves those boxes of `crossing` from `first` on that are wholly within the area to `within`.
void split_by_containment(const BoxStore& boxes, const Aabb& area, std::size_t first,
                          std::vector<BoxIndex>& within, std::vector<BoxIndex>& crossing);

/// Calls `visit` with the boxes of `scratch.names` whose entry is in [from, to), or in [from, 1] if `to` is
/// 1, and not beyond `limit`. Returns the new limit.
double visit_part(const BoxStore& boxes, const SweptBox& path, double from, double to, double limit,
                  SweptBoxScratch& scratch, VisitSwept visit);

/// Returns into how many parts a path among n boxes may be divided.
[[nodiscard]] double max_parts(std::size_t n);

}  // namespace broadside::inline v0_2::detail
