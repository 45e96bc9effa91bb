#pragma once

#include <span>

#include "broadside/base/pair.hpp"
#include "broadside/body/shape.hpp"

namespace broadside::inline v0_2::detail {

/// Computes the bounding boxes of many shapes; circles, boxes and polygons in SIMD, one lane each.
///
/// The steps are those of `bounds`, one by one, so the boxes are equal bit for bit.
/// @param places [n] indices of valid shapes and transforms
/// @param boxes [n]
void find_bounds(std::span<const BoxIndex> places, std::span<const Shape> shapes,
                 std::span<const Transform> transforms, std::span<Aabb> boxes);

}  // namespace broadside::inline v0_2::detail
