#include "world/checks.hpp"
#include "world/recorder.hpp"

namespace broadside {

void World::State::set_transform(Place body, const Transform& transform) {
  if (bodies.transform(body) == transform) {
    return;
  }
  bodies.set_transform(body, transform, [this](Place place) { mark(place, moved | box_outdated); });
}

// A position that the caller sets has no rounding error.
void World::State::place_at(Place body, const Transform& transform) {
  motions.set_remainder(body, {});
  set_transform(body, transform);
}

Result<void> World::move(BodyId body, Vec2 position, Rotation rotation) {
  const Transform transform{position, rotation};
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
      return check(positions[i], to_string(bodies[i]) + ": position");
    }
  }
  const auto transform_at = [&](std::size_t i) {
    return Transform{positions[i], state_->bodies.transform(bodies[i].index).rotation};
  };
  State::Note note(*state_);
  if (state_->journal.is_recording()) {
    std::vector<Transform> transforms;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      transforms.push_back(transform_at(i));
    }
    note.add(Change::move, bodies, std::span<const Transform>(transforms));
  }
  note.keep();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    state_->place_at(bodies[i].index, transform_at(i));
  }
  return {};
}

Result<void> World::move(std::span<const BodyId> bodies, std::span<const Transform> transforms) {
  if (Error error = state_->check_moves(bodies, transforms.size())) {
    return error;
  }
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    if (!detail::is_valid(transforms[i])) {
      return check(transforms[i], to_string(bodies[i]));
    }
  }
  state_->note(Change::move, bodies, transforms);
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    state_->place_at(bodies[i].index, transforms[i]);
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

Result<void> World::teleport(BodyId body, Vec2 position) {
  const auto before = transform(body);
  return before.has_value() ? teleport(body, position, before->rotation) : before.error();
}

Result<void> World::teleport(BodyId body, Vec2 position, Rotation rotation) {
  if (Error error = state_->check_change(body)) {
    return error;
  }
  const Transform transform{position, rotation};
  if (!detail::is_valid(transform)) {
    return check(transform, to_string(body));
  }
  state_->note(Change::teleport, body, transform);
  state_->place_at(body.index, transform);
  if (state_->sweeper.reset_start(body.index)) {
    state_->mark_body(body.index, State::box_outdated);
  }
  return {};
}

Result<Transform> World::transform(BodyId body) const {
  const Error error = state_->check(body);
  return error ? Result<Transform>(error) : state_->bodies.transform(body.index);
}

Result<Vec2> World::position(BodyId body) const {
  const Error error = state_->check(body);
  return error ? Result<Vec2>(error) : state_->bodies.transform(body.index).position;
}

Result<void> World::positions(std::span<const BodyId> bodies, std::span<Vec2> positions) const {
  if (Error error = state_->check_not_moved_from()) {
    return error;
  }
  if (bodies.size() != positions.size()) {
    return Error{ErrorCode::invalid_argument,
                 "positions: " + std::to_string(bodies.size()) + " bodies but space for " +
                     std::to_string(positions.size()) + " positions; there must be as many"};
  }
  for (const BodyId body : bodies) {
    if (Error error = state_->check(body)) {
      return error;
    }
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    positions[i] = state_->bodies.transform(bodies[i].index).position;
  }
  return {};
}

Result<Aabb> World::bounds(BodyId body) const {
  if (Error error = state_->check(body)) {
    return error;
  }
  return state_->bodies.bounds(body.index);
}

}  // namespace broadside
