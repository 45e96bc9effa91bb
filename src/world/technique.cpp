#include "world/state.hpp"

namespace broadside::inline v0_2 {

// The new broad phase must assign the same indices from now on as the old one would: so it gets a box for
// each place, and the boxes of free places are removed in the order in which they became free.
Result<void> World::State::rebuild(std::unique_ptr<BroadPhase> replacement) {
  std::vector<Aabb> boxes;
  std::vector<BoxKind> kinds;
  boxes.reserve(bodies.places());
  kinds.reserve(bodies.places());
  for (Place place = 0; place < bodies.places(); ++place) {
    const Slot& slot = bodies.slot(place);
    boxes.push_back(slot.used ? broadside::bounds(bodies.shape(place), bodies.transform(place)) : Aabb{});
    kinds.push_back(rules.box_kind(slot.used ? slot : Slot{.enabled = false}));
  }
  if (const auto added = replacement->add(boxes, kinds); !added.has_value()) {
    return added.error();
  }
  for (const Place place : bodies.free_places()) {
    replacement->remove(place).value();
  }
  broad_phase.adopt(std::move(replacement));
  // The boxes above are those at the ends of the motions; the box of a body that is swept covers its path.
  for (Place place = 0; sweeper.keeps_starts() && place < bodies.places(); ++place) {
    if (bodies.slot(place).used && (bodies.slot(place).bullet || sweeper.is_swept(place))) {
      mark(place, box_outdated);
    }
  }
  return {};
}

Result<void> World::State::set_technique(OwnBroadPhase::Make make) {
  if (Error error = check_change()) {
    return error;
  }
  return broad_phase.set_technique(std::move(make));
}

Result<void> World::set_technique(std::string_view technique, const TechniqueOptions& options) {
  return state_->set_technique([known = find_technique(technique), options] {
    return known.has_value() ? (*known)->create_technique(options) : known.error();
  });
}

Result<void> World::set_technique(std::function<std::unique_ptr<Technique>()> make) {
  if (!make) {
    return Error{ErrorCode::invalid_argument, "set_technique: `make` is empty"};
  }
  return state_->set_technique([make = std::move(make)]() -> Result<std::unique_ptr<Technique>> {
    auto made = make();
    if (made == nullptr) {
      return Error{
          ErrorCode::invalid_argument,
          "the function that `set_technique` was given returned null; it must return a new technique"};
    }
    return made;
  });
}

const BroadPhase& World::broad_phase() const {
  state_->bring_up_to_date();
  return *state_->broad_phase;
}

void World::measure_times(bool on) {
  if (!state_->is_moved_from()) {
    state_->broad_phase.measure_times(on);
  }
}

void World::watch_queries(bool on) {
  if (!state_->is_moved_from()) {
    state_->broad_phase.watch_queries(on);
  }
}

}  // namespace broadside::inline v0_2
