#pragma once

#include <cstdint>

#include "broadside/scene/random.hpp"
#include "broadside/scene/scene.hpp"
#include "json_reader.hpp"
#include "shape_reader.hpp"

namespace broadside::inline v0_2 {

/// Maximum number of bodies of a scene: a limit on the memory that a file can allocate.
inline constexpr std::uint64_t max_scene_bodies = 1'000'000;

/// Returns whether the scene may have `more` bodies; if not, reports an error at `field`.
bool fits(JsonObject& object, const char* field, const Scene& scene, std::uint64_t more);

/// Reads all fields of a body that a pattern shares, except the shape: angle, velocity, spin, kind, mass,
/// tag, layer, collides_with, color.
SceneBody read_body_properties(JsonObject& object, Scene& scene);

/// Expands one pattern into bodies of the scene.
void read_pattern(JsonObject& object, Scene& scene, Random& random, Pictures& pictures);

}  // namespace broadside::inline v0_2
