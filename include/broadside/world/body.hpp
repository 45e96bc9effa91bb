#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "broadside/base/body_type.hpp"
#include "broadside/base/filter.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside {

/// What a body is to be when it is added to a `World`. It refers to nothing outside itself, so it may be kept
/// and used again. Every field has a default:
///
///     world.add({.shape = Circle{.radius = 16}, .position = {100, 50}, .tag = "player"});
struct Body {
  Shape shape = Circle{};               ///< in the body's own frame
  std::vector<Shape> more_shapes = {};  ///< those beyond the first, in the same frame
  BodyType type = BodyType::dynamic;
  Vec2 position = {};      ///< (world; unit: length)
  Rotation rotation = {};  ///< about the position
  Vec2 velocity = {};      ///< (unit: length per second)
  Vec2 acceleration = {};  ///< the body's own, added to gravity (unit: length per second squared)
  std::string tag = {};    ///< the name by which listeners choose bodies
  Filter filter = {};      ///< `tags` and `hears` are the world's own: what is set there is not looked at
  bool sensor = false;     ///< its contacts are reported, but nothing bounces off it
  bool bullet = false;     ///< it is swept along its way, so it cannot jump through anything
  bool enabled = true;     ///< a body that is not touches nothing, and no query finds it
  /// Above 0 (unit: mass). By default the area of its shapes, or 1 if that is 0.
  std::optional<float> mass = {};
  std::uint64_t user_data = 0;  ///< the caller's own
};

}  // namespace broadside
