// Compiled once for each SIMD target by Highway, which picks the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/row_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

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

/// One box against a run; the hits go to the tail of the buffer.
///
///     keys   5 6 6 8 9 9 9 | 12 ...      lanes beyond the highest key belong to other boxes and other rows
///     hits   . x . x x . . |
///     names  7 3 1 4 2 8 6 |             squeezed: 3 4 2, stored as a whole vector, advanced by 3
template <Naming kNaming, bool kFiltered>
HWY_INLINE std::uint64_t sweep(const RowIndex::View& view, const Asker& asker, std::size_t position,
                               std::uint32_t highest_key, PairBuffer& pairs) {
  const Aabb& box = asker.box;
  const U32 du;
  const F32 df;
  const std::size_t lanes = hn::Lanes(du);
  const auto end_key = hn::Set(I32(), static_cast<std::int32_t>(highest_key) + 1);
  const auto own_name = hn::Set(du, asker.name);
  const auto accepts = hn::Set(du, asker.accepts);
  const auto box_min_x = hn::Set(df, box.min.x);
  const auto box_max_x = hn::Set(df, box.max.x);
  const auto box_min_y = hn::Set(df, box.min.y);
  const auto box_max_y = hn::Set(df, box.max.y);
  std::uint64_t tests = 0;
  std::size_t in_run = lanes;
  while (in_run == lanes) {
    auto inside = hn::RebindMask(du, hn::Lt(load_keys(view.keys + position), end_key));
    in_run = hn::CountTrue(du, inside);
    if constexpr (kFiltered) {
      const auto accepted = hn::And(accepts, hn::LoadU(du, view.class_bits + position));
      inside = hn::And(inside, hn::Ne(accepted, hn::Zero(du)));
      tests += hn::CountTrue(du, inside);
    } else {
      tests += in_run;
    }
    const auto on_x = hn::And(hn::Le(hn::LoadU(df, view.min_x + position), box_max_x),
                              hn::Le(box_min_x, hn::LoadU(df, view.max_x + position)));
    const auto on_y = hn::And(hn::Le(hn::LoadU(df, view.min_y + position), box_max_y),
                              hn::Le(box_min_y, hn::LoadU(df, view.max_y + position)));
    const auto hits = hn::And(hn::RebindMask(du, hn::And(on_x, on_y)), inside);
    const auto others = hn::Compress(hn::LoadU(du, view.names + position), hits);
    auto* out = reinterpret_cast<std::uint32_t*>(pairs.tail(lanes));
    if constexpr (kNaming == Naming::ascending) {
      hn::StoreInterleaved2(hn::Min(own_name, others), hn::Max(own_name, others), du, out);
    } else if constexpr (kNaming == Naming::asker_first) {
      hn::StoreInterleaved2(own_name, others, du, out);
    } else {
      hn::StoreInterleaved2(others, own_name, du, out);
    }
    pairs.advance(hn::CountTrue(du, hits));
    position += lanes;
  }
  return tests;
}

/// Returns how many of the keys from `begin` on are below `key`. @pre some are not
HWY_INLINE std::size_t count_below(const std::uint32_t* keys, std::size_t begin, std::uint32_t key) {
  const I32 di;
  const std::size_t lanes = hn::Lanes(di);
  const auto wanted = hn::Set(di, static_cast<std::int32_t>(key));
  std::size_t count = 0;
  std::size_t below = lanes;
  while (below == lanes) {
    below = hn::CountTrue(di, hn::Lt(load_keys(keys + begin + count), wanted));
    count += below;
  }
  return count;
}

/// Returns the first position of a row whose key is not below `key`.
HWY_INLINE std::uint32_t lower_bound_in_row(const RowIndex::View& view, std::uint32_t row,
                                            std::uint32_t key) {
  const std::uint32_t* begin = view.keys + view.row_begin[row];
  const std::uint32_t* end = view.keys + view.row_begin[row + 1];
  return static_cast<std::uint32_t>(std::lower_bound(begin, end, key) - view.keys);
}

template <bool kFiltered>
HWY_INLINE std::uint64_t sweep_rows_as(const RowIndex::View& view, std::size_t begin, std::size_t end,
                                       PairBuffer& pairs) {
  std::uint64_t tests = 0;
  for (std::size_t i = begin; i < end; ++i) {
    tests += sweep<Naming::ascending, kFiltered>(view, view.asker_at(i), i + 1, view.highest_keys[i], pairs);
  }
  return tests;
}

