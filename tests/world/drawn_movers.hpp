#pragma once

#include <vector>

#include "boxes.hpp"
#include "broadside/world/world.hpp"
#include "world/sweep_reference.hpp"

namespace broadside::test {

// Random bodies of all shapes and sizes with random motions, for tests of bullets.

/// Tolerance, as a share of the smaller size: within it both answers are correct.
inline constexpr Real rim = 1e-4L;

/// Returns the number of cases to draw: `BROADSIDE_BULLET_CASES`, or 100,000 by default.
[[nodiscard]] std::size_t cases_to_draw();

[[nodiscard]] Vec2 drawn_direction(Random& random);
[[nodiscard]] Rotation drawn_rotation(Random& random);
/// Returns a random number whose logarithm is uniform.
[[nodiscard]] float drawn_scale(float low, float high, Random& random);
/// Returns a shape of any kind that reaches about half of `size` from its position.
[[nodiscard]] Shape drawn_shape(float size, Random& random);
/// Returns 0, or up to 1,000 sizes.
[[nodiscard]] float drawn_length(float size, Random& random);

enum class Drive { rests, move, push, velocity, teleport };

/// A body with a motion over one step.
struct Mover {
  BodyDef body;
  Drive drive = Drive::rests;
  Vec2 motion;
  Rotation end_rotation;
  float size = 1.0F;
};

/// Draws how a body is moved; a static body gets no velocity.
void draw_drive(Mover& mover, Random& random);

/// The positions of a body at the start and at the end of the step.
struct Path {
  RealVec from;
  RealVec to;
};

/// Adds the bodies to a world and moves them; the next `detect` finds their contacts.
[[nodiscard]] std::vector<Path> set_going(World& world, const std::vector<Mover>& movers,
                                          std::vector<BodyId>& ids);

}  // namespace broadside::test
