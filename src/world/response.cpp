#include <algorithm>
#include <limits>

#include "world/recorder.hpp"

namespace broadside {

// Speeds are read anew for each contact: a body that hits two others in one step bounces off both.
Result<void> World::State::respond() {
  if (Error error = check_change()) {
    return error;
  }
  const bool responds = options.response != Response::none;
  if (responds) {
    make_order();
    make_room_to_drift(movers);
  }
  note(Change::respond);
  if (!responds) {
    return {};
  }
  // In double: one over the mass of a speck does not fit into a float.
  const auto inverse_mass = [&](Place place) {
    return slots[place].type == BodyType::dynamic ? 1.0 / static_cast<double>(masses[place]) : 0.0;
  };
  const auto takes_part = [&](Place place) {
    const Slot& slot = slots[place];
    return (changes[place] & renewed) == 0 && slot.enabled && !slot.sensor;
  };
  stop_bullets();
  const ContactSet& contacts = body_contacts_in_order();
  for (std::size_t n = 0; n < contacts.size(); ++n) {
    const Contact& contact = contacts[contacts.nth(n)];
    const auto [a, b] = contact.pair;
    const double total = inverse_mass(a) + inverse_mass(b);
    if (!takes_part(a) || !takes_part(b) || total <= 0.0) {
      continue;
    }
    const auto motion = [&](Place place) { return transforms[place].position - previous[place]; };
    const Vec2 normal = contact.manifold.normal;
    const float approach = dot(motion(b) - motion(a), normal);
    if (!(approach < 0.0F)) {  // nor where the ways are too long for floats
      continue;
    }
    const double impulse = -(1.0 + static_cast<double>(options.restitution)) * static_cast<double>(approach);
    const auto give = [&](Place place, double share) {
      if (share == 0.0) {
        return;
      }
      constexpr double most = std::numeric_limits<float>::max();
      const auto way = static_cast<float>(std::clamp(impulse * share, -most, most));
      const Vec2 before = previous[place] - way * normal;
      if (is_finite(before)) {
        previous[place] = before;
        let_drift(place);
      }
    };
    give(a, -inverse_mass(a) / total);
    give(b, inverse_mass(b) / total);
  }
  return {};
}

}  // namespace broadside
