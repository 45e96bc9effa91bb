#include <algorithm>
#include <cmath>
#include <limits>

#include "base/make_room.hpp"
#include "contact/to_vec2.hpp"
#include "world/recorder.hpp"

namespace broadside {

using detail::Point;
using detail::to_point;

Result<void> World::skip_response(BodyId a, BodyId b) {
  State& state = *state_;
  for (const BodyId body : {a, b}) {
    if (Error error = state.check_change(body)) {
      return error;
    }
  }
  detail::make_room(state.skipped, state.skipped.size() + 1);
  state.note(Change::skip_response, a, b);
  state.skipped.push_back(ordered_pair(a.index, b.index));
  return {};
}

/// Tells whether a contact of the last step is answered: neither body was replaced, disabled or made a sensor
/// since, and no listener said otherwise.
bool World::State::is_answered(Pair pair) const {
  const auto takes_part = [this](Place place) {
    return (changes[place] & renewed) == 0 && slots[place].enabled && !slots[place].sensor;
  };
  return takes_part(pair.a) && takes_part(pair.b) &&
         !std::binary_search(ignored.begin(), ignored.end(), pair) &&
         !std::binary_search(skipped.begin(), skipped.end(), pair);
}

/// Lists a contact among the impacts if it is answered, with the normal as it is now; returns whether it is.
bool World::State::add_impact(Pair pair, const Manifold& manifold, bool is_told) {
  // In double: one over the mass of a speck does not fit into a float.
  const auto inverse_mass = [this](Place place) {
    return slots[place].type == BodyType::dynamic ? 1.0 / static_cast<double>(masses[place]) : 0.0;
  };
  const double a = inverse_mass(pair.a);
  const double b = inverse_mass(pair.b);
  const double separation = deepest(manifold);
  if (!(a + b > 0.0 && separation <= 0.0 && is_answered(pair))) {
    return false;
  }
  const Point normal = to_point(manifold.normal);
  const double apart = separation - dot(shifts[pair.b] - shifts[pair.a], normal);
  const auto known =
      std::lower_bound(impact_numbers.begin(), impact_numbers.end(), std::pair(pair, std::size_t{0}));
  if (known == impact_numbers.end() || known->first != pair) {
    impact_numbers.insert(known, {pair, impacts.size()});
    impacts.push_back({pair, normal, apart, a / (a + b), b / (a + b), a + b, is_told});
  } else {
    impacts[known->second].normal = normal;
    impacts[known->second].apart = apart;
  }
  return true;
}

// Moves bodies apart that are inside each other, each by its share of the mass: the center of mass of two
// bodies stays, and so does their potential energy. This is a projected Gauss-Seidel iteration over all
// impacts, with their normals as found. Source: E. Catto, Iterative dynamics with temporal coherence, 2005.
void World::State::separate() {
  double deepest_impact = 0.0;
  const auto inside = [this](const Impact& impact) {
    return -impact.apart - dot(shifts[impact.pair.b] - shifts[impact.pair.a], impact.normal);
  };
  for (const Impact& impact : impacts) {
    deepest_impact = std::max(deepest_impact, inside(impact));
  }
  constexpr int max_sweeps = 200;
  double largest = deepest_impact;
  for (int sweep = 0; sweep < max_sweeps && largest > 1e-3 * deepest_impact && pushes_left >= impacts.size();
       ++sweep) {
    pushes_left -= impacts.size();
    largest = 0.0;
    for (Impact& impact : impacts) {
      const auto [a, b] = impact.pair;
      const double push = std::max(inside(impact), -impact.correction);
      impact.correction += push;
      shifts[a] = shifts[a] - (push * impact.share_a) * impact.normal;
      shifts[b] = shifts[b] + (push * impact.share_b) * impact.normal;
      largest = std::max(largest, std::fabs(push));
    }
  }
}

// Bodies that were stopped or moved apart may be inside others now, with which they were not in contact.
// These contacts are not known to listeners yet, so nothing bounces off them in this step; but nothing stays
// inside them.
void World::State::separate_all(detail::FirstException& thrown) {
  constexpr int max_rounds = 20;
  pushes_left = 1'000'000;  // bounds the time of a step with large piles
  bool is_settled = find_impacts(thrown) && impacts.empty();
  for (int round = 0; round < max_rounds && !is_settled && pushes_left >= impacts.size(); ++round) {
    separate();
    shifted.clear();
    for (const Impact& impact : impacts) {
      for (const Place body : {impact.pair.a, impact.pair.b}) {
        const Point way = shifts[body] - shifts_done[body];
        if (way != Point{}) {
          remember_motion(body);
          move_exactly(body, way);
          shifts_done[body] = shifts[body];
          for_each_part(body, [this](Place part) { shifted.push_back(part); });
        }
      }
    }
    is_settled = find_impacts(thrown);
  }
}

void World::State::clear_shifts() {
  for (const Impact& impact : impacts) {
    for (const Place body : {impact.pair.a, impact.pair.b}) {
      shifts[body] = {};
      shifts_done[body] = {};
    }
  }
}

/// Adds the contacts of `shifted` bodies to the impacts; returns whether none of them is deep.
bool World::State::find_impacts(detail::FirstException& thrown) {
  if (shifted.empty()) {
    return true;
  }
  update_boxes();
  const Lock lock(locks);
  const auto found = broad_phase->find_pairs_of(shifted).value();
  const auto end = std::remove_if(found.begin(), found.end(), [&](Pair pair) {
    bool may = true;  // a predicate that throws has not said no
    thrown.guard([&] { may = may_meet(owner(pair.a), owner(pair.b)); });
    return !may;
  });
  const auto near = found.first(static_cast<std::size_t>(end - found.begin()));
  bool is_settled = true;
  for (const Contact& contact : separation_phase.find_contacts(near, shapes, transforms).value()) {
    const auto [a, b] = contact.pair;
    const double least = 2e-3 * static_cast<double>(std::min(size_of(a), size_of(b)));
    const bool in_order = owner(a) < owner(b);
    const bool counts = add_impact(ordered_pair(owner(a), owner(b)),
                                   in_order ? contact.manifold : turned(contact.manifold), false);
    is_settled = is_settled && (!counts || -deepest(contact.manifold) < least);
  }
  return is_settled;
}

/// Moves a body by a way that may be less than a float at its place can tell.
void World::State::move_exactly(Place body, Point way) {
  const Transform& now = transforms[body];
  const Point at = to_point(now.position) + (to_point(motions.remainder(body)) + way);
  if (detail::is_in_range(at)) {
    const Vec2 position = detail::to_vec2(at);
    set_transform(body, {position, now.rotation});
    motions.set_remainder(body, detail::to_vec2(at - to_point(position)));
  }
}

// Changes the velocities of two bodies along the normal of their contact.
//
// They met before the end of the step, and were moved back along the normal by a correction to where they
// did. So their speed is that at the time of contact, which the acceleration a over that way tells:
//
//     v_contact^2 = v^2 + 2 a correction    (a < 0 presses them together)
//
// Kinetic and potential energy add up to what they were. What the acceleration gains within two steps is no
// speed to bounce with: such bodies rest.
void World::State::bounce(const Impact& impact) {
  const double pressing = pressing_of(impact);
  const double speed = speed_of(impact);
  const double at_contact =
      std::copysign(std::sqrt(std::max(0.0, speed * speed + 2.0 * pressing * impact.correction)), speed);
  double after = at_contact;
  if (speed < 0.0 && impact.is_told) {
    const double resting = -2.0 * pressing * static_cast<double>(last_seconds);
    after = -at_contact > resting ? -static_cast<double>(options.restitution) * at_contact : 0.0;
  }
  change_speed(impact, after - speed);
}

void World::State::rest(const Impact& impact) {
  const double speed = speed_of(impact);
  if (speed < 0.0 && impact.is_told &&
      (options.restitution == 0.0F ||
       -speed <= -2.0 * pressing_of(impact) * static_cast<double>(last_seconds))) {
    change_speed(impact, -speed);
  }
}

double World::State::pressing_of(const Impact& impact) const {
  return dot(acceleration_of(impact.pair.b) - acceleration_of(impact.pair.a), impact.normal);
}

double World::State::speed_of(const Impact& impact) const {
  return dot(to_point(motions.velocity(impact.pair.b)) - to_point(motions.velocity(impact.pair.a)),
             impact.normal);
}

void World::State::change_speed(const Impact& impact, double change) {
  const auto give = [&](Place place, double share) {
    if (share * change != 0.0) {
      motions.set_velocity(
          place, detail::to_vec2(to_point(motions.velocity(place)) + (share * change) * impact.normal));
    }
  };
  give(impact.pair.a, -impact.share_a);
  give(impact.pair.b, impact.share_b);
}

// Velocities are read for each contact: a body that hits two others in one step bounces off both.
Result<void> World::State::respond() {
  if (Error error = check_change()) {
    return error;
  }
  Note note(*this, Change::respond);
  detail::FirstException thrown;
  if (options.response != Response::none) {
    make_order();
    motions.reserve(slots.capacity());
    shifts.resize(slots.size());
    shifts_done.resize(slots.size());
    before_motion.clear();
    impacts.clear();
    impact_numbers.clear();
    shifted.clear();
    detail::Undo take_back([this] {
      take_back_motion();
      clear_shifts();
    });
    stop_bullets();
    std::sort(skipped.begin(), skipped.end());
    const ContactSet& contacts = body_contacts_in_order();
    for (std::size_t n = 0; n < contacts.size(); ++n) {
      const Contact& contact = contacts[contacts.nth(n)];
      add_impact(contact.pair, contact.manifold, true);
    }
    separate_all(thrown);
    take_back.dismiss();
    clear_shifts();
    for (const BeforeMotion& before : before_motion) {
      starts[before.body] = transforms[before.body].position;
    }
    for (const Impact& impact : impacts) {
      bounce(impact);
    }
    constexpr int sweeps_at_rest = 8;
    for (int sweep = 0; sweep < sweeps_at_rest; ++sweep) {
      for (const Impact& impact : impacts) {
        rest(impact);
      }
    }
  }
  note.keep();
  stops.clear();
  skipped.clear();
  thrown.rethrow();
  return {};
}

}  // namespace broadside
