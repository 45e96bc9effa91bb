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

}  // namespace broadside::detail
