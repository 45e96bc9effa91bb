#pragma once

#include <string>

#include "boxes.hpp"
#include "random_shapes.hpp"
#include "simulator/change.hpp"
#include "simulator/setting.hpp"

namespace broadside::test::simulator {

[[nodiscard]] bool one_in(std::uint32_t n, Random& random);

/// Draws random arguments of operations in units of the scene, transformed by its scale and origin. Some are
/// invalid: the library must refuse them.
class Draw {
 public:
  explicit Draw(const Setting& setting) : setting_(setting) {}

  [[nodiscard]] Shape shape(Random& random) const;
  [[nodiscard]] Transform place(Random& random) const;
  /// Returns a short displacement (unit: length).
  [[nodiscard]] Vec2 way(Random& random) const;
  /// Returns a displacement across much of the scene, always finite (unit: length).
  [[nodiscard]] Vec2 long_way(Random& random) const;
  [[nodiscard]] Filter filter(Random& random) const;
  [[nodiscard]] std::string tag(Random& random) const;
  [[nodiscard]] NewBody body(Random& random) const;
  [[nodiscard]] ListenerKind listener(Random& random) const;
  /// @param foreign an id of another world
  [[nodiscard]] Change change(Change::Kind kind, Random& random, BodyId a, BodyId b, BodyId foreign) const;
  /// Returns the duration of a step (unit: second).
  [[nodiscard]] float seconds(Random& random) const;
  /// Returns a valid shape with its transform.
  [[nodiscard]] Standing standing(Random& random) const;
  [[nodiscard]] Vec2 to_world(Vec2 v) const { return setting_.origin + setting_.scale * v; }

 private:
  [[nodiscard]] Family family(Random& random) const;

  Setting setting_;
};

}  // namespace broadside::test::simulator
