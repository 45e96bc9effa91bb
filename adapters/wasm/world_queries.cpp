#include <optional>
#include <string>
#include <vector>

#include "bridge.hpp"
#include "broadside/world/world.hpp"
#include "world_bridge.hpp"

using namespace broadside;
using namespace broadside::wasm;

// Passes a hit, as output, to the visitor of JavaScript; returns false to stop the query.
BROADSIDE_IMPORT(bool, found)();
// Asks JavaScript how to respond to the obstacle in output; returns the number of a `SlideResponse`.
BROADSIDE_IMPORT(int, respond_to_obstacle)();

namespace {

/// The queries of `world_query`, numbered as in query.ts.
enum class Question : std::uint8_t { area, point, shape, ray, cast, nearest };

QueryFilter read_query_filter(Reader& reader) {
  QueryFilter filter;
  filter.filter = reader.filter();
  filter.static_bodies = reader.flag();
  filter.kinematic_bodies = reader.flag();
  filter.dynamic_bodies = reader.flag();
  filter.sensors = reader.flag();
  filter.except = reader.body();
  return filter;
}

void write(Writer& writer, const BodyHit& hit) {
  writer.body(hit.body);
  writer.number(hit.fraction);
  writer.vec2(hit.normal);
  writer.vec2(hit.point);
}

void write(Writer& writer, BodyId body) {
  writer.body(body);
}

void write(Writer& writer, const Obstacle& obstacle) {
  writer.body(obstacle.body);
  writer.vec2(obstacle.normal);
  writer.vec2(obstacle.point);
  writer.vec2(obstacle.motion);
  writer.number(obstacle.depth);
  writer.number(obstacle.was_inside);
}

void write(Writer& writer, const Nearest& near) {
  writer.body(near.body);
  writer.number(near.distance);
  writer.vec2(near.point);
}

/// Writes all elements of a vector.
constexpr auto write_all = [](Writer& writer, const auto& all) {
  for (const auto& one : all) {
    write(writer, one);
  }
};

/// Writes the value of an optional, if it has one.
constexpr auto write_first = [](Writer& writer, const auto& first) {
  if (first) {
    write(writer, *first);
  }
};

/// Passes one hit to the visitor.
constexpr auto show = [](const auto& one) {
  Writer writer;
  write(writer, one);
  return found();
};

}  // namespace

/// Runs one of the queries in `Question`. Input: the filter, then the arguments. Output: the hits, or only
/// the first hit of a ray or a cast; if `visits`, each hit is passed to the visitor instead.
BROADSIDE_EXPORT(int, world_query)(const World* world, int question, bool visits) {
  Reader reader;
  const QueryFilter filter = read_query_filter(reader);
  switch (static_cast<Question>(question)) {
    case Question::area: {
      const Vec2 min = reader.vec2();
      const Aabb area{min, reader.vec2()};
      return visits ? report(world->visit_area(area, show, filter))
                    : answer(world->query_area(area, filter), write_all);
    }
    case Question::point: {
      const Vec2 point = reader.vec2();
      return visits ? report(world->visit_point(point, show, filter))
                    : answer(world->query_point(point, filter), write_all);
    }
    case Question::shape: {
      const Vec2 position = reader.vec2();
      const Transform at{position, reader.rotation()};
      const auto shape = reader.shape();
      if (!shape.has_value()) {
        return report(shape);
      }
      return visits ? report(world->visit_shape(*shape, at, show, filter))
                    : answer(world->query_shape(*shape, at, filter), write_all);
    }
    case Question::ray: {
      const Vec2 start = reader.vec2();
      const Vec2 motion = reader.vec2();
      return visits ? report(world->visit_ray(start, motion, show, filter))
                    : answer(world->cast_ray(start, motion, filter), write_first);
    }
    case Question::cast: {
      const Vec2 position = reader.vec2();
      const Transform at{position, reader.rotation()};
      const Vec2 motion = reader.vec2();
      const auto shape = reader.shape();
      if (!shape.has_value()) {
        return report(shape);
      }
      return visits ? report(world->visit_cast(*shape, at, motion, show, filter))
                    : answer(world->cast_shape(*shape, at, motion, filter), write_first);
    }
    case Question::nearest: {
      const Vec2 point = reader.vec2();
      const std::uint32_t count = reader.count();
      return answer(world->nearest(point, count, reader.real(), filter), write_all);
    }
  }
  return report(Error{ErrorCode::invalid_argument, "this is no query"});
}

