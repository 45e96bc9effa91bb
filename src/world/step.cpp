#include <algorithm>
#include <iterator>

#include "base/switches.hpp"
#include "body/bounds_kernel.hpp"
#include "broad_phase/box_search.hpp"
#include "world/recorder.hpp"

namespace broadside::inline v0_2 {

// Boxes.

void World::State::update_boxes() {
  const std::span<const Place> unboxed_places = changes.unboxed_places();
  if (unboxed_places.empty()) {
    return;
  }
  std::vector<Place>& places = broad_phase.places();
  std::vector<Aabb>& boxes = broad_phase.boxes();
  places.clear();
  for (const Place place : unboxed_places) {
    if (bodies.slot(place).used) {
      places.push_back(place);
    }
  }
  boxes.resize(places.size());
  detail::find_bounds(places, bodies.shapes(), bodies.transforms(), boxes);
  for (std::size_t i = 0; i < places.size() && sweeper.boxes_cover_paths(); ++i) {
    if (sweeper.is_swept(places[i])) {  // bullets may meet it anywhere on its path
      boxes[i] = sweeper.swept_bounds(places[i], boxes[i]);
    }
  }
  // Shapes and transforms were validated when they were set, so their boxes are valid.
  broad_phase->move(places, boxes).value();
  changes.clear_unboxed();
}

void World::State::bring_up_to_date() {
  broad_phase.ensure_up_to_date([this] {
    // The runner was checked when it was set.
    const detail::ScopeGuard with_threads(
        [this] { static_cast<void>(broad_phase->use_threads(broad_phase.runner())); });
    broad_phase->use_threads(nullptr).value();  // the caller may be one of the threads
    update_boxes();
    if (detail::BoxSearch(*broad_phase).is_outdated()) {
      broad_phase->update();
    }
  });
}

// Pairs.

/// Tells whether so few places changed that searching only their pairs is cheaper than searching all pairs.
bool World::State::is_quiet() const {
  constexpr std::size_t share = 6;  // of the shapes that may move
  return !needs_full_search && !rules.predicate() &&
         decide(detail::Switch::quiet_step,
                share * (changes.changed().size() + sweeper.bullets().size()) < bodies.moving_shapes());
}

// Contacts of two unchanged places are kept: only pairs with a changed place are searched.
//
//     touching before  (0,2) (1,5) (3,4)     0 moved
//     pairs of 0       (0,2) (0,7)           tested; (1,5) and (3,4) are kept
void World::State::find_searched() {
  if (!is_quiet()) {
    searched.set_all();
    return;
  }
  constexpr std::uint8_t matters = reassigned | moved | filter_changed;
  searched.reset(bodies.places());
  const auto add = [this](Place place) { searched.add(place); };
  // The contacts of a body are merged from those of all its shapes: if one changed, all are searched.
  for (const Place place : changes.changed()) {
    if (changes.has(place, matters)) {
      add(place);
      bodies.for_each_part(bodies.owner(place), add);
    }
  }
  // Contacts of a bullet may lie on its path, or have a leveled normal: they are not kept.
  for (const Place body : sweeper.bullets()) {
    bodies.for_each_part(body, add);
  }
}

/// Returns the pairs of places that the narrow phase tests, in memory of the broad phase.
std::span<Pair> World::State::find_pairs() {
  if (!searched.is_all()) {
    broad_phase.places().clear();
    for (const Place place : searched.places()) {
      if (bodies.slot(place).used) {
        broad_phase.places().push_back(place);
      }
    }
  }
  std::span<Pair> pairs = searched.is_all() ? broad_phase->find_pairs()
                                            : broad_phase->find_pairs_of(broad_phase.places()).value();
  broad_phase.mark_up_to_date();  // the predicate may make queries
  if (rules.needs_may_meet()) {
    const auto locked = lock();
    const auto end = std::remove_if(pairs.begin(), pairs.end(), [this](Pair pair) {
      return !rules.may_meet(bodies.owner(pair.a), bodies.owner(pair.b));
    });
    pairs = pairs.first(static_cast<std::size_t>(end - pairs.begin()));
  }
  return pairs;
}

// Events.

EndCause World::State::cause_of_end(Pair pair) const {
  if (changes.has(pair, reassigned)) {
    return EndCause::removed;
  }
  const Slot& a = bodies.slot(pair.a);
  const Slot& b = bodies.slot(pair.b);
  if (!a.enabled || !b.enabled) {
    return EndCause::disabled;
  }
  // If the types make no pair, and did not just change, the contact was one of `move_and_slide`.
  const bool is_slide =
      !can_touch(PairRules::box_type(a), PairRules::box_type(b)) && !changes.has(pair, sensor_changed);
  return (is_slide ? rules.is_filtered(pair) : rules.keeps_apart(pair)) ? EndCause::filtered
                                                                        : EndCause::parted;
}

// The results so far are kept apart from those of the last step. This function makes all remaining
// allocations, so that nothing after it can fail.
void World::State::prepare_events() {
  const std::span<const Contact> of_bodies = compound.merged();
  if (searched.is_all()) {
    shape_contacts.prepare(finder.found(), finder.pairs_found(), changes.bits_if_renewed());
    if (bodies.has_parts()) {
      compound.log().prepare(of_bodies, finder.pairs_of(of_bodies), changes.bits_if_renewed());
    }
  } else {
    shape_contacts.prepare(finder.found(), searched.scope(), changes.bits());
    if (bodies.has_parts()) {
      compound.log().prepare(of_bodies, searched.scope(), changes.bits());
    }
  }
  // Why contacts end: this calls the predicate, which may throw.
  ended.begin_listing();
  const auto locked = lock();
  const auto tag_of = [this](Place place) {
    const Replaced* before = changes.find_replaced(place);
    return before != nullptr ? before->tag : bodies.slot(place).tag;
  };
  for (const Pair pair : contacts().ending()) {
    const ContactEnd end{id_in_step(pair.a), id_in_step(pair.b), cause_of_end(pair)};
    ended.add(end, {tag_of(pair.a), tag_of(pair.b)});
  }
}

// Marks the bodies that `move_and_slide` put on ground, so that the next step searches their contacts.
void World::State::forget_slides() {
  for (const detail::SlideRecord& record : slide_memory.records()) {
    if (is_on_ground(record)) {
      mark_body(record.body.index, moved);
    }
  }
  slide_memory.set_reported();
}

Result<void> World::State::detect() {
  if (Error error = check_change()) {
    return error;
  }
  if (listeners.is_dispatching()) {
    return Error{ErrorCode::locked, "a step cannot begin while the listeners of the last one are called"};
  }
  Note note(*this, Change::detect);
  if (auto applied = update_filters(); !applied.has_value()) {
    return applied;
  }
  const bool resting = changes.changed().empty() && !needs_full_search && !rules.predicate();
  if (resting) {
    shape_contacts.advance_unchanged();
    compound.log().advance_unchanged();
    ended.clear();
    motions.remember_contact();
    note.keep();
    return {};
  }
  if (sweeper.has_fast()) {
    for (const Place place : changes.changed()) {
      if (sweeper.is_swept(place)) {
        mark(place, box_outdated);  // a box that a query updated does not cover the path
      }
    }
  }
  update_boxes();
  find_searched();
  const std::span<Pair> pairs = find_pairs();
  finder.find(pairs, bodies.shapes(), bodies.transforms());
  finder.replace_if([&](std::span<const Contact> found, std::vector<Contact>& joined) {
    return sweeper.sweep(pairs, found, joined);
  });
  add_extra();
  if (bodies.has_parts()) {
    compound.merge(finder.found());
  }
  prepare_events();
  // All allocations and callbacks are done. From here on nothing can fail.
  shape_contacts.commit();
  if (bodies.has_parts()) {
    compound.log().commit();
  }
  needs_full_search = false;
  if (searched.is_all()) {
    finder.commit_all();
  } else {
    finder.commit_some();
  }
  compound.commit();
  ended.commit();
  motions.remember_contact();
  for (const Replaced& one : changes.replaced()) {
    tags.release_number(one.tag);
  }
  changes.clear();
  forget_slides();
  sweeper.adopt([this](Place body, std::uint8_t bits) { mark_body(body, bits); });
  note.keep();
  return {};
}

Result<void> World::State::step(float seconds) {
  if (listeners.is_dispatching()) {
    return Error{ErrorCode::locked, "a step cannot begin while the listeners of the last one are called"};
  }
  if (Error error = check_step(seconds)) {
    return error;
  }
  const bool moves_first = order() == StepOrder::motion_first;
  Note note(*this);
  before_motion.clear();
  sweeper.save_fast();
  detail::ScopeGuard take_back([this, before = motions.seconds()] {
    roll_back_motion();
    sweeper.restore_fast();
    motions.set_seconds(before);
  });
  if (moves_first) {
    note.add(Change::integrate, seconds);
    integrate(seconds, true);
  }
  if (auto done = detect(); done.error()) {
    return done;
  }
  take_back.dismiss();
  note.keep();
  detail::FirstException thrown;
  thrown.guard([this] { dispatch().value(); });
  thrown.guard([this] { respond().value(); });
  skipped.clear();  // also if `respond` failed: they were for this step
  if (!moves_first) {
    thrown.guard([&] {
      motions.list_falling();  // listeners may have added and enabled bodies
      Note late(*this, Change::integrate, seconds);
      integrate(seconds, false);
      late.keep();
    });
  }
  thrown.rethrow();
  return {};
}

// A callback may move or destroy the world: the shared pointer keeps the state until the call returns.

Result<void> World::step(float seconds) {
  return std::shared_ptr(state_)->step(seconds);
}

Result<void> World::detect() {
  return std::shared_ptr(state_)->detect();
}

Result<void> World::dispatch() {
  return std::shared_ptr(state_)->dispatch();
}

Result<void> World::respond() {
  return std::shared_ptr(state_)->respond();
}

}  // namespace broadside::inline v0_2
