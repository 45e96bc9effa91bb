#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"
#include "moves.hpp"

namespace broadside::detail {

/// Copies those of pairs [n] whose boxes overlap to `out`, which may be `pairs`. Returns their number. All
/// `n` entries of `out` may be written.
std::size_t keep_overlapping(const Pair* pairs, std::size_t n, const Aabb* boxes, Pair* out);

/// Lists the positions of those moves [n] whose boxes are inverted, do not lie in their grown boxes, or are
/// not at `place`; all others are valid. Returns their number. All `n` entries of `out` may be written.
std::size_t find_leavers(const Moves& moves, const Aabb* grown, const std::uint8_t* places,
                         std::uint8_t place, std::uint32_t* out);

/// Writes a grown box, in which a box that moved from `before` to `now` in a frame is likely to stay for some
/// frames. `small_size` is the size of a small box in the scene (unit: length). Returns false, and writes
/// nothing, if the box is too fast for that to pay off.
bool grow_box(const Aabb& before, const Aabb& now, float small_size, Aabb& grown);

/// Grows the boxes of indices [n], which move from `before`, by index, to `now` [n], and lists the positions
/// of those that are too fast, whose grown boxes stay as they were. Returns their number. All `n` entries of
/// `fast` may be written.
std::size_t grow_boxes(std::span<const BoxIndex> indices, const Aabb* before, const Aabb* now,
                       float small_size, Aabb* grown, std::uint32_t* fast);

}  // namespace broadside::detail
