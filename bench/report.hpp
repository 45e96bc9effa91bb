#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "broadside/base/result.hpp"
#include "broadside/scene/file.hpp"

namespace broadside::bench {

/// Tells whether a name was asked for; all are where none was named.
[[nodiscard]] bool wanted(const std::vector<std::string>& names, const std::string& name);

/// Says what is wrong with the first of the names that nobody has.
[[nodiscard]] std::optional<std::string> unknown(const char* what, const std::vector<std::string>& names,
                                                 const std::vector<std::string>& known);

/// Returns the name of the processor.
[[nodiscard]] std::string machine();

/// Where the figures go as JSON, if anywhere. Opened before the work, so that a target that cannot be written
/// is known at once.
class JsonTarget {
 public:
  /// @param path empty for nowhere
  [[nodiscard]] static Result<JsonTarget> open(const std::string& path);
  [[nodiscard]] Result<void> write(const nlohmann::ordered_json& report);

 private:
  std::optional<OutputFile> file_;
};

/// Does the work of a program and returns its exit code: 0 if `run` says that all is as it should be. An
/// error or an exception becomes a sentence after the program's name.
[[nodiscard]] int exit_code_of(const char* program, const std::function<Result<bool>()>& run);

/// Shows a line on the terminal in place of the last one; nothing where errors go elsewhere.
void show_progress(const std::string& text);

}  // namespace broadside::bench
