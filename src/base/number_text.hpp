#pragma once

#include <string>

namespace broadside::detail {

/// Returns a number as text, independent of the locale.
/// @param digits number of significant digits, 1 to 9; 0 for the shortest text that identifies the float
[[nodiscard]] std::string number_text(float number, int digits = 0);

}  // namespace broadside::detail
