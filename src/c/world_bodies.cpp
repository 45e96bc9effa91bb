#include <deque>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "world.hpp"

using broadside::BodyDef;
using broadside::BodyId;
using broadside::BodyType;
using broadside::Error;
using broadside::ErrorCode;
using broadside::Result;
using broadside::Shape;
using broadside::World;
using broadside::detail::as_enum;
using broadside::detail::as_filter;
using broadside::detail::as_id;
using broadside::detail::as_ids;
using broadside::detail::as_points;
using broadside::detail::as_shape;
using broadside::detail::as_transform;
using broadside::detail::as_transforms;
using broadside::detail::as_vec2;
using broadside::detail::call_world;
using broadside::detail::check_size;
using broadside::detail::give;
using broadside::detail::in_c;

namespace {

Result<BodyDef> body_of(const char* function, const std::string& name, const bs_body_def& body) {
  if (Error error = check_size(function, body.size, sizeof(bs_body_def))) {
    return error;
  }
  if (body.shapes == nullptr || body.shape_count == 0) {
    return Error{ErrorCode::invalid_argument, std::string(function) + ": " + name + " has no shape"};
  }
  BodyDef result;
  for (std::size_t i = 0; i < body.shape_count; ++i) {
    auto shape = as_shape(function, (name + ", shape " + std::to_string(i)).c_str(), &body.shapes[i]);
    if (!shape.has_value()) {
      return shape.error();
    }
    if (i == 0) {
      result.shape = *std::move(shape);
    } else {
      result.more_shapes.push_back(*std::move(shape));
    }
  }
  result.type = as_enum<BodyType>(body.type);
  result.position = as_vec2(body.transform.position);
  result.rotation = {body.transform.rotation.cos, body.transform.rotation.sin};
  result.velocity = as_vec2(body.velocity);
  result.acceleration = as_vec2(body.acceleration);
  result.tag = body.tag == nullptr ? "" : body.tag;
  result.filter = as_filter(body.filter);
  result.sensor = body.sensor;
  result.bullet = body.bullet;
  result.enabled = body.enabled;
  if (body.mass != 0.0F) {
    result.mass = body.mass;
  }
  result.user_data = body.user_data;
  return result;
}

/// Describes a shape of C++, which must stay.
bs_shape describe(const Shape& shape, std::deque<bs_mask>& masks) {
  if (const auto* circle = std::get_if<broadside::Circle>(&shape)) {
    bs_shape result = bs_circle(circle->radius);
    result.center = in_c(circle->center);
    return result;
  }
  if (const auto* box = std::get_if<broadside::Box>(&shape)) {
    bs_shape result = bs_box(0.0F, 0.0F);
    result.half_size = in_c(box->half_size);
    result.center = in_c(box->center);
    result.rotation = {box->rotation.cos, box->rotation.sin};
    return result;
  }
  if (const auto* capsule = std::get_if<broadside::Capsule>(&shape)) {
    return bs_capsule(in_c(capsule->a), in_c(capsule->b), capsule->radius);
  }
  if (const auto* segment = std::get_if<broadside::Segment>(&shape)) {
    return bs_segment(in_c(segment->a), in_c(segment->b));
  }
  if (const auto* polygon = std::get_if<broadside::Polygon>(&shape)) {
    const auto vertices = polygon->vertices();
    bs_shape result = bs_polygon(reinterpret_cast<const bs_vec2*>(vertices.data()), vertices.size());
    result.radius = polygon->radius();
    return result;
  }
  masks.push_back({std::get<broadside::Mask>(shape)});
  return bs_shape_of_mask(&masks.back());
}

}  // namespace

bs_body_def bs_body_def_default(void) {
  const BodyDef body;
  return {.size = sizeof(bs_body_def),
          .shapes = nullptr,
          .shape_count = 0,
          .type = BS_DYNAMIC_BODY,
          .transform = bs_transform_at(0.0F, 0.0F),
          .velocity = {0.0F, 0.0F},
          .acceleration = {0.0F, 0.0F},
          .tag = nullptr,
          .filter = in_c(body.filter),
          .sensor = false,
          .bullet = false,
          .enabled = true,
          .mass = 0.0F,
          .user_data = 0};
}

