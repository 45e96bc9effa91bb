#include "broadside/scene/box_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "boxes.hpp"
#include "broadside/scene/scene.hpp"

namespace broadside {
namespace {

TEST(BoxList, reads_lines_with_and_without_header) {
  for (const char* text :
       {"id,min_x,min_y,max_x,max_y\n7,0,1,2,3\n3,-1,-1.5,1e2,0.25\n", "7,0,1,2,3\n3,-1,-1.5,1e2,0.25",
        "\xEF\xBB\xBFid,min_x,min_y,max_x,max_y\r\n7,0,1,2,3\r\n\r\n3, -1,\t-1.5 ,+1e2,.25\r\n"}) {
    const auto list = parse_box_list(text, "t");
    ASSERT_TRUE(list.has_value()) << list.error().message;
    EXPECT_EQ(list->ids, (std::vector<std::uint64_t>{7, 3}));
    EXPECT_EQ(list->boxes, (std::vector<Aabb>{{{0, 1}, {2, 3}}, {{-1, -1.5F}, {100, 0.25F}}}));
  }
}

/// A text with boxes, written in one of the ways that a header allows, and what it holds.
struct Written {
  std::string text;
  BoxList list;
};

Written write_any_way(test::Random& random) {
  const auto one_of = [&random](std::initializer_list<const char*> choices) {
    return std::string(choices.begin()[random.below(static_cast<std::uint32_t>(choices.size()))]);
  };
  const std::string separator = one_of({",", ";", "\t"});
  const std::string end = one_of({"\n", "\r\n"});
  const bool has_ids = random.below(2) == 0;
  std::vector<std::string> columns = {"min_x", "min_y", "max_x", "max_y"};
  if (has_ids) {
    columns.emplace_back("id");
  }
  for (std::uint32_t i = random.below(4); i > 0; --i) {
    columns.push_back("other " + std::to_string(i));
  }
  test::shuffle(columns, random);

  Written written;
  const auto append_line = [&](const auto& value_of) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool is_quoted = random.below(3) == 0;
      const std::string blanks = random.below(3) == 0 ? " " : "";
      written.text += (i == 0 ? "" : separator) + blanks + (is_quoted ? "\"" : "") +
                      value_of(columns[i], is_quoted) + (is_quoted ? "\"" : "") + blanks;
    }
    written.text += end;
  };
  if (random.below(3) == 0) {
    written.text += "\xEF\xBB\xBF";
  }
  append_line([](const std::string& column, bool) { return column; });
  for (std::uint32_t row = random.below(6); row > 0; --row) {
    if (random.below(4) == 0) {
      written.text += one_of({"", " ", "\t"}) + end;
    }
    const auto whole = [&random] { return static_cast<float>(random.below(200)) - 100.0F; };
    const Vec2 low{whole(), whole()};
    const Aabb box{low, low + Vec2{static_cast<float>(random.below(9)), static_cast<float>(random.below(9))}};
    const std::uint64_t id = has_ids ? 1000U - row : written.list.ids.size();
    written.list.ids.push_back(id);
    written.list.boxes.push_back(box);
    append_line([&](const std::string& column, bool is_quoted) {
      return column == "id"      ? std::to_string(id)
             : column == "min_x" ? std::to_string(box.min.x)
             : column == "min_y" ? std::to_string(box.min.y)
             : column == "max_x" ? std::to_string(box.max.x)
             : column == "max_y" ? std::to_string(box.max.y)
             : is_quoted         ? one_of({"", "7", "a, b; c\td", "said \"\"no\"\"", "\"\""})
                                 : one_of({"", "7", "nan", "5\"", "x y"});
    });
  }
  return written;
}

