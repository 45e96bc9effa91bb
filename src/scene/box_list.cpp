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
#include "foreign_format.hpp"

namespace broadside::inline v0_2 {

namespace {

constexpr std::string_view header = "id,min_x,min_y,max_x,max_y";
constexpr std::size_t max_line_length = std::size_t{1} << 16U;  // other columns may be long
constexpr std::array<std::string_view, 5> column_names = {"id", "min_x", "min_y", "max_x", "max_y"};
constexpr std::uint8_t ignored = column_names.size();

/// Returns whether a character is a blank; a separator is none.
bool is_blank(char c, char separator) {
  return c == ' ' || (c == '\t' && separator != '\t');
}

/// Removes the blanks around a text.
std::string_view trimmed(std::string_view text, char separator) {
  while (!text.empty() && is_blank(text.front(), separator)) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back(), separator)) {
    text.remove_suffix(1);
  }
  return text;
}

/// Shortens a foreign text for an error message.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  result += text.substr(0, 40);
  return result + (text.size() > 40 ? "...\"" : "\"");
}

/// Takes the values of a line one after the other, without blanks and quotes around them.
class Values {
 public:
  Values(std::string_view line, char separator) : rest_(line), separator_(separator) {}

  /// Returns whether there is a value that was not taken; an empty line has one, which is empty.
  [[nodiscard]] bool has_next() const { return has_next_; }
  /// Returns whether a value has a quote that does not end where the value ends.
  [[nodiscard]] bool has_open_quote() const { return has_open_quote_; }

  std::string_view next() {
    std::size_t begin = 0;
    while (begin < rest_.size() && is_blank(rest_[begin], separator_)) {
      ++begin;
    }
    const bool is_quoted = begin < rest_.size() && rest_[begin] == '"';
    const std::size_t end = std::min(rest_.find(separator_, is_quoted ? quote_end(begin) : 0), rest_.size());
    std::string_view value = trimmed(rest_.substr(0, end), separator_);
    if (is_quoted) {
      has_open_quote_ = has_open_quote_ || value.size() < 2 || value.back() != '"';
      value = trimmed(value.substr(1, std::max<std::size_t>(value.size(), 2) - 2), separator_);
    }
    has_next_ = end < rest_.size();
    rest_.remove_prefix(has_next_ ? end + 1 : rest_.size());
    return value;
  }

 private:
  /// Returns the position of the quote that ends a value, where two quotes stand for one that does not.
  [[nodiscard]] std::size_t quote_end(std::size_t begin) const {
    std::size_t end = rest_.find('"', begin + 1);
    while (end != std::string_view::npos && end + 1 < rest_.size() && rest_[end + 1] == '"') {
      end = rest_.find('"', end + 2);
    }
    return end;
  }

  std::string_view rest_;
  char separator_;
  bool has_next_ = true;
  bool has_open_quote_ = false;
};

