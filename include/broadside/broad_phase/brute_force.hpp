#pragma once

#include "broadside/broad_phase/broad_phase.hpp"

namespace broadside {

/// Tests every pair. The reference for all other techniques, and the best of them below about 50 boxes.
///
/// @par Complexity
/// O(d n) tests for d dynamic boxes among n; queries O(n). No memory except for the list of boxes.
/// @par Source
/// A. Petersen, "Broad Phase Collision Detection Using Spatial Partitioning", 2012, figure 2.
class BruteForce final : public BroadPhase {
 public:
  BruteForce() = default;
  [[nodiscard]] std::string_view name() const override { return "brute-force"; }

 private:
  void on_added(std::span<const BoxIndex> /*indices*/) override {}
  void clear_structure() override {}
  void on_moved(std::span<const BoxIndex> /*indices*/) override {}
  void on_removed(BoxIndex /*index*/) override {}
  void update_structure() override;
  void collect_pairs(detail::PairBuffer& pairs) override;
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override;
  [[nodiscard]] bool is_stale() const override { return false; }
  [[nodiscard]] std::size_t structure_bytes() const override;

  std::vector<BoxIndex> order_;  ///< dynamic boxes first, then all others; ascending within each
  std::size_t dynamic_count_ = 0;
};

}  // namespace broadside
