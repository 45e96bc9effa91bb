#pragma once

#include <cstdint>
#include <optional>

#include "body/mask_strips.hpp"

namespace broadside::inline v0_2::detail {

/// Where b lies over a: rows and columns of a from first to last, both included.
///
/// A pixel of b at (column, row) touches the pixels of a at (column + x, row + y), for all x and y from first
/// to last: at most three each.
struct Overlay {
  std::int32_t first_row = 0;
  std::int32_t last_row = -1;
  std::int32_t first_column = 0;
  std::int32_t last_column = -1;
  std::int32_t first_x = 0;
  std::int32_t last_x = 0;
  std::int32_t first_y = 0;
  std::int32_t last_y = 0;

  [[nodiscard]] bool empty() const { return first_row > last_row || first_column > last_column; }
};

// @pre for all: the overlay is not empty; its rows are rows of both masks, or at most 2 beyond a mask.

/// Returns the first pixel of a that touches one of b: lowest row, then lowest column.
[[nodiscard]] std::optional<PixelCorner> first_common(const MaskStrips& a, const MaskStrips& b,
                                                      const Overlay& overlay);

/// Returns the number of pixels of a that lie under one of b, for an overlay with one x and one y.
[[nodiscard]] std::uint64_t count_common(const MaskStrips& a, const MaskStrips& b, const Overlay& overlay);

}  // namespace broadside::inline v0_2::detail
