// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/mask/word_kernels.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include <algorithm>

#include "body/pixel_bits.hpp"
#include "contact/mask/word_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Up to eight rows at once. With the two rows by which an overlay may exceed a mask, a load reads at most
// nine rows beyond the mask, less than `MaskStrips::margin`.
using Words = hn::CappedTag<std::uint64_t, 8>;

/// A strip of b laid over a strip of a, from a row of a on.
///
/// A pixel of b touches up to three columns of a: the bits of b are shifted by `columns`, and by up to
/// `extra_columns` more. The same holds for rows.
///
///     word of b    ..xxx...          shifted by 2 and 3 columns:    ....xxxx   (extra_columns: 1)
///
/// Bits that are shifted out of the word lie over the next strip of a, and are handled with that strip.
struct StripPair {
  const std::uint64_t* a = nullptr;
  const std::uint64_t* b = nullptr;  ///< the lowest of the rows that touch the row of a
  bool up = false;                   ///< shifted towards higher columns
  int columns = 0;                   ///< smallest shift, from 0 to 63
  int extra_columns = 0;             ///< from 0 to 2
  int extra_rows = 0;                ///< from 0 to 2
  std::int32_t word = 0;             ///< index of the strip of a
};

HWY_INLINE hn::Vec<Words> shift(bool up, hn::Vec<Words> bits, int columns) {
  return up ? hn::ShiftLeftSame(bits, columns) : hn::ShiftRightSame(bits, columns);
}

/// Returns the bits of a that touch bits of b, of as many rows as a register holds, from `row` on.
HWY_INLINE hn::Vec<Words> common_bits(const StripPair& strips, std::size_t row) {
  const Words d;
  // Always three rows and columns: if fewer touch, one is used twice, which is cheaper than a branch.
  const std::uint64_t* second_row = strips.b + std::min(strips.extra_rows, 1);
  const std::uint64_t* third_row = strips.b + strips.extra_rows;
  const int second_column = std::min(strips.extra_columns, 1);
  auto bits = hn::Or(hn::LoadU(d, strips.b + row),
                     hn::Or(hn::LoadU(d, second_row + row), hn::LoadU(d, third_row + row)));
  bits = hn::Or(bits,
                hn::Or(shift(strips.up, bits, second_column), shift(strips.up, bits, strips.extra_columns)));
  return hn::And(hn::LoadU(d, strips.a + row), shift(strips.up, bits, strips.columns));
}

/// Returns the first row with a common bit; `rows` or more if none of the first `rows` rows has one.
std::size_t first_row_in_common(const StripPair& strips, std::size_t rows) {
  const Words d;
  for (std::size_t row = 0; row < rows; row += hn::Lanes(d)) {
    const auto is_clear = hn::Eq(common_bits(strips, row), hn::Zero(d));
    if (!hn::AllTrue(d, is_clear)) {
      return row + hn::FindKnownFirstTrue(d, hn::Not(is_clear));
    }
  }
  return rows;
}

/// Returns the number of common bits, given that no extra rows or columns touch. The last register may hold
/// further rows: they are beyond the extent of one of the masks, and have no common bits.
std::uint64_t count_common_bits(const StripPair& strips, std::size_t rows) {
  const Words d;
  auto counts = hn::Zero(d);
  for (std::size_t row = 0; row < rows; row += hn::Lanes(d)) {
    const auto bits = shift(strips.up, hn::LoadU(d, strips.b + row), strips.columns);
    counts = hn::Add(counts, hn::PopulationCount(hn::And(hn::LoadU(d, strips.a + row), bits)));
  }
  return hn::GetLane(hn::SumOfLanes(d, counts));
}

