#pragma once

#include <optional>

#include "base/point.hpp"
#include "broadside/contact/collide.hpp"

namespace broadside::inline v0_2::detail {

// The narrow phase for a mask, which is a or b, and a shape of any type.

[[nodiscard]] bool overlaps_mask(const Shape& a, const Transform& at_a, const Shape& b,
                                 const Transform& at_b);
[[nodiscard]] Manifold collide_mask(const Shape& a, const Transform& at_a, const Shape& b,
                                    const Transform& at_b);
[[nodiscard]] Distance distance_to_mask(const Shape& a, const Transform& at_a, const Shape& b,
                                        const Transform& at_b);
[[nodiscard]] std::optional<Hit> cast_mask(const Shape& a, const Transform& at_a, Point motion,
                                           const Shape& b, const Transform& at_b);
[[nodiscard]] std::optional<Hit> cast_ray_at_mask(Vec2 start, Vec2 motion, const Mask& mask,
                                                  const Transform& transform);

}  // namespace broadside::inline v0_2::detail
