#pragma once

#include <span>
#include <utility>

#include "broadside/base/aabb.hpp"
#include "broadside/broad_phase/cell_size.hpp"
#include "broadside/broad_phase/techniques.hpp"

namespace broadside {

/// Returns options in which a cell size without bounds has the bounds of the boxes, as a uniform grid needs
/// both.
[[nodiscard]] inline TechniqueOptions with_bounds(TechniqueOptions options, std::span<const Aabb> boxes) {
  if (options.cell_size && !options.bounds) {
    options.bounds = bounding_box(boxes).value();
  }
  return options;
}

}  // namespace broadside