template <bool kFiltered>
HWY_INLINE std::uint64_t reach_up_as(const RowIndex::View& view, const RowIndex::Level& level,
                                     std::size_t begin, std::size_t end, PairBuffer& pairs) {
  const std::uint32_t column_mask = (1U << view.column_bits) - 1U;
  std::uint64_t tests = 0;
  std::uint32_t row_of_next = 0;
  std::uint32_t next = 0;
  for (std::size_t k = begin; k < end; ++k) {
    const std::uint32_t i = view.crossing[k];
    const std::uint32_t row = view.keys[i] >> view.column_bits;
    const Asker asker = view.asker_at(i);
    const std::uint32_t last_row = level.first_row + level.rows.cell(asker.box.max.y);
    const std::uint32_t column = view.keys[i] & column_mask;
    const std::uint32_t start_column = column - std::min(column, level.most_columns);
    const std::uint32_t last_column = view.highest_keys[i] & column_mask;
    for (std::uint32_t other = row + 1; other <= last_row; ++other) {
      const std::uint32_t base = other << view.column_bits;
      std::uint32_t from = 0;
      if (other == row + 1) {
        // Boxes come by ascending column, so the run in the next row only ever begins further right.
        if (row_of_next != other) {
          row_of_next = other;
          next = k == begin ? lower_bound_in_row(view, other, base | start_column) : view.row_begin[other];
        }
        next += static_cast<std::uint32_t>(count_below(view.keys, next, base | start_column));
        from = next;
      } else {
        from = lower_bound_in_row(view, other, base | start_column);
      }
      tests += sweep<Naming::ascending, kFiltered>(view, asker, from, base | last_column, pairs);
    }
  }
  return tests;
}

// Boxes of one row come by ascending column, so in each finer row the runs only ever begin further right: a
// cursor for each finer row remembers where the last one began.
template <bool kFiltered>
HWY_INLINE std::uint64_t look_down_as(const RowIndex::View& view, std::size_t coarse, std::size_t begin,
                                      std::size_t end, RowIndex::Cursor* cursors, PairBuffer& pairs) {
  constexpr std::uint32_t near = 32;
  const std::uint32_t column_mask = (1U << view.column_bits) - 1U;
  std::uint64_t tests = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t row = view.keys[i] >> view.column_bits;
    const Asker asker = view.asker_at(i);
    const std::uint32_t first_column = view.keys[i] & column_mask;
    const std::uint32_t last_column = view.highest_keys[i] & column_mask;
    for (std::size_t l = 0; l < coarse; ++l) {
      const RowIndex::Level& level = view.levels[l];
      if (level.begin == level.end) {
        continue;
      }
      const std::uint32_t start_column = first_column - std::min(first_column, level.most_columns);
      const std::uint32_t lowest_row = level.rows.cell(asker.box.min.y);
      const std::uint32_t last_row = level.first_row + level.rows.cell(asker.box.max.y);
      for (std::uint32_t other = level.first_row + lowest_row - std::min(lowest_row, level.most_rows);
           other <= last_row; ++other) {
        const std::uint32_t base = other << view.column_bits;
        auto& [for_row, cursor] = cursors[other];
        if (for_row != row) {
          for_row = row;
          cursor = view.row_begin[other];
        }
        if (cursor + near < view.row_begin[other + 1] && view.keys[cursor + near] < (base | start_column)) {
          cursor = lower_bound_in_row(view, other, base | start_column);
        } else {
          cursor += static_cast<std::uint32_t>(count_below(view.keys, cursor, base | start_column));
        }
        tests += sweep<Naming::ascending, kFiltered>(view, asker, cursor, base | last_column, pairs);
      }
    }
  }
  return tests;
}

