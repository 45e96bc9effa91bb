#pragma once

#include <random>

#include "broadside/world/world.hpp"

namespace broadside::test {

/// Returns a random shape of any kind, about one unit large.
Shape some_shape(std::mt19937& random);

/// Returns a world that uses every feature: the same world in each call.
World make_world();

/// Makes a few changes to `world` that depend on `step` alone.
void disturb(World& world, unsigned step);

}  // namespace broadside::test
