#include <algorithm>
#include <atomic>
#include <cassert>
#include <limits>
#include <utility>

#include "base/convex.hpp"
#include "world/recorder.hpp"

namespace broadside {

namespace {

std::uint32_t next_world_number() {
  static std::atomic<std::uint32_t> last = 0;
  return ++last;
}

bool is_finite(Vec2 v) {
  return broadside::is_finite(v.x) && broadside::is_finite(v.y);
}

std::string to_text(BodyId body) {
  return "body " + std::to_string(body.index) + " (generation " + std::to_string(body.generation) + ")";
}

Vec2 clamped(Vec2 v) {
  constexpr float most = std::numeric_limits<float>::max();
  return {std::clamp(v.x, -most, most), std::clamp(v.y, -most, most)};
}

Error check(Vec2 value, std::string_view what) {
  return is_finite(value) ? Error{} : Error{ErrorCode::not_finite, std::string(what) + " must be finite"};
}

Error check(const Transform& transform, const std::string& who) {
  if (Error error = check(transform.position, who + ": position")) {
    return error;
  }
  return detail::is_unit(transform.rotation)
             ? Error{}
             : Error{ErrorCode::invalid_argument,
                     who + ": rotation must be a cosine and a sine, whose squares sum up to 1"};
}

Error check(const Body& body, const std::string& who) {
  if (auto valid = validate(body.shape); !valid) {
    return {valid.error().code, who + ": " + valid.error().message};
  }
  for (const Shape& shape : body.more_shapes) {
    if (auto valid = validate(shape); !valid) {
      return {valid.error().code, who + ": " + valid.error().message};
    }
  }
  if (Error error = check(Transform{body.position, body.rotation}, who)) {
    return error;
  }
  if (Error error = check(body.velocity, who + ": velocity")) {
    return error;
  }
  if (body.type == BodyType::static_body && body.velocity != Vec2{}) {
    return {ErrorCode::invalid_argument, who + ": a static body has no velocity"};
  }
  if (body.mass && !(broadside::is_finite(*body.mass) && *body.mass > 0.0F)) {
    return {ErrorCode::invalid_argument, who + ": mass must be a finite number above 0"};
  }
  return {};
}

}  // namespace

World::State::State(const WorldOptions& given)
    : options(given), number(next_world_number()), broad_phase(default_technique().make({}).value()) {
  options.gravity = is_finite(options.gravity) ? options.gravity : Vec2{};
  options.restitution =
      options.restitution >= 0.0F && options.restitution <= 1.0F ? options.restitution : 1.0F;
}

World::World(const WorldOptions& options) : state_(std::make_unique<State>(options)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

// Names.

Error World::State::check(BodyId body) const {
  if (body.world != number && body.world != 0) {
    return {ErrorCode::wrong_world, to_text(body) + " is of another world"};
  }
  const bool known = body.index < slots.size() && slots[body.index].used && !slots[body.index].is_part &&
                     generations[body.index] == body.generation && body.world == number;
  return known ? Error{}
               : Error{ErrorCode::stale_id,
                       to_text(body) + " is not in this world; it was removed or never added"};
}

Error World::State::check_change() const {
  return locks > 0
             ? Error{ErrorCode::locked, "the world may not be changed from within a query or a predicate"}
             : Error{};
}

Error World::State::check_change(BodyId body) const {
  Error error = check_change();
  return error ? error : check(body);
}

// When it is asked for: put in one by one, many that are removed from the last to the first would move each
// other.
void World::State::sort_replaced() const {
  ensure(replaced_is_sorted, [this] {
    std::sort(replaced.begin(), replaced.end(),
              [](const Replaced& a, const Replaced& b) { return a.place < b.place; });
  });
}

const World::State::Replaced* World::State::find_replaced(Place place) const {
  sort_replaced();
  const auto at = std::lower_bound(replaced.begin(), replaced.end(), place,
                                   [](const Replaced& one, Place wanted) { return one.place < wanted; });
  return at != replaced.end() && at->place == place ? &*at : nullptr;
}

BodyId World::State::id_in_step(Place place) const {
  const Replaced* before = (changes[place] & renewed) != 0 ? find_replaced(place) : nullptr;
  return before == nullptr ? id(place) : BodyId{place, before->generation, number};
}

// Changes.

void World::State::mark(Place place, std::uint8_t bits) {
  std::uint8_t& known = changes[place];
  if (known == 0) {
    changed.push_back(place);
  }
  if ((bits & ~known & unboxed) != 0) {
    unboxed_places.push_back(place);
    is_up_to_date.store(false, std::memory_order_relaxed);
  }
  known |= bits;
}

void World::State::mark_body(Place body, std::uint8_t bits) {
  for_each_part(body, [&](Place place) { mark(place, bits); });
}

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

std::uint32_t World::State::tag_number(std::string_view tag) {
  const auto known = tag_numbers.find(tag);
  if (known != tag_numbers.end()) {
    return known->second;
  }
  const auto number_of_it = static_cast<std::uint32_t>(tags.size());
  tags.emplace_back(tag);
  tag_numbers.emplace(std::string(tag), number_of_it);
  return number_of_it;
}

Result<std::uint32_t> World::State::filter_number(const Filter& filter) {
  constexpr std::size_t most = 20'000;  // of each body type, so that the broad phase has numbers for all
  Filter plain = filter;
  plain.tags = Filter{}.tags;
  plain.hears = Filter{}.hears;
  if (plain == filters[last_filter]) {
    return last_filter;
  }
  const auto known = std::find(filters.begin(), filters.end(), plain);
  if (known == filters.end() && filters.size() >= most) {
    return Error{ErrorCode::invalid_argument,
                 "there are " + std::to_string(most) + " different filters already; that is the most"};
  }
  last_filter = static_cast<std::uint32_t>(known - filters.begin());
  if (known == filters.end()) {
    filters.push_back(plain);
  }
  return last_filter;
}

std::uint64_t World::State::tags_heard_by(std::uint32_t tag) const {
  std::uint64_t heard = 0;
  for (const auto& listener : listeners) {
    if (listener->removed) {
      continue;
    }
    for (const auto& [own, other] :
         {std::pair{listener->tag_a, listener->tag_b}, std::pair{listener->tag_b, listener->tag_a}}) {
      if (own == tag || own == any_tag) {
        heard |= other == any_tag ? ~std::uint64_t{0} : std::uint64_t{1} << (other % 64);
      }
    }
  }
  return heard;
}

// With more than 64 tags some share a bit; `may_meet` then has the last word.
Filter World::State::effective_filter(const Slot& slot) const {
  if (!slot.enabled) {
    return {.layer = 0, .mask = 0, .wants = 0, .group = 0, .tags = 0, .hears = 0};
  }
  Filter filter = filters[slot.filter];
  if (options.interest == Interest::listeners) {
    filter.tags = std::uint64_t{1} << (slot.tag % 64);
    filter.hears = slot.sensor ? ~std::uint64_t{0} : tags_heard_by(slot.tag);
  }
  return filter;
}

Result<void> World::State::apply_filter(Place body) {
  const Filter filter = effective_filter(slots[body]);
  Result<void> result;
  for_each_part(body, [&](Place place) {
    if (result) {
      result = broad_phase->set_filter(place, filter);
    }
  });
  if (result) {
    mark_body(body, refiltered);
  }
  return result;
}

// Bodies.

Result<BodyId> World::add(const Body& body) {
  auto added = add({&body, 1});
  return added ? Result<BodyId>(added->front()) : Result<BodyId>(added.error());
}

Result<std::vector<BodyId>> World::add(std::span<const Body> bodies) {
  State& state = *state_;
  if (Error error = state.check_change()) {
    return error;
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    const std::string who = bodies.size() == 1 ? "body to add" : "body " + std::to_string(i) + " to add";
    if (Error error = check(body, who)) {
      return error;
    }
    if (Error error =
            check(body.position - state.last_seconds * body.velocity, who + ": the way of one step")) {
      return error;
    }
    count += 1 + body.more_shapes.size();
  }
  std::vector<State::Slot> slots;
  slots.reserve(bodies.size());
  for (const Body& body : bodies) {
    const auto filter = state.filter_number(body.filter);
    if (!filter) {
      return filter.error();
    }
    slots.push_back({.type = body.type,
                     .used = true,
                     .has_own_mass = body.mass.has_value(),
                     .enabled = body.enabled,
                     .sensor = body.sensor,
                     .bullet = body.bullet,
                     .tag = state.tag_number(body.tag),
                     .filter = *filter});
  }
  const auto places = state.add_boxes(bodies, slots, count);
  if (!places) {
    return places.error();
  }
  std::vector<BodyId> ids;
  ids.reserve(bodies.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::size_t shapes = 1 + bodies[i].more_shapes.size();
    const std::span<const BoxIndex> of_body(places->data() + next, shapes);
    state.place_body(bodies[i], slots[i], of_body);
    ids.push_back(state.id(of_body.front()));
    next += shapes;
  }
  state.note(Change::add, bodies);
  return ids;
}

/// Gives the boxes of all shapes to the broad phase, those of one type and filter together; returns their
/// places.
Result<std::vector<BoxIndex>> World::State::add_boxes(std::span<const Body> added,
                                                      std::span<const Slot> kinds, std::size_t count) {
  std::vector<BoxIndex> places;
  places.reserve(count);
  std::vector<Aabb> stretch;
  for (std::size_t i = 0; i < added.size();) {
    const Filter filter = effective_filter(kinds[i]);
    stretch.clear();
    std::size_t end = i;
    for (; end < added.size() && kinds[end].type == kinds[i].type && effective_filter(kinds[end]) == filter;
         ++end) {
      const Transform transform{added[end].position, added[end].rotation};
      stretch.push_back(broadside::bounds(added[end].shape, transform));
      for (const Shape& shape : added[end].more_shapes) {
        stretch.push_back(broadside::bounds(shape, transform));
      }
    }
    const auto indices = broad_phase->add(stretch, kinds[i].type, filter);
    if (!indices) {
      for (auto place = places.rbegin(); place != places.rend(); ++place) {
        broad_phase->remove(*place).value();
      }
      return indices.error();
    }
    places.insert(places.end(), indices->begin(), indices->end());
    i = end;
  }
  is_up_to_date.store(false, std::memory_order_relaxed);
  return places;
}

void World::State::take_place(Place place, const Shape& shape, const Transform& transform, const Slot& slot) {
  if (place >= slots.size()) {
    shapes.emplace_back();
    transforms.emplace_back();
    slots.emplace_back();
    generations.push_back(0);
    previous.emplace_back();
    masses.push_back(0.0F);
    changes.push_back(0);
    is_drifting.push_back(0);
    if (!user_data.empty()) {
      user_data.push_back(0);
    }
    if (has_parts()) {
      owners.push_back(place);
      next_parts.push_back(none);
    }
    if (!swept_from.empty()) {
      swept_from.push_back(transform);
    }
  } else {
    assert(!free_places.empty() && free_places.back() == place);
    free_places.pop_back();
  }
  shapes[place] = shape;
  transforms[place] = transform;
  slots[place] = slot;
  ++generations[place];
  previous[place] = transform.position;
  if (has_parts()) {
    owners[place] = place;
    next_parts[place] = none;
  }
  mark(place, renewed | moved);
}

/// From now on some body may have several shapes.
void World::State::expect_parts() {
  for (Place place = 0; place < slots.size(); ++place) {
    owners.push_back(place);
    next_parts.push_back(none);
  }
}

void World::State::place_body(const Body& body, const Slot& slot, std::span<const BoxIndex> places) {
  const Transform transform{body.position, body.rotation};
  const Place first = places.front();
  take_place(first, body.shape, transform, slot);
  if (places.size() > 1 && !has_parts()) {
    expect_parts();
    merged.assign(contacts.begin(), contacts.end());
  }
  Place last = first;
  for (std::size_t i = 1; i < places.size(); ++i) {
    Slot part = slot;
    part.is_part = true;
    take_place(places[i], body.more_shapes[i - 1], transform, part);
    owners[places[i]] = first;
    next_parts[last] = places[i];
    last = places[i];
  }
  masses[first] = body.mass.value_or(0.0F);
  measure_mass(first);
  ++bodies;
  if (body.velocity != Vec2{}) {
    previous[first] = body.position - last_seconds * body.velocity;
    let_drift(first);
  }
  if (body.user_data != 0) {
    user_data.resize(slots.size());
  }
  if (!user_data.empty()) {
    user_data[first] = body.user_data;
  }
  if (body.bullet) {
    become_bullet(first);
  }
}

void World::State::measure_mass(Place body) {
  if (slots[body].has_own_mass) {
    return;
  }
  float mass = 0.0F;
  for_each_part(body, [&](Place place) { mass += area(shapes[place]); });
  masses[body] = mass > 0.0F && broadside::is_finite(mass) ? mass : 1.0F;
}

void World::State::let_drift(Place body) {
  if (is_drifting[body] == 0) {
    is_drifting[body] = 1;
    drifting.push_back(body);
  }
}

void World::State::become_bullet(Place body) {
  swept_from.resize(slots.size());
  for_each_part(body, [&](Place place) { swept_from[place] = transforms[place]; });
  ++bullets;
}

// What was at the place in the last step is written down once, however often the place changes hands after
// it.
void World::State::forget_place(Place place) {
  if ((changes[place] & renewed) == 0) {
    replaced_is_sorted.store(false, std::memory_order_relaxed);
    replaced.push_back({place, generations[place], slots[place].tag});
  }
  mark(place, renewed);
  shapes[place] = Circle{};
  if (has_parts()) {
    owners[place] = place;
    next_parts[place] = none;
  }
  const bool wraps = generations[place] + 1 == 0;
  slots[place] = {.retired = wraps, .enabled = !wraps};
  if (wraps) {  // its box stays, where nothing finds it
    broad_phase->set_filter(place, effective_filter({.enabled = false})).value();
    return;
  }
  broad_phase->remove(place).value();
  free_places.push_back(place);
}

Result<void> World::remove(BodyId body) {
  State& state = *state_;
  if (Error error = state.check_change(body)) {
    return error;
  }
  state.forget_ignored(body.index);
  state.bullets -= state.slots[body.index].bullet ? 1U : 0U;
  std::vector<State::Place> places;
  state.for_each_part(body.index, [&](State::Place place) { places.push_back(place); });
  for (const State::Place place : places) {
    state.forget_place(place);
  }
  --state.bodies;
  state.is_up_to_date.store(false, std::memory_order_relaxed);
  state.note(Change::remove, body);
  return {};
}

bool World::contains(BodyId body) const {
  return !state_->check(body);
}

std::size_t World::size() const {
  return state_->bodies;
}

std::vector<BodyId> World::bodies() const {
  std::vector<BodyId> ids;
  ids.reserve(state_->bodies);
  for (State::Place place = 0; place < state_->slots.size(); ++place) {
    if (state_->slots[place].used && !state_->slots[place].is_part) {
      ids.push_back(state_->id(place));
    }
  }
  return ids;
}

// Motion.

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
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const State::Place place = bodies[i].index;
    state_->set_transform(place, {positions[i], state_->transforms[place].rotation}, false);
  }
  if (state_->recorder != nullptr) {
    std::vector<Transform> transforms;
    for (const BodyId body : bodies) {
      transforms.push_back(state_->transforms[body.index]);
    }
    state_->note(Change::move, bodies, std::span<const Transform>(transforms));
  }
  return {};
}

