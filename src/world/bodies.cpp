#include <algorithm>
#include <atomic>
#include <cassert>
#include <utility>

#include "world/checks.hpp"
#include "world/recorder.hpp"

namespace broadside {

namespace {

std::uint32_t next_world_number() {
  static std::atomic<std::uint32_t> last = 0;
  return ++last;
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
  if (body.mass && !(is_finite(*body.mass) && *body.mass > 0.0F)) {
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

void World::State::mark_body(Place body, std::uint8_t bits) {
  for_each_part(body, [&](Place place) { mark(place, bits); });
}

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
  make_room(count);
  return places;
}

// Many that come together get no more room than they need, and an eighth to spare for those who do so often.
void World::State::make_room(std::size_t more) {
  const std::size_t needed = slots.size() + more - std::min(more, free_places.size());
  if (more == 1 || needed <= slots.capacity()) {
    return;
  }
  const std::size_t room = std::max(needed, slots.size() + slots.size() / 8);
  const auto reserve = [room](auto&... arrays) { (arrays.reserve(room), ...); };
  reserve(shapes, transforms, slots, generations, previous, masses, changes, is_drifting, changed,
          unboxed_places, box_places, boxes);
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
  movers += slot.type == BodyType::static_body ? 0U : 1U;
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
    of_bodies = of_shapes;
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
    set_bullet(first, true);
  }
}

void World::State::measure_mass(Place body) {
  if (slots[body].has_own_mass) {
    return;
  }
  float mass = 0.0F;
  for_each_part(body, [&](Place place) { mass += area(shapes[place]); });
  masses[body] = mass > 0.0F && is_finite(mass) ? mass : 1.0F;
}

void World::State::set_bullet(Place body, bool bullet) {
  const auto at = std::lower_bound(bullets.begin(), bullets.end(), body);
  if (bullet) {
    bullets.insert(at, body);
    swept_from.resize(slots.size());
  } else {
    bullets.erase(at);
  }
  for_each_part(body, [&](Place place) {
    slots[place].bullet = bullet;
    swept_from[place] = transforms[place];
  });
}

// What was at the place in the last step is written down once, however often the place changes hands after
// it.
void World::State::forget_place(Place place) {
  if ((changes[place] & renewed) == 0) {
    replaced_is_sorted.store(false, std::memory_order_relaxed);
    replaced.push_back({place, generations[place], slots[place].tag});
  }
  mark(place, renewed);
  movers -= slots[place].type == BodyType::static_body ? 0U : 1U;
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
  return remove({&body, 1});
}

Result<void> World::remove(std::span<const BodyId> bodies) {
  if (Error error = state_->check_change()) {
    return error;
  }
  for (const BodyId body : bodies) {
    if (Error error = state_->check(body)) {
      return error;
    }
  }
  if (bodies.size() > 1) {
    std::vector<BodyId> sorted(bodies.begin(), bodies.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      return Error{ErrorCode::invalid_argument, "remove: " + to_text(*twice) + " is named twice"};
    }
  }
  for (const BodyId body : bodies) {
    state_->remove(body);
  }
  return {};
}

void World::State::remove(BodyId body) {
  forget_ignored(body.index);
  if (slots[body.index].bullet) {
    set_bullet(body.index, false);
  }
  for (Place place = body.index; place != none;) {
    const Place next = next_part(place);
    forget_place(place);
    place = next;
  }
  --bodies;
  is_up_to_date.store(false, std::memory_order_relaxed);
  note(Change::remove, body);
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

}  // namespace broadside
