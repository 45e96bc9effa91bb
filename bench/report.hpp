#pragma once

#include <optional>
#include <string>
#include <vector>

namespace broadside::bench {

/// Tells whether a name was asked for; all are where none was named.
[[nodiscard]] bool wanted(const std::vector<std::string>& names, const std::string& name);

/// Says what is wrong with the first of the names that nobody has.
[[nodiscard]] std::optional<std::string> unknown(const char* what, const std::vector<std::string>& names,
                                                 const std::vector<std::string>& known);

/// Returns the name of the processor.
[[nodiscard]] std::string machine();

/// Shows a line on the terminal in place of the last one; nothing where errors go elsewhere.
void show_progress(const std::string& text);

}  // namespace broadside::bench
