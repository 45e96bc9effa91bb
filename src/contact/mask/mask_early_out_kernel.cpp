// Compiled once for each SIMD target by Highway, which selects the best one at run time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "contact/mask/mask_early_out_kernel.cpp"
#include "base/foreach_target.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/mask/mask_early_out.hpp"

HWY_BEFORE_NAMESPACE();
namespace broadside::inline v0_2::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// One row per lane; at most as many rows as the margin of the strips allows.
using Doubles = hn::CappedTag<double, 8>;
using Words = hn::RebindToUnsigned<Doubles>;
using Numbers = hn::Vec<Doubles>;

/// The pixels of some rows that a shape covers: from floor(low) to floor(high), in rows that it reaches.
struct Covered {
  Numbers low;
  Numbers high;
  hn::Mask<Doubles> reached;
};

class CircleRows {
 public:
  CircleRows(const GridCircle& circle, double more)
      : x_(circle.center.x), y_(circle.center.y), radius2_((circle.radius + more) * (circle.radius + more)) {}

  [[nodiscard]] HWY_INLINE Covered at(Numbers row) const {
    const Doubles d;
    const auto zero = hn::Zero(d);
    const auto below = hn::Sub(row, hn::Set(d, y_));
    const auto above = hn::Sub(hn::Set(d, y_ - 1.0), row);
    const auto off = hn::Max(hn::Max(below, above), zero);
    const auto half2 = hn::Sub(hn::Set(d, radius2_), hn::Mul(off, off));
    const auto half = hn::Sqrt(hn::Max(half2, zero));
    const auto x = hn::Set(d, x_);
    return {hn::Sub(x, half), hn::Add(x, half), hn::Ge(half2, zero)};
  }

 private:
  double x_;
  double y_;
  double radius2_;
};

/// A box touches the pixels that no axis separates from it: two axes of the grid, two of the box. Along a row
/// each axis leaves a range of columns, which shifts linearly from row to row.
/// Source: S. Gottschalk, Separating axis theorem, 1996.
class BoxRows {
 public:
  BoxRows(const GridBox& box, double more) : x_(box.center.x), y_(box.center.y) {
    const Point axis{std::abs(box.axis.x), std::abs(box.axis.y)};
    const Point half{box.half.x + more, box.half.y + more};
    const double of_pixel = 0.5 * (axis.x + axis.y);
    reach_x_ = axis.x * half.x + axis.y * half.y + 0.5;
    reach_y_ = axis.y * half.x + axis.x * half.y + 0.5;
    // A vertical axis separates no columns.
    constexpr double all = std::numeric_limits<double>::infinity();
    half_along_ = axis.x > 0.0 ? (half.x + of_pixel) / axis.x : all;
    half_across_ = axis.y > 0.0 ? (half.y + of_pixel) / axis.y : all;
    step_along_ = axis.x > 0.0 ? -box.axis.y / box.axis.x : 0.0;
    step_across_ = axis.y > 0.0 ? box.axis.x / box.axis.y : 0.0;
  }

  [[nodiscard]] HWY_INLINE Covered at(Numbers row) const {
    const Doubles d;
    const auto off = hn::Sub(row, hn::Set(d, y_ - 0.5));
    const auto along = hn::Mul(off, hn::Set(d, step_along_));
    const auto across = hn::Mul(off, hn::Set(d, step_across_));
    const auto half_along = hn::Set(d, half_along_);
    const auto half_across = hn::Set(d, half_across_);
    const auto reach_x = hn::Set(d, reach_x_);
    const auto low = hn::Max(hn::Max(hn::Sub(along, half_along), hn::Sub(across, half_across)),
                             hn::Sub(hn::Zero(d), reach_x));
    const auto high = hn::Min(hn::Min(hn::Add(along, half_along), hn::Add(across, half_across)), reach_x);
    // From pixel centers relative to the center of the box, to pixels of the mask.
    return {hn::Add(low, hn::Set(d, x_ + 0.5)), hn::Add(high, hn::Set(d, x_ - 0.5)),
            hn::Le(hn::Abs(off), hn::Set(d, reach_y_))};
  }

 private:
  double x_;
  double y_;
  double reach_x_;
  double reach_y_;
  double half_along_;
  double half_across_;
  double step_along_;
  double step_across_;
};

