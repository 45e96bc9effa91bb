#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "broadside/base/result.hpp"
#include "broadside/scene/file.hpp"

namespace broadside::bench {

/// Returns whether a name was selected; without names, all are.
[[nodiscard]] bool wanted(const std::vector<std::string>& names, const std::string& name);

/// Returns an error message for the first of the names that is unknown.
[[nodiscard]] std::optional<std::string> unknown(const char* what, const std::vector<std::string>& names,
                                                 const std::vector<std::string>& known);

/// Returns the name of the processor.
[[nodiscard]] std::string machine();

/// The optional JSON output file. It is opened before the work, so that errors are reported at once.
class JsonTarget {
 public:
  /// @param path empty for no output
  [[nodiscard]] static Result<JsonTarget> open(const std::string& path);
  [[nodiscard]] Result<void> write(const nlohmann::ordered_json& report);

 private:
  std::optional<OutputFile> file_;
};

/// Runs a program and returns its exit code: 0 if `run` returns true. Prints an error or an exception as a
/// sentence after the program's name.
[[nodiscard]] int exit_code_of(const char* program, const std::function<Result<bool>()>& run);

/// Replaces the last line on the terminal; prints nothing if stderr is redirected.
void show_progress(const std::string& text);

}  // namespace broadside::bench
