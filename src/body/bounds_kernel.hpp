#pragma once

#include <span>

#include "broadside/base/pair.hpp"
#include "broadside/body/shape.hpp"

namespace broadside::detail {

/// Finds the boxes of many shapes, those of circles, boxes and polygons a lane for each.
///
/// The steps are those of `bounds`, one by one, so that the boxes are the same to the bit.
/// @param places [n] of shapes and transforms that are valid
/// @param boxes [n]
void find_bounds(std::span<const BoxIndex> places, std::span<const Shape> shapes,
                 std::span<const Transform> transforms, std::span<Aabb> boxes);

}  // namespace broadside::detail
