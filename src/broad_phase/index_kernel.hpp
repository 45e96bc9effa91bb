#pragma once

#include <span>

#include "broadside/base/pair.hpp"

namespace broadside::detail {

/// Returns whether each index is the one before it plus 1. Then the boxes that they name are one range of an
/// array, which can be checked and copied at once.
/// @pre there is at least one index
bool are_consecutive(std::span<const BoxIndex> indices);

}  // namespace broadside::detail
