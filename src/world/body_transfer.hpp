#pragma once

#include "base/bytes.hpp"
#include "broadside/base/export.h"
#include "broadside/world/world.hpp"

namespace broadside::inline v0_2 {

/// Copies bodies from world to world, bit for bit: a copy moves as the original does.
class BROADSIDE_API BodyTransfer {
 public:
  /// Bodies, and the rounding errors of their positions (unit: length), which are part of their motion.
  struct Bodies {
    std::vector<BodyDef> defs;
    std::vector<Vec2> remainders;
  };

  /// Writes a body. @pre world.contains(body)
  static void write(detail::ByteWriter& out, const World& world, BodyId body);
  /// Reads what `write` wrote, and appends it to `bodies`; `add` checks the values.
  static void read(detail::ByteReader& in, Bodies& bodies);
  /// Adds bodies, all or none; returns their ids.
  static Result<std::vector<BodyId>> add(World& world, const Bodies& bodies);

  /// Returns the error that a step would have before it changes anything.
  static Error check_step(World& world, float seconds);
};

}  // namespace broadside::inline v0_2
