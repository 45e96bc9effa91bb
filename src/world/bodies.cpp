#include <algorithm>
#include <atomic>
#include <utility>

#include "broadside/base/validate.hpp"
#include "world/checks.hpp"
#include "world/recorder.hpp"

namespace broadside::inline v0_2 {

namespace {

Error check(const BodyDef& body, const std::string& who) {
  for (std::size_t i = 0; i <= body.more_shapes.size(); ++i) {
    if (auto valid = validate(i == 0 ? body.shape : body.more_shapes[i - 1]); !valid.has_value()) {
      return {valid.error().code, who + ": " + valid.error().message};
    }
  }
  if (Error error = validate(body.type, who).error()) {
    return error;
  }
  if (Error error = check(Transform{body.position, body.rotation}, who)) {
    return error;
  }
  if (Error error = check(body.velocity, who + ": velocity")) {
    return error;
  }
  if (Error error = check(body.acceleration, who + ": acceleration")) {
    return error;
  }
  if (body.type == BodyType::static_body && (body.velocity != Vec2{} || body.acceleration != Vec2{})) {
    return {ErrorCode::invalid_argument, who + ": a static body has no velocity"};
  }
  if (body.mass && !(is_finite(*body.mass) && *body.mass > 0.0F)) {
    return {ErrorCode::invalid_argument, who + ": mass must be a finite number above 0"};
  }
  return {};
}

}  // namespace

Error check(const WorldOptions& options) {
  const auto unknown = [](std::string_view what, unsigned value, std::string_view known) {
    return Error{ErrorCode::invalid_argument, "WorldOptions: " + std::string(what) + " " +
                                                  std::to_string(value) + " does not exist; it must be " +
                                                  std::string(known)};
  };
  if (!is_valid(options.interest)) {
    return unknown("interest", static_cast<unsigned>(options.interest), "all (0) or listeners (1)");
  }
  if (!is_valid(options.response)) {
    return unknown("response", static_cast<unsigned>(options.response), "none (0) or bounce (1)");
  }
  if (!(options.restitution >= 0.0F && options.restitution <= 1.0F)) {
    return {ErrorCode::invalid_argument, "WorldOptions: restitution must be a number in [0, 1]"};
  }
  if (options.order && !is_valid(*options.order)) {
    return unknown("order", static_cast<unsigned>(*options.order), "detect_first (0) or motion_first (1)");
  }
  if (options.response == Response::bounce && options.order == StepOrder::detect_first) {
    return {ErrorCode::invalid_argument,
            "WorldOptions: with Response::bounce, bodies move before contacts are found; order must be "
            "motion_first or not given"};
  }
  if (!(is_finite(options.end_margin) && options.end_margin >= 0.0F)) {
    return {ErrorCode::invalid_argument, "WorldOptions: end_margin must be a finite number, 0 or more"};
  }
  return check(options.gravity, "WorldOptions: gravity");
}

std::uint32_t World::State::next_number() {
  static std::atomic<std::uint32_t> last = 0;
  return ++last;
}

// Created with the first world, so that moving from a world cannot fail. It is locked for good, and never
// destroyed, as static worlds may outlive it.
const std::shared_ptr<World::State>& World::State::moved_from_state() {
  static const auto& shared = *new std::shared_ptr<State>([] {
    auto state = std::make_shared<State>(WorldOptions{}, 0);
    state->locks = 1;
    return state;
  }());
  return shared;
}

World::World() : World(std::make_shared<State>(WorldOptions{})) {}

Result<World> World::create(const WorldOptions& options) {
  if (Error error = check(options)) {
    return error;
  }
  return World(std::make_shared<State>(options));
}

World::World(std::shared_ptr<State> state) : state_(State::moved_from_state()) {
  state_ = std::move(state);
}

World::~World() {
  if (state_ != nullptr && !state_->is_moved_from()) {
    state_->rules.abandon();
  }
}

World::World(World&& other) noexcept : state_(std::exchange(other.state_, State::moved_from_state())) {}

World& World::operator=(World&& other) noexcept {
  if (this != &other) {
    const World old(std::move(state_));
    state_ = std::exchange(other.state_, State::moved_from_state());
  }
  return *this;
}

void World::State::mark_body(Place body, std::uint8_t bits) {
  bodies.for_each_part(body, [&](Place place) { mark(place, bits); });
}

void World::State::end_path(Place body) {
  if (sweeper.reset_start(body)) {
    mark_body(body, box_outdated);
  }
}

Result<BodyId> World::add(const BodyDef& body) {
  auto added = add({&body, 1});
  return added.has_value() ? Result<BodyId>(added->front()) : Result<BodyId>(added.error());
}

Result<std::vector<BodyId>> World::add(std::span<const BodyDef> bodies) {
  State& state = *state_;
  if (Error error = state.check_change()) {
    return error;
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::string who = bodies.size() == 1 ? "body to add" : "body " + std::to_string(i) + " to add";
    if (Error error = check(bodies[i], who)) {
      return error;
    }
  }
  std::vector<State::Slot> slots;
  slots.reserve(bodies.size());
  std::vector<Aabb> boxes;  // of all shapes
  std::vector<BoxKind> kinds;
  PairRules::Uses names(state.rules);
  for (const BodyDef& body : bodies) {
    const auto filter = names.hold_filter(body.filter);
    if (filter.error()) {
      return filter.error();
    }
    slots.push_back({.type = body.type,
                     .used = true,
                     .has_own_mass = body.mass.has_value(),
                     .enabled = body.enabled,
                     .sensor = body.sensor,
                     .bullet = body.bullet,
                     .tag = names.hold_tag(body.tag),
                     .filter = *filter});
    const Transform transform{body.position, body.rotation};
    boxes.push_back(broadside::bounds(body.shape, transform));
    for (const Shape& shape : body.more_shapes) {
      boxes.push_back(broadside::bounds(shape, transform));
    }
    kinds.resize(boxes.size(), state.rules.box_kind(slots.back()));
  }
  std::vector<BodyId> ids;
  ids.reserve(bodies.size());
  state.reserve(bodies, boxes.size());
  State::Note note(state, Change::add, bodies);
  const auto places = state.broad_phase->add(boxes, kinds);
  if (places.error()) {
    return places.error();
  }
  state.broad_phase.mark_outdated();
  note.keep();
  names.keep();
  std::size_t next = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::size_t shapes = 1 + bodies[i].more_shapes.size();
    const std::span<const BoxIndex> of_body(places->data() + next, shapes);
    state.place_body(bodies[i], slots[i], of_body);
    ids.push_back(state.bodies.id(of_body.front()));
    next += shapes;
  }
  return ids;
}

