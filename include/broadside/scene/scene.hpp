#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadside/base/aabb.hpp"
#include "broadside/base/body_type.hpp"
#include "broadside/base/result.hpp"
#include "broadside/base/vec2.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside {

/// Turns a body about a point, whatever else happens.
struct Orbit {
  Vec2 center;
  float radians_per_second = 0.0F;
};

/// A body as a scene file describes it, patterns already unfolded.
struct SceneBody {
  Vec2 position;  ///< where the shape's origin is; the centre of boxes, circles and pictures (unit: length)
  float angle = 0.0F;   ///< by which it is turned about its position (unit: radian)
  Shape shape = Box{};  ///< around its position
  Vec2 velocity;        ///< (unit: length per second)
  float spin = 0.0F;    ///< by which a body that is not static turns (unit: radian per second)
  BodyType type = BodyType::dynamic;
  float mass = 1.0F;        ///< of a dynamic body; its area where the file gives none
  std::uint32_t tag = 0;    ///< place in `Scene::tags`
  std::uint32_t layer = 0;  ///< 0 to 63
  std::uint64_t collides_with = std::numeric_limits<std::uint64_t>::max();  ///< a bit for each layer
  std::optional<Orbit> orbit;
  std::string color;  ///< "#rrggbb"

  [[nodiscard]] Transform transform() const { return {position, Rotation::by(angle)}; }
};

/// What two bodies with these tags do to each other when their shapes touch.
struct SceneRule {
  std::uint32_t a = 0;  ///< a tag
  std::uint32_t b = 0;  ///< a tag, may be the same
  bool bounce = false;  ///< elastic, along the normal of their contact
  float grow = 0.0F;  ///< added to width and height of a, a box or a circle, about its centre (unit: length)
  float min_size = 1.0F;  ///< growth never makes a smaller than this (unit: length)
  float max_size = std::numeric_limits<float>::max();  ///< nor larger than this (unit: length)
  bool respawn = false;                                ///< b goes to a random place within the bounds
};

/// A small world to run: bodies, where they may be, and what happens when they touch.
struct Scene {
  std::string name;
  std::string description;
  std::optional<Aabb> bounds;  ///< walls that dynamic bodies bounce off
  Vec2 gravity;                ///< (unit: length per second squared)
  float restitution = 1.0F;    ///< speed kept by a bounce (unit: none)
  float dt = 1.0F / 60.0F;     ///< (unit: second)
  std::uint32_t steps = 300;
  std::uint64_t seed = 1;
  std::vector<std::string> tags;
  std::vector<SceneBody> bodies;
  std::vector<SceneRule> rules;
};

/// Reads a scene from JSON as `scenes/scene.schema.json` describes it, and unfolds its patterns.
///
/// Errors: `parse`, naming line and column where it is not JSON, else the field, what is wrong and what would
/// be right; a pattern whose bodies do not fit without overlap is an error with the number that did.
/// @param name what the scene is called in messages, and where it gives none itself
/// @param directory where the pictures of masks are looked for; empty where none may be read
[[nodiscard]] Result<Scene> parse_scene(std::string_view json, const std::string& name,
                                        const std::string& directory = {});

/// Reads a scene file, and the pictures beside it that it names; "-" is the standard input.
[[nodiscard]] Result<Scene> read_scene(const std::string& path);

/// A scene that is part of the library.
struct BuiltInScene {
  std::string_view name;
  std::string_view json;
};

/// Returns the scenes that are built in.
[[nodiscard]] std::span<const BuiltInScene> built_in_scenes();

}  // namespace broadside
