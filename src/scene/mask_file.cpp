#include "broadside/scene/mask_file.hpp"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "broadside/scene/file.hpp"

namespace {

// A few bytes of a PNG may unpack to gigabytes: each allocation is limited by the size of the picture.
thread_local std::size_t max_block = 0;

void* allocate(std::size_t size) {
  return size <= max_block ? std::malloc(size) : nullptr;
}

void* reallocate(void* block, std::size_t size) {
  return size <= max_block ? std::realloc(block, size) : nullptr;
}

}  // namespace

#define STBI_MALLOC(size) allocate(size)
#define STBI_REALLOC(block, size) reallocate(block, size)
#define STBI_FREE(block) std::free(block)
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
// A first chunk without pixels makes it copy 0 bytes to a null pointer, which is harmless.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((no_sanitize("nonnull-attribute"))), apply_to = function)
#endif
#include <stb/stb_image.h>
#if defined(__clang__)
#pragma clang attribute pop
#endif

namespace broadside::inline v0_2 {

namespace {

constexpr std::uint64_t max_png_bytes = std::uint64_t{128} << 20U;
constexpr std::size_t min_block = std::size_t{1} << 20U;  // for tables of the decoder

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t width_at = 16;
constexpr std::size_t height_at = 20;
constexpr std::size_t header_size = 24;

/// Returns a big-endian number of 4 bytes.
std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (const char byte : bytes.substr(at, 4)) {
    number = number << 8U | static_cast<std::uint8_t>(byte);
  }
  return number;
}

Error named(const std::string& name, const Error& error) {
  return {error.code, name + ": " + error.message};
}

}  // namespace

Result<Mask> parse_mask(std::string_view png, const std::string& name, const MaskOptions& options) {
  if (png.size() > max_png_bytes) {
    return Error{ErrorCode::too_large, name + ": larger than the limit of 128 MiB"};
  }
  if (png.size() < header_size || !png.starts_with(signature)) {
    return Error{ErrorCode::parse, name + ": is no PNG picture"};
  }
  const std::uint32_t columns = number_at(png, width_at);
  const std::uint32_t rows = number_at(png, height_at);
  if (auto checked = Mask::validate(columns, rows, options); !checked.has_value()) {
    return named(name, checked.error());
  }
  // At most 8 bytes a pixel and one a row, in blocks that grow by doubling; likewise for the compressed
  // bytes.
  const std::size_t pixels = std::size_t{columns} * rows;
  max_block = min_block + 2 * (png.size() + 8 * pixels + rows);
  constexpr int gray_and_alpha = 2;
  int width = 0;
  int height = 0;
  int channels = 0;
  const std::unique_ptr<stbi_uc, decltype(&std::free)> picture(
      stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(png.data()), static_cast<int>(png.size()),
                            &width, &height, &channels, gray_and_alpha),
      &std::free);
  if (!picture) {
    return Error{ErrorCode::parse, name + ": is a damaged PNG picture (" + stbi_failure_reason() + ")"};
  }
  if (static_cast<std::uint32_t>(width) != columns || static_cast<std::uint32_t>(height) != rows) {
    return Error{ErrorCode::parse, name + ": is a damaged PNG picture (its size is not where it should be)"};
  }
  std::vector<std::uint8_t> alpha(pixels);
  for (std::size_t i = 0; i < pixels; ++i) {
    alpha[i] = picture.get()[2 * i + 1];
  }
  auto mask = Mask::from_alpha(alpha, columns, rows, options);
  return mask.has_value() ? std::move(mask) : named(name, mask.error());
}

Result<Mask> read_mask(const std::string& path, const MaskOptions& options) {
  const auto png = read_file(path, max_png_bytes);
  if (!png.has_value()) {
    return png.error();
  }
  return parse_mask(*png, path == "-" ? "standard input" : path, options);
}

}  // namespace broadside::inline v0_2
