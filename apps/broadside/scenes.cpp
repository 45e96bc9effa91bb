#include <fmt/core.h>

#include "broadside/scene/scene.hpp"
#include "broadside/scene/workload.hpp"
#include "commands.hpp"

namespace broadside::app {

int scenes() {
  fmt::print("Scenes, for `broadside run NAME`:\n");
  for (const BuiltInScene& built_in : built_in_scenes()) {
    const auto scene = parse_scene(built_in.json, std::string(built_in.name));
    if (!scene.has_value()) {
      return fail(bad_data, scene.error());
    }
    fmt::print("  {:<12} {} bodies, {} steps. {}\n", built_in.name, scene->bodies.size(), scene->steps,
               scene->description);
  }
  fmt::print("\nWorkloads, for `broadside generate NAME`:\n");
  for (const WorkloadKind& kind : workload_kinds()) {
    fmt::print("  {:<12} {}\n", kind.name, kind.summary);
  }
  return ok;
}

}  // namespace broadside::app