/// Visits each strip of b that lies over a strip of a, from a row of a on. A range of shifts in both
/// directions is visited in two parts.
template <typename Visit>
HWY_INLINE void for_each_strip_pair(const MaskStrips& a, const MaskStrips& b, const Overlay& overlay,
                                    std::int32_t row, Visit visit) {
  for (std::int32_t word_a = overlay.first_column >> 6; word_a <= overlay.last_column >> 6; ++word_a) {
    const std::int32_t first_b = std::max(0, (64 * word_a - overlay.last_x) >> 6);
    const std::int32_t last_b = std::min(b.count - 1, (64 * word_a + 63 - overlay.first_x) >> 6);
    for (std::int32_t word_b = first_b; word_b <= last_b; ++word_b) {
      const std::int32_t lowest_shift = 64 * (word_b - word_a) + overlay.first_x;
      const std::int32_t highest_shift = 64 * (word_b - word_a) + overlay.last_x;
      StripPair strips;
      strips.a = a.first + static_cast<std::size_t>(word_a) * a.stride + row;
      strips.b = b.first + static_cast<std::size_t>(word_b) * b.stride + (row - overlay.last_y);
      strips.extra_rows = overlay.last_y - overlay.first_y;
      strips.word = word_a;
      if (highest_shift > 0) {
        strips.up = true;
        strips.columns = std::max(lowest_shift, 0);
        strips.extra_columns = highest_shift - strips.columns;
        visit(strips);
      }
      if (lowest_shift < 0 || highest_shift == 0) {
        strips.up = false;
        strips.columns = std::max(-highest_shift, 0);
        strips.extra_columns = -lowest_shift - strips.columns;
        visit(strips);
      }
    }
  }
}

/// Returns the first row of a with a pixel that touches one of b; last_row + 1 if there is none.
std::int32_t first_common_row(const MaskStrips& a, const MaskStrips& b, const Overlay& overlay) {
  // In blocks, so that a strip is not searched far beyond a hit of another strip.
  constexpr std::int32_t block = 128;
  for (std::int32_t row = overlay.first_row; row <= overlay.last_row; row += block) {
    const auto rows = static_cast<std::size_t>(std::min(block, overlay.last_row - row + 1));
    std::size_t first = rows;
    for_each_strip_pair(a, b, overlay, row, [&](const StripPair& strips) {
      first = std::min(first, first_row_in_common(strips, first));
    });
    if (first < rows) {
      return row + static_cast<std::int32_t>(first);
    }
  }
  return overlay.last_row + 1;
}

std::optional<PixelCorner> first_common(const MaskStrips& a, const MaskStrips& b, const Overlay& overlay) {
  const std::int32_t row = first_common_row(a, b, overlay);
  if (row > overlay.last_row) {
    return std::nullopt;
  }
  std::uint32_t column = Mask::max_side;
  for_each_strip_pair(a, b, overlay, row, [&](const StripPair& strips) {
    // Lane 0 is the row itself.
    const std::uint64_t bits = hn::GetLane(common_bits(strips, 0));
    if (bits != 0) {
      column = std::min(column, static_cast<std::uint32_t>(64 * strips.word) + lowest(bits));
    }
  });
  return PixelCorner{column, static_cast<std::uint32_t>(row)};
}

std::uint64_t count_common(const MaskStrips& a, const MaskStrips& b, const Overlay& overlay) {
  const auto last = static_cast<std::size_t>(overlay.last_row);
  const std::size_t rows = last + 1 - static_cast<std::size_t>(overlay.first_row);
  std::uint64_t sum = 0;
  for_each_strip_pair(a, b, overlay, overlay.first_row,
                      [&](const StripPair& strips) { sum += count_common_bits(strips, rows); });
  return sum;
}

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::inline v0_2::detail {

HWY_EXPORT(first_common);
HWY_EXPORT(count_common);

std::optional<PixelCorner> first_common(const MaskStrips& a, const MaskStrips& b, const Overlay& overlay) {
  return HWY_DYNAMIC_DISPATCH(first_common)(a, b, overlay);
}

std::uint64_t count_common(const MaskStrips& a, const MaskStrips& b, const Overlay& overlay) {
  return HWY_DYNAMIC_DISPATCH(count_common)(a, b, overlay);
}

}  // namespace broadside::inline v0_2::detail

#endif
