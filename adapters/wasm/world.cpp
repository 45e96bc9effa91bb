#include "broadside/world/world.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "bridge.hpp"
#include "world_bridge.hpp"

namespace broadside::wasm {

namespace {

/// The tags by their numbers in JavaScript; number 0 is the empty tag.
std::vector<std::string>& tags() {
  static std::vector<std::string> names{""};
  return names;
}

std::array<float, 4> four_floats;

}  // namespace

std::string_view tag_of(std::uint32_t number) {
  return number < tags().size() ? std::string_view(tags()[number]) : std::string_view();
}

TechniqueOptions read_technique_options(Reader& reader) {
  TechniqueOptions options;
  if (const Vec2 cell_size = reader.vec2(); cell_size != Vec2{}) {
    options.cell_size = cell_size;
  }
  if (const float row_height = reader.real(); row_height != 0.0F) {
    options.row_height = row_height;
  }
  options.neighbor_lists = reader.flag();
  if (!reader.rest().empty()) {
    const Vec2 min = reader.vec2();
    options.bounds = Aabb{min, reader.vec2()};
  }
  return options;
}

Result<BodyDef> read_body(Reader& reader) {
  BodyDef body;
  body.type = static_cast<BodyType>(std::min(reader.count(), std::uint32_t{255}));  // no wrap-around
  body.position = reader.vec2();
  body.rotation = reader.rotation();
  body.velocity = reader.vec2();
  body.acceleration = reader.vec2();
  body.tag = tag_of(reader.count());
  body.filter = reader.filter();
  body.sensor = reader.flag();
  body.bullet = reader.flag();
  body.enabled = reader.flag();
  if (const auto mass = reader.option()) {
    body.mass = to_float(*mass);
  }
  const std::uint32_t shapes = reader.count();
  for (std::uint32_t i = 0; i < shapes; ++i) {
    auto shape = reader.shape();
    if (!shape.has_value()) {
      return shape.error();
    }
    if (i == 0) {
      body.shape = *std::move(shape);
    } else {
      body.more_shapes.push_back(*std::move(shape));
    }
  }
  return body;
}

}  // namespace broadside::wasm

using namespace broadside;
using namespace broadside::wasm;

/// Returns the number of a tag, a new one for a new tag. The name is UTF-8 [size].
BROADSIDE_EXPORT(std::uint32_t, tag_number)(const char* name, std::size_t size) {
  const std::string_view tag(name, size);
  for (std::uint32_t i = 0; i < tags().size(); ++i) {
    if (tags()[i] == tag) {
      return i;
    }
  }
  tags().emplace_back(tag);
  return static_cast<std::uint32_t>(tags().size() - 1);
}

/// Makes a world. Input: whether only pairs with listeners count, whether bodies bounce, gravity, and as
/// options the order (0 detect first, 1 motion first), the restitution and the end margin. Returns null on
/// error; output is its code.
BROADSIDE_EXPORT(World*, world_make)() {
  Reader reader;
  WorldOptions options;
  options.interest = reader.flag() ? Interest::listeners : Interest::all;
  options.response = reader.flag() ? Response::bounce : Response::none;
  options.gravity = reader.vec2();
  if (const auto order = reader.option()) {
    options.order = *order == 0.0 ? StepOrder::detect_first : StepOrder::motion_first;
  }
  if (const auto restitution = reader.option()) {
    options.restitution = to_float(*restitution);
  }
  if (const auto end_margin = reader.option()) {
    options.end_margin = to_float(*end_margin);
  }
  auto world = World::create(options);
  if (world.error()) {
    Writer().number(report(world));
    return nullptr;
  }
  return new World(*std::move(world));
}

BROADSIDE_EXPORT(void, world_free)(World* world) {
  delete world;
}

BROADSIDE_EXPORT(std::uint32_t, world_number)(const World* world) {
  return world->number();
}

BROADSIDE_EXPORT(std::size_t, world_size)(const World* world) {
  return world->size();
}

/// Adds the `n` bodies in input; output is their ids.
BROADSIDE_EXPORT(int, world_add)(World* world, std::size_t n) {
  Reader reader;
  std::vector<BodyDef> bodies;
  bodies.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    auto body = read_body(reader);
    if (!body.has_value()) {
      return report(body);
    }
    bodies.push_back(*std::move(body));
  }
  return answer(world->add(bodies), [](Writer& writer, const std::vector<BodyId>& added) {
    for (const BodyId id : added) {
      writer.body(id);
    }
  });
}

