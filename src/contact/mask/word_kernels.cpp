// Compiled once for each SIMD target by Highway, which picks the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/mask/word_kernels.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include <algorithm>

#include "contact/mask/pixel_bits.hpp"
#include "contact/mask/word_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most as many rows at once as the margin of the strips allows.
using Words = hn::CappedTag<std::uint64_t, 8>;

/// A strip of b laid over a strip of a, starting at the same row.
///
///     columns of b    ..xxx...          moved by 2 and 3 columns:    ....xxxx   (wide: 1)
///
/// Bits that leave the word belong to the next strip, and are handled with that strip.
struct StripPair {
  const std::uint64_t* a = nullptr;
  const std::uint64_t* b = nullptr;  ///< the lowest of the rows that meet
  bool up = false;                   ///< towards higher columns
  int columns = 0;                   ///< shift, from 0 to 63
  int wide = 0;                      ///< additional columns that meet, from 0 to 2
  int tall = 0;                      ///< additional rows that meet, from 0 to 2
  std::int32_t word = 0;             ///< of a
};

template <bool up>
HWY_INLINE hn::Vec<Words> shift(hn::Vec<Words> bits, int columns) {
  if constexpr (up) {
    return hn::ShiftLeftSame(bits, columns);
  } else {
    return hn::ShiftRightSame(bits, columns);
  }
}

/// Returns the bits of some rows of a that meet bits of b.
template <bool up>
HWY_INLINE hn::Vec<Words> common(const StripPair& laid, std::size_t row) {
  const Words d;
  // If fewer meet, use a row or column twice: cheaper than a branch.
  const std::uint64_t* second_row = laid.b + std::min(laid.tall, 1);
  const std::uint64_t* third_row = laid.b + laid.tall;
  const int second_column = std::min(laid.wide, 1);
  auto bits = hn::Or(hn::LoadU(d, laid.b + row),
                     hn::Or(hn::LoadU(d, second_row + row), hn::LoadU(d, third_row + row)));
  bits = hn::Or(bits, hn::Or(shift<up>(bits, second_column), shift<up>(bits, laid.wide)));
  return hn::And(hn::LoadU(d, laid.a + row), shift<up>(bits, laid.columns));
}

/// Returns whether any row has a common bit. Tests all rows before the branch: the row of the first hit is
/// unpredictable, and a branch misprediction costs more than a few rows.
template <bool up>
bool has_common(const StripPair& laid, std::size_t rows) {
  const Words d;
  auto bits = hn::Zero(d);
  for (std::size_t row = 0; row < rows; row += hn::Lanes(d)) {
    bits = hn::Or(bits, common<up>(laid, row));
  }
  return !hn::AllTrue(d, hn::Eq(bits, hn::Zero(d)));
}

/// Returns the first row with a common bit, or one that is not below `rows`.
template <bool up>
std::size_t first_row(const StripPair& laid, std::size_t rows) {
  const Words d;
  for (std::size_t row = 0; row < rows; row += hn::Lanes(d)) {
    const auto is_clear = hn::Eq(common<up>(laid, row), hn::Zero(d));
    if (!hn::AllTrue(d, is_clear)) {
      return row + hn::FindKnownFirstTrue(d, hn::Not(is_clear));
    }
  }
  return rows;
}

template <bool up>
std::uint64_t count(const StripPair& laid, std::size_t rows) {
  const Words d;
  auto counts = hn::Zero(d);
  for (std::size_t row = 0; row < rows; row += hn::Lanes(d)) {
    const auto bits = shift<up>(hn::LoadU(d, laid.b + row), laid.columns);
    counts = hn::Add(counts, hn::PopulationCount(hn::And(hn::LoadU(d, laid.a + row), bits)));
  }
  return hn::GetLane(hn::SumOfLanes(d, counts));
}

