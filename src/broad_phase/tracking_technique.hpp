#pragma once

#include <span>

#include "broad_phase_state.hpp"
#include "broadside/broad_phase/technique.hpp"
#include "moves.hpp"
#include "near.hpp"
#include "swept_box.hpp"

namespace broadside::inline v0_2::detail {

/// A technique that sees each move before the store has it, and searches paths and neighborhoods itself.
class TrackingTechnique : public Technique {
 public:
  /// Returns whether all new boxes are valid. The indices name boxes; `store()` still has the old boxes.
  [[nodiscard]] virtual bool are_valid(const Moves& moves) = 0;
  /// Called right after `are_valid` found the new boxes valid; `store()` still has the old ones.
  virtual void before_move(const Moves& moves) = 0;
  /// Counts what queries cost since the structure is stale (unit: inserting a box into the tree of queries).
  virtual void add_query_cost(std::size_t cost) const = 0;
  /// Does what `BoxSearch::visit_nearest` does. The structure is not stale.
  [[nodiscard]] virtual bool visit_nearest(const NearQuery& query, NearestScratch& scratch,
                                           VisitNear visit) const = 0;
  /// Does what `BoxSearch::visit_along_path` does. The structure is not stale.
  virtual void visit_along_path(const SweptBox& path, std::uint64_t layers, SweptBoxScratch& scratch,
                                VisitSwept visit) const = 0;

 protected:
  [[nodiscard]] PairWorkers& workers() const { return state_->workers; }
  /// Returns the boxes by slot, to replace some temporarily within `collect_pairs`.
  [[nodiscard]] std::span<Aabb> boxes_to_mask() { return state_->boxes.boxes_to_change(); }

 private:
  [[nodiscard]] TrackingTechnique* tracking() final { return this; }
};

}  // namespace broadside::inline v0_2::detail
