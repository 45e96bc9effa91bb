#include "broadside/scene/box_list.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>

#include "base/number_text.hpp"
#include "broadside/base/validate.hpp"
#include "broadside/scene/file.hpp"

namespace broadside {

namespace {

constexpr std::string_view header = "id,min_x,min_y,max_x,max_y";
constexpr std::size_t max_line_length = 1024;
constexpr std::array<std::string_view, 5> columns = {"id", "min_x", "min_y", "max_x", "max_y"};

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

/// Shortens a foreign text for an error message, and replaces its control characters.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text.substr(0, 40)) {
    result += (c >= ' ' && c != 127) ? c : '?';
  }
  return result + (text.size() > 40 ? "...\"" : "\"");
}

/// A number of a line as a double, which stands for the exact one, and as a float.
struct Number {
  double exact = 0.0;
  float value = 0.0F;
};

using Numbers = std::array<Number, 4>;  ///< min x, min y, max x, max y

double longer_side(const Numbers& numbers) {
  return std::max(numbers[2].exact - numbers[0].exact, numbers[3].exact - numbers[1].exact);
}

/// Returns the first number that loses something that matters as a float: it moves by more than a small part
/// of the longer side of its box, and was not written as a float before.
std::optional<std::size_t> find_lost(const Numbers& numbers) {
  constexpr double parts = 256.0;
  const double side = longer_side(numbers);
  for (std::size_t i = 0; i < numbers.size() && side > 0.0; ++i) {
    const auto& [exact, value] = numbers[i];
    const bool is_close = std::fabs(exact - static_cast<double>(value)) * parts <= side;
    if (!is_close && std::strtod(detail::number_text(value).c_str(), nullptr) != exact) {
      return i;
    }
  }
  return std::nullopt;
}

/// Returns the option that moves a point close to (0, 0).
std::string near_origin(double x, double y) {
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), "--origin %.0f %.0f", std::floor(x), std::floor(y));
  return text.data();
}

/// Parses a float or a double.
template <typename Real>
bool parse(std::string_view text, Real& value) {
  if (text.size() > 1 && text.front() == '+') {
    text.remove_prefix(1);
  }
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) {
    return false;
  }
  if (status == std::errc::result_out_of_range) {
    // `from_chars` does not distinguish underflow from overflow; strtod does (a tiny number is 0, a huge one
    // infinite).
    if constexpr (std::is_same_v<Real, float>) {
      value = std::strtof(std::string(text).c_str(), nullptr);
    } else {
      value = std::strtod(std::string(text).c_str(), nullptr);
    }
    return true;
  }
  return status == std::errc{};
}

/// Parses a number and subtracts the origin.
bool parse(std::string_view text, double origin, Number& number) {
  if (!parse(text, number.value) || !parse(text, number.exact)) {
    return false;
  }
  if (origin != 0.0) {
    number.exact -= origin;
    constexpr double max_float = std::numeric_limits<float>::max();
    number.value = std::fabs(number.exact) <= max_float ? static_cast<float>(number.exact)
                                                        : std::numeric_limits<float>::infinity();
  }
  return true;
}

}  // namespace

std::string_view box_list_header() {
  return "id,min_x,min_y,max_x,max_y\n";
}

void append_box(std::string& text, std::uint64_t id, const Aabb& box) {
  std::array<char, 128> line{};
  char* end = std::to_chars(line.data(), line.data() + line.size(), id).ptr;
  for (const float value : {box.min.x, box.min.y, box.max.x, box.max.y}) {
    *end++ = ',';
    end = std::to_chars(end, line.data() + line.size(), value).ptr;
  }
  *end++ = '\n';
  text.append(line.data(), end);
}

Error BoxListReader::at_line(std::uint64_t line, const std::string& what, ErrorCode code) const {
  return {code, name_ + ":" + std::to_string(line) + ": " + what};
}

