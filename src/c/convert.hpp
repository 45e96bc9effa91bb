#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/body_type.hpp"
#include "broadside/base/filter.hpp"
#include "broadside/base/hit.hpp"
#include "broadside/base/manifold.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/result.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"
#include "broadside/c/broad_phase.h"
#include "broadside/c/shape.h"

// The types of C as those of C++.

struct bs_mask {
  broadside::Mask mask;
};

namespace broadside::inline v0_2::detail {

// The structs of both languages have the same members in the same order.
static_assert(sizeof(bs_aabb) == sizeof(Aabb) && alignof(bs_aabb) == alignof(Aabb));
static_assert(sizeof(bs_pair) == sizeof(Pair) && alignof(bs_pair) == alignof(Pair));

[[nodiscard]] inline std::span<const Aabb> as_boxes(const bs_aabb* boxes, std::size_t count) {
  return {reinterpret_cast<const Aabb*>(boxes), count};
}
[[nodiscard]] inline Aabb as_box(const bs_aabb& box) {
  return {{box.min_x, box.min_y}, {box.max_x, box.max_y}};
}
/// Writes the address and size of an array of pairs to the arguments of a function of C.
inline void give(std::span<const Pair> found, const bs_pair** pairs, std::size_t* pair_count) {
  *pairs = reinterpret_cast<const bs_pair*>(found.data());
  *pair_count = found.size();
}
static_assert(sizeof(bs_vec2) == sizeof(Vec2) && sizeof(bs_transform) == sizeof(Transform));

[[nodiscard]] inline Vec2 as_vec2(bs_vec2 v) {
  return {v.x, v.y};
}
[[nodiscard]] inline bs_vec2 in_c(Vec2 v) {
  return {v.x, v.y};
}
[[nodiscard]] inline bs_aabb in_c(const Aabb& box) {
  return {box.min.x, box.min.y, box.max.x, box.max.y};
}
[[nodiscard]] inline Transform as_transform(bs_transform at) {
  return {as_vec2(at.position), {at.rotation.cos, at.rotation.sin}};
}
[[nodiscard]] inline bs_transform in_c(const Transform& at) {
  return {in_c(at.position), {at.rotation.cos, at.rotation.sin}};
}
[[nodiscard]] inline std::span<const Vec2> as_points(const bs_vec2* points, std::size_t count) {
  return {reinterpret_cast<const Vec2*>(points), count};
}
[[nodiscard]] inline std::span<const Transform> as_transforms(const bs_transform* transforms,
                                                              std::size_t count) {
  return {reinterpret_cast<const Transform*>(transforms), count};
}

/// Returns a value of an enum of C++. One that does not fit into its eight bits becomes 255, which is none of
/// the enum's and is refused.
template <typename To, typename From>
[[nodiscard]] To as_enum(From value) {
  const auto number = static_cast<long long>(value);
  return static_cast<To>(number >= 0 && number < 255 ? number : 255);
}

[[nodiscard]] inline Filter as_filter(const bs_filter& filter) {
  Filter result;
  result.layer = filter.layer;
  result.mask = filter.mask;
  result.wants = filter.wants;
  result.group = filter.group;
  return result;
}
[[nodiscard]] inline bs_filter in_c(const Filter& filter) {
  return {filter.layer, filter.mask, filter.wants, filter.group};
}

/// Makes a shape of C++. Refuses one that is not valid; `function` and `name` name it in the sentence.
[[nodiscard]] Result<Shape> as_shape(const char* function, const char* name, const bs_shape* shape);

[[nodiscard]] bs_manifold in_c(const Manifold& manifold);
[[nodiscard]] bs_hit in_c(const Hit& hit);

static_assert(static_cast<int>(BodyType::static_body) == BS_STATIC_BODY);
static_assert(static_cast<int>(BodyType::kinematic) == BS_KINEMATIC_BODY);
static_assert(static_cast<int>(BodyType::dynamic) == BS_DYNAMIC_BODY);

}  // namespace broadside::inline v0_2::detail
