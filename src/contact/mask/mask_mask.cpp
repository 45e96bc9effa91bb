#include "contact/mask/mask_mask.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "body/pixel_bits.hpp"
#include "contact/mask/word_kernels.hpp"

namespace broadside::inline v0_2::detail {

namespace {

/// The moves of b, along one axis, after which its pixels may touch those of a.
struct Shifts {
  std::int32_t first;
  std::int32_t last;

  explicit Shifts(double part) : first(part > 0.0 ? 0 : -1), last(part < 0.0 ? 0 : 1) {}
  static Shifts only(std::int32_t move) { return {move, move}; }
  /// The moves whose overlap is more than an edge.
  static Shifts with_weight(double part) { return {part < 0.0 ? -1 : 0, part > 0.0 ? 1 : 0}; }

 private:
  Shifts(std::int32_t from, std::int32_t to) : first(from), last(to) {}
};

/// Returns the share of a pixel's width that coincides after a move.
double weight(double part, std::int32_t move) {
  return move == 0 ? 1.0 - std::abs(part) : std::max(0.0, move * part);
}

/// Returns the part of a pixel of a, from 0 to 1, that the pixel of b covers after a move.
Interval covered_after(double part, std::int32_t move) {
  if (move == 0) {
    return {std::max(0.0, part), 1.0 + std::min(0.0, part)};
  }
  return move > 0 ? Interval{0.0, std::max(0.0, part)} : Interval{1.0 + std::min(0.0, part), 1.0};
}

/// A row of words that can be read at any column.
///
///     a    |  word 0  |  word 1  |          b moved by 5 columns: what stands at column 64 j of a
///     b    ->->| word 0  |  word 1  |       is column 64 j - 5 of b
class ShiftedRow {
 public:
  ShiftedRow(std::span<const std::uint64_t> words, std::int32_t columns)
      : words_(words), whole_(-columns >> 6), bits_(static_cast<std::uint32_t>(-columns) & 63U) {}

  [[nodiscard]] std::uint64_t operator[](std::int32_t word) const {
    const std::uint64_t low = at(word + whole_);
    return bits_ == 0 ? low : (low >> bits_) | (at(word + whole_ + 1) << (word_bits - bits_));
  }

 private:
  [[nodiscard]] std::uint64_t at(std::int32_t index) const {
    // A negative index wraps to one beyond the end.
    return static_cast<std::size_t>(index) < words_.size() ? words_[static_cast<std::size_t>(index)] : 0;
  }