TEST(BoxList, a_header_may_name_the_columns_in_any_order_among_others) {
  test::Random random(41);
  for (int round = 0; round < 20'000; ++round) {
    const Written written = write_any_way(random);
    BoxListReader reader("t");
    std::string_view rest = written.text;
    while (!rest.empty()) {
      const std::string_view piece = rest.substr(0, 1 + random.below(60));
      const auto fed = reader.feed(piece);
      ASSERT_TRUE(fed.has_value()) << fed.error().message << "\n" << written.text;
      rest.remove_prefix(piece.size());
    }
    const auto list = reader.finish();
    ASSERT_TRUE(list.has_value()) << list.error().message << "\n" << written.text;
    ASSERT_EQ(list->ids, written.list.ids) << written.text;
    ASSERT_EQ(list->boxes, written.list.boxes) << written.text;
  }
}

TEST(BoxList, without_a_header_the_separator_is_that_of_the_first_line) {
  for (const char separator : {',', ';', '\t'}) {
    std::string text = "7,0,1,2,3\n3,-1,-1.5,1e2,0.25\n";
    std::replace(text.begin(), text.end(), ',', separator);
    const auto list = parse_box_list(text, "t");
    ASSERT_TRUE(list.has_value()) << list.error().message;
    EXPECT_EQ(list->ids, (std::vector<std::uint64_t>{7, 3}));
    EXPECT_EQ(list->boxes, (std::vector<Aabb>{{{0, 1}, {2, 3}}, {{-1, -1.5F}, {100, 0.25F}}}));
  }
}

TEST(BoxList, a_header_without_some_columns_is_refused_with_their_names) {
  const std::array<std::string, 4> columns = {"min_x", "min_y", "max_x", "max_y"};
  for (unsigned present = 0; present < 15; ++present) {
    std::string text = "id,a,b,c";
    std::string missing;
    for (unsigned i = 0; i < columns.size(); ++i) {
      if ((present >> i & 1U) != 0) {
        text += "," + columns[i];
      } else {
        missing += (missing.empty() ? "" : ", ") + columns[i];
      }
    }
    const Error error = parse_box_list(text + "\n", "t").error();
    EXPECT_EQ(error.code, ErrorCode::parse);
    EXPECT_TRUE(test::mentions(error.message, "t:1: names no column " + missing + ";")) << error.message;
  }
}

TEST(BoxList, may_be_empty) {
  for (const char* text : {"", "\n", "id,min_x,min_y,max_x,max_y\n"}) {
    const auto list = parse_box_list(text, "t");
    ASSERT_TRUE(list.has_value());
    EXPECT_TRUE(list->boxes.empty());
  }
}

TEST(BoxList, pieces_may_end_anywhere) {
  const std::string text = "id,min_x,min_y,max_x,max_y\r\n10,0.125,1,2,3\r\n11,4,5,6,7\n12,8,9,10,11";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    BoxListReader reader("t");
    ASSERT_TRUE(reader.feed(std::string_view(text).substr(0, cut)).has_value());
    ASSERT_TRUE(reader.feed(std::string_view(text).substr(cut)).has_value());
    const auto list = reader.finish();
    ASSERT_TRUE(list.has_value()) << cut << ": " << list.error().message;
    EXPECT_EQ(list->ids, (std::vector<std::uint64_t>{10, 11, 12})) << cut;
  }
}

TEST(BoxList, tiny_numbers_round_and_huge_ones_are_refused) {
  const auto tiny = parse_box_list("0,1e-60,0,1e-40,1\n", "t");
  ASSERT_TRUE(tiny.has_value()) << tiny.error().message;
  EXPECT_EQ(tiny->boxes[0].min.x, 0.0F);
  EXPECT_EQ(tiny->boxes[0].max.x, 1e-40F);
  for (const char* huge : {"1e39", "-3.5e38", "1e400"}) {
    const Error error = parse_box_list("0,0,0," + std::string(huge) + ",1\n", "t").error();
    EXPECT_EQ(error.code, ErrorCode::not_finite);
    EXPECT_EQ(error.message, "t:1: max_x is \"" + std::string(huge) + "\", beyond the largest float, 3.4e38");
  }
}

