#include "world/slide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include "base/ordered.hpp"
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

std::vector<World::State::Slide::ObstacleContact> World::State::Slide::sorted(
    const std::vector<ObstacleContact>& found) const {
  std::vector<detail::Ordered> order;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [normal, point, depth] =
        std::tie(found[i].obstacle.normal, found[i].obstacle.point, found[i].obstacle.depth);
    const Aabb box = state.bodies.bounds(found[i].other);
    const double is_solid = state.bodies.slot(found[i].other).sensor ? 0.0 : 1.0;
    order.push_back({{found[i].distance, -double{depth}, is_solid, normal.x, normal.y, point.x, point.y,
                      box.min.x, box.min.y, box.max.x, box.max.y, static_cast<double>(found[i].other)},
                     i});
  }
  return detail::in_order(found, order);
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
World::State::Slide::Path World::State::Slide::path_of(const Transform& from, Point motion, Leg leg) const {
  constexpr double max_float = std::numeric_limits<float>::max();
  Path path{from, motion, leg, length(motion), {}};
  if (path.length > 0.0) {
    const double lookahead = leg == Leg::probe ? 0.0 : 2.0 * skin_at(to_point(from.position));
    const Point extended = ((path.length + lookahead) / path.length) * motion;
    path.cast = to_vec2(largest_side(extended) > max_float ? motion : extended);
  }
  return path;
}

std::optional<World::State::Slide::ObstacleContact> World::State::Slide::contact_on(
    const Path& path, Place part, const ShapeHit& hit) const {
  const double length_of_cast = length(to_point(path.cast));
  const Point direction = (1.0 / length_of_cast) * to_point(path.cast);
  const double slant = -dot(direction, to_point(hit.normal));
  const double distance = static_cast<double>(hit.fraction) * length_of_cast;
  const Point at_contact = to_point(path.from.position) + distance * direction;
  const double skin = path.leg == Leg::probe ? 0.0 : skin_at(at_contact);
  const double left = std::max(path.length - distance, 0.0);
  const ObstacleContact contact{.distance = distance,
                                .allowed = distance - skin / std::max(slant, 1e-6),
                                .part = part,
                                .other = hit.index,
                                .obstacle = {state.bodies.id(state.bodies.owner(hit.index)), hit.normal,
                                             hit.point, to_vec2((left / path.length) * path.motion), 0.0F}};
  // The overlap of convex shapes along a direction is at most their approach along it.
  const bool comes_closer = is_mask(part) || is_mask(hit.index)
                                ? hit.fraction > 0.0F || slant > 0.0
                                : slant * (length_of_cast - distance) > rounding_at(at_contact);
  const bool is_met = comes_closer && contact.allowed < path.length - rounding_at(at_contact) &&
                      !(path.leg == Leg::carried && moves_along(path.from, path.motion, contact));
  return is_met ? std::optional(contact) : std::nullopt;
}

std::vector<World::State::Slide::ObstacleContact> World::State::Slide::find_obstacles(const Transform& from,
                                                                                      Point motion,
                                                                                      Leg leg) const {
  std::vector<ObstacleContact> found;
  const Path path = path_of(from, motion, leg);
  if (path.cast == Vec2{}) {
    return found;
  }
  state.bodies.for_each_part(body.index, [&](Place part) {
    const auto visit = [&](const ShapeHit& hit) {
      const auto contact = contact_on(path, part, hit);
      if (contact && may_meet_it(contact->obstacle.body)) {
        found.push_back(*contact);
      }
      return true;
    };
    const auto query = [&](const ShapeSet& set, Accept accept) {
      return broadside::visit_cast(set, state.bodies.shape(part), from, path.cast, visit, accept);
    };
    state.run_query(filter, query).value();
  });
  return sorted(found);
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

World::State::Slide::Deflection World::State::Slide::deflect(Point motion, const ObstacleContact& contact,
                                                             SlideResponse response) const {
  // Stops where the skin remains between the surfaces: on a slanted path, further back than the skin.
  const Point normal = to_point(contact.obstacle.normal);
  const double length_of_motion = length(motion);
  const double traveled = std::clamp(contact.allowed, 0.0, length_of_motion);
  const Point rest = ((length_of_motion - traveled) / length_of_motion) * motion;
  const double share = response == SlideResponse::touch ? 0.0 : response == SlideResponse::bounce ? 2.0 : 1.0;
  return {place + (traveled / length_of_motion) * motion, rest - (share * dot(rest, normal)) * normal};
}

bool World::State::Slide::hides(const ObstacleContact& surface, const ObstacleContact& contact, Point motion,
                                Leg leg) const {
  constexpr float alike = 0.999F;
  if (surface.allowed > contact.distance || dot(surface.obstacle.normal, contact.obstacle.normal) > alike) {
    return false;
  }
  const Deflection along = deflect(motion, surface, SlideResponse::slide);
  const Path path = path_of({to_vec2(along.place), at.rotation}, along.motion, leg);
  if (path.cast == Vec2{}) {
    return true;
  }
  const auto hit = cast(state.bodies.shape(contact.part), path.from, path.cast,
                        state.bodies.shape(contact.other), state.bodies.transform(contact.other));
  const auto met = hit ? contact_on(path, contact.part, {*hit, contact.other}) : std::nullopt;
  return !met || sidestep(path.from, path.motion, *met) == Point{};
}

const World::State::Slide::ObstacleContact* World::State::Slide::find_surface(
    const ObstacleContact& contact, std::span<const ObstacleContact> found, Point motion, Leg leg) const {
  const auto surface_at = std::find_if(found.begin(), found.end(), [&](const ObstacleContact& surface) {
    const BodyId other = surface.obstacle.body;
    return still_counts(other) && !state.bodies.slot(other.index).sensor &&
           hides(surface, contact, motion, leg) && !hides(contact, surface, motion, leg);
  });
  return surface_at != found.end() ? &*surface_at : nullptr;
}

std::optional<World::State::Slide::ObstacleContact> World::State::Slide::first_obstacle(Point motion,
                                                                                        Leg leg) {
  for (bool may_shift = true;; may_shift = false) {
    bool is_shifted = false;
    const auto found = find_obstacles(at, motion, leg);
    for (auto contact = found.begin(); contact != found.end() && !is_shifted;) {
      const BodyId other = contact->obstacle.body;
      const auto shift = still_counts(other) ? sidestep(at, motion, *contact) : Point{};
      if (shift == Point{}) {
        ++contact;
        continue;
      }
      const bool is_solid = !state.bodies.slot(other.index).sensor;
      if (shift && may_shift && is_solid && try_shift(*shift, motion, leg, *contact)) {
        is_shifted = true;
        continue;
      }
      const ObstacleContact* surface = is_solid ? find_surface(*contact, found, motion, leg) : nullptr;
      const ObstacleContact& first = surface != nullptr ? *surface : *contact;
      if (respond_to(first.obstacle) != SlideResponse::cross) {
        return first;
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
  found = sorted(found);
  for (ObstacleContact& overlap : found) {
    overlap.obstacle.was_inside =
        static_cast<double>(overlap.obstacle.depth) > rounding_at(position) &&
        (!before ||
         std::binary_search(before->crossed.begin(), before->crossed.end(), overlap.obstacle.body));
  }
  return found;
}

}  // namespace broadside::inline v0_2