bs_status bs_world_add(bs_world* world, const bs_body_def* bodies, size_t count, bs_body_id* ids) {
  constexpr const char* function = "bs_world_add";
  return call_world(function, world, {{bodies, "bodies", count}, {ids, "ids", count}}, [&](World& made) {
    std::vector<BodyDef> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      auto body = body_of(function, "body " + std::to_string(i), bodies[i]);
      if (!body.has_value()) {
        return body.error();
      }
      all.push_back(*std::move(body));
    }
    const auto added = made.add(all);
    if (added.has_value()) {
      std::transform(added->begin(), added->end(), ids, [](BodyId id) { return in_c(id); });
    }
    return added.error();
  });
}

bs_status bs_world_remove(bs_world* world, const bs_body_id* ids, size_t count) {
  return call_world("bs_world_remove", world, {{ids, "ids", count}},
                    [&](World& made) { return made.remove(as_ids(ids, count)).error(); });
}

bs_status bs_world_contains(const bs_world* world, bs_body_id id, bool* contains) {
  return call_world("bs_world_contains", world, {{contains, "contains"}}, [&](const World& made) {
    *contains = made.contains(as_id(id));
    return Error{};
  });
}

bs_status bs_world_bodies(bs_world* world, const bs_body_id** ids, size_t* count) {
  return call_world("bs_world_bodies", world, {{ids, "ids"}, {count, "count"}}, [&](World& made) {
    give(made.bodies(), world->ids, ids, count);
    return Error{};
  });
}

bs_status bs_world_move(bs_world* world, const bs_body_id* ids, const bs_transform* transforms,
                        size_t count) {
  return call_world(
      "bs_world_move", world, {{ids, "ids", count}, {transforms, "transforms", count}},
      [&](World& made) { return made.move(as_ids(ids, count), as_transforms(transforms, count)).error(); });
}

bs_status bs_world_move_to(bs_world* world, const bs_body_id* ids, const bs_vec2* positions, size_t count) {
  return call_world(
      "bs_world_move_to", world, {{ids, "ids", count}, {positions, "positions", count}},
      [&](World& made) { return made.move(as_ids(ids, count), as_points(positions, count)).error(); });
}

bs_status bs_world_teleport(bs_world* world, bs_body_id id, bs_transform transform) {
  return call_world("bs_world_teleport", world, {},
                    [&](World& made) { return made.teleport(as_id(id), as_transform(transform)).error(); });
}

bs_status bs_world_push(bs_world* world, bs_body_id id, bs_vec2 motion) {
  return call_world("bs_world_push", world, {},
                    [&](World& made) { return made.push(as_id(id), as_vec2(motion)).error(); });
}

bs_status bs_world_set_velocity(bs_world* world, bs_body_id id, bs_vec2 velocity) {
  return call_world("bs_world_set_velocity", world, {},
                    [&](World& made) { return made.set_velocity(as_id(id), as_vec2(velocity)).error(); });
}

bs_status bs_world_set_acceleration(bs_world* world, bs_body_id id, bs_vec2 acceleration) {
  return call_world("bs_world_set_acceleration", world, {}, [&](World& made) {
    return made.set_acceleration(as_id(id), as_vec2(acceleration)).error();
  });
}

bs_status bs_world_set_shape(bs_world* world, bs_body_id id, const bs_shape* shape) {
  constexpr const char* function = "bs_world_set_shape";
  return call_world(function, world, {}, [&](World& made) {
    const auto same = as_shape(function, "shape", shape);
    return same.has_value() ? made.set_shape(as_id(id), *same).error() : same.error();
  });
}

bs_status bs_world_set_filter(bs_world* world, bs_body_id id, bs_filter filter) {
  return call_world("bs_world_set_filter", world, {},
                    [&](World& made) { return made.set_filter(as_id(id), as_filter(filter)).error(); });
}

bs_status bs_world_set_tag(bs_world* world, bs_body_id id, const char* tag) {
  return call_world("bs_world_set_tag", world, {},
                    [&](World& made) { return made.set_tag(as_id(id), tag == nullptr ? "" : tag).error(); });
}

bs_status bs_world_set_enabled(bs_world* world, bs_body_id id, bool enabled) {
  return call_world("bs_world_set_enabled", world, {},
                    [&](World& made) { return made.set_enabled(as_id(id), enabled).error(); });
}

