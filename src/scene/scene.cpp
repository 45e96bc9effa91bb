#include "broadside/scene/scene.hpp"

#include <algorithm>
#include <limits>
#include <variant>

#include "broadside/scene/file.hpp"
#include "foreign_format.hpp"
#include "json_reader.hpp"
#include "patterns.hpp"
#include "shape_reader.hpp"

namespace broadside::inline v0_2 {

namespace {

constexpr std::uint64_t max_file_bytes = std::uint64_t{256} << 20U;

std::string element(const char* list, std::size_t i) {
  return std::string(list) + "[" + std::to_string(i) + "]";
}

/// Calls `read(value, path)` for each element of a list that may be absent.
template <typename Read>
void for_each_element(JsonObject& object, const char* name, Read read) {
  if (!object.has(name)) {
    return;
  }
  const Json& list = object.at(name);
  if (!list.is_array()) {
    object.fail(name, "is " + described(list) + "; expected a list");
    return;
  }
  for (std::size_t i = 0; i < list.size() && !object.errors().error(); ++i) {
    read(list[i], element(name, i));
  }
}

void read_body(JsonObject& object, Scene& scene, Pictures& pictures) {
  object.allow_only({"position", "angle", "size", "radius", "capsule", "segment", "polygon", "mask",
                     "velocity", "spin", "kind", "tag", "layer", "collides_with", "mass", "color", "orbit"});
  object.require("position");
  SceneBody body = read_body_properties(object, scene);
  body.position = object.vec2("position", {});
  body.shape = read_shape(object, shape_field(object), pictures);
  if (object.has("orbit")) {
    JsonObject orbit(object.at("orbit"), object.path_of("orbit"), object.errors());
    orbit.allow_only({"center", "radians_per_second"});
    orbit.require("center");
    orbit.require("radians_per_second");
    body.orbit = Orbit{orbit.vec2("center", {}), orbit.number("radians_per_second", 0.0F)};
  }
  scene.bodies.push_back(std::move(body));
}

/// Returns the index of a tag that some body has.
std::uint32_t known_tag(JsonObject& rule, const Scene& scene, const Json& value, const std::string& path) {
  if (value.is_string()) {
    for (std::size_t i = 0; i < scene.tags.size(); ++i) {
      if (scene.tags[i] == value.get<std::string>()) {
        return static_cast<std::uint32_t>(i);
      }
    }
  }
  rule.errors().report(path, "is " + described(value) + "; expected the tag of some body");
  return 0;
}

/// Returns whether all bodies with a tag are boxes or circles: only these have a size that can grow.
bool can_grow(const Scene& scene, std::uint32_t tag) {
  return std::none_of(scene.bodies.begin(), scene.bodies.end(), [tag](const SceneBody& body) {
    return body.tag == tag && !std::holds_alternative<Box>(body.shape) &&
           !std::holds_alternative<Circle>(body.shape);
  });
}

void read_rule(JsonObject& object, Scene& scene) {
  object.allow_only({"between", "response", "grow", "min_size", "max_size", "respawn"});
  if (!object.require("between")) {
    return;
  }
  const Json& between = object.at("between");
  const std::string path = object.path_of("between");
  if (!between.is_array() || between.size() != 2) {
    object.fail("between", "is " + described(between) + "; expected two tags");
    return;
  }
  SceneRule rule;
  rule.a = known_tag(object, scene, between[0], path + "[0]");
  rule.b = known_tag(object, scene, between[1], path + "[1]");
  rule.bounce = object.choice("response", "none", {"none", "bounce"}) == "bounce";
  rule.grow = object.number("grow", 0.0F);
  if (rule.grow != 0.0F && !can_grow(scene, rule.a)) {
    object.fail("grow",
                "is for boxes and circles; some body with the tag " + described(between[0]) + " is neither");
  }
  rule.min_size = object.number("min_size", rule.min_size, 0.0F);
  rule.max_size = object.number("max_size", rule.max_size, rule.min_size);
  rule.respawn = object.boolean("respawn", false);
  if (rule.respawn && !scene.bounds) {
    object.fail("respawn", "needs a scene with bounds");
  }
  scene.rules.push_back(rule);
}

void read_world(JsonObject& root, Scene& scene, const std::string& name) {
  scene.name = root.text("name", name);
  scene.description = root.text("description", "");
  if (root.has("bounds")) {
    scene.bounds = root.box("bounds");
  }
  scene.gravity = root.vec2("gravity", {});
  scene.restitution = root.number("restitution", scene.restitution, 0.0F, 1.0F);
  scene.dt = root.number("dt", scene.dt, 1e-9F, 1e9F);
  scene.steps = static_cast<std::uint32_t>(root.whole("steps", scene.steps, 1, 1'000'000));
  scene.seed = root.whole("seed", scene.seed, 0, std::numeric_limits<std::uint64_t>::max());
}

/// Returns whether a box is finite and was not clamped to the largest float.
bool is_within_floats(const Aabb& box) {
  constexpr float max_float = std::numeric_limits<float>::max();
  return is_valid(box) && box.min.x > -max_float && box.min.y > -max_float && box.max.x < max_float &&
         box.max.y < max_float;
}

/// Sets the mass of bodies without one to their area, and checks that all boxes are finite.
void finish_bodies(Scene& scene, JsonErrors& errors) {
  for (SceneBody& body : scene.bodies) {
    if (errors.error()) {
      return;
    }
    if (body.mass <= 0.0F) {
      const float covered = area(body.shape);
      const bool usable = covered > 0.0F && covered < std::numeric_limits<float>::max();
      body.mass = usable ? covered : 1.0F;
    }
    if (!is_within_floats(bounds(body.shape, body.transform()))) {
      errors.report("bodies", "one at " + Json({body.position.x, body.position.y}).dump() +
                                  " reaches beyond what a float can hold");
    }
  }
}

}  // namespace

Result<Scene> parse_scene(std::string_view json, const std::string& name, const std::string& directory) {
  Json document;
  try {
    document = Json::parse(json);
  } catch (const Json::exception& exception) {
    // The message of the library contains line and column; its prefix in brackets is internal.
    std::string message = exception.what();
    if (const std::size_t end = message.find("] "); end != std::string::npos) {
      message.erase(0, end + 2);
    }
    return Error{ErrorCode::parse, name + ": is not JSON: " + message};
  }
  JsonErrors errors(name);
  Scene scene;
  JsonObject root(document, "", errors);
  root.allow_only({"$schema", "name", "description", "bounds", "gravity", "restitution", "dt", "steps",
                   "seed", "bodies", "patterns", "rules"});
  read_world(root, scene, name);
  Random random(scene.seed);
  Pictures pictures(directory);
  if (root.has("bodies")) {
    fits(root, "bodies", scene, root.at("bodies").size());
  }
  for_each_element(root, "bodies", [&](const Json& value, const std::string& path) {
    JsonObject body(value, path, errors);
    read_body(body, scene, pictures);
  });
  for_each_element(root, "patterns", [&](const Json& value, const std::string& path) {
    JsonObject pattern(value, path, errors);
    read_pattern(pattern, scene, random, pictures);
  });
  for_each_element(root, "rules", [&](const Json& value, const std::string& path) {
    JsonObject rule(value, path, errors);
    read_rule(rule, scene);
  });
  finish_bodies(scene, errors);
  if (errors.error()) {
    const Error foreign = explain_other_program(json, name);
    return foreign ? foreign : errors.error();
  }
  return scene;
}

Result<Scene> read_scene(const std::string& path) {
  const auto text = read_file(path, max_file_bytes);
  if (!text.has_value()) {
    return text.error();
  }
  return parse_scene(*text, path, directory_of(path));
}

const BuiltInScene* find_built_in_scene(std::string_view name) {
  const auto scenes = built_in_scenes();
  const auto found = std::find_if(scenes.begin(), scenes.end(),
                                  [name](const BuiltInScene& scene) { return scene.name == name; });
  return found != scenes.end() ? &*found : nullptr;
}

}  // namespace broadside::inline v0_2
