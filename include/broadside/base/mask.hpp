#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/result.hpp"

namespace broadside {

/// Pixels that are set or clear: the shape of a sprite.
///
/// Pixel (column, row) covers the closed square from `origin + pixel_size * (column, row)` to one pixel further
/// (local). Row 0 is the first in the text or picture that it was made from; where y points up in the caller's world,
/// the picture stands on its head, as it does in a texture. Immutable; copies share the pixels.
class Mask {
 public:
  static constexpr std::uint32_t most_side = 16384;  ///< columns or rows

  struct Options {
    float pixel_size = 1.0F;         ///< above 0 (unit: length)
    Vec2 origin;                     ///< of pixel (0, 0) (local; unit: length)
    std::uint8_t threshold = 128;    ///< alpha from which on a pixel is set
  };

  /// Makes a mask of rows [h] of text [w]: '.' and ' ' are clear, any other character is set. Rows that are shorter
  /// than the longest are clear to their right.
  ///
  /// Errors: `invalid_argument` for no pixels at all or a pixel size that is not a finite number above 0; `too_large`.
  [[nodiscard]] static Result<Mask> from_rows(std::span<const std::string_view> rows, const Options& options);

  /// Makes a mask of alpha values [width * height], row by row.
  ///
  /// Errors: as above, and `invalid_argument` where the size does not fit.
  [[nodiscard]] static Result<Mask> from_alpha(std::span<const std::uint8_t> alpha, std::uint32_t width,
                                               std::uint32_t height, const Options& options);

  [[nodiscard]] std::uint32_t width() const { return data_->width; }
  [[nodiscard]] std::uint32_t height() const { return data_->height; }
  [[nodiscard]] float pixel_size() const { return data_->options.pixel_size; }
  [[nodiscard]] Vec2 origin() const { return data_->options.origin; }

  /// Tells whether a pixel is set; those outside are clear.
  [[nodiscard]] bool at(std::uint32_t column, std::uint32_t row) const;

  /// Returns the number of pixels that are set.
  [[nodiscard]] std::size_t count() const { return data_->count; }

  // To be completed: words of a row (64 pixels each, bit k of word j is column 64 j + k; bits beyond the width are
  // 0, so that rows may be ANDed), the rectangles that the set pixels make (merged greedily: runs of a row, then equal
  // runs of following rows), the tight range of columns and rows that are set.

 private:
  struct Data {
    Options options;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::size_t count = 0;
    std::vector<std::uint64_t> words;
  };
  explicit Mask(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

}  // namespace broadside
