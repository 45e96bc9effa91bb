#include "number_text.hpp"

#include <array>
#include <charconv>

namespace broadside::inline v0_2::detail {

std::string number_text(float number, int digits) {
  std::array<char, 32> text{};
  char* const end = text.data() + text.size();
  return {text.data(), digits == 0
                           ? std::to_chars(text.data(), end, number).ptr
                           : std::to_chars(text.data(), end, number, std::chars_format::general, digits).ptr};
}

}  // namespace broadside::inline v0_2::detail
