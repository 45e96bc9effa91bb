#include "broadside/scene/trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "boxes.hpp"
#include "broadside/scene/file.hpp"
#include "broadside/scene/random.hpp"
#include "scene/xz.hpp"

namespace broadside {
namespace {

Trace small_trace() {
  Trace trace;
  trace.first_step = 42;
  trace.body_ids = {0, 1, 1, -7};
  trace.profiles = {{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}};
  trace.static_boxes = {{{0, 0}, {10, 1}}};
  for (int i = 0; i < 6; ++i) {
    const auto x = static_cast<float>(i);
    trace.moving_boxes.push_back({{x, x}, {x + 1, x + 2}});
  }
  return trace;
}

TEST(Trace, writes_what_it_reads_raw_and_packed) {
  const Trace trace = small_trace();
  for (const bool packed : {false, true}) {
    const auto bytes = format_trace(trace, packed);
    ASSERT_TRUE(bytes.has_value());
    const auto read = parse_trace(*bytes, "t");
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(read->first_step, 42U);
    EXPECT_EQ(read->body_ids, trace.body_ids);
    EXPECT_EQ(read->profiles[1].pairs_ms, 8.0F);
    EXPECT_EQ(read->profiles[1].awake_bodies, 12);
    EXPECT_EQ(read->static_boxes, trace.static_boxes);
    EXPECT_EQ(read->moving_boxes, trace.moving_boxes);
    EXPECT_EQ(read->moving_count(), 3U);
    EXPECT_EQ(read->frame(1)[0], trace.moving_boxes[3]);
  }
}

TEST(Trace, every_truncation_is_refused) {
  for (const bool packed : {false, true}) {
    const std::string bytes = format_trace(small_trace(), packed).value();
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      EXPECT_FALSE(parse_trace(std::string_view(bytes).substr(0, length), "t").has_value()) << length;
    }
    EXPECT_FALSE(parse_trace(bytes + "x", "t").has_value());
  }
}

TEST(Trace, every_byte_flip_is_refused_or_read_without_harm) {
  for (const bool packed : {false, true}) {
    const std::string bytes = format_trace(small_trace(), packed).value();
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      for (const int bit : {0, 3, 7}) {
        std::string flipped = bytes;
        flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
        const auto read = parse_trace(flipped, "t");
        if (packed && i >= 12) {
          EXPECT_FALSE(read.has_value()) << i;  // detected by the container's checksums
        }
        if (read.has_value()) {
          for (const Aabb& box : read->moving_boxes) {
            EXPECT_TRUE(is_valid(box));
          }
        }
      }
    }
  }
}

std::string with_word(std::size_t place, std::uint32_t value) {
  std::string bytes = format_trace(small_trace(), false).value();
  for (unsigned i = 0; i < 4; ++i) {
    bytes[4 * place + i] = static_cast<char>((value >> (8 * i)) & 0xFFU);
  }
  return bytes;
}

TEST(Trace, a_lying_header_is_refused_without_allocating_on_its_word) {
  constexpr std::uint32_t huge = std::numeric_limits<std::uint32_t>::max();
  const struct {
    std::size_t place;
    std::uint32_t value;
    const char* says;
  } lies[] = {{0, 7, "magic"},
              {1, 3, "version is 3"},
              {2, huge, "header promises 4294967295 shapes"},
              {3, 5, "static_count is 5"},
              {3, huge, "static_count"},
              {4, 0, "frame_count is 0"},
              {4, huge, "header promises 4 shapes"}};
  for (const auto& lie : lies) {
    const auto read = parse_trace(with_word(lie.place, lie.value), "lie.b2tr");
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, ErrorCode::parse);
    EXPECT_TRUE(read.error().message.starts_with("lie.b2tr: ")) << read.error().message;
    EXPECT_NE(read.error().message.find(lie.says), std::string::npos) << read.error().message;
  }
}

/// Returns a header without the boxes that it promises.
std::string header_of(std::uint32_t version, std::uint64_t shapes, std::uint64_t statics,
                      std::uint64_t frames) {
  std::string bytes;
  for (const std::uint64_t word :
       {std::uint64_t{0x52543242}, std::uint64_t{version}, shapes, statics, frames, std::uint64_t{0}}) {
    for (unsigned i = 0; i < 4; ++i) {
      bytes += static_cast<char>((word >> (8 * i)) & 0xFFU);
    }
  }
  return bytes;
}

TEST(Trace, packed_bytes_that_announce_more_than_the_limit_are_refused) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 30U;
  Random random(6);
  std::size_t too_large = 0;
  for (int i = 0; i < 500; ++i) {
    const std::uint64_t frames = 1 + random.below(std::uint64_t{1} << random.below(16));
    const auto moving = static_cast<std::uint64_t>(random.uniform(0.5, 1.5) * static_cast<double>(limit) /
                                                   (16.0 * static_cast<double>(frames)));
    const std::uint64_t statics = random.below(1000);
    const auto version = static_cast<std::uint32_t>(1 + random.below(2));
    const std::uint64_t size = 24 + 4 * (statics + moving) + 24 * frames + 16 * statics +
                               16 * frames * moving + (version == 2 ? 8 : 0);
    const auto packed = pack_xz(header_of(version, statics + moving, statics, frames));
    const auto read = parse_trace(packed.value(), "t");
    ASSERT_FALSE(read.has_value());
    ASSERT_EQ(read.error().code, size > limit ? ErrorCode::too_large : ErrorCode::parse)
        << size << " bytes: " << read.error().message;
    too_large += size > limit ? 1U : 0U;
  }
  EXPECT_GT(too_large, 100U);
  EXPECT_LT(too_large, 400U);
}

