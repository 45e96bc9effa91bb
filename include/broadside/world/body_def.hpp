#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "broadside/base/body_type.hpp"
#include "broadside/base/filter.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::inline v0_2 {

/// Describes a body to add to a `World`. It holds no references, so it may be kept and used again. Every
/// field has a default:
///
///     world.add({.shape = Circle{.radius = 16}, .position = {100, 50}, .tag = "player"}).value();
struct BodyDef {
  Shape shape = Circle{};               ///< (local to the body)
  std::vector<Shape> more_shapes = {};  ///< further shapes, in the same space
  BodyType type = BodyType::dynamic;
  Vec2 position = {};      ///< (world; unit: length)
  Rotation rotation = {};  ///< about the position
  Vec2 velocity = {};      ///< (unit: length per second)
  Vec2 acceleration = {};  ///< the body's own, added to gravity (unit: length per second squared)
  std::string tag = {};    ///< name by which listeners select bodies
  Filter filter = {};      ///< the world ignores `tags` and `report_tags`, and sets them itself
  bool sensor = false;     ///< its contacts are reported, but nothing bounces off it
  bool bullet = false;     ///< swept along its motion, so it does not tunnel through other bodies
  bool enabled = true;     ///< a disabled body touches nothing, and no query finds it
  /// Above 0 (unit: mass). By default the area of its shapes, or 1 if that is 0.
  std::optional<float> mass = {};
  std::uint64_t user_data = 0;  ///< for the caller; the world does not use it
};

}  // namespace broadside::inline v0_2
