#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "boxes.hpp"

namespace broadside::test {

/// Boxes of a scene, grouped by kind: an array may alternate between the kinds.
using Kinds = std::vector<std::vector<Aabb>>;

/// A family of scenes whose cost is compared between orders of the array and between versions.
struct CostScene {
  const char* name;
  Kinds (*make)(std::size_t n, Random& random);
  double most_work = 12.0;            ///< maximum work per box and pair
  double most_of_shuffled = 1.6;      ///< maximum work in one order, relative to the same boxes shuffled
  double most_of_bound = 1.0;         ///< maximum tests and rows visited, relative to 4 (n + k) + n log2 n
  double most_work_of_frames = 25.0;  ///< the same as `most_work`, over frames
};

/// Returns 35 families: uniform, sensors, beams, clusters, outliers and more.
[[nodiscard]] std::span<const CostScene> cost_scenes();

/// Returns the box with its min corner at (x, y).
[[nodiscard]] constexpr Aabb box_at(float x, float y, float width, float height) {
  return {{x, y}, {x + width, y + height}};
}

[[nodiscard]] std::vector<Aabb> all_of(const Kinds& kinds);

struct Order {
  std::string name;
  std::vector<Aabb> boxes;
};

/// Returns the same boxes in several orders: as made, sorted, and with the kinds in turn.
[[nodiscard]] std::vector<Order> orders_of(const Kinds& kinds);

}  // namespace broadside::test
