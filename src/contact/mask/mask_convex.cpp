#include "contact/mask/mask_convex.hpp"

#include <algorithm>
#include <array>

#include "body/pixel_bits.hpp"
#include "contact/engine/convex_pairs.hpp"
#include "contact/mask/local_box.hpp"
#include "contact/mask/outline.hpp"

namespace broadside::inline v0_2::detail {

namespace {

PixelRange rows_of(const Mask& mask) {
  const PixelRectangle extent = mask.extent();
  return {extent.row, extent.row + std::uint32_t{extent.height} - 1};
}

PixelRange columns_of(const Mask& mask) {
  const PixelRectangle extent = mask.extent();
  return {extent.column, extent.column + std::uint32_t{extent.width} - 1};
}

/// The part of one row of pixels that a shape covers.
struct CoveredRow {
  std::uint32_t row = 0;
  PixelRange columns;  ///< from the first to the last set pixel that touches the shape
  Interval x;          ///< covered by the shape
  Interval y;          ///< the row, clipped to the height of the shape
};

/// Visits each row with pixels that touch the shape, until `visit` returns false.
template <typename Visit>
void for_each_row(const Mask& mask, const Outline& outline, Visit visit) {
  const auto pixel = static_cast<double>(mask.pixel_size());
  const Interval tall = outline.y_range();
  const PixelRange rows = pixels_touching(tall.low, tall.high, pixel, rows_of(mask));
  if (rows.empty()) {
    return;
  }
  Interval at_low = outline.across(rows.first * pixel);
  for (std::uint32_t row = rows.first; row <= rows.last; ++row) {
    const Interval y{row * pixel, (row + 1) * pixel};
    const Interval at_high = outline.across(y.high);
    const Interval x = outline.between(y.low, at_low, y.high, at_high);
    at_low = at_high;
    if (x.empty()) {
      continue;
    }
    PixelRange columns = pixels_touching(x.low, x.high, pixel, columns_of(mask));
    if (columns.empty()) {
      continue;
    }
    columns = narrow_to_set(mask.words(row), columns);
    if (!columns.empty() &&
        !visit(CoveredRow{row, columns, x, {std::max(y.low, tall.low), std::min(y.high, tall.high)}})) {
      return;
    }
  }
}

/// Returns the integral over dy of the distance of an edge to the right of `low`, clamped to `high`.
double integral(Point from, Point to, double low, double high) {
  const double height = to.y - from.y;
  const auto [left, right] = std::minmax(from.x, to.x);
  if (right <= low) {
    return 0.0;
  }
  if (left >= high) {
    return (high - low) * height;
  }
  if (left == right) {
    return (left - low) * height;
  }
  const double begin = std::max(left, low);
  const double end = std::min(right, high);
  const double inside = (end - begin) * (0.5 * (begin + end) - low) + (right - end) * (high - low);
  return inside / (right - left) * height;
}

/// The edges of a polygon, clipped to a row.
class RowOfEdges {
 public:
  RowOfEdges(std::span<const Point> corners, double low, double high) {
    for (std::size_t i = 0; i < corners.size(); ++i) {
      Point from = corners[i];
      Point to = corners[i + 1 < corners.size() ? i + 1 : 0];
      const auto [bottom, top] = std::minmax(from.y, to.y);
      if (top <= low || bottom >= high || bottom == top) {
        continue;
      }
      const double slope = (to.x - from.x) / (to.y - from.y);
      const auto cut = [&](Point p) {
        const double y = std::clamp(p.y, low, high);
        return y == p.y ? p : Point{from.x + slope * (y - from.y), y};
      };
      edges_[size_++] = {cut(from), cut(to)};
    }
  }

  /// Returns the area of the polygon in the row between two vertical lines.
  /// Source: G. Green's theorem, 1828: the area is the integral of x dy around it.
  [[nodiscard]] double area(double left, double right) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < size_; ++i) {
      sum += integral(edges_[i][0], edges_[i][1], left, right);
    }
    return std::max(sum, 0.0);
  }

 private:
  union {  // a union, so that it is not cleared: a row has few edges
    std::array<std::array<Point, 2>, Chords::max_points> edges_;
  };
  std::size_t size_ = 0;
};

/// Returns the length of the set pixels of `bits_at(word)` within an interval.
template <typename BitsAt>
double covered_length(BitsAt bits_at, Interval x, double pixel, PixelRange among) {
  if (!(x.low < x.high)) {
    return 0.0;
  }
  const PixelRange columns = pixels_touching(x.low, x.high, pixel, among);
  if (columns.empty()) {
    return 0.0;
  }
  double length = 0.0;
  for (std::uint32_t word = columns.first / word_bits; word <= columns.last / word_bits; ++word) {
    const std::uint64_t bits = bits_at(word) & bits_of(columns, word);
    length += std::popcount(bits) * pixel;
    // The first and the last pixel may extend beyond the interval.
    if (word == columns.first / word_bits && ((bits >> (columns.first % word_bits)) & 1U) != 0) {
      length -= std::max(0.0, x.low - columns.first * pixel);
    }
    if (word == columns.last / word_bits && ((bits >> (columns.last % word_bits)) & 1U) != 0) {
      length -= std::max(0.0, (columns.last + 1) * pixel - x.high);
    }
  }
  return std::max(length, 0.0);
}

