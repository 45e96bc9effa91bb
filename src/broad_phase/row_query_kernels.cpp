// Compiled once for each SIMD target by Highway, which picks the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/row_query_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "row_kernels.hpp"
#include "squeeze.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using U32 = hn::ScalableTag<std::uint32_t>;
using I32 = hn::ScalableTag<std::int32_t>;
using F32 = hn::ScalableTag<float>;

/// Returns the first position of [begin, end) whose key is not below `key`, without a branch that could be
/// guessed wrong.
HWY_INLINE std::uint32_t first_not_below(const std::uint32_t* keys, std::uint32_t begin, std::uint32_t end,
                                         std::uint32_t key) {
  std::uint32_t count = end - begin;
  while (count > 0) {
    const std::uint32_t half = (count + 1) / 2;
    begin += keys[begin + half - 1] < key ? half : 0;
    count -= half;
  }
  return begin;
}

/// The names of those in a run that overlap an area; gathered in a small room, so that the list grows by
/// many at once.
class Collector {
 public:
  Collector(const RowIndex::View& view, const Aabb& area, std::vector<BoxIndex>& hits)
      : view_(view), area_(area), hits_(hits) {}

  HWY_INLINE void add_run(std::uint32_t begin, std::uint32_t highest_key) {
    const U32 du;
    const F32 df;
    const std::size_t lanes = hn::Lanes(du);
    const auto end_key = hn::Set(I32(), static_cast<std::int32_t>(highest_key) + 1);
    const auto min_x = hn::Set(df, area_.min.x);
    const auto max_x = hn::Set(df, area_.max.x);
    const auto min_y = hn::Set(df, area_.min.y);
    const auto max_y = hn::Set(df, area_.max.y);
    for (std::size_t position = begin;; position += lanes) {
      const auto keys = hn::BitCast(I32(), hn::LoadU(du, view_.keys + position));
      const auto inside = hn::RebindMask(du, hn::Lt(keys, end_key));
      const auto on_x = hn::And(hn::Le(hn::LoadU(df, view_.min_x + position), max_x),
                                hn::Le(min_x, hn::LoadU(df, view_.max_x + position)));
      const auto on_y = hn::And(hn::Le(hn::LoadU(df, view_.min_y + position), max_y),
                                hn::Le(min_y, hn::LoadU(df, view_.max_y + position)));
      const auto hit = hn::And(hn::RebindMask(du, hn::And(on_x, on_y)), inside);
      if (!hn::AllFalse(du, hit)) {
        if (size_ + lanes > room) {
          flush();
        }
        hn::StoreU(squeeze(du, hn::LoadU(du, view_.names + position), hit), du, room_ + size_);
        size_ += hn::CountTrue(du, hit);
      }
      if (!hn::AllTrue(du, inside)) {
        return;
      }
    }
  }
  void flush() {
    if (size_ > 0) {
      hits_.insert(hits_.end(), room_, room_ + size_);
      size_ = 0;
    }
  }

 private:
  static constexpr std::size_t room = 256;

  const RowIndex::View& view_;
  const Aabb area_;
  std::vector<BoxIndex>& hits_;
  std::size_t size_ = 0;
  std::uint32_t room_[room];
};

void find_in(const RowIndex::View& view, const Aabb& area, std::vector<BoxIndex>& hits) {
  Collector collector(view, area, hits);
  const std::uint32_t first_column = view.columns->cell(area.min.x);
  const std::uint32_t last_column = view.columns->cell(area.max.x);
  for (std::size_t l = 0; l < RowIndex::max_levels; ++l) {
    const RowIndex::Level& level = view.levels[l];
    if (level.begin == level.end) {
      continue;
    }
    const std::uint32_t start_column = first_column - std::min(first_column, level.most_columns);
    const std::uint32_t lowest_row = level.rows.cell(area.min.y);
    const std::uint32_t last_row = level.first_row + level.rows.cell(area.max.y);
    for (std::uint32_t row = level.first_row + lowest_row - std::min(lowest_row, level.most_rows);
         row <= last_row; ++row) {
      const std::uint32_t begin = view.row_begin[row];
      const std::uint32_t end = view.row_begin[row + 1];
      const std::uint32_t base = row << view.column_bits;
      if (begin != end && view.keys[begin] <= (base | last_column) &&
          view.keys[end - 1] >= (base | start_column)) {
        collector.add_run(first_not_below(view.keys, begin, end, base | start_column), base | last_column);
      }
    }
  }
  collector.flush();
}

void find_in_run(const RowIndex::View& view, const Aabb& area, std::uint32_t begin, std::uint32_t end,
                 std::uint32_t lowest_key, std::uint32_t highest_key, std::vector<BoxIndex>& hits) {
  Collector collector(view, area, hits);
  collector.add_run(first_not_below(view.keys, begin, end, lowest_key), highest_key);
  collector.flush();
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