bs_status bs_world_set_sensor(bs_world* world, bs_body_id id, bool sensor) {
  return call_world("bs_world_set_sensor", world, {},
                    [&](World& made) { return made.set_sensor(as_id(id), sensor).error(); });
}

bs_status bs_world_set_bullet(bs_world* world, bs_body_id id, bool bullet) {
  return call_world("bs_world_set_bullet", world, {},
                    [&](World& made) { return made.set_bullet(as_id(id), bullet).error(); });
}

bs_status bs_world_set_user_data(bs_world* world, bs_body_id id, uint64_t user_data) {
  return call_world("bs_world_set_user_data", world, {},
                    [&](World& made) { return made.set_user_data(as_id(id), user_data).error(); });
}

bs_status bs_world_set_ignored(bs_world* world, bs_body_id a, bs_body_id b, bool ignored) {
  return call_world("bs_world_set_ignored", world, {},
                    [&](World& made) { return made.set_ignored(as_id(a), as_id(b), ignored).error(); });
}

bs_status bs_world_body(const bs_world* world, bs_body_id id, bs_body* body) {
  return call_world("bs_world_body", world, {{body, "body"}}, [&](const World& made) {
    const BodyId of = as_id(id);
    const auto at = made.transform(of);
    if (!at.has_value()) {
      return at.error();
    }
    *body = {.type = static_cast<bs_body_type>(*made.type(of)),
             .transform = in_c(*at),
             .velocity = in_c(*made.velocity(of)),
             .acceleration = in_c(*made.acceleration(of)),
             .bounds = in_c(*made.bounds(of)),
             .filter = in_c(*made.filter(of)),
             .mass = *made.mass(of),
             .sensor = *made.sensor(of),
             .bullet = *made.bullet(of),
             .enabled = *made.enabled(of),
             .user_data = *made.user_data(of)};
    return Error{};
  });
}

namespace {

/// Writes a value of each body to `values` [count], all or none.
template <typename InC, typename Value>
bs_status read_all(const char* function, const bs_world* world, const bs_body_id* ids, size_t count,
                   InC* values, const char* name,
                   Result<void> (World::*read)(std::span<const BodyId>, std::span<Value>) const) {
  static_assert(sizeof(InC) == sizeof(Value));
  return call_world(function, world, {{ids, "ids", count}, {values, name, count}}, [&](const World& made) {
    return (made.*read)(as_ids(ids, count), {reinterpret_cast<Value*>(values), count}).error();
  });
}

}  // namespace

bs_status bs_world_positions(const bs_world* world, const bs_body_id* ids, size_t count, bs_vec2* positions) {
  return read_all("bs_world_positions", world, ids, count, positions, "positions", &World::positions);
}

bs_status bs_world_transforms(const bs_world* world, const bs_body_id* ids, size_t count,
                              bs_transform* transforms) {
  return read_all("bs_world_transforms", world, ids, count, transforms, "transforms", &World::transforms);
}

bs_status bs_world_velocities(const bs_world* world, const bs_body_id* ids, size_t count,
                              bs_vec2* velocities) {
  return read_all("bs_world_velocities", world, ids, count, velocities, "velocities", &World::velocities);
}

bs_status bs_world_tag(bs_world* world, bs_body_id id, const char** tag) {
  return call_world("bs_world_tag", world, {{tag, "tag"}}, [&](World& made) {
    const auto found = made.tag(as_id(id));
    if (found.has_value()) {
      world->text = *found;
      *tag = world->text.c_str();
    }
    return found.error();
  });
}

bs_status bs_world_shapes(bs_world* world, bs_body_id id, const bs_shape** shapes, size_t* count) {
  return call_world("bs_world_shapes", world, {{shapes, "shapes"}, {count, "count"}}, [&](World& made) {
    const auto found = made.shapes(as_id(id));
    if (found.has_value()) {
      world->shapes.clear();
      world->kept_masks.clear();
      world->kept_shapes = *found;
      for (const Shape& shape : world->kept_shapes) {
        world->shapes.push_back(describe(shape, world->kept_masks));
      }
      give(world->shapes, shapes, count);
    }
    return found.error();
  });
}
