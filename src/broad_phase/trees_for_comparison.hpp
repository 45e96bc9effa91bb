#pragma once

#include <memory>

#include "broadside/broad_phase/technique.hpp"

namespace broadside::inline v0_2::detail {

// Techniques that the literature names beside grids, each in a file of its own.

struct Quadtree {
  [[nodiscard]] static std::unique_ptr<Technique> technique();
};

struct KdTree {
  [[nodiscard]] static std::unique_ptr<Technique> technique();
};

struct DynamicTree {
  [[nodiscard]] static std::unique_ptr<Technique> technique();
};

}  // namespace broadside::inline v0_2::detail