/// Adds circles [n] with positions [n][2], radii [n] and velocities [n][2] (null for none). All other
/// properties are those of the body in input. Writes indices and generations to `ids` [n][2].
BROADSIDE_EXPORT(int, world_add_circles)
(World* world, const Vec2* positions, const float* radii, const Vec2* velocities, std::size_t n,
 std::uint32_t* ids) {
  Reader reader;
  auto like = read_body(reader);
  if (!like.has_value()) {
    return report(like);
  }
  std::vector<BodyDef> bodies(n, *like);
  for (std::size_t i = 0; i < n; ++i) {
    bodies[i].shape = Circle{.radius = radii[i]};
    bodies[i].position = positions[i];
    if (velocities != nullptr) {
      bodies[i].velocity = velocities[i];
    }
  }
  const auto added = world->add(bodies);
  if (!added.has_value()) {
    return report(added);
  }
  for (std::size_t i = 0; i < n; ++i) {
    ids[2 * i] = (*added)[i].index;
    ids[2 * i + 1] = (*added)[i].generation;
  }
  return 0;
}

/// Removes bodies [n], given as indices and generations [n][2].
BROADSIDE_EXPORT(int, world_remove)(World* world, const std::uint32_t* ids, std::size_t n) {
  return report(world->remove(read_ids(*world, ids, n)));
}

BROADSIDE_EXPORT(bool, world_contains)
(const World* world, std::uint32_t index, std::uint32_t generation, std::uint32_t number) {
  return world->contains({index, generation, number});
}

BROADSIDE_EXPORT(void, world_bodies)(const World* world) {
  Writer writer;
  for (const BodyId id : world->bodies()) {
    writer.body(id);
  }
}

/// Writes the positions of bodies [n] to `positions` [n][2].
BROADSIDE_EXPORT(int, world_positions)
(const World* world, const std::uint32_t* ids, std::size_t n, Vec2* positions) {
  return report(world->positions(read_ids(*world, ids, n), std::span(positions, n)));
}

/// Writes the positions and rotations of bodies [n] to `transforms` [n][4]: x, y, cosine, sine.
BROADSIDE_EXPORT(int, world_transforms)
(const World* world, const std::uint32_t* ids, std::size_t n, Transform* transforms) {
  return report(world->transforms(read_ids(*world, ids, n), std::span(transforms, n)));
}

/// Writes the velocities of bodies [n] to `velocities` [n][2].
BROADSIDE_EXPORT(int, world_velocities)
(const World* world, const std::uint32_t* ids, std::size_t n, Vec2* velocities) {
  return report(world->velocities(read_ids(*world, ids, n), std::span(velocities, n)));
}

/// Moves bodies [n] to positions [n][2].
BROADSIDE_EXPORT(int, world_move_all)
(World* world, const std::uint32_t* ids, std::size_t n, const Vec2* positions) {
  return report(world->move(read_ids(*world, ids, n), std::span(positions, n)));
}

/// Sets the velocities of bodies [n] to `velocities` [n][2], all or none.
BROADSIDE_EXPORT(int, world_set_velocities)
(World* world, const std::uint32_t* ids, std::size_t n, const Vec2* velocities) {
  const auto bodies = read_ids(*world, ids, n);
  // One that is refused alone is refused before others change.
  for (const bool refused : {true, false}) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto type = world->type(bodies[i]);
      const bool moves = type.has_value() && *type != BodyType::static_body;
      if (refused && moves && is_finite(velocities[i])) {
        continue;
      }
      if (const auto set = world->set_velocity(bodies[i], velocities[i]); !set.has_value()) {
        return report(set);
      }
    }
  }
  return 0;
}

/// Makes one of the changes in `VectorChange`. Floats of JavaScript are rounded as by `to_float`.
BROADSIDE_EXPORT(int, world_change_vector)
(World* world, std::uint32_t index, std::uint32_t generation, std::uint32_t number, int what, float x,
 float y) {
  const BodyId body{index, generation, number};
  switch (static_cast<VectorChange>(what)) {
    case VectorChange::position:
      return report(world->move(body, {x, y}));
    case VectorChange::motion:
      return report(world->push(body, {x, y}));
    case VectorChange::velocity:
      return report(world->set_velocity(body, {x, y}));
    case VectorChange::acceleration:
      return report(world->set_acceleration(body, {x, y}));
  }
  return report(Error{ErrorCode::invalid_argument, "this is no change"});
}

