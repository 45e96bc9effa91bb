#pragma once

#include <cstddef>
#include <cstdint>

#include "broadside/base/aabb.hpp"

namespace broadside {

/// A cell for debug drawing, with the number of its boxes (at least one). In `query_cells` it may also be a
/// node of a tree.
struct Cell {
  Aabb bounds;
  std::size_t boxes = 0;
  std::uint32_t level = 0;  ///< 0 for cells and for leaves of a tree, 1 for the parents of leaves, and so on
  std::uint32_t looks = 0;  ///< visits by queries that were watched
};

}  // namespace broadside
