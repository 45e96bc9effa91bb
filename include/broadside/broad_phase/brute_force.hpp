#pragma once

#include <memory>

#include "broadside/base/export.h"
#include "broadside/broad_phase/broad_phase.hpp"

namespace broadside::inline v0_2 {

/// Tests every pair with a dynamic box. The reference for all other techniques.
///
/// @par Complexity
/// O(d n) tests for d dynamic boxes among n; queries O(n). No memory except for the list of boxes.
/// @par Source
/// A. Petersen, "Broad Phase Collision Detection Using Spatial Partitioning", 2012, figure 2.
class BROADSIDE_API BruteForce final : public BroadPhase {
 public:
  BruteForce();
  /// Creates the technique alone, for `BroadPhase::set_technique`.
  [[nodiscard]] static std::unique_ptr<Technique> technique();
};

}  // namespace broadside::inline v0_2