Result<void> World::move(std::span<const BodyId> bodies, std::span<const Transform> transforms) {
  if (Error error = state_->check_moves(bodies, transforms.size())) {
    return error;
  }
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    if (Error error = check(transforms[i], to_text(bodies[i]))) {
      return error;
    }
  }
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    state_->set_transform(bodies[i].index, transforms[i], false);
  }
  state_->note(Change::move, bodies, transforms);
  return {};
}

Error World::State::check_moves(std::span<const BodyId> moving, std::size_t targets) const {
  if (Error error = check_change()) {
    return error;
  }
  if (moving.size() != targets) {
    return {ErrorCode::invalid_argument, "move: " + std::to_string(moving.size()) + " bodies to " +
                                             std::to_string(targets) + " places; there must be as many"};
  }
  for (const BodyId body : moving) {
    if (Error error = check(body)) {
      return error;
    }
  }
  return {};
}

Result<void> World::teleport(BodyId body, const Transform& transform) {
  if (auto moved = move(body, transform); !moved) {
    return moved;
  }
  if (state_->slots[body.index].bullet) {
    state_->for_each_part(body.index, [&](State::Place place) { state_->swept_from[place] = transform; });
  }
  state_->note(Change::teleport, body, transform);
  return {};
}

Result<void> World::push(BodyId body, Vec2 way) {
  State& state = *state_;
  if (Error error = state.check_change(body)) {
    return error;
  }
  const Transform& before = state.transforms[body.index];
  const Vec2 position = before.position + way;
  if (Error error = check(position, to_text(body) + ": position")) {
    return error;
  }
  if (state.slots[body.index].type == BodyType::static_body) {
    return Error{ErrorCode::invalid_argument, to_text(body) + " is static; it has no velocity"};
  }
  state.set_transform(body.index, {position, before.rotation}, true);
  state.let_drift(body.index);
  state.note(Change::push, body, way);
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
  if (Error error = check(velocity, to_text(body) + ": velocity")) {
    return error;
  }
  const Vec2 previous = state.transforms[body.index].position - state.last_seconds * velocity;
  if (Error error = check(previous, to_text(body) + ": the way of one step")) {
    return error;
  }
  if (state.slots[body.index].type == BodyType::static_body) {
    return Error{ErrorCode::invalid_argument, to_text(body) + " is static; it has no velocity"};
  }
  state.previous[body.index] = previous;
  state.let_drift(body.index);
  state.note(Change::set_velocity, body, velocity);
  return {};
}

Result<Aabb> World::bounds(BodyId body) const {
  if (Error error = state_->check(body)) {
    return error;
  }
  const Transform& transform = state_->transforms[body.index];
  Aabb box = broadside::bounds(state_->shapes[body.index], transform);
  state_->for_each_part(body.index, [&](State::Place place) {
    box = merge(box, broadside::bounds(state_->shapes[place], transform));
  });
  return box;
}

}  // namespace broadside
