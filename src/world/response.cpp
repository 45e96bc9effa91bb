#include <algorithm>
#include <cmath>

#include "base/reserve.hpp"
#include "base/to_vec2.hpp"
#include "broadside/contact/collide.hpp"
#include "world/recorder.hpp"

namespace broadside::inline v0_2 {

using detail::Point;
using detail::to_point;

Result<void> World::skip_response(BodyId a, BodyId b) {
  State& state = *state_;
  if (Error error = state.check_change(a, b)) {
    return error;
  }
  if (a == b) {
    return Error{ErrorCode::invalid_argument, "skip_response: a body never touches itself"};
  }
  detail::reserve(state.skipped, state.skipped.size() + 1);
  State::Note(state, Change::skip_response, a, b).keep();
  const Pair pair = ordered_pair(a.index, b.index);
  const auto at = std::lower_bound(state.skipped.begin(), state.skipped.end(), pair);
  if (at == state.skipped.end() || *at != pair) {
    state.skipped.insert(at, pair);
  }
  return {};
}

/// Tells whether a contact of the last step gets a response: neither body was replaced, disabled or made a
/// sensor since, and the pair is neither skipped nor ignored.
bool World::State::is_answered(Pair pair) const {
  const auto takes_part = [this](Place place) {
    return !changes.has(place, reassigned) && bodies.slot(place).enabled && !bodies.slot(place).sensor;
  };
  return takes_part(pair.a) && takes_part(pair.b) && !rules.is_ignored(pair) &&
         !std::binary_search(skipped.begin(), skipped.end(), pair);
}

/// Adds a contact to the impacts, or updates it, if it gets a response; returns whether it does.
bool World::State::add_impact(Pair pair, const Manifold& manifold, bool is_reported) {
  // In double: the inverse of a tiny mass does not fit into a float.
  const auto inverse_mass = [this](Place place) {
    return bodies.slot(place).type == BodyType::dynamic ? 1.0 / static_cast<double>(bodies.mass(place)) : 0.0;
  };
  const std::pair inverse_masses(inverse_mass(pair.a), inverse_mass(pair.b));
  const double separation = deepest(manifold);
  if (inverse_masses.first + inverse_masses.second == 0.0 || separation > 0.0 || !is_answered(pair)) {
    return false;
  }
  impacts.add_or_update(pair, to_point(manifold.normal), separation, inverse_masses, is_reported);
  return true;
}

// Moves stopped bodies back to their time of impact, with the velocity that they had there. As a cast is
// never late, they are then moved forward until they touch, so that the next step finds the contact.
void World::State::stop_bullets() {
  for (const Sweeper::Stop& stop : sweeper.stops()) {
    if (changes.has(stop.body, reassigned) || !bodies.slot(stop.body).enabled) {
      continue;
    }
    remember_motion(stop.body);
    const Transform end = bodies.transform(stop.body);
    const auto place_on_path = [&](double share) {
      const Point to = Sweeper::point_between(stop.from, end.position, std::min(share, 1.0));
      place_at(stop.body, {detail::to_vec2(to), end.rotation});
    };
    const auto [a, b] = stop.pair;
    const auto time = static_cast<double>(stop.time);
    place_on_path(time);
    constexpr double max_further = 1e-4;  // the obstacle may have been moved away since
    for (double further = 1e-10;
         further < max_further &&
         !broadside::overlaps(bodies.shape(a), bodies.transform(a), bodies.shape(b), bodies.transform(b));
         further *= 2.0) {
      place_on_path(time + further);
    }
    const double seconds = (1.0 - time) * static_cast<double>(motions.seconds());
    motions.set_velocity(stop.body, detail::to_vec2(to_point(motions.velocity(stop.body)) -
                                                    seconds * motions.acceleration_of(stop.body)));
    bodies.for_each_part(stop.body, [this](Place part) { shifted.shapes.push_back(part); });
  }
}

// Bodies that were stopped or separated may now overlap others that they had no contact with. Such contacts
// were not reported to listeners, so they cause no bounce in this step, but their bodies are separated.
void World::State::separate_all(detail::FirstException& thrown) {
  constexpr int max_rounds = 20;
  bool is_settled = find_impacts(thrown) && impacts.all().empty();
  for (int round = 0; round < max_rounds && !is_settled && impacts.may_separate(); ++round) {
    impacts.separate();
    shifted.shapes.clear();
    for (const Impacts::Impact& impact : impacts.all()) {
      for (const Place body : {impact.pair.a, impact.pair.b}) {
        if (const Point shift = impacts.take_shift(body); shift != Point{}) {
          remember_motion(body);
          const Point to = motions.exact_position(body) + shift;
          if (detail::is_in_range(to)) {
            move_exactly(body, to);
          }
          bodies.for_each_part(body, [this](Place part) { shifted.shapes.push_back(part); });
        }
      }
    }
    is_settled = find_impacts(thrown);
  }
}

/// Adds the contacts of `shifted` bodies to the impacts; returns whether none of them is deep.
bool World::State::find_impacts(detail::FirstException& thrown) {
  if (shifted.shapes.empty()) {
    return true;
  }
  update_boxes();
  const auto locked = lock();
  const auto found = broad_phase->find_pairs_of(shifted.shapes).value();
  const auto end = std::remove_if(found.begin(), found.end(), [&](Pair pair) {
    bool may = true;  // a predicate that throws rejects nothing
    thrown.guard([&] { may = rules.may_meet(bodies.owner(pair.a), bodies.owner(pair.b)); });
    return !may;
  });
  const auto near = found.first(static_cast<std::size_t>(end - found.begin()));
  const auto touching = shifted.contacts.find_contacts(near, bodies.shapes(), bodies.transforms()).value();
  bool is_settled = true;
  for (const Contact& contact : touching) {
    const auto [a, b] = contact.pair;
    const double tolerance =
        2e-3 * static_cast<double>(std::min(bodies.shorter_side(a), bodies.shorter_side(b)));
    const Pair owners = bodies.owners(contact.pair);
    const bool in_order = bodies.owner(a) == owners.a;
    const bool counts = add_impact(owners, in_order ? contact.manifold : swapped(contact.manifold), false);
    is_settled = is_settled && (!counts || -deepest(contact.manifold) < tolerance);
  }
  return is_settled;
}

// Changes the velocities of two bodies along the normal of their contact.
//
// They met before the end of the step, and were moved back along the normal by a correction. Their speed at
// the time of contact follows from the acceleration a over that distance:
//
//     v_contact^2 = v^2 + 2 a correction    (a < 0 presses them together)
//
// This keeps the sum of kinetic and potential energy. Bodies do not bounce, but rest, if the acceleration
// alone reaches their speed within two steps.
void World::State::bounce(const Impacts::Impact& impact) {
  const double pressing = normal_acceleration(impact);
  const double speed = speed_of(impact);
  const double at_contact =
      std::copysign(std::sqrt(std::max(0.0, speed * speed + 2.0 * pressing * impact.correction)), speed);
  double after = at_contact;
  if (speed < 0.0 && impact.is_reported) {
    after = is_resting(at_contact, pressing) ? 0.0 : -static_cast<double>(options.restitution) * at_contact;
  }
  change_speed(impact, after - speed);
}

void World::State::rest(const Impacts::Impact& impact) {
  const double speed = speed_of(impact);
  if (speed < 0.0 && impact.is_reported &&
      (options.restitution == 0.0F || is_resting(speed, normal_acceleration(impact)))) {
    change_speed(impact, -speed);
  }
}

/// Tells whether two bodies approach no faster than an acceleration makes them in two steps.
bool World::State::is_resting(double speed, double acceleration) const {
  return speed >= 2.0 * acceleration * static_cast<double>(motions.seconds());
}

double World::State::normal_acceleration(const Impacts::Impact& impact) const {
  return dot(motions.acceleration_of(impact.pair.b) - motions.acceleration_of(impact.pair.a), impact.normal);
}

double World::State::speed_of(const Impacts::Impact& impact) const {
  return dot(to_point(motions.velocity(impact.pair.b)) - to_point(motions.velocity(impact.pair.a)),
             impact.normal);
}

void World::State::change_speed(const Impacts::Impact& impact, double change) {
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
    motions.reserve(bodies.capacity());
    impacts.reset(bodies.places());
    before_motion.clear();
    shifted.shapes.clear();
    detail::ScopeGuard take_back([this] { roll_back_motion(); });
    stop_bullets();
    contacts().for_each([this](const Contact& contact) { add_impact(contact.pair, contact.manifold, true); });
    separate_all(thrown);
    take_back.dismiss();
    for (const BeforeMotion& before : before_motion) {
      end_path(before.body);
    }
    for (const Impacts::Impact& impact : impacts.all()) {
      bounce(impact);
    }
    constexpr int sweeps_at_rest = 8;
    for (int sweep = 0; sweep < sweeps_at_rest; ++sweep) {
      for (const Impacts::Impact& impact : impacts.all()) {
        rest(impact);
      }
    }
  }
  note.keep();
  sweeper.clear_stops();
  skipped.clear();
  thrown.rethrow();
  return {};
}

}  // namespace broadside::inline v0_2
