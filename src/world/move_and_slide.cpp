#include "broadside/world/move_and_slide.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/to_vec2.hpp"
#include "world/state.hpp"

namespace broadside {

using detail::Point;

Meeting meet_one_way(const Obstacle& obstacle, Vec2 up) {
  constexpr float steep = 0.5F;  // a surface turned more than 60 degrees from level carries nobody
  const bool from_above = dot(obstacle.normal, up) < -steep && dot(obstacle.motion, up) <= 0.0F;
  return from_above && obstacle.depth == 0.0F ? Meeting::slide : Meeting::cross;
}

struct World::State::Slide {
  const World& world;
  const State& state;
  BodyId body;
  const SlideOptions& options;
  QueryFilter filter;
  float skin;
  std::vector<BodyId> crossed;  ///< sorted; told once
  std::vector<SlideHit> hits;
  Error error = {};  ///< of `options.meet`: ends it all

  [[nodiscard]] bool is_crossed(BodyId other) const {
    return std::binary_search(crossed.begin(), crossed.end(), other);
  }
  void cross(BodyId other) { crossed.insert(std::lower_bound(crossed.begin(), crossed.end(), other), other); }
  /// Asks what to do about an obstacle, and remembers it.
  Meeting meet(const Obstacle& obstacle) {
    const bool is_sensor = world.sensor(obstacle.body).value();
    const Meeting meeting = options.meet && !state.is_abandoned
                                ? options.meet(obstacle)
                                : (is_sensor ? Meeting::cross : Meeting::slide);
    if (!is_valid(meeting)) {
      error = {ErrorCode::invalid_argument, "move_and_slide: meet returned " +
                                                std::to_string(static_cast<unsigned>(meeting)) +
                                                "; it must be slide (0), bounce (1), cross (2) or touch (3)"};
      return Meeting::touch;
    }
    hits.push_back({obstacle, meeting});
    if (meeting == Meeting::cross) {
      cross(obstacle.body);
    }
    return meeting;
  }
};

/// Finds the first that is in the way, and asked for; those to cross are told on the way.
std::optional<Obstacle> World::State::first_obstacle(Slide& slide, const Transform& at, Vec2 motion,
                                                     float& time) {
  std::vector<std::pair<float, Obstacle>> found;
  for_each_part(slide.body.index, [&](Place part) {
    const auto visit = [&](const BodyCastHit& hit) {
      const bool comes_closer = dot(motion, hit.hit.normal) > 0.0F;
      if ((hit.hit.time > 0.0F || comes_closer) && !slide.is_crossed(hit.body) &&
          may_meet(slide.body.index, hit.body.index)) {
        found.push_back(
            {hit.hit.time, {hit.body, hit.hit.normal, hit.hit.point, (1.0F - hit.hit.time) * motion, 0.0F}});
      }
      return true;
    };
    slide.world.visit_cast(shapes[part], at, motion, visit, slide.filter).value();
  });
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  for (const auto& [hit_time, obstacle] : found) {
    // Whoever was asked before may have removed it.
    if (slide.world.contains(obstacle.body) && !slide.is_crossed(obstacle.body) &&
        slide.meet(obstacle) != Meeting::cross) {
      time = hit_time;
      return obstacle;
    }
  }
  return std::nullopt;
}

// Somebody may have moved into the body, or it stands closer than the skin: out along the normal, deepest
// first.
void World::State::leave_obstacles(Slide& slide, Transform& at) {
  constexpr int most_pushes = 8;
  for (int push = 0; push < most_pushes; ++push) {
    std::optional<Obstacle> worst;
    for_each_part(slide.body.index, [&](Place part) {
      const auto visit = [&](BodyId other) {
        if (slide.is_crossed(other) || !may_meet(slide.body.index, other.index)) {
          return true;
        }
        for_each_part(other.index, [&](Place met) {
          const Manifold manifold = collide(shapes[part], at, shapes[met], transforms[met]);
          const float depth = manifold.touching() ? -deepest(manifold) : -1.0F;
          if (depth >= 0.0F && (!worst || depth > worst->depth)) {
            worst = Obstacle{other, manifold.normal, manifold.points[0].position, {}, depth};
          }
        });
        return true;
      };
      slide.world.visit_shape(shapes[part], at, visit, slide.filter).value();
    });
    if (!worst) {
      return;
    }
    const Meeting meeting = slide.meet(*worst);
    if (slide.error) {
      return;
    }
    if (meeting == Meeting::cross) {
      continue;
    }
    const Vec2 outside = at.position - (worst->depth + slide.skin) * worst->normal;
    if (!is_finite(outside)) {
      return;
    }
    at.position = outside;
  }
}

Result<SlideResult> World::move_and_slide(BodyId body, Vec2 motion, const SlideOptions& options) {
  Handle world(*this);
  State& state = *world->state_;
  if (Error error = state.check_change(body)) {
    return error;
  }
  Transform at = state.transforms[body.index];
  const Vec2 goal = at.position + motion;
  if (!is_finite(goal)) {
    return Error{ErrorCode::not_finite,
                 "move_and_slide: the motion must be finite, and end at a finite place"};
  }
  if (!(is_finite(options.skin) && options.skin >= 0.0F)) {
    return Error{ErrorCode::invalid_argument, "move_and_slide: skin must be a finite number, 0 or more"};
  }
  const float size = state.size_of(body.index);
  State::Slide slide{*world,
                     state,
                     body,
                     options,
                     {.filter = state.filters[state.slots[body.index].filter], .except = body},
                     options.skin > 0.0F ? options.skin : 1e-3F * size,
                     {},
                     {}};
  state.leave_obstacles(slide, at);
  if (slide.error) {
    return slide.error;
  }
  Vec2 rest = motion;
  std::vector<Vec2> walls;  // normals of what turned the way
  for (std::size_t turns = 0; turns < options.most_hits && rest != Vec2{}; ++turns) {
    float time = 1.0F;
    const auto obstacle = state.first_obstacle(slide, at, rest, time);
    if (slide.error) {
      return slide.error;
    }
    if (!obstacle) {
      at.position = at.position + rest;
      rest = {};
      break;
    }
    // So far that the skin is left between the surfaces, which is further than the skin on a slanting way.
    const Point normal = detail::to_point(obstacle->normal);
    const double way = length(rest);
    const double slant = std::max(dot(detail::to_point(rest), normal) / way, 1e-6);
    const double gone =
        std::clamp(static_cast<double>(time) * way - static_cast<double>(slide.skin) / slant, 0.0, way);
    at.position = at.position + static_cast<float>(gone / way) * rest;
    rest = static_cast<float>((way - gone) / way) * rest;
    const Meeting meeting = slide.hits.back().meeting;
    if (meeting == Meeting::touch) {
      break;
    }
    const Point left = detail::to_point(rest);
    rest = detail::to_vec2(left - ((meeting == Meeting::bounce ? 2.0 : 1.0) * dot(left, normal)) * normal);
    walls.push_back(obstacle->normal);
    // Between two walls there is nowhere to go.
    if (meeting == Meeting::slide && std::any_of(walls.begin(), walls.end(), [&](Vec2 wall) {
          return dot(detail::to_point(rest), detail::to_point(wall)) > 1e-4 * length(rest);
        })) {
      rest = {};
    }
  }
  if (state.is_abandoned) {
    return Error{ErrorCode::stale_id, "move_and_slide: meet destroyed the world or restored another"};
  }
  if (auto moved = world->move(body, at); moved.error()) {
    return moved.error();
  }
  return SlideResult{at.position, rest, std::move(slide.hits)};
}

}  // namespace broadside
