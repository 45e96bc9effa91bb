#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/pair.hpp"
#include "cell_range.hpp"

namespace broadside::inline v0_2::detail {

/// Sparse map from a cell to its members: open addressing with linear probing, members in linked lists from
/// one pool.
///
/// Cells are compared by their coordinates, never by their hash alone, so no two cells alias. A cell exists
/// while it has members, so a box that falls forever does not grow the table. Each cell has two lists, one of
/// dynamic boxes and one of all others.
class CellTable {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFFU;

  struct Slot {
    CellIndex cell;
    std::uint32_t head[2] = {none, none};  ///< first entry of [others, dynamic]
    std::uint32_t counts[2] = {0, 0};      ///< members of [others, dynamic]

    /// Returns the number of members; 0 marks a free slot.
    [[nodiscard]] std::uint32_t count() const { return counts[0] + counts[1]; }
  };
  struct Entry {
    BoxIndex box;
    std::uint32_t next;
  };

  void clear();
  void insert(CellIndex cell, BoxIndex box, bool dynamic);
  void erase(CellIndex cell, BoxIndex box, bool dynamic);

  /// Returns the cell's slot, or null if it has no members. Valid until the next change.
  [[nodiscard]] const Slot* find(CellIndex cell) const;
  [[nodiscard]] const Entry& entry(std::uint32_t index) const { return entries_[index]; }
  [[nodiscard]] std::span<const Slot> table() const { return slots_; }
  [[nodiscard]] std::size_t occupied() const { return occupied_; }
  [[nodiscard]] std::size_t entries() const { return live_entries_; }
  [[nodiscard]] std::size_t dynamic_entries() const { return dynamic_entries_; }
  /// Returns the number of pairs of members, of which one is dynamic, in all cells.
  [[nodiscard]] std::uint64_t pairs() const { return pairs_; }
  [[nodiscard]] std::size_t bytes() const {
    return slots_.capacity() * sizeof(Slot) + entries_.capacity() * sizeof(Entry);
  }

 private:
  [[nodiscard]] std::size_t home(CellIndex cell) const;
  [[nodiscard]] std::size_t probe(CellIndex cell) const;

  std::vector<Slot> slots_;  ///< their number is a power of two, at most half are occupied
  std::vector<Entry> entries_;
  std::uint32_t free_entry_ = none;
  std::size_t occupied_ = 0;
  std::size_t live_entries_ = 0;
  std::size_t dynamic_entries_ = 0;
  std::uint64_t pairs_ = 0;
};

}  // namespace broadside::inline v0_2::detail
