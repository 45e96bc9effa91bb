#pragma once

#include <string_view>

#include "broadside/base/result.hpp"
#include "broadside/query/shape_set.hpp"

namespace broadside::detail {

/// Checks that there is a shape and a transform for each index.
[[nodiscard]] Error find_error(const ShapeSet& set);

/// Checks that a vector is finite. `what` names it in the message.
[[nodiscard]] Error find_error(Vec2 vector, std::string_view what);

/// Checks that a shape and its place make sense.
[[nodiscard]] Error find_error(const Shape& shape, const Transform& at);

}  // namespace broadside::detail
