#pragma once

#include <optional>

#include "body/convex.hpp"
#include "broadside/contact/collide.hpp"

namespace broadside::inline v0_2::detail {

/// Does what `cast` does, with a motion in double: the difference of two float motions is often not a float.
[[nodiscard]] std::optional<Hit> cast_shape(const Shape& a, const Transform& at_a, Point motion,
                                            const Shape& b, const Transform& at_b);

}  // namespace broadside::inline v0_2::detail
