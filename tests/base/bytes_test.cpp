#include "base/bytes.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "boxes.hpp"

namespace broadside::test {
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

}  // namespace
}  // namespace broadside::test
