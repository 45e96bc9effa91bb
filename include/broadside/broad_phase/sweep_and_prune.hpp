#pragma once

#include <memory>

#include "broadside/base/export.h"
#include "broadside/broad_phase/broad_phase.hpp"

namespace broadside::inline v0_2 {

/// Keeps the boxes sorted along one axis and tests those whose extents overlap there.
///
/// The axis is the one along which the boxes are spread more. An insertion sort repairs the order of the last
/// frame, which is nearly free while boxes move little (temporal coherence). Good for a moderate number of
/// scattered boxes; if many overlap on the axis (a pile, a table seen along its long side), a grid is faster.
///
/// @par Complexity
/// O(n + swaps) to sort, at most O(n log n): after too many swaps, all boxes are sorted from scratch. Pairs
/// O(n + t), where t counts all pairs that overlap on the axis. `query_area` O(n).
/// @par Source
/// D. Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies", PhD thesis, 1992, section 2.3.1;
/// C. Ericson, "Real-Time Collision Detection", 2005, section 7.5.
class BROADSIDE_API SweepAndPrune final : public BroadPhase {
 public:
  SweepAndPrune();
  /// Creates the technique alone, for `BroadPhase::set_technique`.
  [[nodiscard]] static std::unique_ptr<Technique> technique();
};

}  // namespace broadside::inline v0_2
