#pragma once

#include "base/vec2d.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::detail {

/// A transform in double.
struct Placement {
  explicit Placement(const Transform& at) {
    static_assert(sizeof(Transform) == sizeof(FourFloats));
    const FourDoubles all = __builtin_convertvector(first_four(at), FourDoubles);
    position = __builtin_shufflevector(all, all, 0, 1);
    rotation = __builtin_shufflevector(all, all, 2, 3);
  }

  Vec2d position;
  Vec2d rotation;
};

}  // namespace broadside::detail
