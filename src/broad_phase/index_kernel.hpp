#pragma once

#include <span>

#include "broadside/base/pair.hpp"

namespace broadside::detail {

/// Returns whether the indices are consecutive, ascending.
/// @pre there is at least one
bool are_consecutive(std::span<const BoxIndex> indices);

}  // namespace broadside::detail
