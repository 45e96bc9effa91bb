#include <algorithm>
#include <limits>

#include "base/make_room.hpp"
#include "world/checks.hpp"
#include "world/recorder.hpp"

namespace broadside {

namespace {

Vec2 clamped(Vec2 v) {
  constexpr float most = std::numeric_limits<float>::max();
  return {std::clamp(v.x, -most, most), std::clamp(v.y, -most, most)};
}

}  // namespace

void World::State::set_transform(Place body, const Transform& transform, bool with_speed) {
  const Vec2 before = transforms[body].position;
  if (!with_speed) {
    const Vec2 motion = before - previous[body];
    previous[body] = motion == Vec2{} ? transform.position : clamped(transform.position - motion);
  }
  if (transforms[body] == transform) {
    return;
  }
  for_each_part(body, [&](Place place) {
    transforms[place] = transform;
    mark(place, moved | unboxed);
  });
}

void World::State::let_drift(Place body) {
  if ((lists[body] & in_drifting) == 0) {
    lists[body] |= in_drifting;
    drifting.push_back(body);
  }
}

// A place is listed once, so there are never more than places.
void World::State::make_room_to_drift(std::size_t more) {
  detail::make_room(drifting, std::min(slots.capacity(), drifting.size() + more));
}

Result<void> World::move(BodyId body, const Transform& transform) {
  return move({&body, 1}, {&transform, 1});
}

Result<void> World::move(BodyId body, Vec2 position) {
  return move({&body, 1}, {&position, 1});
}

Result<void> World::move(std::span<const BodyId> bodies, std::span<const Vec2> positions) {
  if (Error error = state_->check_moves(bodies, positions.size())) {
    return error;
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!is_finite(positions[i])) {
      return check(positions[i], to_text(bodies[i]) + ": position");
    }
  }
  const auto transform_at = [&](std::size_t i) {
    return Transform{positions[i], state_->transforms[bodies[i].index].rotation};
  };
  State::Note note(*state_);
  if (state_->recorder != nullptr) {
    std::vector<Transform> transforms;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      transforms.push_back(transform_at(i));
    }
    note.add(Change::move, bodies, std::span<const Transform>(transforms));
  }
  note.keep();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    state_->set_transform(bodies[i].index, transform_at(i), false);
  }
  return {};
}

Result<void> World::move(std::span<const BodyId> bodies, std::span<const Transform> transforms) {
  if (Error error = state_->check_moves(bodies, transforms.size())) {
    return error;
  }
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    if (!detail::is_valid(transforms[i])) {
      return check(transforms[i], to_text(bodies[i]));
    }
  }
  state_->note(Change::move, bodies, transforms);
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    state_->set_transform(bodies[i].index, transforms[i], false);
  }
  return {};
}

Error World::State::check_moves(std::span<const BodyId> moving, std::size_t targets) {
  if (Error error = check_change()) {
    return error;
  }
  if (moving.size() != targets) {
    return {ErrorCode::invalid_argument, "move: " + std::to_string(moving.size()) + " bodies to " +
                                             std::to_string(targets) + " places; there must be as many"};
  }
  return check_each(moving, "move");
}

Result<void> World::teleport(BodyId body, const Transform& transform) {
  if (Error error = state_->check_change(body)) {
    return error;
  }
  if (!detail::is_valid(transform)) {
    return check(transform, to_text(body));
  }
  state_->note(Change::teleport, body, transform);
  state_->set_transform(body.index, transform, false);
  if (state_->slots[body.index].bullet) {
    state_->for_each_part(body.index, [&](State::Place place) { state_->swept_from[place] = transform; });
  }
  return {};
}

Result<void> World::push(BodyId body, Vec2 way) {
  State& state = *state_;
  if (Error error = state.check_change(body)) {
    return error;
  }
  const Transform& before = state.transforms[body.index];
  const Vec2 position = before.position + way;
  if (!is_finite(position)) {
    return check(position, to_text(body) + ": position");
  }
  if (state.slots[body.index].type == BodyType::static_body) {
    return Error{ErrorCode::invalid_argument, to_text(body) + " is static; it has no velocity"};
  }
  state.make_room_to_drift(1);
  state.note(Change::push, body, way);
  state.set_transform(body.index, {position, before.rotation}, true);
  state.let_drift(body.index);
  return {};
}

Result<Transform> World::transform(BodyId body) const {
  const Error error = state_->check(body);
  return error ? Result<Transform>(error) : state_->transforms[body.index];
}

Result<Vec2> World::position(BodyId body) const {
  const Error error = state_->check(body);
  return error ? Result<Vec2>(error) : state_->transforms[body.index].position;
}

Result<void> World::positions(std::span<const BodyId> bodies, std::span<Vec2> positions) const {
  if (Error error = state_->check_there()) {
    return error;
  }
  if (bodies.size() != positions.size()) {
    return Error{ErrorCode::invalid_argument, "positions: " + std::to_string(bodies.size()) +
                                                  " bodies but room for " + std::to_string(positions.size()) +
                                                  " positions; there must be as many"};
  }
  for (const BodyId body : bodies) {
    if (Error error = state_->check(body)) {
      return error;
    }
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    positions[i] = state_->transforms[bodies[i].index].position;
  }
  return {};
}

