#include <cstdint>
#include <cstdlib>

#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/find_pairs.hpp"
#include "broadside/scene/scene.hpp"
#include "broadside/scene/simulation.hpp"

// Any text gives an error, or a scene that runs with valid boxes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto scene = broadside::parse_scene({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!scene.has_value() || scene->bodies.size() > 500) {
    return 0;
  }
  broadside::Simulation simulation(std::move(*scene));
  broadside::NarrowPhase narrow_phase;
  for (int step = 0; step < 4; ++step) {
    simulation.begin_step();
    const auto pairs = broadside::find_pairs(simulation.boxes(), {.sorted = true});
    if (!pairs.has_value()) {
      std::abort();
    }
    const auto contacts = narrow_phase.find_contacts(*pairs, simulation.shapes(), simulation.transforms());
    if (!contacts.has_value()) {
      std::abort();
    }
    simulation.respond(*contacts);
    simulation.end_step();
  }
  return 0;
}
