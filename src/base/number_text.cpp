#include "number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace broadside::inline v0_2::detail {

#if defined(_LIBCPP_VERSION) && \
    _LIBCPP_VERSION < 14000  // its std::to_chars takes no floats: Debian's Emscripten

std::string number_text(float number, int digits) {
  constexpr int identify_any_float = 9;
  std::array<char, 32> text{};
  for (int n = digits == 0 ? 1 : digits; n <= identify_any_float; ++n) {
    std::snprintf(text.data(), text.size(), "%.*g", n, static_cast<double>(number));
    if (n == digits || std::strtof(text.data(), nullptr) == number) {
      break;
    }
  }
  std::replace(text.begin(), text.end(), ',', '.');  // of the locale
  return text.data();
}

#else

std::string number_text(float number, int digits) {
  std::array<char, 32> text{};
  char* const end = text.data() + text.size();
  return {text.data(), digits == 0
                           ? std::to_chars(text.data(), end, number).ptr
                           : std::to_chars(text.data(), end, number, std::chars_format::general, digits).ptr};
}

#endif

}  // namespace broadside::inline v0_2::detail
