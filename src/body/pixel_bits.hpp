#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace broadside::inline v0_2::detail {

constexpr std::uint32_t word_bits = 64;

/// Columns or rows from first to last, both included; empty if first > last.
struct PixelRange {
  std::uint32_t first = 1;
  std::uint32_t last = 0;

  [[nodiscard]] bool empty() const { return first > last; }
};

/// Returns the closed pixels of a range that touch [low, high] along one axis. Exact.
inline PixelRange pixels_touching(double low, double high, double pixel, PixelRange among) {
  if (!(low <= (among.last + 1.0) * pixel && high >= among.first * pixel)) {
    return {};
  }
  const auto pixel_at = [&](double at) {
    const double guess = std::floor(at / pixel);
    return static_cast<std::uint32_t>(
        std::clamp(guess, static_cast<double>(among.first), static_cast<double>(among.last)));
  };
  // The products are exact. A coordinate off a line is so by more than the rounding of the quotient, so the
  // floors are right; a coordinate on the line between two pixels touches the pixel before as well.
  std::uint32_t first = pixel_at(low);
  if (first > among.first && first * pixel >= low) {
    --first;
  }
  return {first, pixel_at(high)};
}

/// Returns a mask of the bits of a word whose columns are in a range.
inline std::uint64_t bits_of(PixelRange columns, std::uint32_t word) {
  std::uint64_t bits = ~std::uint64_t{0};
  if (word == columns.first / word_bits) {
    bits &= ~std::uint64_t{0} << (columns.first % word_bits);
  }
  if (word == columns.last / word_bits) {
    bits &= ~std::uint64_t{0} >> (word_bits - 1 - columns.last % word_bits);
  }
  return bits;
}

inline std::uint32_t lowest(std::uint64_t bits) {
  return static_cast<std::uint32_t>(std::countr_zero(bits));
}

inline std::uint32_t highest(std::uint64_t bits) {
  return word_bits - 1 - static_cast<std::uint32_t>(std::countl_zero(bits));
}

/// Narrows a range to the first and last of its columns that are set; empty if none is.
inline PixelRange narrow_to_set(std::span<const std::uint64_t> words, PixelRange columns) {
  PixelRange set;
  for (std::uint32_t word = columns.first / word_bits; word <= columns.last / word_bits; ++word) {
    const std::uint64_t bits = words[word] & bits_of(columns, word);
    if (bits != 0) {
      set.first = set.empty() ? word * word_bits + lowest(bits) : set.first;
      set.last = word * word_bits + highest(bits);
    }
  }
  return set;
}

/// Visits each run of set pixels in a range of columns, by its begin and end.
template <typename Visit>
void for_each_run(std::span<const std::uint64_t> words, PixelRange columns, Visit visit) {
  std::uint32_t begin = columns.first;
  bool inside = false;
  for (std::uint32_t word = columns.first / word_bits; word <= columns.last / word_bits; ++word) {
    const std::uint64_t bits = words[word] & bits_of(columns, word);
    std::uint64_t changes = bits ^ (bits << 1U) ^ (inside ? 1U : 0U);
    for (; changes != 0; changes &= changes - 1) {
      const std::uint32_t column = word * word_bits + lowest(changes);
      if (inside) {
        visit(begin, column);
      }
      begin = column;
      inside = !inside;
    }
  }
  if (inside) {
    visit(begin, columns.last + 1);
  }
}

}  // namespace broadside::inline v0_2::detail
