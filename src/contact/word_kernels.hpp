#pragma once

#include <cstddef>
#include <cstdint>

namespace broadside::detail {

/// Words of the rows of a mask: row k begins `stride` words behind row k - 1.
struct WordRows {
  const std::uint64_t* first = nullptr;
  std::size_t stride = 0;
};

/// Counts the bits that two blocks of words [rows][words] have in common, b's read from `bits` (below 64)
/// further on.
///
/// Of b one word more than `words` is read in each row.
[[nodiscard]] std::uint64_t count_common(WordRows a, WordRows b, std::uint32_t bits, std::size_t words,
                                         std::size_t rows);

}  // namespace broadside::detail
