#pragma once

#include <cstddef>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "broadside/world/world.hpp"

namespace broadside::test {

/// Returns a random shape of any kind, about one unit large.
Shape some_shape(std::mt19937& random);

/// Returns a world that uses every feature: the same world in each call.
World make_world();

/// Makes a few changes to `world` that depend on `step` alone.
void disturb(World& world, unsigned step);

/// A world, and the numbers of its bodies: those of a list from which they were added.
struct NumberedWorld {
  World world;
  std::vector<BodyId> ids;                ///< by number
  std::map<BodyId, std::size_t> numbers;  ///< by id
};

/// Returns a world with these bodies, added in this order of their numbers.
NumberedWorld add_in_order(std::span<const BodyDef> bodies, std::span<const std::size_t> order,
                           const WorldOptions& options = {});

}  // namespace broadside::test
