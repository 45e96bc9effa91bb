#pragma once

#include <string_view>

#include "broadside/base/export.h"
#include "broadside/base/version.h"

namespace broadside::inline v0_2 {

/// Returns the version of the library that the program is linked with, such as "0.2.0". Before 1.0, a
/// different second number means a different interface.
[[nodiscard]] BROADSIDE_API std::string_view version();

}  // namespace broadside::inline v0_2