struct BadLine {
  const char* text;
  ErrorCode code;
  const char* place;
  const char* says;
};

class BadBoxList : public testing::TestWithParam<BadLine> {};

TEST_P(BadBoxList, is_refused_with_line_and_reason) {
  const auto list = parse_box_list(GetParam().text, "boxes.csv");
  ASSERT_FALSE(list.has_value());
  EXPECT_EQ(list.error().code, GetParam().code);
  EXPECT_TRUE(list.error().message.starts_with(GetParam().place)) << list.error().message;
  EXPECT_NE(list.error().message.find(GetParam().says), std::string::npos) << list.error().message;
  EXPECT_EQ(list.error().message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Lines, BadBoxList,
    testing::Values(
        BadLine{"0,0,0,1\n", ErrorCode::parse, "boxes.csv:1:", "has 4 values; expected 5"},
        BadLine{"0,0,0,1,1\n1,0,0,1,1,9\n", ErrorCode::parse, "boxes.csv:2:", "has 6 values"},
        BadLine{"0,0,0,1,1,\n", ErrorCode::parse, "boxes.csv:1:", "has 6 values"},
        BadLine{"hello\n", ErrorCode::parse, "boxes.csv:1:", "names no column min_x, min_y, max_x, max_y"},
        BadLine{"0,0,0,1,1\nhello\n", ErrorCode::parse, "boxes.csv:2:", "has 1 value; expected 5"},
        BadLine{"\nmin_x,min_y,max_x,max_y\n0,0,1\n", ErrorCode::parse,
                "boxes.csv:3:", "has 3 values; expected 4, as the header has"},
        BadLine{"id,min_x,id,min_y,max_x,max_y\n", ErrorCode::parse,
                "boxes.csv:1:", "names the column id twice"},
        BadLine{"0,\"0,0,1,1\n", ErrorCode::parse, "boxes.csv:1:", "quote does not end"},
        BadLine{"0,\"0\"1,0,1,1\n", ErrorCode::parse, "boxes.csv:1:", "quote does not end"},
        BadLine{"0;0,5;0;1;1\n", ErrorCode::parse, "boxes.csv:1:", "min_x is \"0,5\""},
        BadLine{"0,0,,1,1\n", ErrorCode::parse, "boxes.csv:1:", "min_y is \"\""},
        BadLine{"0,0,0,1x,1\n", ErrorCode::parse, "boxes.csv:1:", "max_x is \"1x\""},
        BadLine{"0,0,0,0x10,1\n", ErrorCode::parse, "boxes.csv:1:", "max_x is \"0x10\""},
        BadLine{"-1,0,0,1,1\n", ErrorCode::parse, "boxes.csv:1:", "id is \"-1\""},
        BadLine{"1.5,0,0,1,1\n", ErrorCode::parse, "boxes.csv:1:", "id is \"1.5\""},
        BadLine{"18446744073709551616,0,0,1,1\n", ErrorCode::parse, "boxes.csv:1:", "whole number"},
        BadLine{"0,nan,0,1,1\n", ErrorCode::not_finite, "boxes.csv:1:", "min_x is nan"},
        BadLine{"0,0,0,1,1\n\n1,0,0,inf,1\n", ErrorCode::not_finite, "boxes.csv:3:", "max_x is inf"},
        BadLine{"0,2,0,1,1\n", ErrorCode::inverted_box, "boxes.csv:1:", "min_x 2 is greater than max_x 1"},
        BadLine{"4,0,0,1,1\n\n5,0,0,1,1\n4,0,0,1,1\n", ErrorCode::parse,
                "boxes.csv:4:", "id 4 stands on line 1 already"},
        BadLine{"0,0,0,1,1\nid,min_x,min_y,max_x,max_y\n", ErrorCode::parse,
                "boxes.csv:2:", "id is \"id\""}));

TEST(BoxList, an_endless_line_is_refused_before_it_is_kept) {
  BoxListReader reader("t");
  const std::string piece(100'000, '1');
  EXPECT_EQ(reader.feed(piece).error().code, ErrorCode::parse);
}

TEST(BoxList, a_line_may_have_65536_bytes_and_no_more) {
  test::Random random(42);
  for (int round = 0; round < 50; ++round) {
    std::string text = "min_x,min_y,max_x,max_y,other\n";
    const std::size_t length = 65'530 + random.below(12);
    text += "0,0,1,1," + std::string(length - 8, 'x') + "\n";
    BoxListReader reader("t");
    Result<void> fed;
    for (std::string_view rest = text; !rest.empty() && fed.has_value();) {
      const std::string_view piece = rest.substr(0, 1 + random.below(50'000));
      fed = reader.feed(piece);
      rest.remove_prefix(piece.size());
    }
    ASSERT_EQ(fed.has_value(), length <= 65'536) << length;
    if (!fed.has_value()) {
      ASSERT_TRUE(fed.error().message.starts_with("t:2: is longer than 65536 ")) << fed.error().message;
    }
  }
}

/// Returns a number with few decimals, as maps have them.
std::string decimal(double number) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.3f", number);
  return text.data();
}

// Boxes of any size at any distance from (0, 0), with and without an origin near them.
TEST(BoxList, refuses_boxes_whose_sides_a_float_moves_and_reads_them_with_an_origin) {
  test::Random random(18);
  std::size_t refused = 0;
  std::size_t accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    const double far = std::exp2(30.0 * static_cast<double>(random.unit()));
    const double width = std::exp2(16.0 * static_cast<double>(random.unit()) - 6.0);
    const double left = std::floor(far) + static_cast<double>(random.unit());
    const std::string low = decimal(left);
    const std::string high = decimal(left + width);
    const std::string text = "1," + low + ",0," + high + ",0\n";
    const double side = std::strtod(high.c_str(), nullptr) - std::strtod(low.c_str(), nullptr);
    bool is_held = true;
    bool is_close = side <= 0.0;  // to the limit
    for (const std::string& number : {low, high}) {
      const double exact = std::strtod(number.c_str(), nullptr);
      const float value = std::strtof(number.c_str(), nullptr);
      const double moved = 256.0 * std::fabs(exact - static_cast<double>(value));
      std::string as_float;
      append_box(as_float, 1, {{value, value}, {value, value}});
      is_held = is_held && (moved <= side || std::strtod(as_float.c_str() + 2, nullptr) == exact);
      is_close = is_close || std::fabs(moved - side) < 1e-6 * side;
    }
    if (is_close) {
      continue;
    }
    const auto list = parse_box_list(text, "t");
    ASSERT_EQ(list.has_value(), is_held) << text;
    if (list.has_value()) {
      ++accepted;
      ASSERT_EQ(list->boxes[0].min.x, std::strtof(low.c_str(), nullptr));
    } else {
      ++refused;
      const std::string suggested = decimal(std::floor(std::strtod(low.c_str(), nullptr)));
      ASSERT_EQ(list.error().code, ErrorCode::invalid_argument);
      ASSERT_TRUE(
          test::mentions(list.error().message, "--origin " + suggested.substr(0, suggested.find('.')) + " "))
          << list.error().message;
    }
    const BoxList::Origin origin{std::floor(left), 0.0};
    const auto near = parse_box_list(text, "t", origin);
    ASSERT_TRUE(near.has_value()) << near.error().message;
    ASSERT_NEAR(near->boxes[0].min.x, left - origin.x, 0.001);
    ASSERT_NEAR(static_cast<double>(near->boxes[0].max.x - near->boxes[0].min.x), side, side / 100.0);
  }
  EXPECT_GT(refused, 2000U);
  EXPECT_GT(accepted, 2000U);
}

const char* const tiled_map = R"({"compressionlevel": -1, "layers": [], "tilewidth": 16})";
const char* const ldtk_project = R"({"__header__": {"app": "LDtk"}, "levels": []})";
const char* const geojson = R"({
  "type": "FeatureCollection",
  "features": [{"geometry": {"type": "Point", "coordinates": [0, 0]}}]})";

// Written as one line, too: that of a map is longer than any line of a list.
TEST(BoxList, a_file_of_another_program_is_recognized) {
  const std::string filler = "\"filler\": \"" + std::string(100'000, 'x') + "\", ";
  for (const auto& [text, format] : {std::pair{tiled_map, "a Tiled map"},
                                     {ldtk_project, "an LDtk project"},
                                     {geojson, "GeoJSON"},
                                     {"<?xml?>\n<map tilewidth=\"16\">", "a Tiled map"}}) {
    const std::string expected = std::string("f looks like ") + format +
                                 "; broadside reads scenes as JSON, traces as .b2tr and box lists as CSV";
    for (const bool is_long : {false, true}) {
      std::string file = text;
      if (is_long) {
        file.insert(1, filler);
      }
      EXPECT_TRUE(parse_box_list(file, "f").error().message.starts_with(expected)) << file.substr(0, 80);
      if (file[0] == '{') {
        EXPECT_TRUE(parse_scene(file, "f").error().message.starts_with(expected)) << file.substr(0, 80);
      }
    }
  }
  EXPECT_TRUE(parse_box_list(R"({"bodies": []})", "f").error().message.starts_with("f looks like JSON; "));
  EXPECT_TRUE(parse_box_list("\n [1, 2]", "f").error().message.starts_with("f looks like JSON; "));
  EXPECT_TRUE(parse_box_list("<svg/>", "f").error().message.starts_with("f looks like XML; "));
  EXPECT_TRUE(parse_box_list("B2TR\1", "f").error().message.starts_with("f looks like a trace; "));
}

TEST(BoxList, an_origin_that_makes_no_sense_is_refused) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {infinity, -infinity, std::nan(""), 1e300}) {
    EXPECT_EQ(parse_box_list("1,0,0,1,1\n", "t", {bad, 0}).error().code, ErrorCode::not_finite) << bad;
  }
}

