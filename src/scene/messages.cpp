#include "broadside/scene/messages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

namespace broadside::inline v0_2 {

namespace {

/// Returns the length of the character at the beginning of a text, or 0 if it is a control character or
/// malformed.
std::size_t printable_length(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) {
    return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  }
  // Second bytes outside of these limits make the control characters from U+0080 on, overlong forms,
  // surrogates, and numbers beyond U+10FFFF.
  const unsigned low = lead == 0xC2 || lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (lead < 0xC2 || lead > 0xF4 || byte(1) < low || byte(1) > high) {
    return 0;
  }
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) {
      return 0;
    }
  }
  return length;
}

/// Counts the insertions, deletions, replacements and swaps of neighbors that turn one word into the other
/// (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::array<std::vector<std::size_t>, 3> rows;  // of the table: the current one, the last, the one before
  rows.fill(std::vector<std::size_t>(b.size() + 1));
  std::iota(rows[0].begin(), rows[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::rotate(rows.begin(), rows.end() - 1, rows.end());
    auto& [row, last, before] = rows;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return rows[0].back();
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  while (!text.empty()) {
    const std::size_t length = printable_length(text);
    if (length == 0) {
      const auto byte = static_cast<unsigned char>(text.front());
      result += "\\x";
      result += {digits[byte >> 4U], digits[byte & 15U]};
    }
    result += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string suggestion(std::string_view word, std::span<const std::string> names) {
  constexpr std::size_t shortest_beginning = 3;
  std::string_view nearest;
  std::size_t least = std::string_view::npos;
  for (const std::string& name : names) {
    const std::size_t limit = std::max<std::size_t>(name.size() / 3, 1);
    if (word.size() > name.size() + limit) {
      continue;
    }
    const bool is_beginning = word.size() >= shortest_beginning && name.starts_with(word);
    const std::size_t distance = is_beginning ? 1 : edit_distance(word, name);
    if (distance <= limit && distance < least) {
      nearest = name;
      least = distance;
    }
  }
  return nearest.empty() ? std::string() : "; did you mean " + std::string(nearest) + "?";
}

}  // namespace broadside::inline v0_2
