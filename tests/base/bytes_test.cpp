#include "base/bytes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "boxes.hpp"

namespace broadside::test::bytes_test {
namespace {

using detail::ByteReader;
using detail::ByteWriter;

/// Reads or writes one number of each kind, and a text.
struct Values {
  std::uint8_t small = 0;
  std::uint16_t medium = 0;
  std::uint32_t large = 0;
  std::uint64_t huge = 0;
  float number = 0.0F;
  Vec2 vector;
  std::uint32_t below = 0;
  std::size_t count = 0;
  std::string text;

  friend bool operator==(const Values& a, const Values& b) = default;
};

constexpr std::uint64_t end_of_below = 1000;

Values drawn_values(Random& random) {
  Values values{static_cast<std::uint8_t>(random.bits()),
                static_cast<std::uint16_t>(random.bits()),
                random.bits(),
                (std::uint64_t{random.bits()} << 32U) | random.bits(),
                random.between(-9.0F, 9.0F),
                {random.between(-9.0F, 9.0F), random.between(-9.0F, 9.0F)},
                random.below(end_of_below),
                random.below(3),
                std::string(3 + random.below(5), 'a')};
  for (char& c : values.text) {
    c = static_cast<char>('a' + random.below(26));
  }
  return values;
}

std::vector<std::byte> written(const Values& values) {
  ByteWriter out;
  out.put(values.small);
  out.put(values.medium);
  out.put(values.large);
  out.put(values.huge);
  out.put(values.number);
  out.put(values.vector);
  out.put(values.below);
  out.put_count(values.count);
  out.put(std::string_view(values.text));
  return out.take();
}

Values read(ByteReader& in) {
  Values values;
  values.small = in.take<std::uint8_t>();
  values.medium = in.take<std::uint16_t>();
  values.large = in.take<std::uint32_t>();
  values.huge = in.take<std::uint64_t>();
  values.number = in.take_float();
  values.vector = in.take_vec2();
  values.below = in.take_below<std::uint32_t>(end_of_below);
  values.count = in.take_count(1);
  values.text = in.take_text();
  return values;
}

TEST(Bytes, are_read_as_they_were_written) {
  Random random(1);
  for (int round = 0; round < 1000; ++round) {
    const Values values = drawn_values(random);
    const auto bytes = written(values);
    ByteReader in(bytes);
    ASSERT_EQ(read(in), values);
    ASSERT_FALSE(in.failed());
    ASSERT_EQ(in.at(), bytes.size());
    ASSERT_EQ(in.rest(), 0U);
  }
}

TEST(Bytes, give_zeros_after_any_failure) {
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    auto bytes = written(drawn_values(random));
    ByteReader broken(bytes);
    broken.fail();
    ASSERT_EQ(read(broken), Values{});

    bytes.resize(random.below(static_cast<std::uint32_t>(bytes.size())));
    ByteReader in(bytes);
    static_cast<void>(read(in));
    ASSERT_TRUE(in.failed()) << bytes.size();
    ASSERT_EQ(in.rest(), 0U);
    ASSERT_EQ(read(in), Values{});
  }
}

TEST(Bytes, refuse_counts_beyond_the_rest_and_numbers_beyond_their_end) {
  Random random(3);
  for (int round = 0; round < 1000; ++round) {
    const std::size_t rest = random.below(20);
    const std::size_t size = 1 + random.below(4);
    const std::size_t count = random.below(20);
    ByteWriter out;
    out.put_count(count);
    const std::vector<std::byte> items(rest);
    out.put(std::span(items));
    ByteReader in(out.bytes());
    const bool fits = count * size <= rest;
    ASSERT_EQ(in.take_count(size), fits ? count : 0);
    ASSERT_EQ(in.failed(), !fits);

    const std::uint32_t end = 1 + random.below(5);
    const std::uint32_t number = random.below(8);
    ByteWriter numbers;
    numbers.put(number);
    ByteReader from(numbers.bytes());
    ASSERT_EQ(from.take_below<std::uint32_t>(end), number < end ? number : 0);
    ASSERT_EQ(from.failed(), number >= end);
  }
}

// By the formula in the comment of `wide_checksum`, written again: one value for all machines.
std::uint64_t slow_wide_checksum(const std::vector<std::byte>& bytes) {
  const auto add = [](std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    return hash ^ hash >> 32U;
  };
  const auto word = [&](std::size_t at) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8 && at + i < bytes.size(); ++i) {
      value |= std::to_integer<std::uint64_t>(bytes[at + i]) << (8 * i);
    }
    return value;
  };
  const std::size_t words = bytes.size() / 64 * 8;
  std::array<std::uint64_t, 8> chains{};
  for (std::size_t i = 0; i < words; ++i) {
    chains[i % 8] = add(chains[i % 8], word(8 * i));
  }
  std::uint64_t all = bytes.size();
  for (std::size_t at = 8 * words; at < bytes.size(); at += 8) {
    all = add(all, word(at));
  }
  for (const std::uint64_t chain : chains) {
    all = add(all, chain);
  }
  return all;
}

TEST(WideChecksum, is_that_of_its_formula_and_changes_with_each_bit) {
  Random random(8);
  for (std::size_t size = 0; size < 300; size += 1 + random.below(3)) {
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) {
      byte = static_cast<std::byte>(random.below(256));
    }
    const std::uint64_t checksum = detail::wide_checksum(bytes);
    ASSERT_EQ(checksum, slow_wide_checksum(bytes)) << size;
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      bytes[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
      ASSERT_NE(detail::wide_checksum(bytes), checksum) << size << " bytes, bit " << bit;
      bytes[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    }
    bytes.push_back(std::byte{0});
    ASSERT_NE(detail::wide_checksum(bytes), checksum) << size;
  }
}

}  // namespace
}  // namespace broadside::test::bytes_test
