#pragma once

#include <string>

#include "broadside/scene/random.hpp"
#include "broadside/scene/scene.hpp"
#include "json_reader.hpp"
#include "shape_reader.hpp"

namespace broadside {

/// Reads what a body or all bodies of a pattern are, but for shape and place: angle, motion, kind, tag,
/// layer, color.
SceneBody read_body_nature(JsonObject& object, Scene& scene);

/// Unfolds one pattern into bodies of the scene.
void read_pattern(JsonObject& object, Scene& scene, Random& random, Pictures& pictures);

/// The most bodies a scene may have: a bound on what a file's word can allocate.
inline constexpr std::uint64_t max_scene_bodies = 1'000'000;

}  // namespace broadside