TEST(BoxList, writes_what_it_reads) {
  std::string text(box_list_header());
  const Aabb box{{0.1F, -3.4028235e38F}, {1e-45F + 1.0F, 16777217.0F}};
  append_box(text, 18446744073709551615U, box);
  const auto list = parse_box_list(text, "t");
  ASSERT_TRUE(list.has_value()) << list.error().message;
  EXPECT_EQ(list->ids[0], std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(list->boxes[0], box);
}

// Any float. A whole number without an exponent needs all digits before its point.
TEST(BoxList, writes_the_fewest_digits_that_read_back_as_the_same_floats) {
  test::Random random(17);
  int counted = 0;
  for (int round = 0; round < 20'000; ++round) {
    const auto value = std::bit_cast<float>(random.bits());
    if (!is_finite(value)) {
      continue;
    }
    std::string text;
    append_box(text, 1, {{value, value}, {value, value}});
    ASSERT_EQ(parse_box_list(text, "t").value().boxes.at(0), (Aabb{{value, value}, {value, value}})) << text;
    const std::string number = text.substr(2, text.find(',', 2) - 2);
    if (number.find_first_of(".e") == std::string::npos) {
      continue;
    }
    std::string digits = number.substr(0, number.find('e'));
    std::erase_if(digits, [](char c) { return c == '-' || c == '.'; });
    digits.erase(0, digits.find_first_not_of('0'));
    std::size_t fewest = 0;
    for (float read = 0; read != value;) {
      ++fewest;
      std::array<char, 32> rounded{};
      std::snprintf(rounded.data(), rounded.size(), "%.*e", static_cast<int>(fewest) - 1,
                    static_cast<double>(value));
      read = std::strtof(rounded.data(), nullptr);
    }
    ASSERT_LE(digits.size(), fewest) << number;
    ++counted;
  }
  EXPECT_GT(counted, 15'000);
}

}  // namespace
}  // namespace broadside