TEST(Trace, a_bad_box_is_named_by_frame_and_shape) {
  Trace trace = small_trace();
  trace.moving_boxes[4].max.y = std::numeric_limits<float>::quiet_NaN();
  const auto read = parse_trace(format_trace(trace, false).value(), "t");
  ASSERT_FALSE(read.has_value());
  EXPECT_NE(read.error().message.find("frame 1, shape 2: max_y is nan"), std::string::npos)
      << read.error().message;

  trace = small_trace();
  trace.static_boxes[0].min.x = 11;
  EXPECT_NE(
      parse_trace(format_trace(trace, false).value(), "t").error().message.find("static shape 0: min_x 11"),
      std::string::npos);
}

// Around the limit, and of any size. There are no boxes: a trace that is not too large is too short.
TEST(Trace, of_more_than_a_gibibyte_is_refused_before_it_is_unpacked) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 30U;
  test::Random random(20261206);
  std::size_t too_large = 0;
  for (int round = 0; round < 60; ++round) {
    std::uint64_t frames = 1 + random.below(4000);
    std::uint64_t statics = random.below(1000);
    std::uint64_t shapes = 0;
    if (random.below(3) == 0) {
      frames = std::uint64_t{1} + (random.bits() >> (1 + random.below(30)));
      shapes = random.bits() >> random.below(30);
      statics = std::min(statics, shapes);
    } else {
      const std::uint64_t without_moving = 32 + 24 * frames + 20 * statics;
      shapes = statics + (limit - without_moving) / (4 + 16 * frames) + random.below(2);
    }
    std::string bytes;
    for (const std::uint64_t word : {std::uint64_t{0x52543242U}, std::uint64_t{2}, shapes, statics, frames,
                                     static_cast<std::uint64_t>(round)}) {
      for (unsigned shift = 0; shift < 32; shift += 8) {
        bytes += static_cast<char>((word >> shift) & 0xFFU);
      }
    }
    const double moving_bytes = 16.0 * static_cast<double>(frames) * static_cast<double>(shapes - statics);
    const bool is_too_large =
        moving_bytes <= 1e18 &&
        32 + 4 * shapes + 24 * frames + 16 * statics + 16 * frames * (shapes - statics) > limit;
    const auto read = parse_trace(pack_xz(bytes).value(), "t");
    ASSERT_EQ(read.error().code, is_too_large ? ErrorCode::too_large : ErrorCode::parse)
        << shapes << " shapes, " << statics << " static, " << frames << " frames: " << read.error().message;
    too_large += is_too_large ? 1 : 0;
  }
  EXPECT_GT(too_large, 15U);
  EXPECT_LT(too_large, 50U);
}

/// Returns the CRC-32 that ends the header of an xz block.
std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
    }
  }
  return ~crc;
}

// The byte says how large a dictionary the decoder has to allocate: 22 stands for 8 MiB, 31 for 192 MiB, 32
// for 256 MiB, 40 for 4 GiB; greater numbers have no meaning.
TEST(Trace, that_needs_more_than_256_mebibytes_to_unpack_is_refused) {
  const std::string bytes = format_trace(small_trace(), true).value();
  constexpr std::size_t header = 12;  // after that of the stream
  ASSERT_EQ(bytes[header], 2);        // a header of 12 bytes, of which the last 4 are its CRC-32
  ASSERT_EQ(bytes[header + 4], 22);
  for (int size = 0; size < 256; ++size) {
    std::string changed = bytes;
    changed[header + 4] = static_cast<char>(size);
    const std::uint32_t crc = crc32(std::string_view(changed).substr(header, 8));
    for (unsigned i = 0; i < 4; ++i) {
      changed[header + 8 + i] = static_cast<char>((crc >> (8 * i)) & 0xFFU);
    }
    const auto read = parse_trace(changed, "t");
    const ErrorCode expected = size < 32    ? ErrorCode::none
                               : size <= 40 ? ErrorCode::too_large
                                            : ErrorCode::parse;
    EXPECT_EQ(read.error().code, expected) << size;
    if (expected == ErrorCode::too_large) {
      EXPECT_TRUE(
          test::mentions(read.error().message, "MiB of memory to unpack, more than the limit of 256"));
      EXPECT_FALSE(test::mentions(read.error().message, "damaged"));
    }
  }
}

TEST(Trace, the_shipped_one_reads) {
  const auto trace = read_trace(BROADSIDE_SCENES "/tumbler.b2tr.xz");
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  EXPECT_EQ(trace->shape_count(), 2029U);
  EXPECT_EQ(trace->frame_count(), 30U);
}

}  // namespace
}  // namespace broadside
