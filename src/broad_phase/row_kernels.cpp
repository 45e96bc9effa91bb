// The kernels of `RowIndex`: building it, sweeping it for pairs, and searching it for the boxes in an area.
// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/row_kernels.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "base/box_lanes.hpp"
#include "compress.hpp"
#include "row_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using U32 = hn::ScalableTag<std::uint32_t>;
using I32 = hn::ScalableTag<std::int32_t>;
using F32 = hn::ScalableTag<float>;

// Building

void write_sides(const Aabb* boxes, const std::uint32_t* order, std::size_t begin, std::size_t end,
                 const RowIndex::Sides& out) {
  std::size_t i = begin;
#if HWY_TARGET != HWY_SCALAR
  // Transposes four boxes at a time.
  const hn::FixedTag<float, 4> d;
  const auto load = [&](std::size_t k) HWY_ATTR { return hn::LoadU(d, &boxes[order[k]].min.x); };
  for (; i + 4 <= end; i += 4) {
    const auto sides = turned(Four<hn::Vec<decltype(d)>>{{load(i), load(i + 1), load(i + 2), load(i + 3)}});
    hn::StoreU(sides.of[0], d, out.min_x + i);
    hn::StoreU(sides.of[1], d, out.min_y + i);
    hn::StoreU(sides.of[2], d, out.max_x + i);
    hn::StoreU(sides.of[3], d, out.max_y + i);
  }
#endif
  for (; i < end; ++i) {
    const Aabb& box = boxes[order[i]];
    out.min_x[i] = box.min.x;
    out.min_y[i] = box.min.y;
    out.max_x[i] = box.max.x;
    out.max_y[i] = box.max.y;
  }
}

/// Bit-equal to `RowIndex::Axis::cell` without knots.
template <class V>
HWY_INLINE auto cells(V position, V origin, V scale, V last) {
  const F32 df;
  const auto value = hn::Max(hn::Mul(hn::Sub(position, origin), scale), hn::Zero(df));
  return hn::ConvertTo(I32(), hn::Min(value, last));
}

void make_keys(const KeyMap& map, std::span<const Aabb> boxes, std::uint32_t* keys) {
  const F32 df;
  const I32 di;
  const U32 du;
  const std::size_t lanes = hn::Lanes(df);
  const auto last_column = hn::Set(df, map.last_column);
  const auto finest = hn::Set(di, map.finest_exponent - 1);
  const auto rounding = hn::Set(di, static_cast<std::int32_t>(exponent_rounding));
  const auto last_level = hn::Set(di, static_cast<std::int32_t>(RowIndex::max_levels) - 1);
  const auto bits = static_cast<int>(map.column_bits);
  const auto keys_of = [&](const float* from, std::uint32_t* out) HWY_ATTR {
    auto min_x = hn::Undefined(df);
    auto min_y = hn::Undefined(df);
    auto max_x = hn::Undefined(df);
    auto max_y = hn::Undefined(df);
    hn::LoadInterleaved4(df, from, min_x, min_y, max_x, max_y);
    const auto size = hn::Max(hn::Sub(max_x, min_x), hn::Sub(max_y, min_y));
    if (map.transposed) {
      std::swap(min_x, min_y);
    }
    const auto exponent = hn::ShiftRight<23>(hn::Add(hn::BitCast(di, size), rounding));
    const auto above = hn::ShiftRight<1>(hn::Max(hn::Sub(exponent, finest), hn::Zero(di)));
    const auto level = hn::Min(above, last_level);
    const auto row =
        hn::Add(cells(min_y, hn::GatherIndex(df, map.bottom, level),
                      hn::GatherIndex(df, map.row_scale, level), hn::GatherIndex(df, map.last_row, level)),
                hn::BitCast(di, hn::GatherIndex(du, map.first_row, level)));
    const auto column = cells(min_x, hn::GatherIndex(df, map.left, level),
                              hn::GatherIndex(df, map.column_scale, level), last_column);
    hn::StoreU(hn::BitCast(du, hn::Or(hn::ShiftLeftSame(row, bits), column)), du, out);
  };
  const auto* sides = reinterpret_cast<const float*>(boxes.data());
  std::size_t i = 0;
  for (; i + lanes <= boxes.size(); i += lanes) {
    keys_of(sides + 4 * i, keys + i);
  }
  if (i < boxes.size()) {
    HWY_ALIGN float rest[4 * HWY_LANES(float)] = {};
    for (std::size_t k = i; k < boxes.size(); ++k) {
      for (std::size_t side = 0; side < 4; ++side) {
        rest[4 * (k - i) + side] = sides[4 * k + side];
      }
    }
    keys_of(rest, keys + i);  // the arrays are padded
  }
}

