#include "world/state.hpp"

namespace broadside {

// Speeds are read anew for each contact: a body that hits two others in one step bounces off both.
Result<void> World::respond() {
  State& state = *state_;
  if (Error error = state.check_change()) {
    return error;
  }
  if (state.options.response == Response::none) {
    return {};
  }
  const auto inverse_mass = [&](State::Place place) {
    return state.slots[place].type == BodyType::dynamic ? 1.0F / state.masses[place] : 0.0F;
  };
  const auto takes_part = [&](State::Place place) {
    const State::Slot& slot = state.slots[place];
    return (state.changes[place] & State::renewed) == 0 && slot.enabled && !slot.sensor;
  };
  state.stop_bullets();
  for (const Contact& contact : state.body_contacts()) {
    const auto [a, b] = contact.pair;
    const float total = inverse_mass(a) + inverse_mass(b);
    if (!takes_part(a) || !takes_part(b) || total <= 0.0F) {
      continue;
    }
    const auto motion = [&](State::Place place) {
      return state.transforms[place].position - state.previous[place];
    };
    const Vec2 normal = contact.manifold.normal;
    const float approach = dot(motion(b) - motion(a), normal);
    if (approach >= 0.0F) {
      continue;
    }
    const float impulse = -(1.0F + state.options.restitution) * approach / total;
    const auto give = [&](State::Place place, float share) {
      if (share != 0.0F) {
        state.previous[place] = state.previous[place] - (impulse * share) * normal;
        state.let_drift(place);
      }
    };
    give(a, -inverse_mass(a));
    give(b, inverse_mass(b));
  }
  return {};
}

}  // namespace broadside
