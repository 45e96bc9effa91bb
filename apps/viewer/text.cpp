#include "text.hpp"

#include <fmt/core.h>

#include <iterator>

namespace broadside::view {

std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string result;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) {
      result.push_back(',');
    }
    result.push_back(digits[i]);
  }
  return result;
}

std::string byte_text(std::size_t bytes) {
  constexpr std::string_view units[] = {"kB", "MB", "GB"};
  if (bytes < 1000) {
    return fmt::format("{} B", bytes);
  }
  std::size_t unit = 0;
  double number = static_cast<double>(bytes) / 1e3;
  for (; number >= 999.5 && unit + 1 < std::size(units); ++unit) {  // would be shown as 1000
    number /= 1e3;
  }
  const int decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", number, decimals, units[unit]);
}

std::string step_text(std::size_t step, std::size_t steps) {
  return step < steps ? fmt::format("Step {} of {}", step + 1, steps)
                      : fmt::format("Step {}, beyond the scene's {}", step + 1, steps);
}

std::string search_text(std::size_t searched, std::size_t boxes) {
  return searched == 0      ? "Step: no box searched, none moved"
         : searched < boxes ? fmt::format("Step: {} of {} boxes searched", grouped(searched), grouped(boxes))
                            : "Step: all boxes searched";
}

std::string break_lines(std::string text, float width, FunctionRef<float(std::string_view)> width_of) {
  constexpr std::size_t none = std::string::npos;
  std::size_t line = 0;      // where the line begins
  std::size_t space = none;  // the last space of the line
  for (std::size_t end = 0; end <= text.size(); ++end) {
    if (end < text.size() && text[end] != ' ' && text[end] != '\n') {
      continue;
    }
    if (space != none && width_of(std::string_view(text).substr(line, end - line)) > width) {
      text[space] = '\n';
      line = space + 1;
    }
    space = end;
    if (end < text.size() && text[end] == '\n') {
      line = end + 1;
      space = none;
    }
  }
  return text;
}

}  // namespace broadside::view
