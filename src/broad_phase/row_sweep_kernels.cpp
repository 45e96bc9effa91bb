// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/row_sweep_kernels.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>

#include "compress.hpp"
#include "row_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using U32 = hn::ScalableTag<std::uint32_t>;
using I32 = hn::ScalableTag<std::int32_t>;
using F32 = hn::ScalableTag<float>;

HWY_INLINE auto load_keys(const std::uint32_t* keys) {
  return hn::BitCast(I32(), hn::LoadU(U32(), keys));
}

/// Tests one box against a run, and appends the hits to a buffer.
///
///     keys   5 6 6 8 9 9 9 | 12 ...      lanes beyond the highest key belong to other boxes and other rows
///     hits   . x . x x . . |
///     names  7 3 1 4 2 8 6 |             compressed: 3 4 2, stored as a whole vector, advanced by 3
template <bool kAscending, bool kFiltered>
HWY_INLINE std::uint64_t sweep(const RowIndex::View& view, const QueryBox& query, std::size_t position,
                               std::uint32_t highest_key, PairBuffer& pairs) {
  const Aabb& box = query.box;
  const U32 du;
  const F32 df;
  const std::size_t lanes = hn::Lanes(du);
  const auto end_key = hn::Set(I32(), static_cast<std::int32_t>(highest_key) + 1);
  const auto own_name = hn::Set(du, query.name);
  const auto accepts = hn::Set(du, query.accepts);
  const auto box_min_x = hn::Set(df, box.min.x);
  const auto box_max_x = hn::Set(df, box.max.x);
  const auto box_min_y = hn::Set(df, box.min.y);
  const auto box_max_y = hn::Set(df, box.max.y);
  std::uint64_t tests = 0;
  std::size_t in_run = lanes;
  while (in_run == lanes) {
    auto inside = hn::RebindMask(du, hn::Lt(load_keys(view.keys + position), end_key));
    in_run = count_true(du, inside);
    if constexpr (kFiltered) {
      const auto accepted = hn::And(accepts, hn::LoadU(du, view.kind_bits + position));
      inside = hn::And(inside, hn::Ne(accepted, hn::Zero(du)));
      tests += count_true(du, inside);
    } else {
      tests += in_run;
    }
    const auto on_x = hn::And(hn::Le(hn::LoadU(df, view.min_x + position), box_max_x),
                              hn::Le(box_min_x, hn::LoadU(df, view.max_x + position)));
    const auto on_y = hn::And(hn::Le(hn::LoadU(df, view.min_y + position), box_max_y),
                              hn::Le(box_min_y, hn::LoadU(df, view.max_y + position)));
    const auto hits = hn::And(hn::RebindMask(du, hn::And(on_x, on_y)), inside);
    const auto others = compress(du, hn::LoadU(du, view.names + position), hits);
    auto* out = reinterpret_cast<std::uint32_t*>(pairs.tail(lanes));
    if constexpr (kAscending) {
      hn::StoreInterleaved2(hn::Min(own_name, others), hn::Max(own_name, others), du, out);
    } else {
      hn::StoreInterleaved2(own_name, others, du, out);
    }
    pairs.advance(count_true(du, hits));
    position += lanes;
  }
  return tests;
}

/// Returns how many of the keys from `begin` on are below `key`.
/// @pre the keys are ascending, and some are not below
HWY_INLINE std::size_t count_below(const std::uint32_t* keys, std::size_t begin, std::uint32_t key) {
  const I32 di;
  const std::size_t lanes = hn::Lanes(di);
  const auto wanted = hn::Set(di, static_cast<std::int32_t>(key));
  std::size_t count = 0;
  std::size_t below = lanes;
  while (below == lanes) {
    below = count_true(di, hn::Lt(load_keys(keys + begin + count), wanted));
    count += below;
  }
  return count;
}

/// Returns the first position of a row whose key is not below `key`.
HWY_INLINE std::uint32_t lower_bound_in_row(const RowIndex::View& view, std::uint32_t row,
                                            std::uint32_t key) {
  return first_not_below(view.keys, view.row_begin[row], view.row_begin[row + 1], key);
}

/// Returns the work of `search`, which gets whether the index has filters, as a constant.
template <class Search>
HWY_INLINE Work by_filter(const RowIndex::View& view, const Search& search) {
  return view.kind_bits == nullptr ? search(std::false_type()) : search(std::true_type());
}

Work sweep_rows(const RowIndex::View& view, std::size_t begin, std::size_t end, PairBuffer& pairs) {
  return by_filter(view, [&](auto filtered) HWY_ATTR {
    std::uint64_t tests = 0;
    for (std::size_t i = begin; i < end; ++i) {
      tests += sweep<true, filtered>(view, view.query_box_at(i), i + 1, view.highest_keys[i], pairs);
    }
    return Work{tests, end - begin};
  });
}

Work sweep_rows_above(const RowIndex::View& view, const RowIndex::Level& level, std::size_t begin,
                      std::size_t end, PairBuffer& pairs) {
  return by_filter(view, [&](auto filtered) HWY_ATTR {
    const std::uint32_t column_mask = (1U << view.column_bits) - 1U;
    Work work;
    std::uint32_t row_of_next = 0;
    std::uint32_t next = 0;
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t i = view.crossing[k];
      const std::uint32_t row = view.keys[i] >> view.column_bits;
      const QueryBox query = view.query_box_at(i);
      const std::uint32_t last_row = level.first_row + level.rows.cell(query.box.max.y);
      const std::uint32_t column = view.keys[i] & column_mask;
      const std::uint32_t start_column = column - std::min(column, level.max_columns);
      const std::uint32_t last_column = view.highest_keys[i] & column_mask;
      work.cells += last_row - row;
      for (std::uint32_t other = row + 1; other <= last_row; ++other) {
        const std::uint32_t base = other << view.column_bits;
        std::uint32_t from = 0;
        if (other == row + 1) {
          // Boxes are sorted by column, so the begin of the run in the next row only moves to the right.
          if (row_of_next != other) {
            row_of_next = other;
            next = k == begin ? lower_bound_in_row(view, other, base | start_column) : view.row_begin[other];
          }
          next += static_cast<std::uint32_t>(count_below(view.keys, next, base | start_column));
          from = next;
        } else {
          from = lower_bound_in_row(view, other, base | start_column);
        }
        work.tests += sweep<true, filtered>(view, query, from, base | last_column, pairs);
      }
    }
    return work;
  });
}

