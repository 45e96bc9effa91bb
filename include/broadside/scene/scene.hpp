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
#include "broadside/base/filter.hpp"
#include "broadside/base/result.hpp"
#include "broadside/base/vec2.hpp"
#include "broadside/body/shape.hpp"
#include "broadside/body/transform.hpp"

namespace broadside::inline v0_2 {

/// Rotates a body about a point, independent of contacts and velocity.
struct Orbit {
  Vec2 center;
  float radians_per_second = 0.0F;
};

/// A body of a scene file, after its patterns were expanded.
struct SceneBody {
  Vec2 position;        ///< of the shape's origin; the center of boxes, circles and pictures (unit: length)
  float angle = 0.0F;   ///< rotation about the position (unit: radian)
  Shape shape = Box{};  ///< relative to the position
  Vec2 velocity;        ///< (unit: length per second)
  float spin = 0.0F;    ///< of a body that is not static (unit: radian per second)
  BodyType type = BodyType::dynamic;
  float mass = 1.0F;        ///< of a dynamic body; its area if the file has none
  std::uint32_t tag = 0;    ///< index into `Scene::tags`
  std::uint32_t layer = 0;  ///< 0 to 63
  std::uint64_t collides_with = (std::numeric_limits<std::uint64_t>::max)();  ///< one bit for each layer
  std::optional<Orbit> orbit;
  std::string color;  ///< "#rrggbb"

  [[nodiscard]] Transform transform() const { return {position, Rotation::by(angle)}; }
  [[nodiscard]] Filter filter() const { return {.layer = std::uint64_t{1} << layer, .mask = collides_with}; }
};

/// The effect of two touching bodies with these tags on each other.
struct SceneRule {
  std::uint32_t a = 0;  ///< a tag
  std::uint32_t b = 0;  ///< a tag, may be equal to a
  bool bounce = false;  ///< elastic, along the normal of their contact
  float grow = 0.0F;  ///< added to width and height of a, a box or a circle, about its center (unit: length)
  float min_size = 1.0F;                                 ///< lower limit of growth (unit: length)
  float max_size = (std::numeric_limits<float>::max)();  ///< upper limit of growth (unit: length)
  bool respawn = false;  ///< moves b to a random place within the bounds, if it fits into them
};

/// A small world to simulate: bodies, bounds, and rules for bodies that touch.
struct Scene {
  std::string name;
  std::string description;
  std::optional<Aabb> bounds;  ///< walls that dynamic bodies bounce off
  Vec2 gravity;                ///< (unit: length per second squared)
  float restitution = 1.0F;    ///< speed kept by a bounce, as a factor (unit: none)
  float dt = 1.0F / 60.0F;     ///< (unit: second)
  std::uint32_t steps = 300;
  std::uint64_t seed = 1;
  std::vector<std::string> tags;
  std::vector<SceneBody> bodies;
  std::vector<SceneRule> rules;
};

/// Reads a scene from JSON as described by `scenes/scene.schema.json`, and expands its patterns.
///
/// @param name name of the scene in error messages, and of a scene without a name
/// @param directory directory of the pictures of masks; empty if no picture may be read
/// @par Errors
/// `parse`, with line and column if the text is not JSON, otherwise with the field, the mistake and the
/// expected value. A pattern whose bodies do not fit without overlap is an error with the number that did
/// fit.
[[nodiscard]] Result<Scene> parse_scene(std::string_view json, const std::string& name,
                                        const std::string& directory = {});

/// Reads a scene file and the pictures in its directory that it names; "-" is the standard input.
[[nodiscard]] Result<Scene> read_scene(const std::string& path);

/// A scene that is part of the library.
struct BuiltInScene {
  std::string_view name;
  std::string_view json;
};

/// Returns the built-in scenes.
[[nodiscard]] std::span<const BuiltInScene> built_in_scenes();
/// Returns the built-in scene with a name, or null if there is none.
[[nodiscard]] const BuiltInScene* find_built_in_scene(std::string_view name);

}  // namespace broadside::inline v0_2
