#pragma once

// The only code that maps coordinates to cells. Every step is monotone (subtraction, division, floor and
// clamp in double), so p <= q implies cell(p) <= cell(q): two boxes that share a point share a cell, however
// the steps are rounded.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "broadside/base/aabb.hpp"

namespace broadside::inline v0_2::detail {

struct CellIndex {
  std::int32_t x = 0;
  std::int32_t y = 0;

  friend bool operator==(CellIndex, CellIndex) = default;
};

/// The block of cells that a box covers, both corners included.
struct CellRange {
  CellIndex first;
  CellIndex last;

  friend bool operator==(const CellRange&, const CellRange&) = default;

  [[nodiscard]] double count() const {
    return (double{1} + last.x - first.x) * (double{1} + last.y - first.y);
  }

  /// Visits the cells row by row.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    // 64-bit counters: the last cell may be the largest 32-bit one.
    for (std::int64_t y = first.y; y <= last.y; ++y) {
      for (std::int64_t x = first.x; x <= last.x; ++x) {
        visit(CellIndex{static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)});
      }
    }
  }

  /// Returns the cell that owns a pair: of all cells that two boxes share, only the one with the larger min
  /// coordinate on each axis reports the pair. This needs no memory, and no pair is tested twice.
  ///
  ///      a ┌──────────┐
  ///        │     ┌────┼───┐ b
  ///        │     ╳    │   │      ╳ = (max of min x, max of min y) lies in the owner cell
  ///        └─────┼────┘   │
  ///              └────────┘
  [[nodiscard]] CellIndex owner(const CellRange& other) const {
    return {(std::max)(first.x, other.first.x), (std::max)(first.y, other.first.y)};
  }
};

/// Returns the bounds of cell (x, y), for drawing, clamped to the range of float.
inline Aabb cell_bounds(double x, double y, double origin_x, double origin_y, double width, double height) {
  const auto corner = [&](double column, double row) {
    constexpr double limit = (std::numeric_limits<float>::max)();
    return Vec2{static_cast<float>(std::clamp(origin_x + column * width, -limit, limit)),
                static_cast<float>(std::clamp(origin_y + row * height, -limit, limit))};
  };
  return {corner(x, y), corner(x + 1.0, y + 1.0)};
}

/// Maps a coordinate to a cell index in [lowest, highest]; coordinates outside map to the border.
inline std::int32_t cell_coordinate(float position, double origin, double cell_size, std::int32_t lowest,
                                    std::int32_t highest) {
  const double cell = std::floor((position - origin) / cell_size);
  return static_cast<std::int32_t>(std::clamp<double>(cell, lowest, highest));
}

}  // namespace broadside::inline v0_2::detail
