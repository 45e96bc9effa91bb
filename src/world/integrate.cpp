#include "base/number_text.hpp"
#include "base/reserve.hpp"
#include "base/to_vec2.hpp"
#include "world/checks.hpp"
#include "world/recorder.hpp"

namespace broadside::inline v0_2 {

using detail::Point;
using detail::to_point;

Error World::State::check_mover(BodyId body) const {
  return bodies.slot(body.index).type != BodyType::static_body
             ? Error{}
             : Error{ErrorCode::invalid_argument, to_string(body) + " is static; it has no velocity"};
}

/// Moves a body to a position in double; the rounding error becomes its remainder.
void World::State::move_exactly(Place body, Point to) {
  const Vec2 position = detail::to_vec2(to);
  set_transform(body, {position, bodies.transform(body).rotation});
  motions.set_remainder(body, detail::to_vec2(to - to_point(position)));
}

/// Changes the velocity or the acceleration of a body by `set`.
Result<void> World::State::change_motion(BodyId body, Change change, std::string_view what, Vec2 value,
                                         void (Motion::*set)(Place, Vec2)) {
  if (Error error = check_change(body)) {
    return error;
  }
  if (!is_finite(value)) {
    return broadside::check(value, to_string(body) + ": " + std::string(what));
  }
  if (Error error = check_mover(body)) {
    return error;
  }
  motions.reserve(bodies.capacity());
  if (change == Change::set_acceleration) {
    motions.reserve_accelerations(bodies.capacity());
  }
  Note(*this, change, body, value).keep();
  (motions.*set)(body.index, value);
  return {};
}

Result<void> World::set_velocity(BodyId body, Vec2 velocity) {
  return state_->change_motion(body, Change::set_velocity, "velocity", velocity, &Motion::set_velocity);
}

Result<void> World::set_acceleration(BodyId body, Vec2 acceleration) {
  return state_->change_motion(body, Change::set_acceleration, "acceleration", acceleration,
                               &Motion::set_acceleration);
}

Result<void> World::push(BodyId body, Vec2 motion) {
  State& state = *state_;
  if (Error error = state.check_change(body)) {
    return error;
  }
  const Point at = state.motions.exact_position(body.index) + to_point(motion);
  const Point faster = to_point(state.motions.velocity(body.index)) +
                       (1.0 / static_cast<double>(state.motions.seconds())) * to_point(motion);
  if (!detail::is_in_range(at) || !detail::is_in_range(faster)) {
    return Error{ErrorCode::not_finite, to_string(body) +
                                            ": the motion, and the position and velocity after it, "
                                            "must be finite"};
  }
  if (Error error = state.check_mover(body)) {
    return error;
  }
  state.motions.reserve(state.bodies.capacity());
  State::Note(state, Change::push, body, motion).keep();
  state.move_exactly(body.index, at);
  state.motions.set_velocity(body.index, detail::to_vec2(faster));
  return {};
}

Vec2 World::gravity() const {
  return state_->motions.gravity();
}

Result<void> World::set_gravity(Vec2 gravity) {
  if (Error error = state_->check_change()) {
    return error;
  }
  if (Error error = check(gravity, "gravity")) {
    return error;
  }
  State::Note(*state_, Change::set_gravity, gravity).keep();
  state_->motions.set_gravity(gravity);
  return {};
}

Error World::State::prepare_motion(float seconds) {
  if (!(is_finite(seconds) && seconds >= 0.0F)) {
    return {ErrorCode::invalid_argument, "step: seconds must be a finite number, 0 or more"};
  }
  if (Error error = check_change()) {
    return error;
  }
  motions.list_falling();
  return {};
}

Error World::State::check_step(float seconds) {
  if (Error error = prepare_motion(seconds)) {
    return error;
  }
  const auto t = static_cast<double>(seconds);
  const bool all_stay = motions.all_stay_in_range(t, bodies.farthest());
  if (const auto lost = all_stay ? std::nullopt : motions.find_out_of_range(t)) {
    return {ErrorCode::not_finite, to_string(bodies.id(*lost)) + ": in " + detail::number_text(seconds) +
                                       " seconds its position or velocity would leave the range of float"};
  }
  return {};
}

/// Moves bodies by their velocities and accelerations.
///
/// A body that would leave the range of float does not move: callbacks may have changed its motion after
/// `check_step`, and the next step is refused. @pre `prepare_motion` found no error
void World::State::integrate(float seconds, bool may_take_back) {
  before_motion.clear();
  if (may_take_back) {
    detail::reserve(before_motion, motions.moving().size());
  }
  if (seconds == 0.0F) {
    return;
  }
  sweeper.reserve_fast(motions.moving().size());
  motions.set_seconds(seconds);  // after all allocations
  motions.move_each([&](Place place) {
    const Transform& now = bodies.transform(place);
    if (const auto next = motions.after(place, static_cast<double>(seconds))) {
      if (may_take_back) {
        remember_motion(place);
      }
      const Vec2 from = now.position;
      set_transform(place, {next->position, now.rotation});
      motions.set(place, *next);
      sweeper.note_motion(place, from);
    }
    return bodies.slot(place).used && motions.acceleration(place) != Vec2{};
  });
  sweeper.sort_fast();
}

void World::State::remember_motion(Place body) {
  before_motion.push_back({body, bodies.transform(body).position, motions.remainder(body),
                           motions.velocity(body), sweeper.start(body), changes.has(body, moved)});
}

/// Rolls back what a stage did to bodies.
void World::State::roll_back_motion() {
  for (auto at = before_motion.rbegin(); at != before_motion.rend(); ++at) {
    const BeforeMotion& before = *at;
    motions.set_remainder(before.body, before.remainder);
    motions.set_velocity(before.body, before.velocity);
    sweeper.restore_start(before.body, before.start);
    if (bodies.transform(before.body).position != before.position) {
      set_transform(before.body, {before.position, bodies.transform(before.body).rotation});
      if (!before.was_moved) {
        bodies.for_each_part(before.body, [this](Place place) { changes.unmark_moved(place); });
      }
    }
  }
  before_motion.clear();
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

}  // namespace broadside::inline v0_2
