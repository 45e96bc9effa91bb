#pragma once

#include <span>

#include "broadside/base/aabb.hpp"

namespace broadside::inline v0_2::detail {

/// Tells whether all boxes [n] are finite and not inverted.
bool all_valid(std::span<const Aabb> boxes);

}  // namespace broadside::inline v0_2::detail