/// Returns, for one word in some rows, the bits of the columns that a shape covers.
template <typename Rows>
HWY_INLINE hn::Vec<Words> bits_of(const Rows& rows, std::int32_t row, std::int32_t word) {
  const Doubles d;
  const Words w;
  const Covered covered = rows.at(hn::Iota(d, static_cast<double>(row)));
  const auto zero = hn::Zero(d);
  const auto max_bit = hn::Set(d, 63.0);
  const auto begin = hn::Set(d, 64.0 * word);
  const auto low = hn::Max(hn::Sub(hn::Floor(covered.low), begin), zero);
  const auto high = hn::Min(hn::Sub(hn::Floor(covered.high), begin), max_bit);
  const auto any = hn::And(covered.reached, hn::Le(low, high));
  // After adding 2^52, the lowest bits of the double are the integer.
  const auto large = hn::Set(d, 0x1p52);
  const auto low_bits = hn::Set(w, 63);
  const auto first = hn::And(hn::BitCast(w, hn::Add(hn::Min(low, max_bit), large)), low_bits);
  const auto last = hn::And(hn::BitCast(w, hn::Add(hn::Max(high, zero), large)), low_bits);
  const auto ones = hn::Set(w, ~std::uint64_t{0});
  const auto bits = hn::And(hn::Shl(ones, first), hn::Shr(ones, hn::Sub(low_bits, last)));
  return hn::IfThenElseZero(hn::RebindMask(w, any), bits);
}

HWY_INLINE bool is_clear(hn::Vec<Words> bits) {
  const Words w;
  return hn::AllTrue(w, hn::Eq(bits, hn::Zero(w)));
}

/// Tests the rows and words within `reach` of the middle.
template <typename Rows>
EarlyOut test_rows(const MaskStrips& mask, const PixelRectangle& extent, Point middle, Point reach,
                   const Rows& larger, const Rows& smaller) {
  const auto clamped = [](double at, std::uint32_t first, std::uint32_t size) {
    return static_cast<std::int32_t>(std::min(std::max(at, static_cast<double>(first)), first + size - 1.0));
  };
  const std::int32_t first_row = clamped(middle.y - reach.y, extent.row, extent.height);
  const std::int32_t last_row = clamped(middle.y + reach.y, extent.row, extent.height);
  const std::int32_t first_word = clamped(middle.x - reach.x, extent.column, extent.width) >> 6;
  const std::int32_t last_word = clamped(middle.x + reach.x, extent.column, extent.width) >> 6;
  bool inconclusive = false;
  for (std::int32_t row = first_row; row <= last_row; row += static_cast<std::int32_t>(hn::Lanes(Words()))) {
    for (std::int32_t word = first_word; word <= last_word; ++word) {
      const auto* strip = mask.first + static_cast<std::size_t>(word) * mask.stride;
      const auto bits = hn::LoadU(Words(), strip + row);
      if (is_clear(hn::And(bits, bits_of(larger, row, word)))) {
        continue;
      }
      if (!is_clear(hn::And(bits, bits_of(smaller, row, word)))) {
        return EarlyOut::touching;
      }
      inconclusive = true;
    }
  }
  return inconclusive ? EarlyOut::inconclusive : EarlyOut::apart;
}

EarlyOut early_out_circle(const MaskStrips& mask, const PixelRectangle& extent, const GridCircle& circle,
                          double margin) {
  const double reach = circle.radius + margin;
  return test_rows(mask, extent, circle.center, {reach, reach}, CircleRows(circle, margin),
                   CircleRows(circle, -margin));
}

EarlyOut early_out_box(const MaskStrips& mask, const PixelRectangle& extent, const GridBox& box,
                       double margin) {
  const Point axis{std::abs(box.axis.x), std::abs(box.axis.y)};
  const Point reach{axis.x * box.half.x + axis.y * box.half.y, axis.y * box.half.x + axis.x * box.half.y};
  const Point more{2.0 * margin, 2.0 * margin};
  return test_rows(mask, extent, box.center, reach + more, BoxRows(box, margin), BoxRows(box, -margin));
}

}  // namespace broadside::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace broadside::inline v0_2::detail {

HWY_EXPORT(early_out_circle);
HWY_EXPORT(early_out_box);

EarlyOut early_out_on_grid(const MaskStrips& mask, const PixelRectangle& extent, const GridCircle& circle,
                           double margin) {
  return HWY_DYNAMIC_DISPATCH(early_out_circle)(mask, extent, circle, margin);
}

EarlyOut early_out_on_grid(const MaskStrips& mask, const PixelRectangle& extent, const GridBox& box,
                           double margin) {
  return HWY_DYNAMIC_DISPATCH(early_out_box)(mask, extent, box, margin);
}

}  // namespace broadside::inline v0_2::detail

#endif
