#pragma once

#include <span>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"

namespace broadside {

/// Checks that a box is finite and not inverted. `what` names it in the message, for example "box 17".
Result<void> validate(const Aabb& box, std::string_view what);

/// Checks boxes [n]; the error names the index of the first bad one.
///
/// Complexity: O(n), no allocation on success.
Result<void> validate(std::span<const Aabb> boxes);

}  // namespace broadside
