#include "broadside/scene/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace broadside {

namespace {

/// The direction in which b must go to leave a, a unit vector; nothing where the true shapes do not touch.
std::optional<Vec2> contact_normal(Vec2 a, Vec2 half_a, bool circle_a, Vec2 b, Vec2 half_b, bool circle_b) {
  if (!circle_a && !circle_b) {
    const Vec2 between = b - a;
    const float depth_x = half_a.x + half_b.x - std::abs(between.x);
    const float depth_y = half_a.y + half_b.y - std::abs(between.y);
    if (depth_x < depth_y) {
      return Vec2{between.x < 0.0F ? -1.0F : 1.0F, 0.0F};
    }
    return Vec2{0.0F, between.y < 0.0F ? -1.0F : 1.0F};
  }
  // The point of each shape that is nearest to the other's centre; a circle's is its own centre.
  const auto nearest = [](Vec2 center, Vec2 half, bool circle, Vec2 to) {
    return circle ? center
                  : Vec2{std::clamp(to.x, center.x - half.x, center.x + half.x),
                         std::clamp(to.y, center.y - half.y, center.y + half.y)};
  };
  const Vec2 between = nearest(b, half_b, circle_b, a) - nearest(a, half_a, circle_a, b);
  const float reach = (circle_a ? half_a.x : 0.0F) + (circle_b ? half_b.x : 0.0F);
  const float distance = std::hypot(between.x, between.y);
  if (distance > reach) {
    return std::nullopt;
  }
  if (distance > 0.0F) {
    return (1.0F / distance) * between;
  }
  // One centre lies on or in the other shape: any direction will do, if it is always the same.
  const Vec2 apart = b - a;
  const float length = std::hypot(apart.x, apart.y);
  return length > 0.0F ? (1.0F / length) * apart : Vec2{1.0F, 0.0F};
}

/// A coordinate that leaves [low, high] comes back to the border and turns round.
void reflect(float& position, float& previous, float half, float low, float high) {
  const float lowest = low + half;
  const float highest = high - half;
  const float step = position - previous;
  if (lowest > highest) {
    position = 0.5F * (low + high);
    previous = position;
  } else if (position < lowest) {
    position = lowest;
    previous = position - std::abs(step);
  } else if (position > highest) {
    position = highest;
    previous = position + std::abs(step);
  }
}

}  // namespace

Simulation::Simulation(Scene scene) : scene_(std::move(scene)), random_(scene_.seed) {
  for (const SceneBody& body : scene_.bodies) {
    bodies_.push_back({body.position, body.position - scene_.dt * body.velocity, body.half_size});
    types_.push_back(body.type);
  }
  boxes_.resize(bodies_.size());
}

void Simulation::begin_step() {
  const Vec2 fall = scene_.dt * (scene_.dt * scene_.gravity);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    if (types_[i] == BodyType::dynamic && !scene_.bodies[i].orbit) {
      body.position = body.position + fall;
    }
    const Aabb box{body.position - body.half_size, body.position + body.half_size};
    // A body that flew beyond what a float can hold stays where it was last seen.
    if (is_finite(box)) {
      boxes_[i] = box;
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

void Simulation::respond(std::span<const Pair> pairs) {
  for (const Pair& pair : pairs) {
    const std::uint32_t tag_a = scene_.bodies[pair.a].tag;
    const std::uint32_t tag_b = scene_.bodies[pair.b].tag;
    for (const SceneRule& rule : scene_.rules) {
      if (rule.a == tag_a && rule.b == tag_b) {
        apply(rule, pair.a, pair.b);
      } else if (rule.a == tag_b && rule.b == tag_a) {
        apply(rule, pair.b, pair.a);
      }
    }
  }
}

void Simulation::apply(const SceneRule& rule, BoxIndex a, BoxIndex b) {
  if (rule.bounce) {
    bounce(a, b);
  }
  if (rule.grow != 0.0F) {
    const auto grown = [&rule](float half) {
      return 0.5F * std::clamp(2.0F * half + rule.grow, rule.min_size, rule.max_size);
    };
    Vec2& half = bodies_[a].half_size;
    half = {grown(half.x), scene_.bodies[a].circle ? grown(half.x) : grown(half.y)};
  }
  if (rule.respawn) {
    respawn(b);
  }
}

// Velocities are read anew for each pair: a body that hits two others in one step bounces off both.
void Simulation::bounce(BoxIndex a, BoxIndex b) {
  Body& body_a = bodies_[a];
  Body& body_b = bodies_[b];
  const float total = inverse_mass(a) + inverse_mass(b);
  const auto normal = contact_normal(body_a.position, body_a.half_size, scene_.bodies[a].circle,
                                     body_b.position, body_b.half_size, scene_.bodies[b].circle);
  if (!normal || total <= 0.0F) {
    return;
  }
  const Vec2 velocity_a = velocity(a);
  const Vec2 velocity_b = velocity(b);
  const float approach = dot(velocity_b - velocity_a, *normal);
  if (approach >= 0.0F) {
    return;
  }
  const float impulse = -(1.0F + scene_.restitution) * approach / total;
  if (inverse_mass(a) > 0.0F) {
    set_velocity(body_a, velocity_a - (impulse * inverse_mass(a)) * *normal);
  }
  if (inverse_mass(b) > 0.0F) {
    set_velocity(body_b, velocity_b + (impulse * inverse_mass(b)) * *normal);
  }
}

void Simulation::respawn(BoxIndex body) {
  const Aabb& bounds = *scene_.bounds;
  const auto coordinate = [this](float low, float high) {
    return std::floor(static_cast<float>(random_.uniform(low, double{high} + 1.0)));
  };
  const Vec2 position{coordinate(bounds.min.x, bounds.max.x), coordinate(bounds.min.y, bounds.max.y)};
  bodies_[body].position = position + bodies_[body].half_size;
  set_velocity(bodies_[body], {});
}

void Simulation::turn(Body& body, const Orbit& orbit) const {
  const float angle = orbit.radians_per_second * scene_.dt;
  const float cosine = std::cos(angle);
  const float sine = std::sin(angle);
  const Vec2 arm = body.position - orbit.center;
  body.previous = body.position;
  body.position = orbit.center + Vec2{cosine * arm.x - sine * arm.y, sine * arm.x + cosine * arm.y};
}

void Simulation::bounce_off_walls(Body& body) const {
  if (scene_.bounds) {
    const Aabb& bounds = *scene_.bounds;
    reflect(body.position.x, body.previous.x, body.half_size.x, bounds.min.x, bounds.max.x);
    reflect(body.position.y, body.previous.y, body.half_size.y, bounds.min.y, bounds.max.y);
  }
}

void Simulation::end_step() {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    if (scene_.bodies[i].orbit) {
      turn(body, *scene_.bodies[i].orbit);
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

}  // namespace broadside
