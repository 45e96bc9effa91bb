#include <algorithm>
#include <iterator>
#include <utility>

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
  boxes.clear();
  for (const Place place : unboxed_places) {
    changes[place] &= static_cast<std::uint8_t>(~unboxed);
    if (slots[place].used) {
      box_places.push_back(place);
      boxes.push_back(bullets > 0 && slots[place].bullet
                          ? swept_bounds(place)
                          : broadside::bounds(shapes[place], transforms[place]));
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

void World::State::find_pairs() {
  const std::span<Pair> found = broad_phase->find_pairs();
  is_up_to_date.store(true, std::memory_order_relaxed);  // for queries of the predicate
  pairs = found;
  if (has_parts() || !ignored.empty() || predicate ||
      (options.interest == Interest::listeners && tags.size() > 64)) {
    const Lock lock(locks);
    const auto end = std::remove_if(found.begin(), found.end(),
                                    [this](Pair pair) { return !may_meet(owner(pair.a), owner(pair.b)); });
    pairs = found.first(static_cast<std::size_t>(end - found.begin()));
  }
  sorter.sort(pairs, slots.size());
}

// Contacts.

// A pair of which nothing changed touches as it did: only the others are looked at.
//
//     pairs    (0,2)  (0,7)  (1,5)  (3,4)       0 moved
//     tested   (0,2)  (0,7)                     looked at
//     kept                   (1,5)              touched before; (3,4) did not
void World::State::find_contacts() {
  constexpr std::uint8_t matters = renewed | moved | refiltered;
  // What was found of a bullet may lie on its way, or be levelled: that is not kept.
  const auto is_due = [this](Pair pair) {
    return ((changes[pair.a] | changes[pair.b]) & matters) != 0 ||
           (bullets > 0 && (slots[pair.a].bullet || slots[pair.b].bullet));
  };
  const bool most_moved = changed.size() >= slots.size() / 2;  // telling the others apart is not worth it
  if (std::exchange(all_anew, false) || predicate || most_moved) {
    contacts = narrow_phase.find_contacts(pairs, shapes, transforms).value();
    return;
  }
  tested.clear();
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(tested), is_due);
  if (contacts.data() != kept.data()) {
    kept.assign(contacts.begin(), contacts.end());
    contacts = kept;
  }
  const auto fresh = narrow_phase.find_contacts(tested, shapes, transforms).value();
  joined.clear();
  auto next_fresh = fresh.begin();
  auto old = contacts.begin();
  for (const Pair pair : pairs) {
    if (is_due(pair)) {
      if (next_fresh != fresh.end() && next_fresh->pair == pair) {
        joined.push_back(*next_fresh++);
      }
      continue;
    }
    while (old != contacts.end() && old->pair < pair) {
      ++old;
    }
    if (old != contacts.end() && old->pair == pair) {
      joined.push_back(*old);
    }
  }
  kept.swap(joined);
  contacts = kept;
}

// Contacts of shapes become contacts of bodies: of those between the same two, the deepest.
void World::State::merge_parts() {
  merge_order.clear();
  for (const Contact& contact : contacts) {
    merge_order.emplace_back(ordered_pair(owner(contact.pair.a), owner(contact.pair.b)),
                             static_cast<std::uint32_t>(merge_order.size()));
  }
  std::sort(merge_order.begin(), merge_order.end());
  merged.clear();
  for (const auto& [pair, at] : merge_order) {
    const Contact& contact = contacts[at];
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

void World::State::diff() {
  if (has_parts()) {
    merge_parts();
  }
  const auto now = body_contacts();
  touching.resize(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    touching[i] = now[i].pair;
  }
  history.advance(touching, replaced.empty() ? std::span<const std::uint8_t>() : changes);
  adjacency_is_made.store(false, std::memory_order_relaxed);  // the predicate may have asked for it
  ended.clear();
  ended_tags.clear();
  const Lock lock(locks);
  for (const Pair pair : history.ended()) {
    ended.push_back({id_in_step(pair.a), id_in_step(pair.b), cause_of_end(pair)});
    const auto tag_of = [this](Place place) {
      const Replaced* before = find_replaced(place);
      return before != nullptr ? before->tag : slots[place].tag;
    };
    ended_tags.emplace_back(tag_of(pair.a), tag_of(pair.b));
  }
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
    state.history.advance_unchanged();
    state.ended.clear();
    state.ended_tags.clear();
    return {};
  }
  state.update_boxes();
  state.find_pairs();
  state.find_contacts();
  if (state.bullets > 0) {
    state.sweep_bullets();
  } else {
    state.times.clear();
  }
  state.diff();
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
