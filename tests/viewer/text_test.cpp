#include "viewer/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "boxes.hpp"

namespace broadside::view {
namespace {

float letters(std::string_view text) {
  return static_cast<float>(text.size());
}

TEST(ViewerText, groups_digits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(298753), "298,753");
  EXPECT_EQ(grouped(1234567890), "1,234,567,890");
}

TEST(ViewerText, writes_bytes_with_three_digits) {
  EXPECT_EQ(byte_text(0), "0 B");
  EXPECT_EQ(byte_text(999), "999 B");
  EXPECT_EQ(byte_text(1000), "1.00 kB");
  EXPECT_EQ(byte_text(9994), "9.99 kB");
  EXPECT_EQ(byte_text(9996), "10.0 kB");
  EXPECT_EQ(byte_text(999499), "999 kB");
  EXPECT_EQ(byte_text(999500), "1.00 MB");
  EXPECT_EQ(byte_text(33248800), "33.2 MB");
  EXPECT_EQ(byte_text(5'000'000'000), "5.00 GB");
  EXPECT_EQ(byte_text(7'000'000'000'000), "7000 GB");
  test::Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto bytes = static_cast<std::size_t>(std::pow(10.0, random.between(3, 12)));
    const std::string text = byte_text(bytes);
    const std::size_t space = text.find(' ');
    const std::string number = text.substr(0, space);
    const auto digits = std::count_if(number.begin(), number.end(), [](char c) { return c != '.'; });
    const double unit = text[space + 1] == 'k' ? 1e3 : text[space + 1] == 'M' ? 1e6 : 1e9;
    const double value = std::strtod(number.c_str(), nullptr) * unit;
    EXPECT_GE(digits, 3) << text;
    EXPECT_TRUE(digits == 3 || unit == 1e9) << text;
    EXPECT_NEAR(value / static_cast<double>(bytes), 1.0, 0.0051) << text;
  }
}

TEST(ViewerText, counts_no_step_beyond_those_there_are) {
  EXPECT_EQ(step_text(0, 240), "Step 1 of 240");
  EXPECT_EQ(step_text(239, 240), "Step 240 of 240");
  EXPECT_EQ(step_text(241, 240), "Step 242, beyond the scene's 240");
  EXPECT_EQ(step_text(0, 1), "Step 1 of 1");
}

TEST(ViewerText, says_what_a_step_searched) {
  EXPECT_EQ(search_text(0, 200000), "Step: no box searched, none moved");
  EXPECT_EQ(search_text(1200, 200000), "Step: 1,200 of 200,000 boxes searched");
  EXPECT_EQ(search_text(200000, 200000), "Step: all boxes searched");
}

TEST(ViewerText, breaks_lines_at_spaces_alone) {
  EXPECT_EQ(break_lines("boxes in rows 3.79 high, so that", 16, letters),
            "boxes in rows\n3.79 high, so\nthat");
  EXPECT_EQ(break_lines("", 10, letters), "");
  EXPECT_EQ(break_lines("a word-that-is-too-long-by-itself, b", 10, letters),
            "a\nword-that-is-too-long-by-itself,\nb");
  EXPECT_EQ(break_lines("one two\nthree four", 9, letters), "one two\nthree\nfour");
}

TEST(ViewerText, fills_each_line_with_as_many_words_as_fit) {
  test::Random random(2);
  const std::string alphabet = "ab3.,;!79";
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> words(random.below(12));
    std::string text;
    for (std::string& word : words) {
      for (std::uint32_t i = 0; i <= random.below(9); ++i) {
        word += alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))];
      }
      text += (text.empty() ? "" : " ") + word;
    }
    const auto width = static_cast<float>(3 + random.below(20));
    std::string expected;
    std::size_t line = 0;  // its letters
    for (const std::string& word : words) {
      const bool fits = static_cast<float>(line + 1 + word.size()) <= width;
      expected += (expected.empty() ? "" : fits ? " " : "\n") + word;
      line = line > 0 && fits ? line + 1 + word.size() : word.size();
    }
    EXPECT_EQ(break_lines(text, width, letters), expected) << width;
  }
}

}  // namespace
}  // namespace broadside::view
