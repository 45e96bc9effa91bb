#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "broadside/base/function_ref.hpp"

namespace broadside::view {

/// Returns a number with a comma between groups of three digits.
[[nodiscard]] std::string grouped(std::uint64_t number);

/// Returns a size in memory with three digits, such as "33.2 MB".
[[nodiscard]] std::string byte_text(std::size_t bytes);

/// Returns where a scene or recording is, such as "Step 3 of 240".
/// @param step counted from 0
/// @param steps of its own; a scene goes on after them
[[nodiscard]] std::string step_text(std::size_t step, std::size_t steps);

/// Returns what a step searched, such as "Step: 12 of 2,000 boxes searched".
[[nodiscard]] std::string search_text(std::size_t searched, std::size_t boxes);

/// Breaks a text into lines at spaces alone, so that numbers such as 3.79 stay whole. (Dear ImGui also breaks
/// after points and commas.) Only a word that is too wide by itself makes a line wider than `width`.
/// @param width_of returns the width of a text on one line, in the unit of `width`
[[nodiscard]] std::string break_lines(std::string text, float width,
                                      FunctionRef<float(std::string_view)> width_of);

}  // namespace broadside::view
