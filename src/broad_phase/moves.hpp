#pragma once

#include <cstddef>
#include <span>

#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"
#include "pair_workers.hpp"

namespace broadside::inline v0_2::detail {

inline constexpr std::size_t min_boxes_per_task = 16384;  // fewer are not worth a task

/// Boxes that get new corners.
struct Moves {
  std::span<const BoxIndex> indices;  ///< [m]
  std::span<const Aabb> boxes;        ///< [m]
  bool consecutive = false;           ///< the indices are consecutive, ascending
};

/// Returns whether all boxes are valid; tests many of them on several threads.
[[nodiscard]] bool are_valid(std::span<const Aabb> boxes, const Workers& workers);

}  // namespace broadside::inline v0_2::detail
