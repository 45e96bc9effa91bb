#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

#include "broadside/contact/collide.hpp"
#include "contact/to_vec2.hpp"
#include "world/state.hpp"

namespace broadside {

using detail::to_point;
using detail::to_vec2;

/// Lists the bodies that are swept in this step: bullets, and bodies that moved too fast to be found inside
/// what they meet.
void World::State::find_sweepers() {
  sweepers.clear();
  std::set_union(bullets.begin(), bullets.end(), fast.begin(), fast.end(), std::back_inserter(sweepers));
  for (const Place body : sweepers) {
    is_sweeper[body] = 1;
  }
}

// Finds what bullets meet: instead of what the narrow phase found at the ends of their paths.
void World::State::sweep_bullets() {
  new_times.clear();
  new_stops.clear();
  moved_bodies.clear();
  if (starts.empty()) {
    return;
  }
  for (const Place place : changes.changed()) {
    if (bodies.slot(place).used && !bodies.slot(place).is_part && is_swept(place)) {
      moved_bodies.push_back(place);
    }
  }
  if (!sweeps_any()) {
    return;
  }
  find_sweepers();
  swept.clear();
  stop_times.assign(sweepers.size(), never);
  stop_pairs.resize(sweepers.size());
  for (const Pair pair : pairs) {
    if ((sweeps(pair.a) || sweeps(pair.b)) && (is_swept(pair.a) || is_swept(pair.b))) {
      add_swept(pair);
    }
  }
  find_seams();
  meet_in_order();
  join_swept();
  level_seams();
  for (std::size_t i = 0; i < sweepers.size(); ++i) {
    if (stop_times[i] != never) {
      new_stops.push_back({sweepers[i], stop_times[i], starts[sweepers[i]], stop_pairs[i]});
    }
    is_sweeper[sweepers[i]] = 0;
  }
  stop_times.clear();
}

// Settles the hits in order of time. The first solid one stops a bullet; what it would have met later is
// void, and what comes to it where it stands is swept again.
//
// For p pairs and bullets that stop with k pairs altogether: O((p + k) log(p + k)), and p + k casts.
void World::State::meet_in_order() {
  meetings.clear();
  const auto expect = [this](std::size_t i) {
    if (swept[i].is_expected()) {
      meetings.emplace_back(swept[i].hit->time, i);
      std::push_heap(meetings.begin(), meetings.end(), std::greater<>());
    }
  };
  for (std::size_t i = 0; i < swept.size(); ++i) {
    expect(i);
  }
  while (!meetings.empty()) {
    const auto [time, at] = meetings.front();
    std::pop_heap(meetings.begin(), meetings.end(), std::greater<>());
    meetings.pop_back();
    Swept& one = swept[at];
    if (!one.is_expected() || one.hit->time != time) {
      continue;  // a bullet of the pair was stopped since
    }
    one.is_met = true;
    const std::array<Place, 2> pair{bodies.owner(one.pair.a), bodies.owner(one.pair.b)};
    if (bodies.slot(pair[0]).sensor || bodies.slot(pair[1]).sensor) {
      continue;
    }
    stopping.clear();
    for (const Place body : pair) {
      if (sweeps(body) && time_of_stop(body) == never) {
        stop_times[sweeper_number(body)] = time;
        stop_pairs[sweeper_number(body)] = one.pair;
        for (const auto& [of, i] : swept_with(body)) {
          if (!swept[i].is_met && !(swept[i].is_expected() && swept[i].hit->time <= time)) {
            stopping.push_back(i);
          }
        }
      }
    }
    for (const std::size_t i : stopping) {
      sweep_from(swept[i], time);
    }
    for (const Place body : pair) {
      if (sweeps(body)) {
        find_lift(body);
      }
    }
    for (const std::size_t i : stopping) {
      find_seam(swept[i]);
      expect(i);
    }
  }
}

/// Joins what was met on the paths with what touches at their ends.
void World::State::join_swept() {
  joined.clear();
  bullet_touches.clear();
  auto old = newest.begin();
  auto way = swept.begin();
  for (const Pair pair : pairs) {
    const bool touches = old != newest.end() && old->pair == pair;
    Manifold manifold = touches ? old->manifold : Manifold{};
    old += touches ? 1 : 0;
    bool is_met = false;
    if (way != swept.end() && way->pair == pair) {
      const Swept& one = *way++;
      is_met = one.is_met;
      if (is_met) {
        manifold = {};
        manifold.normal = one.hit->normal;
        manifold.size = 1;
        manifold.points[0].position = one.hit->point;
        new_times.emplace_back(ordered_pair(bodies.owner(pair.a), bodies.owner(pair.b)), one.hit->time);
      } else if (time_of_stop(bodies.owner(pair.a)) != never || time_of_stop(bodies.owner(pair.b)) != never) {
        manifold = collide(bodies.shape(pair.a), end_of(pair.a), bodies.shape(pair.b), end_of(pair.b));
      }
      if (one.is_seam && !is_met && !slides(pair, one.since, manifold.normal)) {
        continue;
      }
    }
    if (manifold.touching()) {
      list_touch(pair, manifold.normal, is_met);
      joined.push_back({pair, manifold});
    }
  }
  std::sort(new_times.begin(), new_times.end());
  new_times.erase(std::unique(new_times.begin(), new_times.end(),
                              [](const auto& x, const auto& y) { return x.first == y.first; }),
                  new_times.end());
  newest = joined;
}

/// Lists the next of `joined` by its bullets, if they touch the other where they are at the end.
void World::State::list_touch(Pair pair, Vec2 normal, bool is_met) {
  if (bodies.slot(pair.a).sensor || bodies.slot(pair.b).sensor) {
    return;  // nothing stands on a sensor
  }
  for (const auto& [place, outward] : {std::pair(pair.a, normal), std::pair(pair.b, -normal)}) {
    if (sweeps(place)) {
      bullet_touches.push_back({bodies.owner(place), joined.size(), outward, is_met});
    }
  }
}

// Where a bullet stands on a row of tiles, it may touch the corner of the next one. Whether that is from
// above or from the side cannot be known, unless it would not touch it any more if it were lifted off what it
// stands on. The normal of a hit on the path is known.
void World::State::level_seams() {
  std::sort(bullet_touches.begin(), bullet_touches.end(), [](const BulletTouch& x, const BulletTouch& y) {
    return std::pair(x.body, x.contact) < std::pair(y.body, y.contact);
  });
  for (auto begin = bullet_touches.begin(); begin != bullet_touches.end();) {
    const auto end = std::find_if(begin, bullet_touches.end(),
                                  [&](const BulletTouch& touch) { return touch.body != begin->body; });
    for (auto touch = begin; touch != end; ++touch) {
      if (!touch->is_met) {
        level_seam(*touch, {begin, end});
      }
    }
    begin = end;
  }
}

/// @param touches all of the same bullet
void World::State::level_seam(const BulletTouch& touch, std::span<const BulletTouch> touches) {
  constexpr float alike = 0.5F;  // normals closer than 60 degrees are no seam
  Contact& contact = joined[touch.contact];
  const bool is_a = bodies.owner(contact.pair.a) == touch.body;
  const Place part = is_a ? contact.pair.a : contact.pair.b;
  const Place met = is_a ? contact.pair.b : contact.pair.a;
  const auto height = static_cast<float>(lift_height(touch.body, leg_of(touch.body, 0.0F)));
  const auto levels = [&](Vec2 normal, float depth) {
    if (dot(touch.normal, normal) > alike) {
      return false;
    }
    Transform lifted = end_of(part);
    lifted.position = lifted.position - (height + depth) * normal;
    if (broadside::overlaps(bodies.shape(part), lifted, bodies.shape(met), end_of(met))) {
      return false;
    }
    contact.manifold.normal = is_a ? normal : -normal;
    return true;
  };
  for (const BulletTouch& other : touches) {
    if (other.contact != touch.contact && levels(other.normal, -deepest(joined[other.contact].manifold))) {
      return;
    }
  }
  // What it slid along may have ended right here.
  if (const Vec2 lift = lifts[sweeper_number(touch.body)]; lift != Vec2{}) {
    levels(static_cast<float>(-1.0 / length(lift)) * lift, -deepest(contact.manifold));
  }
}

/// Takes over what `sweep_bullets` found.
void World::State::adopt_ways() {
  times.swap(new_times);
  stops.swap(new_stops);
  const bool are_swept = sweeps_any();
  for (const Place body : moved_bodies) {
    starts[body] = bodies.transform(body).position;
    if (are_swept) {
      mark_body(body, unboxed);
    }
  }
  for (const Place body : fast) {
    mark_body(body, moved);  // what was found on its way does not stay
  }
  fast.clear();
}

// Puts stopped bullets back to where they met something, with the velocity that they had there. A cast is
// never late, so a little further they touch, and the next step finds them in touch.
void World::State::stop_bullets() {
  for (const Stop& stop : stops) {
    if (changes.has(stop.body, renewed) || !bodies.slot(stop.body).enabled) {
      continue;
    }
    remember_motion(stop.body);
    const Transform end = bodies.transform(stop.body);
    const auto go = [&](double share) {
      place_at(stop.body,
               {to_vec2(point_between(stop.from, end.position, std::min(share, 1.0))), end.rotation});
    };
    const auto [a, b] = stop.pair;
    const auto time = static_cast<double>(stop.time);
    go(time);
    constexpr double most = 1e-4;  // what it met may have been moved away since
    for (double further = 1e-10; further < most && !broadside::overlaps(bodies.shape(a), bodies.transform(a),
                                                                        bodies.shape(b), bodies.transform(b));
         further *= 2.0) {
      go(time + further);
    }
    const double seconds = (1.0 - time) * static_cast<double>(last_seconds);
    motions.set_velocity(
        stop.body, to_vec2(to_point(motions.velocity(stop.body)) - seconds * acceleration_of(stop.body)));
    bodies.for_each_part(stop.body, [this](Place part) { shifted.push_back(part); });
  }
}

}  // namespace broadside
