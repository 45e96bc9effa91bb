#pragma once

#include <string>

namespace broadside::detail {

/// Returns a number as text: as short as names this float, or with so many digits. Independent of the locale.
/// @param digits significant ones, 1 to 9; 0 for as many as it takes
[[nodiscard]] std::string number_text(float number, int digits = 0);

}  // namespace broadside::detail
