#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "broadside/scene/mask_file.hpp"

// Any bytes give an error, or a mask whose pixels match its outline.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view png(reinterpret_cast<const char*>(data), size);
  const auto mask = broadside::parse_mask(png, "fuzz", {});
  if (!mask.has_value()) {
    if (!mask.error().message.starts_with("fuzz: ")) {
      std::abort();
    }
    return 0;
  }
  std::size_t covered = 0;
  for (const broadside::PixelRectangle& rectangle : mask->rectangles()) {
    covered += std::size_t{rectangle.width} * rectangle.height;
    if (!mask->at(rectangle.column, rectangle.row)) {
      std::abort();
    }
  }
  const broadside::PixelRectangle extent = mask->extent();
  if (covered != mask->count() || covered == 0 || covered > std::size_t{mask->width()} * mask->height() ||
      extent.column + extent.width > mask->width() || extent.row + extent.height > mask->height()) {
    std::abort();
  }
  return 0;
}
