#pragma once

#include <string>
#include <string_view>

#include "broadside/base/result.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::inline v0_2 {

/// Returns an error if a number is not finite.
Error check(Vec2 value, std::string_view what);

/// Returns an error if a number is not finite, or if the rotation is not one.
Error check(const Transform& transform, const std::string& who);

}  // namespace broadside::inline v0_2
