#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "broadside/broad_phase/detail/pair_buffer.hpp"
#include "broadside/broad_phase/detail/row_index.hpp"

namespace broadside::detail {

/// Entries that every array of a `RowIndex` has beyond its boxes, so that whole vectors may be read anywhere.
inline constexpr std::size_t row_padding = 64;

/// Where keys come from, as the kernels want it: an entry for each level.
struct KeyMap {
  RowIndex::Axis columns;
  float bottom = 0.0F;
  float row_scale[RowIndex::max_levels] = {};
  float last_row[RowIndex::max_levels] = {};
  std::uint32_t first_row[RowIndex::max_levels] = {};
  int finest_exponent = 0;
  unsigned column_bits = 0;
};

/// Returns the first position of [begin, end) whose key is not below `key`, without a branch that could be
/// guessed wrong.
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

/// Writes the key of each box [n]. For even axes.
void make_keys(const KeyMap& map, std::span<const Aabb> boxes, std::uint32_t* keys);

/// Writes the sides of boxes [order[i]] to positions i in [begin, end). @pre begin is a multiple of 4
void place_boxes(const Aabb* boxes, const std::uint32_t* order, std::size_t begin, std::size_t end,
                 const RowIndex::Sides& out);

/// For sorted boxes [begin, end) of one level: writes where their runs end, and lists the positions of those
/// that reach into a row above their own. For even axes.
RowIndex::Reach finish_level(const RowIndex::View& view, const RowIndex::Axis& columns,
                             const RowIndex::Level& level, unsigned column_bits, std::uint32_t* highest_keys,
                             std::uint32_t* crossing);

/// Holds each box [begin, end) against the run to its right in its own row. Returns what that took, as do
/// all of these.
Work sweep_rows(const RowIndex::View& view, std::size_t begin, std::size_t end, PairBuffer& pairs);

/// Holds the boxes of one level that are listed at [begin, end) of `view.crossing` against those of the rows
/// above that they reach.
Work reach_up(const RowIndex::View& view, const RowIndex::Level& level, std::size_t begin, std::size_t end,
              PairBuffer& pairs);

/// Holds boxes [begin, end), all of one level, against those of all finer levels.
/// @param cursors one for each row of the finer levels, as they are made
Work look_down(const RowIndex::View& view, std::size_t coarse, std::size_t begin, std::size_t end,
               RowIndex::Cursor* cursors, PairBuffer& pairs);

/// Holds boxes [begin, end), named by their positions, against all.
Work ask_boxes(const RowIndex::View& view, const Aabb* boxes, std::size_t begin, std::size_t end,
               Naming naming, PairBuffer& pairs);

/// Holds boxes [begin, end) of another index against all.
/// @param cursors one for each row, as they are made; null where the others are in no order
Work visit_rows(const RowIndex::View& view, const RowIndex::View& others, std::size_t begin, std::size_t end,
                RowIndex::Cursor* cursors, PairBuffer& pairs);

/// Appends the names of the boxes that overlap an area.
void find_in(const RowIndex::View& view, const Aabb& area, std::vector<BoxIndex>& hits);

/// Appends the names of those in a row [begin, end), with keys from the lowest to the highest, that overlap
/// an area.
void find_in_run(const RowIndex::View& view, const Aabb& area, std::uint32_t begin, std::uint32_t end,
                 std::uint32_t lowest_key, std::uint32_t highest_key, std::vector<BoxIndex>& hits);

}  // namespace broadside::detail