  std::span<const std::uint64_t> words_;
  std::int32_t whole_;
  std::uint32_t bits_;
};

/// Returns the range in which b may touch a after any of some moves; empty if their extents do not touch.
Overlay overlay_of(const Mask& a, const Mask& b, const PixelOffset& offset, Shifts on_x, Shifts on_y) {
  const PixelRectangle in_a = a.extent();
  const PixelRectangle in_b = b.extent();
  Overlay overlay;
  overlay.first_x = offset.whole_x + on_x.first;
  overlay.last_x = offset.whole_x + on_x.last;
  overlay.first_y = offset.whole_y + on_y.first;
  overlay.last_y = offset.whole_y + on_y.last;
  overlay.first_column = std::max<std::int32_t>(in_a.column, in_b.column + overlay.first_x);
  overlay.last_column =
      std::min<std::int32_t>(in_a.column + in_a.width, in_b.column + in_b.width + overlay.last_x) - 1;
  overlay.first_row = std::max<std::int32_t>(in_a.row, in_b.row + overlay.first_y);
  overlay.last_row =
      std::min<std::int32_t>(in_a.row + in_a.height, in_b.row + in_b.height + overlay.last_y) - 1;
  return overlay;
}

Overlay overlay_of(const Mask& a, const Mask& b, const PixelOffset& offset) {
  return overlay_of(a, b, offset, Shifts(offset.part_x), Shifts(offset.part_y));
}

/// Visits, in the frame of a, the bounding box of the common pixels of each row and move. `with_area` skips
/// the moves whose overlap has no area.
template <typename Visit>
void for_each_piece(const Mask& a, const Mask& b, const PixelOffset& offset, bool with_area, Visit visit) {
  const auto pixel = static_cast<double>(a.pixel_size());
  const Shifts on_x = with_area ? Shifts::with_weight(offset.part_x) : Shifts(offset.part_x);
  const Shifts on_y = with_area ? Shifts::with_weight(offset.part_y) : Shifts(offset.part_y);
  for (std::int32_t y = on_y.first; y <= on_y.last; ++y) {
    for (std::int32_t x = on_x.first; x <= on_x.last; ++x) {
      const Interval in_x = covered_after(offset.part_x, x);
      const Interval in_y = covered_after(offset.part_y, y);
      const Overlay range = overlay_of(a, b, offset, Shifts::only(x), Shifts::only(y));
      for (std::int32_t row = range.first_row; row <= range.last_row && !range.empty(); ++row) {
        const auto words = a.words(static_cast<std::uint32_t>(row));
        const ShiftedRow moved(b.words(static_cast<std::uint32_t>(row - offset.whole_y - y)),
                               offset.whole_x + x);
        PixelRange set;
        for (std::int32_t word = range.first_column >> 6; word <= range.last_column >> 6; ++word) {
          const std::uint64_t both = words[static_cast<std::size_t>(word)] & moved[word];
          if (both != 0) {
            const std::uint32_t begin = static_cast<std::uint32_t>(word) * word_bits;
            set.first = set.empty() ? begin + lowest(both) : set.first;
            set.last = begin + highest(both);
          }
        }
        if (!set.empty()) {
          visit(Point{(set.first + in_x.low) * pixel, (row + in_y.low) * pixel},
                Point{(set.last + in_x.high) * pixel, (row + in_y.high) * pixel});
        }
      }
    }
  }
}

/// Returns the number of pixels that coincide after a move.
std::uint64_t count_coincident(const Mask& a, const Mask& b, const PixelOffset& offset, std::int32_t x,
                               std::int32_t y) {
  const Overlay overlay = overlay_of(a, b, offset, Shifts::only(x), Shifts::only(y));
  return overlay.empty() ? 0 : count_common(strips_of(a), strips_of(b), overlay);
}

}  // namespace

bool are_parallel(const Mask& a, const Transform& at_a, const Mask& b, const Transform& at_b) {
  return a.pixel_size() == b.pixel_size() && at_a.rotation == at_b.rotation;
}

std::optional<PixelOffset> offset_of(const Mask& a, const Transform& at_a, const Mask& b,
                                     const Transform& at_b) {
  Point delta = to_point(at_b.position) - to_point(at_a.position);
  if (!all_finite(at_a.position.x, at_a.position.y, at_b.position.x, at_b.position.y)) {
    return std::nullopt;
  }
  // Their rotations are equal, and mostly the identity.
  if (at_a.rotation != Rotation{}) {
    const MaskFrame frame(a, at_a);
    if (!frame.valid()) {
      return std::nullopt;
    }
    delta = frame.vector_from_world(delta);
  }
  delta = delta + (to_point(b.origin()) - to_point(a.origin()));
  const auto pixel = static_cast<double>(a.pixel_size());
  const double per_pixel = 1.0 / pixel;
  const double columns = delta.x * per_pixel;
  const double rows = delta.y * per_pixel;
  constexpr double max_pixels = Mask::max_side + 1.0;
  if (!(std::abs(columns) <= max_pixels && std::abs(rows) <= max_pixels)) {
    return std::nullopt;
  }
  PixelOffset offset;
  // Halves round away from 0, so the offset is exactly negated when the masks are swapped.
  offset.whole_x = static_cast<std::int32_t>(columns + std::copysign(0.5, columns));
  offset.whole_y = static_cast<std::int32_t>(rows + std::copysign(0.5, rows));
  // The remainders are exact, so they distinguish a touch from a gap.
  offset.part_x = (delta.x - offset.whole_x * pixel) * per_pixel;
  offset.part_y = (delta.y - offset.whole_y * pixel) * per_pixel;
  // Within rounding the boxes decide, as in all tests.
  const bool near = !overlay_of(a, b, offset).empty() && overlaps(bounds(a, at_a), bounds(b, at_b));
  return near ? std::optional(offset) : std::nullopt;
}

std::optional<PixelCorner> first_touching(const Mask& a, const Mask& b, const PixelOffset& offset) {
  return first_common(strips_of(a), strips_of(b), overlay_of(a, b, offset));
}

double shared_area(const Mask& a, const Mask& b, const PixelOffset& offset) {
  const auto pixel = static_cast<double>(a.pixel_size());
  double pixels = 0.0;
  const Shifts on_x = Shifts::with_weight(offset.part_x);
  const Shifts on_y = Shifts::with_weight(offset.part_y);
  for (std::int32_t y = on_y.first; y <= on_y.last; ++y) {
    for (std::int32_t x = on_x.first; x <= on_x.last; ++x) {
      const double share = weight(offset.part_x, x) * weight(offset.part_y, y);
      pixels += share * static_cast<double>(count_coincident(a, b, offset, x, y));
    }
  }
  return pixels * pixel * pixel;
}

void add_shared(const Mask& a, const Mask& b, const PixelOffset& offset, SharedRegion& region) {
  if (!first_touching(a, b, offset)) {
    return;
  }
  const auto pixel = static_cast<double>(a.pixel_size());
  const auto count = [&](std::int32_t x, std::int32_t y) {
    return static_cast<double>(count_coincident(a, b, offset, x, y));
  };
  // The area is bilinear between whole offsets. Its slope is the difference of the two nearest counts; on a
  // whole offset, the mean of the slopes on both sides.
  const auto slope = [](double part, const auto& count_after) {
    if (part == 0.0) {
      return 0.5 * (count_after(1) - count_after(-1));
    }
    return part > 0.0 ? count_after(1) - count_after(0) : count_after(0) - count_after(-1);
  };
  for (std::int32_t k = -1; k <= 1; ++k) {
    const double weight_x = weight(offset.part_x, k);
    const double weight_y = weight(offset.part_y, k);
    const double along_x =
        weight_y > 0.0 ? weight_y * slope(offset.part_x, [&](std::int32_t x) { return count(x, k); }) : 0.0;
    const double along_y =
        weight_x > 0.0 ? weight_x * slope(offset.part_y, [&](std::int32_t y) { return count(k, y); }) : 0.0;
    region.push = region.push - pixel * Point{along_x, along_y};
    region.side += pixel * (std::abs(along_x) + std::abs(along_y));
  }
  if (region.push == Point{} && offset.part_x == 0.0 && offset.part_y == 0.0) {
    // Corner on corner: away from the corner.
    const double rising = count(-1, -1) - count(1, 1);
    const double falling = count(-1, 1) - count(1, -1);
    region.push = pixel * Point{rising + falling, rising - falling};
  }
  const bool with_area = shared_area(a, b, offset) > 0.0;
  for_each_piece(a, b, offset, with_area, [&](Point low, Point high) { region.take(low, high); });
}

void add_reach(const Mask& a, const Mask& b, const PixelOffset& offset, Reach& reach) {
  for_each_piece(a, b, offset, true, [&](Point low, Point high) { reach.take(low, high); });
}

Point point_of_both(const Mask& a, const Mask& b, const PixelOffset& offset, PixelCorner pixel) {
  const auto size = static_cast<double>(a.pixel_size());
  const Shifts on_x(offset.part_x);
  const Shifts on_y(offset.part_y);
  // Negative values wrap to beyond the width and height.
  const auto column = static_cast<std::int32_t>(pixel.column) - offset.whole_x;
  const auto row = static_cast<std::int32_t>(pixel.row) - offset.whole_y;
  for (std::int32_t y = on_y.first; y <= on_y.last; ++y) {
    for (std::int32_t x = on_x.first; x <= on_x.last; ++x) {
      if (b.at(static_cast<std::uint32_t>(column - x), static_cast<std::uint32_t>(row - y))) {
        const Interval in_x = covered_after(offset.part_x, x);
        const Interval in_y = covered_after(offset.part_y, y);
        return {(pixel.column + 0.5 * (in_x.low + in_x.high)) * size,
                (pixel.row + 0.5 * (in_y.low + in_y.high)) * size};
      }
    }
  }
  return {};  // not reached: the pixel of a touches b, so one of the moves finds a pixel of b
}

}  // namespace broadside::inline v0_2::detail
