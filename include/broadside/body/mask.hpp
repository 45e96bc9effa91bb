#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"
#include "broadside/body/transform.hpp"

namespace broadside {

class Mask;
namespace detail {
struct MaskStrips;
MaskStrips strips_of(const Mask& mask);
}  // namespace detail

/// A corner of the grid of pixels: `origin + pixel_size * (column, row)` (local).
struct PixelCorner {
  std::uint32_t column = 0;
  std::uint32_t row = 0;

  friend constexpr bool operator==(PixelCorner a, PixelCorner b) = default;
};

/// Pixels from (column, row) up to but not including (column + width, row + height).
struct PixelRectangle {
  std::uint16_t column = 0;
  std::uint16_t row = 0;
  std::uint16_t width = 0;
  std::uint16_t height = 0;

  friend constexpr bool operator==(const PixelRectangle& a, const PixelRectangle& b) = default;
};

/// Pixels that are set or clear: the shape of a sprite.
///
/// Pixel (column, row) covers the closed square from `origin + pixel_size * (column, row)` to one pixel
/// further (local). Row 0 is the first in the text or picture that it was made from; where y points up in the
/// caller's world, the picture stands on its head, as it does in a texture. At least one pixel is set.
/// Immutable; copies share the pixels.
class Mask {
 public:
  static constexpr std::uint32_t max_side = 16384;                 ///< columns or rows
  static constexpr std::size_t max_pixels = std::size_t{1} << 24;  ///< such as 4096 x 4096

  struct Options {
    float pixel_size = 1.0F;       ///< above 0 (unit: length)
    Vec2 origin;                   ///< of pixel (0, 0) (local; unit: length)
    std::uint8_t threshold = 128;  ///< alpha from which on a pixel is set
  };

  /// Makes a mask of rows [h] of text [w]: '.' and ' ' are clear, any other character is set. Rows that are
  /// shorter than the longest are clear to their right.
  ///
  /// Errors: `invalid_argument` for no pixels at all, for none that is set, and for a pixel size that is not
  /// a finite number above 0; `not_finite` for the origin; `too_large` above `max_side` or `max_pixels`,
  /// before anything is allocated. Complexity: O(pixels); allocates two bits each, 80 bytes for every 64
  /// columns, and 8 bytes for each rectangle.
  [[nodiscard]] static Result<Mask> from_rows(std::span<const std::string_view> rows, const Options& options);

  /// Makes a mask of alpha values [width * height], row by row.
  ///
  /// Errors: as above, and `invalid_argument` where the size does not fit.
  [[nodiscard]] static Result<Mask> from_alpha(std::span<const std::uint8_t> alpha, std::uint32_t width,
                                               std::uint32_t height, const Options& options);

  /// Tells whether a mask of this size and these options could be made: errors as above, nothing allocated.
  [[nodiscard]] static Result<void> check(std::size_t width, std::size_t height, const Options& options);

  [[nodiscard]] std::uint32_t width() const { return data_->width; }
  [[nodiscard]] std::uint32_t height() const { return data_->height; }
  [[nodiscard]] float pixel_size() const { return data_->options.pixel_size; }
  [[nodiscard]] Vec2 origin() const { return data_->options.origin; }

  /// Tells whether a pixel is set; those outside are clear.
  [[nodiscard]] bool at(std::uint32_t column, std::uint32_t row) const;

  /// Returns the number of pixels that are set: 1 or more.
  [[nodiscard]] std::size_t count() const { return data_->count; }

  /// Returns a row's words [ceil(width / 64)]: bit k of word j is column 64 j + k. Bits beyond the width are
  /// 0.
  ///
  /// One word more on either side may be read, and is 0: a row can be shifted without asking where it ends.
  /// Valid, as the other spans here, as long as this mask or a copy lives; so not to be had of a temporary.
  /// @pre row < height()
  [[nodiscard]] std::span<const std::uint64_t> words(std::uint32_t row) const& {
    return {data_->words.data() + first_word(row, data_->words_per_row), data_->words_per_row};
  }
  std::span<const std::uint64_t> words(std::uint32_t row) const&& = delete;

  /// Returns the smallest rectangle that holds all pixels that are set.
  [[nodiscard]] PixelRectangle extent() const { return data_->extent; }

  /// Returns rectangles [n] that cover each set pixel once, and no other; by row, then column.
  ///
  /// Merged greedily: runs of a row, then equal runs of the rows that follow.
  [[nodiscard]] std::span<const PixelRectangle> rectangles() const& { return data_->rectangles; }
  std::span<const PixelRectangle> rectangles() const&& = delete;

  /// Returns the corners [n] of the convex hull of all set pixels, counter-clockwise where y points up.
  [[nodiscard]] std::span<const PixelCorner> hull() const& { return data_->hull; }
  std::span<const PixelCorner> hull() const&& = delete;

  /// Compares pixels, pixel size and origin.
  friend bool operator==(const Mask& a, const Mask& b);

 private:
  struct Data {
    Options options;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::size_t words_per_row = 0;
    std::size_t count = 0;
    PixelRectangle extent;
    std::vector<std::uint64_t> strips;  ///< the words, column by column
    std::vector<std::uint64_t> words;
    std::vector<PixelRectangle> rectangles;
    std::vector<PixelCorner> hull;
  };
  /// Between two rows is one word that is 0; so are the first of all and the last.
  static std::size_t first_word(std::uint32_t row, std::size_t words_per_row) {
    return 1 + row * (words_per_row + 1);
  }
  friend detail::MaskStrips detail::strips_of(const Mask& mask);
  explicit Mask(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  template <typename IsSet>
  static Result<Mask> make(std::uint32_t width, std::uint32_t height, const Options& options, IsSet is_set);

  std::shared_ptr<const Data> data_;
};

// Those of shape.hpp, for a mask.

/// Returns the smallest box of floats that holds all set pixels in the world.
///
/// Complexity: O(1) at quarter turns, O(corners of the hull) elsewhere.
[[nodiscard]] Aabb bounds(const Mask& mask, const Transform& transform);

/// Returns the area of the pixels that are set (unit: length squared); the largest float where that is
/// exceeded.
[[nodiscard]] float area(const Mask& mask);

/// Tells whether a point of the world lies in a set pixel; their edges belong to them.
[[nodiscard]] bool contains(const Mask& mask, const Transform& transform, Vec2 point);

}  // namespace broadside
