#include <utility>

#include "world.hpp"

using broadside::BodyHit;
using broadside::Error;
using broadside::Nearest;
using broadside::Obstacle;
using broadside::QueryFilter;
using broadside::Result;
using broadside::Shape;
using broadside::SlideHit;
using broadside::SlideOptions;
using broadside::SlideResponse;
using broadside::Transform;
using broadside::World;
using broadside::detail::as_box;
using broadside::detail::as_enum;
using broadside::detail::as_filter;
using broadside::detail::as_id;
using broadside::detail::as_shape;
using broadside::detail::as_transform;
using broadside::detail::as_vec2;
using broadside::detail::call_world;
using broadside::detail::check_size;
using broadside::detail::convert;
using broadside::detail::give;
using broadside::detail::in_c;

namespace broadside::inline v0_2::detail {

bs_body_hit in_c(const BodyHit& hit) {
  return {in_c(static_cast<const Hit&>(hit)), in_c(hit.body)};
}

bs_nearest in_c(const Nearest& nearest) {
  return {in_c(nearest.body), nearest.distance, in_c(nearest.point)};
}

bs_obstacle in_c(const Obstacle& obstacle) {
  return {in_c(obstacle.body),   in_c(obstacle.normal), in_c(obstacle.point),
          in_c(obstacle.motion), obstacle.depth,        obstacle.was_inside};
}

bs_slide_hit in_c(const SlideHit& hit) {
  static_assert(static_cast<int>(SlideResponse::slide) == BS_SLIDE);
  static_assert(static_cast<int>(SlideResponse::bounce) == BS_SLIDE_BOUNCE);
  static_assert(static_cast<int>(SlideResponse::cross) == BS_SLIDE_CROSS);
  static_assert(static_cast<int>(SlideResponse::touch) == BS_SLIDE_TOUCH);
  return {in_c(hit.obstacle), static_cast<bs_slide_response>(hit.response)};
}

}  // namespace broadside::inline v0_2::detail

namespace {

Result<QueryFilter> filter_of(const char* function, const bs_query_filter* filter) {
  if (filter == nullptr) {
    return QueryFilter{};
  }
  if (Error error = check_size(function, filter->size, sizeof(bs_query_filter))) {
    return error;
  }
  return QueryFilter{.filter = as_filter(filter->filter),
                     .static_bodies = filter->static_bodies,
                     .kinematic_bodies = filter->kinematic_bodies,
                     .dynamic_bodies = filter->dynamic_bodies,
                     .sensors = filter->sensors,
                     .except = as_id(filter->except)};
}

/// Calls `query(filter)`, which returns a list, and gives it in memory of the world.
template <typename Kept, typename Query>
Error give_all(const char* function, const bs_query_filter* filter, Kept& kept,
               const typename Kept::value_type** list, std::size_t* count, const Query& query) {
  const auto wanted = filter_of(function, filter);
  if (!wanted.has_value()) {
    return wanted.error();
  }
  const auto found = query(*wanted);
  if (found.has_value()) {
    give(*found, kept, list, count);
  }
  return found.error();
}

/// Calls `query(filter)`, which returns a hit or none.
template <typename Query>
Error give_first(const char* function, const bs_query_filter* filter, bool* found, bs_body_hit* hit,
                 const Query& query) {
  const auto wanted = filter_of(function, filter);
  if (!wanted.has_value()) {
    return wanted.error();
  }
  const auto first = query(*wanted);
  if (first.has_value()) {
    *found = first->has_value();
    if (*found) {
      *hit = in_c(**first);
    }
  }
  return first.error();
}

/// Returns the hits that `visit(take)` visits.
template <typename Visit>
Result<std::vector<BodyHit>> collect_hits(const Visit& visit) {
  std::vector<BodyHit> hits;
  const auto take = [&](const BodyHit& hit) {
    hits.push_back(hit);
    return true;
  };
  const auto done = visit(World::HitVisitor(take));
  return done.has_value() ? Result<std::vector<BodyHit>>(std::move(hits)) : done.error();
}

}  // namespace

bs_query_filter bs_query_filter_default(void) {
  return {.size = sizeof(bs_query_filter),
          .filter = in_c(QueryFilter{}.filter),
          .static_bodies = true,
          .kinematic_bodies = true,
          .dynamic_bodies = true,
          .sensors = true,
          .except = {0, 0, 0}};
}

bs_status bs_world_query_area(bs_world* world, bs_aabb area, const bs_query_filter* filter,
                              const bs_body_id** ids, size_t* count) {
  constexpr const char* function = "bs_world_query_area";
  return call_world(function, world, {{ids, "ids"}, {count, "count"}}, [&](World& made) {
    return give_all(function, filter, world->ids, ids, count,
                    [&](const QueryFilter& wanted) { return made.query_area(as_box(area), wanted); });
  });
}

bs_status bs_world_query_point(bs_world* world, bs_vec2 point, const bs_query_filter* filter,
                               const bs_body_id** ids, size_t* count) {
  constexpr const char* function = "bs_world_query_point";
  return call_world(function, world, {{ids, "ids"}, {count, "count"}}, [&](World& made) {
    return give_all(function, filter, world->ids, ids, count,
                    [&](const QueryFilter& wanted) { return made.query_point(as_vec2(point), wanted); });
  });
}

