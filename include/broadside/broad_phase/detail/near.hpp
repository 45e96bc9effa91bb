#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/function_ref.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/vec2.hpp"

namespace broadside::detail {

/// What is wanted around a point.
struct NearQuery {
  Vec2 point;
  std::size_t count;  ///< that is likely to be enough
  double limit;       ///< of the distance at first (unit: length)
};

/// A box near a point.
struct Near {
  double distance2;  ///< the square of its distance, or a little less
  BoxIndex index;
};

/// Scratch of `BroadPhase::approach`.
struct NearestScratch {
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint64_t> places;
  std::vector<Near> found;

  [[nodiscard]] std::size_t capacity() const {
    return nodes.capacity() + places.capacity() + found.capacity();
  }
};

/// Takes boxes near a point, by ascending distance, and returns the distance beyond which no more are wanted.
using VisitNear = FunctionRef<double(std::span<const Near>)>;

}  // namespace broadside::detail
