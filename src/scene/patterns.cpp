#include "patterns.hpp"

#include <algorithm>
#include <cmath>

#include "broadside/base/aabb.hpp"
#include "broadside/broad_phase/hash_grid.hpp"
#include "shape_reader.hpp"

namespace broadside::inline v0_2 {

namespace {

constexpr std::uint64_t max_layer = 63;

std::uint32_t tag_number(Scene& scene, const std::string& tag) {
  const auto place = std::find(scene.tags.begin(), scene.tags.end(), tag);
  if (place == scene.tags.end()) {
    scene.tags.push_back(tag);
    return static_cast<std::uint32_t>(scene.tags.size() - 1);
  }
  return static_cast<std::uint32_t>(place - scene.tags.begin());
}

std::uint64_t read_layers(JsonObject& object) {
  const Json& layers = object.at("collides_with");
  std::uint64_t bits = 0;
  if (!layers.is_array()) {
    object.fail("collides_with", "is " + described(layers) + "; expected a list of layers");
    return bits;
  }
  for (const Json& layer : layers) {
    if (!layer.is_number_unsigned() || layer.get<std::uint64_t>() > max_layer) {
      object.fail("collides_with", "holds " + described(layer) + "; expected layers from 0 to 63");
      return bits;
    }
    bits |= std::uint64_t{1} << layer.get<std::uint64_t>();
  }
  return bits;
}

bool is_color(const std::string& text) {
  return text.size() == 7 && text[0] == '#' &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

/// Sizes of the bodies of a pattern: one fixed size, or a random size for each body.
struct SizeDistribution {
  Vec2 fixed;
  bool drawn = false;
  bool exponential = false;
  double low = 0.0;
  double high = 0.0;

  [[nodiscard]] Vec2 draw(Random& random) const {
    if (!drawn) {
      return fixed;
    }
    double size = random.uniform(low, high);
    if (exponential) {
      // The radii of the circles tutorial: ceil(e^(8u) / 23.3) spans 1 to 128 with a median of 1 or 2.
      size = std::clamp(std::ceil(high * std::exp(8.0 * (random.uniform() - 1.0))), low, high);
    }
    return {static_cast<float>(size), static_cast<float>(size)};
  }
};

SizeDistribution read_size_law(JsonObject& object, const char* name) {
  SizeDistribution law;
  const Json& value = object.at(name);
  if (!value.is_object()) {
    law.fixed = object.size(name);
    return law;
  }
  JsonObject range(value, object.path_of(name), object.errors());
  range.allow_only({"min", "max", "law"});
  range.require("max");
  law.drawn = true;
  law.low = range.number("min", 0.0F, 0.0F);
  law.high = range.number("max", 1.0F, 0.0F);
  law.exponential = range.choice("law", "uniform", {"uniform", "exponential"}) == "exponential";
  if (law.low > law.high) {
    range.fail("min", "is greater than max");
  }
  return law;
}

/// The properties that the bodies of a pattern share.
struct Template {
  SceneBody body;
  std::string field;      ///< the field that defines the shape
  SizeDistribution size;  ///< of boxes and circles; other shapes have one size
  float speed = 0.0F;
};

Template read_template(JsonObject& object, Scene& scene, Pictures& pictures) {
  Template result{
      read_body_properties(object, scene), shape_field(object), {}, object.number("speed", 0.0F, 0.0F)};
  if (result.field == "size" || result.field == "radius") {
    result.size = read_size_law(object, result.field.c_str());
  } else {
    result.body.shape = read_shape(object, result.field, pictures);
  }
  return result;
}

void place(Scene& scene, SceneBody body, Vec2 position) {
  body.position = position;
  scene.bodies.push_back(std::move(body));
}

void finish_body(SceneBody& body, const Template& from, Random& random) {
  if (from.field == "size" || from.field == "radius") {
    body.shape = sized_shape(from.field, from.size.draw(random));
  }
  if (from.speed > 0.0F) {
    const double speed = from.speed;
    body.velocity.x = static_cast<float>(random.uniform(-speed, speed));
    body.velocity.y = static_cast<float>(random.uniform(-speed, speed));
  }
}

void read_scatter(JsonObject& object, Scene& scene, Random& random, const Template& from) {
  const bool overlap = object.boolean("overlap", true);
  const std::uint64_t count = object.require("count") ? object.whole("count", 0, 0, max_scene_bodies) : 0;
  if (!object.has("area") && !scene.bounds) {
    object.fail("area", "is missing, and the scene has no bounds to take in its place");
  }
  const Aabb area = object.has("area") ? object.box("area") : scene.bounds.value_or(Aabb{});
  if (object.errors().error() || !fits(object, "count", scene, count)) {
    return;
  }
  constexpr int max_tries = 1000;
  const auto taken = HashGrid::create();
  std::vector<BoxIndex> hits;
  for (std::uint64_t i = 0; i < count; ++i) {
    SceneBody body = from.body;
    int tries = 0;
    Aabb box;
    do {
      // A body that does not fit gets a new random size, too: small bodies fill the last gaps.
      finish_body(body, from, random);
      const Aabb reach = bounds(body.shape, {{}, Rotation::by(body.angle)});
      const auto coordinate = [&random](float low, float high, float reach_low, float reach_high) {
        const double half = 0.5 * (double{high} - low);
        return static_cast<float>(random.uniform(low + std::min(-double{reach_low}, half),
                                                 high - std::min(double{reach_high}, half)));
      };
      body.position = {coordinate(area.min.x, area.max.x, reach.min.x, reach.max.x),
                       coordinate(area.min.y, area.max.y, reach.min.y, reach.max.y)};
      box = bounds(body.shape, body.transform());
      if (!overlap && (*taken)->query_area(box, hits).error()) {
        object.fail("area", "is too far out for its bodies to have finite corners");
        return;
      }
    } while (!overlap && !hits.empty() && ++tries < max_tries);
    if (tries == max_tries) {
      object.fail("count", "is " + std::to_string(count) + ", but only " + std::to_string(i) +
                               " bodies fit into the area without overlap");
      return;
    }
    if (!overlap && !(*taken)->add(box).has_value()) {
      object.fail("area", "is too far out for its bodies to have finite corners");
      return;
    }
    if (!overlap) {
      (*taken)->update();
    }
    scene.bodies.push_back(std::move(body));
  }
}

void read_line(JsonObject& object, Scene& scene, Random& random, const Template& from) {
  object.require("from");
  object.require("to");
  const std::uint64_t count = object.require("count") ? object.whole("count", 0, 1, max_scene_bodies) : 0;
  const Vec2 begin = object.vec2("from", {});
  const Vec2 end = object.vec2("to", {});
  fits(object, "count", scene, count);
  for (std::uint64_t i = 0; i < count && !object.errors().error(); ++i) {
    SceneBody body = from.body;
    finish_body(body, from, random);
    const float t = count > 1 ? static_cast<float>(i) / static_cast<float>(count - 1) : 0.0F;
    place(scene, std::move(body), begin + t * (end - begin));
  }
}

void read_grid(JsonObject& object, Scene& scene, Random& random, const Template& from) {
  object.require("origin");
  object.require("spacing");
  const std::uint64_t columns = object.require("columns") ? object.whole("columns", 0, 1, 10'000) : 0;
  const std::uint64_t rows = object.require("rows") ? object.whole("rows", 0, 1, 10'000) : 0;
  const Vec2 origin = object.vec2("origin", {});
  const Vec2 spacing = object.vec2("spacing", {});
  fits(object, "rows", scene, columns * rows);
  for (std::uint64_t y = 0; y < rows && !object.errors().error(); ++y) {
    for (std::uint64_t x = 0; x < columns; ++x) {
      SceneBody body = from.body;
      finish_body(body, from, random);
      const Vec2 offset{static_cast<float>(x) * spacing.x, static_cast<float>(y) * spacing.y};
      place(scene, std::move(body), origin + offset);
    }
  }
}

/// Returns the number of bodies of ring k without its movers: `first` for k = 1, else floor(0.65 k first), as
/// in the demo of text R in docs/from-the-tutorials.md.
std::uint64_t ring_size(std::uint64_t k, std::uint64_t first) {
  return k == 1 ? first : first * k * 65 / 100;
}

// Each ring has movers that orbit on it.
void read_rings(JsonObject& object, Scene& scene, Random& random, const Template& from) {
  object.require("center");
  object.require("spacing");
  const Vec2 center = object.vec2("center", {});
  const std::uint64_t rings = object.whole("rings", 5, 1, 1000);
  const std::uint64_t first = object.whole("first", 15, 1, 1000);
  const std::uint64_t movers = object.whole("movers", 1, 0, 1000);
  const float spacing = object.number("spacing", 1.0F, 0.0F);
  const float turn = object.number("radians_per_second", 1.2F);
  const std::string mover_color = object.text("mover_color", from.body.color);
  if (!is_color(mover_color)) {
    object.fail("mover_color", "is not a color; expected one like \"#d33682\"");
  }
  std::uint64_t all = rings * movers;
  for (std::uint64_t k = 1; k <= rings; ++k) {
    all += ring_size(k, first);
  }
  fits(object, "rings", scene, all);
  for (std::uint64_t k = 1; k <= rings && !object.errors().error(); ++k) {
    const std::uint64_t count = ring_size(k, first);
    const double radius = static_cast<double>(k) * spacing;
    for (std::uint64_t i = 0; i < count + movers; ++i) {
      const bool moves = i >= count;
      // Movers start half a spacing off, evenly distributed over their ring.
      const double place_on_ring = moves ? (static_cast<double>(i - count) / static_cast<double>(movers) +
                                            0.5 / static_cast<double>(count))
                                         : static_cast<double>(i) / static_cast<double>(count);
      const double angle = 6.283185307179586 * place_on_ring;
      SceneBody body = from.body;
      finish_body(body, from, random);
      if (moves) {
        body.orbit = Orbit{center, turn};
        body.color = mover_color;
      }
      const Vec2 offset{static_cast<float>(radius * std::cos(angle)),
                        static_cast<float>(radius * std::sin(angle))};
      place(scene, std::move(body), center + offset);
    }
  }
}

}  // namespace

bool fits(JsonObject& object, const char* field, const Scene& scene, std::uint64_t more) {
  const std::uint64_t all = scene.bodies.size() + more;
  if (all > max_scene_bodies) {
    object.fail(field, "gives the scene " + std::to_string(all) + " bodies; at most " +
                           std::to_string(max_scene_bodies) + " are allowed");
  }
  return all <= max_scene_bodies;
}

SceneBody read_body_properties(JsonObject& object, Scene& scene) {
  SceneBody body;
  body.angle = object.number("angle", 0.0F);
  body.velocity = object.vec2("velocity", {});
  body.spin = object.number("spin", 0.0F);
  const std::string kind = object.choice("kind", "dynamic", {"static", "kinematic", "dynamic"});
  body.type = kind == "static"      ? BodyType::static_body
              : kind == "kinematic" ? BodyType::kinematic
                                    : BodyType::dynamic;
  body.mass = object.number("mass", 0.0F, 0.0F);
  body.tag = tag_number(scene, object.text("tag", "body"));
  body.layer = static_cast<std::uint32_t>(object.whole("layer", 0, 0, max_layer));
  if (object.has("collides_with")) {
    body.collides_with = read_layers(object);
  }
  body.color = object.text("color", "#4c78a8");
  if (!is_color(body.color)) {
    object.fail("color", "is " + described(Json(body.color)) + "; expected a color like \"#d33682\"");
  }
  return body;
}

void read_pattern(JsonObject& object, Scene& scene, Random& random, Pictures& pictures) {
  if (!object.require("pattern")) {
    return;
  }
  const std::string kind = object.choice("pattern", "", {"rings", "scatter", "line", "grid"});
  if (kind.empty()) {
    return;
  }
  static constexpr auto nature = {"pattern", "tag",   "kind",     "layer", "collides_with", "mass",
                                  "color",   "speed", "velocity", "angle", "spin"};
  std::vector<std::string_view> names(nature.begin(), nature.end());
  names.insert(names.end(), shape_fields.begin(), shape_fields.end());
  const auto with = [&names](std::initializer_list<std::string_view> more) {
    names.insert(names.end(), more);
    return names;
  };
  object.allow_only(kind == "rings" ? with({"center", "rings", "first", "spacing", "movers", "mover_color",
                                            "radians_per_second"})
                    : kind == "scatter" ? with({"count", "area", "overlap"})
                    : kind == "line"    ? with({"count", "from", "to"})
                                        : with({"origin", "spacing", "columns", "rows"}));
  const Template from = read_template(object, scene, pictures);
  if (object.errors().error()) {
    return;
  }
  const auto read = kind == "rings"     ? read_rings
                    : kind == "scatter" ? read_scatter
                    : kind == "line"    ? read_line
                                        : read_grid;
  read(object, scene, random, from);
}

}  // namespace broadside::inline v0_2
