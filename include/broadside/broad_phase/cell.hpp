#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadside/base/aabb.hpp"
#include "broadside/base/function_ref.hpp"
#include "broadside/base/pair.hpp"

namespace broadside::inline v0_2 {

/// A cell for debug drawing, with the number of its boxes (at least one). In `query_cells` it may also be a
/// node of a tree.
struct Cell {
  Aabb bounds;
  std::size_t boxes = 0;
  std::uint32_t level = 0;   ///< 0 for cells and for leaves of a tree, 1 for the parents of leaves, and so on
  std::uint32_t visits = 0;  ///< visits by queries that were watched
};

/// Receives a cell and the boxes in it [cell.boxes], in any order.
using CellVisitor = FunctionRef<void(const Cell& cell, std::span<const BoxIndex> members)>;

}  // namespace broadside::inline v0_2
