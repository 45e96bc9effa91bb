// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/row_build_kernels.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include <algorithm>

#include "base/box_lanes.hpp"
#include "compress.hpp"
#include "row_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using U32 = hn::ScalableTag<std::uint32_t>;
using I32 = hn::ScalableTag<std::int32_t>;
using F32 = hn::ScalableTag<float>;

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
  auto max_rows = hn::Zero(di);
  auto max_columns = hn::Zero(di);
  RowIndex::Reach reach;
  for (std::size_t i = level.begin; i < level.end; i += lanes) {
    const auto member = hn::FirstN(di, level.end - i);
    const auto key = hn::BitCast(di, hn::LoadU(du, view.keys + i));
    const auto column = cells(hn::LoadU(df, view.max_x + i), left, column_scale, last_column);
    const auto row = cells(hn::LoadU(df, view.max_y + i), bottom, row_scale, last_row);
    const auto own_row = hn::Sub(hn::ShiftRightSame(key, static_cast<int>(column_bits)), first_row);
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

}  // namespace broadside::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::detail {

HWY_EXPORT(make_keys);
HWY_EXPORT(write_sides);
HWY_EXPORT(finish_level);

void make_keys(const KeyMap& map, std::span<const Aabb> boxes, std::uint32_t* keys) {
  HWY_DYNAMIC_DISPATCH(make_keys)(map, boxes, keys);
}

void write_sides(const Aabb* boxes, const std::uint32_t* order, std::size_t begin, std::size_t end,
                 const RowIndex::Sides& out) {
  HWY_DYNAMIC_DISPATCH(write_sides)(boxes, order, begin, end, out);
}

RowIndex::Reach finish_level(const RowIndex::View& view, const RowIndex::Axis& columns,
                             const RowIndex::Level& level, unsigned column_bits, std::uint32_t* highest_keys,
                             std::uint32_t* crossing) {
  return HWY_DYNAMIC_DISPATCH(finish_level)(view, columns, level, column_bits, highest_keys, crossing);
}

}  // namespace broadside::detail

#endif
