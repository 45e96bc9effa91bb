#include "broadside/scene/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace broadside::inline v0_2 {

namespace {

/// Keeps a coordinate and its extent on both sides within [low, high]: on overshoot it is set to the border,
/// and its velocity points inward.
void reflect(float& position, float& previous, float reach_low, float reach_high, float low, float high) {
  const float lowest = low - reach_low;
  const float highest = high - reach_high;
  const float step = position - previous;
  if (lowest > highest) {
    position = 0.5F * (low + high) - 0.5F * (reach_low + reach_high);
    previous = position;
  } else if (position < lowest) {
    position = lowest;
    previous = position - std::abs(step);
  } else if (position > highest) {
    position = highest;
    previous = position + std::abs(step);
  }
}

Vec2 half_size_of(const Shape& shape) {
  if (const auto* circle = std::get_if<Circle>(&shape)) {
    return {circle->radius, circle->radius};
  }
  const auto* box = std::get_if<Box>(&shape);
  return box != nullptr ? box->half_size : Vec2{};
}

}  // namespace

Simulation::Simulation(Scene scene) : scene_(std::move(scene)), random_(scene_.seed) {
  for (const SceneBody& body : scene_.bodies) {
    const Transform transform = body.transform();
    bodies_.push_back({.position = body.position,
                       .previous = body.position - scene_.dt * body.velocity,
                       .angle = body.angle,
                       .rotation = transform.rotation,
                       .half_size = half_size_of(body.shape),
                       .reach = bounds(body.shape, {{}, transform.rotation})});
    types_.push_back(body.type);
    shapes_.push_back(body.shape);
    transforms_.push_back(transform);
    boxes_.push_back(bounds(body.shape, transform));
  }
}

void Simulation::begin_step() {
  const Vec2 fall = scene_.dt * (scene_.dt * scene_.gravity);
  for (BoxIndex i = 0; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    if (types_[i] == BodyType::dynamic && !scene_.bodies[i].orbit) {
      body.position = body.position + fall;
    }
    if (body.resized) {
      shapes_[i] = grown_shape(i);
      body.resized = false;
    }
    const Transform transform{body.position, body.rotation};
    const Aabb box = bounds(shapes_[i], transform);
    // A body beyond the range of float stays at its last valid place.
    if (is_valid(box)) {
      boxes_[i] = box;
      transforms_[i] = transform;
    }
  }
}

bool Simulation::layers_meet(Pair pair) const {
  const SceneBody& a = scene_.bodies[pair.a];
  const SceneBody& b = scene_.bodies[pair.b];
  return ((a.collides_with >> b.layer) & 1U) != 0 && ((b.collides_with >> a.layer) & 1U) != 0;
}

Vec2 Simulation::velocity(BoxIndex body) const {
  return (1.0F / scene_.dt) * (bodies_[body].position - bodies_[body].previous);
}

void Simulation::set_velocity(Body& body, Vec2 velocity) const {
  body.previous = body.position - scene_.dt * velocity;
}

float Simulation::inverse_mass(BoxIndex body) const {
  const bool movable = types_[body] == BodyType::dynamic && !scene_.bodies[body].orbit;
  return movable ? 1.0F / scene_.bodies[body].mass : 0.0F;
}

void Simulation::respond(std::span<const Contact> contacts) {
  for (const Contact& contact : contacts) {
    const Pair pair = contact.pair;
    const std::uint32_t tag_a = scene_.bodies[pair.a].tag;
    const std::uint32_t tag_b = scene_.bodies[pair.b].tag;
    for (const SceneRule& rule : scene_.rules) {
      const bool as_named = rule.a == tag_a && rule.b == tag_b;
      if (!as_named && !(rule.a == tag_b && rule.b == tag_a)) {
        continue;
      }
      if (rule.bounce) {
        bounce(contact);
      }
      apply(rule, as_named ? pair.a : pair.b, as_named ? pair.b : pair.a);
    }
  }
}

void Simulation::apply(const SceneRule& rule, BoxIndex a, BoxIndex b) {
  if (rule.grow != 0.0F) {
    grow(rule, a);
  }
  if (rule.respawn) {
    respawn(b);
  }
}

