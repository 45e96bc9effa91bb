#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "commands.hpp"

namespace broadside::app {

// The window needs many libraries; the other commands should not load them.
int view(const std::string& program, const std::vector<std::string>& arguments) {
  const bool was_searched_for = program.find('/') == std::string::npos;
  const std::string viewer = was_searched_for
                                 ? "broadside-view"
                                 : (std::filesystem::path(program).parent_path() / "broadside-view").string();
  std::vector<std::string> words{viewer};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  execvp(viewer.c_str(), pointers.data());
  return fail(bad_data,
              "view: the viewer was not built; install SDL2 and Dear ImGui (on Debian: apt-get install "
              "libsdl2-dev libimgui-dev), then build again: make view");
}

}  // namespace broadside::app
