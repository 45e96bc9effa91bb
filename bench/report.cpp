#include "report.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "broadside/scene/file.hpp"

namespace broadside::bench {

bool wanted(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<std::string> unknown(const char* what, const std::vector<std::string>& names,
                                   const std::vector<std::string>& known) {
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return fmt::format("no {} \"{}\"; there are {}", what, name, fmt::join(known, ", "));
    }
  }
  return std::nullopt;
}

std::string machine() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      return line.substr(line.find(':') + 2);
    }
  }
  return "unknown";
}

Result<JsonTarget> JsonTarget::open(const std::string& path) {
  JsonTarget target;
  if (!path.empty()) {
    auto opened = OutputFile::open(path);
    if (!opened.has_value()) {
      return opened.error();
    }
    target.file_.emplace(std::move(*opened));
  }
  return target;
}

Result<void> JsonTarget::write(const nlohmann::ordered_json& report) {
  if (!file_) {
    return {};
  }
  file_->write(report.dump(2) + "\n");
  return file_->commit();
}

int exit_code_of(const char* program, const std::function<Result<bool>()>& run) {
  std::string sentence;
  try {
    const Result<bool> good = run();
    if (good.has_value()) {
      return *good ? 0 : 1;
    }
    sentence = good.error().message;
  } catch (const std::exception& error) {
    sentence = error.what();
  }
  fmt::print(stderr, "{}: {}\n", program, sentence);
  return 1;
}

void show_progress(const std::string& text) {
  if (is_terminal(stderr)) {
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
  }
}

}  // namespace broadside::bench
