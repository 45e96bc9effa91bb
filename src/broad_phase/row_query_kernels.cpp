// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/row_query_kernels.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include <algorithm>

#include "compress.hpp"
#include "row_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using U32 = hn::ScalableTag<std::uint32_t>;
using I32 = hn::ScalableTag<std::int32_t>;
using F32 = hn::ScalableTag<float>;

/// Adds the boxes of the run from `begin` to the highest key that overlap an area to `hits`.
HWY_INLINE void search_run(const RowIndex::View& view, const Aabb& area, std::uint32_t begin,
                           std::uint32_t highest_key, BufferedWriter& hits) {
  const U32 du;
  const F32 df;
  const std::size_t lanes = hn::Lanes(du);
  const auto end_key = hn::Set(I32(), static_cast<std::int32_t>(highest_key) + 1);
  const auto left = hn::Set(df, area.min.x);
  const auto right = hn::Set(df, area.max.x);
  const auto bottom = hn::Set(df, area.min.y);
  const auto top = hn::Set(df, area.max.y);
  for (std::size_t position = begin;; position += lanes) {
    const auto keys = hn::BitCast(I32(), hn::LoadU(du, view.keys + position));
    const auto in_run = hn::RebindMask(du, hn::Lt(keys, end_key));
    const auto min_x = hn::LoadU(df, view.min_x + position);
    const auto max_x = hn::LoadU(df, view.max_x + position);
    const auto min_y = hn::LoadU(df, view.min_y + position);
    const auto max_y = hn::LoadU(df, view.max_y + position);
    const auto on_x = hn::And(hn::Le(min_x, right), hn::Le(left, max_x));
    const auto on_y = hn::And(hn::Le(min_y, top), hn::Le(bottom, max_y));
    const auto hit = hn::And(hn::RebindMask(du, hn::And(on_x, on_y)), in_run);
    if (!hn::AllFalse(du, hit)) {
      hits.push(du, view.names + position, hit);
    }
    if (!hn::AllTrue(du, in_run)) {
      return;
    }
  }
}

HWY_INLINE void search(const RowIndex::View& view, const Aabb& area, BufferedWriter& hits) {
  const std::uint32_t first_column = view.columns->cell(area.min.x);
  const std::uint32_t last_column = view.columns->cell(area.max.x);
  for (std::size_t l = 0; l < RowIndex::max_levels; ++l) {
    const RowIndex::Level& level = view.levels[l];
    if (level.begin == level.end) {
      continue;
    }
    const std::uint32_t start_column = first_column - std::min(first_column, level.max_columns);
    const std::uint32_t lowest_row = level.rows.cell(area.min.y);
    const std::uint32_t last_row = level.first_row + level.rows.cell(area.max.y);
    std::uint32_t row = level.first_row + lowest_row - std::min(lowest_row, level.max_rows);
    for (; row <= last_row; ++row) {
      const std::uint32_t begin = view.row_begin[row];
      const std::uint32_t end = view.row_begin[row + 1];
      const std::uint32_t base = row << view.column_bits;
      if (begin != end && view.keys[begin] <= (base | last_column) &&
          view.keys[end - 1] >= (base | start_column)) {
        search_run(view, area, first_not_below(view.keys, begin, end, base | start_column),
                   base | last_column, hits);
      }
    }
  }
}

void find_in(const RowIndex::View& view, const Aabb& area, std::vector<BoxIndex>& hits) {
  BufferedWriter all(hits);
  search(view, area, all);
  all.flush();
}

void find_in_run(const RowIndex::View& view, const Aabb& area, std::uint32_t begin, std::uint32_t end,
                 std::uint32_t lowest_key, std::uint32_t highest_key, std::vector<BoxIndex>& hits) {
  BufferedWriter all(hits);
  search_run(view, area, first_not_below(view.keys, begin, end, lowest_key), highest_key, all);
  all.flush();
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(find_in);
HWY_EXPORT(find_in_run);

void find_in(const RowIndex::View& view, const Aabb& area, std::vector<BoxIndex>& hits) {
  HWY_DYNAMIC_DISPATCH(find_in)(view, area, hits);
}

void find_in_run(const RowIndex::View& view, const Aabb& area, std::uint32_t begin, std::uint32_t end,
                 std::uint32_t lowest_key, std::uint32_t highest_key, std::vector<BoxIndex>& hits) {
  HWY_DYNAMIC_DISPATCH(find_in_run)(view, area, begin, end, lowest_key, highest_key, hits);
}

}  // namespace broadside::detail

#endif
