#include <algorithm>
#include <cmath>

#include "broadside/contact/collide.hpp"
#include "contact/to_vec2.hpp"
#include "world/state.hpp"

namespace broadside {

namespace {

// Below this share of the way it does not come closer, but slides along.
constexpr double sliding = 1e-3;

}  // namespace

Transform World::State::sweep_start(Place place) const {
  const Transform& now = transforms[place];
  return slots[place].bullet ? Transform{swept_from[place].position, now.rotation} : now;
}

/// Tells whether a bullet is not where it was in the last step.
bool World::State::is_swept(Place place) const {
  return slots[place].bullet && swept_from[place].position != transforms[place].position;
}

Aabb World::State::swept_bounds(Place place) const {
  return merge(broadside::bounds(shapes[place], sweep_start(place)),
               broadside::bounds(shapes[place], transforms[place]));
}

/// When and where the shapes of a pair meet on their ways, if both are shifted against each other by `lift`
/// first.
std::optional<CastHit> World::State::sweep(Pair pair, Vec2 lift) const {
  const Transform from_a = sweep_start(pair.a);
  const Transform from_b = sweep_start(pair.b);
  const Vec2 way_b = transforms[pair.b].position - from_b.position;
  const Vec2 way = transforms[pair.a].position - from_a.position - way_b;
  auto hit = cast(shapes[pair.a], {from_a.position + lift, from_a.rotation}, way, shapes[pair.b], from_b);
  if (hit) {
    hit->point = hit->point + hit->time * way_b;
  }
  return hit;
}

/// The shorter side of the box around a shape.
float World::State::size_of(Place place) const {
  const Aabb box = broadside::bounds(shapes[place], transforms[place]);
  return std::min(box.max.x - box.min.x, box.max.y - box.min.y);
}

bool World::State::slides(Pair pair, Vec2 normal) const {
  const Vec2 way = (transforms[pair.a].position - sweep_start(pair.a).position) -
                   (transforms[pair.b].position - sweep_start(pair.b).position);
  return dot(detail::to_point(way), detail::to_point(normal)) <= sliding * length(way);
}

void World::State::sort_touches() {
  std::sort(bullet_touches.begin(), bullet_touches.end(), [](const BulletTouch& x, const BulletTouch& y) {
    return std::pair(x.body, x.contact) < std::pair(y.body, y.contact);
  });
}

std::span<const World::State::BulletTouch> World::State::touches_of(Place body) const {
  struct ByBody {
    bool operator()(const BulletTouch& touch, Place wanted) const { return touch.body < wanted; }
    bool operator()(Place wanted, const BulletTouch& touch) const { return wanted < touch.body; }
  };
  const auto [begin, end] = std::equal_range(bullet_touches.begin(), bullet_touches.end(), body, ByBody{});
  return {begin, end};
}

// A bullet that slides along a row of tiles touches the one it is on at the start, and would bump into the
// edge of the next by a rounding error. So it is lifted off what it slides along, by a thousandth of its
// size, before it is asked what it meets:
//
//         ┌───┐  →                 ┌───┐  →
//     ════╧═══╧══╤═══════      ════════════╤═══════
//        tile    │ tile           tile     │ tile
Vec2 World::State::lift_of(Place body) const {
  Vec2 lift;
  for (const BulletTouch& touch : touches_of(body)) {
    lift = lift - touch.normal;
  }
  if (lift == Vec2{}) {
    return lift;
  }
  const Vec2 way = transforms[body].position - sweep_start(body).position;
  const double height = 1e-3 * static_cast<double>(size_of(body)) + 1e-5 * length(way);
  return static_cast<float>(height / length(lift)) * lift;
}

void World::State::add_swept(Pair pair) {
  Swept one{pair, sweep(pair, {})};
  one.slides = one.hit && one.hit->time == 0.0F && slides(pair, one.hit->normal);
  swept.push_back(one);
}

void World::State::find_seams() {
  bullet_touches.clear();
  for (std::size_t i = 0; i < swept.size(); ++i) {
    if (swept[i].slides) {
      const Vec2 normal = swept[i].hit->normal;
      bullet_touches.push_back({owner(swept[i].pair.a), i, normal});
      bullet_touches.push_back({owner(swept[i].pair.b), i, -normal});
    }
  }
  sort_touches();
  for (Swept& one : swept) {
    if (one.hit && !one.slides) {
      const Vec2 lift = lift_of(owner(one.pair.a)) - lift_of(owner(one.pair.b));
      one.is_seam = lift != Vec2{} && !sweep(one.pair, lift);
    }
  }
}

void World::State::sweep_bullets() {
  new_times.clear();
  if (bullets.empty()) {
    return;
  }
  swept.clear();
  for (const Pair pair : pairs) {
    if (is_swept(pair.a) || is_swept(pair.b)) {
      add_swept(pair);
    }
  }
  find_seams();
  find_stops();
  join_swept();
  level_seams();
}

/// Takes over what `sweep_bullets` found.
void World::State::adopt_ways() {
  times.swap(new_times);
  if (bullets.empty()) {
    return;
  }
  stops.swap(new_stops);
  for (const Place body : bullets) {
    for_each_part(body, [this](Place place) {
      if (is_swept(place)) {
        mark(place, unboxed);
      }
      swept_from[place] = transforms[place];
    });
  }
}

// A bullet goes as far as the first solid body that it runs into.
void World::State::find_stops() {
  new_stops.clear();
  for (const Swept& one : swept) {
    const Place a = owner(one.pair.a);
    const Place b = owner(one.pair.b);
    if (!one.hit || one.slides || one.is_seam || slots[a].sensor || slots[b].sensor) {
      continue;
    }
    for (const Place body : {a, b}) {
      if (slots[body].bullet) {
        new_stops.push_back({body, one.hit->time, sweep_start(body).position, one.pair});
      }
    }
  }
  std::sort(new_stops.begin(), new_stops.end(), [](const Stop& x, const Stop& y) {
    return std::pair(x.body, x.time) < std::pair(y.body, y.time);
  });
  new_stops.erase(std::unique(new_stops.begin(), new_stops.end(),
                              [](const Stop& x, const Stop& y) { return x.body == y.body; }),
                  new_stops.end());
}

float World::State::time_of_stop(Place body) const {
  const auto at = std::lower_bound(new_stops.begin(), new_stops.end(), body,
                                   [](const Stop& stop, Place wanted) { return stop.body < wanted; });
  return at != new_stops.end() && at->body == body ? at->time : 1.0F;
}

// Puts what was found along the ways in the place of what was found at their ends.
void World::State::join_swept() {
  joined.clear();
  auto old = newest.begin();
  auto way = swept.begin();
  for (const Pair pair : pairs) {
    const bool touches = old != newest.end() && old->pair == pair;
    if (way == swept.end() || way->pair != pair) {
      if (touches) {
        joined.push_back(*old);
      }
    } else {
      const float last = std::min(time_of_stop(owner(pair.a)), time_of_stop(owner(pair.b)));
      if (way->hit && !way->slides && !way->is_seam && way->hit->time <= last) {
        Manifold manifold;
        manifold.normal = way->hit->normal;
        manifold.size = 1;
        manifold.points[0].position = way->hit->point;
        joined.push_back({pair, manifold});
        new_times.emplace_back(ordered_pair(owner(pair.a), owner(pair.b)), way->hit->time);
      } else if (touches && last == 1.0F && !(way->is_seam && !slides(pair, old->manifold.normal))) {
        joined.push_back(*old);
      }
      ++way;
    }
    old += touches ? 1 : 0;
  }
  std::sort(new_times.begin(), new_times.end());
  new_times.erase(std::unique(new_times.begin(), new_times.end(),
                              [](const auto& x, const auto& y) { return x.first == y.first; }),
                  new_times.end());
  newest = joined;
}

// Where a bullet stands on a row of tiles, it may touch the corner of the next one. Whether that is from
// above or from the side is anybody's guess, unless it would not touch it any more if it were lifted off what
// it stands on.
void World::State::level_seams() {
  std::vector<BulletTouch>& touches = bullet_touches;
  touches.clear();
  for (std::size_t i = 0; i < joined.size(); ++i) {
    const auto [a, b] = joined[i].pair;
    if (slots[a].bullet) {
      touches.push_back({owner(a), i, joined[i].manifold.normal});
    }
    if (slots[b].bullet) {
      touches.push_back({owner(b), i, -joined[i].manifold.normal});
    }
  }
  sort_touches();
  for (const BulletTouch& touch : touches) {
    Contact& contact = joined[touch.contact];
    for (const BulletTouch& other : touches_of(touch.body)) {
      constexpr float alike = 0.5F;  // normals closer than 60 degrees are no seam
      if (other.contact == touch.contact || dot(touch.normal, other.normal) > alike) {
        continue;
      }
      const Vec2 lift =
          (1e-3F * size_of(touch.body) - deepest(joined[other.contact].manifold)) * other.normal;
      const Place part = owner(contact.pair.a) == touch.body ? contact.pair.a : contact.pair.b;
      const Place met = part == contact.pair.a ? contact.pair.b : contact.pair.a;
      const Transform lifted{transforms[part].position - lift, transforms[part].rotation};
      if (!broadside::overlaps(shapes[part], lifted, shapes[met], transforms[met])) {
        contact.manifold.normal = part == contact.pair.a ? other.normal : -other.normal;
        break;
      }
    }
  }
}

// Puts stopped bullets back to where they met something, with the velocity that they had there. A cast is
// never late, so a little further they touch, and the next step finds them in touch.
void World::State::stop_bullets() {
  for (const Stop& stop : stops) {
    if ((changes[stop.body] & renewed) != 0 || !slots[stop.body].enabled) {
      continue;
    }
    const Transform end = transforms[stop.body];
    const auto go = [&](double share) {
      const detail::Point from = detail::to_point(stop.from);
      const detail::Point way = detail::to_point(end.position) - from;
      place_at(stop.body, {share < 1.0 ? detail::to_vec2(from + share * way) : end.position, end.rotation});
    };
    const auto [a, b] = stop.pair;
    const auto time = static_cast<double>(stop.time);
    go(time);
    constexpr double most = 1e-4;  // what it met may have been moved away since
    for (double further = 1e-10;
         further < most && !broadside::overlaps(shapes[a], transforms[a], shapes[b], transforms[b]);
         further *= 2.0) {
      go(time + further);
    }
    const double seconds = (1.0 - time) * static_cast<double>(last_seconds);
    const detail::Point gained =
        detail::to_point(gravity_of(stop.body)) + detail::to_point(motions.acceleration(stop.body));
    motions.set_velocity(stop.body,
                         detail::to_vec2(detail::to_point(motions.velocity(stop.body)) - seconds * gained));
    for_each_part(stop.body, [&](Place place) { swept_from[place] = transforms[stop.body]; });
  }
  stops.clear();
}

}  // namespace broadside