RowIndex::Reach finish_level(const RowIndex::View& view, const RowIndex::Level& level,
                             std::uint32_t* highest_keys, std::uint32_t* crossing) {
  const F32 df;
  const I32 di;
  const U32 du;
  const std::size_t lanes = hn::Lanes(df);
  const auto left = hn::Set(df, level.columns.origin);
  const auto column_scale = hn::Set(df, level.columns.scale);
  const auto last_column = hn::Set(df, level.columns.last);
  const auto bottom = hn::Set(df, level.rows.origin);
  const auto row_scale = hn::Set(df, level.rows.scale);
  const auto last_row = hn::Set(df, level.rows.last);
  const auto first_row = hn::Set(di, static_cast<std::int32_t>(level.first_row));
  const auto column_bits = static_cast<int>(view.column_bits);
  const auto column_mask = hn::Set(di, static_cast<std::int32_t>((1U << view.column_bits) - 1U));
  auto max_rows = hn::Zero(di);
  auto max_columns = hn::Zero(di);
  RowIndex::Reach reach;
  for (std::size_t i = level.begin; i < level.end; i += lanes) {
    const auto member = hn::FirstN(di, level.end - i);
    const auto key = hn::BitCast(di, hn::LoadU(du, view.keys + i));
    const auto column = cells(hn::LoadU(df, view.max_x + i), left, column_scale, last_column);
    const auto row = cells(hn::LoadU(df, view.max_y + i), bottom, row_scale, last_row);
    const auto own_row = hn::Sub(hn::ShiftRightSame(key, column_bits), first_row);
    const auto rows = hn::IfThenElseZero(member, hn::Sub(row, own_row));
    max_rows = hn::Max(max_rows, rows);
    max_columns =
        hn::Max(max_columns, hn::IfThenElseZero(member, hn::Sub(column, hn::And(key, column_mask))));
    const auto highest = hn::BitCast(du, hn::Or(hn::AndNot(column_mask, key), column));
    const auto crosses = hn::RebindMask(du, hn::Gt(rows, hn::Zero(di)));
    const auto found = compress(du, hn::Iota(du, static_cast<std::uint32_t>(i)), crosses);
    const std::size_t count = count_true(du, crosses);
    if (i + lanes <= level.end) {
      hn::StoreU(highest, du, highest_keys + i);
      hn::StoreU(found, du, crossing + reach.crossing);
    } else {  // the entries that follow may belong to another thread
      HWY_ALIGN std::uint32_t rest[HWY_LANES(std::uint32_t)];
      hn::Store(highest, du, rest);
      std::copy(rest, rest + (level.end - i), highest_keys + i);
      hn::Store(found, du, rest);
      std::copy(rest, rest + count, crossing + reach.crossing);
    }
    reach.crossing += count;
  }
  reach.max_rows = static_cast<std::uint32_t>(hn::GetLane(hn::MaxOfLanes(di, max_rows)));
  reach.max_columns = static_cast<std::uint32_t>(hn::GetLane(hn::MaxOfLanes(di, max_columns)));
  return reach;
}

