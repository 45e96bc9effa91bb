#include <algorithm>
#include <cmath>
#include <limits>

#include "base/make_room.hpp"
#include "base/number_text.hpp"
#include "contact/to_vec2.hpp"
#include "world/checks.hpp"
#include "world/recorder.hpp"

namespace broadside {

using detail::Point;
using detail::to_point;

namespace {

Error check_seconds(float seconds) {
  return is_finite(seconds) && seconds >= 0.0F
             ? Error{}
             : Error{ErrorCode::invalid_argument, "step: seconds must be a finite number, 0 or more"};
}

}  // namespace

Error World::State::check_mover(BodyId body) const {
  return bodies.slot(body.index).type != BodyType::static_body
             ? Error{}
             : Error{ErrorCode::invalid_argument, to_text(body) + " is static; it has no velocity"};
}

Point World::State::exact_position(Place body) const {
  return to_point(bodies.transform(body).position) + to_point(motions.remainder(body));
}

/// Moves a body to a place between floats.
void World::State::move_exactly(Place body, Point to) {
  const Vec2 position = detail::to_vec2(to);
  set_transform(body, {position, bodies.transform(body).rotation});
  motions.set_remainder(body, detail::to_vec2(to - to_point(position)));
}

Result<Vec2> World::velocity(BodyId body) const {
  const Error error = state_->check(body);
  return error ? Result<Vec2>(error) : state_->motions.velocity(body.index);
}

/// Changes the velocity or the acceleration of a body by `set`.
template <typename Set>
Result<void> World::State::change_motion(BodyId body, Change change, std::string_view what, Vec2 value,
                                         Set set) {
  if (Error error = check_change(body)) {
    return error;
  }
  if (!is_finite(value)) {
    return broadside::check(value, to_text(body) + ": " + std::string(what));
  }
  if (Error error = check_mover(body)) {
    return error;
  }
  motions.reserve(bodies.capacity());
  if (change == Change::set_acceleration) {
    motions.reserve_accelerations(bodies.capacity());
  }
  note(change, body, value);
  set(body.index, value);
  return {};
}

Result<void> World::set_velocity(BodyId body, Vec2 velocity) {
  return state_->change_motion(
      body, Change::set_velocity, "velocity", velocity,
      [this](State::Place place, Vec2 value) { state_->motions.set_velocity(place, value); });
}

Result<Vec2> World::acceleration(BodyId body) const {
  const Error error = state_->check(body);
  return error ? Result<Vec2>(error) : state_->motions.acceleration(body.index);
}

Result<void> World::set_acceleration(BodyId body, Vec2 acceleration) {
  return state_->change_motion(
      body, Change::set_acceleration, "acceleration", acceleration,
      [this](State::Place place, Vec2 value) { state_->motions.set_acceleration(place, value); });
}

Result<void> World::push(BodyId body, Vec2 way) {
  State& state = *state_;
  if (Error error = state.check_change(body)) {
    return error;
  }
  const Point at = state.exact_position(body.index) + to_point(way);
  const Point faster = to_point(state.motions.velocity(body.index)) +
                       (1.0 / static_cast<double>(state.last_seconds)) * to_point(way);
  if (!detail::is_in_range(at) || !detail::is_in_range(faster)) {
    return Error{ErrorCode::not_finite, to_text(body) +
                                            ": the way and what it adds to position and velocity "
                                            "must be finite"};
  }
  if (Error error = state.check_mover(body)) {
    return error;
  }
  state.motions.reserve(state.bodies.capacity());
  state.note(Change::push, body, way);
  state.move_exactly(body.index, at);
  state.motions.set_velocity(body.index, detail::to_vec2(faster));
  return {};
}

Vec2 World::gravity() const {
  return state_->options.gravity;
}

Result<void> World::set_gravity(Vec2 gravity) {
  if (Error error = state_->check_change()) {
    return error;
  }
  if (Error error = check(gravity, "gravity")) {
    return error;
  }
  state_->note(Change::set_gravity, gravity);
  state_->options.gravity = gravity;
  return {};
}

Point World::State::acceleration_of(Place body) const {
  return to_point(gravity_of(body)) + to_point(motions.acceleration(body));
}

/// Tells whether a body that bounces moved so far that it may be behind what it ran into.
bool World::State::is_fast(Place body, Vec2 from) const {
  if (options.response != Response::bounce || bodies.slot(body).type != BodyType::dynamic ||
      bodies.slot(body).sensor) {
    return false;
  }
  const Point way = to_point(bodies.transform(body).position) - to_point(from);
  double smallest = std::numeric_limits<double>::infinity();
  bodies.for_each_part(body, [&](Place part) {
    smallest = std::min(smallest, static_cast<double>(bodies.shorter_side(part)));
  });
  return 16.0 * dot(way, way) > smallest * smallest;
}

Vec2 World::State::gravity_of(Place body) const {
  return bodies.slot(body).type == BodyType::dynamic ? options.gravity : Vec2{};
}

/// Lists the bodies that fall among those that move.
void World::State::list_falling() {
  if (options.gravity == Vec2{}) {
    return;
  }
  motions.reserve(bodies.capacity());
  for (Place place = 0; place < bodies.places(); ++place) {
    const Slot& slot = bodies.slot(place);
    if (slot.used && !slot.is_part && slot.enabled && slot.type == BodyType::dynamic) {
      motions.add_moving(place);
    }
  }
}

Error World::State::prepare_motion(float seconds) {
  if (Error error = check_seconds(seconds)) {
    return error;
  }
  if (Error error = check_change()) {
    return error;
  }
  list_falling();
  return {};
}

Error World::State::check_step(float seconds) {
  if (Error error = prepare_motion(seconds)) {
    return error;
  }
  // Nearly always it is enough to look at the largest numbers that there can be.
  const auto t = static_cast<double>(seconds);
  const double pull = std::max(std::abs(static_cast<double>(options.gravity.x)),
                               std::abs(static_cast<double>(options.gravity.y)));
  const double speed =
      static_cast<double>(motions.fastest()) + t * (pull + static_cast<double>(motions.strongest()));
  constexpr double most = std::numeric_limits<float>::max();
  if (speed <= most && static_cast<double>(bodies.farthest()) + t * speed <= most / 2) {
    return {};
  }
  bodies.find_farthest();
  motions.find_fastest();
  for (const Place place : motions.moving()) {
    if (moves(place) && !motions.after(place, bodies.transform(place).position, gravity_of(place), t)) {
      return {ErrorCode::not_finite, to_text(bodies.id(place)) + ": in " + detail::number_text(seconds) +
                                         " seconds its position or velocity would leave the range of float"};
    }
  }
  return {};
}

/// Moves bodies by their velocities and accelerations.
///
/// @pre `prepare_motion` found no error. A body that would leave the range of float stays: what callbacks
/// changed after `check_step` may send it there, and the next step is refused.
void World::State::integrate(float seconds, bool may_take_back) {
  before_motion.clear();
  if (may_take_back) {
    detail::make_room(before_motion, motions.moving().size());
  }
  if (seconds == 0.0F) {
    return;
  }
  if (options.response == Response::bounce) {
    detail::make_room(fast, fast.size() + motions.moving().size());
  }
  last_seconds = seconds;  // after all that allocates
  motions.move_each([&](Place place) {
    const Transform& now = bodies.transform(place);
    const auto next =
        moves(place) ? motions.after(place, now.position, gravity_of(place), static_cast<double>(seconds))
                     : std::nullopt;
    if (next) {
      if (may_take_back) {
        remember_motion(place);
      }
      const Vec2 from = now.position;
      set_transform(place, {next->position, now.rotation});
      motions.set(place, *next);
      if (is_fast(place, from)) {
        fast.push_back(place);
        starts[place] = from;
      }
    }
    return bodies.slot(place).used && (motions.acceleration(place) != Vec2{} || gravity_of(place) != Vec2{});
  });
  std::sort(fast.begin(), fast.end());
  fast.erase(std::unique(fast.begin(), fast.end()), fast.end());
}

void World::State::remember_motion(Place body) {
  before_motion.push_back({body, bodies.transform(body).position, motions.remainder(body),
                           motions.velocity(body), starts.empty() ? Vec2{} : starts[body],
                           changes.has(body, moved)});
}

/// Takes back what a stage did to bodies, as if it had not begun.
void World::State::take_back_motion() {
  for (auto at = before_motion.rbegin(); at != before_motion.rend(); ++at) {
    const BeforeMotion& before = *at;
    motions.set_remainder(before.body, before.remainder);
    motions.set_velocity(before.body, before.velocity);
    if (!starts.empty()) {
      starts[before.body] = before.start;
    }
    if (bodies.transform(before.body).position != before.position) {
      set_transform(before.body, {before.position, bodies.transform(before.body).rotation});
      if (!before.was_moved) {
        bodies.for_each_part(before.body, [this](Place place) { changes.unmark_moved(place); });
      }
    }
  }
  before_motion.clear();
  fast.clear();
}

Result<void> World::integrate(float seconds) {
  if (Error error = state_->check_step(seconds)) {
    return error;
  }
  State::Note note(*state_, Change::integrate, seconds);
  state_->integrate(seconds, false);
  note.keep();
  return {};
}

}  // namespace broadside
