#pragma once

#include <span>

#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"

namespace broadside::detail {

/// Boxes that get new corners.
struct Moves {
  std::span<const BoxIndex> indices;  ///< [m]
  std::span<const Aabb> boxes;        ///< [m]
  bool consecutive = false;           ///< the indices are consecutive, ascending
};

}  // namespace broadside::detail
