#include "world/checks.hpp"
#include "world/recorder.hpp"

namespace broadside::inline v0_2 {

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

/// Moves each body to `target(i)`.
template <typename Target>
Result<void> World::State::move_all(std::span<const BodyId> moving, std::size_t targets, Target target) {
  if (Error error = check_change()) {
    return error;
  }
  if (moving.size() != targets) {
    return Error{ErrorCode::invalid_argument, "move: " + std::to_string(moving.size()) + " bodies to " +
                                                  std::to_string(targets) + " places; there must be as many"};
  }
  if (Error error = check_each(moving, "move")) {
    return error;
  }
  for (std::size_t i = 0; i < targets; ++i) {
    if (!detail::is_valid(target(i))) {
      return broadside::check(target(i), to_string(moving[i]));
    }
  }
  Note note(*this);
  if (journal.is_recording()) {
    std::vector<Transform> transforms;
    for (std::size_t i = 0; i < targets; ++i) {
      transforms.push_back(target(i));
    }
    note.add(Change::move, moving, std::span<const Transform>(transforms));
  }
  note.keep();
  for (std::size_t i = 0; i < targets; ++i) {
    place_at(moving[i].index, target(i));
  }
  return {};
}

Result<void> World::move(BodyId body, Vec2 position, Rotation rotation) {
  const Transform transform{position, rotation};
  return move({&body, 1}, {&transform, 1});
}

Result<void> World::move(BodyId body, Vec2 position) {
  return move({&body, 1}, {&position, 1});
}

Result<void> World::move(std::span<const BodyId> bodies, std::span<const Vec2> positions) {
  return state_->move_all(bodies, positions.size(), [&](std::size_t i) {
    return Transform{positions[i], state_->bodies.transform(bodies[i].index).rotation};
  });
}

Result<void> World::move(std::span<const BodyId> bodies, std::span<const Transform> transforms) {
  return state_->move_all(bodies, transforms.size(), [&](std::size_t i) { return transforms[i]; });
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
  State::Note(*state_, Change::teleport, body, transform).keep();
  state_->place_at(body.index, transform);
  state_->end_path(body.index);
  return {};
}

/// Writes `of(place)` of each body to `values`, all or none.
template <typename T, typename Of>
Result<void> World::State::read_all(std::span<const BodyId> listed, std::span<T> values,
                                    std::string_view what, const Of& of) const {
  if (Error error = check_not_moved_from()) {
    return error;
  }
  if (listed.size() != values.size()) {
    return Error{ErrorCode::invalid_argument, std::string(what) + ": " + std::to_string(listed.size()) +
                                                  " bodies but space for " + std::to_string(values.size()) +
                                                  "; there must be as many"};
  }
  for (const BodyId body : listed) {
    if (Error error = check(body)) {
      return error;
    }
  }
  for (std::size_t i = 0; i < listed.size(); ++i) {
    values[i] = of(listed[i].index);
  }
  return {};
}

Result<void> World::positions(std::span<const BodyId> bodies, std::span<Vec2> positions) const {
  return state_->read_all(bodies, positions, "positions",
                          [this](auto place) { return state_->bodies.transform(place).position; });
}

Result<void> World::transforms(std::span<const BodyId> bodies, std::span<Transform> transforms) const {
  return state_->read_all(bodies, transforms, "transforms",
                          [this](auto place) { return state_->bodies.transform(place); });
}

Result<void> World::velocities(std::span<const BodyId> bodies, std::span<Vec2> velocities) const {
  return state_->read_all(bodies, velocities, "velocities",
                          [this](auto place) { return state_->motions.velocity(place); });
}

}  // namespace broadside::inline v0_2
