#pragma once

#include <string>

#include "broadside/base/export.h"

namespace broadside::inline v0_2::detail {

/// Returns a number as text, independent of the locale. Exported for the readers of scenes.
/// @param digits number of significant digits, 1 to 9; 0 for the shortest text that identifies the float
[[nodiscard]] BROADSIDE_API std::string number_text(float number, int digits = 0);

}  // namespace broadside::inline v0_2::detail
