#pragma once

#include <cstdint>
#include <optional>

#include "body/mask_strips.hpp"

namespace broadside::detail {

/// How two masks lie on each other, and where: rows and columns of a, from first to last, both included.
///
/// A pixel of b at (column, row) meets those of a at (column + x, row + y), for all x and y from first to
/// last: three each at most.
struct Meeting {
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

// @pre for all: the meeting is not empty; of each mask the rows of the meeting are its own, or no further
// than 2 beside them.

/// Tells whether any pixel of a meets one of b.
[[nodiscard]] bool have_common(const MaskStrips& a, const MaskStrips& b, const Meeting& meeting);

/// Finds the first pixel of a that meets one of b: lowest row, then lowest column.
[[nodiscard]] std::optional<PixelCorner> first_common(const MaskStrips& a, const MaskStrips& b,
                                                      const Meeting& meeting);

/// Counts the pixels of a that meet one of b, of a meeting with one x and one y.
[[nodiscard]] std::uint64_t count_common(const MaskStrips& a, const MaskStrips& b, const Meeting& meeting);

}  // namespace broadside::detail