/// Makes one of the changes in `Change`; input is the body, then the arguments.
BROADSIDE_EXPORT(int, world_change)(World* world, int what) {
  Reader reader;
  const BodyId body = reader.body();
  switch (static_cast<Change>(what)) {
    case Change::move: {
      const Vec2 position = reader.vec2();
      return report(world->move(body, position, reader.rotation()));
    }
    case Change::teleport: {
      const Vec2 position = reader.vec2();
      return report(world->teleport(body, position, reader.rotation()));
    }
    case Change::shape: {
      const auto shape = reader.shape();
      return shape.has_value() ? report(world->set_shape(body, *shape)) : report(shape);
    }
    case Change::enabled:
      return report(world->set_enabled(body, reader.flag()));
    case Change::sensor:
      return report(world->set_sensor(body, reader.flag()));
    case Change::bullet:
      return report(world->set_bullet(body, reader.flag()));
    case Change::filter:
      return report(world->set_filter(body, reader.filter()));
    case Change::tag:
      return report(world->set_tag(body, tag_of(reader.count())));
    case Change::ignored: {
      const BodyId other = reader.body();
      return report(world->set_ignored(body, other, reader.flag()));
    }
  }
  return report(Error{ErrorCode::invalid_argument, "this is no change"});
}

/// Returns the address of what `world_transform` and `world_motion` read; it stays the same.
BROADSIDE_EXPORT(const float*, four_floats_at)() {
  return four_floats.data();
}

/// Reads position, and cosine and sine of the angle, of a body.
BROADSIDE_EXPORT(int, world_transform)
(const World* world, std::uint32_t index, std::uint32_t generation, std::uint32_t number) {
  const auto transform = world->transform({index, generation, number});
  if (transform.has_value()) {
    const auto& [position, rotation] = *transform;
    four_floats = {position.x, position.y, rotation.cos, rotation.sin};
  }
  return report(transform);
}

/// Reads the velocity and the acceleration of a body.
BROADSIDE_EXPORT(int, world_motion)
(const World* world, std::uint32_t index, std::uint32_t generation, std::uint32_t number) {
  const BodyId body{index, generation, number};
  const auto velocity = world->velocity(body);
  if (velocity.has_value()) {
    const Vec2 acceleration = *world->acceleration(body);
    four_floats = {velocity->x, velocity->y, acceleration.x, acceleration.y};
  }
  return report(velocity);
}

/// Writes the rest of a body: type, sensor, bullet, enabled, mass and bounds.
BROADSIDE_EXPORT(int, world_body)
(const World* world, std::uint32_t index, std::uint32_t generation, std::uint32_t number) {
  const BodyId body{index, generation, number};
  return answer(world->type(body), [world, body](Writer& writer, BodyType type) {
    writer.number(type);
    writer.number(*world->sensor(body));
    writer.number(*world->bullet(body));
    writer.number(*world->enabled(body));
    writer.number(*world->mass(body));
    const Aabb bounds = *world->bounds(body);
    writer.vec2(bounds.min);
    writer.vec2(bounds.max);
  });
}

/// Writes the filter of a body: layer, mask and wants in halves, the lower first, and the group.
BROADSIDE_EXPORT(int, world_filter)
(const World* world, std::uint32_t index, std::uint32_t generation, std::uint32_t number) {
  return answer(world->filter({index, generation, number}), [](Writer& writer, const Filter& filter) {
    for (const std::uint64_t bits : {filter.layer, filter.mask, filter.wants}) {
      writer.number(bits & 0xFFFFFFFFU);
      writer.number(bits >> 32);
    }
    writer.number(filter.group);
  });
}

/// Writes the number of shapes of a body, then the shapes.
BROADSIDE_EXPORT(int, world_shapes)
(const World* world, std::uint32_t index, std::uint32_t generation, std::uint32_t number) {
  return answer(world->shapes({index, generation, number}),
                [](Writer& writer, const std::vector<Shape>& shapes) {
                  writer.number(shapes.size());
                  for (const Shape& shape : shapes) {
                    writer.shape(shape);
                  }
                });
}

/// Writes the address and length of the tag of a body (UTF-8).
BROADSIDE_EXPORT(int, world_tag)
(const World* world, std::uint32_t index, std::uint32_t generation, std::uint32_t number) {
  static std::string kept;  // valid until JavaScript has read it
  return answer(world->tag({index, generation, number}), [](Writer& writer, std::string tag) {
    kept = std::move(tag);
    writer.number(reinterpret_cast<std::uintptr_t>(kept.data()));
    writer.number(kept.size());
  });
}
