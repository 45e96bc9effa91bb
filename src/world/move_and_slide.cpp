#include "broadside/world/move_and_slide.hpp"

#include <algorithm>
#include <limits>

#include "world/recorder.hpp"
#include "world/slide.hpp"

namespace broadside::inline v0_2 {

using detail::Point;
using detail::to_point;

SlideResponse one_way_response(const Obstacle& obstacle, Vec2 up) {
  const bool from_above = dot(obstacle.normal, up) > min_up_of_ground && dot(obstacle.motion, up) <= 0.0F;
  return from_above && !obstacle.was_inside ? SlideResponse::slide : SlideResponse::cross;
}

namespace {

Error check(const SlideOptions& options) {
  if (!(is_finite(options.skin) && options.skin >= 0.0F)) {
    return {ErrorCode::invalid_argument, "move_and_slide: skin must be a finite number, 0 or more"};
  }
  if (!is_finite(options.up)) {
    return {ErrorCode::not_finite, "move_and_slide: up must be finite"};
  }
  const double size = length(to_point(options.up));
  if (options.up != Vec2{} && !(size >= 0.99 && size <= 1.01)) {
    return {ErrorCode::invalid_argument, "move_and_slide: up must be a unit vector, or zero"};
  }
  return {};
}

/// Returns the displacement of a point that moves with a body.
Point displacement(Point point, const Transform& before, const Transform& now) {
  if (before == now) {
    return {};
  }
  const auto c = static_cast<double>(before.rotation.cos);
  const auto s = static_cast<double>(before.rotation.sin);
  const Point offset = point - to_point(before.position);
  const double scale = 1.0 / (c * c + s * s);
  const Point local{scale * (c * offset.x + s * offset.y), scale * (c * offset.y - s * offset.x)};
  return (to_point(now.position) - point) + rotate(now.rotation, local);
}

}  // namespace

void World::State::Slide::start() {
  const Vec2 gravity = state.motions.gravity();
  const Vec2 above = options.up != Vec2{} ? options.up : -gravity;
  if (above != Vec2{}) {
    up = (1.0 / length(to_point(above))) * to_point(above);
  }
  given_skin =
      static_cast<double>(options.skin > 0.0F ? options.skin : 1e-3F * state.bodies.shorter_side(body.index));
  at = state.bodies.transform(body.index);
  place = to_point(at.position);
  const Aabb box = state.bodies.bounds(body.index);
  for (const Vec2 corner : {box.min, box.max}) {
    reach = std::max(reach, largest_side(to_point(corner) - place));
  }
  const detail::SlideRecord* last = state.slide_memory.find(body.index);
  if (last != nullptr && last->at == at) {
    before = *last;
    place = place + to_point(last->remainder);
  }
}

Point World::State::Slide::run(Point motion, Leg leg) {
  std::vector<Point> walls;  // normals of the surfaces that deflected the motion
  for (std::size_t turns = 0; turns < options.max_hits && motion != Point{}; ++turns) {
    const auto contact = first_obstacle(motion, leg);
    if (!contact) {
      put_at(place + motion);
      return {};
    }
    const SlideResponse response = hits.back().response;
    const Deflection next = deflect(motion, *contact, response);
    put_at(next.place);
    motion = next.motion;
    if (response == SlideResponse::touch) {
      break;
    }
    walls.push_back(to_point(contact->obstacle.normal));
    // Deflected into an earlier wall: the body is in a corner.
    const double length_left = length(motion);
    if (response == SlideResponse::slide && std::any_of(walls.begin(), walls.end(), [&](Point wall) {
          return dot(motion, wall) < -1e-4 * length_left;
        })) {
      motion = {};
    }
  }
  return motion;
}

/// Moves the body along `motion`, or halfway to an obstacle; returns the distance. Does not call `respond`.
double World::State::Slide::nudge(Point motion) {
  const double length_of_motion = length(motion);
  const auto block = first_solid(at, motion, Leg::probe);
  const double traveled = block ? std::min(length_of_motion, 0.5 * block->distance) : length_of_motion;
  put_at(place + (traveled / length_of_motion) * motion);
  return traveled;
}

/// Moves the body off a surface by the skin, as far as there is space. Off the ground it moves straight up:
/// it is put down again at the end, and would otherwise creep downhill.
void World::State::Slide::restore_skin(Vec2 normal) {
  const double skin = skin_at(place);
  if (carries(normal)) {
    lifted += nudge((skin / dot(to_point(normal), *up)) * *up);
  } else {
    nudge(skin * to_point(normal));
  }
}

void World::State::Slide::follow_ground() {
  if (!before || !before->ground || !carries(before->ground->normal)) {
    return;
  }
  const detail::SlideGround ground = *before->ground;
  if (!state.bodies.contains(ground.body) || !state.matches(ground.body.index, filter) ||
      !may_meet_it(ground.body)) {
    return;
  }
  ignored = ground.body;
  const Point motion = displacement(place, ground.at, state.bodies.transform(ground.body.index));
  restore_skin(ground.normal);
  run(motion, Leg::carried);
  ignored.reset();
}

std::optional<World::State::Slide::ObstacleContact> World::State::Slide::find_counterpart(
    Point push, std::vector<BodyId>& solid) {
  for (const ObstacleContact& contact : find_obstacles(at, push, Leg::probe)) {
    const BodyId other = contact.obstacle.body;
    if (!still_counts(other) || sidestep(at, push, contact) == Point{}) {
      continue;
    }
    if (std::find(solid.begin(), solid.end(), other) == solid.end()) {
      if (respond_to(contact.obstacle) == SlideResponse::cross) {
        continue;
      }
      solid.push_back(other);
    }
    return contact;
  }
  return std::nullopt;
}

// Each push moves the body out of the obstacle with the deepest overlap, or, if another obstacle blocks the
// push, to where the overlap with both is equal.
std::vector<World::State::Slide::ObstacleContact> World::State::Slide::depenetrate() {
  constexpr int max_pushes = 16;
  std::vector<BodyId> solid;  // obstacles that push it
  for (int push = 0; push < max_pushes; ++push) {
    auto overlaps = find_overlaps(place);
    if (!is_stuck(overlaps)) {
      return overlaps;
    }
    const Obstacle worst = overlaps.front().obstacle;
    const auto depth = static_cast<double>(worst.depth);
    if (std::find(solid.begin(), solid.end(), worst.body) == solid.end()) {
      if (respond_to(worst) == SlideResponse::cross || !state.bodies.contains(worst.body)) {
        continue;
      }
      solid.push_back(worst.body);
    }
    const Point out = depth * to_point(worst.normal);
    if (largest_side(place + out) > std::numeric_limits<float>::max()) {
      return overlaps;
    }
    const auto contact = find_counterpart(out, solid);
    if (!contact) {
      put_at(place + out);
      restore_skin(worst.normal);
      continue;
    }
    double other_overlap = -contact->distance;  // overlap with the other obstacle; negative if apart
    for (const ObstacleContact& overlap : overlaps) {
      if (overlap.part == contact->part && overlap.other == contact->other) {
        other_overlap = static_cast<double>(overlap.obstacle.depth);
      }
    }
    const double share = 0.5 * (depth - other_overlap) / depth;
    if (share * depth <= rounding_at(place)) {
      return overlaps;
    }
    put_at(place + share * out);
  }
  return find_overlaps(place);
}

void World::State::Slide::restore_skins(const std::vector<ObstacleContact>& found) {
  for (const ObstacleContact& overlap : found) {
    if (static_cast<double>(overlap.obstacle.depth) > rounding_at(place) ||
        !still_counts(overlap.obstacle.body) ||
        !broadside::overlaps(state.bodies.shape(overlap.part), at, state.bodies.shape(overlap.other),
                             state.bodies.transform(overlap.other))) {
      continue;
    }
    if (respond_to(overlap.obstacle) != SlideResponse::cross) {
      restore_skin(overlap.obstacle.normal);
    }
  }
}

std::optional<Obstacle> World::State::Slide::snap_to_ground(Point motion, double traveled) {
  if (!up) {
    return std::nullopt;
  }
  const double ulp = ulp_at(place);
  const double rounded_times = 0x1p-22 * traveled;  // the times of casts are floats, rounded down
  const double range =
      dot(motion, *up) > 0.0 ? lifted : std::max(lifted, 2.0 * skin_at(place)) + 4.0 * ulp + rounded_times;
  const Point down = (-range) * *up;
  for (const ObstacleContact& contact : find_obstacles(at, down, Leg::probe)) {
    const Obstacle& obstacle = contact.obstacle;
    if (!still_counts(obstacle.body) || sidestep(at, down, contact) == Point{}) {
      continue;
    }
    const bool stands = carries(obstacle.normal);
    const bool is_answered =
        stands && std::any_of(hits.begin(), hits.end(), [&](const SlideHit& hit) {
          return hit.obstacle.body == obstacle.body && carries(hit.obstacle.normal) &&
                 (hit.response == SlideResponse::slide || hit.response == SlideResponse::touch);
        });
    const SlideResponse response = is_answered ? SlideResponse::slide : respond_to(obstacle);
    if (response == SlideResponse::cross) {
      continue;
    }
    if (!stands || response == SlideResponse::bounce) {
      const double slant = std::max(dot(*up, to_point(obstacle.normal)), 1e-6);
      put_at(place - std::clamp(contact.distance - skin_at(place) / slant, 0.0, lifted) * *up);
      return std::nullopt;
    }
    lower_to(contact);
    return obstacle;
  }
  put_at(place - lifted * *up);
  return std::nullopt;
}

/// Moves the body down to the highest float position where it touches the ground, or, if it touches it
/// nowhere because neither has a thickness, to the position next to the contact.
void World::State::Slide::lower_to(const ObstacleContact& contact) {
  if (contact.distance == 0.0) {
    return;  // it is squeezed between the ground and another obstacle
  }
  const Point from = to_point(at.position);
  const Point remainder = place - from;
  const double ulp = ulp_at(place);
  at.position = to_vec2(from - contact.distance * *up);
  for (int below = -2; below <= 4; ++below) {
    const Transform tried{to_vec2(from - (contact.distance + below * ulp) * *up), at.rotation};
    if (broadside::overlaps(state.bodies.shape(contact.part), tried, state.bodies.shape(contact.other),
                            state.bodies.transform(contact.other))) {
      at = tried;
      break;
    }
  }
  place = to_point(at.position) + remainder - dot(remainder, *up) * *up;
}

detail::SlideRecord World::State::Slide::record(const std::optional<Obstacle>& ground) const {
  detail::SlideRecord record{body, at, to_vec2(place - to_point(at.position))};
  if (ground) {
    record.ground = {ground->body, state.bodies.transform(ground->body.index), ground->normal};
    record.is_dirty = true;
  }
  if (crossed.empty()) {
    return record;
  }
  for (const ObstacleContact& overlap : find_overlaps(place, true)) {
    if (static_cast<double>(overlap.obstacle.depth) > rounding_at(place)) {
      record.crossed.push_back(overlap.obstacle.body);
    }
  }
  std::sort(record.crossed.begin(), record.crossed.end());
  record.crossed.erase(std::unique(record.crossed.begin(), record.crossed.end()), record.crossed.end());
  return record;
}

/// Keeps the record of a call. The next step reports the ground.
void World::State::adopt_slide(detail::SlideRecord&& record) {
  if (record.is_dirty) {
    mark_body(record.body.index, moved);
  }
  slide_memory.set(std::move(record));
}

Result<SlideResult> World::move_and_slide(BodyId body, Vec2 motion, const SlideOptions& options) {
  Handle world(state_);
  State& state = *world->state_;
  if (Error error = state.check_change(body)) {
    return error;
  }
  if (!is_finite(state.bodies.transform(body.index).position + motion)) {
    return Error{ErrorCode::not_finite,
                 "move_and_slide: the motion must be finite, and end at a finite place"};
  }
  if (Error error = check(options)) {
    return error;
  }
  State::Slide slide{.state = state,
                     .body = body,
                     .options = options,
                     .filter = {.filter = state.rules.filter(state.bodies.slot(body.index)), .except = body}};
  slide.start();
  const Point start = slide.place;
  const Point wanted = to_point(motion);
  slide.follow_ground();
  auto found = slide.depenetrate();
  if (slide.place != start && slide.is_stuck(found)) {
    // The ground must not carry a body into obstacles that it cannot leave: the body stays behind instead.
    slide.put_at(start);
    slide.lifted = 0.0;
    found = slide.depenetrate();
  }
  slide.restore_skins(found);
  const Point rest = slide.run(wanted, State::Slide::Leg::own);
  const auto ground = slide.snap_to_ground(wanted, largest_side(slide.place - start));
  if (slide.error) {
    return slide.error;
  }
  if (state.rules.is_abandoned()) {
    return Error{ErrorCode::stale_id, "move_and_slide: respond destroyed the world or restored another"};
  }
  detail::SlideRecord record = slide.record(ground);
  state.slide_memory.reserve_one();
  State::Note note(state, Change::slide, record);
  if (auto moved = world->move(body, slide.at); moved.error()) {
    return moved.error();
  }
  note.keep();
  state.adopt_slide(std::move(record));
  return SlideResult{slide.at.position, to_vec2(rest), std::move(slide.hits), ground};
}

}  // namespace broadside::inline v0_2
