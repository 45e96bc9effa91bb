#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "boxes.hpp"
#include "broadside/query/shape_set.hpp"
#include "random_shapes.hpp"
#include "variants.hpp"

namespace broadside::test {

/// Shapes in a broad phase, and random queries that are likely to be close calls.
class ShapeScene {
 public:
  /// @param kind one of `shape_scenes()`
  ShapeScene(const Variant& variant, std::string_view kind, std::size_t count, std::uint64_t seed);

  [[nodiscard]] ShapeSet set() const { return {*phase_, shapes_, transforms_}; }
  [[nodiscard]] const BroadPhase& phase() const { return *phase_; }
  /// Returns the indices of all shapes, ascending.
  [[nodiscard]] const std::vector<BoxIndex>& indices() const { return indices_; }
  [[nodiscard]] const Shape& shape(BoxIndex index) const { return shapes_[index]; }
  [[nodiscard]] const Transform& at(BoxIndex index) const { return transforms_[index]; }

  /// Moves, removes and adds some shapes, then runs `frames` frames; with 0 frames the broad phase is stale.
  void change(std::size_t frames);

  /// Returns a point in, at or around one of the shapes.
  Vec2 point();
  /// Returns a displacement of a random length.
  Vec2 way(Vec2 from);
  Aabb area();
  /// Returns a shape that is not in the scene.
  Standing stranger();

 private:
  void make_shapes(std::string_view kind, std::size_t count);
  [[nodiscard]] Aabb loose_bounds(BoxIndex index);
  Standing standing(std::string_view kind);

  Random random_;
  std::string_view kind_;
  std::unique_ptr<BroadPhase> phase_;
  std::vector<Shape> shapes_;
  std::vector<Transform> transforms_;
  std::vector<BoxIndex> indices_;
};

/// Returns the share of its displacement at which a moving box is within rounding of another; above 1 if
/// never.
///
/// A motion that misses a box misses its shape, but rounding may report a hit, or an earlier one, if the
/// shape is larger than the displacement by many orders of magnitude.
long double entry(const Aabb& start, Vec2 way, const Aabb& box);

/// Returns the distance of a point from a box.
long double distance_from(const Aabb& box, Vec2 point);

/// Returns the kinds of scenes: families of shapes, mixtures, and boxes as in boxes.hpp.
std::vector<std::string> shape_scenes();

}  // namespace broadside::test
