#include <algorithm>

#include "base/rounding.hpp"
#include "base/to_vec2.hpp"
#include "base/tolerances.hpp"
#include "broadside/contact/collide.hpp"
#include "contact/cast_shape.hpp"
#include "contact/order.hpp"
#include "world/sweeper.hpp"

namespace broadside::inline v0_2 {

using detail::to_point;

// Motion in a step. A body moves straight from its start to its position, with its rotation at the end. After
// its stop, a sweeper does not move.

// In double: in float, the error of a long motion may exceed the size of a small shape.
detail::Point Sweeper::point_between(Vec2 from, Vec2 to, double share) {
  return to_point(from) + share * (to_point(to) - to_point(from));
}

Aabb Sweeper::swept_bounds(Place place, const Aabb& at_end) const {
  const detail::Point back =
      to_point(starts_[bodies_.owner(place)]) - to_point(bodies_.transform(place).position);
  const auto low = [](float end, double delta) {
    return detail::round_down(static_cast<double>(end) + delta);
  };
  const auto high = [](float end, double delta) {
    return detail::round_up(static_cast<double>(end) + delta);
  };
  return merge(at_end, {{low(at_end.min.x, back.x), low(at_end.min.y, back.y)},
                        {high(at_end.max.x, back.x), high(at_end.max.y, back.y)}});
}

/// Returns the index of a body in `sweepers_`.
std::size_t Sweeper::sweeper_number(Place body) const {
  return static_cast<std::size_t>(std::lower_bound(sweepers_.begin(), sweepers_.end(), body) -
                                  sweepers_.begin());
}

float Sweeper::time_of_stop(Place body) const {
  return sweeps(body) && !stop_times_.empty() ? stop_times_[sweeper_number(body)] : never;
}

Transform Sweeper::end_of(Place place) const {
  const Place body = bodies_.owner(place);
  const Transform& now = bodies_.transform(place);
  const float stop = time_of_stop(body);
  return stop == never
             ? now
             : Transform{to_vec2(point_between(starts_[body], now.position, double{stop})), now.rotation};
}

Sweeper::Leg Sweeper::leg_of(Place place, float since) const {
  const Place body = bodies_.owner(place);
  if (time_of_stop(body) <= since) {
    return {to_point(end_of(body).position), {}};
  }
  const Vec2 end = bodies_.transform(body).position;
  const detail::Point from = point_between(starts_[body], end, static_cast<double>(since));
  return {from, (1.0 - static_cast<double>(since)) * (to_point(end) - to_point(starts_[body]))};
}

/// Casts the shapes of a pair over the rest of the step; the fraction of the hit is one of that rest.
std::optional<Hit> Sweeper::cast(Pair pair, const Leg& a, const Leg& b) const {
  Transform at_a{to_vec2(a.from), bodies_.transform(pair.a).rotation};
  Transform at_b{to_vec2(b.from), bodies_.transform(pair.b).rotation};
  detail::Point origin;
  if (to_point(at_a.position) != a.from || to_point(at_b.position) != b.from) {
    // Positions between floats: only the difference matters, and two floats hold that to 48 bits. The hit
    // must not depend on the order of the pair.
    const detail::Point offset = a.from - b.from;
    const bool is_a_first = detail::order(offset) < 0.0;
    Transform& first = is_a_first ? at_a : at_b;
    Transform& second = is_a_first ? at_b : at_a;
    const detail::Point to_second = is_a_first ? -1.0 * offset : offset;
    second.position = to_vec2(to_second);
    first.position = to_vec2(to_point(second.position) - to_second);
    origin = b.from - to_point(at_b.position);
  }
  auto hit =
      detail::cast_shape(bodies_.shape(pair.a), at_a, a.motion - b.motion, bodies_.shape(pair.b), at_b);
  if (hit) {
    hit->point = to_vec2(origin + to_point(hit->point) + static_cast<double>(hit->fraction) * b.motion);
  }
  return hit;
}

/// Tells whether the shapes of a pair hardly approach along a normal: by no more than rounding, or than
/// gravity moves a resting body.
bool Sweeper::slides(Pair pair, float since, Vec2 normal) const {
  constexpr double sliding = 1e-3;  // share of the motion
  const detail::Point motion = leg_of(pair.a, since).motion - leg_of(pair.b, since).motion;
  const double closer = dot(motion, to_point(normal));
  const detail::Point pressing =
      motion_.acceleration_of(bodies_.owner(pair.a)) - motion_.acceleration_of(bodies_.owner(pair.b));
  const auto seconds = static_cast<double>(motion_.seconds());
  const double fall = 2.0 * seconds * seconds * dot(pressing, to_point(normal));
  return closer <= sliding * length(motion) ||
         (closer <= fall && closer <= 0.25 * static_cast<double>(std::min(bodies_.shorter_side(pair.a),
                                                                          bodies_.shorter_side(pair.b))));
}

void Sweeper::sweep_from(Swept& one, float since) {
  one.since = since;
  one.hit = cast(one.pair, leg_of(one.pair.a, since), leg_of(one.pair.b, since));
  if (one.hit && one.hit->fraction == 0.0F) {
    // At a corner, several normals are valid. Prefer that of the last step if the shapes slide along it.
    const auto before = since == 0.0F ? normal_before(one.pair) : std::nullopt;
    if (before && slides(one.pair, since, *before)) {
      one.hit->normal = -*before;
    }
    one.slides = slides(one.pair, since, -one.hit->normal);
  } else {
    one.slides = false;
  }
  if (one.hit) {
    const auto from = static_cast<double>(since);
    const double time = from + (1.0 - from) * static_cast<double>(one.hit->fraction);
    one.hit->fraction = std::max(since, detail::round_down(time));
  }
}

std::span<const std::pair<BoxIndex, std::size_t>> Sweeper::swept_with(Place body) const {
  const auto begin = std::lower_bound(swept_of_.begin(), swept_of_.end(), std::pair(body, std::size_t{0}));
  const auto end = std::lower_bound(begin, swept_of_.end(), std::pair(body + 1, std::size_t{0}));
  return std::span(swept_of_).subspan(static_cast<std::size_t>(begin - swept_of_.begin()),
                                      static_cast<std::size_t>(end - begin));
}

// A bullet that slides along a row of tiles would hit the edge of the next tile by a rounding error (a ghost
// collision). So it is lifted off the surface that it slides along by a thousandth of its size before it is
// cast against the next tile:
//
//         ┌───┐  →                 ┌───┐  →
//     ════╧═══╧══╤═══════      ════════════╤═══════
//        tile    │ tile           tile     │ tile
double Sweeper::lift_height(Place body, const Leg& leg) const {
  return 1e-3 * static_cast<double>(bodies_.shorter_side(body)) + 1e-5 * length(leg.motion);
}

/// Tells whether two shapes keep their distance over the rest of the step, to within a tolerance.
bool Sweeper::move_alike(const Leg& a, const Leg& b, double tolerance) {
  const detail::Point apart = a.motion - b.motion;
  return dot(apart, apart) <= tolerance * tolerance;
}

/// Returns by how much a body of a pair is lifted before it is cast against the other. Only a shape that
/// moves as the surface does can continue it.
detail::Point Sweeper::lift_of(Place body, float since, const Leg& own, const Leg& other) const {
  const Lift lift = sweeps(body) ? lifts_[sweeper_number(body)] : Lift{};
  if (lift.direction == Vec2{}) {
    return {};
  }
  const double height = lift_height(body, {{}, own.motion - other.motion});
  return move_alike(leg_of(lift.surface, since), other, height)
             ? (height / length(to_point(lift.direction))) * to_point(lift.direction)
             : detail::Point{};
}

/// Sums up the outward normals of the surfaces that a sweeper slides along, or was stopped by; of surfaces
/// that move differently, only those that move as the first one does.
void Sweeper::find_lift(Place bullet) {
  surfaces_.clear();
  order_.clear();
  for (const auto& [body, i] : swept_with(bullet)) {
    const Swept& one = swept_[i];
    if (one.slides || has_stopped(one, body)) {
      const bool is_a = bodies_.owner(one.pair.a) == body;
      const Vec2 normal = is_a ? one.hit->normal : -one.hit->normal;
      const Place surface = is_a ? one.pair.b : one.pair.a;
      const Place owner = bodies_.owner(surface);
      const Vec2 from = starts_[owner];
      const Vec2 to = bodies_.transform(owner).position;
      order_.push_back(
          {{normal.x, normal.y, from.x, from.y, to.x, to.y, time_of_stop(owner)}, surfaces_.size()});
      surfaces_.push_back({normal, surface, one.since});
    }
  }
  detail::sort(order_);
  Lift& lift = lifts_[sweeper_number(bullet)];
  lift = {};
  for (const detail::Ordered& ordered : order_) {
    const Surface& one = surfaces_[ordered.index];
    if (lift.direction == Vec2{}) {
      lift.surface = one.place;
    } else if (!move_alike(leg_of(lift.surface, one.since), leg_of(one.place, one.since),
                           lift_height(bullet, leg_of(bullet, one.since)))) {
      continue;
    }
    lift.direction = lift.direction + one.normal;
  }
  if (length(to_point(lift.direction)) < detail::parallel) {
    lift = {};  // surfaces on opposite sides; what rounding leaves of their normals has no direction
  }
}

/// Tells whether a hit stopped a sweeper of its pair.
bool Sweeper::has_stopped(const Swept& one, Place body) const {
  return one.is_confirmed && is_solid(one.pair) && one.hit->fraction == time_of_stop(body);
}

void Sweeper::find_seam(Swept& one) {
  one.is_seam = false;
  if (!one.hit || one.slides) {
    return;
  }
  Leg a = leg_of(one.pair.a, one.since);
  Leg b = leg_of(one.pair.b, one.since);
  const detail::Point lift_a = lift_of(bodies_.owner(one.pair.a), one.since, a, b);
  const detail::Point lift_b = lift_of(bodies_.owner(one.pair.b), one.since, b, a);
  a.from = a.from + lift_a;
  b.from = b.from + lift_b;
  one.is_seam = lift_a != lift_b && !cast(one.pair, a, b);
}

void Sweeper::find_seams() {
  swept_of_.clear();
  for (std::size_t i = 0; i < swept_.size(); ++i) {
    swept_of_.emplace_back(bodies_.owner(swept_[i].pair.a), i);
    swept_of_.emplace_back(bodies_.owner(swept_[i].pair.b), i);
  }
  std::sort(swept_of_.begin(), swept_of_.end());
  lifts_.resize(sweepers_.size());
  for (const Place bullet : sweepers_) {
    find_lift(bullet);
  }
  for (Swept& one : swept_) {
    find_seam(one);
  }
}

}  // namespace broadside::inline v0_2
