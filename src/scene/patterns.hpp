#pragma once

#include <string>

#include "broadside/scene/random.hpp"
#include "broadside/scene/scene.hpp"
#include "json_reader.hpp"
#include "shape_reader.hpp"

namespace broadside {

/// Reads the fields of a body or of all bodies of a pattern except shape and position: angle, motion, kind,
/// tag, layer, color.
SceneBody read_body_properties(JsonObject& object, Scene& scene);

/// Expands one pattern into bodies of the scene.
void read_pattern(JsonObject& object, Scene& scene, Random& random, Pictures& pictures);

/// Maximum number of bodies of a scene: a limit on the memory that a file can allocate.
inline constexpr std::uint64_t max_scene_bodies = 1'000'000;

}  // namespace broadside