// Pairs

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
  Work work;
  for (std::size_t l = 0; l < levels; ++l) {
    const RowIndex::Level& level = view.levels[l];
    if (level.begin == level.end) {
      continue;
    }
    const std::uint32_t first_column = level.columns.cell(query.box.min.x);
    const std::uint32_t last_column = level.columns.cell(query.box.max.x);
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

template <bool kAscending, bool kFiltered>
HWY_INLINE Work search_all(const RowIndex::View& view, std::size_t levels, const RowIndex::View& others,
                           std::size_t begin, std::size_t end, RowIndex::Cursor* cursors, PairBuffer& pairs) {
  Work work;
  for (std::size_t i = begin; i < end; ++i) {
    QueryBox query = others.query_box_at(i);
    if (view.transposed != others.transposed) {
      query.box = transposed(query.box);
    }
    work += sweep_levels<kAscending, kFiltered>(view, levels, query,
                                                (others.keys[i] >> others.column_bits) + 1, cursors, pairs);
  }
  return work;
}

Work search_with_index(const RowIndex::View& view, std::size_t levels, const RowIndex::View& others,
                       std::size_t begin, std::size_t end, RowIndex::Cursor* cursors, RowIndex::Naming naming,
                       PairBuffer& pairs) {
  if (naming == RowIndex::Naming::query_first) {
    return search_all<false, false>(view, levels, others, begin, end, cursors, pairs);
  }
  return by_filter(view, [&](auto filtered) HWY_ATTR {
    return search_all<true, filtered>(view, levels, others, begin, end, cursors, pairs);
  });
}

// Areas

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
    const auto in_run = hn::RebindMask(du, hn::Lt(load_keys(view.keys + position), end_key));
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

void find_in(const RowIndex::View& view, const Aabb& area, std::vector<BoxIndex>& hits) {
  BufferedWriter all(hits);
  for (std::size_t l = 0; l < view.level_count; ++l) {
    const RowIndex::Level& level = view.levels[l];
    if (level.begin == level.end) {
      continue;
    }
    const std::uint32_t first_column = level.columns.cell(area.min.x);
    const std::uint32_t last_column = level.columns.cell(area.max.x);
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
                   base | last_column, all);
      }
    }
  }
  all.flush();
}

void find_in_run(const RowIndex::View& view, const Aabb& area, std::uint32_t begin, std::uint32_t end,
                 std::uint32_t lowest_key, std::uint32_t highest_key, std::vector<BoxIndex>& hits) {
  BufferedWriter all(hits);
  search_run(view, area, first_not_below(view.keys, begin, end, lowest_key), highest_key, all);
  all.flush();
}

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::inline v0_2::detail {

HWY_EXPORT(make_keys);
HWY_EXPORT(write_sides);
HWY_EXPORT(finish_level);
HWY_EXPORT(sweep_rows);
HWY_EXPORT(sweep_rows_above);
HWY_EXPORT(search_with_index);
HWY_EXPORT(find_in);
HWY_EXPORT(find_in_run);

void make_keys(const KeyMap& map, std::span<const Aabb> boxes, std::uint32_t* keys) {
  HWY_DYNAMIC_DISPATCH(make_keys)(map, boxes, keys);
}

void write_sides(const Aabb* boxes, const std::uint32_t* order, std::size_t begin, std::size_t end,
                 const RowIndex::Sides& out) {
  HWY_DYNAMIC_DISPATCH(write_sides)(boxes, order, begin, end, out);
}

RowIndex::Reach finish_level(const RowIndex::View& view, const RowIndex::Level& level,
                             std::uint32_t* highest_keys, std::uint32_t* crossing) {
  return HWY_DYNAMIC_DISPATCH(finish_level)(view, level, highest_keys, crossing);
}

Work sweep_rows(const RowIndex::View& view, std::size_t begin, std::size_t end, PairBuffer& pairs) {
  return HWY_DYNAMIC_DISPATCH(sweep_rows)(view, begin, end, pairs);
}

Work sweep_rows_above(const RowIndex::View& view, const RowIndex::Level& level, std::size_t begin,
                      std::size_t end, PairBuffer& pairs) {
  return HWY_DYNAMIC_DISPATCH(sweep_rows_above)(view, level, begin, end, pairs);
}

Work search_with_index(const RowIndex::View& view, std::size_t levels, const RowIndex::View& others,
                       std::size_t begin, std::size_t end, RowIndex::Cursor* cursors, RowIndex::Naming naming,
                       PairBuffer& pairs) {
  return HWY_DYNAMIC_DISPATCH(search_with_index)(view, levels, others, begin, end, cursors, naming, pairs);
}

void find_in(const RowIndex::View& view, const Aabb& area, std::vector<BoxIndex>& hits) {
  HWY_DYNAMIC_DISPATCH(find_in)(view, area, hits);
}

void find_in_run(const RowIndex::View& view, const Aabb& area, std::uint32_t begin, std::uint32_t end,
                 std::uint32_t lowest_key, std::uint32_t highest_key, std::vector<BoxIndex>& hits) {
  HWY_DYNAMIC_DISPATCH(find_in_run)(view, area, begin, end, lowest_key, highest_key, hits);
}

}  // namespace broadside::inline v0_2::detail

#endif
