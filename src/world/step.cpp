#include <algorithm>
#include <iterator>
#include <utility>

#include "base/bounds_kernel.hpp"
#include "world/recorder.hpp"

namespace broadside {

// Boxes.

void World::State::update_boxes() {
  if (unboxed_places.empty()) {
    return;
  }
  if (!std::is_sorted(unboxed_places.begin(), unboxed_places.end())) {
    std::sort(unboxed_places.begin(), unboxed_places.end());
  }
  box_places.clear();
  for (const Place place : unboxed_places) {
    changes[place] &= static_cast<std::uint8_t>(~unboxed);
    if (slots[place].used) {
      box_places.push_back(place);
    }
  }
  boxes.resize(box_places.size());
  detail::find_bounds(box_places, shapes, transforms, boxes);
  for (std::size_t i = 0; i < box_places.size() && bullets > 0; ++i) {
    if (slots[box_places[i]].bullet) {
      boxes[i] = swept_bounds(box_places[i]);
    }
  }
  unboxed_places.clear();
  // Shapes and transforms were looked at when they came, so their boxes are valid.
  broad_phase->move(box_places, boxes).value();
}

void World::State::bring_up_to_date() {
  ensure(is_up_to_date, [this] {
    broad_phase->use_threads(nullptr);  // the caller may be one of them
    update_boxes();
    broad_phase->update();
    broad_phase->use_threads(runner);
  });
}

// Pairs.

// What the filters of the broad phase do not know.
bool World::State::may_meet(Place a, Place b) const {
  if (a == b) {
    return false;
  }
  if (!ignored.empty() && std::binary_search(ignored.begin(), ignored.end(), ordered_pair(a, b))) {
    return false;
  }
  if (options.interest == Interest::listeners && tags.size() > 64 && !slots[a].sensor && !slots[b].sensor &&
      !is_heard(slots[a].tag, slots[b].tag)) {
    return false;
  }
  return !predicate || predicate(id(std::min(a, b)), id(std::max(a, b)));
}

/// Tells whether so little changed that looking at all pairs costs more than looking for those of what did.
bool World::State::is_quiet() const {
  constexpr std::size_t share = 6;  // of those that may move
  return !all_anew && !predicate && share * (changed.size() + bullets) < movers;
}

// A pair of which nothing changed touches as it did: only the others are looked for.
//
//     touching before  (0,2) (1,5) (3,4)     0 moved
//     pairs of 0       (0,2) (0,7)           looked at; (1,5) and (3,4) are where they were
void World::State::find_due() {
  constexpr std::uint8_t matters = renewed | moved | refiltered;
  is_due.resize(slots.size());
  due.clear();
  const auto add = [this](Place place) {
    if (is_due[place] == 0) {
      is_due[place] = 1;
      due.push_back(place);
    }
  };
  // With one of its shapes, all that a body touches is in question.
  for (const Place place : changed) {
    if ((changes[place] & matters) != 0) {
      add(place);
      for_each_part(owner(place), add);
    }
  }
  // What was found of a bullet may lie on its way, or be levelled: that is not kept.
  for (Place place = 0; place < slots.size() && bullets > 0; ++place) {
    if (slots[place].bullet) {
      add(place);
    }
  }
  of_shapes.keep();
  if (has_parts()) {
    of_bodies.keep();
  }
}

void World::State::find_pairs(bool quiet) {
  if (quiet) {
    box_places.clear();
    std::copy_if(due.begin(), due.end(), std::back_inserter(box_places),
                 [this](Place place) { return slots[place].used; });
  }
  pairs = quiet ? broad_phase->find_pairs_of(box_places).value() : broad_phase->find_pairs();
  is_up_to_date.store(true, std::memory_order_relaxed);  // for queries of the predicate
  if (has_parts() || !ignored.empty() || predicate ||
      (options.interest == Interest::listeners && tags.size() > 64)) {
    const Lock lock(locks);
    const auto end = std::remove_if(pairs.begin(), pairs.end(),
                                    [this](Pair pair) { return !may_meet(owner(pair.a), owner(pair.b)); });
    pairs = pairs.first(static_cast<std::size_t>(end - pairs.begin()));
  }
  sorter.sort(pairs, slots.size());
}

// Contacts.

void World::State::find_contacts() {
  all_anew = false;
  newest = narrow_phase.find_contacts(pairs, shapes, transforms).value();
}

// Contacts of shapes become contacts of bodies: of those between the same two, the deepest.
void World::State::merge_parts() {
  merge_order.clear();
  for (const Contact& contact : newest) {
    merge_order.emplace_back(ordered_pair(owner(contact.pair.a), owner(contact.pair.b)),
                             static_cast<std::uint32_t>(merge_order.size()));
  }
  std::sort(merge_order.begin(), merge_order.end());
  merged.clear();
  for (const auto& [pair, at] : merge_order) {
    const Contact& contact = newest[at];
    const Manifold manifold = owner(contact.pair.a) == pair.a ? contact.manifold : turned(contact.manifold);
    if (merged.empty() || merged.back().pair != pair) {
      merged.push_back({pair, manifold});
    } else if (deepest(manifold) < deepest(merged.back().manifold)) {
      merged.back().manifold = manifold;
    }
  }
}

// Events.

EndCause World::State::cause_of_end(Pair pair) const {
  if (((changes[pair.a] | changes[pair.b]) & renewed) != 0) {
    return EndCause::removed;
  }
  const Slot& a = slots[pair.a];
  const Slot& b = slots[pair.b];
  if (!a.enabled || !b.enabled) {
    return EndCause::disabled;
  }
  const bool filtered =
      !broadside::may_touch(effective_filter(a), effective_filter(b)) || !may_meet(pair.a, pair.b);
  return filtered ? EndCause::filtered : EndCause::parted;
}

void World::State::diff_all() {
  ContactSet& touched = body_contacts();
  if (touched.is_patched()) {  // the history is of the step before that
    touched.make_order();
    touching.clear();
    for (const ContactSet::At at : touched.order()) {
      touching.push_back(touched[at].pair);
    }
    history.clear();
    history.advance(touching);
  }
  of_shapes.replace(newest);
  if (has_parts()) {
    of_bodies.replace(merged);
  }
  const auto now = body_contacts().entries();
  touching.resize(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    touching[i] = now[i].pair;
  }
  history.advance(touching, replaced.empty() ? std::span<const std::uint8_t>() : changes);
}

void World::State::diff(bool quiet) {
  if (has_parts()) {
    merge_parts();
  }
  if (quiet) {
    of_shapes.patch(newest, due, is_due, changes);
    if (has_parts()) {
      of_bodies.patch(merged, due, is_due, changes);
    }
    for (const Place place : due) {
      is_due[place] = 0;
    }
  } else {
    diff_all();
  }
  order_is_made.store(false, std::memory_order_relaxed);
  shown_is_made.store(false, std::memory_order_relaxed);
  adjacency_is_made.store(false, std::memory_order_relaxed);  // the predicate may have asked for it
  ended.clear();
  ended_tags.clear();
  const Lock lock(locks);
  for (const Pair pair : quiet ? body_contacts().ended() : history.ended()) {
    ended.push_back({id_in_step(pair.a), id_in_step(pair.b), cause_of_end(pair)});
    const auto tag_of = [this](Place place) {
      const Replaced* before = find_replaced(place);
      return before != nullptr ? before->tag : slots[place].tag;
    };
    ended_tags.emplace_back(tag_of(pair.a), tag_of(pair.b));
  }
}

void World::State::advance_unchanged() {
  if (!body_contacts().is_patched()) {
    history.advance_unchanged();
    return;
  }
  if (!begun().empty()) {
    order_is_made.store(false, std::memory_order_relaxed);
  }
  of_shapes.advance_unchanged();
  of_bodies.advance_unchanged();
}

void World::State::forget_changes() {
  for (const Place place : changed) {
    changes[place] &= unboxed;
  }
  std::erase_if(changed, [this](Place place) { return changes[place] == 0; });
  replaced.clear();
}

Result<void> World::detect() {
  State& state = *state_;
  if (Error error = state.check_change()) {
    return error;
  }
  if (state.telling) {
    return Error{ErrorCode::locked, "a step may not begin while listeners are told of the last one"};
  }
  state.note(Change::detect);
  const bool resting = state.changed.empty() && !state.all_anew && !state.predicate;
  if (resting) {
    state.advance_unchanged();
    state.ended.clear();
    state.ended_tags.clear();
    return {};
  }
  state.update_boxes();
  const bool quiet = state.is_quiet();
  if (quiet) {
    state.find_due();
  }
  state.find_pairs(quiet);
  state.find_contacts();
  if (state.bullets > 0) {
    state.sweep_bullets();
  } else {
    state.times.clear();
  }
  state.diff(quiet);
  state.forget_changes();
  return {};
}

Result<void> World::step(float seconds) {
  State& state = *state_;
  if (state.telling) {
    return Error{ErrorCode::locked, "a step may not begin while listeners are told of the last one"};
  }
  if (auto done = accelerate(seconds); !done) {
    return done;
  }
  if (auto done = detect(); !done) {
    return done;
  }
  tell().value();
  respond().value();
  move_on(seconds).value();
  return {};
}

}  // namespace broadside
