#include "broadside/body/mask.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/rounding.hpp"
#include "body/convex.hpp"
#include "body/mask_strips.hpp"
#include "body/pixel_bits.hpp"

namespace broadside::inline v0_2 {

namespace {

using detail::word_bits;

/// Merges each run of a row with the rectangle above it if both have the same columns.
std::vector<PixelRectangle> merge_runs(const Mask& mask) {
  std::vector<PixelRectangle> rectangles;
  std::vector<std::size_t> open;  // the rectangles that reach the previous row, by column
  std::vector<std::size_t> still_open;
  for (std::uint32_t row = 0; row < mask.height(); ++row) {
    still_open.clear();
    auto above = open.begin();
    detail::for_each_run(mask.words(row), {0, mask.width() - 1}, [&](std::uint32_t begin, std::uint32_t end) {
      while (above != open.end() && rectangles[*above].column < begin) {
        ++above;
      }
      if (above != open.end() && rectangles[*above].column == begin &&
          rectangles[*above].width == end - begin) {
        ++rectangles[*above].height;
        still_open.push_back(*above);
      } else {
        still_open.push_back(rectangles.size());
        rectangles.push_back({static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(row),
                              static_cast<std::uint16_t>(end - begin), 1});
      }
    });
    open.swap(still_open);
  }
  rectangles.shrink_to_fit();
  return rectangles;
}

std::vector<std::uint64_t> strips_of_words(const Mask& mask) {
  constexpr std::size_t margin = detail::MaskStrips::margin;
  const std::size_t count = mask.words(0).size();
  std::vector<std::uint64_t> strips(margin + count * (mask.height() + margin));
  for (std::uint32_t row = 0; row < mask.height(); ++row) {
    const auto words = mask.words(row);
    for (std::size_t word = 0; word < count; ++word) {
      strips[margin + word * (mask.height() + margin) + row] = words[word];
    }
  }
  return strips;
}

PixelRectangle extent_of(std::span<const PixelRectangle> rectangles) {
  std::uint32_t left = Mask::max_side;
  std::uint32_t right = 0;
  std::uint32_t bottom = 0;
  for (const PixelRectangle& r : rectangles) {
    left = std::min<std::uint32_t>(left, r.column);
    right = std::max<std::uint32_t>(right, r.column + r.width);
    bottom = std::max<std::uint32_t>(bottom, r.row + r.height);
  }
  const std::uint32_t top = rectangles.front().row;
  return {static_cast<std::uint16_t>(left), static_cast<std::uint16_t>(top),
          static_cast<std::uint16_t>(right - left), static_cast<std::uint16_t>(bottom - top)};
}

/// Appends a corner after removing those before it, down to `kept`, that would not turn left.
void append_turning_left(std::vector<PixelCorner>& chain, std::size_t kept, PixelCorner next) {
  const auto turns_left = [](PixelCorner a, PixelCorner b, PixelCorner c) {
    return (std::int64_t{b.column} - a.column) * (std::int64_t{c.row} - a.row) >
           (std::int64_t{b.row} - a.row) * (std::int64_t{c.column} - a.column);
  };
  while (chain.size() >= kept + 2 && !turns_left(chain[chain.size() - 2], chain.back(), next)) {
    chain.pop_back();
  }
  chain.push_back(next);
}

/// Returns the hull of the set pixels: a chain up the right side, then one down the left side.
std::vector<PixelCorner> hull_of(std::span<const PixelRectangle> rectangles, const PixelRectangle& extent) {
  const std::uint32_t lines = std::uint32_t{extent.height} + 1;
  std::vector<std::uint32_t> left(lines, Mask::max_side);
  std::vector<std::uint32_t> right(lines, 0);
  for (const PixelRectangle& r : rectangles) {
    const std::uint32_t top = std::uint32_t{r.row} - extent.row;
    for (const std::uint32_t line : {top, top + r.height}) {
      left[line] = std::min<std::uint32_t>(left[line], r.column);
      right[line] = std::max<std::uint32_t>(right[line], r.column + r.width);
    }
  }
  std::vector<PixelCorner> hull;
  for (std::uint32_t line = 0; line < lines; ++line) {
    if (right[line] != 0) {
      append_turning_left(hull, 0, {right[line], extent.row + line});
    }
  }
  const std::size_t kept = hull.size();
  for (std::uint32_t line = lines; line-- > 0;) {
    if (right[line] != 0) {
      append_turning_left(hull, kept, {left[line], extent.row + line});
    }
  }
  hull.shrink_to_fit();
  return hull;
}

}  // namespace

Result<void> Mask::validate(std::size_t width, std::size_t height, const MaskOptions& options) {
  if (!is_finite(options.pixel_size) || !(options.pixel_size > 0.0F)) {
    return Error{ErrorCode::invalid_argument, "mask: the pixel size must be a finite number above 0"};
  }
  if (!is_finite(options.origin.x) || !is_finite(options.origin.y)) {
    return Error{ErrorCode::not_finite, "mask: the origin must be two finite numbers"};
  }
  if (width == 0 || height == 0) {
    return Error{ErrorCode::invalid_argument, "mask: no pixels; at least one must be set"};
  }
  if (width > max_side || height > max_side || width * height > max_pixels) {
    return Error{ErrorCode::too_large, "mask: " + std::to_string(width) + " x " + std::to_string(height) +
                                           " pixels; at most " + std::to_string(max_side) + " a side and " +
                                           std::to_string(max_pixels) + " in all"};
  }
  return {};
}

template <typename IsSet>
Result<Mask> Mask::make(std::uint32_t width, std::uint32_t height, const MaskOptions& options, IsSet is_set) {
  auto data = std::make_shared<Data>();
  data->options = options;
  data->width = width;
  data->height = height;
  data->words_per_row = (width + word_bits - 1) / word_bits;
  data->words.resize(1 + (data->words_per_row + 1) * height);
  for (std::uint32_t row = 0; row < height; ++row) {
    std::uint64_t* words = data->words.data() + first_word(row, data->words_per_row);
    for (std::uint32_t column = 0; column < width; ++column) {
      if (is_set(column, row)) {
        words[column / word_bits] |= std::uint64_t{1} << (column % word_bits);
        ++data->count;
      }
    }
  }
  if (data->count == 0) {
    return Error{ErrorCode::invalid_argument, "mask: all pixels are clear; at least one must be set"};
  }
  const Mask pixels(data);
  data->strips = strips_of_words(pixels);
  data->rectangles = merge_runs(pixels);
  data->extent = extent_of(data->rectangles);
  data->hull = hull_of(data->rectangles, data->extent);
  return pixels;
}

Result<Mask> Mask::from_rows(std::span<const std::string_view> rows, const MaskOptions& options) {
  std::size_t width = 0;
  for (const std::string_view row : rows) {
    width = std::max(width, row.size());
  }
  if (auto checked = validate(width, rows.size(), options); !checked.has_value()) {
    return checked.error();
  }
  return make(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(rows.size()), options,
              [rows](std::uint32_t column, std::uint32_t row) {
                return column < rows[row].size() && rows[row][column] != '.' && rows[row][column] != ' ';
              });
}

Result<Mask> Mask::from_alpha(std::span<const std::uint8_t> alpha, std::uint32_t width, std::uint32_t height,
                              const MaskOptions& options) {
  if (auto checked = validate(width, height, options); !checked.has_value()) {
    return checked.error();
  }
  const std::size_t expected = std::size_t{width} * height;
  if (alpha.size() != expected) {
    return Error{ErrorCode::invalid_argument, "mask: " + std::to_string(alpha.size()) + " alpha values for " +
                                                  std::to_string(width) + " x " + std::to_string(height) +
                                                  " pixels; expected " + std::to_string(expected)};
  }
  return make(width, height, options,
              [alpha, width, threshold = options.threshold](std::uint32_t column, std::uint32_t row) {
                return alpha[std::size_t{row} * width + column] >= threshold;
              });
}

bool Mask::at(std::uint32_t column, std::uint32_t row) const {
  return column < width() && row < height() &&
         ((words(row)[column / word_bits] >> (column % word_bits)) & 1U) != 0;
}

bool operator==(const Mask& a, const Mask& b) {
  return a.data_ == b.data_ ||
         (a.width() == b.width() && a.height() == b.height() && a.pixel_size() == b.pixel_size() &&
          a.origin() == b.origin() && a.data_->words == b.data_->words);
}

Aabb bounds(const Mask& mask, const Transform& transform) {
  const auto c = static_cast<double>(transform.rotation.cos);
  const auto s = static_cast<double>(transform.rotation.sin);
  const auto origin_x = static_cast<double>(mask.origin().x);
  const auto origin_y = static_cast<double>(mask.origin().y);
  const auto pixel = static_cast<double>(mask.pixel_size());
  const bool quarter_turn = detail::is_quarter_turn(transform.rotation);

  constexpr double infinite = std::numeric_limits<double>::infinity();
  double min_x = infinite;
  double min_y = infinite;
  double max_x = -infinite;
  double max_y = -infinite;
  const auto take = [&](double position, double u, double v, PixelCorner corner, double& low, double& high) {
    // One side of `position + rotation * (origin + pixel_size * corner)`: where u and v are 0 or 1
    // (or -1), only the two sums can lose bits.
    const double start = u * origin_x + v * origin_y;
    const double offset = u * (corner.column * pixel) + v * (corner.row * pixel);
    const double first = position + start;
    const double side = first + offset;
    double slack = 0.0;
    if (!quarter_turn || detail::lost_in_sum(position, start, first) != 0.0 ||
        detail::lost_in_sum(first, offset, side) != 0.0) {
      slack = 8.0 * std::numeric_limits<double>::epsilon() *
              (std::abs(position) + std::abs(u) * (std::abs(origin_x) + corner.column * pixel) +
               std::abs(v) * (std::abs(origin_y) + corner.row * pixel));
    }
    low = std::min(low, side - slack);
    high = std::max(high, side + slack);
  };
  const auto take_corner = [&](PixelCorner corner) {
    take(transform.position.x, c, -s, corner, min_x, max_x);
    take(transform.position.y, s, c, corner, min_y, max_y);
  };
  // An invalid transform leaves the box inverted: it overlaps nothing.
  if (quarter_turn && detail::is_valid(transform)) {
    const PixelRectangle extent = mask.extent();
    take_corner({extent.column, extent.row});
    take_corner({extent.column + std::uint32_t{extent.width}, extent.row + std::uint32_t{extent.height}});
  } else if (detail::is_valid(transform)) {
    std::for_each(mask.hull().begin(), mask.hull().end(), take_corner);
  }
  // -0 becomes 0.
  return {{detail::round_down(min_x) + 0.0F, detail::round_down(min_y) + 0.0F},
          {detail::round_up(max_x) + 0.0F, detail::round_up(max_y) + 0.0F}};
}

float area(const Mask& mask) {
  const auto pixel = static_cast<double>(mask.pixel_size());
  return detail::to_float(static_cast<double>(mask.count()) * pixel * pixel);
}

bool contains(const Mask& mask, const Transform& transform, Vec2 point) {
  if (!detail::is_valid(transform) || !is_finite(point.x) || !is_finite(point.y)) {
    return false;
  }
  const auto c = static_cast<double>(transform.rotation.cos);
  const auto s = static_cast<double>(transform.rotation.sin);
  const double dx = static_cast<double>(point.x) - static_cast<double>(transform.position.x);
  const double dy = static_cast<double>(point.y) - static_cast<double>(transform.position.y);
  const double norm = c * c + s * s;
  const auto pixel = static_cast<double>(mask.pixel_size());
  const double x = (c * dx + s * dy) / norm - static_cast<double>(mask.origin().x);
  const double y = (c * dy - s * dx) / norm - static_cast<double>(mask.origin().y);
  const auto columns = detail::pixels_touching(x, x, pixel, {0, mask.width() - 1});
  const auto rows = detail::pixels_touching(y, y, pixel, {0, mask.height() - 1});
  for (std::uint32_t row = rows.first; row <= rows.last; ++row) {
    for (std::uint32_t column = columns.first; column <= columns.last; ++column) {
      if (mask.at(column, row)) {
        // The inverse rotation rounds: a point outside of `bounds` must not count as inside.
        return contains(bounds(mask, transform), point);
      }
    }
  }
  return false;
}

}  // namespace broadside::inline v0_2
