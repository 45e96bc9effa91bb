#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/export.h"
#include "broadside/base/result.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::inline v0_2 {

class Mask;
namespace detail {
struct MaskStrips;
BROADSIDE_API MaskStrips strips_of(const Mask& mask);
}  // namespace detail

/// A corner of the pixel grid: `origin + pixel_size * (column, row)` (local).
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

/// Options of a `Mask`.
struct MaskOptions {
  float pixel_size = 1.0F;       ///< above 0 (unit: length)
  Vec2 origin;                   ///< of pixel (0, 0) (local; unit: length)
  std::uint8_t threshold = 128;  ///< smallest alpha of a set pixel
};

/// A bitmap: pixels that are set or clear, such as those of a sprite.
///
/// Pixel (column, row) covers the closed square from `origin + pixel_size * (column, row)` to one pixel
/// further (local). Row 0 is the first row of the text or picture; if y points up in the caller's world, the
/// picture appears upside down, as in a texture. At least one pixel is set. Immutable; copies share the
/// pixels.
class BROADSIDE_API Mask {
 public:
  static constexpr std::uint32_t max_side = 16384;                 ///< columns or rows
  static constexpr std::size_t max_pixels = std::size_t{1} << 24;  ///< such as 4096 x 4096

  /// Makes a mask from rows [h] of text [w]: '.' and ' ' are clear, any other character is set.
  ///
  /// Rows shorter than the longest are padded with clear pixels on the right.
  ///
  /// @par Errors
  /// `invalid_argument` for no pixels, for no set pixel, and for a pixel size that is not a finite number
  /// above 0; `not_finite` for the origin; `too_large` above `max_side` or `max_pixels`, before anything is
  /// allocated.
  /// @par Complexity
  /// O(pixels). The mask holds two bits per pixel, with each row padded to a multiple of 64 columns; 80 bytes
  /// per 64 columns; and 8 bytes per row, per rectangle and per corner of the hull.
  [[nodiscard]] static Result<Mask> from_rows(std::span<const std::string_view> rows,
                                              const MaskOptions& options);

  /// Makes a mask from alpha values [width * height], row by row.
  ///
  /// @par Errors
  /// As above, and `invalid_argument` if the number of values is wrong.
  [[nodiscard]] static Result<Mask> from_alpha(std::span<const std::uint8_t> alpha, std::uint32_t width,
                                               std::uint32_t height, const MaskOptions& options);

  /// Checks the size and options of a mask to be made: errors as above, nothing allocated.
  [[nodiscard]] static Result<void> validate(std::size_t width, std::size_t height,
                                             const MaskOptions& options);

  [[nodiscard]] std::uint32_t width() const { return data_->width; }
  [[nodiscard]] std::uint32_t height() const { return data_->height; }
  [[nodiscard]] float pixel_size() const { return data_->options.pixel_size; }
  [[nodiscard]] Vec2 origin() const { return data_->options.origin; }

  /// Tells whether a pixel is set; pixels outside the mask are clear.
  [[nodiscard]] bool at(std::uint32_t column, std::uint32_t row) const;

  /// Returns the number of set pixels: 1 or more.
  [[nodiscard]] std::size_t count() const { return data_->count; }

  /// Returns a row's words [ceil(width / 64)]: bit k of word j is column 64 j + k. Bits beyond the width are
  /// 0.
  ///
  /// One more word on either side may be read and is 0, so a row can be shifted without a bounds check. All
  /// spans here are valid as long as this mask or a copy lives; therefore deleted for temporaries.
  /// @pre row < height()
  [[nodiscard]] std::span<const std::uint64_t> words(std::uint32_t row) const& {
    return {data_->words.data() + first_word(row, data_->words_per_row), data_->words_per_row};
  }
  std::span<const std::uint64_t> words(std::uint32_t row) const&& = delete;

  /// Returns the smallest rectangle that holds all set pixels.
  [[nodiscard]] PixelRectangle extent() const { return data_->extent; }

  /// Returns rectangles [n] that cover each set pixel once, and no clear one; sorted by row, then column.
  ///
  /// Merged greedily: runs of a row, then equal runs of the following rows.
  [[nodiscard]] std::span<const PixelRectangle> rectangles() const& { return data_->rectangles; }
  std::span<const PixelRectangle> rectangles() const&& = delete;

  /// Returns the corners [n] of the convex hull of all set pixels, counter-clockwise where y points up.
  [[nodiscard]] std::span<const PixelCorner> hull() const& { return data_->hull; }
  std::span<const PixelCorner> hull() const&& = delete;

  /// Compares pixels, pixel size and origin.
  friend BROADSIDE_API bool operator==(const Mask& a, const Mask& b);

 private:
  struct Data {
    MaskOptions options;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::size_t words_per_row = 0;
    std::size_t count = 0;
    PixelRectangle extent;
    std::vector<std::uint64_t> strips;  ///< the words in column-major order: see `detail::MaskStrips`
    std::vector<std::uint64_t> words;
    std::vector<PixelRectangle> rectangles;
    std::vector<PixelCorner> hull;
  };
  /// One zero word lies between two rows, before the first and after the last.
  static std::size_t first_word(std::uint32_t row, std::size_t words_per_row) {
    return 1 + row * (words_per_row + 1);
  }
  friend detail::MaskStrips detail::strips_of(const Mask& mask);
  explicit Mask(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  template <typename IsSet>
  static Result<Mask> make(std::uint32_t width, std::uint32_t height, const MaskOptions& options,
                           IsSet is_set);

  std::shared_ptr<const Data> data_;
};

// The functions of shape.hpp, for a mask.

/// Returns the smallest box of floats that holds all set pixels in the world.
///
/// @par Complexity
/// O(1) at quarter turns, O(corners of the hull) otherwise.
[[nodiscard]] BROADSIDE_API Aabb bounds(const Mask& mask, const Transform& transform);

/// Returns the area of the set pixels (unit: length squared), at most the largest float.
[[nodiscard]] BROADSIDE_API float area(const Mask& mask);

/// Tells whether a point of the world lies in a set pixel, boundary included.
[[nodiscard]] BROADSIDE_API bool contains(const Mask& mask, const Transform& transform, Vec2 point);

}  // namespace broadside::inline v0_2