Result<Vec2> World::velocity(BodyId body) const {
  if (Error error = state_->check(body)) {
    return error;
  }
  // In double: neither the way nor one over a very short step need fit into a float.
  const Vec2 now = state_->transforms[body.index].position;
  const Vec2 before = state_->previous[body.index];
  const auto speed = [seconds = static_cast<double>(state_->last_seconds)](float from, float to) {
    constexpr double most = std::numeric_limits<float>::max();
    return static_cast<float>(
        std::clamp((static_cast<double>(to) - static_cast<double>(from)) / seconds, -most, most));
  };
  return Vec2{speed(before.x, now.x), speed(before.y, now.y)};
}

Result<void> World::set_velocity(BodyId body, Vec2 velocity) {
  State& state = *state_;
  if (Error error = state.check_change(body)) {
    return error;
  }
  if (!is_finite(velocity)) {
    return check(velocity, to_text(body) + ": velocity");
  }
  const Vec2 previous = state.transforms[body.index].position - state.last_seconds * velocity;
  if (!is_finite(previous)) {
    return check(previous, to_text(body) + ": the way of one step");
  }
  if (state.slots[body.index].type == BodyType::static_body) {
    return Error{ErrorCode::invalid_argument, to_text(body) + " is static; it has no velocity"};
  }
  state.make_room_to_drift(1);
  state.note(Change::set_velocity, body, velocity);
  state.previous[body.index] = previous;
  state.let_drift(body.index);
  return {};
}

Result<Aabb> World::bounds(BodyId body) const {
  if (Error error = state_->check(body)) {
    return error;
  }
  return state_->bounds(body.index);
}

Aabb World::State::bounds(Place body) const {
  Aabb box = broadside::bounds(shapes[body], transforms[body]);
  for (Place part = next_part(body); part != none; part = next_part(part)) {
    box = merge(box, broadside::bounds(shapes[part], transforms[body]));
  }
  return box;
}

// Motion, after Verlet: a body remembers where it was, and its speed is the difference.

namespace {

Error check_seconds(float seconds) {
  return is_finite(seconds) && seconds >= 0.0F
             ? Error{}
             : Error{ErrorCode::invalid_argument, "step: seconds must be a finite number, 0 or more"};
}

}  // namespace

Result<void> World::State::accelerate(float seconds, bool may_take_back) {
  Error error = check_seconds(seconds);
  if (error || (error = check_change())) {
    return error;
  }
  const Vec2 fall = seconds * (seconds * options.gravity);
  if (fall != Vec2{}) {
    make_room_to_drift(movers);
    if (may_take_back) {
      detail::make_room(fallen, movers);
    }
  }
  note(Change::accelerate, seconds);
  if (fall == Vec2{}) {
    return {};
  }
  const auto remember = [&](Place place, Vec2 before) {
    if (may_take_back) {
      fallen.push_back({place, before, (changes[place] & moved) != 0});
    }
  };
  for (Place place = 0; place < slots.size(); ++place) {
    const Slot& slot = slots[place];
    if (slot.used && !slot.is_part && slot.enabled && slot.type == BodyType::dynamic) {
      const Transform& before = transforms[place];
      if (slot.bullet) {
        // It may be held just where it touches something, and would fall off before anybody sees the contact:
        // it gets the speed alone.
        if (is_finite(previous[place] - fall)) {
          remember(place, previous[place]);
          previous[place] = previous[place] - fall;
          let_drift(place);
        }
        continue;
      }
      const Vec2 position = before.position + fall;
      if (is_finite(position)) {
        for_each_part(place, [&](Place part) { remember(part, before.position); });
        set_transform(place, {position, before.rotation}, true);
        let_drift(place);
      }
    }
  }
  return {};
}

// What a step added is taken from all bodies again, as if it had not begun.
void World::State::take_back_fall() {
  for (const auto& [place, before, was_moved] : fallen) {
    if (slots[place].bullet) {
      previous[place] = before;
    } else if (transforms[place].position != before) {
      transforms[place].position = before;
      mark(place, unboxed);
      changes[place] &= static_cast<std::uint8_t>(was_moved ? ~0U : ~std::uint32_t{moved});
    }
  }
  fallen.clear();
}

Result<void> World::State::move_on(float seconds) {
  Error error = check_seconds(seconds);
  if (error || (error = check_change())) {
    return error;
  }
  note(Change::move_on, seconds);
  if (seconds == 0.0F) {
    return {};
  }
  const float share = seconds / last_seconds;
  const bool same = seconds == last_seconds;
  last_seconds = seconds;
  std::size_t still = 0;
  for (const Place place : drifting) {
    const Transform before = transforms[place];
    const Vec2 motion = before.position - previous[place];
    const Vec2 way = same ? motion : share * motion;
    const Vec2 next = before.position + way;
    const Slot& slot = slots[place];
    const bool drifts = way != Vec2{} && slot.used && !slot.is_part && slot.enabled && is_finite(next);
    previous[place] = before.position;
    if (!drifts) {
      lists[place] &= static_cast<std::uint8_t>(~in_drifting);
      continue;
    }
    set_transform(place, {next, before.rotation}, true);
    drifting[still++] = place;
  }
  drifting.resize(still);
  detail::FirstException thrown;
  if (!bullets.empty() && options.response != Response::none) {
    hold_bullets(thrown);
  }
  thrown.rethrow();
  return {};
}

}  // namespace broadside
