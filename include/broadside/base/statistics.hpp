#pragma once

#include <cstddef>
#include <cstdint>

namespace broadside {

/// What a broad phase did in its last `find_pairs`, and what it holds.
struct Statistics {
  std::uint64_t tests = 0;  ///< one box against one box, all four comparisons (unit: none)
  std::uint64_t hits = 0;   ///< tests that found an overlap; each is one pair
  /// How often the last `find_pairs` looked into a cell or row, empty ones included; 0 without a grid.
  std::uint64_t cells_visited = 0;
  /// Tests that the last update made, to build neighbor lists and to drop candidates from them.
  std::uint64_t update_tests = 0;
  /// How often the last update looked into a row for that.
  std::uint64_t update_cells_visited = 0;
  std::uint64_t cells = 0;           ///< cells or rows there are, empty ones included; 0 without a grid
  std::uint64_t occupied_cells = 0;  ///< cells or rows that hold at least one box
  std::uint64_t entries = 0;  ///< (box, cell) memberships; more than the boxes where boxes straddle cells
  std::size_t boxes = 0;      ///< boxes held
  std::size_t bytes = 0;      ///< memory held, boxes included, lists of pairs left out (unit: byte)
  // Only where `BroadPhase::measure_times` was asked for, else 0.
  double update_seconds = 0.0;  ///< bringing the structure up to date (unit: second)
  double pairs_seconds = 0.0;   ///< finding the pairs (unit: second)

  /// Tests that found nothing: the price of coarseness.
  [[nodiscard]] std::uint64_t false_positives() const { return tests - hits; }
};

}  // namespace broadside
