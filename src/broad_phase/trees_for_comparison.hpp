#pragma once

#include <memory>

#include "broadside/broad_phase/technique.hpp"

namespace broadside::detail {

// Techniques that the literature names beside grids, each in a file of its own.

[[nodiscard]] std::unique_ptr<Technique> create_quadtree();
[[nodiscard]] std::unique_ptr<Technique> create_kd_tree();
[[nodiscard]] std::unique_ptr<Technique> create_dynamic_tree();

}  // namespace broadside::detail
