#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "broadside/base/aabb.hpp"
#include "broadside/base/bit_cast.hpp"

namespace broadside::inline v0_2::detail {

/// Never -0, of which `exponent_of` would take the sign for a part of the exponent.
inline float larger_side(const Aabb& box) {
  return std::max(box.max.x - box.min.x, box.max.y - box.min.y) + 0.0F;
}

/// Added to the bits of a size: sizes from 5/3 of a power of two on count as the next one. Sizes that are
/// meant to be equal differ by rounding, and most of them are far from 5/3: 1, 1.5, 10 and 100, for example.
/// If levels met at 1, boxes of the size 1 would be in two of them, and each level would reach as far as its
/// largest box.
constexpr std::uint32_t exponent_rounding = 0x2AAAAB;

/// Returns the biased exponent of the power of two that a size counts as. Infinite sizes get the highest.
inline int exponent_of(float size) {
  return static_cast<int>((detail::bit_cast<std::uint32_t>(size) + exponent_rounding) >> 23U);
}

/// Maps coordinates to rows or columns, here called cells: subtract, scale, clamp, truncate. Monotone, and
/// the same on every machine. With knots, the map is piecewise linear: each interval between two knots has
/// equally many cells, so that dense regions get more of them.
struct CellAxis {
  float origin = 0.0F;                ///< where cell 0 of a uniform axis begins
  float scale = 0.0F;                 ///< cells per unit of length, or per interval between two knots
  float last = 0.0F;                  ///< the highest cell
  std::span<const float> knots = {};  ///< strictly ascending; none for a uniform axis

  [[nodiscard]] std::uint32_t cell(float position) const {
    float value = knots.empty() ? (position - origin) * scale : cell_by_knots(position);
    value = value > 0.0F ? value : 0.0F;
    return static_cast<std::uint32_t>(value < last ? value : last);
  }
  /// Returns the length of a cell; with knots, the median of all intervals; 0 if there is only one cell.
  [[nodiscard]] double usual_cell() const;

 private:
  [[nodiscard]] float cell_by_knots(float position) const;
};

/// How boxes are put into levels, rows and columns.
struct RowLayout {
  static constexpr std::size_t max_levels = 16;

  struct Level {
    CellAxis rows;
    CellAxis columns;
  };

  bool transposed = false;   ///< x and y change places: rows are vertical
  int finest_exponent = 0;   ///< highest biased exponent of a size in level 0; two more per level
  unsigned column_bits = 1;  ///< each level has 2^column_bits columns
  std::array<Level, max_levels> levels;

  [[nodiscard]] std::size_t level_of(const Aabb& box) const;
};

}  // namespace broadside::inline v0_2::detail
