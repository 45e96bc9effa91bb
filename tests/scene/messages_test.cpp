#include "broadside/scene/messages.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "boxes.hpp"

namespace broadside {
namespace {

std::string encoded(std::uint32_t code) {
  const auto tail = [code](unsigned shift) { return static_cast<char>(0x80U | (code >> shift & 0x3FU)); };
  if (code < 0x80) {
    return {static_cast<char>(code)};
  }
  if (code < 0x800) {
    return {static_cast<char>(0xC0U | code >> 6U), tail(0)};
  }
  if (code < 0x10000) {
    return {static_cast<char>(0xE0U | code >> 12U), tail(6), tail(0)};
  }
  return {static_cast<char>(0xF0U | code >> 18U), tail(12), tail(6), tail(0)};
}

std::string escaped(std::string_view bytes) {
  std::string result;
  for (const char byte : bytes) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "\\x%02x",
                  static_cast<unsigned>(static_cast<unsigned char>(byte)));
    result += text.data();
  }
  return result;
}

TEST(Printable, escapes_each_byte_of_control_characters_and_keeps_all_other_characters) {
  for (std::uint32_t code = 0; code < 0x110000; code += code < 0x3000 ? 1 : 13) {
    if (code >= 0xD800 && code < 0xE000) {
      continue;
    }
    const bool is_control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const std::string text = encoded(code);
    ASSERT_EQ(printable(text), is_control ? escaped(text) : text) << code;
  }
}

// A terminal may take bytes that are no UTF-8 for control characters of an older encoding.
TEST(Printable, escapes_what_is_no_utf_8) {
  const std::vector<std::string> malformed = {"\x80",
                                              "\x9b",
                                              "\xbf",
                                              "\xc0\x9b",
                                              "\xc1\xbf",
                                              "\xe0\x82\x9b",
                                              "\xf0\x80\x82\x9b",
                                              "\xed\xa0\x80",
                                              "\xf4\x90\x80\x80",
                                              "\xf5\x80\x80\x80",
                                              "\xff",
                                              "\xfe",
                                              "\xc3",
                                              "\xe2\x82",
                                              "\xf0\x9f\x98",
                                              "\xf0\x9f",
                                              "\xe2"};
  const std::vector<std::string> fine = {
      "a", "\\", "\"", " ", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
  const std::vector<std::string> controls = {
      std::string(1, '\0'), "\x1b", "\n", "\r", "\x07", "\x7f", "\xc2\x9b"};
  test::Random random(31);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    std::string expected;
    for (std::uint32_t i = random.below(8); i > 0; --i) {
      const auto kind = random.below(3);
      const auto& list = kind == 0 ? malformed : kind == 1 ? fine : controls;
      const std::string& piece = list[random.below(static_cast<std::uint32_t>(list.size()))];
      text += piece + "-";  // ends a piece that is cut off
      expected += (kind == 1 ? piece : escaped(piece)) + "-";
    }
    ASSERT_EQ(printable(text), expected);
    ASSERT_EQ(printable(expected), expected);
  }
}

TEST(Printable, makes_any_bytes_printable) {
  test::Random random(32);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::uint32_t i = random.below(12); i > 0; --i) {
      text += static_cast<char>(random.below(256));
    }
    const std::string shown = printable(text);
    ASSERT_EQ(printable(shown), shown);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const auto byte = static_cast<unsigned char>(shown[i]);
      ASSERT_TRUE(byte >= 0x20 && byte != 0x7F);
      ASSERT_FALSE(byte == 0xC2 && static_cast<unsigned char>(shown[i + 1]) < 0xA0);
    }
  }
}

const std::vector<std::string> names = {"brute-force",       "uniform-grid", "hash-grid", "sweep-and-prune",
                                        "hierarchical-grid", "run",          "compare",   "generate"};

TEST(Suggestion, finds_a_name_with_a_typing_error) {
  test::Random random(33);
  for (int round = 0; round < 5000; ++round) {
    const std::string& name = names[random.below(static_cast<std::uint32_t>(names.size()))];
    std::string word = name;
    const auto at = random.below(static_cast<std::uint32_t>(word.size()));
    const char letter = static_cast<char>('a' + random.below(26));
    switch (random.below(4)) {
      case 0:
        word.insert(at, 1, letter);
        break;
      case 1:
        word.erase(at, 1);
        break;
      case 2:
        word[at] = letter;
        break;
      default:
        std::swap(word[at], word[(at + 1 < word.size()) ? at + 1 : at - 1]);
        break;
    }
    ASSERT_EQ(suggestion(word, names), "; did you mean " + name + "?") << word;
  }
}

TEST(Suggestion, finds_a_name_by_its_beginning) {
  EXPECT_EQ(suggestion("gen", names), "; did you mean generate?");
  EXPECT_EQ(suggestion("hier", names), "; did you mean hierarchical-grid?");
  EXPECT_EQ(suggestion("sweep", names), "; did you mean sweep-and-prune?");
}

TEST(Suggestion, is_empty_for_other_words) {
  test::Random random(34);
  for (int round = 0; round < 5000; ++round) {
    std::string word;
    for (std::uint32_t i = random.below(20); i > 0; --i) {
      word += "kqvxyz"[random.below(6)];
    }
    ASSERT_EQ(suggestion(word, names), "") << word;
  }
  EXPECT_EQ(suggestion("", names), "");
  EXPECT_EQ(suggestion("run", {}), "");
  EXPECT_EQ(suggestion(std::string(1'000'000, 'r'), names), "");
}

TEST(Suggestion, prefers_the_nearest_name) {
  const std::vector<std::string> similar = {"--pictures", "--picture-width", "--picture"};
  EXPECT_EQ(suggestion("--pictuer", similar), "; did you mean --picture?");
  EXPECT_EQ(suggestion("--picture-witdh", similar), "; did you mean --picture-width?");
}

}  // namespace
}  // namespace broadside
