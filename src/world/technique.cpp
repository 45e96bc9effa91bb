#include <algorithm>

#include "broadside/base/validate.hpp"
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
  broad_phase.adopt(std::move(fresh));
  broad_phase.mark_outdated();
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
    state_->broad_phase.set_options(options);
  }
  return rebuilt;
}

const BroadPhase& World::broad_phase() const {
  state_->bring_up_to_date();
  return *state_->broad_phase;
}

void World::measure_times(bool on) {
  if (state_->is_moved_from()) {
    return;
  }
  state_->broad_phase.measure_times(on);
}

void World::watch_queries(bool on) {
  if (state_->is_moved_from()) {
    return;
  }
  state_->broad_phase.watch_queries(on);
}

}  // namespace broadside