/// Asks n questions of four numbers each, with the filter in input: areas, or rays, each a start and a
/// motion. Writes two addresses: that of the indices and generations of all bodies found, then for areas that
/// of where those of each begin [n + 1], for rays that of fractions [n], normals [n][2] and points [n][2].
/// Each ray has one body, with index and generation 0 if it hits nothing.
BROADSIDE_EXPORT(int, world_query_many)(const World* world, const Aabb* questions, std::size_t n, bool rays) {
  static std::vector<std::uint32_t> bodies;
  static std::vector<std::uint32_t> begins;
  static std::vector<float> numbers;
  Reader reader;
  const QueryFilter filter = read_query_filter(reader);
  bodies.clear();
  begins.assign(n + 1, 0);
  numbers.assign(5 * n, 0.0F);
  auto* normals = reinterpret_cast<Vec2*>(numbers.data() + n);
  const auto add = [](BodyId body) {
    bodies.push_back(body.index);
    bodies.push_back(body.generation);
    return true;
  };
  for (std::size_t i = 0; i < n; ++i) {
    Error error;
    if (rays) {
      const auto found = world->cast_ray(questions[i].min, questions[i].max, filter);
      error = found.error();
      const BodyHit hit = found.has_value() && *found ? **found : BodyHit{};
      add(hit.body);
      numbers[i] = hit.fraction;
      normals[i] = hit.normal;
      normals[n + i] = hit.point;
    } else {
      error = world->visit_area(questions[i], add, filter).error();
    }
    if (error) {
      error.message += " in number " + std::to_string(i);
      return report(error);
    }
    begins[i + 1] = static_cast<std::uint32_t>(bodies.size() / 2);
  }
  Writer writer;
  writer.number(reinterpret_cast<std::uintptr_t>(bodies.data()));
  writer.number(rays ? reinterpret_cast<std::uintptr_t>(numbers.data())
                     : reinterpret_cast<std::uintptr_t>(begins.data()));
  return 0;
}

/// Writes the ids of the bodies that the narrow phase must test against a body.
BROADSIDE_EXPORT(int, world_candidates)
(const World* world, std::uint32_t index, std::uint32_t generation, std::uint32_t number) {
  return answer(world->candidates({index, generation, number}), write_all);
}

/// Moves the body in input as `World::move_and_slide` does. Input continues with the motion, `up`, and as
/// options the number of hits and the skin. Writes the position, the remaining motion, whether there is
/// ground, the ground if there is, and each obstacle with the response to it.
BROADSIDE_EXPORT(int, world_move_and_slide)(World* world, bool asks) {
  Reader reader;
  const BodyId body = reader.body();
  const Vec2 motion = reader.vec2();
  SlideOptions options;
  options.up = reader.vec2();
  if (const auto max_hits = reader.option()) {
    if (!(*max_hits >= 0.0 && *max_hits <= 4294967295.0)) {
      return report(
          Error{ErrorCode::invalid_argument, "move_and_slide: max_hits must be from 0 to 4294967295"});
    }
    options.max_hits = static_cast<std::size_t>(*max_hits);
  }
  if (const auto skin = reader.option()) {
    options.skin = to_float(*skin);
  }
  if (asks) {
    options.respond = [](const Obstacle& obstacle) {
      Writer writer;
      write(writer, obstacle);
      return static_cast<SlideResponse>(respond_to_obstacle());
    };
  }
  return answer(world->move_and_slide(body, motion, options), [](Writer& writer, const SlideResult& result) {
    writer.vec2(result.position);
    writer.vec2(result.remaining);
    writer.number(result.ground.has_value());
    write_first(writer, result.ground);
    for (const SlideHit& hit : result.hits) {
      write(writer, hit.obstacle);
      writer.number(hit.response);
    }
  });
}

/// Changes the technique to the one with this name (UTF-8 [size]). Input: the width and height of a
/// cell (0 for none), the height of a row (0 for none), whether neighbor lists are allowed, then the bounds,
/// if any.
BROADSIDE_EXPORT(int, world_set_technique)(World* world, const char* name, std::size_t size) {
  Reader reader;
  return report(world->set_technique({name, size}, read_technique_options(reader)));
}

BROADSIDE_EXPORT(const BroadPhase*, world_broad_phase)(const World* world) {
  return &world->broad_phase();
}

BROADSIDE_EXPORT(void, world_measure_times)(World* world, bool on) {
  world->measure_times(on);
}

BROADSIDE_EXPORT(void, world_watch_queries)(World* world, bool on) {
  world->watch_queries(on);
}

/// Makes a snapshot and returns it.
BROADSIDE_EXPORT(const Range*, world_snapshot)(const World* world) {
  static std::vector<std::byte> bytes;
  bytes = world->snapshot();
  return answer_in_place(bytes);
}

BROADSIDE_EXPORT(int, world_restore)(World* world, const std::byte* bytes, std::size_t size) {
  return report(world->restore(std::span(bytes, size)));
}

BROADSIDE_EXPORT(std::uint64_t, world_hash)(const World* world) {
  return world->hash();
}

/// Returns the number of bytes in use, including contacts and events.
BROADSIDE_EXPORT(std::size_t, world_bytes)(const World* world) {
  return world->bytes() + world->contact_bytes();
}
