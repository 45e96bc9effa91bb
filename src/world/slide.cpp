#include "world/slide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include "base/by_key.hpp"
#include "base/to_vec2.hpp"
#include "broadside/query/area.hpp"
#include "broadside/query/cast.hpp"

namespace broadside::inline v0_2 {

using detail::Point;
using detail::to_point;

double World::State::Slide::ulp_at(Point position) const {
  constexpr int float_bits = std::numeric_limits<float>::digits;
  int exponent = 0;
  static_cast<void>(std::frexp(largest_side(position) + reach, &exponent));
  return std::ldexp(1.0,
                    std::max(exponent - float_bits, std::numeric_limits<float>::min_exponent - float_bits));
}

double World::State::Slide::skin_at(Point position) const {
  return std::max(given_skin, 4.0 * ulp_at(position));
}

bool World::State::Slide::carries(Vec2 normal) const {
  return up && dot(to_point(normal), *up) > static_cast<double>(min_up_of_ground);
}

bool World::State::Slide::may_meet_it(BodyId other) const {
  return !error && !is_crossed(other) && other != ignored &&
         state.rules.passes_predicate(body.index, other.index);
}

SlideResponse World::State::Slide::respond_to(const Obstacle& obstacle) {
  const bool is_sensor = state.bodies.slot(obstacle.body.index).sensor;
  SlideResponse response = is_sensor ? SlideResponse::cross : SlideResponse::slide;
  if (options.respond && !error && !state.rules.is_abandoned()) {
    response = options.respond(obstacle);
    error = is_valid(response) ? state.check(body)
                               : Error{ErrorCode::invalid_argument,
                                       "move_and_slide: respond returned " +
                                           std::to_string(static_cast<unsigned>(response)) +
                                           "; it must be slide (0), bounce (1), cross (2) or touch (3)"};
  }
  if (error) {
    response = SlideResponse::touch;
  }
  hits.push_back({obstacle, response});
  if (response == SlideResponse::cross) {
    crossed.insert(std::lower_bound(crossed.begin(), crossed.end(), obstacle.body), obstacle.body);
  }
  return response;
}

// Casts further than the motion by twice the skin: otherwise a body that approaches by less than the skin per
// call would use up the skin.
std::vector<World::State::Slide::ObstacleContact> World::State::Slide::find_obstacles(const Transform& from,
                                                                                      Point motion,
                                                                                      Leg leg) const {
  constexpr double max_float = std::numeric_limits<float>::max();
  const double length_of_leg = length(motion);
  std::vector<ObstacleContact> found;
  if (!(length_of_leg > 0.0)) {
    return found;
  }
  const double lookahead = leg == Leg::probe ? 0.0 : 2.0 * skin_at(to_point(from.position));
  Point extended = ((length_of_leg + lookahead) / length_of_leg) * motion;
  if (largest_side(extended) > max_float) {
    extended = motion;
  }
  const Vec2 cast_motion = to_vec2(extended);
  if (cast_motion == Vec2{}) {
    return found;
  }
  const double path_length = length(to_point(cast_motion));
  const Point direction = (1.0 / path_length) * to_point(cast_motion);
  state.bodies.for_each_part(body.index, [&](Place part) {
    const auto visit = [&](const ShapeHit& hit) {
      const BodyId other = state.bodies.id(state.bodies.owner(hit.index));
      const double slant = -dot(direction, to_point(hit.normal));
      ObstacleContact contact{.distance = static_cast<double>(hit.fraction) * path_length,
                              .allowed = 0.0,
                              .part = part,
                              .other = hit.index,
                              .obstacle = {other, hit.normal, hit.point, {}, 0.0F}};
      const Point at_contact = to_point(from.position) + contact.distance * direction;
      // The overlap of convex shapes along a direction is at most their approach along it.
      const bool comes_closer = is_mask(part) || is_mask(hit.index)
                                    ? hit.fraction > 0.0F || slant > 0.0
                                    : slant * (path_length - contact.distance) > rounding_at(at_contact);
      const double skin = leg == Leg::probe ? 0.0 : skin_at(at_contact);
      contact.allowed = contact.distance - skin / std::max(slant, 1e-6);
      contact.obstacle.motion =
          to_vec2((std::max(length_of_leg - contact.distance, 0.0) / length_of_leg) * motion);
      if (comes_closer && contact.allowed < length_of_leg - rounding_at(at_contact) && may_meet_it(other) &&
          !(leg == Leg::carried && moves_along(from, motion, contact))) {
        found.push_back(contact);
      }
      return true;
    };
    const auto query = [&](const ShapeSet& set, Accept accept) {
      return broadside::visit_cast(set, state.bodies.shape(part), from, cast_motion, visit, accept);
    };
    state.run_query(filter, query).value();
  });
  std::stable_sort(found.begin(), found.end(), detail::by_key([](const ObstacleContact& contact) {
                     return std::tie(contact.distance, contact.obstacle.body);
                   }));
  return found;
}

bool World::State::Slide::moves_along(const Transform& from, Point motion,
                                      const ObstacleContact& contact) const {
  if (state.bodies.slot(contact.other).type == BodyType::static_body) {
    return false;
  }
  const Point end = to_point(from.position) + motion;
  const Manifold manifold = collide(state.bodies.shape(contact.part), {to_vec2(end), from.rotation},
                                    state.bodies.shape(contact.other), state.bodies.transform(contact.other));
  return !manifold.touching() || -static_cast<double>(deepest(manifold)) <= rounding_at(end);
}

// Moves the body into the obstacle by three times the skin. If the axis of least penetration is then
// sideways, the obstacle blocks the path by no more than the overlap along that axis:
//
//         +----+
//         |body|            The body comes down. Along the axis m both overlap by the same
//         |    |            amount at the start, at the end and between.
//     +---+-+--+
//     |other|  v        m <-
//
std::optional<Point> World::State::Slide::sidestep(const Transform& from, Point motion,
                                                   const ObstacleContact& contact) const {
  if (is_mask(contact.part) || is_mask(contact.other)) {
    return std::nullopt;  // not convex: one axis says nothing about the rest of the shape
  }
  const Point start = to_point(from.position);
  const double length_of_leg = length(motion);
  const Point direction = (1.0 / length_of_leg) * motion;
  const double slant = -dot(direction, to_point(contact.obstacle.normal));
  const double skin = skin_at(start);
  // A round body is beside a corner only after its center has passed the corner.
  const double steepest = std::max(slant, std::sqrt(skin / std::max(reach, skin)));
  const Point inside = start + (contact.distance + 3.0 * skin / steepest) * direction;
  const Transform placed{to_vec2(inside), from.rotation};
  const Shape& part = state.bodies.shape(contact.part);
  const Shape& other = state.bodies.shape(contact.other);
  const Transform& other_at = state.bodies.transform(contact.other);
  const Manifold manifold = collide(part, placed, other, other_at);
  const Distance apart = manifold.touching() ? Distance{} : distance(part, placed, other, other_at);
  const Point axis = to_point(manifold.touching() ? manifold.normal : apart.normal);
  const double depth = -static_cast<double>(manifold.touching() ? deepest(manifold) : apart.distance);
  double overlap = depth;
  for (const Point& passed : {start, start + motion, inside}) {
    overlap = std::max(overlap, depth + dot(passed - to_point(placed.position), axis));
  }
  if (overlap <= rounding_at(start)) {
    return Point{};
  }
  return overlap <= 1.5 * skin ? std::optional((-overlap) * axis) : std::nullopt;
}

std::optional<World::State::Slide::ObstacleContact> World::State::Slide::first_solid(const Transform& from,
                                                                                     Point motion,
                                                                                     Leg leg) const {
  for (const ObstacleContact& contact : find_obstacles(from, motion, leg)) {
    if (!state.bodies.slot(contact.obstacle.body.index).sensor &&
        sidestep(from, motion, contact) != Point{}) {
      return contact;
    }
  }
  return std::nullopt;
}

bool World::State::Slide::try_shift(Point shift, Point motion, Leg leg, const ObstacleContact& contact) {
  if (first_solid(at, shift, Leg::probe)) {
    return false;
  }
  const Transform beside{to_vec2(place + shift), at.rotation};
  const auto next = first_solid(beside, motion, leg);
  if (next && next->allowed <= std::max(contact.allowed, 0.0) + skin_at(place)) {
    return false;
  }
  put_at(place + shift);
  return true;
}

std::optional<World::State::Slide::ObstacleContact> World::State::Slide::first_obstacle(Point motion,
                                                                                        Leg leg) {
  for (bool may_shift = true;; may_shift = false) {
    bool is_shifted = false;
    for (const ObstacleContact& contact : find_obstacles(at, motion, leg)) {
      // An earlier call of `respond` may have removed it.
      if (!state.bodies.contains(contact.obstacle.body) || is_crossed(contact.obstacle.body)) {
        continue;
      }
      const auto shift = sidestep(at, motion, contact);
      if (shift == Point{}) {
        continue;
      }
      if (shift && may_shift && !state.bodies.slot(contact.obstacle.body.index).sensor &&
          try_shift(*shift, motion, leg, contact)) {
        is_shifted = true;
        break;
      }
      if (respond_to(contact.obstacle) != SlideResponse::cross) {
        return contact;
      }
    }
    if (!is_shifted) {
      return std::nullopt;
    }
  }
}

std::vector<World::State::Slide::ObstacleContact> World::State::Slide::find_overlaps(Point position,
                                                                                     bool of_crossed) const {
  std::vector<ObstacleContact> found;
  const Transform placed{to_vec2(position), at.rotation};
  state.bodies.for_each_part(body.index, [&](Place part) {
    const auto visit = [&](BoxIndex shape) {
      const BodyId other = state.bodies.id(state.bodies.owner(shape));
      if (of_crossed ? is_crossed(other) : may_meet_it(other)) {
        const Manifold manifold = collide(state.bodies.shape(part), placed, state.bodies.shape(shape),
                                          state.bodies.transform(shape));
        if (manifold.touching()) {
          const float depth = std::max(0.0F, -deepest(manifold));
          found.push_back(
              {0.0, 0.0, part, shape, {other, -manifold.normal, manifold.points[0].position, {}, depth}});
        }
      }
      return true;
    };
    const auto query = [&](const ShapeSet& set, Accept accept) {
      return broadside::visit_shape(set, state.bodies.shape(part), placed, visit, accept);
    };
    state.run_query(filter, query).value();
  });
  std::stable_sort(found.begin(), found.end(), detail::by_key([](const ObstacleContact& contact) {
                     return std::pair(-contact.obstacle.depth, contact.obstacle.body);
                   }));
  for (ObstacleContact& overlap : found) {
    overlap.obstacle.was_inside =
        static_cast<double>(overlap.obstacle.depth) > rounding_at(position) &&
        (!before ||
         std::binary_search(before->crossed.begin(), before->crossed.end(), overlap.obstacle.body));
  }
  return found;
}

}  // namespace broadside::inline v0_2
