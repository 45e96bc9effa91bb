#pragma once

#include <cstdint>
#include <optional>

#include "body/mask_strips.hpp"

namespace broadside::detail {

/// The overlay of two masks: rows and columns of a from first to last, both included.
///
/// A pixel of b at (column, row) meets the pixels of a at (column + x, row + y), for all x and y from first
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

// @pre for all: the meeting is not empty; its rows are rows of each mask, or at most 2 beyond them.

/// Returns whether any pixel of a meets one of b.
[[nodiscard]] bool have_common(const MaskStrips& a, const MaskStrips& b, const Overlay& meeting);

/// Returns the first pixel of a that meets one of b: lowest row, then lowest column.
[[nodiscard]] std::optional<PixelCorner> first_common(const MaskStrips& a, const MaskStrips& b,
                                                      const Overlay& meeting);

/// Returns the number of pixels of a that meet one of b, for a meeting with one x and one y.
[[nodiscard]] std::uint64_t count_common(const MaskStrips& a, const MaskStrips& b, const Overlay& meeting);

}  // namespace broadside::detail
