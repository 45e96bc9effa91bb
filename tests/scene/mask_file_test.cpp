#include "broadside/scene/mask_file.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "broadside/scene/file.hpp"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

namespace broadside {
namespace {

std::string to_png(const std::vector<std::uint8_t>& values, int width, int height, int channels) {
  std::string bytes;
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data),
                                               static_cast<std::size_t>(size));
  };
  stbi_write_png_to_func(append, &bytes, width, height, channels, values.data(), width * channels);
  return bytes;
}

/// A picture of 67 x 5 whose color is the opposite of its alpha.
std::string picture_with_alpha() {
  std::vector<std::uint8_t> rgba;
  for (int i = 0; i < 67 * 5; ++i) {
    const auto alpha = static_cast<std::uint8_t>((i * 37) % 256);
    const auto color = static_cast<std::uint8_t>(255 - alpha);
    rgba.insert(rgba.end(), {color, color, color, alpha});
  }
  return to_png(rgba, 67, 5, 4);
}

TEST(MaskFile, takes_alpha_from_the_threshold_on) {
  const auto mask = parse_mask(picture_with_alpha(), "p.png", {0.5F, {1.0F, 2.0F}, 100});
  ASSERT_TRUE(mask.has_value()) << mask.error().message;
  ASSERT_EQ(mask->width(), 67U);
  ASSERT_EQ(mask->height(), 5U);
  EXPECT_EQ(mask->pixel_size(), 0.5F);
  EXPECT_EQ(mask->origin(), (Vec2{1.0F, 2.0F}));
  for (std::uint32_t i = 0; i < 67 * 5; ++i) {
    EXPECT_EQ(mask->at(i % 67, i / 67), (i * 37) % 256 >= 100) << i;
  }
}

TEST(MaskFile, is_all_set_without_alpha) {
  const auto mask = parse_mask(to_png(std::vector<std::uint8_t>(9 * 7 * 3), 9, 7, 3), "p.png", {});
  ASSERT_TRUE(mask.has_value()) << mask.error().message;
  EXPECT_EQ(mask->count(), 63U);
}

TEST(MaskFile, takes_a_picture_whose_first_chunk_of_pixels_is_empty) {
  std::string png = picture_with_alpha();
  const std::string empty_chunk("\0\0\0\0IDAT\x35\xAF\x06\x1E", 12);
  png.insert(png.find("IDAT") - 4, empty_chunk);
  const auto mask = parse_mask(png, "p.png", {});
  ASSERT_TRUE(mask.has_value()) << mask.error().message;
  EXPECT_EQ(*mask, parse_mask(picture_with_alpha(), "p.png", {}).value());
}

TEST(MaskFile, is_read_from_a_file) {
  const std::string path = testing::TempDir() + "broadside_mask_file_test.png";
  auto file = OutputFile::open(path).value();
  file.write(picture_with_alpha());
  ASSERT_TRUE(file.commit().has_value());
  const auto mask = read_mask(path, {});
  std::filesystem::remove(path);
  ASSERT_TRUE(mask.has_value()) << mask.error().message;
  EXPECT_EQ(*mask, parse_mask(picture_with_alpha(), "p.png", {}).value());
  EXPECT_EQ(read_mask(path, {}).error().code, ErrorCode::io);
}

TEST(MaskFile, refuses_invalid_pictures_and_names_the_file) {
  for (const std::string_view text : {"", "hello", "\x89PNG\r\n\x1a\n", "GIF89a"}) {
    const auto mask = parse_mask(text, "p.png", {});
    ASSERT_FALSE(mask.has_value());
    EXPECT_EQ(mask.error().code, ErrorCode::parse);
    EXPECT_TRUE(mask.error().message.starts_with("p.png: ")) << mask.error().message;
  }
  const std::string png = picture_with_alpha();
  for (std::size_t size = 0; size + 12 < png.size(); ++size) {
    // Up to the end of the pixels; a missing end chunk is accepted.
    EXPECT_FALSE(parse_mask(std::string_view(png).substr(0, size), "p.png", {}).has_value()) << size;
  }
}

TEST(MaskFile, survives_every_byte_changed) {
  const std::string png = picture_with_alpha();
  int refused = 0;
  for (std::size_t i = 0; i < png.size(); ++i) {
    for (const int bit : {1, 16, 128}) {
      std::string changed = png;
      changed[i] = static_cast<char>(changed[i] ^ bit);
      refused += parse_mask(changed, "p.png", {}).has_value() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 20);
}

TEST(MaskFile, passes_on_the_errors_of_a_mask) {
  const std::string clear = to_png(std::vector<std::uint8_t>(4 * 4), 2, 2, 4);
  const auto mask = parse_mask(clear, "p.png", {});
  EXPECT_EQ(mask.error().code, ErrorCode::invalid_argument);
  EXPECT_TRUE(mask.error().message.starts_with("p.png: ")) << mask.error().message;
  EXPECT_EQ(parse_mask(picture_with_alpha(), "p.png", {0.0F, {}, 128}).error().code,
            ErrorCode::invalid_argument);

  // Headers that promise more pixels than a mask may have: 8192 x 8192, and 16385 x 16385 (big-endian).
  for (const std::array<char, 8>& sides : {std::array<char, 8>{0, 0, 0x20, 0, 0, 0, 0x20, 0},
                                           std::array<char, 8>{0, 0, 0x40, 1, 0, 0, 0x40, 1}}) {
    std::string huge = picture_with_alpha();
    std::copy(sides.begin(), sides.end(), huge.begin() + 16);
    EXPECT_EQ(parse_mask(huge, "p.png", {}).error().code, ErrorCode::too_large);
  }
}

TEST(MaskFile, does_not_unpack_more_than_the_size_allows) {
  // The packed rows of a picture of 1024 x 1024 behind a header that says 1 x 1.
  std::string bomb = to_png(std::vector<std::uint8_t>(1024 * 1024 * 4, 255), 1024, 1024, 4);
  const std::array<char, 8> sides = {0, 0, 0, 1, 0, 0, 0, 1};
  std::copy(sides.begin(), sides.end(), bomb.begin() + 16);
  const auto mask = parse_mask(bomb, "p.png", {});
  ASSERT_FALSE(mask.has_value());
  EXPECT_NE(mask.error().message.find("outofmem"), std::string::npos) << mask.error().message;
}

}  // namespace
}  // namespace broadside