/// Holds one box against all rows that may hold something that overlaps it.
template <Naming kNaming, bool kFiltered>
HWY_INLINE std::uint64_t ask(const RowIndex::View& view, const Asker& asker, PairBuffer& pairs) {
  const std::uint32_t first_column = view.columns->cell(asker.box.min.x);
  const std::uint32_t last_column = view.columns->cell(asker.box.max.x);
  std::uint64_t tests = 0;
  for (std::size_t l = 0; l < RowIndex::max_levels; ++l) {
    const RowIndex::Level& level = view.levels[l];
    if (level.begin == level.end) {
      continue;
    }
    const std::uint32_t lowest_row = level.rows.cell(asker.box.min.y);
    const std::uint32_t last_row = level.first_row + level.rows.cell(asker.box.max.y);
    const std::uint32_t start_column = first_column - std::min(first_column, level.most_columns);
    for (std::uint32_t row = level.first_row + lowest_row - std::min(lowest_row, level.most_rows);
         row <= last_row; ++row) {
      if (view.row_begin[row] != view.row_begin[row + 1]) {
        const std::uint32_t base = row << view.column_bits;
        tests += sweep<kNaming, kFiltered>(view, asker, lower_bound_in_row(view, row, base | start_column),
                                           base | last_column, pairs);
      }
    }
  }
  return tests;
}

template <Naming kNaming>
HWY_INLINE std::uint64_t ask_boxes_as(const RowIndex::View& view, const Aabb* boxes, std::size_t begin,
                                      std::size_t end, PairBuffer& pairs) {
  std::uint64_t tests = 0;
  for (std::size_t i = begin; i < end; ++i) {
    tests += ask<kNaming, false>(view, {boxes[i], static_cast<BoxIndex>(i), 0}, pairs);
  }
  return tests;
}

template <bool kFiltered>
HWY_INLINE std::uint64_t ask_rows_as(const RowIndex::View& view, const RowIndex::View& others,
                                     std::size_t begin, std::size_t end, PairBuffer& pairs) {
  std::uint64_t tests = 0;
  for (std::size_t i = begin; i < end; ++i) {
    tests += ask<Naming::ascending, kFiltered>(view, others.asker_at(i), pairs);
  }
  return tests;
}

// What is called from outside; whether there are filters is found out once.

std::uint64_t sweep_rows(const RowIndex::View& view, std::size_t begin, std::size_t end, PairBuffer& pairs) {
  return view.class_bits == nullptr ? sweep_rows_as<false>(view, begin, end, pairs)
                                    : sweep_rows_as<true>(view, begin, end, pairs);
}

std::uint64_t reach_up(const RowIndex::View& view, const RowIndex::Level& level, std::size_t begin,
                       std::size_t end, PairBuffer& pairs) {
  return view.class_bits == nullptr ? reach_up_as<false>(view, level, begin, end, pairs)
                                    : reach_up_as<true>(view, level, begin, end, pairs);
}

std::uint64_t look_down(const RowIndex::View& view, std::size_t coarse, std::size_t begin, std::size_t end,
                        RowIndex::Cursor* cursors, PairBuffer& pairs) {
  return view.class_bits == nullptr ? look_down_as<false>(view, coarse, begin, end, cursors, pairs)
                                    : look_down_as<true>(view, coarse, begin, end, cursors, pairs);
}

std::uint64_t ask_boxes(const RowIndex::View& view, const Aabb* boxes, std::size_t begin, std::size_t end,
                        Naming naming, PairBuffer& pairs) {
  return naming == Naming::asker_first ? ask_boxes_as<Naming::asker_first>(view, boxes, begin, end, pairs)
                                       : ask_boxes_as<Naming::asker_last>(view, boxes, begin, end, pairs);
}

std::uint64_t ask_rows(const RowIndex::View& view, const RowIndex::View& others, std::size_t begin,
                       std::size_t end, PairBuffer& pairs) {
  return view.class_bits == nullptr ? ask_rows_as<false>(view, others, begin, end, pairs)
                                    : ask_rows_as<true>(view, others, begin, end, pairs);
}

HWY_INLINE void place_one_by_one(const Aabb* boxes, const std::uint32_t* order, std::size_t begin,
                                 std::size_t end, const RowIndex::Sides& out) {
  for (std::size_t i = begin; i < end; ++i) {
    const Aabb& box = boxes[order[i]];
    out.min_x[i] = box.min.x;
    out.min_y[i] = box.min.y;
    out.max_x[i] = box.max.x;
    out.max_y[i] = box.max.y;
  }
}

#if HWY_TARGET == HWY_SCALAR

void place_boxes(const Aabb* boxes, const std::uint32_t* order, std::size_t begin, std::size_t end,
                 const RowIndex::Sides& out) {
  place_one_by_one(boxes, order, begin, end, out);
}

#else

