#include "base/reserve.hpp"
#include "broadside/base/validate.hpp"
#include "world/recorder.hpp"

namespace broadside::inline v0_2 {

template <typename T, typename Read>
Result<T> World::State::read(BodyId body, Read of) const {
  if (Error error = check(body)) {
    return error;
  }
  return T(of(body.index));
}

Result<Transform> World::transform(BodyId body) const {
  return state_->read<Transform>(body, [this](auto place) { return state_->bodies.transform(place); });
}

Result<Vec2> World::position(BodyId body) const {
  return state_->read<Vec2>(body, [this](auto place) { return state_->bodies.transform(place).position; });
}

Result<Aabb> World::bounds(BodyId body) const {
  return state_->read<Aabb>(body, [this](auto place) { return state_->bodies.bounds(place); });
}

Result<Vec2> World::velocity(BodyId body) const {
  return state_->read<Vec2>(body, [this](auto place) { return state_->motions.velocity(place); });
}

Result<Vec2> World::acceleration(BodyId body) const {
  return state_->read<Vec2>(body, [this](auto place) { return state_->motions.acceleration(place); });
}

Result<std::vector<Shape>> World::shapes(BodyId body) const {
  return state_->read<std::vector<Shape>>(body, [this](State::Place first) {
    std::vector<Shape> all;
    state_->bodies.for_each_part(first,
                                 [&](State::Place place) { all.push_back(state_->bodies.shape(place)); });
    return all;
  });
}

Result<void> World::set_shape(BodyId body, const Shape& shape) {
  if (Error error = state_->check_change(body)) {
    return error;
  }
  if (auto valid = validate(shape); !valid.has_value()) {
    return valid;
  }
  State::Note(*state_, Change::set_shape, body, shape).keep();
  state_->bodies.set_shape(body.index, shape);
  state_->mark_body(body.index, State::moved);  // of all shapes: their contacts are merged
  state_->mark(body.index, State::box_outdated);
  return {};
}

Result<BodyType> World::type(BodyId body) const {
  return state_->read<BodyType>(body, [this](State::Place place) { return state_->bodies.slot(place).type; });
}

Result<float> World::mass(BodyId body) const {
  return state_->read<float>(body, [this](State::Place place) { return state_->bodies.mass(place); });
}

Result<bool> World::enabled(BodyId body) const {
  return state_->read<bool>(body, [this](State::Place place) { return state_->bodies.slot(place).enabled; });
}

Result<bool> World::sensor(BodyId body) const {
  return state_->read<bool>(body, [this](State::Place place) { return state_->bodies.slot(place).sensor; });
}

Result<bool> World::bullet(BodyId body) const {
  return state_->read<bool>(body, [this](State::Place place) { return state_->bodies.slot(place).bullet; });
}

Result<std::uint64_t> World::user_data(BodyId body) const {
  return state_->read<std::uint64_t>(body,
                                     [this](State::Place place) { return state_->bodies.user_data(place); });
}

Result<Filter> World::filter(BodyId body) const {
  return state_->read<Filter>(
      body, [this](State::Place place) { return state_->rules.filter(state_->bodies.slot(place)); });
}

Result<std::string> World::tag(BodyId body) const {
  return state_->read<std::string>(
      body, [this](State::Place place) { return state_->tags[state_->bodies.slot(place).tag]; });
}

Result<void> World::State::apply_filter(Place body) {
  const BoxKind kind = rules.box_kind(bodies.slot(body));
  Result<void> result;
  bodies.for_each_part(body, [&](Place place) {
    if (result.has_value()) {
      result = broad_phase->set_kind(place, kind);
    }
  });
  return result;
}

// The listeners changed: with `Interest::listeners`, the next step updates the filters of the broad phase.
void World::State::invalidate_filters() {
  if (options.interest != Interest::listeners) {
    return;
  }
  broad_phase.set_filters_outdated(true);
  bodies.for_each_body([this](Place body) { mark_body(body, filter_changed); });
}

// `invalidate_filters` has marked the bodies, so a step that fails after this leaves the state unchanged.
Result<void> World::State::update_filters() {
  if (!broad_phase.are_filters_outdated()) {
    return {};
  }
  bool all_fit = true;
  bodies.for_each_body([&](Place body) { all_fit = all_fit && apply_filter(body).has_value(); });
  if (!all_fit) {  // old and new filters together exceed the limit; a new broad phase has only the new ones
    auto made = broad_phase.make_empty();
    if (!made.has_value()) {
      return made.error();
    }
    if (auto rebuilt = rebuild(*std::move(made)); !rebuilt.has_value()) {
      return rebuilt;
    }
  }
  broad_phase.set_filters_outdated(false);
  return {};
}

// Changes a member of the slots of a body; rolls back if the broad phase refuses the new filter.
template <typename T, typename Value>
Result<void> World::State::change_slots(BodyId body, Change change, const Value& value, T Slot::*member,
                                        T to) {
  if (Error error = check_change(body)) {
    return error;
  }
  Note note(*this, change, body, value);
  const Slot before = bodies.slot(body.index);
  const auto set = [&](T now) { bodies.change_slots(body.index, [&](Slot& slot) { slot.*member = now; }); };
  detail::ScopeGuard put_back([&] { set(before.*member); });
  set(to);
  Result<void> applied = apply_filter(body.index);
  if (applied.has_value()) {
    put_back.dismiss();
    note.keep();
    mark_body(body.index, filter_changed);
    if (before.sensor != bodies.slot(body.index).sensor) {
      mark_body(body.index, sensor_changed);
    }
  }
  return applied;
}

Result<void> World::set_enabled(BodyId body, bool enabled) {
  return state_->change_slots(body, Change::set_enabled, enabled, &State::Slot::enabled, enabled);
}

Result<void> World::set_sensor(BodyId body, bool sensor) {
  return state_->change_slots(body, Change::set_sensor, sensor, &State::Slot::sensor, sensor);
}

Result<void> World::set_filter(BodyId body, const Filter& filter) {
  if (Error error = state_->check_change(body)) {
    return error;
  }
  PairRules::Uses names(state_->rules);
  const auto number = names.hold_filter(filter);
  if (number.error()) {
    return number.error();
  }
  const std::uint32_t before = state_->bodies.slot(body.index).filter;
  auto changed = state_->change_slots(body, Change::set_filter, filter, &State::Slot::filter, *number);
  if (!changed.error()) {
    names.keep();
    state_->rules.filters().release_number(before);
  }
  return changed;
}

Result<void> World::set_tag(BodyId body, std::string_view tag) {
  if (Error error = state_->check_change(body)) {
    return error;
  }
  PairRules::Uses names(state_->rules);
  const std::uint32_t number = names.hold_tag(tag);
  const std::uint32_t before = state_->bodies.slot(body.index).tag;
  auto changed = state_->change_slots(body, Change::set_tag, tag, &State::Slot::tag, number);
  if (!changed.error()) {
    names.keep();
    state_->tags.release_number(before);
  }
  return changed;
}

Result<void> World::set_bullet(BodyId body, bool bullet) {
  if (Error error = state_->check_change(body)) {
    return error;
  }
  if (state_->bodies.slot(body.index).bullet == bullet) {
    return {};
  }
  if (bullet) {
    state_->sweeper.reserve(state_->bodies.capacity(), 1);
  }
  State::Note(*state_, Change::set_bullet, body, bullet).keep();
  if (bullet) {
    state_->sweeper.add_bullet(body.index);
  } else {
    state_->forget_bullet(body.index);
    state_->sweeper.forget_stop(body.index);
  }
  state_->bodies.change_slots(body.index, [bullet](State::Slot& slot) { slot.bullet = bullet; });
  state_->mark_body(body.index, State::moved | State::box_outdated);  // contacts on its path are not kept
  return {};
}

Result<void> World::set_user_data(BodyId body, std::uint64_t user_data) {
  if (Error error = state_->check_change(body)) {
    return error;
  }
  state_->bodies.reserve_user_data();
  State::Note(*state_, Change::set_user_data, body, user_data).keep();
  state_->bodies.set_user_data(body.index, user_data);
  return {};
}

Result<void> World::set_ignored(BodyId a, BodyId b, bool ignored) {
  if (Error error = state_->check_change(a, b)) {
    return error;
  }
  if (a == b) {
    return Error{ErrorCode::invalid_argument, "set_ignored: a body never touches itself"};
  }
  const Pair pair = ordered_pair(a.index, b.index);
  if (state_->rules.is_ignored(pair) == ignored) {
    return {};
  }
  State::Note note(*state_, Change::set_ignored, a, b, ignored);
  state_->rules.set_ignored(pair, ignored);
  note.keep();
  state_->mark_body(a.index, State::filter_changed);
  return {};
}

Result<void> World::set_predicate(std::function<bool(BodyId, BodyId)> predicate) {
  if (Error error = state_->check_change()) {
    return error;
  }
  state_->rules.set_predicate(std::move(predicate));
  state_->needs_full_search = true;
  return {};
}

Result<void> World::use_threads(TaskRunner* runner) {
  if (Error error = state_->check_not_moved_from()) {
    return error;
  }
  const auto threads = threads_of(runner, "use_threads");
  if (!threads.has_value()) {
    return threads.error();
  }
  state_->broad_phase.use_threads(runner, threads.value());
  state_->finder.use_threads(state_->broad_phase.runner());
  return {};
}

std::size_t World::bytes() const {
  const State& s = *state_;
  const auto lock = s.broad_phase.lock_updates();
  std::size_t of_names = s.tags.bytes() + s.rules.bytes();
  for (const std::string& tag : s.tags.values()) {
    of_names += tag.capacity() < sizeof(std::string) ? 0 : tag.capacity();
  }
  return sizeof(State) + of_names + detail::bytes_of(s.before_motion, s.shifted.shapes, s.skipped) +
         s.broad_phase.bytes() + s.bodies.bytes() + s.named.bytes() + s.changes.bytes() + s.motions.bytes() +
         s.impacts.bytes() + s.shifted.contacts.bytes() + s.sweeper.bytes() + s.slide_memory.bytes() +
         s.listeners.bytes() + s.journal.bytes();
}

std::size_t World::contact_bytes() const {
  const State& s = *state_;
  return s.finder.bytes() + s.extra.bytes() + s.compound.bytes() + s.searched.bytes() + s.ended.bytes() +
         s.shape_contacts.bytes();
}

}  // namespace broadside::inline v0_2