/// Adds the horizontal sides on a line that are exposed: set on one side, clear on the other.
void add_flat_sides(const Mask& mask, const Outline& outline, std::uint32_t line, SharedRegion& region) {
  const auto pixel = static_cast<double>(mask.pixel_size());
  const Interval x = outline.across(line * pixel);
  const auto word_of = [&](std::uint32_t row, std::uint32_t word) {
    return row < mask.height() ? mask.words(row)[word] : 0;
  };
  // Row -1 wraps to a number beyond the height.
  const auto below = [&](std::uint32_t word) { return word_of(line - 1, word) & ~word_of(line, word); };
  const auto above = [&](std::uint32_t word) { return word_of(line, word) & ~word_of(line - 1, word); };
  const double up = covered_length(below, x, pixel, columns_of(mask));
  const double down = covered_length(above, x, pixel, columns_of(mask));
  region.push.y += up - down;
  region.side += up + down;
}

/// Adds the exposed left and right sides of the runs of a row.
void add_upright_sides(const Mask& mask, const Outline& outline, const CoveredRow& covered,
                       SharedRegion& region) {
  const auto pixel = static_cast<double>(mask.pixel_size());
  const auto words = mask.words(covered.row);
  const auto length_at = [&](std::uint32_t column) {
    const Interval y = outline.upright(column * pixel);
    return std::max(0.0, std::min(y.high, covered.y.high) - std::max(y.low, covered.y.low));
  };
  // One column more on both sides shows which ends are exposed.
  const PixelRange wider{covered.columns.first > 0 ? covered.columns.first - 1 : 0,
                         std::min(covered.columns.last + 1, mask.width() - 1)};
  for_each_run(words, wider, [&](std::uint32_t begin, std::uint32_t end) {
    const bool left_exposed = begin == 0 || !mask.at(begin - 1, covered.row);
    const bool right_exposed = !mask.at(end, covered.row);
    const double left = left_exposed ? length_at(begin) : 0.0;
    const double right = right_exposed ? length_at(end) : 0.0;
    region.push.x += right - left;
    region.side += right + left;
  });
}

}  // namespace

std::optional<PixelCorner> first_touching(const Mask& mask, const Convex& shape) {
  std::optional<PixelCorner> first;
  for_each_row(mask, Outline(shape), [&](const CoveredRow& covered) {
    first = PixelCorner{covered.columns.first, covered.row};
    return false;
  });
  return first;
}

double shared_area(const Mask& mask, const Convex& shape) {
  if (shape.size < 3 && shape.radius == 0.0) {
    return 0.0;
  }
  const auto pixel = static_cast<double>(mask.pixel_size());
  const Chords chords(shape);
  double area = 0.0;
  for_each_row(mask, Outline(shape), [&](const CoveredRow& covered) {
    const RowOfEdges edges(chords.points(), covered.row * pixel, (covered.row + 1) * pixel);
    for_each_run(mask.words(covered.row), covered.columns, [&](std::uint32_t begin, std::uint32_t end) {
      const double left = std::max(begin * pixel, covered.x.low);
      const double right = std::min(end * pixel, covered.x.high);
      area += left < right ? edges.area(left, right) : 0.0;
    });
    return true;
  });
  return area;
}

void add_shared(const Mask& mask, const Convex& shape, SharedRegion& region) {
  const auto pixel = static_cast<double>(mask.pixel_size());
  const Outline outline(shape);
  // Each row adds the line after it; a row without a predecessor also adds the line before it.
  std::uint32_t next_line = 0;
  for_each_row(mask, outline, [&](const CoveredRow& covered) {
    region.take({std::max(covered.x.low, covered.columns.first * pixel), covered.y.low},
                {std::min(covered.x.high, (covered.columns.last + 1) * pixel), covered.y.high});
    add_upright_sides(mask, outline, covered, region);
    for (const std::uint32_t line : {covered.row, covered.row + 1}) {
      if (line >= next_line) {
        add_flat_sides(mask, outline, line, region);
        next_line = line + 1;
      }
    }
    return true;
  });
}

void add_reach(const Mask& mask, const Convex& shape, Reach& reach) {
  const auto pixel = static_cast<double>(mask.pixel_size());
  const Outline outline(shape);
  for_each_row(mask, outline, [&](const CoveredRow& covered) {
    for_each_run(mask.words(covered.row), covered.columns, [&](std::uint32_t begin, std::uint32_t end) {
      const Point low{std::max(covered.x.low, begin * pixel), covered.y.low};
      const Point high{std::min(covered.x.high, end * pixel), covered.y.high};
      if (reach.may_extend(low, high)) {
        reach.all.take(outline.along(reach.normal, low, high));
      }
    });
    return true;
  });
}

Point point_of_both(const Mask& mask, const Convex& shape, PixelCorner pixel) {
  const auto size = static_cast<double>(mask.pixel_size());
  const PixelRectangle only{static_cast<std::uint16_t>(pixel.column), static_cast<std::uint16_t>(pixel.row),
                            1, 1};
  const LocalBox box = box_around(only, size);
  const auto common = Outline(shape).point_in(box.low, box.high);
  return common ? *common : distance(to_convex(only, size), shape).point_a;
}

}  // namespace broadside::inline v0_2::detail