// Reserves all arrays by place and lists of places, so that nothing can fail after the first body is added.
void World::State::reserve(std::span<const BodyDef> added, std::size_t count) {
  bodies.reserve(added, count);
  changes.reserve(bodies.capacity());
  broad_phase.reserve(bodies.capacity());
  const auto some = [added](auto is) { return std::any_of(added.begin(), added.end(), is); };
  if (!bodies.has_parts() && some([](const BodyDef& body) { return !body.more_shapes.empty(); })) {
    compound.log().copy(shape_contacts);  // so far both were equal, and only one was kept
  }
  if (sweeper.keeps_starts() || some([](const BodyDef& body) { return body.bullet; })) {
    sweeper.reserve(bodies.capacity(), added.size());
  }
  if (some([](const BodyDef& body) { return body.velocity != Vec2{} || body.acceleration != Vec2{}; })) {
    motions.reserve(bodies.capacity());
  }
  if (some([](const BodyDef& body) { return body.acceleration != Vec2{}; })) {
    motions.reserve_accelerations(bodies.capacity());
  }
}

void World::State::place_body(const BodyDef& body, const Slot& slot, std::span<const BoxIndex> places) {
  bodies.add(body, slot, places);
  changes.grow_to(bodies.places());
  sweeper.grow_to(bodies.places());
  const Place first = places.front();
  for (const Place place : places) {
    sweeper.reset_start(place);
    mark(place, reassigned | moved);
  }
  if (body.velocity != Vec2{}) {
    motions.set_velocity(first, body.velocity);
  }
  if (body.acceleration != Vec2{}) {
    motions.set_acceleration(first, body.acceleration);
  }
  if (body.bullet) {
    sweeper.add_bullet(first);
  }
}

void World::State::forget_bullet(Place body) {
  sweeper.remove_bullet(body);
  if (sweeper.bullets().empty()) {
    for (const Place place : changes.changed()) {
      mark(place, box_outdated);  // boxes no longer have to cover motions
    }
  }
}

// Records the body of the last step once, however often the place is reused after the step.
void World::State::forget_place(Place place) {
  if (!changes.has(place, reassigned)) {
    changes.add_replaced({place, bodies.generation(place), bodies.slot(place).tag});
    tags.add_reference(bodies.slot(place).tag);
  }
  mark(place, reassigned);
  motions.clear(place);
}

Result<void> World::remove(BodyId body) {
  return remove({&body, 1});
}

Result<void> World::remove(std::span<const BodyId> bodies) {
  if (Error error = state_->check_change()) {
    return error;
  }
  if (Error error = state_->check_each(bodies, "remove")) {
    return error;
  }
  state_->remove(bodies);
  return {};
}

void World::State::remove(std::span<const BodyId> gone) {
  std::vector<Place>& removed = broad_phase.places();
  removed.clear();
  std::size_t places = 0;
  for (const BodyId body : gone) {
    bodies.for_each_part(body.index, [&](Place place) {
      ++places;
      if (!bodies.is_last_generation(place)) {
        removed.push_back(place);
      }
    });
  }
  changes.reserve_replaced(places);
  bodies.reserve_free(places);
  Note note(*this);
  for (const BodyId body : gone) {
    note.add(Change::remove, body);
  }
  // The box of a place that is never used again stays, and touches nothing.
  for (const BodyId body : gone) {
    bodies.for_each_part(body.index, [&](Place place) {
      if (bodies.is_last_generation(place)) {
        broad_phase->set_filter(place, rules.effective_filter({.enabled = false})).value();
      }
    });
  }
  broad_phase->remove(removed).value();
  note.keep();
  for (const BodyId body : gone) {
    rules.forget_ignored(body.index);
    slide_memory.forget(body.index);
    if (bodies.slot(body.index).bullet) {
      forget_bullet(body.index);
    }
    sweeper.forget_stop(body.index);
    sweeper.forget_fast(body.index);
    const Slot slot = bodies.slot(body.index);
    bodies.for_each_part(body.index, [this](Place place) { forget_place(place); });
    bodies.remove(body.index);
    tags.release_number(slot.tag);
    rules.filters().release_number(slot.filter);
  }
  broad_phase.mark_outdated();
}

bool World::contains(BodyId body) const {
  return state_->bodies.contains(body);
}

std::size_t World::size() const {
  return state_->bodies.size();
}

std::vector<BodyId> World::bodies() const {
  std::vector<BodyId> ids;
  ids.reserve(state_->bodies.size());
  state_->bodies.for_each_body([&](State::Place body) { ids.push_back(state_->bodies.id(body)); });
  return ids;
}

}  // namespace broadside::inline v0_2
