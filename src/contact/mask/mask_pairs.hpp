#pragma once

#include <optional>

#include "broadside/contact/collide.hpp"

namespace broadside::detail {

// The narrow phase where masks take part: between two masks, and between a mask (always a here) and any
// convex shape. Who calls turns the answer round if the mask was b.

[[nodiscard]] bool overlaps_mask(const Mask& a, const Transform& at_a, const Shape& b, const Transform& at_b);
[[nodiscard]] Manifold collide_mask(const Mask& a, const Transform& at_a, const Shape& b,
                                    const Transform& at_b);
[[nodiscard]] Distance distance_to_mask(const Mask& a, const Transform& at_a, const Shape& b,
                                        const Transform& at_b);
[[nodiscard]] std::optional<CastHit> cast_mask(const Mask& a, const Transform& at_a, Point motion,
                                               const Shape& b, const Transform& at_b);
[[nodiscard]] std::optional<RayHit> cast_ray_at_mask(Vec2 start, Vec2 way, const Mask& mask,
                                                     const Transform& transform);

}  // namespace broadside::detail