Result<void> BoxListReader::parse_line(std::string_view line) {
  ++line_;
  if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) {
    line.remove_prefix(3);
  }
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  line = trimmed(line);
  if (line.empty() || (list_.ids.empty() && line == header)) {
    return {};
  }

  std::array<std::string_view, columns.size()> fields;
  std::size_t count = 0;
  for (std::size_t begin = 0; begin <= line.size(); ++count) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    if (count < fields.size()) {
      fields[count] = trimmed(line.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  if (count != fields.size()) {
    return at_line(line_, "has " + std::to_string(count) + (count == 1 ? " value" : " values") +
                              "; expected 5: " + std::string(header));
  }

  std::uint64_t id = 0;
  const auto [id_end, id_status] = std::from_chars(fields[0].data(), fields[0].data() + fields[0].size(), id);
  if (id_status != std::errc{} || id_end != fields[0].data() + fields[0].size()) {
    return at_line(line_,
                   "id is " + quoted(fields[0]) + "; expected a whole number from 0 to 18446744073709551615");
  }
  Numbers numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!parse(fields[i + 1], i % 2 == 0 ? origin_.x : origin_.y, numbers[i])) {
      return at_line(line_,
                     std::string(columns[i + 1]) + " is " + quoted(fields[i + 1]) + "; expected a number");
    }
  }
  const Aabb box{{numbers[0].value, numbers[1].value}, {numbers[2].value, numbers[3].value}};
  if (const auto lost = is_finite(box) ? find_lost(numbers) : std::nullopt) {
    const double side = longer_side(numbers);
    return at_line(
        line_,
        std::string(columns[*lost + 1]) + " is " + std::string(fields[*lost + 1]) +
            ", and the nearest float " +
            (origin_ == BoxList::Origin{} ? "" : "after the origin was subtracted ") + "is " +
            detail::number_text(numbers[*lost].value) + ": too far for a box whose longer side is " +
            detail::number_text(static_cast<float>(side)) + "; subtract an origin near the boxes, such as " +
            near_origin(numbers[0].exact + origin_.x, numbers[1].exact + origin_.y),
        ErrorCode::invalid_argument);
  }
  if (auto valid = validate(box, "box " + std::to_string(id)); !valid.has_value()) {
    return at_line(line_, valid.error().message, valid.error().code);
  }
  list_.ids.push_back(id);
  list_.boxes.push_back(box);
  lines_.push_back(static_cast<std::uint32_t>(line_));
  return {};
}

Result<void> BoxListReader::feed(std::string_view piece) {
  while (!piece.empty()) {
    const std::size_t end = piece.find('\n');
    const std::string_view part = piece.substr(0, end);
    if (rest_.size() + part.size() > max_line_length) {
      return at_line(line_ + 1, "is longer than " + std::to_string(max_line_length) +
                                    " characters; expected " + std::string(header));
    }
    if (end == std::string_view::npos) {
      rest_ += part;
      return {};
    }
    Result<void> taken;
    if (rest_.empty()) {
      taken = parse_line(part);
    } else {
      rest_ += part;
      taken = parse_line(rest_);
      rest_.clear();
    }
    if (!taken.has_value()) {
      return taken;
    }
    piece.remove_prefix(end + 1);
  }
  return {};
}

Result<void> BoxListReader::check_unique() const {
  const auto& ids = list_.ids;
  if (std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end()) {
    return {};
  }
  std::vector<std::uint32_t> order(ids.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&ids](std::uint32_t a, std::uint32_t b) { return ids[a] != ids[b] ? ids[a] < ids[b] : a < b; });
  const auto same = [&ids](std::uint32_t a, std::uint32_t b) { return ids[a] == ids[b]; };
  const auto twin = std::adjacent_find(order.begin(), order.end(), same);
  if (twin == order.end()) {
    return {};
  }
  return at_line(lines_[*(twin + 1)], "id " + std::to_string(ids[*twin]) + " stands on line " +
                                          std::to_string(lines_[*twin]) +
                                          " already; each id must occur once");
}

Result<BoxList> BoxListReader::finish() {
  if (!rest_.empty()) {
    if (auto taken = parse_line(rest_); !taken.has_value()) {
      return taken.error();
    }
  }
  if (auto unique = check_unique(); !unique.has_value()) {
    return unique.error();
  }
  return std::move(list_);
}

Result<BoxList> parse_box_list(std::string_view text, const std::string& name, BoxList::Origin origin) {
  BoxListReader reader(name, origin);
  if (auto fed = reader.feed(text); !fed.has_value()) {
    return fed.error();
  }
  return reader.finish();
}

Result<BoxList> read_box_list(const std::string& path, BoxList::Origin origin) {
  BoxListReader reader(path == "-" ? "standard input" : path, origin);
  const auto read =
      read_file_in_pieces(path, [&reader](std::string_view piece) { return reader.feed(piece); });
  if (!read.has_value()) {
    return read.error();
  }
  return reader.finish();
}

}  // namespace broadside