/// Returns the separator of a first line. A comma may be the decimal point of other countries, and a tab may
/// stand beside another separator.
char separator_of(std::string_view line) {
  constexpr std::size_t fewest = column_names.size() - 1;
  for (const char separator : {';', ',', '\t'}) {
    std::size_t count = 0;
    for (Values values(line, separator); values.has_next(); values.next()) {
      ++count;
    }
    if (count >= fewest) {
      return separator;
    }
  }
  return ',';
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

/// Returns whether a number that was written with digits became infinite.
bool is_too_large(const Number& number, std::string_view text) {
  return std::isinf(number.value) && text.find_first_of("0123456789") != std::string_view::npos;
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

/// Finds the separator and the columns by the first line. Returns whether the line is a header: it names one
/// of our columns, or holds no number.
Result<bool> BoxListReader::read_header(std::string_view line) {
  separator_ = separator_of(line);
  bool has_number = false;
  std::string missing;
  Values values(trimmed(line, separator_), separator_);
  while (values.has_next()) {
    const std::string_view value = values.next();
    const auto column = std::find(column_names.begin(), column_names.end(), value);
    const auto number = static_cast<std::uint8_t>(column - column_names.begin());
    double ignored_number = 0.0;
    has_number = has_number || parse(value, ignored_number);
    has_header_ = has_header_ || number != ignored;
    if (number != ignored && std::find(columns_.begin(), columns_.end(), number) != columns_.end()) {
      return at_line(line_, "names the column " + std::string(value) + " twice");
    }
    columns_.push_back(number);
  }
  if (!has_header_ && has_number) {
    columns_ = {0, 1, 2, 3, 4};
    return false;
  }
  has_header_ = true;
  has_ids_ = std::find(columns_.begin(), columns_.end(), 0) != columns_.end();
  for (std::size_t i = 1; i < column_names.size(); ++i) {
    if (std::find(columns_.begin(), columns_.end(), i) == columns_.end()) {
      missing += (missing.empty() ? "" : ", ") + std::string(column_names[i]);
    }
  }
  if (!missing.empty()) {
    return at_line(line_, "names no column " + missing + "; expected " + std::string(header) +
                              ", in any order, where id may be left out");
  }
  return true;
}

Result<void> BoxListReader::parse_line(std::string_view line) {
  ++line_;
  if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) {
    line.remove_prefix(3);
  }
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  if (line.find_first_not_of(" \t") == std::string_view::npos) {
    return {};
  }
  if (columns_.empty()) {
    const auto is_header = read_header(line);
    if (!is_header.has_value()) {
      return is_header.error();
    }
    if (*is_header) {
      return {};
    }
  }

  std::array<std::string_view, column_names.size() + 1> fields;  // the last one for ignored columns
  std::size_t count = 0;
  Values values(trimmed(line, separator_), separator_);
  for (; values.has_next(); ++count) {
    const std::string_view value = values.next();
    fields[count < columns_.size() ? columns_[count] : ignored] = value;
  }
  if (values.has_open_quote()) {
    return at_line(line_, "has a value whose quote does not end with it");
  }
  if (count != columns_.size()) {
    return at_line(line_, "has " + std::to_string(count) + (count == 1 ? " value" : " values") +
                              "; expected " + std::to_string(columns_.size()) +
                              (has_header_ ? ", as the header has" : ": " + std::string(header)));
  }

  std::uint64_t id = list_.ids.size();
  if (has_ids_) {
    const char* end = fields[0].data() + fields[0].size();
    const auto [id_end, id_status] = std::from_chars(fields[0].data(), end, id);
    if (id_status != std::errc{} || id_end != end) {
      return at_line(
          line_, "id is " + quoted(fields[0]) + "; expected a whole number from 0 to 18446744073709551615");
    }
  }
  Numbers numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!parse(fields[i + 1], i % 2 == 0 ? origin_.x : origin_.y, numbers[i])) {
      return at_line(line_, std::string(column_names[i + 1]) + " is " + quoted(fields[i + 1]) +
                                "; expected a number such as 1.5");
    }
    if (is_too_large(numbers[i], fields[i + 1])) {
      return at_line(line_,
                     std::string(column_names[i + 1]) + " is " + quoted(fields[i + 1]) +
                         (origin_ == BoxList::Origin{} ? "" : " minus the origin") +
                         ", beyond the largest float, 3.4e38",
                     ErrorCode::not_finite);
    }
  }
  const Aabb box{{numbers[0].value, numbers[1].value}, {numbers[2].value, numbers[3].value}};
  if (const auto lost = is_finite(box) ? find_lost(numbers) : std::nullopt) {
    const double side = longer_side(numbers);
    return at_line(
        line_,
        std::string(column_names[*lost + 1]) + " is " + std::string(fields[*lost + 1]) +
            ", and the nearest float " +
            (origin_ == BoxList::Origin{} ? "" : "after the origin was subtracted ") + "is " +
            detail::number_text(numbers[*lost].value) + ": too far for a box whose longer side is " +
            detail::number_text(static_cast<float>(side)) + "; subtract an origin near the boxes, such as " +
            near_origin(numbers[0].exact + origin_.x, numbers[1].exact + origin_.y),
        ErrorCode::invalid_argument);
  }
  if (!is_valid(box)) {
    const Error error = validate(box, "box " + std::to_string(id)).error();
    return at_line(line_, error.message, error.code);
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
  const auto fed = reader.feed(text);
  auto list = fed.has_value() ? reader.finish() : Result<BoxList>(fed.error());
  if (!list.has_value()) {
    if (Error error = explain_no_box_list(text, name)) {
      return error;
    }
  }
  return list;
}

Result<BoxList> read_box_list(const std::string& path, BoxList::Origin origin) {
  const std::string name = path == "-" ? "standard input" : path;
  BoxListReader reader(name, origin);
  std::string begin;
  const auto read = read_file_in_pieces(path, [&](std::string_view piece) {
    if (begin.empty()) {
      begin = piece;
    }
    return reader.feed(piece);
  });
  auto list = read.has_value() ? reader.finish() : Result<BoxList>(read.error());
  if (!list.has_value()) {
    if (Error error = explain_no_box_list(begin, name)) {
      return error;
    }
  }
  return list;
}

}  // namespace broadside::inline v0_2
