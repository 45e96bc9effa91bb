#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "broadside/base/export.h"
#include "broadside/world/world.hpp"

// Copies bodies from world to world, bit for bit: a copy moves as the original does. Exported for the library
// `broadside::distributed`.

namespace broadside::inline v0_2::detail {

/// Bodies, and the rest of their motion.
struct TransferredBodies {
  std::vector<BodyDef> defs;
  std::vector<Vec2> remainders;  ///< rounding errors of their positions (unit: length)
  std::vector<Vec2> starts;      ///< of the paths that the next `detect` sweeps (unit: length)
};

/// A contact of the last step of a bullet's shape. Of several normals that are valid at a corner, the next
/// step prefers this one.
struct BulletTouch {
  BodyId bullet;
  std::uint32_t shape;  ///< number among the shapes of the bullet
  BodyId other;
  std::uint32_t other_shape;
  Vec2 normal;  ///< from the bullet to the other body
};

/// Writes a body. @pre world.contains(body)
BROADSIDE_API void write_body(ByteWriter& out, const World& world, BodyId body);
/// Reads what `write_body` wrote, and appends it to `bodies`; `add_bodies` checks the values.
BROADSIDE_API void read_body(ByteReader& in, TransferredBodies& bodies);
/// Adds bodies, all or none; returns their ids.
BROADSIDE_API Result<std::vector<BodyId>> add_bodies(World& world, const TransferredBodies& bodies);

// Bullets. A world that has none sweeps nothing, but its bodies may be copied to a world that has.

/// Sets whether a world keeps the starts of paths although it has no bullets.
BROADSIDE_API void keep_starts(World& world, bool keep);
/// Returns the bullets of a world.
[[nodiscard]] BROADSIDE_API std::vector<BodyId> bullets(const World& world);
/// Returns the box around the path that the next `detect` sweeps, if starts are kept; otherwise the box of
/// the body. @pre world.contains(body)
[[nodiscard]] BROADSIDE_API Aabb path_bounds(const World& world, BodyId body);
/// Appends the contacts that the shapes of a body had in the last step. @pre world.contains(body)
BROADSIDE_API void append_touches(const World& world, BodyId body, std::vector<BulletTouch>& touches);
/// Gives contacts of the last step to the next `detect`, for bodies that other worlds held in that step.
BROADSIDE_API void set_touches(World& world, std::span<const BulletTouch> touches);

/// Returns the seconds of the last step, which `World::push` and the sweeps of bullets use.
[[nodiscard]] BROADSIDE_API float last_seconds(const World& world);
BROADSIDE_API void set_last_seconds(World& world, float seconds);

/// Returns the error that a step would have before it changes anything.
BROADSIDE_API Error check_step(World& world, float seconds);

}  // namespace broadside::inline v0_2::detail