/// Returns the first position of a row whose key is not below `key`, searching from where the last search in
/// this row ended.
///
/// The searching boxes are sorted by row and column, so in each row the begins of their runs mostly move to
/// the right. `query_row` is the row of the searching box, from 1 on: a new one resets the cursor.
HWY_INLINE std::uint32_t lower_bound_from(const RowIndex::View& view, RowIndex::Cursor* cursors,
                                          std::uint32_t query_row, std::uint32_t row, std::uint32_t key) {
  constexpr std::uint32_t near = 32;
  auto& [for_row, cursor] = cursors[row];
  if (for_row != query_row) {
    for_row = query_row;
    cursor = view.row_begin[row];
  }
  const bool back = cursor > view.row_begin[row] && view.keys[cursor - 1] >= key;
  const bool far = cursor + near < view.row_begin[row + 1] && view.keys[cursor + near] < key;
  cursor = back || far ? lower_bound_in_row(view, row, key)
                       : cursor + static_cast<std::uint32_t>(count_below(view.keys, cursor, key));
  return cursor;
}

/// Tests one box against all rows of the finest `levels` levels that may hold overlapping boxes.
/// @param query_row the row of the box, from 1 on; read if there are cursors
template <bool kAscending, bool kFiltered>
HWY_INLINE Work sweep_levels(const RowIndex::View& view, std::size_t levels, const QueryBox& query,
                             std::uint32_t query_row, RowIndex::Cursor* cursors, PairBuffer& pairs) {
  const std::uint32_t first_column = view.columns->cell(query.box.min.x);
  const std::uint32_t last_column = view.columns->cell(query.box.max.x);
  Work work;
  for (std::size_t l = 0; l < levels; ++l) {
    const RowIndex::Level& level = view.levels[l];
    if (level.begin == level.end) {
      continue;
    }
    const std::uint32_t start_column = first_column - std::min(first_column, level.max_columns);
    const std::uint32_t lowest_row = level.rows.cell(query.box.min.y);
    const std::uint32_t last_row = level.first_row + level.rows.cell(query.box.max.y);
    const std::uint32_t first_row = level.first_row + lowest_row - std::min(lowest_row, level.max_rows);
    work.cells += last_row - first_row + 1;
    for (std::uint32_t row = first_row; row <= last_row; ++row) {
      if (view.row_begin[row] != view.row_begin[row + 1]) {
        const std::uint32_t base = row << view.column_bits;
        const std::uint32_t start =
            cursors == nullptr ? lower_bound_in_row(view, row, base | start_column)
                               : lower_bound_from(view, cursors, query_row, row, base | start_column);
        work.tests += sweep<kAscending, kFiltered>(view, query, start, base | last_column, pairs);
      }
    }
  }
  return work;
}

Work search_with_boxes(const RowIndex::View& view, const Aabb* boxes, std::size_t begin, std::size_t end,
                       PairBuffer& pairs) {
  Work work;
  for (std::size_t i = begin; i < end; ++i) {
    work += sweep_levels<false, false>(view, RowIndex::max_levels, {boxes[i], static_cast<BoxIndex>(i), 0}, 0,
                                       nullptr, pairs);
  }
  return work;
}

Work search_with_index(const RowIndex::View& view, std::size_t levels, const RowIndex::View& others,
                       std::size_t begin, std::size_t end, RowIndex::Cursor* cursors, PairBuffer& pairs) {
  return by_filter(view, [&](auto filtered) HWY_ATTR {
    Work work;
    for (std::size_t i = begin; i < end; ++i) {
      work += sweep_levels<true, filtered>(view, levels, others.query_box_at(i),
                                           (others.keys[i] >> others.column_bits) + 1, cursors, pairs);
    }
    return work;
  });
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(sweep_rows);
HWY_EXPORT(sweep_rows_above);
HWY_EXPORT(search_with_boxes);
HWY_EXPORT(search_with_index);

Work sweep_rows(const RowIndex::View& view, std::size_t begin, std::size_t end, PairBuffer& pairs) {
  return HWY_DYNAMIC_DISPATCH(sweep_rows)(view, begin, end, pairs);
}

Work sweep_rows_above(const RowIndex::View& view, const RowIndex::Level& level, std::size_t begin,
                      std::size_t end, PairBuffer& pairs) {
  return HWY_DYNAMIC_DISPATCH(sweep_rows_above)(view, level, begin, end, pairs);
}

Work search_with_boxes(const RowIndex::View& view, const Aabb* boxes, std::size_t begin, std::size_t end,
                       PairBuffer& pairs) {
  return HWY_DYNAMIC_DISPATCH(search_with_boxes)(view, boxes, begin, end, pairs);
}

Work search_with_index(const RowIndex::View& view, std::size_t levels, const RowIndex::View& others,
                       std::size_t begin, std::size_t end, RowIndex::Cursor* cursors, PairBuffer& pairs) {
  return HWY_DYNAMIC_DISPATCH(search_with_index)(view, levels, others, begin, end, cursors, pairs);
}

}  // namespace broadside::detail

#endif
