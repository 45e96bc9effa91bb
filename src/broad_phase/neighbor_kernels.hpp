#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/broad_phase/detail/moves.hpp"

namespace broadside::detail {

/// Copies those pairs [n] whose boxes overlap; `out` may be where they are. Returns how many. All `n` places
/// of `out` may be written.
std::size_t keep_overlapping(const Pair* pairs, std::size_t n, const Aabb* boxes, Pair* out);

/// Lists the positions of those moves [n] whose boxes are not in order, or do not lie in their grown boxes,
/// or whose place is not `place`: all others are valid. Returns how many. All `n` entries of `out` may be
/// written.
std::size_t find_leavers(const Moves& moves, const Aabb* grown, const std::uint8_t* places,
                         std::uint8_t place, std::uint32_t* out);

/// Tells whether each index is by one higher than the one before. @pre there are some
bool are_in_a_row(std::span<const BoxIndex> indices);

/// Writes the box in which one that went from `before` to `now` in a frame is likely to stay for some frames.
/// `small_size` is what counts as a small box in the scene (unit: length). Returns false for one that is too
/// fast to be worth it.
bool grow_box(const Aabb& before, const Aabb& now, float small_size, Aabb& grown);

/// Grows the boxes of indices [n], which go from `before`, by index, to `now` [n], and lists the positions of
/// those that are too fast, whose grown boxes stay as they were. Returns how many. All `n` entries of `fast`
/// may be written.
std::size_t grow_boxes(std::span<const BoxIndex> indices, const Aabb* before, const Aabb* now,
                       float small_size, Aabb* grown, std::uint32_t* fast);

}  // namespace broadside::detail
