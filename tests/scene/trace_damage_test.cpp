// Damaged traces of both versions, half of them with a corrected checksum: each is refused, or is a valid
// trace. `BROADSIDE_DAMAGES=1000000` draws a million.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "broadside/base/validate.hpp"
#include "broadside/scene/trace.hpp"
#include "damages.hpp"

namespace broadside::test {
namespace {

constexpr std::size_t checksum_size = 8;
constexpr std::size_t version_at = 4;

Bytes bytes_of(const std::string& text) {
  Bytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Trace drawn_trace(Random& random) {
  Trace trace;
  const std::uint32_t statics = random.below(4);
  const std::uint32_t moving = random.below(5);
  const std::uint32_t frames = 1 + random.below(4);
  trace.first_step = random.bits();
  const auto drawn_box = [&] {
    const float x = random.between(-9, 9);
    const float y = random.between(-9, 9);
    return Aabb{{x, y}, {x + 1, y + 2}};
  };
  for (std::uint32_t i = 0; i < statics + moving; ++i) {
    trace.body_ids.push_back(static_cast<std::int32_t>(random.below(4)) - 2);
  }
  for (std::uint32_t i = 0; i < frames; ++i) {
    trace.profiles.push_back({.step_ms = random.unit(), .contacts = 7});
  }
  for (std::uint32_t i = 0; i < statics; ++i) {
    trace.static_boxes.push_back(drawn_box());
  }
  for (std::uint32_t i = 0; i < frames * moving; ++i) {
    trace.moving_boxes.push_back(drawn_box());
  }
  return trace;
}

/// Returns the same trace in the format without a checksum.
Bytes without_checksum(Bytes bytes) {
  bytes.resize(bytes.size() - checksum_size);
  bytes[version_at] = std::byte{1};
  return bytes;
}

bool is_one_of(const Bytes& bytes, const std::vector<Bytes>& files) {
  return std::find(files.begin(), files.end(), bytes) != files.end();
}

struct Files {
  std::vector<Bytes> raw;
  std::vector<Bytes> packed;
};

Files drawn_files() {
  Random random(23);
  Files files;
  for (int i = 0; i < 20; ++i) {
    const Trace trace = drawn_trace(random);
    files.raw.push_back(bytes_of(format_trace(trace, false).value()));
    files.packed.push_back(bytes_of(format_trace(trace, true).value()));
  }
  return files;
}

/// Expects a valid trace that is written as the same bytes that it was read from.
void expect_a_trace(const Trace& trace, const Bytes& bytes) {
  EXPECT_TRUE(validate(trace.static_boxes).has_value());
  EXPECT_TRUE(validate(trace.moving_boxes).has_value());
  EXPECT_EQ(trace.moving_boxes.size(), trace.frame_count() * trace.moving_count());
  const Bytes again = bytes_of(format_trace(trace, false).value());
  const bool is_old = bytes[version_at] == std::byte{1};
  EXPECT_EQ(is_old ? without_checksum(again) : again, bytes);
}

TEST(TraceDamage, both_versions_are_read) {
  for (const Bytes& file : drawn_files().raw) {
    for (const Bytes& bytes : {file, without_checksum(file)}) {
      const auto trace = parse_trace(text_of(bytes), "t");
      ASSERT_TRUE(trace.has_value()) << trace.error().message;
      expect_a_trace(*trace, bytes);
    }
  }
}

TEST(TraceDamage, a_damaged_trace_is_refused_or_a_trace) {
  const Files files = drawn_files();
  Random random(24);
  std::size_t refused = 0;
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < damages_to_draw() && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("damage " + std::to_string(i));
    const bool has_checksum = random.below(2) == 0;
    Bytes bytes = draw_damage(files.raw, has_checksum ? checksum_size : 0, random);
    if (has_checksum) {
      add_checksums(bytes, detail::checksum);
    }
    const auto trace = parse_trace(text_of(bytes), "t");
    if (!trace.has_value()) {
      EXPECT_EQ(trace.error().code, ErrorCode::parse) << trace.error().message;
      EXPECT_TRUE(trace.error().message.starts_with("t: ")) << trace.error().message;
      ++refused;
      continue;
    }
    const bool is_old = bytes[version_at] == std::byte{1};  // has no checksum
    EXPECT_TRUE(has_checksum || is_old || is_one_of(bytes, files.raw));
    expect_a_trace(*trace, bytes);
    ++accepted;
  }
  EXPECT_GT(refused, damages_to_draw() / 2);
  EXPECT_GT(accepted, damages_to_draw() / 50);
}

TEST(TraceDamage, a_damaged_packed_trace_is_refused) {
  const Files files = drawn_files();
  Random random(25);
  for (std::size_t i = 0; i < damages_to_draw() / 4 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("damage " + std::to_string(i));
    const Bytes bytes = draw_damage(files.packed, 0, random);
    const auto trace = parse_trace(text_of(bytes), "t");
    if (trace.has_value()) {
      EXPECT_TRUE(is_one_of(bytes, files.packed) ||
                  is_one_of(bytes_of(format_trace(*trace, false).value()), files.raw));
    } else {
      EXPECT_TRUE(trace.error().code == ErrorCode::parse || trace.error().code == ErrorCode::too_large)
          << trace.error().message;
    }
  }
}

// By the formula of docs/trace-format.md, written out here.
TEST(TraceDamage, files_end_with_the_documented_checksum) {
  for (const Bytes& file : drawn_files().raw) {
    const std::size_t n = file.size() - checksum_size;
    const auto byte_at = [&](std::size_t at) { return std::to_integer<std::uint64_t>(file[at]); };
    std::uint64_t hash = n;
    for (std::size_t at = 0; at < n; at += 8) {
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < 8 && at + i < n; ++i) {
        word |= byte_at(at + i) << (8 * i);
      }
      hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
      hash = hash ^ (hash >> 32U);
    }
    for (std::size_t i = 0; i < checksum_size; ++i) {
      ASSERT_EQ(byte_at(n + i), hash >> (8 * i) & 0xFFU) << n << " bytes, byte " << i;
    }
  }
}

TEST(TraceDamage, any_flipped_bit_is_refused) {
  for (const Bytes& file : drawn_files().raw) {
    for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
      ASSERT_FALSE(parse_trace(text_of(flipped(file, bit)), "t").has_value()) << bit;
    }
  }
}

}  // namespace
}  // namespace broadside::test
