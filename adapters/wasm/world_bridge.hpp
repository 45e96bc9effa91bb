#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bridge.hpp"
#include "broadside/world/world.hpp"

namespace broadside::wasm {

/// The changes of `world_change`, numbered as in body.ts.
enum class Change : std::uint8_t { move, teleport, shape, enabled, sensor, bullet, filter, tag, ignored };

/// Those of `world_change_vector`.
enum class VectorChange : std::uint8_t { position, motion, velocity, acceleration };

/// Reads a cell size, 0 for none, and bounds, if there are any.
TechniqueOptions read_technique_options(Reader& reader);

/// Returns the tag with a number that JavaScript got from `tag_number`; empty for 0.
std::string_view tag_of(std::uint32_t number);

/// Reads ids from indices and generations [n][2].
inline std::vector<BodyId> read_ids(const World& world, const std::uint32_t* ids, std::size_t n) {
  std::vector<BodyId> bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    bodies[i] = {ids[2 * i], ids[2 * i + 1], world.number()};
  }
  return bodies;
}

}  // namespace broadside::wasm
