#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/broad_phase/pair_buffer.hpp"
#include "row_index.hpp"

namespace broadside::inline v0_2::detail {

/// Padding at the end of every array of a `RowIndex`, so that whole vectors may be read at any position.
inline constexpr std::size_t row_padding = 64;

/// The parameters from which kernels compute keys, with an entry for each level.
struct KeyMap {
  float left[RowIndex::max_levels] = {};
  float column_scale[RowIndex::max_levels] = {};
  float last_column = 0.0F;
  float bottom[RowIndex::max_levels] = {};
  float row_scale[RowIndex::max_levels] = {};
  float last_row[RowIndex::max_levels] = {};
  std::uint32_t first_row[RowIndex::max_levels] = {};
  int finest_exponent = 0;
  unsigned column_bits = 0;
  bool transposed = false;
};

/// Returns the first position of [begin, end) whose key is not below `key`, by a branch-free binary search.
inline std::uint32_t first_not_below(const std::uint32_t* keys, std::uint32_t begin, std::uint32_t end,
                                     std::uint32_t key) {
  std::uint32_t count = end - begin;
  while (count > 0) {
    const std::uint32_t half = (count + 1) / 2;
    begin += keys[begin + half - 1] < key ? half : 0;
    count -= half;
  }
  return begin;
}

/// Writes the key of each box [n].
/// @pre axes without knots
void make_keys(const KeyMap& map, std::span<const Aabb> boxes, std::uint32_t* keys);

/// Writes the sides of boxes [order[i]] to positions i in [begin, end), and nothing else.
void write_sides(const Aabb* boxes, const std::uint32_t* order, std::size_t begin, std::size_t end,
                 const RowIndex::Sides& out);

/// Writes where the runs of the boxes of one level, or a part of it, end, and lists the positions of the
/// boxes that reach into a row above their own.
/// @pre the boxes are sorted; axes without knots
RowIndex::Reach finish_level(const RowIndex::View& view, const RowIndex::Level& level,
                             std::uint32_t* highest_keys, std::uint32_t* crossing);

/// Tests each box [begin, end) against the run to its right in its own row. Returns the work done, like the
/// next three functions.
Work sweep_rows(const RowIndex::View& view, std::size_t begin, std::size_t end, PairBuffer& pairs);

/// Tests the boxes of one level that are listed at [begin, end) of `view.crossing` against the boxes of the
/// rows above that they reach.
Work sweep_rows_above(const RowIndex::View& view, const RowIndex::Level& level, std::size_t begin,
                      std::size_t end, PairBuffer& pairs);

/// Tests boxes [begin, end) of another index, or of a coarser level of the same, against all boxes of the
/// finest `levels` levels of `view`.
/// @param cursors one for each row of these levels, default-initialized; null if the others are not sorted
Work search_with_index(const RowIndex::View& view, std::size_t levels, const RowIndex::View& others,
                       std::size_t begin, std::size_t end, RowIndex::Cursor* cursors, RowIndex::Naming naming,
                       PairBuffer& pairs);

/// Appends the names of the boxes that overlap an area, which is transposed if `view` is.
void find_in(const RowIndex::View& view, const Aabb& area, std::vector<BoxIndex>& hits);

/// Appends the names of the boxes of a row [begin, end), with keys in [lowest_key, highest_key], that overlap
/// an area.
void find_in_run(const RowIndex::View& view, const Aabb& area, std::uint32_t begin, std::uint32_t end,
                 std::uint32_t lowest_key, std::uint32_t highest_key, std::vector<BoxIndex>& hits);

}  // namespace broadside::inline v0_2::detail
