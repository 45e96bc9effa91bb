#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "broadside/base/aabb.hpp"
#include "broadside/base/body_type.hpp"
#include "broadside/base/export.h"
#include "broadside/base/result.hpp"
#include "broadside/base/tasks.hpp"

namespace broadside::inline v0_2 {

/// Checks that a box is finite and not inverted. `what` names it in the message, for example "box 17".
BROADSIDE_API Result<void> validate(const Aabb& box, std::string_view what);

/// Checks boxes [n]; the error names the index of the first invalid one.
///
/// @par Complexity
/// O(n), no allocation on success.
BROADSIDE_API Result<void> validate(std::span<const Aabb> boxes);

/// Checks that a body type is one of the enum's values. `what` names its owner in the message, for example
/// "body 17".
BROADSIDE_API Result<void> validate(BodyType type, std::string_view what);

/// Reads the number of threads of a task runner, once, and checks that it has at least one, the caller's.
/// Null, which is no runner, has 1. `call` names the function in the message.
BROADSIDE_API Result<std::size_t> threads_of(const TaskRunner* runner, std::string_view call);

}  // namespace broadside::inline v0_2
