#pragma once

#include <cstddef>
#include <cstdint>

#include "broadside/body/mask.hpp"

namespace broadside::inline v0_2::detail {

/// The words of a mask in column-major order: word j of row k is `first[j * stride + k]`.
///
/// So a register holds the words of several rows, however narrow the mask. Up to `margin` rows before the
/// first and after the last may be read, and are 0.
struct MaskStrips {
  static constexpr std::size_t margin = 10;

  const std::uint64_t* first = nullptr;
  std::size_t stride = 0;
  std::int32_t count = 0;
};

/// Returns the strips of a mask; valid as long as it or a copy lives.
inline MaskStrips strips_of(const Mask& mask) {
  const Mask::Data& data = *mask.data_;
  return {data.strips.data() + MaskStrips::margin, data.height + MaskStrips::margin,
          static_cast<std::int32_t>(data.words_per_row)};
}

}  // namespace broadside::inline v0_2::detail
