#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "broadside/scene/box_list.hpp"

namespace broadside::app {

/// Adds the option that moves boxes of a map close to (0, 0).
inline void add_origin(CLI::App& command, BoxList::Origin& origin) {
  command
      .add_option_function<std::vector<double>>(
          "--origin",
          [&origin](const std::vector<double>& xy) {
            origin = {xy[0], xy[1]};
          },
          "Subtract X Y from boxes .csv before their coordinates become floats, such as those of a map")
      ->type_name("X Y")
      ->expected(2);
}

}  // namespace broadside::app
