#pragma once

#include <random>

#include "broadside/world/world.hpp"

namespace broadside::test {

/// Returns a shape of any kind, about a unit large.
Shape some_shape(std::mt19937& random);

/// Returns a world in which something of everything happens: the same one in each call.
World make_world();

/// Changes it a little, by numbers that depend on the step alone.
void disturb(World& world, unsigned step);

}  // namespace broadside::test
