#include "report.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

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

void show_progress(const std::string& text) {
  if (::isatty(STDERR_FILENO) != 0) {
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
  }
}

}  // namespace broadside::bench