/// Transposes four boxes at a time.
void place_boxes(const Aabb* boxes, const std::uint32_t* order, std::size_t begin, std::size_t end,
                 const RowIndex::Sides& out) {
  const hn::FixedTag<float, 4> d;
  const auto load = [&](std::size_t i) HWY_ATTR { return hn::LoadU(d, &boxes[order[i]].min.x); };
  std::size_t i = begin;
  for (; i + 4 <= end; i += 4) {
    const auto a = load(i);
    const auto b = load(i + 1);
    const auto c = load(i + 2);
    const auto e = load(i + 3);
    const auto low_ab = hn::InterleaveLower(d, a, b);  // a.min.x b.min.x a.min.y b.min.y
    const auto low_ce = hn::InterleaveLower(d, c, e);
    const auto high_ab = hn::InterleaveUpper(d, a, b);
    const auto high_ce = hn::InterleaveUpper(d, c, e);
    hn::StoreU(hn::ConcatLowerLower(d, low_ce, low_ab), d, out.min_x + i);
    hn::StoreU(hn::ConcatUpperUpper(d, low_ce, low_ab), d, out.min_y + i);
    hn::StoreU(hn::ConcatLowerLower(d, high_ce, high_ab), d, out.max_x + i);
    hn::StoreU(hn::ConcatUpperUpper(d, high_ce, high_ab), d, out.max_y + i);
  }
  place_one_by_one(boxes, order, i, end, out);
}

#endif

