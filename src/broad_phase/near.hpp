#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/base/function_ref.hpp"
#include "broadside/base/pair.hpp"
#include "broadside/base/vec2.hpp"

namespace broadside::inline v0_2::detail {

inline constexpr std::uint64_t all_layers = ~std::uint64_t{0};

/// A query for the boxes nearest to a point.
struct NearQuery {
  Vec2 point;
  std::size_t count;                  ///< of boxes that is likely to be enough
  double limit;                       ///< initial limit of the distance (unit: length)
  std::uint64_t layers = all_layers;  ///< boxes on none of these may be left out
};

/// A box near a point.
struct Near {
  double distance2;  ///< the squared distance, or a little less
  BoxIndex index;
};

/// Scratch of `BoxSearch::visit_nearest`.
struct NearestScratch {
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint64_t> places;
  std::vector<Near> found;

  [[nodiscard]] std::size_t capacity() const {
    return nodes.capacity() + places.capacity() + found.capacity();
  }
};

/// Receives boxes near a point, by ascending distance; returns the distance beyond which no more are wanted.
using VisitNear = FunctionRef<double(std::span<const Near>)>;

}  // namespace broadside::inline v0_2::detail
