#pragma once

#include "broadside/broad_phase/broad_phase.hpp"

namespace broadside {

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
class SweepAndPrune final : public BroadPhase {
 public:
  [[nodiscard]] std::string_view name() const override { return "sweep-and-prune"; }

 private:
  void on_added(std::span<const BoxIndex> indices) override;
  void clear_structure() override;
  void on_moved(std::span<const BoxIndex> indices) override { stale_ = stale_ || !indices.empty(); }
  void on_removed(BoxIndex index) override;
  void update_structure() override;
  void collect_pairs(detail::PairBuffer& pairs) override;
  void collect_area(const Aabb& area, std::vector<BoxIndex>& hits) const override;
  [[nodiscard]] bool is_stale() const override { return stale_; }
  [[nodiscard]] std::size_t structure_bytes() const override;

  struct Extent {
    float min;
    float max;
    BoxIndex box;
    /// Ties are broken by the index, so that the order depends on the boxes alone.
    friend bool operator<(const Extent& a, const Extent& b) {
      return a.min < b.min || (a.min == b.min && a.box < b.box);
    }
  };

  [[nodiscard]] bool spread_is_vertical() const;
  [[nodiscard]] Extent extent_of(BoxIndex index) const;
  void sort();

  std::vector<Extent> sorted_;
  std::vector<BoxIndex> added_;
  bool vertical_ = false;
  bool stale_ = false;
};

}  // namespace broadside
