#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "broadside/base/pair.hpp"
#include "broadside/scene/trace.hpp"

namespace broadside::bench {

/// A library that finds pairs. Shapes are numbered as in the trace, the static ones first.
class Contender {
 public:
  Contender() = default;
  virtual ~Contender() = default;
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  /// Returns the version of the library; empty for code of this repository.
  [[nodiscard]] virtual std::string version() const { return {}; }
  [[nodiscard]] virtual bool ours() const { return false; }
  [[nodiscard]] virtual bool is_default() const { return false; }
  /// Returns whether the size of the scene is feasible for this contender.
  [[nodiscard]] virtual bool takes(const Trace& /*trace*/) const { return true; }

  /// Loads the scene at its start; not timed.
  virtual void load(const Trace& trace) = 0;
  /// Takes the boxes of the moving shapes and finds all exact pairs with a moving side; timed.
  virtual std::span<const Pair> step(std::span<const Aabb> moving) = 0;
  /// Returns the memory in use without the pairs (unit: byte); 0 if unknown.
  [[nodiscard]] virtual std::size_t bytes() const { return 0; }
};

/// Returns whether trees and hashes that take their boxes one by one can load a scene: many long boxes side
/// by side overlap all others with their margins, which takes minutes.
[[nodiscard]] inline bool suits_one_by_one(const Trace& trace) {
  constexpr std::size_t many = 200'000;
  constexpr double long_box = 1000.0;
  double longer = 0.0;
  double shorter = 0.0;
  for (const Aabb& box : trace.frame(0)) {
    const auto [low, high] = std::minmax({box.max.x - box.min.x, box.max.y - box.min.y});
    longer += double{high};
    shorter += double{low};
  }
  return trace.shape_count() <= many && longer <= long_box * shorter;
}

using Contenders = std::vector<std::unique_ptr<Contender>>;

[[nodiscard]] Contenders make_ours();
[[nodiscard]] std::unique_ptr<Contender> make_boost_rtree();
[[nodiscard]] std::unique_ptr<Contender> make_box_pruning();
[[nodiscard]] std::unique_ptr<Contender> make_box2d_tree();
[[nodiscard]] std::unique_ptr<Contender> make_box2d_v3();  // defined if CMake found Box2D v3
[[nodiscard]] std::unique_ptr<Contender> make_bullet_dbvt();
[[nodiscard]] std::unique_ptr<Contender> make_cgal_boxes();
[[nodiscard]] std::unique_ptr<Contender> make_chipmunk_tree();
[[nodiscard]] std::unique_ptr<Contender> make_chipmunk_hash();
[[nodiscard]] std::unique_ptr<Contender> make_hierarchical_hash_grid();

/// Measures a lower bound on the time of methods that sort: read all boxes once, write all pairs once, and
/// sort the moving boxes by a radix sort of 32-bit keys with 32-bit values (unit: millisecond).
[[nodiscard]] double limit_ms(std::size_t boxes, std::size_t pairs);

}  // namespace broadside::bench
