#pragma once

#include <string>
#include <string_view>

#include "broadside/base/result.hpp"

namespace broadside::inline v0_2 {

/// Explains a text of another program: GeoJSON, a Tiled map or an LDtk project. No error if it looks like
/// none.
[[nodiscard]] Error explain_other_program(std::string_view text, const std::string& name);

/// Explains a text that cannot be a list of boxes, by its beginning: one of another program, JSON, XML or a
/// trace. No error if it may be a list.
[[nodiscard]] Error explain_no_box_list(std::string_view begin, const std::string& name);

}  // namespace broadside::inline v0_2