// Velocities are computed for each contact: a body that hits two others in one step bounces off both.
void Simulation::bounce(const Contact& contact) {
  const auto [a, b] = contact.pair;
  const Vec2 normal = contact.manifold.normal;
  const float total = inverse_mass(a) + inverse_mass(b);
  if (total <= 0.0F) {
    return;
  }
  const Vec2 velocity_a = velocity(a);
  const Vec2 velocity_b = velocity(b);
  const float approach = dot(velocity_b - velocity_a, normal);
  if (approach >= 0.0F) {
    return;
  }
  const float impulse = -(1.0F + scene_.restitution) * approach / total;
  if (inverse_mass(a) > 0.0F) {
    set_velocity(bodies_[a], velocity_a - (impulse * inverse_mass(a)) * normal);
  }
  if (inverse_mass(b) > 0.0F) {
    set_velocity(bodies_[b], velocity_b + (impulse * inverse_mass(b)) * normal);
  }
}

/// Returns the shape of a body at its current size; only boxes and circles grow.
Shape Simulation::grown_shape(BoxIndex body) const {
  const Vec2 half = bodies_[body].half_size;
  Shape shape = shapes_[body];
  if (auto* circle = std::get_if<Circle>(&shape)) {
    circle->radius = half.x;
  } else if (auto* box = std::get_if<Box>(&shape)) {
    box->half_size = half;
  }
  return shape;
}

// Growth takes effect in the next step: the shapes of this step must match its contacts.
void Simulation::grow(const SceneRule& rule, BoxIndex index) {
  Body& body = bodies_[index];
  const auto grown = [&rule](float half) {
    return 0.5F * std::clamp(2.0F * half + rule.grow, rule.min_size, rule.max_size);
  };
  body.half_size = {grown(body.half_size.x), grown(body.half_size.y)};
  body.resized = true;
  body.reach = bounds(grown_shape(index), {{}, body.rotation});
}

void Simulation::respawn(BoxIndex body) {
  const Aabb& bounds = *scene_.bounds;
  const auto coordinate = [this](float low, float high) {
    return std::floor(static_cast<float>(random_.uniform(low, double{high} + 1.0)));
  };
  const Vec2 corner{coordinate(bounds.min.x, bounds.max.x), coordinate(bounds.min.y, bounds.max.y)};
  bodies_[body].position = corner - bodies_[body].reach.min;
  set_velocity(bodies_[body], {});
  bounce_off_walls(bodies_[body]);  // only the corner was drawn within the bounds
}

void Simulation::orbit(Body& body, const Orbit& orbit) const {
  const Rotation turn = Rotation::by(orbit.radians_per_second * scene_.dt);
  const Vec2 arm = body.position - orbit.center;
  body.previous = body.position;
  body.position =
      orbit.center + Vec2{turn.cos * arm.x - turn.sin * arm.y, turn.sin * arm.x + turn.cos * arm.y};
}

void Simulation::spin(BoxIndex index) {
  Body& body = bodies_[index];
  body.angle += scene_.bodies[index].spin * scene_.dt;
  body.rotation = Rotation::by(body.angle);
  body.reach = bounds(body.resized ? grown_shape(index) : shapes_[index], {{}, body.rotation});
}

void Simulation::bounce_off_walls(Body& body) const {
  if (scene_.bounds) {
    const auto& [low, high] = *scene_.bounds;
    reflect(body.position.x, body.previous.x, body.reach.min.x, body.reach.max.x, low.x, high.x);
    reflect(body.position.y, body.previous.y, body.reach.min.y, body.reach.max.y, low.y, high.y);
  }
}

void Simulation::end_step() {
  for (BoxIndex i = 0; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    if (scene_.bodies[i].spin != 0.0F && types_[i] != BodyType::static_body) {
      spin(i);
    }
    if (scene_.bodies[i].orbit) {
      orbit(body, *scene_.bodies[i].orbit);
    } else if (types_[i] != BodyType::static_body) {
      const Vec2 next = body.position + (body.position - body.previous);
      body.previous = body.position;
      body.position = next;
      if (types_[i] == BodyType::dynamic) {
        bounce_off_walls(body);
      }
    }
  }
}

}  // namespace broadside::inline v0_2
