#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadside/base/aabb.hpp"
#include "broadside/base/pair.hpp"

namespace broadside::inline v0_2::detail {

/// A kind in bits: a pair passes if `accepts` of the query box and `is` of the other box share one.
/// Symmetric, so either box may be the query box. With more kinds than bits, some pairs pass that the filters
/// do not allow; `BroadPhase` drops them.
struct FilterBits {
  std::uint32_t is;       ///< the bit of the kind
  std::uint32_t accepts;  ///< the bits of all kinds that it may touch
};
inline constexpr std::size_t filter_bit_count = 32;

/// Returns a box with x and y in each other's place.
[[nodiscard]] constexpr Aabb transposed(const Aabb& box) {
  return {{box.min.y, box.min.x}, {box.max.y, box.max.x}};
}

// The *name* of a box is its index in the array of the caller, unlike its position in the sorted arrays of a
// `RowIndex`.

/// The input of `RowIndex::build`: boxes by name, and the names of the boxes to insert.
struct BoxSet {
  std::span<const Aabb> boxes;                ///< by name
  std::span<const BoxIndex> names = {};       ///< [n]; empty for all boxes
  std::span<const std::uint16_t> kinds = {};  ///< by name; empty if nothing is filtered
  std::span<const FilterBits> filters = {};   ///< by kind

  [[nodiscard]] std::size_t size() const { return names.empty() ? boxes.size() : names.size(); }
  [[nodiscard]] const Aabb& operator[](std::size_t i) const { return boxes[names.empty() ? i : names[i]]; }
};

}  // namespace broadside::inline v0_2::detail