/// The same steps as `RowIndex::Axis::cell`, to the bit.
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
  const auto left = hn::Set(df, map.columns.origin);
  const auto column_scale = hn::Set(df, map.columns.scale);
  const auto last_column = hn::Set(df, map.columns.last);
  const auto bottom = hn::Set(df, map.bottom);
  const auto finest = hn::Set(di, map.finest_exponent - 1);
  const auto last_level = hn::Set(di, static_cast<std::int32_t>(RowIndex::max_levels) - 1);
  const auto bits = static_cast<int>(map.column_bits);
  const auto keys_of = [&](const float* from, std::uint32_t* out) HWY_ATTR {
    auto min_x = hn::Undefined(df);
    auto min_y = hn::Undefined(df);
    auto max_x = hn::Undefined(df);
    auto max_y = hn::Undefined(df);
    hn::LoadInterleaved4(df, from, min_x, min_y, max_x, max_y);
    const auto size = hn::Max(hn::Sub(max_x, min_x), hn::Sub(max_y, min_y));
    const auto exponent = hn::ShiftRight<23>(hn::BitCast(di, size));
    const auto above = hn::ShiftRight<1>(hn::Max(hn::Sub(exponent, finest), hn::Zero(di)));
    const auto level = hn::Min(above, last_level);
    const auto row = hn::Add(cells(min_y, bottom, hn::GatherIndex(df, map.row_scale, level),
                                   hn::GatherIndex(df, map.last_row, level)),
                             hn::BitCast(di, hn::GatherIndex(du, map.first_row, level)));
    const auto column = cells(min_x, left, column_scale, last_column);
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

RowIndex::Reach finish_level(const RowIndex::View& view, const RowIndex::Axis& columns,
                             const RowIndex::Level& level, unsigned column_bits, std::uint32_t* highest_keys,
                             std::uint32_t* crossing) {
  const F32 df;
  const I32 di;
  const U32 du;
  const std::size_t lanes = hn::Lanes(df);
  const auto left = hn::Set(df, columns.origin);
  const auto column_scale = hn::Set(df, columns.scale);
  const auto last_column = hn::Set(df, columns.last);
  const auto bottom = hn::Set(df, level.rows.origin);
  const auto row_scale = hn::Set(df, level.rows.scale);
  const auto last_row = hn::Set(df, level.rows.last);
  const auto first_row = hn::Set(di, static_cast<std::int32_t>(level.first_row));
  const auto column_mask = hn::Set(di, static_cast<std::int32_t>((1U << column_bits) - 1U));
  auto most_rows = hn::Zero(di);
  auto most_columns = hn::Zero(di);
  RowIndex::Reach reach;
  for (std::size_t i = level.begin; i < level.end; i += lanes) {
    const auto member = hn::FirstN(di, level.end - i);
    const auto key = hn::BitCast(di, hn::LoadU(du, view.keys + i));
    const auto column = cells(hn::LoadU(df, view.max_x + i), left, column_scale, last_column);
    const auto row = cells(hn::LoadU(df, view.max_y + i), bottom, row_scale, last_row);
    const auto own_row = hn::Sub(hn::ShiftRightSame(key, static_cast<int>(column_bits)), first_row);
    const auto rows = hn::IfThenElseZero(member, hn::Sub(row, own_row));
    most_rows = hn::Max(most_rows, rows);
    most_columns =
        hn::Max(most_columns, hn::IfThenElseZero(member, hn::Sub(column, hn::And(key, column_mask))));
    const auto highest = hn::BitCast(du, hn::Or(hn::AndNot(column_mask, key), column));
    const auto crosses = hn::RebindMask(du, hn::Gt(rows, hn::Zero(di)));
    const auto found = hn::Compress(hn::Iota(du, static_cast<std::uint32_t>(i)), crosses);
    const std::size_t count = hn::CountTrue(du, crosses);
    if (i + lanes <= level.end) {
      hn::StoreU(highest, du, highest_keys + i);
      hn::StoreU(found, du, crossing + reach.crossing);
    } else {  // what comes after may belong to another thread
      HWY_ALIGN std::uint32_t rest[HWY_LANES(std::uint32_t)];
      hn::Store(highest, du, rest);
      std::copy(rest, rest + (level.end - i), highest_keys + i);
      hn::Store(found, du, rest);
      std::copy(rest, rest + count, crossing + reach.crossing);
    }
    reach.crossing += count;
  }
  reach.most_rows = static_cast<std::uint32_t>(hn::GetLane(hn::MaxOfLanes(di, most_rows)));
  reach.most_columns = static_cast<std::uint32_t>(hn::GetLane(hn::MaxOfLanes(di, most_columns)));
  return reach;
}

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(make_keys);
HWY_EXPORT(place_boxes);
HWY_EXPORT(finish_level);
HWY_EXPORT(sweep_rows);
HWY_EXPORT(reach_up);
HWY_EXPORT(look_down);
HWY_EXPORT(ask_boxes);
HWY_EXPORT(ask_rows);

void make_keys(const KeyMap& map, std::span<const Aabb> boxes, std::uint32_t* keys) {
  HWY_DYNAMIC_DISPATCH(make_keys)(map, boxes, keys);
}

void place_boxes(const Aabb* boxes, const std::uint32_t* order, std::size_t begin, std::size_t end,
                 const RowIndex::Sides& out) {
  HWY_DYNAMIC_DISPATCH(place_boxes)(boxes, order, begin, end, out);
}

RowIndex::Reach finish_level(const RowIndex::View& view, const RowIndex::Axis& columns,
                             const RowIndex::Level& level, unsigned column_bits, std::uint32_t* highest_keys,
                             std::uint32_t* crossing) {
  return HWY_DYNAMIC_DISPATCH(finish_level)(view, columns, level, column_bits, highest_keys, crossing);
}

std::uint64_t sweep_rows(const RowIndex::View& view, std::size_t begin, std::size_t end, PairBuffer& pairs) {
  return HWY_DYNAMIC_DISPATCH(sweep_rows)(view, begin, end, pairs);
}

std::uint64_t reach_up(const RowIndex::View& view, const RowIndex::Level& level, std::size_t begin,
                       std::size_t end, PairBuffer& pairs) {
  return HWY_DYNAMIC_DISPATCH(reach_up)(view, level, begin, end, pairs);
}

std::uint64_t look_down(const RowIndex::View& view, std::size_t coarse, std::size_t begin, std::size_t end,
                        RowIndex::Cursor* cursors, PairBuffer& pairs) {
  return HWY_DYNAMIC_DISPATCH(look_down)(view, coarse, begin, end, cursors, pairs);
}

std::uint64_t ask_boxes(const RowIndex::View& view, const Aabb* boxes, std::size_t begin, std::size_t end,
                        Naming naming, PairBuffer& pairs) {
  return HWY_DYNAMIC_DISPATCH(ask_boxes)(view, boxes, begin, end, naming, pairs);
}

std::uint64_t ask_rows(const RowIndex::View& view, const RowIndex::View& others, std::size_t begin,
                       std::size_t end, PairBuffer& pairs) {
  return HWY_DYNAMIC_DISPATCH(ask_rows)(view, others, begin, end, pairs);
}

}  // namespace broadside::detail

#endif
