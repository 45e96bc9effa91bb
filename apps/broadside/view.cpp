#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "commands.hpp"

namespace broadside::app {

std::string find_viewer(const std::string& program) {
  std::vector<std::string> folders;
  if (const std::size_t slash = program.rfind('/'); slash != std::string::npos) {
    folders.push_back(program.substr(0, slash));
  } else if (const char* path = std::getenv("PATH")) {
    std::istringstream list(path);
    for (std::string folder; std::getline(list, folder, ':');) {
      folders.push_back(folder.empty() ? "." : folder);
    }
  }
  for (const std::string& folder : folders) {
    std::string viewer = folder + "/broadside-view";
    if (::access(viewer.c_str(), X_OK) == 0) {
      return viewer;
    }
  }
  return {};
}

// The window needs many libraries; the other commands should not load them.
int view(const std::string& viewer, const std::vector<std::string>& arguments) {
  if (viewer.empty()) {
    return fail(bad_data,
                "view: the viewer is not installed; install SDL2 and Dear ImGui (on Debian: apt-get install "
                "libsdl2-dev libimgui-dev), then build it: make view");
  }
  std::vector<std::string> words{viewer};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  execv(viewer.c_str(), pointers.data());
  return fail(bad_data, "view: " + viewer + ": " + std::strerror(errno));
}

}  // namespace broadside::app