/// Visits each strip of b that lies over a strip of a, starting at a row of a.
template <typename Visit>
HWY_INLINE void for_each_strip_pair(const MaskStrips& a, const MaskStrips& b, const Overlay& meeting,
                                    std::int32_t row, Visit visit) {
  for (std::int32_t word = meeting.first_column >> 6; word <= meeting.last_column >> 6; ++word) {
    const std::int32_t first = std::max(0, (64 * word - meeting.last_x) >> 6);
    const std::int32_t last = std::min(b.count - 1, (64 * word + 63 - meeting.first_x) >> 6);
    for (std::int32_t other = first; other <= last; ++other) {
      const std::int32_t low = 64 * (other - word) + meeting.first_x;
      const std::int32_t high = 64 * (other - word) + meeting.last_x;
      StripPair laid;
      laid.a = a.first + static_cast<std::size_t>(word) * a.stride + row;
      laid.b = b.first + static_cast<std::size_t>(other) * b.stride + (row - meeting.last_y);
      laid.tall = meeting.last_y - meeting.first_y;
      laid.word = word;
      if (high > 0) {
        laid.up = true;
        laid.columns = std::max(low, 0);
        laid.wide = high - laid.columns;
        visit(laid);
      }
      if (low < 0 || high == 0) {
        laid.up = false;
        laid.columns = std::max(-high, 0);
        laid.wide = -low - laid.columns;
        visit(laid);
      }
    }
  }
}

/// Returns the first row of a with a pixel that meets one of b; last_row + 1 if there is none.
std::int32_t first_common_row(const MaskStrips& a, const MaskStrips& b, const Overlay& meeting) {
  // In blocks, so that a strip is not searched far beyond a hit of another strip.
  constexpr std::int32_t block = 128;
  for (std::int32_t row = meeting.first_row; row <= meeting.last_row; row += block) {
    const auto rows = static_cast<std::size_t>(std::min(block, meeting.last_row - row + 1));
    std::size_t first = rows;
    for_each_strip_pair(a, b, meeting, row, [&](const StripPair& laid) {
      first = std::min(first, laid.up ? first_row<true>(laid, first) : first_row<false>(laid, first));
    });
    if (first < rows) {
      return row + static_cast<std::int32_t>(first);
    }
  }
  return meeting.last_row + 1;
}

bool have_common(const MaskStrips& a, const MaskStrips& b, const Overlay& meeting) {
  constexpr std::int32_t block = 64;
  bool found = false;
  for (std::int32_t row = meeting.first_row; row <= meeting.last_row && !found; row += block) {
    const auto rows = static_cast<std::size_t>(std::min(block, meeting.last_row - row + 1));
    for_each_strip_pair(a, b, meeting, row, [&](const StripPair& laid) {
      found = found || (laid.up ? has_common<true>(laid, rows) : has_common<false>(laid, rows));
    });
  }
  return found;
}

std::optional<PixelCorner> first_common(const MaskStrips& a, const MaskStrips& b, const Overlay& meeting) {
  const std::int32_t row = first_common_row(a, b, meeting);
  if (row > meeting.last_row) {
    return std::nullopt;
  }
  std::uint32_t column = Mask::max_side;
  for_each_strip_pair(a, b, meeting, row, [&](const StripPair& laid) {
    const std::uint64_t bits = hn::GetLane(laid.up ? common<true>(laid, 0) : common<false>(laid, 0));
    if (bits != 0) {
      column = std::min(column, static_cast<std::uint32_t>(64 * laid.word) + lowest(bits));
    }
  });
  return PixelCorner{column, static_cast<std::uint32_t>(row)};
}

std::uint64_t count_common(const MaskStrips& a, const MaskStrips& b, const Overlay& meeting) {
  const auto last = static_cast<std::size_t>(meeting.last_row);
  const std::size_t rows = last + 1 - static_cast<std::size_t>(meeting.first_row);
  std::uint64_t sum = 0;
  for_each_strip_pair(a, b, meeting, meeting.first_row, [&](const StripPair& laid) {
    sum += laid.up ? count<true>(laid, rows) : count<false>(laid, rows);
  });
  return sum;
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(have_common);
HWY_EXPORT(first_common);
HWY_EXPORT(count_common);

bool have_common(const MaskStrips& a, const MaskStrips& b, const Overlay& meeting) {
  return HWY_DYNAMIC_DISPATCH(have_common)(a, b, meeting);
}

std::optional<PixelCorner> first_common(const MaskStrips& a, const MaskStrips& b, const Overlay& meeting) {
  return HWY_DYNAMIC_DISPATCH(first_common)(a, b, meeting);
}

std::uint64_t count_common(const MaskStrips& a, const MaskStrips& b, const Overlay& meeting) {
  return HWY_DYNAMIC_DISPATCH(count_common)(a, b, meeting);
}

}  // namespace broadside::detail

#endif
