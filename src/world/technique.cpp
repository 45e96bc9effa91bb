#include <algorithm>

#include "world/state.hpp"

namespace broadside {

// The new broad phase must return the same indices as the old one would have: so it gets a box for each
// place, and the boxes of free places are removed in the order in which they became free.
Result<void> World::State::rebuild(std::unique_ptr<BroadPhase> fresh) {
  std::vector<Aabb> stretch;
  for (Place first = 0; first < bodies.places();) {
    const Slot kind = bodies.slot(first);
    const Filter filter = rules.effective_filter(kind.used ? kind : Slot{.enabled = false});
    stretch.clear();
    Place end = first;
    for (;
         end < bodies.places() && bodies.slot(end).used == kind.used &&
         PairRules::box_type(bodies.slot(end)) == PairRules::box_type(kind) &&
         rules.effective_filter(bodies.slot(end).used ? bodies.slot(end) : Slot{.enabled = false}) == filter;
         ++end) {
      stretch.push_back(kind.used ? broadside::bounds(bodies.shape(end), bodies.transform(end)) : Aabb{});
    }
    if (const auto added = fresh->add(stretch, PairRules::box_type(kind), filter); !added.has_value()) {
      return added.error();
    }
    first = end;
  }
  for (const Place place : bodies.free_places()) {
    fresh->remove(place).value();
  }
  if (Error error = fresh->use_threads(runner).error()) {
    return error;
  }
  fresh->measure_times(measures_times);
  fresh->keep_sorted(true);
  fresh->watch_queries(watches_queries);
  broad_phase = std::move(fresh);
  is_up_to_date.store(false, std::memory_order_relaxed);
  for (Place place = 0; place < bodies.places(); ++place) {
    if (bodies.slot(place).used && sweeper.keeps_starts() &&
        (bodies.slot(place).bullet || sweeper.is_swept(place))) {
      mark(place, box_outdated);
    }
  }
  return {};
}

Result<void> World::set_technique(std::string_view technique, const TechniqueOptions& options) {
  if (Error error = state_->check_change()) {
    return error;
  }
  const auto known = find_technique(technique);
  if (!known.has_value()) {
    return known.error();
  }
  auto made = (*known)->make(options);
  if (!made.has_value()) {
    return made.error();
  }
  auto rebuilt = state_->rebuild(*std::move(made));
  if (rebuilt.has_value()) {
    state_->technique_options = options;
  }
  return rebuilt;
}

const BroadPhase& World::broad_phase() const {
  state_->bring_up_to_date();
  return *state_->broad_phase;
}

void World::measure_times(bool on) {
  if (state_->is_moved_from) {
    return;
  }
  state_->measures_times = on;
  state_->broad_phase->measure_times(on);
}

void World::watch_queries(bool on) {
  if (state_->is_moved_from) {
    return;
  }
  state_->watches_queries = on;
  state_->broad_phase->watch_queries(on);
}

Result<void> World::use_threads(TaskRunner* runner) {
  if (Error error = state_->check_not_moved_from()) {
    return error;
  }
  if (Error error = state_->broad_phase->use_threads(runner).error()) {
    return error;
  }
  state_->runner = runner;
  for (NarrowPhase& narrow_phase : state_->narrow_phases) {
    static_cast<void>(narrow_phase.use_threads(runner));  // the broad phase has checked it above
  }
  return {};
}

std::size_t World::bytes() const {
  const State& s = *state_;
  const auto of = [](const auto& vector) { return vector.capacity() * sizeof(vector[0]); };
  const auto lock = s.lazy_update.lock();
  std::size_t of_names = s.tags.bytes() + s.rules.bytes();
  for (const std::string& tag : s.tags.values()) {
    of_names += tag.capacity() < sizeof(std::string) ? 0 : tag.capacity();
  }
  return sizeof(State) + of_names + s.broad_phase->statistics().bytes + s.bodies.bytes() + s.changes.bytes() +
         of(s.box_places) + of(s.boxes) + s.motions.bytes() + of(s.before_motion) + s.impacts.bytes() +
         of(s.shifted) + s.separation_phase.bytes() + of(s.skipped) + s.sweeper.bytes() +
         s.slide_memory.bytes();
}

std::size_t World::contact_bytes() const {
  const State& s = *state_;
  const auto of = [](const auto& vector) { return vector.capacity() * sizeof(vector[0]); };
  return of(s.kept) + of(s.joined) + of(s.merged) + of(s.merging) + of(s.touching) + of(s.due) +
         of(s.is_dirty) + s.shape_contacts.bytes() + s.part_contacts.bytes() + s.narrow_phases[0].bytes() +
         s.narrow_phases[1].bytes();
}

}  // namespace broadside