bs_status bs_world_query_shape(bs_world* world, const bs_shape* shape, bs_transform at,
                               const bs_query_filter* filter, const bs_body_id** ids, size_t* count) {
  constexpr const char* function = "bs_world_query_shape";
  return call_world(function, world, {{ids, "ids"}, {count, "count"}}, [&](World& made) {
    const auto same = as_shape(function, "shape", shape);
    return same.has_value() ? give_all(function, filter, world->ids, ids, count,
                                       [&](const QueryFilter& wanted) {
                                         return made.query_shape(*same, as_transform(at), wanted);
                                       })
                            : same.error();
  });
}

bs_status bs_world_cast_ray(bs_world* world, bs_vec2 start, bs_vec2 motion, const bs_query_filter* filter,
                            bool* found, bs_body_hit* hit) {
  constexpr const char* function = "bs_world_cast_ray";
  return call_world(function, world, {{found, "found"}, {hit, "hit"}}, [&](World& made) {
    return give_first(function, filter, found, hit, [&](const QueryFilter& wanted) {
      return made.cast_ray(as_vec2(start), as_vec2(motion), wanted);
    });
  });
}

bs_status bs_world_cast_ray_all(bs_world* world, bs_vec2 start, bs_vec2 motion, const bs_query_filter* filter,
                                const bs_body_hit** hits, size_t* count) {
  constexpr const char* function = "bs_world_cast_ray_all";
  return call_world(function, world, {{hits, "hits"}, {count, "count"}}, [&](World& made) {
    return give_all(function, filter, world->hits, hits, count, [&](const QueryFilter& wanted) {
      return collect_hits([&](World::HitVisitor take) {
        return made.visit_ray(as_vec2(start), as_vec2(motion), take, wanted);
      });
    });
  });
}

bs_status bs_world_cast_shape(bs_world* world, const bs_shape* shape, bs_transform at, bs_vec2 motion,
                              const bs_query_filter* filter, bool* found, bs_body_hit* hit) {
  constexpr const char* function = "bs_world_cast_shape";
  return call_world(function, world, {{found, "found"}, {hit, "hit"}}, [&](World& made) {
    const auto same = as_shape(function, "shape", shape);
    return same.has_value()
               ? give_first(function, filter, found, hit,
                            [&](const QueryFilter& wanted) {
                              return made.cast_shape(*same, as_transform(at), as_vec2(motion), wanted);
                            })
               : same.error();
  });
}

bs_status bs_world_cast_shape_all(bs_world* world, const bs_shape* shape, bs_transform at, bs_vec2 motion,
                                  const bs_query_filter* filter, const bs_body_hit** hits, size_t* count) {
  constexpr const char* function = "bs_world_cast_shape_all";
  return call_world(function, world, {{hits, "hits"}, {count, "count"}}, [&](World& made) {
    const auto same = as_shape(function, "shape", shape);
    return same.has_value()
               ? give_all(function, filter, world->hits, hits, count,
                          [&](const QueryFilter& wanted) {
                            return collect_hits([&](World::HitVisitor take) {
                              return made.visit_cast(*same, as_transform(at), as_vec2(motion), take, wanted);
                            });
                          })
               : same.error();
  });
}

bs_status bs_world_nearest(bs_world* world, bs_vec2 point, size_t wanted, float max_distance,
                           const bs_query_filter* filter, const bs_nearest** nearest, size_t* count) {
  constexpr const char* function = "bs_world_nearest";
  return call_world(function, world, {{nearest, "nearest"}, {count, "count"}}, [&](World& made) {
    return give_all(function, filter, world->nearest, nearest, count, [&](const QueryFilter& bodies) {
      return made.nearest(as_vec2(point), wanted, max_distance, bodies);
    });
  });
}

// Motion of players.

bs_slide_options bs_slide_options_default(void) {
  return {.size = sizeof(bs_slide_options),
          .respond = nullptr,
          .user = nullptr,
          .max_hits = SlideOptions{}.max_hits,
          .skin = 0.0F,
          .up = {0.0F, 0.0F}};
}

bs_status bs_world_move_and_slide(bs_world* world, bs_body_id id, bs_vec2 motion,
                                  const bs_slide_options* options, bs_slide_result* result) {
  constexpr const char* function = "bs_world_move_and_slide";
  return call_world(function, world, {{result, "result"}}, [&](World& made) {
    const bs_slide_options wanted = options == nullptr ? bs_slide_options_default() : *options;
    if (Error error = check_size(function, wanted.size, sizeof(bs_slide_options))) {
      return error;
    }
    SlideOptions same{.max_hits = wanted.max_hits, .skin = wanted.skin, .up = as_vec2(wanted.up)};
    if (wanted.respond != nullptr) {
      same.respond = [&wanted](const Obstacle& obstacle) {
        const bs_obstacle met = in_c(obstacle);
        return as_enum<SlideResponse>(wanted.respond(wanted.user, &met));
      };
    }
    const auto slid = made.move_and_slide(as_id(id), as_vec2(motion), same);
    if (slid.has_value()) {
      convert(world->slide_hits, slid->hits);
      *result = {.position = in_c(slid->position),
                 .remaining = in_c(slid->remaining),
                 .hits = world->slide_hits.data(),
                 .hit_count = world->slide_hits.size(),
                 .has_ground = slid->ground.has_value(),
                 .ground = slid->ground ? in_c(*slid->ground) : bs_obstacle{}};
    }
    return slid.error();
  });
}

bs_slide_response bs_one_way_response(const bs_obstacle* obstacle, bs_vec2 up) {
  const Obstacle same{as_id(obstacle->body),     as_vec2(obstacle->normal), as_vec2(obstacle->point),
                      as_vec2(obstacle->motion), obstacle->depth,           obstacle->was_inside};
  return static_cast<bs_slide_response>(broadside::one_way_response(same, as_vec2(up)));
}
