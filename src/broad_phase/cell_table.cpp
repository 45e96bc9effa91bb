#include "cell_table.hpp"

#include <cassert>

namespace broadside::inline v0_2::detail {

void CellTable::clear() {
  slots_.clear();
  entries_.clear();
  free_entry_ = none;
  occupied_ = 0;
  live_entries_ = 0;
  dynamic_entries_ = 0;
  pairs_ = 0;
}

// Multiplication by a large odd constant (Knuth, The Art of Computer Programming 3, section 6.4), the high
// half folded onto the low one, since the mask keeps low bits.
std::size_t CellTable::home(CellIndex cell) const {
  const auto x = std::uint64_t{static_cast<std::uint32_t>(cell.x)};
  const auto y = std::uint64_t{static_cast<std::uint32_t>(cell.y)};
  const std::uint64_t hash = ((x << 32U) | y) * 0x9E3779B97F4A7C15U;
  return static_cast<std::size_t>(hash ^ (hash >> 32U)) & (slots_.size() - 1);
}

std::size_t CellTable::probe(CellIndex cell) const {
  std::size_t slot = home(cell);
  while (slots_[slot].count() > 0 && slots_[slot].cell != cell) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

namespace {

/// Returns the number of members of a cell with which another member makes a pair.
std::uint32_t pairs_of_one(const CellTable::Slot& slot, bool dynamic) {
  return dynamic ? slot.count() : slot.counts[1];
}

}  // namespace

void CellTable::insert(CellIndex cell, BoxIndex box, bool dynamic) {
  if (2 * (occupied_ + 1) > slots_.size()) {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.count() > 0) {
        slots_[probe(slot.cell)] = slot;
      }
    }
  }
  Slot& slot = slots_[probe(cell)];
  if (slot.count() == 0) {
    slot = Slot{.cell = cell};
    ++occupied_;
  }
  std::uint32_t index = free_entry_;
  if (index == none) {
    index = static_cast<std::uint32_t>(entries_.size());
    entries_.emplace_back();
  } else {
    free_entry_ = entries_[index].next;
  }
  std::uint32_t& head = slot.head[dynamic ? 1 : 0];
  entries_[index] = {box, head};
  head = index;
  pairs_ += pairs_of_one(slot, dynamic);
  ++slot.counts[dynamic ? 1 : 0];
  ++live_entries_;
  dynamic_entries_ += dynamic ? 1 : 0;
}

void CellTable::erase(CellIndex cell, BoxIndex box, bool dynamic) {
  std::size_t hole = probe(cell);
  Slot& slot = slots_[hole];
  assert(slot.count() > 0);
  std::uint32_t* link = &slot.head[dynamic ? 1 : 0];
  while (entries_[*link].box != box) {
    link = &entries_[*link].next;
  }
  const std::uint32_t index = *link;
  *link = entries_[index].next;
  entries_[index].next = free_entry_;
  free_entry_ = index;
  --live_entries_;
  dynamic_entries_ -= dynamic ? 1 : 0;
  --slot.counts[dynamic ? 1 : 0];
  pairs_ -= pairs_of_one(slot, dynamic);
  if (slot.count() > 0) {
    return;
  }
  // Backward shift deletion: cells that were probed past the freed slot move back, so there are no
  // tombstones.
  --occupied_;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t next = (hole + 1) & mask; slots_[next].count() > 0; next = (next + 1) & mask) {
    const std::size_t wanted = home(slots_[next].cell);
    if (((next - wanted) & mask) >= ((next - hole) & mask)) {
      slots_[hole] = slots_[next];
      slots_[next] = Slot{};
      hole = next;
    }
  }
}

const CellTable::Slot* CellTable::find(CellIndex cell) const {
  if (slots_.empty()) {
    return nullptr;
  }
  const Slot& slot = slots_[probe(cell)];
  return slot.count() > 0 ? &slot : nullptr;
}

}  // namespace broadside::inline v0_2::detail
