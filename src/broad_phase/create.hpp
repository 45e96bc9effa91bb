#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "broadside/base/result.hpp"
#include "broadside/base/validate.hpp"
#include "broadside/broad_phase/broad_phase.hpp"
#include "broadside/broad_phase/technique.hpp"

namespace broadside::inline v0_2::detail {

/// Returns a broad phase that uses a technique, or what is wrong with the technique's options.
template <typename Phase>
Result<std::unique_ptr<Phase>> create_with(Result<std::unique_ptr<Technique>> technique) {
  if (!technique.has_value()) {
    return technique.error();
  }
  if constexpr (std::is_same_v<Phase, BroadPhase>) {
    return std::make_unique<BroadPhase>(std::move(*technique));
  } else {
    auto phase = std::make_unique<Phase>();
    phase->set_technique(std::move(*technique));
    return phase;
  }
}

/// Returns whether a number can be the side of a cell or the height of a row.
inline bool is_size(float number) {
  return is_finite(number) && number > 0.0F;
}

/// Refuses the cell size of a grid, which `grid` names, if it has no meaning.
inline Error check_cell_size(Vec2 size, const char* grid) {
  return is_size(size.x) && is_size(size.y)
             ? Error()
             : Error{ErrorCode::invalid_argument,
                     "cell size of the " + std::string(grid) + ": must be positive and finite"};
}

}  // namespace broadside::inline v0_2::detail
