#pragma once

#include <vector>

#include "base/bytes.hpp"
#include "broadside/base/export.h"
#include "broadside/world/world.hpp"

// Copies bodies from world to world, bit for bit: a copy moves as the original does. Exported for the library
// `broadside::distributed`.

namespace broadside::inline v0_2::detail {

/// Bodies, and the rounding errors of their positions (unit: length), which are part of their motion.
struct TransferredBodies {
  std::vector<BodyDef> defs;
  std::vector<Vec2> remainders;
};

/// Writes a body. @pre world.contains(body)
BROADSIDE_API void write_body(ByteWriter& out, const World& world, BodyId body);
/// Reads what `write_body` wrote, and appends it to `bodies`; `add_bodies` checks the values.
BROADSIDE_API void read_body(ByteReader& in, TransferredBodies& bodies);
/// Adds bodies, all or none; returns their ids.
BROADSIDE_API Result<std::vector<BodyId>> add_bodies(World& world, const TransferredBodies& bodies);

/// Returns the error that a step would have before it changes anything.
BROADSIDE_API Error check_step(World& world, float seconds);

}  // namespace broadside::inline v0_2::detail
