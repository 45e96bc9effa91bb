#pragma once

#include <cstddef>
#include <cstdint>

namespace broadside::inline v0_2 {

/// Counters of a broad phase: what its last `find_pairs` or `find_pairs_of` did, and what it stores.
struct Statistics {
  std::uint64_t tests = 0;  ///< tests of two boxes for overlap, all four comparisons (unit: none)
  std::uint64_t hits = 0;   ///< tests that found an overlap; each is one pair
  /// Boxes whose pairs the last search looked for: all boxes, or those that `find_pairs_of` was given.
  std::size_t boxes_searched = 0;
  /// Visits to cells, rows or tree nodes in the last `find_pairs`, empty ones included.
  std::uint64_t cells_visited = 0;
  /// Boxes found in a cell of another box in the last `find_pairs`, each of which costs a check of whether
  /// this cell reports the pair: the cost of boxes that share several cells.
  std::uint64_t owner_checks = 0;
  /// Tests in the last update, to build neighbor lists and to remove candidates from them.
  std::uint64_t update_tests = 0;
  /// Visits to rows in the last update for that.
  std::uint64_t update_cells_visited = 0;
  std::uint64_t cells = 0;           ///< number of cells or rows, empty ones included; 0 without a grid
  std::uint64_t occupied_cells = 0;  ///< cells or rows that hold at least one box
  std::uint64_t entries = 0;         ///< (box, cell) entries; more than the boxes if boxes span several cells
  std::size_t boxes = 0;             ///< boxes stored
  std::size_t bytes = 0;             ///< memory in use, boxes included, lists of pairs excluded (unit: byte)
  // 0 unless `BroadPhase::measure_times` is on.
  /// Memory that the last `find_pairs` added, lists of pairs included (unit: byte).
  std::size_t grown_bytes = 0;
  double update_seconds = 0.0;  ///< bringing the structure up to date (unit: second)
  double pairs_seconds = 0.0;   ///< finding the pairs (unit: second)

  /// Returns the number of tests that found no overlap: the cost of coarse cells.
  [[nodiscard]] std::uint64_t false_positives() const { return tests - hits; }
};

}  // namespace broadside::inline v0_2
