#pragma once

#include <cstddef>
#include <span>

#include "broadside/base/pair.hpp"
#include "broadside/base/shape.hpp"
#include "broadside/contact/narrow_phase.hpp"

namespace broadside::detail {

// Many pairs of one kind at once, a lane for each. The steps are those of `collide_circles` and
// `collide_boxes`, one by one, so that the answers are the same to the bit. A lane in which a rare case shows
// (within rounding of touching, one center, numbers that are none) is left to `collide`.

/// Finds the contacts among pairs [n] of circles, in their order. Returns how many; all `n` places of `out`
/// may be written. @pre all shapes that pairs name are circles
std::size_t collide_circle_pairs(std::span<const Pair> pairs, const Shape* shapes,
                                 const Transform* transforms, Contact* out);

/// The same for pairs of boxes.
std::size_t collide_box_pairs(std::span<const Pair> pairs, const Shape* shapes, const Transform* transforms,
                              Contact* out);

}  // namespace broadside::detail
